"""Tensors that share memory in PyTorch: views, and what is written into them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, broadcast, cast, made
from gradwire.interop.pt2.program import Node, names_in
from gradwire.interop.pt2.values import Values

# Operations whose results share the memory of their first argument.
_VIEWS: Final = frozenset(
    [
        "select",
        "slice",
        "view",
        "_unsafe_view",
        "reshape",
        "transpose",
        "t",
        "permute",
        "unsqueeze",
        "squeeze",
        "expand",
        "expand_as",
        "view_as",
        "split",
        "chunk",
        "unbind",
        "diagonal",
        "alias",
        "flatten",
        "unflatten",
        "narrow",
        "detach",
        "as_strided",
        "swapaxes",
        "numpy_T",
        "mT",
        "split_with_sizes",
        "contiguous",
        "to",
    ]
)
# Operations of this form that leave the numbers as they are: an active dropout is refused.
_WRITES_NOTHING: Final = ("detach_", "dropout_", "alpha_dropout_", "feature_dropout_")


class Views:
    """The tensor that each view shows a part of, and the places of that part, if they are known."""

    def __init__(self) -> None:
        self._roots: dict[str, str] = {}
        self._parts: dict[str, Array | None] = {}

    def follow(self, node: Node, place: int, values: Values, last: Mapping[str, int]) -> None:
        """Notes a view that a call makes, and lets what it writes into one reach the tensor that it shows a part of.

        The call has this place, and `last` the place of the last one that reads a name.
        Raises: ModelRefusal where other tensors would change that are read later.
        """
        first = next(iter(names_in(node.arguments[0][1])), None) if node.arguments else None
        if first is None:
            return
        if node.name in _VIEWS:
            part = self._part_of(node, values, first)
            for name in node.made:
                self._roots[name], self._parts[name] = self._roots.get(first, first), part
        if node.writes_in_place and node.name not in _WRITES_NOTHING:
            others = [name for name in self._beside(first) if last.get(name, -1) > place]
            self._write(node, first, values, others)

    def _beside(self, name: str) -> list[str]:
        """Returns the other views of the tensor behind a view."""
        root = self._roots.get(name, name)
        return [view for view, base in self._roots.items() if base == root and view != name]

    def _write(self, node: Node, first: str, values: Values, others: list[str]) -> None:
        root, part = self._roots.get(first, first), self._parts.get(first)
        if root == first and not others:
            return
        if others or part is None or root not in values:
            raise ModelRefusal(
                f"{node.name} writes into a view, which changes another tensor; "
                "write y = torch.cat([...]) or torch.where(...)"
            )
        values[root] = with_part(values[root], part, values[first])

    def _part_of(self, node: Node, values: Values, base: str) -> Array | None:
        """Returns the places of a view in the tensor that it shows a part of; None for views that are not followed."""
        places = self._parts.get(base)
        if base in values and places is None and base not in self._roots and hasattr(values[base], "shape"):
            places = np.arange(math.prod(values[base].shape)).reshape(values[base].shape)
        plain = {name: next(iter(item.values())) for name, item in node.arguments[1:]}
        if places is None or not all(isinstance(item, int) for item in plain.values() if item is not None):
            return None
        if node.name == "select":
            return np.asarray(np.take(places, plain["index"], axis=plain["dim"]))
        if node.name == "slice":
            dim, step = plain.get("dim", 0), plain.get("step", 1)
            chosen = slice(_number(plain.get("start")), _number(plain.get("end")), step)
            return np.asarray(places[(slice(None),) * (dim % max(1, places.ndim)) + (chosen,)])
        return None


def _number(item: Any) -> int | None:
    return item if type(item) is int else None


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
