"""What is painted after any edits, in parts and from pictures of before, is what is painted anew."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.canvas.canvas import Canvas
from app.live.evaluator import InlineEvaluator
from app.live.session import Selection, Session
from app.look.appearance import Appearance
from engine import edits
from engine.graph import Graph
from tests.app.canvas.pages import EXAMPLE_NAMES, example, pixels
from tests.engine.random_edits import EDITS
from tests.engine.test_rerun import sources
from tests.torture.counts import count

STEPS = 8
# A smooth line that is cut by the edge of a part may be another in the last bits.
LAST_BITS = 4


@pytest.fixture
def make_canvas(qtbot: QtBot) -> Iterator[Callable[[Session], Canvas]]:
    sessions = set[Session]()

    def made(session: Session) -> Canvas:
        sessions.add(session)
        canvas = Canvas(session, Appearance("dark"))
        qtbot.addWidget(canvas)
        canvas.resize(700, 450)
        canvas.show()
        canvas.grab()
        return canvas

    yield made
    for session in sessions:
        session.close()


def look(canvas: Canvas, zoom: float) -> None:
    canvas.zoom_to(zoom)
    canvas.centre_at(canvas.mirror.bounds().center())


def painted(canvas: Canvas) -> np.ndarray:
    canvas.grab()
    return pixels(canvas.page_picture.toImage()).astype(int)


def assert_same(found: np.ndarray, expected: np.ndarray) -> None:
    assert found.shape == expected.shape and np.abs(found - expected).max() <= LAST_BITS


def with_other_numbers(graph: Graph, choose: random.Random) -> Graph:
    places = sources(graph)
    if not places:
        return graph
    page, block, value = choose.choice(places)
    numbers = np.random.default_rng(choose.randrange(99)).normal(size=value.shape) * choose.choice([1, 1, 1e-9, np.nan])
    return edits.set_parameter(graph, page, block, "value", numbers.astype(value.dtype))


def any_step(canvas: Canvas, choose: random.Random) -> None:
    """Changes numbers most of the time; else the graph, what is selected, or what is in view."""
    session, blocks = canvas.session, list(canvas.session.page.blocks)
    kind = choose.choice(["numbers"] * 4 + ["edit", "undo", "select", "pan"])
    if kind == "numbers":
        session.apply("Set", with_other_numbers, choose)
    elif kind == "edit":
        session.apply("Edit", EDITS[choose.choice(sorted(EDITS))], choose)
    elif kind == "undo":
        session.undo()
    elif kind == "select":
        session.select(Selection(frozenset(choose.sample(blocks, min(2, len(blocks))))))
    else:
        canvas.pan(choose.randint(-40, 40), choose.randint(-40, 40))


@pytest.mark.parametrize("seed", range(count(6, 300)))
def test_any_edits_are_painted_as_anew(make_canvas: Callable[[Session], Canvas], qtbot: QtBot, seed: int) -> None:
    choose = random.Random(seed)
    canvas = make_canvas(Session(example(choose.choice(EXAMPLE_NAMES)), InlineEvaluator))
    look(canvas, 1.0)
    for _ in range(STEPS):
        any_step(canvas, choose)
        if choose.random() < 0.5:
            # Else several steps are painted together.
            qtbot.waitUntil(lambda: not canvas.session.scheduler.is_busy)
            painted(canvas)
    qtbot.waitUntil(lambda: not canvas.session.scheduler.is_busy)
    found, camera = painted(canvas), canvas.camera
    # Pictures of another zoom are thrown away.
    canvas.look_with(camera.zoomed(1.1, canvas.rect().center().toPointF()))
    canvas.repaint_page()
    painted(canvas)
    canvas.look_with(camera)
    canvas.repaint_page()
    assert_same(found, painted(canvas))


@pytest.mark.parametrize("seed", range(count(4, 300)))
def test_any_edits_are_painted_as_by_another_canvas(
    make_canvas: Callable[[Session], Canvas], qtbot: QtBot, seed: int
) -> None:
    """So far away that no labels are seen: where they stand depends on what stood there before."""
    choose = random.Random(seed)
    canvas = make_canvas(Session(example(choose.choice(EXAMPLE_NAMES)), InlineEvaluator))
    look(canvas, 0.35)
    for _ in range(STEPS):
        any_step(canvas, choose)
        painted(canvas)
    qtbot.waitUntil(lambda: not canvas.session.scheduler.is_busy)
    found, other = painted(canvas), make_canvas(canvas.session)
    other.look_with(canvas.camera)
    other.repaint_page()
    assert_same(found, painted(other))
