"""Tensors that a program copies in order to write into them, as in `g = g.clone()` before `g[x < 0] = 0`."""

from __future__ import annotations

import ast
from typing import Final

from gradwire.interop.code.values import Scope

_COPYING: Final = {"clone", "copy", "zeros_like", "ones_like", "full_like", "empty_like"}


class Copies:
    """The names of tensors that have no other name: nothing but writing happened to them since they were copied."""

    def __init__(self) -> None:
        self._names: set[tuple[Scope, str]] = set()

    def written(self, scope: Scope, target: ast.expr) -> str | None:
        """Returns the name of the copy whose elements a statement writes; None if it writes none of a copy."""
        name = _written(target)
        return name if name is not None and (scope, name) in self._names else None

    def note(self, scope: Scope, node: ast.stmt) -> None:
        """Takes note of a statement that has been read."""
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        own = None if target is None else _written(target)
        mentioned = [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]
        kept = own if own is not None and mentioned.count(own) == 1 else None
        self._names -= {(scope, name) for name in mentioned if name != kept}
        if isinstance(node, ast.Assign) and isinstance(target, ast.Name) and _is_copying(node.value):
            self._names.add((scope, target.id))


def _written(target: ast.expr) -> str | None:
    is_item = isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name)
    return target.value.id if is_item else None  # type: ignore[attr-defined]  # it is an item of a name


def _is_copying(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _COPYING
