"""Tensors that share memory in PyTorch: views, and what is written into them."""

from __future__ import annotations

import math

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.tensors import Tensor, broadcast, cast, made


class Views:
    """The tensor that each view shows a part of, and the places of that part, if they are known."""

    def __init__(self) -> None:
        self._roots: dict[str, str] = {}
        self._parts: dict[str, Array | None] = {}

    def note(self, view: str, base: str, part: Array | None) -> None:
        """Notes a view of a tensor, or of a view of one."""
        self._roots[view], self._parts[view] = self._roots.get(base, base), part

    def of(self, name: str) -> tuple[str, Array | None]:
        """Returns the tensor behind a view, itself for one that is none, and the places of the view in it."""
        return self._roots.get(name, name), self._parts.get(name)

    def is_root(self, name: str) -> bool:
        """Returns whether a tensor shows no part of another one."""
        return name not in self._roots

    def names_of(self, root: str) -> list[str]:
        """Returns all views of a tensor."""
        return [view for view, base in self._roots.items() if base == root]


def with_part(whole: Tensor, part: Array, written: Tensor) -> Tensor:
    """Returns a tensor with other numbers at some places. Shapes: `part` and `written` have that of the view."""
    numbers = cast(broadcast(written, part.shape), np.dtype(whole.dtype))
    if isinstance(whole, np.ndarray) and isinstance(numbers, np.ndarray):
        found = whole.copy()
        found.reshape(-1)[part] = numbers
        return found
    flat = made("Reshape", whole, shape=[math.prod(whole.shape)])
    rows = made("Reshape", numbers, shape=[part.size])
    moved = made("TensorScatterNdUpdate", flat, part.reshape(-1, 1), rows)
    result: Tensor = made("Reshape", moved, shape=list(whole.shape))
    return result
