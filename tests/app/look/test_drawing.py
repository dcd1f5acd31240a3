"""What all widgets draw alike: rows, chips, panels, rings, switches, crosses and the glyphs of statuses."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPen, QTextOption
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem

from gradwire.app.look.drawing import (
    clear_pixmap,
    draw_cross,
    draw_elided,
    draw_panel,
    draw_ring,
    inked,
    kept,
    smooth,
    text_flags,
)
from gradwire.app.look.rows import draw_key_chip, draw_row_back, key_chip_width
from gradwire.app.look.status_glyphs import draw_mark
from gradwire.app.look.switches import draw_switch
from gradwire.app.look.theme import font, theme
from tests.app.drawn_shapes import recorded

pytestmark = pytest.mark.usefixtures("qapp")
DARK = theme("dark")


def drawn(draw: Callable[[QPainter], object]) -> list[str]:
    image = QImage(9, 9, QImage.Format.Format_RGB32)
    with recorded() as lines, QPainter(image) as painter:
        draw(painter)
    return lines


State = QStyle.StateFlag


@pytest.mark.parametrize(
    ("state", "lines"),
    [
        (State.State_None, []),
        (State.State_MouseOver, ["fill 10 20 100 30 on bg.hover"]),
        (State.State_Selected, ["fill 10 20 100 30 on bg.selected"]),
        (State.State_Selected | State.State_MouseOver, ["fill 10 20 100 30 on bg.selected"]),
        (State.State_HasFocus, ["rect 11 21 98 28 2px focus"]),
        (State.State_MouseOver | State.State_HasFocus, ["fill 10 20 100 30 on bg.hover", "rect 11 21 98 28 2px focus"]),
    ],
)
def test_the_ground_of_a_row_shows_its_state(state: State, lines: list[str]) -> None:
    option = QStyleOptionViewItem()
    option.rect, option.state = QRect(10, 20, 100, 30), state  # type: ignore[assignment]  # the stub has no setters
    assert drawn(lambda painter: draw_row_back(painter, DARK, option)) == lines


@pytest.mark.parametrize(("middle", "top"), [(50, 41.5), (50.4, 41.5), (50.6, 42.5)])
def test_a_key_has_a_chip_that_ends_at_the_right_and_tells_its_left(middle: float, top: float) -> None:
    width, lefts = QFontMetrics(font("mono", 10)).horizontalAdvance("Ctrl") + 10, list[float]()
    assert key_chip_width("Ctrl") == width
    lines = drawn(lambda painter: lefts.append(draw_key_chip(painter, DARK, "Ctrl", 200, middle)))
    box = f"{200.5 - width:g} {top:g} {width - 1} 16"
    assert lines == [
        f"rect {box} round 4 1px border.default", f"text {box} middle 10px text.secondary “Ctrl”",
    ]  # fmt: skip
    assert lefts == [200.5 - width]


@pytest.mark.parametrize(
    ("is_on", "is_enabled", "lines"),
    [
        (False, True, ["1px border.strong on bg.sunken", "12 22 11 11 on border.strong"]),
        (True, True, ["1px accent on accent", "23 22 11 11 on text.on-accent"]),
        (True, False, ["1px border.strong on bg.sunken", "23 22 11 11 on border.strong"]),
        (False, False, ["1px border.strong on bg.sunken", "12 22 11 11 on border.strong"]),
    ],
)
def test_the_knob_of_a_switch_shows_its_state(is_on: bool, is_enabled: bool, lines: list[str]) -> None:
    track = QRectF(10, 20, 26, 15)
    assert drawn(lambda painter: draw_switch(painter, DARK, track, is_on, is_enabled)) == [
        f"rect 10.5 20.5 25 14 round 7.5 {lines[0]}",
        f"ellipse {lines[1]}",
    ]


def test_panels_rings_and_crosses() -> None:
    box = QRectF(10, 20, 100, 50)
    assert drawn(lambda painter: draw_panel(painter, DARK, box)) == [
        "rect 10.5 20.5 99 49 round 8 1px border.default on bg.overlay",
    ]  # fmt: skip
    assert drawn(lambda painter: draw_panel(painter, DARK, box, "alarm", 3)) == [
        "rect 10.5 20.5 99 49 round 3 1px alarm on bg.overlay",
    ]  # fmt: skip
    assert drawn(lambda painter: draw_ring(painter, DARK, box, 5)) == ["rect 11 21 98 48 round 5 2px focus"]
    cross = drawn(lambda painter: draw_cross(inked(painter, QPen(DARK.color("ok"), 2)), QPointF(10, 20), 3))
    assert cross == ["line 7 17 13 23 2px ok", "line 7 23 13 17 2px ok"]


def test_a_text_is_shortened_where_it_has_no_room() -> None:
    room = QRect(0, 0, 60, 20)
    for text, start, end in (("short", "“short", "short”"), ("a" * 20 + "b" * 20, "“aaa", "…”")):
        (line,) = drawn(lambda painter, text=text: draw_elided(painter, room, text))  # type: ignore[misc]
        said = line.split()[-1]
        assert said.startswith(start) and said.endswith(end)
    middle = Qt.TextElideMode.ElideMiddle
    (line,) = drawn(lambda painter: draw_elided(painter, room, "a" * 20 + "b" * 20, mode=middle))
    assert line.endswith("bb”") and line.startswith("text 0 0 60 20 left")


def test_what_is_changed_for_a_while_comes_back() -> None:
    def fail(painter: QPainter) -> None:
        with kept(painter):
            inked(painter, DARK.color("value"), DARK.color("value"), font("ui", 9))
            raise ValueError("mistake")

    ground = clear_pixmap(QSize(9, 9))
    with smooth(ground) as painter:
        assert painter.renderHints() & QPainter.RenderHint.Antialiasing
        inked(painter, DARK.color("ok"), DARK.color("alarm"), font("mono", 17))
        with pytest.raises(ValueError, match="mistake"):
            fail(painter)
        assert (painter.pen().color(), painter.brush().color()) == (DARK.color("ok"), DARK.color("alarm"))
        assert inked(painter).font() == font("mono", 17)


@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_a_clear_pixmap_has_nothing_on_it(ratio: float) -> None:
    made = clear_pixmap(QSize(8, 6), ratio)
    assert (made.width(), made.height(), made.devicePixelRatio()) == (8 * ratio, 6 * ratio, ratio)
    assert made.toImage().pixelColor(3, 3).alpha() == 0


def test_the_flags_of_a_text_are_its_alignment_and_whether_it_wraps() -> None:
    box, side, wraps = QRectF(), Qt.AlignmentFlag.AlignRight, Qt.TextFlag.TextWordWrap
    assert text_flags((box, side, "a")) == (side, False)
    assert text_flags((box, side | wraps, "a")) == (side, True)
    assert text_flags((box, "a", side)) == (side, False)
    assert text_flags((box, "a")) == (Qt.AlignmentFlag.AlignLeft, False)
    option = QTextOption(side)
    option.setWrapMode(QTextOption.WrapMode.NoWrap)
    assert text_flags((box, "a", option)) == (side, False)
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    assert text_flags((box, "a", option)) == (side, True)


def test_a_glyph_begins_at_its_left_middle() -> None:
    def glyph(mark: str) -> list[str]:
        return drawn(lambda painter: draw_mark(painter, QPointF(100, 50), QColor(DARK.color("ok")), mark))

    assert glyph("blocked") == [
        "fill 100 45.5 2 9 on ok",
        "lines 104 50 109.5 50 1.4px ok",
        "lines 104 50 106.5 47.5 1.4px ok",
        "lines 104 50 106.5 52.5 1.4px ok",
    ]
    assert glyph("zero") == ["ellipse 100.8 46.8 6.4 6.4 1.4px ok"]
    assert glyph("non_differentiable") == [
        "lines 100 53.5 104.5 53.5, 104.5 53.5 104.5 46.5, 104.5 46.5 109 46.5 1.4px ok",
    ]  # fmt: skip
