"""The root causes of a gradient that is zero."""

from __future__ import annotations

import enum


class Cause(enum.StrEnum):
    """Why an element of a gradient is zero, in the order of precedence where several apply."""

    CANCELLED = "cancelled"
    NOT_SELECTED = "not_selected"
    FLAT = "flat"
    SATURATED = "saturated"
    ZERO_FACTOR = "zero_factor"
    UNDERFLOW = "underflow"
    AT_OPTIMUM = "at_optimum"
