"""What an edit changes of a page besides blocks and wires."""

from __future__ import annotations

import dataclasses

import pytest

from gradwire.app.canvas.geometry.progress import BARE, THREAD, Mark, Progress, Turn
from gradwire.app.canvas.geometry.shapes import loss_row
from gradwire.app.canvas.input.arrow_navigation import Socket, ends_for
from gradwire.app.canvas.painting.page_updates import _has_same_notes
from gradwire.engine.edits import annotations, edits
from gradwire.engine.graph.graph import Graph, Port
from tests.app.canvas.pages import MAIN, chain, mirror_of, with_block

pytestmark = pytest.mark.usefixtures("qapp")


def test_notes_frames_and_the_loss_are_compared_each_for_itself() -> None:
    graph = chain(1.0)
    for changed in (
        annotations.add_note(graph, MAIN, "Why?", (0, 300))[0],
        annotations.add_frame(graph, MAIN, "Sum", ["e"])[0],
        dataclasses.replace(graph, loss="main/loss"),
    ):
        assert not _has_same_notes(graph, changed, MAIN) and not _has_same_notes(changed, graph, MAIN)
        assert _has_same_notes(changed, changed, MAIN)
    assert _has_same_notes(graph, edits.move_blocks(graph, MAIN, {"e": (640, 0)}), MAIN)


def test_the_row_of_a_loss_holds_its_value() -> None:
    """6 px below the upper edge of its body, 24 px high, 1 px within its left edge and 2 px within the right one."""
    mirror = mirror_of(chain(1.0))
    shape = mirror.shapes[mirror.rows["loss"]]
    box, row = shape.body_box, loss_row(shape)
    assert (row.left() - box.left(), row.top() - box.top(), box.right() - row.right(), row.height()) == (1, 6, 2, 24)


@pytest.mark.parametrize(("across", "down", "first"), [(300, 400, "right"), (400, 300, "below"), (300, 310, "right")])
def test_a_wire_is_tried_at_the_nearest_port_first(across: int, down: int, first: str) -> None:
    """From the port of one block to those of two others, one straight to the right and one straight below."""
    graph = with_block(Graph(), "start", "Tanh", (0, 0))
    width = mirror_of(graph).rect("start").width()
    graph = with_block(
        with_block(graph, "right", "Tanh", (int(width) + across, 0)), "below", "Tanh", (int(width), down)
    )
    found = ends_for(mirror_of(graph), Socket(Port("start", "y"), False))
    assert found[0] == Port(first, "x") and {port.block for port in found} == {"right", "below"}
    back = ends_for(mirror_of(graph), Socket(Port("right", "x"), True))
    assert {str(port) for port in back} == {"start.y", "below.y"}


def test_in_step_mode_a_wire_looks_as_far_as_it_has_been_reached() -> None:
    mirror = mirror_of(chain(1.0))
    one, other, last = mirror.wires
    marks = {"x": Mark(1, Turn.DONE), "e": Mark(2, Turn.CURRENT), "s": Mark(3, Turn.LATER)}
    progress = Progress(False, frozenset([one]), frozenset([last]), marks, (one,), 3)
    assert progress.statuses([one, other, last], mirror.wire_status[[0, 0, 0]]).tolist() == [
        mirror.wire_status[0], THREAD, BARE,
    ]  # fmt: skip
    assert [progress.has_gradient(name) for name in ("x", "e", "s", "loss")] == [True, True, False, True]
    forward = dataclasses.replace(progress, is_forward=True)
    assert not any(forward.has_gradient(name) for name in ("x", "e", "s", "loss"))
