"""What the source says to a user: the sentences of engine and blocks, and the texts of the window."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SAYING = {"Problem", "JsonFault", "Observation", "_report"}


def sentences() -> set[str]:
    """The patterns of all sentences that engine and blocks may say, with numbers in braces for what is filled in."""
    files = [*(ROOT / "engine").glob("*.py"), *(ROOT / "blocks").glob("*.py")]
    return {pattern for file in files for node in _saying(_tree(file)) for pattern in _patterns(node)}


def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def _saying(tree: ast.Module) -> Iterator[ast.expr]:
    """What is raised, what is made a problem, and what is called a message."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            yield from node.exc.args[:1]
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in SAYING:
            yield from node.args
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "message":
            yield node.value


def _patterns(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from [node.value] if " " in node.value else []
    elif isinstance(node, ast.JoinedStr):
        fields = iter(range(len(node.values)))
        parts = [part.value if isinstance(part, ast.Constant) else f"{{{next(fields)}}}" for part in node.values]
        text = "".join(map(str, parts))
        # Nothing but fields, signs and spaces is no sentence.
        yield from [text] if any(letter.isalpha() for letter in text) and " " in text else []
    elif isinstance(node, ast.IfExp):
        yield from [*_patterns(node.body), *_patterns(node.orelse)]
    elif isinstance(node, ast.BinOp):
        left, right = list(_patterns(node.left)), list(_patterns(node.right))
        yield from left + right
