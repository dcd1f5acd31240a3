"""The plot of a slice as a whole, shape by shape, at usual and large texts, and how far its lines reach. Units: px."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.slice.slice_plot import SlicePlot, label_tops
from gradwire.app.look.appearance import Appearance
from gradwire.engine.explain.slices import Slice
from tests.app.drawn_shapes import recorded
from tests.app.features.slice.test_slice_drawing import square


def made(qtbot: QtBot, scale: float = 1.0) -> SlicePlot:
    """A plot of 300 x 200."""
    parent, appearance = QWidget(), Appearance("dark")
    qtbot.addWidget(parent)
    appearance.text_scale = scale
    plot = SlicePlot(appearance, parent)
    plot.resize(300, 200)
    return plot


def shapes(plot: SlicePlot, slice: Slice) -> list[str]:
    plot.show_slice(slice, "x", "")
    with recorded() as lines:
        plot.grab()
    return lines


def test_axes_curve_tangent_and_labels_stand_where_the_numbers_are(qtbot: QtBot) -> None:
    """Letters are 6 px wide, the room is 266 x 174 from (22, 8), and L goes from -0.32 to 4.32."""
    heights = [182 - 174 * (loss + 0.32) / 4.64 for loss in range(5)]
    lines = [round(y) + 0.5 for y in heights]
    axis = [
        text
        for loss, y in enumerate(lines)
        for text in (
            f"line 22 {y:g} 288 {y:g} 1px border.subtle",
            f"text 0 {y - 8:g} 14 16 right 10px text.secondary “{loss}”",
        )
    ]
    assert shapes(made(qtbot), square()) == [
        *axis,
        "text 12 184 20 16 middle 10px text.secondary “−2”",
        "text 78.5 184 20 16 middle 10px text.secondary “−1”",
        "text 148 184 14 16 middle 10px text.secondary “0”",
        "text 214.5 184 14 16 middle 10px text.secondary “1”",
        # The last number keeps 5 px, half a number, from the edge of the room.
        "text 281 184 14 16 middle 10px text.secondary “2”",
        "line 22 20 88.5 132.5 155 170 221.5 132.5 288 20 2px value",
        "line 168.3 192.5 274.7 72.5 2px grad.text",
        "line 221.5 132.5 221.5 182 1px dashed border.strong",
        "ellipse 217 128 9 9 2px value on bg.app",
        "rect 172.5 110.5 41 16 round 4 on bg.app",
        "text 172.5 110.5 41 16 middle 11px value “L = 1”",
        "rect 227 138.5 61 16 round 4 on bg.app",
        "text 227 138.5 61 16 middle 11px grad.text “slope +2”",
    ]


def test_at_large_texts_there_are_fewer_numbers_and_labels_stay_apart(qtbot: QtBot) -> None:
    """At 150 % letters are 9 px wide, and the room is 263 x 165 from (25, 8)."""
    assert shapes(made(qtbot, 1.5), square(0.5, slope=-1.0)) == [
        "line 25 162.5 288 162.5 1px border.subtle",
        "text 0 150.5 17 24 right 15px text.secondary “0”",
        "line 25 91.5 288 91.5 1px border.subtle",
        "text 0 79.5 17 24 right 15px text.secondary “2”",
        "line 25 19.5 288 19.5 1px border.subtle",
        "text 0 7.5 17 24 right 15px text.secondary “4”",
        "text 12 175 26 24 middle 15px text.secondary “−2”",
        "text 148 175 17 24 middle 15px text.secondary “0”",
        "text 279.5 175 17 24 middle 15px text.secondary “2”",
        "line 25 19.38 90.75 126.06 156.5 161.62 189.38 152.73 222.25 126.06 288 19.38 2px value",
        "line 136.77 181.18 241.97 124.28 1.5px dashed text.secondary",
        "line 136.77 124.28 241.97 181.18 2px grad.text",
        "line 189.38 152.73 189.38 173 1px dashed border.strong",
        "ellipse 184.88 148.23 9 9 2px value on bg.app",
        "rect 197.38 122.73 85 22 round 4 on bg.app",
        "text 197.38 122.73 85 22 middle 16px value “L = 0.25”",
        "rect 197.38 95.73 85 22 round 4 on bg.app",
        "text 197.38 95.73 85 22 middle 16px grad.text “slope −1”",
        "rect 107 68.73 181 22 round 4 on bg.app",
        "text 107 68.73 181 22 middle 16px text.secondary “estimated slope +1”",
    ]


def test_labels_at_large_texts_are_a_line_of_them_apart() -> None:
    room = QRectF(0, 0, 100, 200)
    assert label_tops(100, room, 2.0) == [(106, True), (142, True), (26, False), (-10, False)]
    assert label_tops(163, room, 2.0)[:2] == [(89, False), (53, False)]
    assert label_tops(162, room, 2.0)[0] == (168, True)


def test_a_place_between_gaps_is_a_dot_2_px_wide(qtbot: QtBot) -> None:
    alone = dataclasses.replace(square(), losses=np.array([math.nan, math.nan, 2, math.nan, 4]), loss=math.nan)
    plot = made(qtbot)
    found = [line.split()[1:5] for line in shapes(plot, alone) if line.startswith("ellipse")]
    frame = plot.frame
    assert frame is not None
    corners = [frame.point(0, 2) - QPointF(1, 1), frame.point(2, 4) - QPointF(1, 1)]
    assert found == [[f"{round(at.x(), 2):g}", f"{round(at.y(), 2):g}", "2", "2"] for at in corners]


def test_a_plot_without_a_curve_is_empty_but_for_the_ring_of_the_keyboard(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    plot = made(qtbot)
    nothing = dataclasses.replace(square(), losses=np.full(5, math.nan), loss=math.nan)
    assert shapes(plot, nothing) == []
    assert plot.sizeHint().toTuple() == (280, 120)
    monkeypatch.setattr(SlicePlot, "hasFocus", lambda _: True)
    assert shapes(plot, nothing) == ["rect 1 1 298 198 round 4 2px focus"]


@pytest.mark.parametrize(
    ("at", "slope", "is_down", "first", "last"),
    [(0.5, 1e9, True, 4, 185), (1.9, 0.0, False, 227, 288), (-1.9, 0.0, False, 21, 82)],
)
def test_a_tangent_ends_4_px_above_and_below_the_room_and_1_px_beside_it(
    qtbot: QtBot, at: float, slope: float, is_down: bool, first: int, last: int
) -> None:
    """The room is from 22 to 288 and from 8 to 182; a tangent reaches 53 px from its point."""
    plot = made(qtbot)
    flat = {"left": slope, "right": slope, "slope": slope, "loss": 3.0}
    plot.show_slice(square(at, **flat), "x", "")
    frame, image = plot.frame, plot.grab().toImage()
    assert frame is not None
    point, amber = frame.point(at, 3.0), Appearance("dark").theme.color("grad.text")
    places = [
        QPoint(int(point.x()), n) if is_down else QPoint(n, int(point.y())) for n in range(200 if is_down else 300)
    ]
    shown = [n for n, place in enumerate(places) if abs(image.pixelColor(place).hue() - amber.hue()) < 8
             and image.pixelColor(place).saturation() > 90]  # fmt: skip
    assert (shown[0], shown[-1]) == (first, last)


@pytest.mark.parametrize(("turn", "asked"), [((0, 120), [-1]), ((0, -120), [1]), ((0, 1), [-1]), ((120, 0), [])])
def test_the_wheel_narrows_away_from_the_user(qtbot: QtBot, turn: tuple[int, int], asked: list[int]) -> None:
    plot, found = made(qtbot), list[int]()
    plot.widened.connect(found.append)
    none, keys, phase = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(QPointF(9, 9), QPointF(9, 9), QPoint(), QPoint(*turn), none, keys, phase, False)
    event.ignore()
    plot.wheelEvent(event)
    assert (found, event.isAccepted()) == (asked, True)
