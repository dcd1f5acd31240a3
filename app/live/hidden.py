"""Why gradients are hidden. Without Qt: the evaluator's process gets it too."""

from __future__ import annotations

import enum


class Hidden(enum.Enum):
    """What hides gradients: they are to be guessed, or step mode has not come to them, or goes forward."""

    GUESSED = "guessed"
    AHEAD = "ahead"
    FORWARD = "forward"
