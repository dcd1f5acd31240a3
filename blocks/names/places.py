"""Places along an axis, of which negative ones count from its end."""

from __future__ import annotations

import numpy as np

from gradwire.blocks.names.promotion import Tensor
from gradwire.engine.base.errors import CallError, PlaceError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.operation import Role


def known_values(x: Tensor) -> Array | None:
    """Returns the numbers of an array, or of a source that holds them; None for what is computed."""
    if not isinstance(x, Expression):
        return x
    application = x.application
    if application.inputs or application.type.role is not Role.SOURCE:
        return None
    found: Array = application.type.function(**application.parameters)
    return found


def counted_places(places: Tensor, size: int) -> Tensor:
    """Returns places counted from the front.

    Places that are known and negative, and those that are computed, are counted by blocks; a place beyond the axis is
    then a problem of the run.
    Raises: CallError for what are no whole numbers, PlaceError for a known place beyond the axis.
    """
    if places.dtype.kind not in "iu":
        raise CallError(f"places are whole numbers, not {places.dtype.name}")
    values = known_values(places)
    if values is not None and values.size:
        beyond = values[(values < -size) | (values >= size)]
        if beyond.size:
            raise PlaceError(f"index {beyond[0]} is out of range: the axis has {size} elements")
        if values.min() >= 0:
            return places
    if places.dtype.kind == "u":
        return places
    if not isinstance(places, Expression):
        return np.where(places < 0, places + size, places)
    whole = np.asarray(size, places.dtype)
    is_negative = library["Less"](places, np.zeros((), places.dtype))
    counted: Tensor = library["Where"](is_negative, library["Add"](places, whole), places)
    return counted
