"""What is said about a text that cannot be read, and where."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gradwire.engine.base.errors import GradwireError


class CodeRefusal(GradwireError):
    """Part of a text that cannot become blocks.

    `blamed` are the choices of the reader that another reading could take differently.
    Units: `line` and `column` count from 1.
    """

    def __init__(self, message: str, line: int = 1, column: int = 1, blamed: Iterable[object] = ()) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.message, self.line, self.column, self.blamed = message, line, column, tuple(blamed)


def refusal(node: ast.AST, message: str, blamed: Iterable[object] = ()) -> CodeRefusal:
    """Returns what is said about a part of a program."""
    return CodeRefusal(message, getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1, blamed)


def shown(node: ast.AST) -> str:
    """Returns a part of a program as a short text for a sentence."""
    text = ast.unparse(node).split("\n")[0]
    return text if len(text) <= 40 else f"{text[:39]}…"
