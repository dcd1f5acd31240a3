"""The loss that the first gradient predicts: when it is known, and what it is beside the loss that comes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.live.loss_prediction import LossPrediction, Prediction
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.engine.edits.edits import remove_blocks, set_parameter
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.cause_graphs import x
from tests.engine.own_gradients import constant, entry, page, result, source, use


@pytest.mark.parametrize(
    ("loss", "predicted", "text"),
    [
        (1.44, 1.4, "L 1.44, predicted 1.4, gap 0.04"),
        (-12.34567, 12345.6, "L −12.346, predicted 12346, gap −1.2e4"),
        (0.001, 0.000999, "L 0.001, predicted 1.0e−3, gap 1e−6"),
        (99_999.4, 123_456.0, "L 99999, predicted 1.2e5, gap −2.3e4"),
        (0.0, -0.0, "L 0, predicted 0, gap 0"),
        (math.nan, math.inf, "L NaN, predicted inf, gap NaN"),
    ],
)
def test_both_numbers_have_five_digits_and_the_gap_is_their_difference(
    loss: float, predicted: float, text: str
) -> None:
    assert Prediction(loss, predicted).text == text


def opened(qtbot: QtBot, graph: Graph) -> Session:
    session = Session(graph, InlineEvaluator)
    qtbot.waitUntil(lambda: session.results is not None)
    return session


def put(qtbot: QtBot, session: Session, value: object, block: str = "x") -> None:
    before = session.results
    session.apply("Set", set_parameter, "main", block, "value", np.asarray(value, np.float64))
    qtbot.waitUntil(lambda: session.results is not before and session.runs.are_current)


def test_the_prediction_is_the_tangent_at_the_start(qtbot: QtBot) -> None:
    """L = x² summed: from (1, 2) to (1.5, 2) the tangent gives 5 + 2 · 0.5 where the loss is 6.25."""
    session = opened(qtbot, x([1.0, 2.0]).then("s", "Square").loss())
    forecast, told = session.part(LossPrediction), list[bool]()
    forecast.changed.connect(lambda: told.append(True))
    assert forecast.newest is None
    forecast.begin()
    forecast.begin()
    # Nothing has moved yet.
    assert forecast.newest is None and told == [True]
    for value, expected in (([1.5, 2.0], (6.25, 6.0)), ([1.0, 1.0], (2.0, 1.0)), ([1.5, 2.5], (8.5, 8.0))):
        put(qtbot, session, value)
        assert forecast.newest == pytest.approx(expected)
    forecast.begin()
    assert forecast.newest == pytest.approx((8.5, 8.0))
    forecast.end()
    forecast.end()
    assert forecast.newest is None and told == [True, True]


def test_without_a_loss_or_a_gradient_nothing_is_predicted(qtbot: QtBot) -> None:
    graph = x([1.0, 2.0]).then("s", "Square").loss()
    for other in (remove_blocks(graph, "main", "loss"), x([1.0, 2.0]).source("z", [1.0]).on("x.y").graph()):
        session = opened(qtbot, other)
        session.part(LossPrediction).begin()
        put(qtbot, session, [3.0, 4.0])
        assert session.part(LossPrediction).newest is None


def test_a_block_on_a_page_moves_in_all_its_uses(qtbot: QtBot) -> None:
    """L = x w² with x = 3 and w = 0.5: the slope is 2 x w = 3, a half of it from each use."""
    cell = page("cell", [entry("x"), constant("w", 0.5), Block("m", "Multiply"), result("y")],
                [("x.y", "m.x"), ("w.y", "m.y"), ("m.z", "y.x")])  # fmt: skip
    blocks = [source("x", 3.0), source("w", 9.0), use("one", "cell"), use("two", "cell"), Block("loss", "Loss")]
    main = page("main", blocks, [("x.y", "one.x"), ("one.y", "two.x"), ("two.y", "loss.x")])
    session = opened(qtbot, Graph((main, cell)))
    session.part(LossPrediction).begin()
    before = session.results
    session.apply("Set", set_parameter, "cell", "w", "value", np.asarray(0.6))
    qtbot.waitUntil(lambda: session.results is not before and session.runs.are_current)
    assert session.part(LossPrediction).newest == pytest.approx((3 * 0.36, 0.75 + 0.1 * 3))


def test_nothing_is_predicted_from_results_of_another_graph(qtbot: QtBot) -> None:
    session = opened(qtbot, x([1.0, 2.0]).then("s", "Square").loss())
    forecast, told = session.part(LossPrediction), list[bool]()
    forecast.changed.connect(lambda: told.append(True))
    forecast.end()
    session.runs.set_live(False)
    session.apply("Set", set_parameter, "main", "x", "value", np.array([3.0, 2.0]))
    assert not session.runs.are_current
    forecast.begin()
    forecast.end()
    assert told == [] and forecast.newest is None
    session.close()
