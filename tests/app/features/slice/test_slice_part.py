"""The loss along one element in the card of a source: which blocks have it, elements, ranges, and its sentence."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.slice.slice_part import SlicePart
from gradwire.app.features.slice.slice_text import sentence_of
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.graph.graph import Graph
from tests.app.features.slice.test_slice_drawing import square
from tests.app.kit.parts import first_place, part_of, said, show
from tests.app.window.finding import settle

X = PortName("main/x", "y")


def squares(values: object = (3.0, 40.0), dtype: str = "float64") -> Graph:
    x = gw.Variable(np.array(values, dtype), name="x")
    return gw.graph(gw.Loss(gw.ReduceSum(gw.Square(gw.Cast(x, dtype="float64")), name="s"), name="loss"))


def made(qtbot: QtBot, graph: Graph | None = None) -> SlicePart:
    part = part_of(SlicePart, squares() if graph is None else graph, qtbot)
    show(part, X)
    return part


def test_the_curve_of_a_square_has_its_tangent_and_a_sentence(qtbot: QtBot) -> None:
    part = made(qtbot)
    assert said(part, "slice_title") == "L along x[0]"
    assert said(part, "slice_sentence") == "∂L/∂x[0] = 6: the tangent's slope."
    assert part.plot.isVisible() and (3.0, 1609.0) in part.plot.runs[0]


def test_elements_are_gone_through_in_a_ring_and_chosen_by_their_index(qtbot: QtBot) -> None:
    part = made(qtbot)
    for act, title in (
        (lambda: part.step(1), "x[1]"),
        (lambda: part.step(1), "x[0]"),
        (lambda: part.choose_element((1,)), "x[1]"),
        (lambda: part.choose_element((0, 0)), "x[1]"),
    ):
        act()
        settle()
        assert said(part, "slice_title") == f"L along {title}"


def test_the_range_is_about_the_largest_element_and_stays_on_the_ladder(qtbot: QtBot) -> None:
    part = made(qtbot)
    assert part.question(X).half in (20.0, 40.0)
    part.widen(1)
    wider = part.question(X).half
    part.widen(-1)
    assert part.question(X).half < wider
    part.widen(-1000)
    assert 0 < part.question(X).half < 1e-3


def test_the_curve_is_copied_as_csv(qtbot: QtBot) -> None:
    part = made(qtbot, squares(2.0))
    assert said(part, "slice_title") == "L along x"
    part._copy()
    assert QGuiApplication.clipboard().text().startswith("x,L\n")


@pytest.mark.parametrize(
    ("graph", "port"),
    [
        (squares(), PortName("main/s", "y")),
        (squares([1, 2], "int32"), X),
        (squares(np.zeros((0,))), X),
    ],
)
def test_other_blocks_and_blocks_without_a_slope_have_none(graph: Graph, port: PortName, qtbot: QtBot) -> None:
    part = part_of(SlicePart, graph, qtbot)
    show(part, port)
    assert part.isHidden()


def test_a_loss_that_is_nowhere_finite_leads_to_the_problems(qtbot: QtBot) -> None:
    part = made(qtbot, gw.graph(gw.Loss(gw.Log(gw.Subtract(gw.Input(1.0, name="x"), 1e9)))))
    assert said(part, "slice_sentence") == "L is NaN or infinite over this range. Widen it, or see Problems."
    assert not part.plot.isVisible()


@pytest.mark.parametrize(
    ("slope", "text"),
    [(1e-9, "a slope of 0,"), (-1e-9, "a slope of 0,"), (2e-9, "a slope of 2e−9,"), (-2e-9, "a slope of −2e−9,")],
)
def test_a_slope_within_the_noise_is_zero(slope: float, text: str) -> None:
    shown = replace(square(slope=7.0), left=slope, right=slope, noise=1e-9)
    assert sentence_of(shown, "x") == f"Finite differences estimate {text} but ∂L/∂x = 7."


def test_its_command_goes_to_the_first_variable_or_input(qtbot: QtBot) -> None:
    k, x = gw.Constant(1.0, name="k"), gw.Input(2.0, name="x")
    assert first_place(SlicePart, gw.graph(gw.Loss(gw.Multiply(k, x))), qtbot) == X
    assert str(first_place(SlicePart, gw.graph(x), qtbot)).startswith("There is no loss yet.")
    assert str(first_place(SlicePart, Graph(), qtbot)).startswith("Place an Input or a Variable")
