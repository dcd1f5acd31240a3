"""A page whose new pictures are made between frames: the page before is shown until all are there."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.painting import painted_page
from gradwire.app.canvas.painting.cache.sprites import Sprites
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from tests.app.canvas.pages import example, pixels


@pytest.fixture
def canvas(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Canvas]:
    # One picture a frame.
    monkeypatch.setattr(painted_page, "PIECE_SECONDS", 0.0)
    monkeypatch.setattr(painted_page, "READY_SECONDS", 60.0)
    session = Session(example("softmax_stable"), InlineEvaluator)
    made = Canvas(session, Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(500, 320)
    made.show()
    qtbot.wait(50)
    yield made
    session.close()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The slots of the pictures that were painted."""
    found: list[object] = []
    get = Sprites.get
    monkeypatch.setattr(Sprites, "get", lambda self, slot, *rest: (found.append(slot), get(self, slot, *rest))[1])
    return found


def seen(canvas: Canvas) -> np.ndarray:
    canvas.grab()
    return pixels(canvas.painted.picture.toImage())


def test_pictures_are_made_before_the_page_is_shown(canvas: Canvas, made: list[object], qtbot: QtBot) -> None:
    shown = list[bool]()
    before = seen(canvas)
    canvas.painted._painter.sprites = None
    canvas.painted.when_ready(lambda: shown.append(True))
    assert not shown
    np.testing.assert_array_equal(seen(canvas), before)
    qtbot.waitUntil(lambda: bool(shown))
    assert made
    made.clear()
    canvas.painted.repaint()
    np.testing.assert_array_equal(seen(canvas), before)
    assert not made


def test_what_is_overdue_is_shown_as_far_as_it_is(
    canvas: Canvas, made: list[object], monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    monkeypatch.setattr(painted_page, "READY_SECONDS", 0.0)
    before = seen(canvas)
    canvas.painted._painter.sprites = None
    canvas.painted.when_ready(canvas.painted.repaint)
    qtbot.waitUntil(lambda: len(made) > 0)
    np.testing.assert_array_equal(seen(canvas), before)


def test_a_page_painted_anew_meanwhile_is_not_shown_again(canvas: Canvas, qtbot: QtBot) -> None:
    shown = list[bool]()
    seen(canvas)
    canvas.painted.when_ready(lambda: shown.append(True))
    canvas.painted.repaint()
    # Nothing of the page before is left to be shown.
    canvas.painted.when_ready(lambda: shown.append(False))
    assert shown == [False]
    qtbot.wait(20)
    assert shown == [False]
