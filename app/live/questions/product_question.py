"""The question for the product behind a gradient of 0 or NaN, and for the fix that keeps a NaN away."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.app.live.questions.questions import OwnTopic
from gradwire.engine.advice.advice import broken_fix, slope_fix
from gradwire.engine.advice.finding import Fix
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.broken_values import Calculation, calculations
from gradwire.engine.explain.products import Product, nan_product, zero_product
from gradwire.engine.explain.withheld import Withheld, withheld_by


@dataclass(frozen=True)
class ProductFound:
    """A product that is 0 or NaN, and a tried fix of a NaN, as far as there are such.

    `calculations` make a value infinite or NaN, `withheld` is what a StopGradient withholds.
    """

    product: Product | None
    fix: Fix | None
    calculations: tuple[Calculation, ...] = ()
    withheld: Withheld | None = None


@dataclass(frozen=True)
class ProductWanted(OwnTopic):
    """A question for the product that makes the gradient of a wire or port NaN, or that of a wire 0."""

    place: PortName | Link

    def answer(self, run: Evaluation) -> ProductFound | None:
        """Returns the product with its fix; None if the place is gone, or is so in another way."""
        place, snapshot = self.place, run.snapshot
        broken = nan_product(run, place)
        if broken is not None and broken.row.incoming == 0:
            return ProductFound(broken, slope_fix(run, broken.at))
        found = snapshot.wires.get(place) if isinstance(place, Link) else snapshot.ports.get(place)
        first = None if found is None or found.origin is None else found.origin.first
        if first is not None:
            told = calculations(run, place)
            return ProductFound(None if told else broken, broken_fix(run, first.at), told)
        if not isinstance(place, Link):
            return None
        zero, withheld = zero_product(run, place), withheld_by(run, place)
        return None if zero is None and withheld is None else ProductFound(zero, None, withheld=withheld)
