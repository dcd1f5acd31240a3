"""What lies under the pointer at each zoom, both sides of each limit, and the cursor that says so."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.input.picking import cursor_at, idle_loss_at, target_at
from gradwire.app.canvas.painting.page_labels import _outside, label_scale
from gradwire.engine.edits import annotations
from gradwire.engine.graph.graph import Graph, Port
from tests.app.canvas.pages import MAIN, mirror_of, wired, with_block

pytestmark = pytest.mark.usefixtures("qapp")
Shape = Qt.CursorShape


@pytest.fixture(scope="module")
def mirror(qapp: object) -> Mirror:
    """x, an Input of one number -> e -> c = Cast -> loss; another loss; t of shape [3, 2, 2]; a dot, note and frame."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.asarray(1.0))
    graph = with_block(graph, "v", "Input", (0, 200), value=np.ones(2))
    graph = with_block(graph, "e", "Exp", (300, 0))
    graph = with_block(graph, "c", "Cast", (600, 0), dtype="float64")
    graph = with_block(with_block(graph, "loss", "Loss", (900, 0)), "idle", "Loss", (900, 300))
    graph = with_block(graph, "t", "Constant", (0, 400), value=np.ones((3, 2, 2)))
    graph = with_block(graph, "dot", "Reroute", (300, 400))
    graph = wired(graph, "x.y > e.x", "e.y > c.x", "c.y > loss.x", "c.y > idle.x")
    graph = annotations.add_note(graph, MAIN, "note", (300, 600))[0]
    graph = annotations.add_frame(graph, MAIN, "frame", ["v"])[0]
    return mirror_of(dataclasses.replace(graph, loss="main/loss"))


def at(mirror: Mirror, block: str, x: float, y: float, scale: float = 1.0) -> Target:
    return target_at(mirror, scale, mirror.rect(block).topLeft() + QPointF(x, y))


@pytest.mark.parametrize(
    ("way", "scale", "is_port"),
    [
        (12, 1.0, True),
        (12.5, 1.0, False),
        (12, 0.5, True),
        (12.5, 0.5, False),
        (6, 2.0, True),
        (6.5, 2.0, False),
        (0, 0.3, False),
    ],
)
def test_a_port_is_hit_within_12_px_of_the_page_and_of_the_screen(
    mirror: Mirror, way: float, scale: float, is_port: bool
) -> None:
    place = mirror.port_position(Port("e", "x"), True)
    assert place is not None
    found = target_at(mirror, scale, place - QPointF(way, 0))
    assert found.port == ((Port("e", "x"), True) if is_port else None)


@pytest.mark.parametrize(
    ("x", "y", "is_title", "is_edge"),
    [
        (60, 28, True, False),
        (60, 28.5, False, False),
        (140, 80, False, True),
        (139.5, 80, False, False),
        (143, 5, True, True),
    ],
)
def test_a_block_has_a_header_of_28_px_and_an_edge_of_4(
    mirror: Mirror, x: float, y: float, is_title: bool, is_edge: bool
) -> None:
    for scale in (1.0, 0.3):
        found = at(mirror, "e", x, y, scale)
        assert (found.block, found.is_title, found.is_edge) == ("e", is_title, is_edge)
    assert at(mirror, "dot", 15, 12, 0.3).is_edge is False


@pytest.mark.parametrize(
    ("block", "x", "y", "slider"),
    [
        ("x", 60, 73, ("x", 0, True)),  # the number is in the upper 20 px of the body
        ("x", 60, 75, ("x", 0, False)),
        ("v", 20, 107, ("v", 0, False)),
        ("v", 120, 109, ("v", 1, True)),  # of several, in the lowest 16
        ("v", 120, 107, ("v", 1, False)),
        ("x", 60, 40, None),
    ],
)
def test_a_slider_and_its_number_are_told_apart(
    mirror: Mirror, block: str, x: float, y: float, slider: tuple[str, int, bool] | None
) -> None:
    found = at(mirror, block, x, y)
    assert (found.slider, found.block) == (slider, block)
    assert at(mirror, block, x, y, 0.69).slider is None


def test_fields_and_pickers_are_there_from_70_percent_on(mirror: Mirror) -> None:
    assert at(mirror, "c", 60, 60).is_field and not at(mirror, "c", 60, 60, 0.69).is_field
    assert not at(mirror, "c", 60, 52).is_field
    shape = mirror.shapes[mirror.rows["t"]]
    y = shape.body_box.bottom() - 9
    for x, step in ((15, -1), (60, 0), (130, 1)):
        assert (at(mirror, "t", x, y).step, at(mirror, "t", x, y, 0.69).step) == (step, 0)


@pytest.mark.parametrize(
    ("way", "scale", "is_hit"), [(7, 1.0, True), (7.5, 1.0, False), (14, 0.5, True), (3.6, 2.0, False)]
)
def test_a_wire_is_hit_within_7_px_of_the_screen(mirror: Mirror, way: float, scale: float, is_hit: bool) -> None:
    wire = mirror.wires[0]
    middle = QPointF(*mirror.points[0].mean(axis=0).tolist())
    found = target_at(mirror, scale, QPointF(middle.x(), mirror.points[0, 0, 1] + way))
    assert found.wire == (wire if is_hit else None)


def test_notes_and_titles_of_frames_come_last(mirror: Mirror) -> None:
    (note, box), (frame, around) = *mirror.notes.items(), *mirror.frames.items()
    assert target_at(mirror, 1.0, box.center()) == Target(note=note)
    assert target_at(mirror, 1.0, around.topLeft() + QPointF(20, 10)) == Target(frame=frame)
    assert target_at(mirror, 1.0, QPointF(-500, -500)) == Target()


def test_another_loss_can_be_clicked_where_it_says_so(mirror: Mirror) -> None:
    for block, y, scale, found in (
        ("idle", 92, 1.0, "idle"),
        ("idle", 75, 1.0, None),
        ("idle", 92, 0.69, None),
        ("loss", 92, 1.0, None),
        ("e", 60, 1.0, None),
    ):
        assert idle_loss_at(mirror, scale, mirror.rect(block).topLeft() + QPointF(60, y)) == found
    assert idle_loss_at(mirror, 1.0, QPointF(-500, -500)) is None


@pytest.mark.parametrize(
    ("block", "x", "y", "cursor"),
    [
        ("e", 0, 44, Shape.CrossCursor),
        ("x", 60, 70, Shape.SizeHorCursor),
        ("x", 60, 85, Shape.PointingHandCursor),
        ("idle", 60, 92, Shape.PointingHandCursor),
        ("e", 142, 80, Shape.SizeHorCursor),
        ("e", 60, 60, Shape.ArrowCursor),
        ("t", 15, 95, Shape.PointingHandCursor),
    ],
)
def test_the_cursor_tells_what_a_press_would_do(mirror: Mirror, block: str, x: float, y: float, cursor: Shape) -> None:
    place = mirror.rect(block).topLeft() + QPointF(x, y)
    assert cursor_at(mirror, 1.0, target_at(mirror, 1.0, place), place) is cursor


@pytest.mark.parametrize(("scale", "size"), [(0.5, 2), (1.0, 1), (2.0, 1)])
def test_labels_are_never_smaller_than_on_the_screen(scale: float, size: float) -> None:
    assert label_scale(scale) == size


def test_four_rectangles_lie_around_a_page() -> None:
    far = 1e9
    assert _outside(QRectF(10, 20, 100, 50), 22) == [
        (-far, -far, -12, far), (132, -far, far, far), (-far, -far, far, -2), (-far, 92, far, far),
    ]  # fmt: skip
