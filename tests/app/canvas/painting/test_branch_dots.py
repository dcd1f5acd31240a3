"""Dots where wires part, read off the pixels of a page; crossings have none."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QPainter

from gradwire.app.base.examples import FIRST_GRAPH
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.wires.branch_dots import BranchDots
from gradwire.app.look.theme import theme
from gradwire.engine.edits import edits
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import MAIN, drawn_page, mirror_of, painted, pixels, wired, with_block

pytestmark = pytest.mark.usefixtures("qapp")

# The trunk of a fork is 22 px long.
FORK = 22


def forked() -> Graph:
    """x feeds e straight on, and stop below it, whose wire is blocked."""
    graph = with_block(Graph(), "x", "Input", (0, 0), value=np.array(1.0))
    graph = with_block(with_block(graph, "e", "Exp", (320, 0)), "stop", "StopGradient", (320, 240))
    graph = with_block(with_block(graph, "sum", "Add", (640, 0)), "loss", "Loss", (960, 0))
    return wired(graph, "x.y > e.x", "x.y > stop.x", "e.y > sum.x", "stop.y > sum.y", "sum.z > loss.x")


def ink(mirror: Mirror, look: Look, x: float, y: float) -> np.ndarray:
    """The pixels of 9 by 9 px of the scene around a point, blue, green and red."""
    image, _ = drawn_page(mirror, look)
    corner = mirror.bounds().topLeft()
    column, row = (round((at - low + 40) * look.scale) for at, low in ((x, corner.x()), (y, corner.y())))
    half = round(4 * look.scale)
    return pixels(image)[row - half : row + half + 1, column - half : column + half + 1, :3]


def port(mirror: Mirror, name: str) -> tuple[float, float]:
    row = next(row for row, wire in enumerate(mirror.wires) if str(wire.source) == name)
    x, y = mirror.points[row, 0].tolist()
    return x, y


@pytest.mark.parametrize("chosen", ["dark", "light"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_branch_has_a_dot_in_the_colour_of_the_wire_that_carries_more(scale: float, chosen: str) -> None:
    mirror, look = mirror_of(forked()), Look(theme(chosen), scale)  # type: ignore[arg-type]
    x, y = port(mirror, "x.y")
    found = ink(mirror, look, x + FORK, y)
    # Both wires with a gradient carry exp 1: they have the colour at the top of the scale.
    color = look.theme.ramp(1.0)
    shown = (found == (color.blue(), color.green(), color.red())).all(axis=2)
    radius = 4 * scale
    assert 0.8 * np.pi * radius**2 < shown.sum()


def test_a_branch_of_a_wire_with_nan_has_the_colour_of_the_alarm() -> None:
    mirror = mirror_of(load(FIRST_GRAPH).graph)
    look = Look(theme("dark"))
    found = ink(mirror, look, *(port(mirror, "x.y") + np.array([FORK, 0])))
    color = look.theme.color("alarm")
    assert (found == (color.blue(), color.green(), color.red())).all(axis=2).sum() > 30


def dots(mirror: Mirror) -> np.ndarray:
    """The picture of the dots alone, from the corner of the scene on, on black."""

    def paint(on: QPainter) -> None:
        BranchDots(mirror).draw(on, Look(theme("dark")), np.arange(len(mirror.wires)))

    return pixels(painted(QSize(1200, 600), paint))[..., :3]


def test_a_crossing_has_no_dot() -> None:
    graph = with_block(Graph(), "a", "Input", (0, 0), value=np.array(1.0))
    graph = with_block(graph, "b", "Input", (0, 240), value=np.array(1.0))
    graph = with_block(with_block(graph, "p", "Exp", (320, 240)), "q", "Exp", (320, 0))
    assert not dots(mirror_of(wired(graph, "a.y > p.x", "b.y > q.x"))).any()
    assert dots(mirror_of(wired(graph, "a.y > p.x", "a.y > q.x"))).any()


def test_dots_follow_a_block_that_moves() -> None:
    mirror = mirror_of(forked())
    found = BranchDots(mirror)
    images = []
    for at in ((320, 0), (320, 120)):
        mirror.session.apply("Move", edits.move_blocks, MAIN, {"e": at, "x": (0, at[1])})
        mirror.rebuild()

        def paint(on: QPainter) -> None:
            found.draw(on, Look(theme("dark")), np.arange(len(mirror.wires)))

        images.append(pixels(painted(QSize(1200, 600), paint))[..., :3].any(axis=2))
    rows = [np.flatnonzero(image.any(axis=1)) for image in images]
    assert (rows[1] - rows[0] == 120).all()
