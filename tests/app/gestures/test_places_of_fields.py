"""Fields over the canvas stand where their texts are, and steps of numbers are as keys say."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QPlainTextEdit

from tests.app.window.driver import Driver, Mod
from tests.app.window.graphs import annotated, chain, number, with_block

pytestmark = pytest.mark.usefixtures("one_window")


def around(user: Driver, box: QRectF) -> tuple[int, int, int, int]:
    """The place of a box of the scene on the canvas, in whole px and at least 90 by 26."""
    seen = user.canvas.camera.rect_to_view(box).toAlignedRect()
    return seen.left(), seen.top(), max(seen.width(), 90), max(seen.height(), 26)


def field(user: Driver) -> tuple[int, int, int, int]:
    return user.popups.inline().geometry().getRect()  # type: ignore[return-value]


@pytest.mark.parametrize("scale", [1.0, 1.5])
def test_the_field_of_a_title_lies_on_the_header(user: Driver, scale: float) -> None:
    """4 px within its block, and 28 px high."""
    user.show(annotated(), scale)
    user.hand.double_click(user.points.title("e"))
    rect = user.canvas.mirror.rect("e")
    assert field(user) == around(user, QRectF(rect.left() + 4, rect.top(), rect.width() - 8, 28))
    user.escape()


@pytest.mark.parametrize("frame", ["spare", "hollow"])
def test_the_field_of_a_frame_lies_on_its_title(user: Driver, frame: str) -> None:
    """4 px within the frame, at most 320 px wide, and 26 px high."""
    user.show(annotated())
    box = user.canvas.mirror.frames[frame]
    user.hand.double_click(QPointF(box.left() + 20, box.top() + 13))
    width = min(box.width() - 8, 320)
    assert field(user) == around(user, QRectF(box.left() + 4, box.top(), width, 26))
    assert (box.width() - 8 > 320) == (frame == "spare")
    user.escape()


def test_the_field_of_a_note_is_the_note(user: Driver) -> None:
    user.show(annotated())
    box = user.canvas.mirror.notes["note"]
    user.hand.double_click(box.center())
    assert isinstance(user.popups.inline(), QPlainTextEdit) and field(user) == around(user, box)
    user.escape()


def test_the_field_of_a_number_stands_at_the_foot_of_its_slider(user: Driver) -> None:
    """80 by 24 px, in the middle, 18 px above the lower edge."""
    user.show(chain(), 1.5)
    user.hand.double_click(user.points.number("x", 1))
    mirror = user.canvas.mirror
    box = mirror.shapes[mirror.rows["x"]].slider_box(1).translated(mirror.rect("x").topLeft())
    assert field(user) == around(user, QRectF(box.center().x() - 40, box.bottom() - 18, 80, 24))
    user.escape()


# Numbers under the hand


def set_by_knob(user: Driver, share: float, keys: Mod) -> float:
    user.show(with_block(number(), "b", "Input", (0, 240), value=np.array(1.0), minimum=-2.0, maximum=4.0))
    user.hand.drag(user.points.knob("b", share=0.5), user.points.knob("b", share=share), keys=keys)
    return float(user.block("b").parameters["value"])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("keys", "step"),
    [
        # A range of 6 has hundredths of 0.06, rounded down to 1, 2 or 5; with Shift tenths of these, with Ctrl 0.6.
        (Mod.NoModifier, 0.05),
        (Mod.ShiftModifier, 0.005),
        (Mod.ControlModifier, 0.5),
    ],
)
@pytest.mark.parametrize("share", [0.2371, 0.613])
def test_a_knob_gives_multiples_of_a_step(user: Driver, keys: Mod, step: float, share: float) -> None:
    found, place = set_by_knob(user, share, keys), -2 + 6 * share
    # Half a step, and what a px of the track is.
    assert abs(found - place) <= step / 2 + 6 / 100
    assert found / step == pytest.approx(round(found / step), abs=1e-9)
    if step < 0.01:
        assert round(found / 0.05) * 0.05 != pytest.approx(found, abs=1e-9) or found == pytest.approx(place, abs=0.01)


@pytest.mark.parametrize(("share", "found"), [(1.0, 4.0), (0.0, -2.0), (1.4, 4.0), (-0.4, -2.0)])
def test_the_ends_of_a_track_are_the_ends_of_the_range(user: Driver, share: float, found: float) -> None:
    assert set_by_knob(user, share, Mod.NoModifier) == found


@pytest.mark.parametrize(
    ("way", "keys", "wanted"),
    [
        # The range of the numbers is from 0 to 5: each 4 px are 0.05.
        (40, Mod.NoModifier, 1.53),
        (-40, Mod.NoModifier, 0.53),
        (40, Mod.ShiftModifier, 1.08),
        # Ten times as much, on its multiples.
        (40, Mod.ControlModifier, 6.0),
        (-40, Mod.ControlModifier, -4.0),
        (3, Mod.NoModifier, 1.03),
        (4, Mod.NoModifier, 1.08),
    ],
)
def test_sideways_a_number_moves_by_whole_steps(user: Driver, way: float, keys: Mod, wanted: float) -> None:
    graph = with_block(number(), "v", "Input", (0, 240), value=np.array([1.03, 2.0, 3.0]))
    user.show(graph)
    assert user.canvas.mirror.slider_range("v") == (0, 5)
    start = user.points.number("v", 0)
    user.hand.drag(start, start + QPointF(way, 0), keys=keys, steps=max(abs(way) // 4, 1))
    assert user.block("v").parameters["value"][0] == pytest.approx(wanted, abs=1e-12)  # type: ignore[index]
    assert user.block("v").parameters["value"][1:].tolist() == [2, 3]  # type: ignore[index]
