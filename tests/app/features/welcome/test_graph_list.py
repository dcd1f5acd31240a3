"""A list of graphs, shape by shape, and how its thumbnails come. Units: px."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.welcome.graph_list import DRAWN, ENTRY, Entry, GraphList, _Delegate
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.engine.base.errors import FileError
from tests.app.drawn_shapes import recorded


def picture(size: QSize, _: Appearance, ratio: float) -> QPixmap:
    return QPixmap(size * ratio)


def broken(*_: object) -> QPixmap:
    raise FileError("It cannot be read.")


class Cell(QModelIndex):
    """A row with an entry and its thumbnail."""

    def __init__(self, entry: Entry, drawn: QPixmap | None = None) -> None:
        super().__init__()
        self._entry, self._drawn = entry, drawn

    def data(self, role: int = 0) -> object:
        return {ENTRY: self._entry, DRAWN: self._drawn}.get(role)  # type: ignore[call-overload]


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def shapes(parent: QWidget, cell: Cell, scale: float = 1.0) -> list[str]:
    """Returns what a row of 400 x 108 at (10, 20) draws."""
    look = Appearance("dark")
    look.text_scale = scale
    pixmap = QPixmap(500, 300)
    with QPainter(pixmap) as painter, recorded() as lines:
        _Delegate(look, parent, QSize(1, 1)).draw(painter, look.theme, QRect(10, 20, 400, 108), cell)
    return lines


def high(px: float, weight: int = 400) -> int:
    return QFontMetrics(font("ui", px, weight)).height()


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_row_has_a_thumbnail_a_name_and_its_lines(parent: QWidget, scale: float) -> None:
    """The thumbnail of 144 x 88 is 10 px from the sides, texts 14 px from it, and lines are 4 px apart."""
    name, line = high(13 * scale, 600), high(12 * scale)
    top = 30 + name + 4
    assert shapes(parent, Cell(Entry("a", ("one", "two"), picture)), scale) == [
        "fill 10 127 400 1 on border.subtle",
        "fill 20 30 144 88 on bg.canvas",
        "rect 20 30 144 88 1px border.default",
        f"text 177 30 222 {name} left {int(13 * scale)}px text.primary “a”",
        f"text 177 {top} 222 {line} left {int(12 * scale)}px text.secondary “one”",
        f"text 177 {top + line + 4} 222 {line} left {int(12 * scale)}px text.secondary “two”",
    ]


def test_a_fault_stands_below_and_has_a_sign_in_place_of_the_thumbnail(parent: QWidget) -> None:
    entry = Entry("a", (), picture, fault="It is wrong.")
    top = 30 + high(13, 600) + 4
    found = shapes(parent, Cell(entry, QPixmap()))
    assert found[2] == "icon 81 63 20 20 error error"
    # It may use the margin below, too.
    assert found[-1] == f"text 177 {top} 222 {117 + 10 - top} left 12px error “It is wrong.”"
    assert "icon" not in " ".join(shapes(parent, Cell(entry, QPixmap(144, 88))))
    assert "icon" not in " ".join(shapes(parent, Cell(Entry("a", (), picture), QPixmap())))


@pytest.mark.parametrize("scale", [1.0, 3.0])
def test_a_row_is_as_high_as_its_thumbnail_or_its_lines(parent: QWidget, scale: float) -> None:
    look = Appearance("dark")
    look.text_scale = scale
    delegate, line = _Delegate(look, parent, QSize(1, 1)), high(12 * scale) + 4
    for count, fault in ((0, ""), (1, ""), (3, ""), (3, "No."), (9, "No.")):
        entry = Entry("a", ("line",) * count, picture, fault)
        wanted = 20 + max(88, line * (1 + count + bool(fault)))
        assert delegate.sizeHint(None, Cell(entry)).toTuple() == (300, wanted)  # type: ignore[arg-type]


def test_all_of_an_entry_is_spoken() -> None:
    assert Entry("a", ("one", "", "two"), picture, "It is wrong").spoken == "a. one. two. It is wrong"
    assert Entry("a", (), picture).spoken == "a"


def listed(parent: QWidget, *entries: Entry) -> GraphList:
    made = GraphList(Appearance("dark"), parent)
    made.show_entries(entries)
    return made


def test_thumbnails_come_one_by_one_and_anew_with_the_theme(parent: QWidget, qtbot: QtBot) -> None:
    drawn: list[str] = []

    def noting(name: str) -> Entry:
        def draw(size: QSize, look: Appearance, ratio: float) -> QPixmap:
            assert (size.toTuple(), look.theme.name in ("dark", "light"), ratio) == ((144, 88), True, 1.0)
            drawn.append(name)
            return QPixmap(size)

        return Entry(name, (), draw)

    shown = listed(parent, noting("a"), noting("b"))
    assert shown.currentIndex().row() == 0 and [entry.name for entry in shown.entries] == ["a", "b"]
    shown._idle.stop()
    for names in (["a"], ["a", "b"], ["a", "b"]):
        shown._draw_next()
        assert drawn == names
    shown._idle.start(0)
    shown._draw_next()
    assert not shown._idle.isActive()
    shown._forget_pictures()
    assert shown._idle.isActive()
    qtbot.waitUntil(lambda: drawn == ["a", "b", "a", "b"])
    qtbot.waitUntil(lambda: not shown._idle.isActive())


def test_a_file_that_cannot_be_read_says_so_once(parent: QWidget) -> None:
    shown = listed(parent, Entry("a", ("x",), broken), Entry("b", (), picture))
    shown._idle.stop()
    shown._draw_next()
    assert [entry.fault for entry in shown.entries] == ["It cannot be read.", ""]
    spoken = shown.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "a. x. It cannot be read."
    shown._draw_next()
    assert not shown.model().index(1, 0).data(DRAWN).isNull()
    shown.remove(0)
    assert [entry.name for entry in shown.entries] == ["b"]


def test_enter_and_double_click_open_an_entry(parent: QWidget) -> None:
    shown, heard = listed(parent, Entry("a", (), picture), Entry("b", (), picture)), list[int]()
    shown.activated_entry.connect(heard.append)
    QTest.keyClick(shown, Qt.Key.Key_Down)
    QTest.keyClick(shown, Qt.Key.Key_Return)
    shown.doubleClicked.emit(shown.model().index(0, 0))
    assert heard == [1, 0]
    shown.show_entries(())
    QTest.keyClick(shown, Qt.Key.Key_Return)
    assert heard == [1, 0]
