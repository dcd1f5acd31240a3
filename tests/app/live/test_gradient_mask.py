"""What hides gradients hides all that would tell of them."""

from __future__ import annotations

import pytest

from gradwire.app.base.examples import example_path
from gradwire.app.canvas.painting.blocks.slice_question import SliceThumbnail
from gradwire.app.canvas.painting.monitors.picture_question import PictureOf
from gradwire.app.features.checks.check_questions import CheckName
from gradwire.app.features.console.console_line import ConsoleLine
from gradwire.app.features.problems.advice_questions import AdviceWanted
from gradwire.app.features.steps.step_questions import StepQuestion, StepsQuestion
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Question, TensorName
from gradwire.app.live.session import Session
from gradwire.app.live.why import WhyZero
from gradwire.engine.autodiff.expand import Link, PortName
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


X, Y = PortName("main/x", "y"), PortName("main/x", "z")
WIRE, OTHER = Link(X, PortName("main/exp", "x")), Link(X, PortName("main/loss", "x"))
PASSING = (
    TensorName(Y), TensorName(Y, is_gradient=True), TensorName(WIRE),
    SliceThumbnail(TensorName(Y, is_gradient=True), 1), StepsQuestion(),
    StepQuestion(False, 1), ConsoleLine(1, "graph"), PictureOf("main/x"),
)  # fmt: skip
HELD = (
    TensorName(X, is_gradient=True), TensorName(OTHER), SliceThumbnail(TensorName(X, is_gradient=True), 1),
    WhyZero(WIRE), CheckName(WIRE), AdviceWanted(),
)  # fmt: skip


@pytest.mark.parametrize("question", PASSING)
def test_a_question_passes_that_tells_of_revealed_gradients_alone(question: Question) -> None:
    assert GradientMask(frozenset([WIRE]), frozenset([Y])).lets_pass(question)


@pytest.mark.parametrize("question", HELD)
def test_a_question_is_held_that_would_tell_of_a_hidden_gradient(question: Question) -> None:
    assert not GradientMask(frozenset([WIRE]), frozenset([Y])).lets_pass(question)
