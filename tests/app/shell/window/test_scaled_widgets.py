"""The sizes that the size of texts scales, and those that it leaves to Qt. Units: px."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QPainter, QStandardItemModel
from PySide6.QtWidgets import QLabel, QStyledItemDelegate, QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.look.theme import font
from gradwire.app.look.widgets import OWN_SIZES
from gradwire.app.shell.window.panel_texts import PanelTexts, ScaledRows, _usual
from tests.app.strokes import strokes


@pytest.fixture
def root(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


SETTINGS: list[tuple[Callable[[QLabel], object], tuple[int, ...]]] = [
    (QLabel.clear, (0, 0, 0, 0, 0)),
    (lambda label: label.setFont(font("ui", 12)), (12, 0, 0, 0, 0)),
    (lambda label: label.setFixedHeight(24), (0, 24, 24, 0, 0)),
    (lambda label: label.setMaximumHeight(24), (0, 24, 0, 0, 0)),
    # Left to the style sheet.
    (lambda label: label.setMinimumHeight(24), (0, 0, 0, 0, 0)),
    (lambda label: label.setFixedWidth(80), (0, 0, 0, 80, 80)),
    (lambda label: label.setMinimumWidth(80), (0, 0, 0, 0, 80)),
    (lambda label: label.setMaximumWidth(80), (0, 0, 0, 80, 0)),
]


@pytest.mark.parametrize(("set_size", "usual"), SETTINGS)
def test_sizes_that_a_widget_has_set_itself_are_scaled(
    root: QWidget, set_size: Callable[[QLabel], object], usual: tuple[int, ...]
) -> None:
    label = QLabel(root)
    set_size(label)
    assert _usual(label) == usual
    texts = PanelTexts(root)
    texts.set_scale(1.5)
    px, high, low, wide, narrow = usual
    if px:
        assert label.font().pixelSize() == round(1.5 * px)
    assert label.maximumHeight() == (round(1.5 * high) or 16777215)
    assert label.maximumWidth() == (round(1.5 * wide) or 16777215)
    assert label.minimumWidth() == round(1.5 * narrow) and (not low or label.minimumHeight() == round(1.5 * low))
    texts.set_scale(1.0)
    assert _usual(label) == usual


def test_what_sizes_itself_and_what_stands_in_it_keeps_its_sizes(root: QWidget) -> None:
    around = QWidget(root)
    inner = QLabel(around)
    for widget in (around, inner):
        widget.setFixedSize(50, 20)
        widget.setFont(font("ui", 12))
    assert _usual(around) == _usual(inner) == (12, 20, 20, 50, 50)
    inner.setProperty(OWN_SIZES, True)
    assert (_usual(around), _usual(inner)) == ((12, 20, 20, 50, 50), (12, 0, 0, 0, 0))
    inner.setProperty(OWN_SIZES, False)
    around.setProperty(OWN_SIZES, True)
    assert _usual(around) == _usual(inner) == (12, 0, 0, 0, 0)
    root.setFixedSize(50, 20)
    assert _usual(root) == (0, 0, 0, 0, 0)


class Boxes(QStyledItemDelegate):
    """A delegate that paints the rectangle of a row of 200 x 30."""

    def sizeHint(self, _: object, __: object) -> QSize:
        return QSize(200, 30)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, _: object) -> None:
        painter.drawRect(option.rect)


@pytest.mark.parametrize("scale", [1.0, 1.5, 2.0])
def test_rows_are_painted_larger_at_their_place(root: QWidget, scale: float) -> None:
    rows, model = ScaledRows(Boxes(root), scale, root), QStandardItemModel(1, 1, root)
    option = QStyleOptionViewItem()
    option.rect = QRect(10, 60, 300, 45)
    index = model.index(0, 0)
    assert rows.sizeHint(option, index) == QSize(200, 30) * scale
    (box,) = strokes(lambda painter: rows.paint(painter, option, index))
    assert box.at == pytest.approx((10, 60, 300, 45), abs=1)
    assert box.at[:2] == (10, 60)
