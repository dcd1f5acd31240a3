"""The ring and the rectangle of the keyboard on a canvas without a window, and the keys that a canvas takes itself."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.input.arrow_navigation import Place, Thing
from gradwire.app.canvas.input.key_wire import Socket
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Selection, Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import theme
from gradwire.engine.edits import annotations, edits
from gradwire.engine.graph.graph import Port
from tests.app.canvas.pages import MAIN, chain
from tests.app.strokes import strokes

Key, No = Qt.Key, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def canvas(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Canvas]:
    graph = annotations.add_note(chain(1.0, 2.0), MAIN, "note", (0, 400))[0]
    graph = annotations.add_frame(graph, MAIN, "frame", ["e"])[0]
    found = Canvas(CurrentSession(Session(graph, InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(found)
    found.resize(900, 600)
    monkeypatch.setattr(Canvas, "hasFocus", lambda _: True)
    yield found
    found.session.close()


def ring(canvas: Canvas, scale: float = 1.0) -> list[tuple[float, ...]]:
    """The ring as drawn at a zoom: its line of the ground, then its own."""
    look = Look(theme("dark"), scale)
    found = strokes(lambda painter: canvas.keyboard.paint(painter, look))
    assert [item.pen for item in found] == [theme("dark").css("bg.canvas"), theme("dark").css("focus")][: len(found)]
    return [item.at for item in found if item.kind == "path"]


def test_without_a_place_the_keyboard_is_in_the_middle_of_the_view(canvas: Canvas) -> None:
    middle = canvas.camera.to_scene(QPointF(canvas.rect().center()))
    assert canvas.keyboard.rect() == QRectF(middle.x() - 0.5, middle.y() - 0.5, 1, 1)
    assert canvas.keyboard.target == Target()
    canvas.keyboard.place = Place(Thing("block", "gone"))
    assert canvas.keyboard.rect() == QRectF(middle.x() - 0.5, middle.y() - 0.5, 1, 1)


def test_the_keyboard_is_on_blocks_notes_frames_and_ports(canvas: Canvas) -> None:
    mirror, keyboard = canvas.mirror, canvas.keyboard
    for kind, name, rect in (
        ("block", "e", mirror.rect("e")),
        ("note", *next(iter(mirror.notes.items()))),
        ("frame", *next(iter(mirror.frames.items()))),
    ):
        keyboard.place, keyboard.is_shown = Place(Thing(kind, name)), True
        assert keyboard.rect() == rect
        # 3 px outside at least on the screen; a pen is half outside of its path.
        one, other = ring(canvas), ring(canvas, 0.5)
        assert one[0] == one[1] and other[0] == other[1]
        grown, twice = rect.left() - one[0][0], rect.left() - other[0][0]
        assert grown >= 3 and twice == pytest.approx(2 * grown, abs=0.02)
        assert one[0] == pytest.approx(rect.adjusted(-grown, -grown, grown, grown).getRect(), abs=0.02)
        assert ring(canvas, 2.0) == one
    port = mirror.port_position(Port("e", "x"), True)
    assert port is not None
    keyboard.socket = Socket(Port("e", "x"), True)
    box = keyboard.rect()
    assert box.center() == port and box.width() == box.height() > 0
    assert keyboard.target == Target(port=(Port("e", "x"), True))
    assert ring(canvas)[0] == pytest.approx(box.getRect(), abs=0.02)


def test_without_anything_the_ring_is_around_the_view(canvas: Canvas) -> None:
    keyboard, seen = canvas.keyboard, canvas.viewport.seen
    keyboard.is_shown = True
    left, top, width, height = ring(canvas)[0]
    inset = left - seen.left()
    assert inset >= 3 and (left, top) == pytest.approx((seen.left() + inset, seen.top() + inset), abs=0.02)
    assert (width, height) == pytest.approx((seen.width() - 2 * inset, seen.height() - 2 * inset), abs=0.03)
    keyboard.is_shown = False
    assert ring(canvas) == []


def test_no_ring_is_seen_while_another_widget_has_the_keys(canvas: Canvas, monkeypatch: pytest.MonkeyPatch) -> None:
    canvas.keyboard.is_shown = True
    monkeypatch.setattr(Canvas, "hasFocus", lambda _: False)
    assert ring(canvas) == []


def test_the_keyboard_follows_the_selection_and_leaves_what_is_gone(canvas: Canvas) -> None:
    keyboard, session = canvas.keyboard, canvas.session
    session.select(Selection(frozenset(["e"])))
    keyboard.catch_up()
    assert keyboard.target == Target(block="e")
    keyboard.socket = Socket(Port("e", "x"), True)
    keyboard.catch_up()
    assert keyboard.socket is not None
    session.select(Selection(frozenset(["s"])))
    keyboard.catch_up()
    assert (keyboard.target, keyboard.socket) == (Target(block="s"), None)
    keyboard.socket = Socket(Port("s", "none"), True)
    keyboard.catch_up()
    assert keyboard.socket is None and keyboard.target == Target(block="s")
    session.apply("Delete", edits.remove_blocks, MAIN, "s")
    keyboard.catch_up()
    assert keyboard.place is None


# Keys


def press(canvas: Canvas, key: Qt.Key, repeats: bool = False) -> bool:
    return canvas.keys.press(QKeyEvent(QEvent.Type.KeyPress, key, No, "", repeats))


def release(canvas: Canvas, key: Qt.Key, repeats: bool = False) -> None:
    canvas.keys.release(QKeyEvent(QEvent.Type.KeyRelease, key, No, "", repeats))


def test_a_key_pans_as_long_as_it_is_held(canvas: Canvas) -> None:
    keys = canvas.keys
    assert press(canvas, Key.Key_Space) and keys.is_pan_key_held
    assert canvas.cursor().shape() is Qt.CursorShape.OpenHandCursor
    for key, repeats in ((Key.Key_A, False), (Key.Key_Space, True)):
        release(canvas, key, repeats)
        assert keys.is_pan_key_held and canvas.cursor().shape() is Qt.CursorShape.OpenHandCursor
    release(canvas, Key.Key_Space)
    assert not keys.is_pan_key_held and canvas.cursor().shape() is Qt.CursorShape.ArrowCursor
    assert not press(canvas, Key.Key_Space, repeats=True) and not keys.is_pan_key_held
    keys.pan_keys = ("H",)
    assert not press(canvas, Key.Key_Space) and press(canvas, Key.Key_H) and keys.is_pan_key_held
    keys.leave()
    assert not keys.is_pan_key_held


def test_takers_come_before_all_other_keys(canvas: Canvas) -> None:
    taken: list[int] = []

    def take(event: QKeyEvent) -> bool:
        taken.append(event.key())
        return event.key() == Key.Key_Space

    canvas.keys.key_takers.append(take)
    assert press(canvas, Key.Key_Space) and not canvas.keys.is_pan_key_held
    assert not press(canvas, Key.Key_F12)
    assert taken == [Key.Key_Space, Key.Key_F12]


def test_backspace_is_told(canvas: Canvas, qtbot: QtBot) -> None:
    with qtbot.waitSignal(canvas.keys.backspace_pressed, timeout=1000):
        assert press(canvas, Key.Key_Backspace)


def test_escape_closes_one_thing_at_a_time_and_then_the_selection(canvas: Canvas) -> None:
    canvas.session.select(Selection(frozenset(["e"])))
    closed, left = list[str](), ["a", "b"]
    canvas.keys.escapes += [lambda: False, lambda: bool(left) and not closed.append(left.pop())]  # type: ignore[func-returns-value]
    for expected in (["b"], ["b", "a"]):
        assert press(canvas, Key.Key_Escape)
        assert closed == expected and canvas.session.selection.blocks == {"e"}
    assert press(canvas, Key.Key_Escape)
    assert not canvas.session.selection
