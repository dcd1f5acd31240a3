"""Bounds of the slice: its elements, its steps of the range, its ticks, and answers that come too late."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QValidator
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.slice.slice_controls import ElementBox, SliceControls
from gradwire.app.features.slice.slice_plot import SlicePlot
from gradwire.app.features.slice.slice_question import SliceName
from gradwire.app.features.slice.slice_text import sentence_of
from gradwire.app.features.slice.slice_view import SliceView
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Reply, TensorName
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.ticks import LADDER
from gradwire.engine.autodiff.expand import PortName
from tests.app.features.slice.test_slice_drawing import square

DARK = Appearance("dark")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def box(parent: QWidget) -> ElementBox:
    made = ElementBox(parent)
    made.show_shape((2, 3))
    return made


@pytest.mark.parametrize(
    ("text", "place"),
    [("[0, 0]", 0), ("1 2", 5), ("(1,0)", 3), ("[2, 0]", 4), ("[0, 3]", 4), ("[1]", 4), ("[-1, 0]", 4), ("x", 4)],
)
def test_an_index_names_an_element_or_none(box: ElementBox, text: str, place: int) -> None:
    """The element 4 stays where the text names none."""
    box.setValue(4)
    assert box.valueFromText(text) == place
    is_index = text in ("[0, 0]", "1 2", "(1,0)")
    state = QValidator.State.Acceptable if is_index else QValidator.State.Intermediate
    assert box.validate(text, 1) == (state, text, 1)


def test_an_index_is_kept_with_its_rank_and_its_bounds(box: ElementBox) -> None:
    box.set_index((1, 2))
    assert (box.index, box.maximum(), box.text()) == ((1, 2), 5, "[1, 2]")
    box.show_shape((2, 4))
    assert (box.index, box.maximum(), box.text(), box.toolTip()) == ((1, 2), 7, "[1, 2]", "Element, up to [1, 3]")
    box.set_index((1, 3))
    box.show_shape((4, 3))
    assert (box.index, box.text()) == ((0, 0), "[0, 0]")
    box.set_index((9, 0))
    assert box.index == (0, 0)
    box.setValue(2)
    box.show_shape((5,))
    assert (box.index, box.maximum()) == ((0,), 4)
    box.show_shape((0, 3))
    assert (box.index, box.maximum(), box.textFromValue(0)) == ((), 0, "[]")
    box.show_shape(())
    assert (box.index, box.textFromValue(0), box.isHidden()) == ((), "[]", True)


def test_the_row_of_controls_has_its_sizes(parent: QWidget) -> None:
    controls = SliceControls(DARK, parent)
    margins = controls.element.lineEdit().textMargins()
    assert (margins.left(), margins.top(), margins.right(), margins.bottom()) == (4, 0, 0, 0)
    controls.show_blocks(["a", "b"], "b")
    assert controls.blocks.currentIndex() == 1
    controls.show_blocks(["a", "b"], "c")
    assert controls.blocks.currentIndex() == -1


@pytest.mark.parametrize(("height", "rows"), [(0, 2), (97, 2), (98, 3), (121, 3), (122, 4), (146, 5)])
def test_ticks_have_24_px_each(parent: QWidget, height: int, rows: int) -> None:
    """18 px are the axis and 8 the room above; two rows are the fewest."""
    plot = SlicePlot(DARK, parent)
    plot.setMinimumHeight(0)
    plot.resize(300, height)
    assert plot._rows == rows


@pytest.mark.parametrize(
    ("slope", "text"),
    [(1e-9, "a slope of 0,"), (-1e-9, "a slope of 0,"), (2e-9, "a slope of 2e−9,"), (-2e-9, "a slope of −2e−9,")],
)
def test_a_slope_within_the_noise_is_zero(slope: float, text: str) -> None:
    shown = replace(square(slope=7.0), left=slope, right=slope, noise=1e-9)
    assert sentence_of(shown, "x") == f"Finite differences estimate {text} but ∂L/∂x = 7."


@pytest.fixture
def view(qtbot: QtBot) -> Iterator[SliceView]:
    x, k = gw.Variable(np.array([3.0, 40.0]), name="x"), gw.Constant(np.array([1.0, 1.0]), name="k")
    graph = gw.graph(gw.Loss(gw.ReduceSum(gw.Square(gw.Multiply(x, k, name="m"))), name="loss"))
    session = Session(graph, InlineEvaluator)
    made = SliceView(CurrentSession(session), DARK)
    qtbot.addWidget(made)
    qtbot.waitUntil(lambda: session.results is not None)
    made.refresh()
    yield made
    session.close()


def test_the_range_is_that_of_the_largest_element_and_stays_on_the_ladder(view: SliceView) -> None:
    """40 has the rung of 20 or 40 below it; a step is one rung."""
    rung = view._rung
    assert LADDER[rung] <= 40 < LADDER[rung + 1]
    view.widen(1)
    assert view._rung == rung + 1
    view.widen(-2)
    assert view._rung == rung - 1
    view.refresh()
    assert view._rung == rung - 1
    view.widen(-1000)
    assert view._rung == 0
    view.widen(1000)
    assert view._rung == len(LADDER) - 1


def test_answers_to_other_questions_are_left_alone(view: SliceView, qtbot: QtBot) -> None:
    name = view._wanted()
    assert name is not None
    view._say("Nothing yet.")
    for question in (TensorName(PortName("main/x", "y")), replace(name, index=(1,)), replace(name, half=name.half / 2)):
        view.take(Reply(question, view.session.results.revision, square()))  # type: ignore[union-attr]
        assert view._shown is None and view._answered is None
    view.take(Reply(name, 7, square()))
    assert view._shown is not None and view._answered == (name, 7)
    assert not view._is_answered(name)
    view._answered = name, view.session.results.revision  # type: ignore[union-attr]
    assert view._is_answered(name) and not view._is_answered(replace(name, index=(1,)))
    view.take(Reply(name, 7, None))
    assert view._shown is None and "x[0] is unknown, NaN or infinite" in view._message.text()
    assert isinstance(name, SliceName) and name.index == (0,)


def test_a_loss_that_is_nowhere_finite_is_said_with_a_range(view: SliceView) -> None:
    name = view._wanted()
    assert name is not None
    nowhere = replace(square(loss=np.nan), losses=np.full(5, np.nan))
    view.take(Reply(name, 7, nowhere))
    assert view._message.text().startswith("L is NaN or infinite over this range of x[0].")
    assert view._controls._wider.isEnabled() and not view._controls._copy.isEnabled()


def test_variables_and_inputs_come_before_constants(view: SliceView) -> None:
    boxes = view._controls.blocks
    assert [boxes.itemText(row) for row in range(boxes.count())] == ["x", "k"] and view._block == "x"


def test_qt_measures_the_box_of_a_scalar_by_its_largest_number(parent: QWidget) -> None:
    """Qt asks for the text of the highest value, 99 at first, to find how wide a box must be."""
    box = ElementBox(parent)
    assert (box.textFromValue(box.maximum()), box.index) == ("[]", ())
    box.setValue(7)
    assert box.index == ()
    assert box.sizeHint().width() > 0
