"""Axes by number, of which negative ones count from the last."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.errors import CallError


def is_whole(item: object) -> bool:
    """Returns whether this is a whole number and no truth."""
    return isinstance(item, int | np.integer) and not isinstance(item, bool)


def counted_axis(axis: object, rank: int, name: str) -> int:
    """Returns an axis counted from the front.

    Raises: CallError if there is none.
    """
    if not is_whole(axis) or not -rank <= int(axis) < rank:  # type: ignore[call-overload]
        raise CallError(f"{name}: {axis} is no axis of a tensor of {rank} axes")
    return int(axis) % rank  # type: ignore[call-overload]
