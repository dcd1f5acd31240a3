"""The ranges of the sliders on a page."""

from __future__ import annotations

import numpy as np

from gradwire.engine.graph.graph import Block


class SliderRanges:
    """The ranges of blocks' sliders, which only ever widen."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[float, float]] = {}

    def range_of(self, block: Block) -> tuple[float, float]:
        """Returns the bounds of a block; a round range around its numbers where it has none."""
        low, high = block.parameters.get("minimum"), block.parameters.get("maximum")
        value = block.parameters.get("value")
        numbers = np.asarray(value, float).reshape(-1) if isinstance(value, np.ndarray) else np.zeros(1)
        known = self._known.get(block.id, (0.0, 0.0))
        reach = max(_round_up(float(np.abs(numbers[np.isfinite(numbers)]).max(initial=0.5))), abs(known[0]), known[1])
        has_negative = known[0] < 0 or bool((numbers < 0).any())
        found = self._known[block.id] = (-reach if has_negative else 0.0, reach)
        bottom = float(low) if isinstance(low, int | float) else found[0]
        top = float(high) if isinstance(high, int | float) else found[1]
        return (bottom, top) if top > bottom else (bottom, bottom + 1)


def _round_up(number: float) -> float:
    """Returns the next of 1, 2, 5, 10, 20 ... that leaves some room above a number."""
    exponent = 10.0 ** np.floor(np.log10(number))
    return float(next(step * exponent for step in (1, 2, 5, 10, 20, 50) if step * exponent >= number * 1.2))
