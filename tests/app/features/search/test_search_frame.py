"""A popup of entries: its keys, its texts, its place on the screen, and its rows as they are drawn."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QListView, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.search.search_frame import ListPopup
from gradwire.app.kit.search.entries import ENTRY, Entry, EntryModel, heading
from gradwire.app.look.appearance import Appearance

Key = Qt.Key


class Letters(ListPopup):
    """A popup that finds the letters of a query."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(Appearance("dark"), "letters", "Type letters", "Letters", QSize(200, 300), parent)
        self.taken: list[str] = []

    def entry(self, letter: str) -> Entry:
        call = lambda: self.taken.append(letter)  # noqa: E731  # each entry has its letter
        return Entry(f"id:{letter}", letter, call, hint=f"Takes {letter}", is_possible=letter != "z")

    def found(self, query: str) -> tuple[Sequence[Entry], str]:
        return [self.entry(letter) for letter in query], "" if query else "Type something"


@pytest.fixture
def popup(qtbot: QtBot) -> Letters:
    made = Letters()
    qtbot.addWidget(made)
    made.open_with_corner(QPoint(100, 120))
    return made


def field(popup: Letters) -> QLineEdit:
    found = popup.findChild(QLineEdit, "letters_field")
    assert found is not None
    return found


def rows(popup: Letters) -> QListView:
    found = popup.findChild(QListView, "letters_list")
    assert found is not None
    return found


def said(popup: Letters, name: str) -> str:
    found = popup.findChild(QLabel, f"letters_{name}")
    assert found is not None
    return "" if found.isHidden() else found.text()


def test_the_keys_of_the_field_move_through_the_list_and_choose(popup: Letters, qtbot: QtBot) -> None:
    assert (said(popup, "message"), said(popup, "hint"), field(popup).height()) == ("Type something", "", 36)
    qtbot.keyClicks(field(popup), "abc")
    assert (said(popup, "message"), said(popup, "hint")) == ("", "Takes a")
    assert rows(popup).currentIndex().data() == "a"
    for key, letter in ((Key.Key_Down, "b"), (Key.Key_PageDown, "c"), (Key.Key_Up, "b"), (Key.Key_PageUp, "a")):
        qtbot.keyClick(field(popup), key)
        assert rows(popup).currentIndex().data() == letter
    qtbot.keyClick(field(popup), Key.Key_Down)
    with qtbot.waitSignal(popup.closed):
        qtbot.keyClick(field(popup), Key.Key_Return)
    assert (popup.taken, popup.isVisible()) == (["b"], False)


def test_a_new_opening_begins_empty(popup: Letters, qtbot: QtBot) -> None:
    qtbot.keyClicks(field(popup), "ab")
    popup.open_with_corner(QPoint(0, 0))
    assert (field(popup).text(), rows(popup).model().rowCount(), popup.taken) == ("", 0, [])
    qtbot.keyClick(field(popup), Key.Key_Enter)
    assert popup.isVisible()


def test_what_is_not_possible_stays_and_escape_leaves(popup: Letters, qtbot: QtBot) -> None:
    qtbot.keyClicks(field(popup), "z")
    qtbot.keyClick(rows(popup), Key.Key_Return)
    assert popup.isVisible() and popup.taken == []
    qtbot.keyClick(rows(popup), Key.Key_Escape)
    assert not popup.isVisible()


def test_a_click_chooses(popup: Letters, qtbot: QtBot) -> None:
    qtbot.keyClicks(field(popup), "abc")
    place = rows(popup).visualRect(rows(popup).model().index(2, 0)).center()
    qtbot.mouseClick(rows(popup).viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert popup.taken == ["c"]


def test_a_popup_opens_at_its_corner_or_as_near_as_it_fits(popup: Letters) -> None:
    room = popup.screen().availableGeometry()
    for corner, at in (
        (QPoint(100, 120), (100, 120)),
        (QPoint(-50, -60), (room.left(), room.top())),
        (QPoint(99_999, 99_999), (room.right() - 199, room.bottom() - 299)),
        (QPoint(room.right() - 198, 10), (room.right() - 199, 10)),
        (QPoint(10, room.bottom() - 298), (10, room.bottom() - 299)),
    ):
        popup.open_with_corner(corner)
        assert popup.pos().toTuple() == at


def lower_right(popup: Letters) -> QPoint:
    return QRect(popup.pos(), popup.size()).bottomRight()


@pytest.mark.parametrize(("scale", "size"), [(1.0, (200, 300)), (1.5, (300, 450)), (3.0, (500, 450))])
def test_a_popup_grows_with_texts_inside_its_window_if_that_has_room(
    qtbot: QtBot, scale: float, size: tuple[int, int]
) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.setGeometry(50, 60, 500, 450)
    made = Letters(parent)
    made._appearance.set_text_scale(scale)
    for _ in range(2):  # The platform of tests moves a window that it shows for the first time.
        made.open_with_corner(QPoint(9_999, 9_999))
    assert made.size().toTuple() == size and lower_right(made) == parent.geometry().bottomRight()
    parent.resize(100, 90)
    made.open_with_corner(QPoint(9_999, 9_999))
    assert lower_right(made) == made.screen().availableGeometry().bottomRight()
    made.close()


def test_a_row_says_all_that_its_entry_has_and_a_heading_cannot_be_chosen() -> None:
    model, selectable = EntryModel(), Qt.ItemFlag.ItemIsSelectable
    model.fill([heading("Add"), Entry("a", "A", print, "detail", tip="<b>", block="layers.A")])
    title, one = (model.index(row, 0) for row in range(2))
    assert [bool(model.flags(index) & selectable) for index in (title, one)] == [False, True]
    assert "&lt;b&gt;" in one.data(Qt.ItemDataRole.ToolTipRole) and one.data(ENTRY).text == "A"
    assert one.data(Qt.ItemDataRole.AccessibleDescriptionRole) == "detail"
    model.fill([])
    assert model.rowCount() == 0


def test_the_first_row_below_a_heading_is_the_current_one(qtbot: QtBot) -> None:
    letters = Letters()
    qtbot.addWidget(letters)
    letters.show_entries([heading("Add"), Entry("a", "A", print, hint="how"), heading("Do"), Entry("b", "B", print)])
    view = letters.findChild(QListView)
    assert view.currentIndex().row() == 1
    qtbot.keyClick(view, Key.Key_Down)
    assert view.currentIndex().row() == 3
