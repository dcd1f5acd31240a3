"""Incremental painting after any edits, in parts and from cached pictures, equals a full repaint."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.painting import painted_page
from gradwire.app.canvas.painting.page_labels import PageLabels
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import EXAMPLE_NAMES, example, page_picture, pixels, with_block
from tests.engine.evaluation.test_rerun import sources
from tests.engine.random_edits import EDITS
from tests.sweeps import a_third_of
from tests.torture.support.counts import count

pytestmark = pytest.mark.long

STEPS = 8
# A smooth line cut by the edge of a part may differ in the last bits.
LAST_BITS = 4


@pytest.fixture
def make_canvas(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Session], Canvas]]:
    monkeypatch.setattr(painted_page, "LABELS_SECONDS", math.inf)
    sessions = set[Session]()

    def made(session: Session) -> Canvas:
        sessions.add(session)
        canvas = Canvas(CurrentSession(session), Appearance("dark"))
        qtbot.addWidget(canvas)
        canvas.resize(700, 450)
        canvas.show()
        canvas.grab()
        return canvas

    yield made
    for session in sessions:
        session.close()


def look(canvas: Canvas, zoom: float) -> None:
    canvas.viewport.zoom_to(zoom)
    canvas.viewport.centre_at(canvas.mirror.bounds().center())


def painted(canvas: Canvas) -> np.ndarray:
    canvas.grab()
    return pixels(page_picture(canvas)).astype(int)


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
    """Changes numbers most of the time; else the graph, the selection, or the view."""
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
        canvas.viewport.pan(choose.randint(-40, 40), choose.randint(-40, 40))


@pytest.mark.parametrize("seed", a_third_of(range(count(6, 300))))
def test_any_edits_are_painted_as_anew(make_canvas: Callable[[Session], Canvas], qtbot: QtBot, seed: int) -> None:
    choose = random.Random(seed)
    canvas = make_canvas(Session(example(choose.choice(EXAMPLE_NAMES)), InlineEvaluator))
    look(canvas, 1.0)
    for _ in range(STEPS):
        any_step(canvas, choose)
        if choose.random() < 0.5:
            # Otherwise one repaint would cover several steps.
            qtbot.waitUntil(lambda: not canvas.session.scheduler.is_busy)
            painted(canvas)
    qtbot.waitUntil(lambda: not canvas.session.scheduler.is_busy)
    found, camera = painted(canvas), canvas.camera
    # A change of zoom discards cached pictures.
    canvas.viewport.look_with(camera.zoomed(1.1, canvas.rect().center().toPointF()))
    canvas.painted.repaint()
    painted(canvas)
    canvas.viewport.look_with(camera)
    canvas.painted.repaint()
    assert_same(found, painted(canvas))


@pytest.mark.parametrize("seed", a_third_of(range(count(4, 300))))
def test_any_edits_are_painted_as_by_another_canvas(
    make_canvas: Callable[[Session], Canvas], qtbot: QtBot, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Labels of wires are left out, because their places depend on earlier ones."""
    monkeypatch.setattr(PageLabels, "_ordered", lambda *_: np.zeros(0, np.int64))
    choose = random.Random(seed)
    canvas = make_canvas(Session(example(choose.choice(EXAMPLE_NAMES)), InlineEvaluator))
    look(canvas, 0.35)
    for _ in range(STEPS):
        any_step(canvas, choose)
        painted(canvas)
    qtbot.waitUntil(lambda: not canvas.session.scheduler.is_busy)
    found, other = painted(canvas), make_canvas(canvas.session)
    other.viewport.look_with(canvas.camera)
    other.painted.repaint()
    assert_same(found, painted(other))


def test_a_name_that_changes_below_a_small_block_is_painted_whole(
    make_canvas: Callable[[Session], Canvas], qtbot: QtBot
) -> None:
    """No wire is there: nothing but the names themselves asks for their places."""
    canvas = make_canvas(Session(with_block(Graph(), "x", "Exp", (0, 0)), InlineEvaluator))
    look(canvas, 0.35)
    painted(canvas)
    canvas.session.apply("Rename", edits.set_label, canvas.session.page_name, "x", "another")
    qtbot.waitUntil(lambda: not canvas.session.scheduler.is_busy)
    found, other = painted(canvas), make_canvas(canvas.session)
    other.viewport.look_with(canvas.camera)
    other.painted.repaint()
    assert_same(found, painted(other))
