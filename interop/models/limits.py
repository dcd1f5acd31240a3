"""Bounds of models that come in from outside, checked before anything is made."""

from __future__ import annotations

from typing import Final

from gradwire.engine.base.limits import LIMITS

# What opens can be saved.
MOST_BYTES: Final = LIMITS.weights_bytes
MOST_OF_TENSOR: Final = LIMITS.beside_bytes
MOST_NODES: Final = 200_000
DEEPEST_GRAPH: Final = 16
# A recurrence, and a loop, is unrolled.
MOST_STEPS: Final = 200
