"""Rows of entries and the field above them, as they are drawn. Units: px."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QFontMetrics, QImage, QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.search.entries import Entry, EntryModel, heading
from gradwire.app.kit.search.entry_rows import EntryDelegate, SearchField, draw_entry, icon_box
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.rows import key_chip_width
from gradwire.app.look.theme import font, theme
from tests.app.drawn_shapes import drawn, recorded


def rows_drawn(entry: Entry, width: int) -> list[str]:
    image = QImage(9, 9, QImage.Format.Format_RGB32)
    with recorded() as lines, QPainter(image) as painter:
        draw_entry(painter, theme("dark"), QRect(10, 100, width, 28), entry)
    return lines


def test_an_entry_has_its_icon_and_name_at_the_left_and_all_else_at_the_right() -> None:
    entry = Entry("a", "Name", print, "Detail", "x + y", icon="exp", token="value", key="F7")
    chip, detail, formula = (
        key_chip_width("F7"),
        QFontMetrics(font("ui", 11)).horizontalAdvance("Detail"),
        QFontMetrics(font("mono", 11)).horizontalAdvance("x + y"),
    )
    # The chip begins half a px later, and 10 px before it ends what follows; between that are 12 px.
    right = round(409 - chip + 0.5) - 10
    assert rows_drawn(entry, 400) == [
        "icon 10 107 14 14 value exp",
        f"rect {409 - chip + 0.5:g} 104.5 {chip - 1} 16 round 4 1px border.default",
        f"text {409 - chip + 0.5:g} 104.5 {chip - 1} 16 middle 10px text.secondary “F7”",
        f"text 31 100 {right - 31} 28 right 11px text.tertiary “Detail”",
        f"text 31 100 {right - 31 - detail - 12} 28 right 11px text.tertiary “x + y”",
        f"text 31 100 {right - 31 - detail - formula - 24} 28 left 12px text.primary “Name”",
    ]
    grey = rows_drawn(Entry("a", "Name", print, "Detail", icon="exp", is_possible=False), 400)
    assert [line.split("px ")[-1] for line in grey[1:]] == ["text.disabled “Detail”", "text.disabled “Name”"]
    assert grey[0] == "icon 10 107 14 14 text.disabled exp"


def test_a_detail_without_room_is_cut_if_a_third_of_the_row_is_left_and_else_left_out() -> None:
    """The name needs its width and 12 px, and begins 21 px from the left."""
    name, folder = "Name", "/a/rather/long/folder/of/files"
    needed = QFontMetrics(font("ui", 12)).horizontalAdvance(name) + 12
    for width in (90, 100, 120, 140, 200):
        texts = [
            line.rpartition("px ")[2].split(" ", 1)[1] for line in rows_drawn(Entry("a", name, print, folder), width)
        ]
        room = width - 1 - 21 - needed
        fits = QFontMetrics(font("ui", 11)).horizontalAdvance(folder) <= room
        assert len(texts) == (2 if fits or room > width // 3 else 1)
        assert ("…" in texts[0]) is (len(texts) == 2 and not fits)
    long = rows_drawn(Entry("a", "N" * 90, print), 100)
    assert long[0].endswith("…”")


def test_a_heading_is_its_text_alone() -> None:
    (line,) = rows_drawn(heading("Add"), 400)
    assert line == "text 10 100 400 28 left 11px text.tertiary “Add”"


def test_a_row_has_a_margin_at_each_side(qtbot: QtBot) -> None:
    parent, model = QWidget(), EntryModel()
    qtbot.addWidget(parent)
    model.fill([heading("Add")])
    image = QImage(9, 9, QImage.Format.Format_RGB32)
    made = EntryDelegate(Appearance("dark"), parent)
    with recorded() as lines, QPainter(image) as painter:
        made.draw(painter, theme("dark"), QRect(10, 100, 400, 28), model.index(0, 0))
    assert lines[0].startswith("text 20 100 380 28 left")
    assert made.sizeHint(QStyleOptionViewItem(), model.index(0, 0)).toTuple() == (100, 28)  # type: ignore[attr-defined]


def test_the_icon_of_a_row_stands_in_its_middle() -> None:
    assert icon_box(QRect(10, 100, 400, 28), 5).getRect() == (15, 107, 14, 14)
    assert icon_box(QRect(10, 100, 400, 28), 0, 16).getRect() == (10, 106, 16, 16)


def test_a_field_shows_a_magnifying_glass_before_its_hint(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = SearchField(Appearance("dark"), "Find", "find", parent)
    margins = made.textMargins()
    assert (margins.left(), margins.top(), margins.right(), margins.bottom()) == (19, 0, 0, 0)
    assert made.sizeHint().height() == 28
    assert (made.placeholderText(), made.accessibleName(), made.height()) == ("Find", "Find", 28)
    glass = "icon 9 7 14 14 text.secondary search"
    assert drawn(made, 120, 28) == [glass]
    made.setText("a")
    assert drawn(made, 120, 28) == [glass]
