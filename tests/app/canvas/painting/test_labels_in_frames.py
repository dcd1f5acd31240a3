"""Labels that one frame has no time to place follow in the next ones, and stand where one frame would place them."""

from __future__ import annotations

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.painting import painted_page
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from tests.app.canvas.pages import EXAMPLE_NAMES, example, page_picture, pixels
from tests.sweeps import a_third_of

# A smooth line cut by the edge of a part may differ in the last bits.
LAST_BITS = 4


def opened(name: str, qtbot: QtBot) -> Canvas:
    canvas = Canvas(CurrentSession(Session(example(name), InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(canvas)
    canvas.resize(1200, 800)
    canvas.show()
    return canvas


def painted(canvas: Canvas) -> np.ndarray:
    canvas.grab()
    return pixels(page_picture(canvas)).astype(int)


def are_alike(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and bool(np.abs(one - other).max() <= LAST_BITS)


@pytest.mark.parametrize("name", a_third_of(EXAMPLE_NAMES))
def test_labels_of_later_frames_stand_where_one_frame_places_them(
    name: str, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_once = painted(opened(name, qtbot))
    monkeypatch.setattr(painted_page, "LABELS_SECONDS", 0.0)
    canvas = opened(name, qtbot)
    first = painted(canvas)
    assert not are_alike(first, at_once)
    qtbot.waitUntil(lambda: are_alike(painted(canvas), at_once))


def test_labels_follow_after_a_zoom_and_a_pan(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = opened("softmax_stable", qtbot)
    expected.viewport.zoom_to(1.0)
    expected.viewport.pan(40, 30)
    at_once = painted(expected)
    monkeypatch.setattr(painted_page, "LABELS_SECONDS", 0.0)
    canvas = opened("softmax_stable", qtbot)
    canvas.grab()
    canvas.viewport.zoom_to(1.0)
    canvas.viewport.pan(40, 30)
    qtbot.waitUntil(lambda: are_alike(painted(canvas), at_once))
