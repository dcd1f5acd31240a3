"""Rows of lists: their backgrounds, the ring of the keyboard, and the box around a key."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, QRect, QSize
from PySide6.QtGui import QImage, QPainter, QStandardItemModel
from PySide6.QtWidgets import QStyle, QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.look.appearance import Appearance
from gradwire.app.look.rows import Index, RowDelegate, draw_key_chip, key_chip_width
from gradwire.app.look.theme import Theme, theme
from tests.app.drawn_shapes import recorded

State = QStyle.StateFlag
BACK = "fill 10 20 100 30 on "


class Words(RowDelegate):
    """A delegate that writes a word."""

    def draw(self, painter: QPainter, _: Theme, rect: QRect, index: Index) -> None:  # noqa: ARG002
        painter.drawText(rect, 0, "word")


@pytest.mark.parametrize(
    ("state", "drawn"),
    [
        (State.State_None, []),
        (State.State_MouseOver, [f"{BACK}bg.hover"]),
        (State.State_Selected, [f"{BACK}bg.selected"]),
        (State.State_Selected | State.State_MouseOver, [f"{BACK}bg.selected"]),
        (State.State_HasFocus, ["rect 11 21 98 28 2px focus"]),
        (State.State_Selected | State.State_HasFocus, [f"{BACK}bg.selected", "rect 11 21 98 28 2px focus"]),
        (State.State_Enabled, []),
    ],
)
def test_a_row_shows_its_state_behind_what_stands_on_it(
    state: QStyle.StateFlag, drawn: list[str], qtbot: QtBot
) -> None:
    parent, option = QWidget(), QStyleOptionViewItem()
    qtbot.addWidget(parent)
    option.rect, option.state = QRect(10, 20, 100, 30), state  # type: ignore[assignment]
    delegate, image = Words(Appearance("dark"), parent, QSize(70, 30)), QImage(200, 100, QImage.Format.Format_RGB32)
    with QPainter(image) as painter, recorded() as found:
        before = painter.pen()
        delegate.paint(painter, option, QModelIndex())
        assert painter.pen() == before
    assert [line.replace(" on #000000", "") for line in found[:-1]] == drawn and "word" in found[-1]
    assert delegate.sizeHint(option, QStandardItemModel().index(0, 0)) == QSize(70, 30)


def test_a_key_stands_in_a_box_of_17_px_that_ends_at_its_place(qapp: object) -> None:
    """5 px are on either side of the text; the line of 1 px lies within."""
    width = key_chip_width("Ctrl+K")
    assert width - 10 == key_chip_width("Ctrl+KCtrl+K") - width
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    with QPainter(image) as painter, recorded() as found:
        left = draw_key_chip(painter, theme("dark"), "Ctrl+K", 150.0, 40.4)
    box, text = found
    place = f"{150 - width + 0.5:g} 31.5 {width - 1} 16"
    assert box.startswith(f"rect {place} round 4 1px border.default") and left == 150 - width + 0.5
    assert text == f"text {place} middle 10px text.secondary “Ctrl+K”"
