"""The lines of the keyboard map: what they draw, the width that they need, and which columns they fill. Units: px."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.look.appearance import Appearance
from gradwire.app.look.rows import key_chip_width
from gradwire.app.look.theme import font
from gradwire.app.shell.commands.keyboard_map import Line, _Area, _balanced, _LineWidget
from tests.app.drawn_shapes import drawn

DARK = Appearance("dark")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def line(parent: QWidget, *keys: str, mouse: str = "") -> _LineWidget:
    made = _LineWidget(Line("View", "Fit the page", keys, mouse), DARK)
    made.setParent(parent)
    return made


def test_keys_stand_at_the_right_5_px_apart(parent: QWidget) -> None:
    found = drawn(line(parent, "Home", "F"), 300, 24)
    assert found[0].startswith("text 0 0 300 24 left 12px text.primary “Fit the page”")
    boxes = [tuple(map(float, item.split()[1:5])) for item in found if item.startswith("rect")]
    last, first = boxes
    assert last[0] + last[2] == pytest.approx(300, abs=0.6)
    assert first[0] + first[2] + 5 == pytest.approx(last[0], abs=1.1)
    assert last[1] + last[3] / 2 == pytest.approx(12, abs=0.6)


def test_words_of_the_mouse_stand_at_the_right(parent: QWidget) -> None:
    name, mouse = drawn(line(parent, mouse="drag"), 300, 24)
    assert name.endswith("“Fit the page”") and mouse.endswith("“drag”") and " right " in mouse
    left = float(mouse.split()[1])
    width = QFontMetrics(font("ui", 12)).horizontalAdvance("Fit the page")
    assert width <= left <= width + 16
    assert float(mouse.split()[3]) == pytest.approx(300 - left)


def test_the_needed_width_has_name_and_keys(parent: QWidget) -> None:
    name = QFontMetrics(font("ui", 12)).horizontalAdvance("Fit the page")
    alone, one, two = (line(parent, *keys).needed_width for keys in ((), ("Home",), ("Home", "F")))
    assert name <= alone <= name + 12
    assert one - alone == pytest.approx(key_chip_width("Home") + 5, abs=12)
    assert two - one == pytest.approx(key_chip_width("F") + 5, abs=1)


@pytest.mark.parametrize(
    ("query", "count"), [("", 2), ("home", 1), ("view", 2), ("fit", 1), ("drag", 1), ("view drag", 1), ("fit drag", 0)]
)
def test_an_area_shows_the_lines_with_every_word(parent: QWidget, query: str, count: int) -> None:
    lines = [Line("View", "Fit", ("Home",)), Line("View", "Move", mouse="drag")]
    area = _Area("View", lines, DARK)
    area.setParent(parent)
    assert area.show_only(query) == count and area.isHidden() is (count == 0)
    assert area.rows == 4
    assert area.needed_width == max(widget.needed_width for _, widget in area._lines)


def test_columns_are_about_equally_long(parent: QWidget) -> None:
    areas = []
    for count in (6, 2, 2, 4):
        areas.append(_Area("View", [Line("View", "Fit", ("Home",))] * count, DARK))
        areas[-1].setParent(parent)
    for columns in (1, 2, 3):
        found = [list(column) for column in _balanced(areas, columns)]
        assert [area for column in found for area in column] == areas and len(found) <= columns
    first, second = _balanced(areas, 2)
    # 8 and 4 rows, then 4 and 6.
    assert (len(first), len(second)) == (2, 2)
