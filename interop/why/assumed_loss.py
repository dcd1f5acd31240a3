"""The loss of a model that has several outputs, or one that is no number: what is assumed, and the line about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.interop.torch.comparing import weights_of

ASSUMED: Final = (
    "The model returns no single number, so the loss is assumed: a mean of its outputs, with weights near 1. "
    "Give a function that returns your loss: gw.why(lambda x, y: loss(model(x), y), x, y)."
)
NO_FLOATS: Final = "The model returns no tensor of floats, so it has no loss."
# Shape of an output, and whether it is of floats; None for what is no tensor.
Spec = tuple[tuple[int, ...], bool] | None
_CHOSEN: Final = "Of several outputs the only single number is the loss."


def loss_places(specs: Sequence[Spec]) -> list[int]:
    """Returns the places of the outputs that make the loss: the only scalar of floats, or else all of floats.

    `specs` has shape and whether it is of floats for each output, None for what is no tensor.
    """
    floats = {place: spec[0] for place, spec in enumerate(specs) if spec is not None and spec[1]}
    scalars = [place for place, shape in floats.items() if shape == ()]
    return scalars if len(scalars) == 1 else [*floats]


def loss_note(specs: Sequence[Spec]) -> str:
    """Returns a line about the loss that is assumed, "" for a model that returns it alone."""
    chosen = [specs[place] for place in loss_places(specs)]
    if not chosen:
        return NO_FLOATS
    if chosen != [((), True)]:
        return ASSUMED
    return _CHOSEN if len(specs) > 1 else ""


def assumed_loss(outputs: Sequence[object]) -> tuple[Expression | None, str]:
    """Returns the loss of a program's outputs, None if none is of floats, and a line about what was assumed."""
    specs = [(item.shape, item.spec.is_differentiable) if isinstance(item, Expression) else None for item in outputs]
    given = (outputs[place] for place in loss_places(specs))
    chosen = [item for item in given if isinstance(item, Expression)]
    if not chosen:
        return None, ""
    if len(chosen) == 1 and chosen[0].shape == ():
        return chosen[0], loss_note(specs)
    count = max(1, sum(math.prod(item.shape) for item in chosen))
    terms = [library["ReduceSum"](library["Multiply"](item, weights_of(item) / count)) for item in chosen]
    total = terms[0]
    for term in terms[1:]:
        total = library["Add"](total, term)
    return total, loss_note(specs)
