"""The gradients of the layers of a fold, and the sizes of their outputs, from the newest results."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gradwire.app.canvas.geometry.folded_page import ShownFold
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.live.readings.readings import PlaceReading
from gradwire.app.look.numbers import fmt
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.graph.graph import Port


class Step(NamedTuple):
    """The layer, by its place, across which a gradient changes most on its way back, and its factor there."""

    layer: int
    factor: float

    @property
    def text(self) -> str:
        """The factor: `× 3.2`, or `÷ 1.8` where the gradient becomes smaller."""
        if self.factor >= 1 or self.factor == 0:
            return f"× {fmt(self.factor, 2)}"
        return f"÷ {fmt(1 / self.factor, 2)}"


class FoldNorms(NamedTuple):
    """The norms of the gradients of outputs and weights, and of the outputs; NaN where they are not known.

    Shapes: `gradients` and `outputs` (layers,), `weights` by their names the same.
    """

    gradients: Array
    weights: dict[str, Array]
    outputs: Array

    @property
    def largest_step(self) -> Step | None:
        """The largest step between the outputs of two layers; None where no two are known."""
        after, before = self.gradients[1:], self.gradients[:-1]
        with np.errstate(all="ignore"):
            factors = before / after
            sizes = np.abs(np.log(factors))
        known = np.isfinite(after) & (after > 0) & np.isfinite(before)
        if not known.any():
            return None
        layer = int(np.where(known, sizes, -1.0).argmax())
        return Step(layer + 1, float(factors[layer]))


def fold_norms(mirror: Mirror, fold: ShownFold) -> FoldNorms:
    """Returns the norms of a fold; in step mode not those of gradients that have not all arrived."""
    session = mirror.session

    def reading(block: str) -> PlaceReading | None:
        outputs = mirror.outline(block).outputs
        return session.port(Port(block, outputs[0].name)) if outputs else None

    def gradients(blocks: list[str]) -> Array:
        found = [(reading(name), mirror.shows_gradient(name)) for name in blocks]
        return np.array([item.gradient.norm if item and item.gradient and shows else np.nan for item, shows in found])

    last = [layer[-1] for layer in fold.layers]
    values = [item.value for item in map(reading, last) if item is not None]
    norms = [np.nan if item is None else item.norm for item in values]
    outputs = np.array(norms) if len(norms) == len(last) else np.full(len(last), np.nan)
    weights = {_stem(fold, at): gradients([layer[at] for layer in fold.layers]) for at in fold.weights}
    return FoldNorms(gradients(last), weights, outputs)


def _stem(fold: ShownFold, at: int) -> str:
    """Returns the name that a weight has in all layers, but for its number."""
    return fold.layers[0][at].rstrip("_0123456789") or fold.layers[0][at]
