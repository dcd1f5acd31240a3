"""The state of the loss of a run: whether it could be computed."""

from __future__ import annotations

import math
from enum import Enum

from gradwire.app.live.readings.readings import Results


class LossState(Enum):
    """Whether the loss is a number."""

    FINE = "fine"
    NAN = "NaN"
    INFINITE = "infinite"
    UNKNOWN = "unknown"


def loss_state(results: Results | None) -> LossState:
    """Returns the state of the loss; it is fine where there is none, or no run yet."""
    if results is None or results.loss is None:
        return LossState.FINE
    if results.loss.value is None:
        return LossState.UNKNOWN
    value = float(results.loss.value)
    if math.isnan(value):
        return LossState.NAN
    return LossState.INFINITE if math.isinf(value) else LossState.FINE
