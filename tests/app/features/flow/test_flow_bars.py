"""The bars of the flow on a canvas: where they stand, how long they are, and what is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.features.flow.flow_bars import FlowBars
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.app.drawn_shapes import recorded
from tests.app.hidden import hide
from tests.engine.explain.test_flow import chain

Make = Callable[[Graph], tuple[FlowBars, list[str]]]


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Make]:
    sessions = []

    def made(graph: Graph) -> tuple[FlowBars, list[str]]:
        sessions.append(Session(graph, InlineEvaluator))
        canvas, said = Canvas(CurrentSession(sessions[-1]), Appearance("dark")), list[str]()
        qtbot.addWidget(canvas)
        canvas.resize(2000, 1000)
        canvas.viewport.look_with(Camera(1.0, 40, 60))
        canvas.said.connect(said.append)
        return FlowBars(canvas), said

    yield made
    for session in sessions:
        session.close()


def bars(flow: FlowBars) -> list[str]:
    """Returns what is drawn."""
    canvas, image = flow._canvas, QImage(9, 9, QImage.Format.Format_RGB32)
    with recorded() as lines, QPainter(image) as painter:
        flow.paint(painter, canvas.page_look.now())
    return lines


def test_nothing_is_drawn_or_asked_before_it_is_wanted(make: Make) -> None:
    flow, said = make(chain("Sigmoid", 3))
    assert bars(flow) == [] and said == []


def test_the_bar_of_a_block_is_its_share_of_the_largest_change(make: Make) -> None:
    flow, _ = make(load(example_path("softmax_stable")).graph)
    flow._canvas.page_look.turn_by_block()
    mirror, drawn = flow._canvas.mirror, bars(flow)
    fills = [line for line in drawn if line.startswith("fill")]
    assert len(fills) == 4
    # Only the sum enlarges it, by √3: to the right of the middle; Exp shrinks it most, by the whole half of its block.
    sum_of, exp = mirror.rect("s"), mirror.rect("e")
    starts = (
        f"fill {sum_of.center().x():g} {sum_of.top() + 24:g} ",
        f"fill {exp.left() + 10:g} {exp.top() + 24:g} {exp.width() / 2 - 10:g} 3 ",
    )
    assert all(any(line.startswith(start) for line in fills) for start in starts)


def test_from_afar_a_bar_stands_at_the_lower_edge_of_its_block(make: Make) -> None:
    flow, _ = make(chain("Sigmoid", 1))
    flow._canvas.page_look.turn_by_block()
    flow._canvas.viewport.look_with(Camera(0.5, 40, 60))
    box: QRectF = flow._canvas.mirror.rect("b1")
    assert bars(flow)[0].startswith(f"fill {box.left() + 10:g} {box.bottom() - 6:g} ")


@pytest.mark.parametrize(
    ("graph", "sentence"),
    [
        (chain("Sigmoid", 20), "The gradient shrinks: each of 20 blocks multiplies it by 0.225 on average; 1.1e−13"),
        (Graph(), "No gradient passes any block. Wire a block"),
        (chain("Log", 2, -1.0), "2 wires with NaN or Inf are not included."),
    ],
)
def test_the_whole_way_is_said_as_it_begins(make: Make, graph: Graph, sentence: str) -> None:
    flow, said = make(graph)
    flow._canvas.page_look.turn_by_block()
    assert said[-1].startswith(sentence)
    flow.session.evaluate()
    assert len(said) == 1


def test_a_selected_block_says_its_number(make: Make) -> None:
    flow, _ = make(load(example_path("softmax_stable")).graph)
    flow._canvas.page_look.turn_by_block()
    flow.session.select(Selection(frozenset(["e"])))
    assert len([line for line in bars(flow) if "passes on 0.472 of the gradient" in line]) == 1


def test_hidden_gradients_have_no_bars_and_it_ends_as_it_began(make: Make) -> None:
    flow, _ = make(chain("Sigmoid", 3))
    flow._canvas.page_look.turn_by_block()
    hide(flow.session, GradientMask())
    assert bars(flow) == []
    hide(flow.session, None)
    assert bars(flow) != []
    flow._canvas.page_look.turn_by_block()
    assert bars(flow) == []
