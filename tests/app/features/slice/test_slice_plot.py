"""The curve of a slice has no line across a jump or a pole, and its sentence accuses nobody without proof."""

from __future__ import annotations

import numpy as np
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.slice.slice_plot import SlicePlot
from gradwire.app.features.slice.slice_text import sentence_of
from gradwire.app.look.appearance import Appearance
from gradwire.engine.explain.slices import slice_of
from gradwire.engine.graph.graph import Graph


def floor() -> Graph:
    return gw.graph(gw.Loss(gw.Floor(gw.Input(np.array(0.7), name="x"))))


def test_no_line_leads_across_a_jump(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    plot = SlicePlot(Appearance("dark"), parent)
    plot.show_slice(slice_of(floor(), "main/x.y", (), np.linspace(-0.55, 0.95, 16).tolist()), "x", "")
    below, above = plot.runs
    assert {loss for _, loss in below} == {-1.0} and {loss for _, loss in above} == {0.0}


def test_infinite_is_said_where_the_quotient_grows() -> None:
    graph = gw.graph(gw.Loss(gw.Sqrt(gw.Input(np.array(0.0), name="x"))))
    said = sentence_of(slice_of(graph, "main/x.y", (), []), "x")
    assert said == "∂L/∂x = inf: the difference quotient grows as the step shrinks."


def test_a_gradient_that_differs_accuses_no_block_without_proof() -> None:
    found = slice_of(gw.graph(gw.Loss(gw.Square(gw.Input(np.array(1.5), name="x")))), "main/x.y", (), [])
    said = sentence_of(type(found)(**{**found.__dict__, "slope": 1.0}), "x")
    assert said == "Finite differences estimate a slope of 3, but ∂L/∂x = 1."
