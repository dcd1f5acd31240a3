"""How training moves variables."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.expression import Expression
from engine.tensor_spec import Array, TensorSpec


@dataclass(frozen=True)
class UpdateRule:
    """How a variable moves.

    `update` makes of a variable, its gradient and what is remembered of it the new variable and the new memory;
    `start` gives the memory that a variable begins with.
    """

    update: Callable[..., Sequence[Expression]]
    start: Callable[[TensorSpec], Sequence[Array]] = lambda _: ()
