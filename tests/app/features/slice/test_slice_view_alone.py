"""The panel of a slice without a window: what is missing, which block it follows, and what it asks for."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QToolButton
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.slice.slice_question import SliceName
from gradwire.app.features.slice.slice_view import SliceView
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Question, Reply
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.ticks import LADDER
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.features.slice.test_slice_drawing import square
from tests.app.hidden import hide


class Bench:
    """A panel whose questions are kept."""

    def __init__(self, graph: Graph, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
        self.session = Session(graph, InlineEvaluator)
        qtbot.waitUntil(lambda: self.session.results is not None)
        self.asked: list[Question] = []
        monkeypatch.setattr(SliceView, "ask", lambda _, question: self.asked.append(question))
        self.view = SliceView(CurrentSession(self.session), Appearance("dark"))
        qtbot.addWidget(self.view)
        self.refresh()

    def refresh(self) -> None:
        self.asked.clear()
        self.view.refresh()

    def select(self, *names: str) -> None:
        self.session.select(Selection(blocks=frozenset(names)))
        self.refresh()

    @property
    def said(self) -> str:
        found = self.view.findChild(QLabel, "slice_message")
        assert isinstance(found, QLabel)
        return found.text()

    def button(self, name: str) -> QToolButton:
        found = self.view.findChild(QToolButton, f"slice_{name}")
        assert isinstance(found, QToolButton)
        return found


Make = Callable[[Graph], Bench]


@pytest.fixture
def make(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    made: list[Bench] = []

    def bench(graph: Graph) -> Bench:
        made.append(Bench(graph, qtbot, monkeypatch))
        return made[-1]

    yield bench
    for item in made:
        item.session.close()


def two() -> Graph:
    """The loss of x by k: x is a Variable of three elements, k a Constant of 40."""
    k = gw.Constant(np.array(40.0), name="k")
    return gw.graph(gw.Loss(gw.ReduceSum(gw.Multiply(k, gw.Variable(np.array([3.0, 4, -5]), name="x")), name="s")))


@pytest.mark.parametrize(
    ("graph", "said"),
    [
        (Graph(), "Place an Input or a Variable:"),
        (gw.graph(gw.Input(1.0, name="x")), "There is no loss yet. Add a Loss block to see how it depends on x."),
        (gw.graph(gw.Loss(gw.Square(gw.Input(np.zeros((0, 2)), name="x"))), ), "x has no elements:"),
        (gw.graph(gw.Loss(gw.Cast(gw.Input(np.array([1, 2]), name="x"), dtype="float64"))), "x is int64, which has no"),
    ],
)  # fmt: skip
def test_without_a_curve_it_says_what_is_missing(make: Make, graph: Graph, said: str) -> None:
    bench = make(graph)
    assert bench.said.startswith(said) and bench.asked == []
    assert [bench.button(name).isEnabled() for name in ("wider", "narrower", "copy")] == [False] * 3
    assert bench.view._stack.currentIndex() == 0


def test_gradients_that_are_hidden_hide_the_slope(make: Make) -> None:
    bench = make(two())
    hide(bench.session, GradientMask())
    bench.refresh()
    assert bench.said == "The slope is shown once the last step is done." and bench.asked == []


def test_it_asks_for_the_first_element_within_about_its_size(make: Make) -> None:
    bench = make(two())
    (name,) = bench.asked
    assert isinstance(name, SliceName)
    # The largest of 3, 4 and 5 is 5.
    assert (name.port.path, name.index, name.half) == ("main/x", (0,), 5.0)
    bench.view._controls.element.setValue(2)
    bench.view.widen(-1)
    bench.refresh()
    assert [(item.index, item.half) for item in bench.asked if isinstance(item, SliceName)] == [((2,), 2.0)]


def test_zeros_have_a_range_of_one(make: Make) -> None:
    bench = make(gw.graph(gw.Loss(gw.Square(gw.Input(np.array(0.0), name="x")))))
    (name,) = bench.asked
    assert isinstance(name, SliceName) and name.half == 1.0 and LADDER[bench.view._rung] == 1.0


def test_it_follows_the_selected_source_and_keeps_the_last(make: Make) -> None:
    bench = make(two())
    blocks = bench.view._controls.blocks
    for chosen, block in ((("k",), "k"), (("s",), "k"), (("x", "k"), "k"), (("x",), "x"), ((), "x")):
        bench.select(*chosen)
        assert (bench.view._block, blocks.currentText()) == (block, block)
    # What is chosen in the box stays although another block is selected still.
    bench.select("x")
    blocks.setCurrentIndex(blocks.findText("k"))
    bench.view._take_choice()
    bench.refresh()
    assert bench.view._block == "k"
    bench.select("k")
    bench.session.apply("Remove", edits.remove_blocks, "main", "k")
    bench.refresh()
    assert bench.view._block == "x"


def test_an_element_is_chosen_for_the_selected_block_alone(make: Make) -> None:
    bench = make(two())
    bench.view.choose_element((2,))
    assert bench.view._controls.element.index == (0,)
    bench.select("x")
    bench.view.choose_element((2,))
    assert bench.view._controls.element.index == (2,)
    bench.select("x", "k")
    bench.view.choose_element((1,))
    assert bench.view._controls.element.index == (2,)


def test_an_answer_is_not_asked_for_again_until_the_next_run(make: Make) -> None:
    bench = make(two())
    (name,) = bench.asked
    results = bench.session.results
    assert results is not None
    bench.view.take(Reply(name, results.revision, square()))
    assert bench.view._stack.currentIndex() == 1
    assert [bench.button(item).isEnabled() for item in ("wider", "narrower", "copy")] == [True] * 3
    bench.refresh()
    assert bench.asked == []
    bench.view.take(Reply(name, results.revision - 1, square()))
    bench.refresh()
    assert bench.asked == [name]
    bench.view._copy()
    assert QGuiApplication.clipboard().text().startswith("x[0],L\n-2,4\n")
    bench.view._say("No.")
    QGuiApplication.clipboard().setText("kept")
    bench.view._copy()
    assert QGuiApplication.clipboard().text() == "kept"


def test_an_unknown_loss_or_gradient_leads_to_the_problems(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = make(two())
    (name,) = bench.asked
    nowhere = dataclasses.replace(square(loss=np.nan), losses=np.full(5, np.nan))
    monkeypatch.setattr(bench.view, "_is_loss_hidden", lambda: True)
    bench.view.take(Reply(name, 1, nowhere))
    assert bench.said == "L is unknown: see Problems."
    monkeypatch.setattr(bench.view, "_is_gradient_unknown", lambda: True)
    bench.view.take(Reply(name, 1, square()))
    said = bench.view.findChild(QLabel, "slice_sentence")
    assert isinstance(said, QLabel) and said.text() == "∂L/∂x[0] is unknown: see Problems."


def test_a_loss_is_hidden_where_it_has_no_value(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    bench = make(two())
    results = bench.session.results
    assert results is not None and results.loss is not None
    assert not bench.view._is_loss_hidden() and not bench.view._is_gradient_unknown()
    lost = dataclasses.replace(results.loss, value=None)
    for found in (dataclasses.replace(results, loss=lost), dataclasses.replace(results, loss=None), None):
        monkeypatch.setattr(Session, "results", found)
        assert bench.view._is_loss_hidden()
    bench.view._block = "gone"
    assert not bench.view._is_gradient_unknown() and bench.view._wanted() is None
