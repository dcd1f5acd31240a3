"""The reasons why gradients are hidden. Without Qt, because the evaluator's process uses them too."""

from __future__ import annotations

import enum


class Hidden(enum.Enum):
    """The reason why gradients are hidden: step mode has not reached them, or goes forward."""

    AHEAD = "ahead"
    FORWARD = "forward"
