"""Blocks that are being evaluated: a line under the header, after 120 ms of work, and nowhere but on the screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.shapes import HEADER
from gradwire.app.canvas.painting.busy_mark import line_at
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import Answer, InlineEvaluator
from gradwire.app.live.questions.questions import Question
from gradwire.app.live.readings.comparison import Comparison
from gradwire.app.live.session import Selection, Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.motion import set_moves
from gradwire.app.look.theme import theme
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import MAIN, chain, page_picture, pixels


class Slow:
    """An evaluator that answers when it is told to."""

    running = ""

    def __init__(self, answer: Callable[[Answer], None]) -> None:
        self._inner = InlineEvaluator(answer)
        self._runs: list[tuple[int, Graph, Comparison | None]] = []
        running.append(self)

    def evaluate(self, revision: int, graph: Graph, comparison: Comparison | None) -> None:
        self._runs.append((revision, graph, comparison))

    def finish(self) -> None:
        self._inner.evaluate(*self._runs.pop(0))

    def ask(self, question: Question) -> None:
        self._inner.ask(question)

    def kill(self) -> None:
        self._inner.kill()

    def close(self) -> None:
        self._inner.close()


running: list[Slow] = []


@pytest.fixture
def canvas(qtbot: QtBot) -> Iterator[Canvas]:
    """The chain on a canvas at 100 %, its first run under way."""
    running.clear()
    session = Session(chain(1.0, 2.0), Slow)
    made = Canvas(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(1000, 300)
    made.show()
    yield made
    set_moves(None)
    session.close()


def marked(canvas: Canvas, name: str) -> int:
    """How many px of the line under the header of a block have the accent colour."""
    box = canvas.camera.rect_to_view(canvas.mirror.rect(name))
    found = pixels(canvas.grab().toImage().convertToFormat(QImage.Format.Format_ARGB32_Premultiplied))
    y = round(box.top() + (HEADER - 1) * canvas.camera.scale)
    row = found[y, round(box.left()) : round(box.right()), :3].astype(int)
    color = theme("dark").color("accent")
    return int((np.abs(row - (color.blue(), color.green(), color.red())).max(axis=1) < 24).sum())


def shown(canvas: Canvas, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: canvas.busy_mark.is_shown)


def test_a_run_is_not_marked_at_once_but_when_it_takes_its_time(canvas: Canvas, qtbot: QtBot) -> None:
    assert canvas.session.scheduler.is_busy and not canvas.busy_mark.is_shown
    assert marked(canvas, "e") == 0
    shown(canvas, qtbot)
    width = canvas.mirror.rect("e").width() * canvas.camera.scale
    assert marked(canvas, "e") >= 0.9 * width and marked(canvas, "loss") >= 0.9 * width


def test_the_mark_goes_when_the_results_are_there(canvas: Canvas, qtbot: QtBot) -> None:
    shown(canvas, qtbot)
    running[0].finish()
    qtbot.waitUntil(lambda: canvas.session.results is not None)
    assert not canvas.session.scheduler.is_busy and not canvas.busy_mark.is_shown
    assert marked(canvas, "e") == 0


def test_results_on_the_way_begin_the_wait_anew(canvas: Canvas, qtbot: QtBot) -> None:
    shown(canvas, qtbot)
    canvas.session.apply("Rename", edits.rename_block, MAIN, "s", "sum")
    seen: list[bool] = []
    canvas.session.results_changed.connect(lambda _: seen.append(canvas.busy_mark.is_shown))
    running[0].finish()
    qtbot.waitUntil(lambda: bool(seen))
    assert canvas.session.scheduler.is_busy and seen == [False]
    shown(canvas, qtbot)


def test_without_motion_the_line_is_still_and_whole(canvas: Canvas, qtbot: QtBot) -> None:
    set_moves(False)
    shown(canvas, qtbot)
    assert line_at(10, 110, canvas.busy_mark.share) == (10, 110)


def test_with_motion_the_line_moves(canvas: Canvas, qtbot: QtBot) -> None:
    set_moves(True)
    shown(canvas, qtbot)
    first = canvas.busy_mark.share
    qtbot.waitUntil(lambda: canvas.busy_mark.share != first, timeout=60_000)


def test_the_line_grows_from_the_left_and_goes_to_the_right() -> None:
    assert line_at(0, 100, 0.25) == (0, 50)
    assert line_at(0, 100, 0.75) == (50, 100)


def test_the_painted_page_does_not_know_the_mark(canvas: Canvas, qtbot: QtBot) -> None:
    canvas.grab()
    before = page_picture(canvas)
    shown(canvas, qtbot)
    canvas.grab()
    assert page_picture(canvas) == before


def test_blocks_that_are_dimmed_are_not_marked(canvas: Canvas, qtbot: QtBot) -> None:
    canvas.page_look.set_lit(Selection(blocks=frozenset({"x", "e"})))
    shown(canvas, qtbot)
    assert marked(canvas, "e") > 0 and marked(canvas, "s") == 0


def test_a_session_that_is_busy_already_is_marked_as_well(canvas: Canvas, qtbot: QtBot) -> None:
    running[0].finish()
    qtbot.waitUntil(lambda: not canvas.session.scheduler.is_busy)
    other = Session(chain(2.0), Slow)
    canvas.current.show(other)
    shown(canvas, qtbot)
    other.close()
