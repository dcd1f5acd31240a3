"""The card of the inspector over a bare canvas: when it is there, where it stands, and what it leaves to the page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.features.inspector.inspector_overlay import InspectorOverlay
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance


@dataclass
class Bench:
    """A card over a canvas of 900 x 500 that begins 40 px below the top of what holds it."""

    over: QWidget
    canvas: Canvas
    card: InspectorOverlay
    moves: list[bool] = field(default_factory=list)

    @property
    def session(self) -> Session:
        return self.canvas.session

    def select(self, *blocks: str, notes: tuple[str, ...] = ()) -> None:
        self.session.select(Selection(blocks=frozenset(blocks), notes=frozenset(notes)))

    @property
    def beside(self) -> int:
        return self.canvas.viewport.beside.right()


@pytest.fixture
def bench(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    graph = gw.graph(gw.Loss(gw.Square(gw.Input(np.array(3.0), name="x"), name="q"), name="loss"))
    session, look, over = Session(graph, InlineEvaluator), Appearance("dark"), QWidget()
    qtbot.addWidget(over)
    over.resize(900, 600)
    current = CurrentSession(session)
    canvas = Canvas(current, look, over)
    canvas.setGeometry(0, 40, 900, 500)
    monkeypatch.setattr(Inspector, "content_height", lambda *_: 200)
    card = InspectorOverlay(Inspector(current, look), canvas, look, over)
    found = Bench(over, canvas, card)
    card.moved.connect(lambda: found.moves.append(card.isVisible()))
    over.show()
    yield found
    session.close()


def test_it_opens_with_a_selection_where_it_is_allowed(bench: Bench) -> None:
    bench.select("x")
    assert bench.card.isHidden() and bench.moves == [] and bench.beside == 0
    bench.card.set_allowed(True)
    assert bench.card.isVisible() and bench.moves == [True] and bench.beside == 294
    bench.select()
    assert bench.card.isHidden() and bench.moves == [True, False] and bench.beside == 0
    bench.card.follow()
    assert bench.moves == [True, False]
    bench.select("q")
    bench.card.set_allowed(False)
    assert bench.card.isHidden()


def test_it_stands_8_px_from_the_right_and_from_the_top(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is 286 px wide, and as high as its content and 6 px above and below, but ends 8 px above the canvas's end."""
    bench.card.set_allowed(True)
    bench.card.open()
    assert bench.card.geometry().getRect() == (606, 48, 286, 212)
    asked: list[int] = []
    monkeypatch.setattr(Inspector, "content_height", lambda _, width: asked.append(width) or 2000)
    bench.card.follow()
    assert bench.card.geometry().getRect() == (606, 48, 286, 484) and set(asked) == {284}
    assert bench.card.geometry().bottom() + 1 == 540 - 8
    close = bench.card.findChild(QToolButton, "leave_inspector")
    assert isinstance(close, QToolButton) and close.geometry().getRect() == (252, 12, 22, 22)


def test_it_follows_its_content_only_while_it_is_there(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.card._held.fitted.emit()
    assert bench.card.height() != 112
    bench.card.set_allowed(True)
    bench.card.open()
    monkeypatch.setattr(Inspector, "content_height", lambda *_: 100)
    bench.card._held.fitted.emit()
    assert bench.card.height() == 112
    bench.card.close_by_user()
    monkeypatch.setattr(Inspector, "content_height", lambda *_: 50)
    bench.card._held.fitted.emit()
    assert bench.card.height() == 112


def test_what_an_edit_makes_opens_nothing_and_closes_nothing(bench: Bench) -> None:
    bench.card.set_allowed(True)
    bench.session.select(Selection(blocks=frozenset(("x",))), is_made=True)
    assert bench.card.isHidden()
    bench.card.open()
    bench.session.select(Selection(blocks=frozenset(("q",))), is_made=True)
    assert bench.card.isVisible()


def test_notes_alone_open_nothing(bench: Bench) -> None:
    bench.card.set_allowed(True)
    bench.select(notes=("n",))
    assert bench.card.isHidden()
    bench.select("x", notes=("n",))
    assert bench.card.isVisible()


def test_it_waits_for_the_end_of_a_drag(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    bench.card.set_allowed(True)
    monkeypatch.setattr(type(bench.canvas.gestures), "is_dragging", True, raising=False)
    bench.select("x")
    assert bench.card.isHidden() and bench.beside == 0
    monkeypatch.setattr(type(bench.canvas.gestures), "is_dragging", False, raising=False)
    bench.canvas.gestures.active_changed.emit(True)
    assert bench.card.isHidden()
    bench.canvas.gestures.active_changed.emit(False)
    assert bench.card.isVisible()


def test_escape_closes_it_and_another_document_too(bench: Bench) -> None:
    bench.card.set_allowed(True)
    bench.select("x")
    # With a selection, Escape on the canvas is that of the selection.
    assert not bench.card._take_escape() and bench.card.isVisible()
    QTest.keyClick(bench.card, Qt.Key.Key_A)
    assert bench.card.isVisible()
    QTest.keyClick(bench.card, Qt.Key.Key_Escape)
    assert bench.card.isHidden() and bench.over.focusWidget() is bench.canvas
    bench.select()
    assert not bench.card._take_escape()
    bench.card.open()
    assert bench.card.isVisible() and bench.card._take_escape() and bench.card.isHidden()
    bench.card.open()
    other = Session(bench.session.graph, InlineEvaluator)
    bench.canvas.current.show(other)
    assert bench.card.isHidden()
    other.close()
