"""Groups of wires of one look: by status, magnitude and sign; and lines as rectangles of whole pixels."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.painting.layers import Layer, drawing_order, split
from gradwire.app.canvas.painting.look import Look, Overlay
from gradwire.app.canvas.painting.wires.wire_strokes import (
    ALARM,
    BREAKING,
    BROKEN,
    FIRST_FLOW,
    as_rects,
    importance,
    importance_color,
)
from gradwire.app.live.session import Selection
from gradwire.app.look.theme import theme
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.status_table import STATUS_ROW
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import mirror_of, wired, with_block

pytestmark = pytest.mark.usefixtures("qapp")
LOOK = Look(theme("dark"))
STATUSES = [Status.FLOW, Status.FLOW, Status.FLOW, Status.BLOCKED, Status.NONFINITE, Status.FLOW, Status.FLOW]


@pytest.fixture
def mirror() -> Mirror:
    """A page of seven wires; norms of 1, 0.1 and 0.01 on a scale of two decades below 1."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.ones(3))
    for name in "abcdefg":
        graph = wired(with_block(graph, name, "Exp", (300, 100 * ord(name))), f"x.y > {name}.x")
    found = mirror_of(graph)
    found.top, found.span = 1.0, 2.0
    found.wire_status = np.array([STATUS_ROW[status] for status in STATUSES], np.uint8)
    found.wire_norm = np.array([1.0, 0.1, 0.01, 1.0, np.nan, 1.0, 1.0])
    found.wire_total = np.array([1.0, -1.0, 0.0, 1.0, np.nan, np.nan, 1.0])
    found.wire_breaks = np.array([False] * 5 + [True, False])
    found.broken = {6}
    return found


@pytest.mark.parametrize(
    ("look", "flows"),
    [
        # Nine steps are eight spans; each step has three numbers, for its signs.
        ({"overlay": Overlay.MAGNITUDE}, [24, 12, 0]),
        ({"overlay": Overlay.SIGN}, [26, 12, 1]),
        ({"overlay": Overlay.LABELS}, [0, 0, 0]),
        ({"overlay": Overlay.OFF}, [0, 0, 0]),
        ({"overlay": Overlay.MAGNITUDE, "is_stale": True}, [0, 0, 0]),
    ],
)
def test_wires_are_grouped_by_what_is_seen_of_them(mirror: Mirror, look: dict[str, object], flows: list[int]) -> None:
    found = importance(mirror, dataclasses.replace(LOOK, **look), np.arange(7), 9)  # type: ignore[arg-type]
    others = [STATUS_ROW[Status.BLOCKED], ALARM, BREAKING, BROKEN]
    assert found.tolist() == [*(FIRST_FLOW + item for item in flows), *others]
    some = importance(mirror, dataclasses.replace(LOOK, **look), np.array([6, 1]), 9)  # type: ignore[arg-type]
    assert some.tolist() == [BROKEN, FIRST_FLOW + flows[1]]


def test_each_group_has_its_colour(mirror: Mirror) -> None:
    def css(code: int, overlay: Overlay = Overlay.MAGNITUDE) -> str:
        return importance_color(mirror, dataclasses.replace(LOOK, overlay=overlay), code).name()

    of = LOOK.theme.css
    assert css(BROKEN) == of("error")
    assert css(ALARM) == css(BREAKING) == of("alarm")
    assert css(STATUS_ROW[Status.BLOCKED]) == of("wire.zero")
    assert css(BREAKING, Overlay.OFF) == of("alarm")
    assert css(FIRST_FLOW, Overlay.OFF) == of("wire.value")
    small, large = css(FIRST_FLOW), css(FIRST_FLOW + 63 * 3)
    assert small != large == css(FIRST_FLOW + 63 * 3 + 1)
    signs = {css(FIRST_FLOW + 63 * 3 + sign, Overlay.SIGN) for sign in range(3)}
    assert len(signs) == 3


def test_level_and_upright_lines_are_rectangles_without_gaps_at_their_corners() -> None:
    lines = np.array([[0, 10, 20, 10], [20, 10, 0, 10], [5, 0, 5, 30]])
    assert as_rects(lines, 2).tolist() == [[-1, 9, 21, 11], [-1, 9, 21, 11], [4, -1, 6, 31]]
    assert as_rects(lines, 3).tolist() == [[-1, 9, 22, 12], [-1, 9, 22, 12], [4, -1, 7, 32]]


def test_small_gradients_are_drawn_first_and_what_is_chosen_last(mirror: Mirror) -> None:
    mirror.wire_norm = np.array([3.0, 1.0, 2.0, 0.0, 5.0, 4.0, 6.0])
    rows = np.arange(7)
    assert drawing_order(mirror, LOOK, rows) == [3, 1, 2, 0, 5, 4, 6]
    hovered = dataclasses.replace(LOOK, hovered=Target(block="b"))
    assert drawing_order(mirror, hovered, rows)[-1] == 1
    chosen = dataclasses.replace(hovered, selection=Selection(wires=frozenset([mirror.wires[3]])))
    assert drawing_order(mirror, chosen, rows)[-2:] == [1, 3]
    both = dataclasses.replace(chosen, hovered=Target(block="b", wire=mirror.wires[2]))
    assert drawing_order(mirror, both, rows)[-3:] == [1, 3, 2]
    assert drawing_order(mirror, both, np.array([2, 0])) == [0, 2]


def test_a_layer_is_split_into_what_is_lit_and_the_rest(mirror: Mirror) -> None:
    placed: dict[int, object] = {0: "0", 1: "1"}
    names = [type("Name", (), {"row": row})() for row in (0, 1)]
    whole = Layer(np.array([0, 1, 2]), np.array([0, 1]), placed, names, {"f", "n", "o"})  # type: ignore[arg-type]
    wire = mirror.wires[1]
    lit = Selection(frozenset([mirror.ids[1]]), frozenset([wire]), frozenset("f"), frozenset("n"))
    bright, dim = split(mirror, lit, whole)
    assert (bright.blocks.tolist(), dim.blocks.tolist()) == ([1], [0, 2])
    assert (bright.wires.tolist(), dim.wires.tolist()) == ([1], [0])
    assert (dict(bright.labels), dict(dim.labels)) == ({1: "1"}, {0: "0"})
    assert (bright.names, dim.names) == ([names[1]], [names[0]])
    assert (bright.notes, dim.notes) == ({"f", "n"}, {"o"})
