"""The cards of the examples without a window: where they stand, what is drawn on them, and how keys walk."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QBoxLayout, QFrame, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_names, example_topic
from gradwire.app.features.welcome.welcome_cards import ExamplesArea
from gradwire.app.kit.controls.radio_button import RadioButton
from gradwire.app.kit.wire_key import WireKey
from gradwire.app.look.appearance import Appearance
from tests.app.drawn_shapes import recorded

Made = list[tuple[str, tuple[int, int], float]]


@pytest.fixture
def made() -> Made:
    return []


@pytest.fixture
def area(qtbot: QtBot, made: Made) -> ExamplesArea:
    def make(path: Path, size: QSize, _: Appearance, ratio: float) -> QPixmap:
        made.append((path.stem, size.toTuple(), ratio))
        return QPixmap(size * ratio)

    found = ExamplesArea(Appearance("dark"), make)
    qtbot.addWidget(found)
    found.resize(1000, 800)
    found.show()
    return found


def card(area: ExamplesArea, place: int) -> QWidget:
    found = area.findChild(QWidget, f"example_{example_names()[place]}")
    assert isinstance(found, QWidget)
    return found


@pytest.mark.parametrize(("width", "columns"), [(1115, 3), (1116, 4), (832, 3), (831, 2), (548, 2), (547, 1), (100, 1)])
def test_cards_of_264_by_206_stand_20_px_apart(area: ExamplesArea, width: int, columns: int) -> None:
    """Around each card 5 px are for the ring of the keyboard."""
    grid = card(area, 0).parentWidget()
    grid.resize(width, 800)
    corners = [card(area, place).geometry().getRect() for place in range(2 * columns)]
    assert corners == [(284 * (n % columns) - 5, 226 * (n // columns), 274, 216) for n in range(2 * columns)]
    rows = -(-len(example_names()) // columns)
    assert grid.height() == 226 * rows - 10


def test_a_topic_leaves_its_cards_in_one_grid(area: ExamplesArea, qtbot: QtBot) -> None:
    grid = card(area, 0).parentWidget()
    for topic in ("loops", "depth"):
        button = area.findChild(RadioButton, f"topic_{topic}")
        assert isinstance(button, RadioButton)
        button.click()
        shown = [place for place, name in enumerate(example_names()) if example_topic(name) == topic]
        assert [place for place in range(len(example_names())) if not card(area, place).isHidden()] == shown
        assert [card(area, place).pos().toTuple() for place in shown] == [
            (284 * (n % 3) - 5, 226 * (n // 3)) for n in range(len(shown))
        ]
        assert grid.height() == 226 * -(-len(shown) // 3) - 10


@pytest.mark.parametrize(
    ("start", "key", "end"),
    [
        (0, Qt.Key.Key_Right, 1),
        (1, Qt.Key.Key_Left, 0),
        (0, Qt.Key.Key_Left, 0),
        (0, Qt.Key.Key_Up, 0),
        (0, Qt.Key.Key_Down, 3),
        (4, Qt.Key.Key_Up, 1),
        (2, Qt.Key.Key_End, -1),
        (-1, Qt.Key.Key_Down, -1),
        (-1, Qt.Key.Key_Right, -1),
        (5, Qt.Key.Key_Home, 0),
        (-1, Qt.Key.Key_Home, 0),
    ],
)
def test_keys_walk_from_card_to_card(area: ExamplesArea, qtbot: QtBot, start: int, key: Qt.Key, end: int) -> None:
    area.activateWindow()
    card(area, start).setFocus()
    QTest.keyClick(card(area, start), key)
    assert area.focusWidget() is card(area, end)


def test_a_card_has_a_picture_two_lines_and_its_topic(area: ExamplesArea, made: Made, qtbot: QtBot) -> None:
    first = card(area, 0)
    with recorded(has_paths=True) as lines:
        first.grab()
    assert lines == [
        "fill 5 5 264 106 on bg.canvas",
        "fill 5 110 264 1 on border.subtle",
        "path 5.5 5.5 263 205 1px border.default",
        "text 19 123 236 78 left 13px text.primary “Stable softmax”",
        "text 19 144 236 57 left 12px text.secondary “Why the maximum stays out of the”",
        "text 19 161 236 57 left 12px text.secondary “gradient.”",
        "fill 19 191 7 7 on value",
        "text 33 111 222 92 left 11px text.tertiary “Softmax”",
    ]
    name = example_names()[0]
    qtbot.waitUntil(lambda: (name, (264, 106), 1.0) in made)
    count = len([item for item in made if item[0] == name])
    first.grab()
    assert len([item for item in made if item[0] == name]) == count
    # At larger texts a card grows, and its picture is made anew.
    first.setFixedSize(548, 432)
    first.grab()
    qtbot.waitUntil(lambda: (name, (264, 106), 2.0) in made)


def test_a_focused_card_has_a_ring(area: ExamplesArea, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    first = card(area, 0)
    with recorded(has_paths=True) as plain:
        first.grab()
    monkeypatch.setattr(type(first), "hasFocus", lambda _: True)
    with recorded(has_paths=True) as ringed:
        first.grab()
    (ring,) = [line for line in ringed if line not in plain]
    assert "focus" in ring and "round 13" in ring
    monkeypatch.setattr(type(first), "underMouse", lambda _: True)
    with recorded(has_paths=True) as hovered:
        first.grab()
    assert "path 5.5 5.5 263 205 1px border.strong" in hovered


@pytest.mark.parametrize(
    ("size", "margins", "below", "has_key"),
    [
        ((800, 720), (40, 46, 27), (40, 16, 40, 28), True),
        ((799, 720), (28, 46, 27), (28, 16, 28, 28), True),
        ((800, 719), (40, 46, 27), (40, 0, 40, 0), False),
    ],
)
def test_a_narrow_page_has_less_margin_and_a_low_one_no_key(
    area: ExamplesArea, size: tuple[int, int], margins: tuple[int, ...], below: tuple[int, ...], has_key: bool
) -> None:
    """The ring of a card takes 5 of the 32 px below the cards."""
    area.resize(*size)
    content = area.findChild(RadioButton, "topic_all").parentWidget().parentWidget()  # type: ignore[union-attr]
    found = content.layout().contentsMargins()
    assert (found.left(), found.top(), found.bottom()) == margins
    bar = area.style().pixelMetric(area.style().PixelMetric.PM_ScrollBarExtent)
    assert found.right() == margins[0] - bar
    key = area.findChild(QFrame, "welcome_key")
    assert isinstance(key, QFrame) and key.isHidden() is not has_key
    around = area.layout().itemAt(area.layout().count() - 1).layout().contentsMargins()
    assert (around.left(), around.top(), around.right(), around.bottom()) == below


def test_the_key_stands_beside_its_hint_or_below_in_fewer_columns(area: ExamplesArea) -> None:
    key = area.findChild(QFrame, "welcome_key")
    inner = area.findChild(WireKey)
    assert isinstance(key, QFrame) and isinstance(inner, WireKey)
    layout = key.layout()
    assert isinstance(layout, QBoxLayout)
    three, two = inner.width_of(3), inner.width_of(2)
    arranged: list[int] = []
    inner.arrange = arranged.append  # type: ignore[method-assign]
    # Margins of 22 px, and 16 px beside a hint of at least 260.
    for room, direction, columns in (
        (three + 16 + 260, "LeftToRight", 3),
        (three + 16 + 259, "TopToBottom", 3),
        (three, "TopToBottom", 3),
        (three - 1, "TopToBottom", 2),
        (two, "TopToBottom", 2),
        (two - 1, "TopToBottom", 1),
        (three + 16 + 260, "LeftToRight", 3),
    ):
        key.setFixedWidth(room + 44)
        key.resize(room + 44, key.height())
        assert (layout.direction().name, arranged[-1:] or [3]) == (direction, [columns])


def test_a_card_that_keys_reach_is_scrolled_to(area: ExamplesArea, qtbot: QtBot) -> None:
    area.resize(1000, 500)
    bar = next(item for item in area.findChildren(QScrollArea) if item.isAncestorOf(card(area, 0))).verticalScrollBar()
    qtbot.waitUntil(lambda: bar.maximum() > 0)
    assert bar.value() == 0
    QTest.keyClick(card(area, 0), Qt.Key.Key_End)
    assert bar.value() > bar.maximum() - 100
    QTest.keyClick(card(area, -1), Qt.Key.Key_Home)
    assert bar.value() < 200
    # A grid that stands alone has nothing to scroll.
    last, grid = card(area, -1), card(area, 0).parentWidget()
    grid.setParent(None)  # type: ignore[call-overload]
    qtbot.addWidget(grid)
    grid._show_focused(last)  # type: ignore[attr-defined]
    assert grid.parentWidget() is None
