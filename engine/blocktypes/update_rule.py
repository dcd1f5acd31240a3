"""Update rules of training: functions from a variable and its gradient to the new variable."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.expression import Expression


@dataclass(frozen=True)
class UpdateRule:
    """Update rule of one variable (optimizer).

    `update` takes a variable, its gradient and its state, and returns the new variable and the new state. `start`
    returns the first state.
    """

    update: Callable[..., Sequence[Expression]]
    start: Callable[[TensorSpec], Sequence[Array]] = lambda _: ()
