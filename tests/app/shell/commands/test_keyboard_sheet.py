"""The sheet of keys without a window: its lines, its columns at each width, and what typing leaves. Units: px."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QFontMetrics
from PySide6.QtTest import QSignalSpy
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.live.keys import Bindable, Keys
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.rows import key_chip_width
from gradwire.app.shell.commands import keyboard_map
from gradwire.app.shell.commands.gesture_help import gesture_help
from gradwire.app.shell.commands.keyboard_map import KeyboardMap, Line, _Area, _balanced, _LineWidget, map_lines
from tests.app.drawn_shapes import drawn, rooms

DARK = Appearance("dark")
TABLE = (
    Bindable("new", "New graph", "File", ("Ctrl+N",)),
    Bindable("save_as", "Save as …", "File, More", ("F12", "Ctrl+Shift+S")),
    Bindable("silent", "Without a key", "File", ()),
    Bindable("go_1", "Go to bookmark 1", "View", ("Alt+1",)),
    Bindable("go_2", "Go to bookmark 2", "View", ("Alt+2",)),
    Bindable("go_3", "Go to bookmark 3", "View", ("Alt+3",)),
    Bindable("set_1", "Go to bookmark 1", "View", ("Ctrl+1",)),
    Bindable("page", "Page", "Add", ("F7",)),
)


@pytest.fixture
def keys(tmp_path: Path) -> Keys:
    return Keys(Settings(tmp_path / "s.ini"), TABLE)


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(2000, 700)
    return made


@pytest.fixture
def sheet(keys: Keys, parent: QWidget, monkeypatch: pytest.MonkeyPatch) -> KeyboardMap:
    monkeypatch.setattr(keyboard_map, "gesture_help", lambda key: {"Mouse": [("Move the view", f"{key}+drag")]})
    return KeyboardMap(keys, DARK, parent)


def test_lines_are_those_with_keys_and_a_series_is_one_then_come_the_gestures(keys: Keys) -> None:
    lines = map_lines(keys)
    assert lines[:5] == [
        Line("File", "New graph", ("Ctrl+N",)),
        Line("File", "Save as", ("F12", "Ctrl+Shift+S")),
        Line("View", "Go to bookmark 1 … 3", ("Alt+1", "…", "Alt+3")),
        Line("View", "Go to bookmark 1", ("Ctrl+1",)),
        Line("Add", "Page", ("F7",)),
    ]
    told = gesture_help("Space")
    assert lines[5:] == [Line(area, text, mouse=mouse) for area, rows in told.items() for text, mouse in rows]


def test_a_series_without_a_number_in_its_name_keeps_the_name(tmp_path: Path) -> None:
    table = [Bindable(f"a{n}", "Look", "View", (f"Alt+{n}",)) for n in (1, 2)]
    found = map_lines(Keys(Settings(tmp_path / "s.ini"), table))[0]
    assert found == Line("View", "Look", ("Alt+1", "…", "Alt+2"))


def columns(sheet: KeyboardMap) -> list[list[QWidget]]:
    """The areas in each column."""
    found = []
    for column in sheet._columns:
        items = [column.itemAt(row) for row in range(column.count())]
        found.append([made for item in items if item is not None and (made := item.widget()) is not None])
    return found


@pytest.mark.parametrize("count", [1, 2, 3])
def test_as_many_columns_as_fit_are_filled_in_order(sheet: KeyboardMap, count: int) -> None:
    needed = max(area.needed_width for area in sheet._areas)
    # Gaps of 36 between columns, and 40 around them.
    least = count * needed + (count - 1) * 36 + 40
    for width, expected in ((least, count), (least - 1, max(count - 1, 1))):
        sheet.resize(width, 500)
        QApplication.sendEvent(sheet, QEvent(QEvent.Type.LayoutRequest))
        found = columns(sheet)
        assert [area for column in found for area in column] == sheet._areas
        assert [bool(column) for column in found] == [number < expected for number in range(3)]
        assert [sheet._sheet_row.stretch(number) for number in range(3)] == [int(n < expected) for n in range(3)]
        # Below the areas of a column the rest of its height is free.
        assert [column.stretch(column.count() - 1) for column in sheet._columns[:expected]] == [1] * expected


def test_no_width_has_more_than_three_columns(sheet: KeyboardMap) -> None:
    sheet.resize(9000, 500)
    QApplication.sendEvent(sheet, QEvent(QEvent.Type.Show))
    assert len(sheet._columns) == 3 == sum(map(bool, columns(sheet)))


@pytest.mark.parametrize(("room", "size"), [((2000, 900), (1120, 760)), ((900, 500), (900, 500))])
def test_the_sheet_is_no_larger_than_its_window(
    keys: Keys, parent: QWidget, room: tuple[int, int], size: tuple[int, int]
) -> None:
    parent.resize(*room)
    assert KeyboardMap(keys, DARK, parent).size().toTuple() == size  # type: ignore[attr-defined]


def shown(sheet: KeyboardMap) -> list[str]:
    return [label.text() for label in sheet.findChildren(_LineWidget) if not label.isHidden()]


def nothing(sheet: KeyboardMap) -> QLabel:
    found = sheet.findChild(QLabel, "map_nothing")
    assert isinstance(found, QLabel)
    return found


def test_typing_leaves_what_fits_whatever_its_case_and_says_if_nothing_does(sheet: KeyboardMap) -> None:
    field = sheet.findChild(QLineEdit, "map_search")
    assert isinstance(field, QLineEdit) and len(shown(sheet)) == 6 and nothing(sheet).isHidden()
    field.setText("CTRL new")
    assert shown(sheet) == ["New graph"] and nothing(sheet).isHidden()
    assert [area.isHidden() for area in sheet._areas] == [False, True, True, True]
    field.setText(" qq ")
    assert shown(sheet) == [] and not nothing(sheet).isHidden()
    assert nothing(sheet).text() == 'No key and no gesture is called "qq".'


def test_the_button_closes_the_sheet_and_asks_for_other_keys(sheet: KeyboardMap) -> None:
    wanted, button = QSignalSpy(sheet.change_wanted), sheet.findChild(QAbstractButton, "map_change")
    sheet.show()
    assert isinstance(button, QAbstractButton)
    button.click()
    assert wanted.count() == 1 and not sheet.isVisible()


def test_gaps_of_the_sheet(sheet: KeyboardMap) -> None:
    sheet.resize(1120, 700)
    assert sheet._sheet_row.spacing() == 36 and {column.spacing() for column in sheet._columns} == {14}
    assert [sheet._sheet_row.stretch(number) for number in range(3)] == [1, 1, 1]
    layout = sheet.layout()
    assert isinstance(layout, QVBoxLayout) and layout.spacing() == 10
    assert [layout.stretch(row) for row in range(3)] == [0, 0, 1]
    area = sheet._areas[0]
    assert rooms(area) == ["0 · 0"]
    # Heading, a gap of 4, and lines of 24.
    assert area.sizeHint().height() == area.findChildren(QLabel)[0].sizeHint().height() + 4 + 24 * (area.rows - 2)


def line(parent: QWidget, keys: Sequence[str] = (), mouse: str = "", text: str = "Fit the page") -> _LineWidget:
    made = _LineWidget(Line("View", text, tuple(keys), mouse), DARK)
    made.setParent(parent)
    return made


def test_a_line_needs_its_name_12_px_its_keys_with_5_px_each_or_its_words(parent: QWidget) -> None:
    one = line(parent)
    name = one.fontMetrics().horizontalAdvance("Fit the page")
    assert one.needed_width == name + 12 and one.minimumHeight() == one.maximumHeight() == 24
    two = line(parent, ("Home", "F"))
    assert two.needed_width == name + 12 + round(key_chip_width("Home") + 5 + key_chip_width("F") + 5)
    words = line(parent, mouse="drag, or wheel")
    small = words._small()
    assert small.pixelSize() == one.font().pixelSize() - 1 == 11
    assert words.needed_width == name + 12 + QFontMetrics(small).horizontalAdvance("drag, or wheel")
    assert (two.accessibleName(), words.accessibleName()) == (
        "Fit the page: Home, F", "Fit the page: drag, or wheel",
    )  # fmt: skip


def test_words_have_what_the_name_leaves_and_keys_end_at_the_edge(parent: QWidget) -> None:
    words = line(parent, mouse="drag")
    left = words.fontMetrics().horizontalAdvance("Fit the page") + 12
    assert drawn(words, 300, 24)[1] == f"text {left} 0 {300 - left} 24 right 11px text.secondary “drag”"
    home, f = key_chip_width("Home"), key_chip_width("F")
    found = [shape for shape in drawn(line(parent, ("Home", "F")), 300, 24) if shape.startswith("rect")]
    first = 300 - f + 0.5
    assert found[0].startswith(f"rect {first:g} 3.5 {f - 1:g} 16")
    assert found[1].startswith(f"rect {first - 5 - home + 0.5:g} 3.5 {home - 1:g} 16")


def test_a_name_gives_way_to_its_keys(parent: QWidget) -> None:
    made = line(parent, ("Home",))
    room = made.fontMetrics().horizontalAdvance("Fit the page") + round(key_chip_width("Home") + 5)
    assert drawn(made, room, 24)[0].endswith("“Fit the page”")
    assert drawn(made, room - 8, 24)[0].endswith("…”")


def heights(parent: QWidget, *rows: int) -> list[_Area]:
    found = [_Area("View", [Line("View", "Fit", ("Home",))] * (count - 2), DARK) for count in rows]
    for area in found:
        area.setParent(parent)
    return found


@pytest.mark.parametrize(
    ("rows", "count", "sizes"),
    [
        ((3, 3, 3), 3, [1, 1, 1]),
        ((3, 3, 3), 2, [1, 2]),
        ((6, 3, 3), 2, [1, 2]),
        ((3, 3, 6), 2, [2, 1]),
        ((3, 4, 5), 1, [3]),
        ((3, 3, 3, 12), 3, [2, 1, 1]),
        ((12, 3, 3, 3), 3, [1, 1, 2]),
        ((3, 12, 3), 3, [1, 1, 1]),
        ((18, 3, 3), 3, [0, 1, 2]),
    ],
)
def test_an_area_is_where_its_middle_lies_in_a_fair_share(
    parent: QWidget, rows: tuple[int, ...], count: int, sizes: list[int]
) -> None:
    areas = heights(parent, *rows)
    assert [area.rows for area in areas] == list(rows)
    found = _balanced(areas, count)
    assert [len(column) for column in found] == sizes and [area for column in found for area in column] == areas
