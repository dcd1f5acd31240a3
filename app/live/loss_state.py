"""The state of the loss of a run: whether it could be computed, and where NaN or infinity first arises."""

from __future__ import annotations

import math
from enum import Enum

from gradwire.app.live.readings.readings import Results
from gradwire.engine.base.problems import Problem


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


def first_origin(results: Results) -> Problem | None:
    """Returns the notice of the first block that makes NaN or infinity from finite numbers."""
    return next((problem for problem in results.problems if problem.code == "nonfinite"), None)
