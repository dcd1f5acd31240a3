"""Plants mistakes in each room and asks the room's own short tests to find them: `make mutants`.

Mistakes are drawn by a seed from lines that those tests carry out, so a run can be repeated, and another seed draws
others. Each one is planted alone, in a copy of the checkout. It counts as found if a test fails, or hangs.
Only tests that carry out its line are run, until one fails; coverage.py says which those are. What no test can tell
from the right code is not drawn: wording, tolerances of rounding, sizes of caches, and large bounds off by one.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from scripts.copied_checkout import ROOT, copy_checkout

COPY = ROOT / "build" / "mutants"
SEED, COUNT = 1, 10
PARTS = ("engine", "blocks", "interop", "app")
# Share of mistakes that the tests of a room should find.
GOAL = 0.85
# The tests of a mistake may take so many times the processor time of all tests of the room, and some seconds; on a busy
# machine that lasts longer, up to so many times.
PATIENCE, LEAST, WAITING = 2, 15.0, 10
# So long may one test last, which may wait for what never comes and take no processor time. Units: seconds.
LONGEST_TEST = 60
# So often the tests of a room are run without those that failed, as some may fail at random.
RUNS = 3
# One more or less is no mistake in a bound that is as large as this, nor is nine times a tolerance as small as that.
LARGE, ROUNDING = 100, 1e-5
_SIZES = {"maxsize", "stacklevel", "timeout", "indent", "width"}
# Names of bounds of effort: what is reckoned with them says how long something is tried.
_EFFORTS = {"WORK", "PATIENCE", "_MANY", "HASHED"}
# Names of those that only choose between two ways to the same bits: which one is taken, a clock alone can tell.
_CHOICES = {"_MANY", "HASHED"}
# Distances between widgets say nothing; what they are is a matter of looks.
_SPACES = {"setContentsMargins", "setSpacing", "setHorizontalSpacing", "setVerticalSpacing"}
_DISTANCES = {"abs", "np.abs"}
_SWAPPED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.MatMult, ast.LShift, ast.RShift)
_SHIFTED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}


@dataclass(frozen=True)
class Mutant:
    """A mistake: a piece of a file, from one place to another, and what stands there instead."""

    path: str
    kind: str
    start: tuple[int, int]
    end: tuple[int, int]
    text: str

    def planted(self, source: str) -> str:
        """Returns the source with the mistake. Columns count bytes, as Python's syntax trees do."""
        lines = source.encode().splitlines(keepends=True)
        before = b"".join(lines[: self.start[0] - 1]) + lines[self.start[0] - 1][: self.start[1]]
        after = lines[self.end[0] - 1][self.end[1] :] + b"".join(lines[self.end[0] :])
        return (before + self.text.encode() + after).decode()

    def __str__(self) -> str:
        return f"{self.path}:{self.start[0]}: {self.kind}: {self.text}"


def mutants(path: str, source: str) -> Iterator[Mutant]:
    """Yields each mistake that a file can have: one for every fitting piece of its functions."""
    for node in _inside_functions(ast.parse(source)):
        for kind, piece, made in _mistakes(node):
            yield Mutant(path, kind, *_place(piece), ast.unparse(made))


def _inside_functions(tree: ast.AST) -> Iterator[ast.AST]:
    """Yields all nodes of the bodies of functions, each once."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name not in ("__repr__", "__hash__"):
                for line in node.body:
                    yield from _with_meaning(line)
        else:
            yield from _inside_functions(node)


def _with_meaning(node: ast.AST) -> Iterator[ast.AST]:
    """Yields a node and all below it but wording, and sizes that are matters of speed or looks."""
    if isinstance(node, ast.Raise | ast.Assert | ast.FormattedValue):
        return
    if isinstance(node, ast.keyword) and node.arg in _SIZES:
        return
    if isinstance(node, ast.BinOp | ast.Compare | ast.Call) and _names(node, _EFFORTS):
        return
    match node:
        case ast.If() | ast.IfExp() if _names(node.test, _CHOICES):
            within: ast.AST = node
        case ast.Call(func=ast.Attribute(attr=name)) if name in _SPACES:
            return
        # A distance is the same with its ends swapped.
        case ast.Call(func=function, args=[ast.BinOp(op=ast.Sub()) as inner]) if ast.unparse(function) in _DISTANCES:
            within = inner
        case _:
            yield node
            within = node
    for below in ast.iter_child_nodes(within):
        yield from _with_meaning(below)


def _names(node: ast.expr, names: Set[str]) -> bool:
    return any(isinstance(item, ast.Name) and item.id in names for item in ast.walk(node))


def _place(node: ast.expr) -> tuple[tuple[int, int], tuple[int, int]]:
    return (node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset)


def _mistakes(node: ast.AST) -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """Yields kind, piece and what takes its place. What takes a place stands in brackets where it needs them."""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            if not 0 < number < ROUNDING:
                yield "a constant nine times as large", node, ast.Constant(number * 9 if number else 9)
            if isinstance(number, int) and number < LARGE:
                yield "off by one", node, ast.Constant(number + 1)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _SWAPPED) and not _is_text(left):
            yield "swapped operands", node, ast.BinOp(right, op, left)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in _SHIFTED:
            yield "off by one", node, ast.Compare(left, [_SHIFTED[type(op)]()], [right])
            yield "swapped operands", node, ast.Compare(right, [op], [left])
        case ast.BoolOp(op=op, values=values):
            for left_out in range(len(values)):
                rest = [item for place, item in enumerate(values) if place != left_out]
                yield "a dropped condition", node, ast.BoolOp(op, rest) if len(rest) > 1 else rest[0]
        case ast.comprehension(ifs=[_, *_] as conditions):
            for condition in conditions:
                yield "a dropped condition", condition, ast.Constant(True)
        case ast.If(test=test) | ast.IfExp(test=test) | ast.While(test=test):
            yield "the wrong branch", test, ast.UnaryOp(ast.Not(), test)


def _is_text(node: ast.expr) -> bool:
    """Whether `%` after it formats a text."""
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def drawn(found: Sequence[Mutant], count: int, seed: str) -> list[Mutant]:
    """Returns mistakes on different lines: first a kind is drawn, then one of its places, so no kind is rare."""
    dice, taken = random.Random(seed), set[tuple[str, int]]()
    by_kind: dict[str, list[Mutant]] = defaultdict(list)
    for mutant in found:
        by_kind[mutant.kind].append(mutant)
    chosen: list[Mutant] = []
    while by_kind and len(chosen) < count:
        kind = dice.choice(sorted(by_kind))
        mutant = by_kind[kind].pop(dice.randrange(len(by_kind[kind])))
        if not by_kind[kind]:
            del by_kind[kind]
        if (mutant.path, mutant.start[0]) not in taken:
            taken.add((mutant.path, mutant.start[0]))
            chosen.append(mutant)
    return chosen


def bracketed(mutant: Mutant) -> Mutant:
    """Returns the mistake in brackets, so that it is one piece wherever it stands."""
    return Mutant(mutant.path, mutant.kind, mutant.start, mutant.end, f"({mutant.text})")


def rooms(root: Path) -> list[str]:
    """Returns all rooms that have code: folders of a part, and `blocks` as a whole."""
    found = {path.relative_to(root).parts for part in PARTS for path in (root / part).glob("*/**/*.py")}
    return sorted({"/".join(steps[:2]) for steps in found if steps[0] != "blocks"} | {"blocks"})


def folders_of_tests(room: str, root: Path) -> list[str]:
    """Returns the folders with the tests of a room: that which mirrors it, and its part of the window's."""
    also = {"app/canvas": ["tests/app/gestures", "tests/app/viewing"], "app/shell": ["tests/app/window"]}.get(room, [])
    return [folder for folder in (f"tests/{room}", *also) if (root / folder).is_dir()]


class Room:
    """A room in the copy, and which tests of it carry out each line."""

    def __init__(self, name: str) -> None:
        self.name, self.folders = name, folders_of_tests(name, ROOT)
        self.lines: dict[str, dict[int, list[str]]] = {}
        self.limit = 0.0

    def measure(self) -> list[str]:
        """Runs the tests of the room, and again without those that fail although there is no mistake; returns these."""
        from coverage import CoverageData  # what only `make mutants` installs

        note, failing = COPY / ".coverage", list[str]()
        for _ in range(RUNS):
            note.unlink(missing_ok=True)
            before, left_out = _seconds_of_tests(), [f"--deselect={name}" for name in failing]
            covered = [f"--cov={self.name}", "--cov-context=test", "--cov-report="]
            failed = _failing([*self.folders, "-m", "not long", *covered, *left_out])
            self.limit = LEAST + PATIENCE * (_seconds_of_tests() - before)
            failing += failed
            if not failed:
                break
        data = CoverageData(str(note))
        data.read()
        found = {file: data.contexts_by_lineno(file) for file in data.measured_files()}
        sizes = Counter(test for lines in found.values() for tests in lines.values() for test in set(tests))
        for file, lines in found.items():
            # Tests that carry out the least come first: they are quick, and about the line.
            tests = {
                line: sorted(filter(None, set(tests)), key=lambda test: (sizes[test], test))
                for line, tests in lines.items()
            }
            path = Path(file).relative_to(COPY).as_posix()
            self.lines[path] = {
                line: list(dict.fromkeys(test.rpartition("|")[0] for test in found))
                for line, found in tests.items()
                if found
            }
        return failing

    def drawn(self, count: int, seed: int) -> list[Mutant]:
        """Returns the mistakes to plant."""
        found = [
            mutant
            for path, lines in sorted(self.lines.items())
            for mutant in mutants(path, (COPY / path).read_text(encoding="utf-8"))
            if mutant.start[0] in lines
        ]
        return [bracketed(item) for item in drawn(found, count, f"{self.name} {seed}")]

    def is_found(self, mutant: Mutant) -> bool:
        """Plants a mistake, and returns whether a test of the room fails."""
        path = COPY / mutant.path
        source, times = path.read_text(encoding="utf-8"), path.stat()
        path.write_text(mutant.planted(source), encoding="utf-8")
        try:
            return not _pytest(["-x", *self.lines[mutant.path][mutant.start[0]]], self.limit)
        finally:
            path.write_text(source, encoding="utf-8")
            os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # what Python compiled before is right again


def _seconds_of_tests() -> float:
    """Returns the processor time of all runs so far."""
    return os.times().children_user + os.times().children_system


def _command(arguments: Sequence[str]) -> list[str]:
    return [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", *arguments]


def _environment(**also: str) -> dict[str, str]:
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONDONTWRITEBYTECODE": "1", **also}


def _failing(arguments: Sequence[str]) -> list[str]:
    """Runs tests in the copy; returns the names of those that fail."""
    command, environment = _command([*arguments, "--tb=no"]), _environment(PYTHONDONTWRITEBYTECODE="")
    run = subprocess.run(command, cwd=COPY, env=environment, capture_output=True, text=True, check=False)
    return re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", run.stdout, re.MULTILINE)


def _pytest(arguments: Sequence[str], limit: float) -> bool:
    """Runs tests in the copy; returns whether none failed in time."""
    in_time = ["-o", f"faulthandler_timeout={LONGEST_TEST}", "-o", "faulthandler_exit_on_timeout=true"]
    command = ["sh", "-c", f'ulimit -t {limit:.0f}; exec "$@"', "sh", *_command([*in_time, *arguments])]
    process = subprocess.Popen(
        command,
        cwd=COPY,
        env=_environment(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        return process.wait(WAITING * limit) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        # What the tests started outlives them where they were ended.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def main() -> int:
    """Prints what survived, and the score of each room; returns 1 below the goal."""
    parser = argparse.ArgumentParser(prog="python -m scripts.mutants", description=__doc__)
    parser.add_argument("rooms", nargs="*", metavar="ROOM", help="such as engine/graph; all if none is given")
    parser.add_argument("--seed", type=int, nargs="+", default=[SEED], help="other numbers draw other mistakes")
    parser.add_argument("--count", type=int, default=COUNT, help="mistakes a room")
    options = parser.parse_args()
    os.nice(10)
    copy_checkout(COPY)
    # Mistakes are planted in Python alone, so what is compiled is right as it is.
    for module in ROOT.glob("engine/executors/*.so"):
        shutil.copy2(module, COPY / module.relative_to(ROOT))
    planted = killed = 0
    for name in options.rooms or rooms(ROOT):
        room = Room(name)
        if not room.folders:
            print(f"{name}: no folder of tests mirrors it", flush=True)
            continue
        for test in room.measure():
            print(f"{name}: left out, as it fails without a mistake: {test}", flush=True)
        for seed in options.seed:
            began, chosen = time.monotonic(), room.drawn(options.count, seed)
            survivors = [item for item in chosen if not room.is_found(item)]
            planted, killed = planted + len(chosen), killed + len(chosen) - len(survivors)
            score = f"{len(chosen) - len(survivors)} of {len(chosen)}"
            print(f"{name}, seed {seed}: {score} in {time.monotonic() - began:.0f} s", flush=True)
            for item in survivors:
                print(f"    {item}", flush=True)
    print(f"{killed} of {planted} found; the goal is {GOAL:.0%}")
    return 0 if killed >= GOAL * planted else 1


if __name__ == "__main__":
    sys.exit(main())
