"""What Python finds on an expression: operators, indices, methods and attributes."""

from __future__ import annotations

from functools import partial
from typing import Any

from gradwire.blocks.names.index import index
from gradwire.blocks.names.operators import operate
from gradwire.blocks.names.promotion import Tensor
from gradwire.blocks.names.shapes import permute
from gradwire.blocks.names.table import names
from gradwire.engine.base.errors import AttributeUnknownError, CallError
from gradwire.engine.base.nearest import nearest
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library

__all__ = ["attribute", "attributes", "index", "operate"]


def attribute(x: Expression, name: str) -> Any:  # Any: a method, or a tensor
    """Returns a method of an expression, or `x.T` and `x.mT`.

    Raises: AttributeUnknownError for another name, with its reason or its neighbours.
    """
    if name in _PROPERTIES:
        return _PROPERTIES[name](x)
    found = names().method(name)
    if found is None:
        near = nearest(name, attributes())
        hint = f"; the nearest are {', '.join(near)}" if near else ""
        raise AttributeUnknownError(f"an expression has no method {name}{hint}")
    if found.meaning.refusal:
        raise AttributeUnknownError(found.meaning.refusal)
    return partial(found.meaning, x)


def attributes() -> list[str]:
    """Returns the names of all methods, and those of the properties."""
    return [*_PROPERTIES, *(name for name, _ in names().methods())]


def _matrices_turned(x: Expression) -> Tensor:
    if x.ndim < 2:
        raise CallError(f"mT takes matrices, not a tensor of {x.ndim} axes")
    found: Tensor = library["MatrixTranspose"](x)
    return found


_PROPERTIES = {"T": permute, "mT": _matrices_turned}
