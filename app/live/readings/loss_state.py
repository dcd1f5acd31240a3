"""The faults of the loss of a run: it could not be computed, or it is NaN or infinite."""

from __future__ import annotations

import math

from gradwire.app.live.readings.readings import Results


def is_loss_unknown(results: Results | None) -> bool:
    """Returns whether there is a loss that could not be computed."""
    return results is not None and results.loss is not None and results.loss.value is None


def is_loss_broken(results: Results | None) -> bool:
    """Returns whether the loss is NaN or infinite."""
    value = None if results is None or results.loss is None else results.loss.value
    return value is not None and not math.isfinite(float(value))
