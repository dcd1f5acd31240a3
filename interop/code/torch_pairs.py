"""Functions of PyTorch that give values with their places: max, min, sort and topk along an axis."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from gradwire.blocks.names.promotion import Operand
from gradwire.engine.base.errors import CallError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library


class Pair(NamedTuple):
    """Values along an axis, and their places."""

    values: Expression
    indices: Expression


def _extreme(block: str) -> Callable[..., Pair]:
    """Returns the reader of max or min: the gradient goes to one place, as in PyTorch."""

    def choose(x: Expression, dim: int, keepdim: bool = False) -> Pair:
        places = library[block](x, axis=dim)
        kept = library["ExpandDims"](places, axis=dim)
        values = library["TakeAlongAxis"](x, kept, axis=dim)
        return Pair(values, kept) if keepdim else Pair(library["Squeeze"](values, axis=[dim]), places)

    return choose


def _sort(x: Expression, dim: int = -1, descending: bool = False, stable: bool = False) -> Pair:
    places = library["ArgSort"](x, axis=dim, direction="DESCENDING" if descending else "ASCENDING")
    places = library["Cast"](places, dtype="int64")
    return Pair(library["TakeAlongAxis"](x, places, axis=dim), places)


def _topk(x: Expression, k: int, dim: int = -1, largest: bool = True, sorted: bool = True) -> Pair:
    if dim not in (-1, x.ndim - 1):
        raise CallError("topk is read along the last axis")
    values, places = library["TopK"](x if largest else library["Negative"](x), k=k)
    return Pair(values if largest else library["Negative"](values), places)


_PAIRS: Final[Mapping[str, Callable[..., Pair]]] = {
    "max": _extreme("ArgMax"),
    "min": _extreme("ArgMin"),
    "sort": _sort,
    "topk": _topk,
}


def pair_of(name: str, args: list[Operand], keywords: Mapping[str, Any]) -> Callable[..., Pair] | None:
    """Returns what reads a function of PyTorch that gives a pair; None for others, and for max of two tensors."""
    last = name.removeprefix("torch.")
    if last in ("max", "min") and not (isinstance(args[1] if len(args) > 1 else keywords.get("dim"), int)):
        return None
    return _PAIRS.get(last)
