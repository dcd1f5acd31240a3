"""The question for the product 0 × ∞ behind a NaN gradient, and for the fix that keeps it away."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import OwnTopic
from gradwire.engine.advice.advice import slope_fix
from gradwire.engine.advice.finding import Fix
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.infinite_slopes import Product, infinite_slope


@dataclass(frozen=True)
class SlopeFound:
    """A product that is NaN, and a tried fix if there is one."""

    product: Product
    fix: Fix | None


@dataclass(frozen=True)
class SlopeWanted(OwnTopic):
    """A question for the infinite slope that makes the gradient of a wire or port NaN."""

    place: PortName | Link

    def answer(self, run: Evaluation) -> SlopeFound | None:
        """Returns the product with its fix; None if the place is gone or breaks in another way."""
        product = infinite_slope(run, self.place)
        return None if product is None else SlopeFound(product, slope_fix(run, product.at))
