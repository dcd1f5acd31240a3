"""What hides gradients hides all that would tell of them."""

from __future__ import annotations

import pytest

from gradwire.app.base.examples import example_path
from gradwire.app.canvas.painting.blocks.slice_question import SliceThumbnail
from gradwire.app.canvas.painting.monitors.picture_question import PictureOf
from gradwire.app.features.console.console_line import ConsoleLine
from gradwire.app.features.conventions.convention_questions import CheckName
from gradwire.app.features.problems.advice_questions import AdviceWanted
from gradwire.app.features.steps.step_questions import StepQuestion, StepsQuestion
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Question, TensorName
from gradwire.app.live.readings.hidden import Hidden
from gradwire.app.live.readings.readings import Results, results_of
from gradwire.app.live.session import Session
from gradwire.app.live.why import WhyZero
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.files import load
from tests.engine.cause_graphs import x


def test_a_mask_hides_that_equal_maxima_share_a_gradient() -> None:
    session = Session(load(example_path("softmax_stable_nostop_ties")).graph, InlineEvaluator)
    results = session.results
    assert results is not None
    assert results.ports.ties, "the example has equal maxima"
    masked = GradientMask().over(results)
    assert not masked.ports.ties
    assert not masked.wires.ties
    session.close()


def masked(mask: GradientMask) -> tuple[Results, Results]:
    """Returns the results of 3 x + 0.5 / stop(x) at x = 2 and 0, whole and under a mask."""
    line = x([2.0, 0.0]).source("c", [3.0, 3.0], "Constant").then("m", "Multiply", "c.y").on("x.y").on("c.y")
    graph = line.then("d", "Divide", "x.y").on("x.y").then("stop", "StopGradient").then("a", "Add", "m.z", "d.z")
    whole = results_of(run_graph(graph.loss()).snapshot, 1)
    return whole, mask.over(whole)


def test_a_mask_leaves_values_and_nothing_of_hidden_gradients() -> None:
    whole, shown = masked(GradientMask(why=Hidden.AHEAD))
    assert any(problem.code == "nonfinite" for problem in whole.problems) and whole.withheld is not None
    assert not any(problem.code == "nonfinite" for problem in shown.problems)
    assert (shown.withheld, shown.inner, shown.compared, shown.hidden) == ({}, {}, None, Hidden.AHEAD)
    for name in whole.ports.row_of:
        before, after = whole.port(name), shown.port(name)
        assert before is not None and after is not None
        assert (after.value, after.gradient, after.status) == (before.value, None, Status.UNKNOWN)
        assert (after.by, after.origin, after.zero, after.tie) == ((), None, None, None)
    assert not shown.ports.gradients.rows["norm"].any() and not shown.ports.gradients.first.any()
    assert len(shown.ports.gradients.thumbnails) == 0


def test_revealed_wires_show_themselves_and_ports_whose_wires_are_all_revealed() -> None:
    whole, _ = masked(GradientMask())
    links = list(whole.wires.row_of)
    m = next(link for link in links if link.target == PortName("main/m", "x") or link.target == PortName("main/m", "y"))
    _, shown = masked(GradientMask(frozenset([m])))
    for link in links:
        reading = shown.wire(link)
        assert reading is not None and (reading.gradient is not None) is (link == m)
    alone = sum(link.source == m.source for link in links) == 1
    port = shown.port(m.source)
    assert port is not None and (port.gradient is not None) is alone
    _, named = masked(GradientMask(ports=frozenset([PortName("main/x", "y")])))
    own = named.port(PortName("main/x", "y"))
    assert own is not None and own == whole.port(PortName("main/x", "y"))
    everything = GradientMask(frozenset(links))
    _, open_ = masked(everything)
    assert all(open_.wire(link) == whole.wire(link) for link in links)
    sources = {link.source for link in links}
    assert all(open_.port(name) == whole.port(name) for name in sources)


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
