"""The mouse on a canvas without a window: what clicks, drags, the wheel and trackpads do with each key held."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.input.arrow_navigation import Place, Thing
from gradwire.app.canvas.input.gestures.knife import Knife
from gradwire.app.canvas.input.gestures.pan import Pan
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.edits import annotations
from tests.app.canvas.pages import MAIN, chain

Held, Button, Key = Qt.KeyboardModifier, Qt.MouseButton, Qt.Key
NONE, ALT, SHIFT, CONTROL = Held.NoModifier, Held.AltModifier, Held.ShiftModifier, Held.ControlModifier


@pytest.fixture
def canvas(qtbot: QtBot) -> Iterator[Canvas]:
    graph = annotations.add_note(chain(1.0, 2.0), MAIN, "note", (0, 400))[0]
    found = Canvas(CurrentSession(Session(graph, InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(found)
    found.resize(1100, 800)
    found.viewport.zoom_to(1.0)
    found.viewport.centre_at(QPointF(400, 200))
    yield found
    found.session.close()


def mouse(canvas: Canvas, kind: str, at: QPointF, button: Qt.MouseButton, held: Qt.KeyboardModifier = NONE) -> None:
    types = {"press": QEvent.Type.MouseButtonPress, "move": QEvent.Type.MouseMove}
    which = types.get(kind, QEvent.Type.MouseButtonRelease)
    buttons = Button.NoButton if kind == "release" else button
    own = Button.NoButton if kind == "move" else button
    event = QMouseEvent(which, at, at, own, buttons, held)
    getattr(canvas.mouse, kind)(event)


def click(canvas: Canvas, at: QPointF, held: Qt.KeyboardModifier = NONE, way: tuple[float, float] = (0, 0)) -> None:
    mouse(canvas, "press", at, Button.LeftButton, held)
    mouse(canvas, "move", at + QPointF(*way), Button.LeftButton, held)
    mouse(canvas, "release", at + QPointF(*way), Button.LeftButton, held)


def test_an_alt_click_on_a_block_or_wire_asks_for_its_paths(canvas: Canvas) -> None:
    asked: list[object] = []
    canvas.mouse.paths_requested.connect(asked.append)
    mirror, to_view = canvas.mirror, canvas.camera.to_view
    block = to_view(mirror.rect("e").topLeft() + QPointF(60, 10))
    wire = to_view(QPointF(*mirror.points[1].mean(axis=0)))
    note = to_view(next(iter(mirror.notes.values())).center())
    for place, held, count in (
        (note, ALT, 0),
        (block, NONE, 0),
        (block, ALT | SHIFT, 0),
        (block, ALT, 1),
        (wire, ALT, 2),
    ):
        click(canvas, place, held)
        assert len(asked) == count
    click(canvas, block, ALT, way=(40, 0))
    assert len(asked) == 2


def test_a_button_begins_its_own_gesture_and_only_its_release_ends_it(canvas: Canvas) -> None:
    at = QPointF(20, 20)
    mouse(canvas, "press", at, Button.MiddleButton)
    assert type(canvas.gestures.gesture) is Pan
    mouse(canvas, "press", at, Button.LeftButton)
    assert type(canvas.gestures.gesture) is Pan
    mouse(canvas, "release", at, Button.LeftButton)
    assert type(canvas.gestures.gesture) is Pan
    before = canvas.camera
    mouse(canvas, "move", at + QPointF(30, 40), Button.MiddleButton)
    assert (canvas.camera.x, canvas.camera.y) == (before.x + 30, before.y + 40)
    mouse(canvas, "release", at, Button.MiddleButton)
    assert canvas.gestures.gesture is None
    canvas.keys.is_pan_key_held = True
    for button, kind in ((Button.LeftButton, Pan), (Button.RightButton, None)):
        mouse(canvas, "press", at, button)
        assert (None if canvas.gestures.gesture is None else type(canvas.gestures.gesture)) is kind
        canvas.gestures.cancel()
        canvas.gestures.pressed = None


@pytest.mark.parametrize(("held", "kind"), [(NONE, Pan), (CONTROL, Knife)])
def test_a_drag_with_the_right_button_begins_beyond_a_click(
    canvas: Canvas, held: Qt.KeyboardModifier, kind: type
) -> None:
    at = QPointF(20, 20)
    mouse(canvas, "press", at, Button.RightButton, held)
    mouse(canvas, "move", at + QPointF(2, 1), Button.RightButton, held)
    assert canvas.gestures.gesture is None
    mouse(canvas, "move", at + QPointF(20, 10), Button.RightButton, held)
    assert type(canvas.gestures.gesture) is kind


def test_back_and_forward_turn_and_begin_nothing(canvas: Canvas) -> None:
    turned: list[int] = []
    canvas.mouse.turned.connect(turned.append)
    for button in (Button.BackButton, Button.ForwardButton):
        mouse(canvas, "press", QPointF(20, 20), button)
        mouse(canvas, "release", QPointF(20, 20), button)
    assert turned == [-1, 1] and canvas.gestures.gesture is None


def test_the_target_under_the_pointer_is_told_until_a_button_is_pressed(canvas: Canvas) -> None:
    told: list[Target] = []
    canvas.mouse.pointed_at.connect(told.append)
    place = canvas.camera.to_view(canvas.mirror.rect("e").topLeft() + QPointF(60, 10))
    mouse(canvas, "move", place, Button.NoButton)
    assert told[-1].block == "e"
    mouse(canvas, "press", place, Button.LeftButton)
    assert told[-1] == Target()
    mouse(canvas, "release", place, Button.LeftButton)
    mouse(canvas, "move", place, Button.NoButton)
    canvas.mouse.leave()
    assert [target.block for target in told[-2:]] == ["e", None]


def wheel(
    canvas: Canvas, angle: tuple[int, int], held: Qt.KeyboardModifier = NONE, pixels: tuple[int, int] = (0, 0)
) -> tuple[float, float, float]:
    """How the scale, and the place of the page, change."""
    phase = Qt.ScrollPhase.ScrollUpdate if any(pixels) else Qt.ScrollPhase.NoScrollPhase
    at, before = QPointF(300, 200), canvas.camera
    canvas.mouse.wheel(QWheelEvent(at, at, QPoint(*pixels), QPoint(*angle), Button.NoButton, held, phase, False))
    now = canvas.viewport.destination
    return now.scale / before.scale, now.x - before.x, now.y - before.y


def test_the_wheel_zooms_or_pans_by_the_keys_that_are_held(canvas: Canvas) -> None:
    assert wheel(canvas, (0, 120), SHIFT) == (1, 120, 0)
    assert wheel(canvas, (-60, 0), SHIFT) == (1, -60, 0)
    assert wheel(canvas, (30, 40), NONE, (5, -7)) == (1, 5, -7)
    assert wheel(canvas, (0, 120), CONTROL, (5, 7))[0] > 1
    canvas.viewport.zoom_to(1.0)
    canvas.mouse.wheel_pans = True
    assert wheel(canvas, (30, 40)) == (1, 30, 40)
    assert wheel(canvas, (0, -120), CONTROL)[0] < 1
    canvas.mouse.wheel_pans = False
    assert wheel(canvas, (0, 240))[0] > 1


# Keys that open ports


@pytest.mark.parametrize(
    ("key", "held", "is_taken"),
    [
        (Key.Key_Return, NONE, True),
        (Key.Key_Enter, Held.KeypadModifier, True),
        (Key.Key_Return, CONTROL, False),
        (Key.Key_F11, NONE, False),
        (Key.Key_F10, NONE, False),
        (Key.Key_Right, CONTROL, False),
        (Key.Key_Home, NONE, False),
        (Key.Key_Home, ALT | CONTROL, False),
    ],
)
def test_enter_alone_opens_the_ports_of_a_block(
    canvas: Canvas, key: Qt.Key, held: Qt.KeyboardModifier, is_taken: bool
) -> None:
    canvas.keyboard.place = Place(Thing("block", "e"))
    taken = canvas.keyboard.press(QKeyEvent(QEvent.Type.KeyPress, key, held))
    assert (taken, canvas.keyboard.socket is not None) == (is_taken, is_taken)
    assert canvas.keyboard.place == Place(Thing("block", "e"))


@pytest.mark.parametrize(
    ("key", "held", "target", "chosen"),
    [
        (Key.Key_Home, CONTROL, "x", {"x"}),
        (Key.Key_End, CONTROL, None, set()),
        (Key.Key_Home, CONTROL | SHIFT, "x", {"x"}),
        (Key.Key_Right, NONE, None, set()),
    ],
)
def test_keys_walk_to_the_ends_and_along_wires(
    canvas: Canvas, key: Qt.Key, held: Qt.KeyboardModifier, target: str | None, chosen: set[str]
) -> None:
    canvas.keyboard.place = Place(Thing("block", "e"))
    assert canvas.keyboard.press(QKeyEvent(QEvent.Type.KeyPress, key, held))
    found = canvas.keyboard.target
    if target is not None:
        assert found.block == target and canvas.session.selection.blocks == chosen
    elif key == Key.Key_Right:
        assert found.wire is not None and found.wire.source.block == "e"
    else:
        assert found.note is not None or found.block == "loss"


def test_notes_have_no_ports(canvas: Canvas) -> None:
    canvas.keyboard.place = Place(Thing("note", next(iter(canvas.mirror.notes))))
    assert not canvas.keyboard.press(QKeyEvent(QEvent.Type.KeyPress, Key.Key_Return, NONE))
