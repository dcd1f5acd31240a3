"""What hides gradients hides all that would tell of them."""

from __future__ import annotations

from gradwire.app.base.examples import example_path
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.files.files import load


def test_a_mask_hides_that_equal_maxima_share_a_gradient() -> None:
    session = Session(load(example_path("softmax_stable_nostop_ties")).graph, InlineEvaluator)
    results = session.results
    assert results is not None
    assert results.ports.ties, "the example has equal maxima"
    masked = GradientMask().over(results)
    assert not masked.ports.ties
    assert not masked.wires.ties
    session.close()
