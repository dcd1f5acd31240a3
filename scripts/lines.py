"""Counts the lines of code of each room beside its budget: `make lines`.

A line counts if it has code. Imports, docstrings, comments and blank lines are free, so nobody saves on them.
`[tool.gradwire.lines]` of `pyproject.toml` has the budgets. A room above its budget pays with lines elsewhere, or its
commit raises the budget and says why.
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("app", "blocks", "engine", "interop", "gradwire")
# Tokens without code.
_FREE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
}


def code_lines(text: str) -> int:
    """Returns how many lines of a source text have code that is no import and no docstring."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    found = {
        line
        for token in tokens
        if token.type not in _FREE
        for line in range(token.start[0], token.end[0] + 1)
        if token.string.strip()
    }
    return len(found - set(_free_lines(ast.parse(text))))


def _free_lines(tree: ast.Module) -> Iterator[int]:
    """Yields the lines of imports and docstrings."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from range(node.lineno, _end(node) + 1)
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if first is not None and ast.get_docstring(node, clean=False) is not None:
                yield from range(first.lineno, _end(first) + 1)


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def counts(root: Path = ROOT) -> dict[str, int]:
    """Returns the lines of each room."""
    return {
        room: sum(code_lines(path.read_text(encoding="utf-8")) for path in files) for room, files in rooms(root).items()
    }


def rooms(root: Path = ROOT) -> dict[str, list[Path]]:
    """Returns the files of each room: a folder of a part; the part itself has the files beside its rooms."""
    found: dict[str, list[Path]] = {}
    for part in PARTS:
        for path in sorted((root / part).rglob("*.py")):
            inside = path.relative_to(root).parts
            if (root / part / inside[1]).is_symlink():
                continue
            room = "/".join(inside[:2]) if len(inside) > 2 else part
            found.setdefault(room, []).append(path)
    return found


def budgets(root: Path = ROOT) -> dict[str, int]:
    """Returns the budget of each room."""
    settings = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, int] = settings["tool"]["gradwire"]["lines"]
    return found


def report(found: Mapping[str, int], allowed: Mapping[str, int]) -> tuple[str, list[str]]:
    """Returns the table, and a sentence for each room that has too many lines, no budget, or is not there any more."""
    rows, faults = [], []
    for part in dict.fromkeys(room.partition("/")[0] for room in found):
        rooms = [room for room in found if room.partition("/")[0] == part]
        for room in rooms:
            rows.append(f"{room:24}{found[room]:8,}{allowed.get(room, 0):8,}")
            if found[room] > allowed.get(room, 0):
                faults.append(
                    f"{room} has {found[room]:,} lines of code, and its budget is {allowed.get(room, 0):,}: "
                    "take lines away, or raise the budget in pyproject.toml and say why in the commit."
                )
        total, budget = sum(found[room] for room in rooms), sum(allowed.get(room, 0) for room in rooms)
        rows.append(f"{part + ' in all':24}{total:8,}{budget:8,}\n")
    faults.extend(f"{room} has a budget in pyproject.toml, but no code." for room in allowed if room not in found)
    total, budget = sum(found.values()), sum(allowed.values())
    return "\n".join([f"{'room':24}{'lines':>8}{'budget':>8}", *rows, f"{'in all':24}{total:8,}{budget:8,}"]), faults


def main() -> int:
    """Prints the table; returns 1 if a room is above its budget."""
    table, faults = report(counts(), budgets())
    print(table)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
