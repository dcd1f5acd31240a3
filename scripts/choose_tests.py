"""Prints the test files that a change asks for, the nearest ones first: make check runs them.

Near to `engine/room/part.py` are `test_part.py`, the tests that import the module, and all tests of the room.
Costs come from the last whole run, which writes them; a file without one counts as a small one.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).resolve().parent.parent
COSTS = ROOT / "build" / "test_costs.json"
# Units: seconds of one processor. Two processors need half of it, beside the types and the style.
BUDGET, SMALL = 60.0, 1.0
PARTS = ("app", "blocks", "engine", "interop")
# Files without Python and the tests that look at them, by the beginning of their paths.
READERS = {
    "assets/examples/": ("tests/test_gallery.py",),
    "assets/trainings/": ("tests/app/cli/test_trainings.py", "tests/test_gallery.py"),
    "scripts/trainings/": ("tests/app/cli/test_trainings.py",),
    "assets/languages/": ("tests/app/base/test_translation.py",),
    "assets/": ("tests/app/look/test_theme.py", "tests/app/look/test_icons.py"),
    "docs/images/": ("tests/app/window/film/test_film.py",),
    "docs/": ("tests/test_documents.py", "tests/test_reference.py", "tests/test_readme.py"),
    "examples/": ("tests/test_plugins.py", "tests/test_notebook.py"),
    "gradwire/": (
        "tests/test_gradwire.py",
        "tests/face/test_runs.py",
        "tests/face/test_tools.py",
        "tests/test_stub.py",
    ),
    "scripts/": ("tests/test_set_up.py",),
    "tests/golden/": (
        "tests/blocks/contract/test_golden_cases.py",
        "tests/test_golden_graphs.py",
        "tests/test_gallery.py",
    ),
    "Makefile": ("tests/test_set_up.py", "tests/test_readme.py"),
    "README.md": ("tests/test_readme.py", "tests/test_documents.py"),
    "pyproject.toml": ("tests/test_set_up.py", "tests/packaging/test_wheel.py", "tests/test_architecture.py"),
    "hatch_build.py": ("tests/packaging/test_wheel.py",),
}
_IMPORT = re.compile(r"^\s*(?:from (\S+) import (\([^)]*\)|.*)|import (\S+))", re.MULTILINE)


def imported(text: str) -> frozenset[str]:
    """Returns the modules that a source text imports, and each name that it takes out of one."""
    found: set[str] = set()
    for module, names, plain in _IMPORT.findall(text):
        found.add(module or plain)
        found.update(f"{module}.{name}" for name in re.findall(r"\w+", names) if module)
    return frozenset(found)


def chosen(
    changed: Collection[str],
    tests: Mapping[str, frozenset[str]],
    costs: Mapping[str, float],
    budget: float = BUDGET,
) -> list[str]:
    """Returns the test files for changed files, the nearest first, as many as the budget has room for.

    `tests` has the imports of every file below `tests`. Changed tests come first, and whatever they cost.
    """
    own = sorted(path for path in changed if path in tests and _is_test(path))
    left = budget - sum(costs.get(path, SMALL) for path in own)
    found = dict.fromkeys(own)
    for path in _by_distance(sorted(changed), tests):
        cost = costs.get(path, SMALL)
        if path not in found and cost <= left:
            found[path] = None
            left -= cost
    return list(found)


def _by_distance(changed: Iterable[str], tests: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yields test files, those of all changed files that are equally near together."""
    everywhere = [path for path in sorted(tests) if _is_test(path)]
    steps = [list(_distances(path, everywhere, tests)) for path in changed]
    for step in range(max(map(len, steps), default=0)):
        for near in steps:
            yield from near[step] if step < len(near) else ()


def _distances(path: str, everywhere: list[str], tests: Mapping[str, frozenset[str]]) -> Iterator[list[str]]:
    """Yields the test files by their distance to one changed file: the nearest, those a step away, and so on."""
    module, room = module_of(path), PurePosixPath(path).parent
    stem = PurePosixPath(path).stem
    named = [item for item in everywhere if _names(item, stem) and _is_of_room(item, room)]
    yield named + [item for start, readers in READERS.items() if path.startswith(start) for item in readers]
    yield [item for item in everywhere if module in tests[item]]
    yield [item for item in everywhere if _is_of_room(item, room)]


def module_of(path: str) -> str:
    """Returns the name by which other files import a file."""
    name = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return f"gradwire.{name}" if path.split("/")[0] in PARTS else name


def _names(test: str, stem: str) -> bool:
    return re.fullmatch(rf"test_{stem}(_\w+)?", PurePosixPath(test).stem) is not None


def _is_of_room(test: str, room: PurePosixPath) -> bool:
    """Whether a test lies in the folder that mirrors a room, or among the window tests of it."""
    folder = PurePosixPath(test).parent
    if room.parts[:1] == ("tests",):
        return folder == room
    mirrored = PurePosixPath("tests") / room
    return room.parts[:1] != () and room.parts[0] in PARTS and folder in (mirrored, _in_window(room))


def _in_window(room: PurePosixPath) -> PurePosixPath:
    return PurePosixPath("tests", "app", "window", *room.parts[1:])


def _is_test(path: str) -> bool:
    return PurePosixPath(path).name.startswith("test_")


def changed_files(root: Path) -> set[str]:
    """Returns the files that differ from the last commit, or from the branch that this one leaves from.

    New files count; removed ones do not.
    """
    base = _git(root, "merge-base", "HEAD", "origin/main") or _git(root, "merge-base", "HEAD", "main") or ["HEAD"]
    names = _git(root, "diff", "--name-only", base[0]) + _git(root, "ls-files", "--others", "--exclude-standard")
    return {name for name in names if (root / name).exists()}


def _git(root: Path, *arguments: str) -> list[str]:
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def main() -> None:
    """Prints the chosen test files, one a line."""
    files = [*(ROOT / "tests").rglob("*.py")]
    tests = {path.relative_to(ROOT).as_posix(): imported(path.read_text(encoding="utf-8")) for path in files}
    costs = json.loads(COSTS.read_text()) if COSTS.exists() else {}
    print(*chosen(changed_files(ROOT), tests, costs), sep="\n")


if __name__ == "__main__":
    main()
