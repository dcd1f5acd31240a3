"""The state of the loss of a run: whether it could be computed, and where NaN or infinity first arises."""

from __future__ import annotations

import math
from enum import Enum

from gradwire.app.live.readings.readings import Results
from gradwire.engine.autodiff.expand import PortName


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


def first_origin(results: Results) -> str | None:
    """Returns the path of the block to look at first if the loss is NaN or infinite."""
    name = None if results.loss is None else results.loss.name
    reading = None if name is None else results.port(PortName(name, "y"))
    birth = None if reading is None or reading.origin is None else reading.origin.first
    first = next((problem.at for problem in results.problems if problem.code == "nonfinite"), None)
    return first if birth is None else birth.at
