"""The view kit: each call makes a widget with its name, words, look and room."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.look.theme import font
from gradwire.app.look.tips import literal_tip, plain_entry, plain_tip, title_of_file
from gradwire.app.look.widgets import (
    STRETCH,
    Margins,
    make_button,
    make_column,
    make_grid,
    make_label,
    make_row,
    make_tool,
    named,
    scrolling,
    selectable,
    show_or_hide,
)


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def test_settings_of_a_widget(parent: QWidget) -> None:
    made = named(QWidget(parent), "name", says="Says", tip="Tip", look="quiet", size=(30, 20), font=font("mono", 9))
    assert (made.objectName(), made.accessibleName(), made.toolTip()) == ("name", "Says", "Tip")
    assert (made.property("look"), made.size().toTuple(), made.font()) == ("quiet", (30, 20), font("mono", 9))
    both = named(QWidget(parent), words="Both", height=12, focus=Qt.FocusPolicy.StrongFocus, title="Title")
    assert (both.accessibleName(), both.toolTip(), both.height()) == ("Both", "Both", 12)
    assert (both.focusPolicy(), both.windowTitle(), both.objectName()) == (Qt.FocusPolicy.StrongFocus, "Title", "")
    told = named(QWidget(parent), words="Both", says="Says")
    assert (told.accessibleName(), told.toolTip()) == ("Says", "Both")
    kept = named(named(QWidget(parent), "name", tip="Tip", look="a"), tip="", look="")
    assert (kept.objectName(), kept.toolTip(), kept.property("look")) == ("name", "Tip", "a")


def test_labels_show_texts_as_they_are(parent: QWidget) -> None:
    made = make_label("<b>", parent, name="a", wraps=True)
    assert (made.text(), made.textFormat(), made.wordWrap()) == ("<b>", Qt.TextFormat.PlainText, True)
    assert not make_label().wordWrap()
    flags = selectable(made).textInteractionFlags()
    assert flags & Qt.TextInteractionFlag.TextSelectableByMouse
    assert flags & Qt.TextInteractionFlag.TextSelectableByKeyboard
    for text in ("", "a", ""):
        show_or_hide(made, text)
        assert (made.text(), made.isHidden()) == (text, not text)


def test_buttons_do_what_they_are_for(parent: QWidget, qtbot: QtBot) -> None:
    clicked = list[str]()
    made = make_button("Go", lambda: clicked.append("go"), parent, name="go")
    other = make_button("Stay", parent=parent, enters=False)
    tool = make_tool(lambda: clicked.append("tool"), parent, text="T", name="tool", checkable=True)
    for button in (made, other, tool):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert clicked == ["go", "tool"]
    assert (made.text(), made.objectName(), tool.text(), tool.isChecked()) == ("Go", "go", "T", True)
    assert not other.autoDefault() and not make_tool().isCheckable()


def test_items_stand_in_their_order_with_gaps_and_stretches(parent: QWidget) -> None:
    parent.resize(300, 100)
    first, second, third = (named(QFrame(), size=(20, 10)) for _ in range(3))
    inner = make_column(third, margins=0, spacing=0)
    make_row(
        first,
        30,
        (second, 0, Qt.AlignmentFlag.AlignBottom),
        STRETCH,
        inner,
        inside=parent,
        margins=(5, 6, 7, 8),
        spacing=3,
    )
    parent.show()
    assert first.x() == 5
    # Qt adds its spacing once to a gap.
    assert second.x() == 5 + 20 + 30 + 3
    assert second.geometry().bottom() == 99 - 8
    assert third.x() == 300 - 7 - 20


@pytest.mark.parametrize(("margins", "sides"), [(4, (4, 4, 4, 4)), ((1, 2, 3, 4), (1, 2, 3, 4)), (0, (0, 0, 0, 0))])
def test_margins_are_one_number_or_four(margins: Margins, sides: tuple[int, ...]) -> None:
    for layout in (make_row(margins=margins), make_column(margins=margins), make_grid(margins=margins)):
        found = layout.contentsMargins()
        assert (found.left(), found.top(), found.right(), found.bottom()) == sides


def test_shares_of_a_row_are_as_large_as_their_stretches(parent: QWidget) -> None:
    parent.resize(300, 100)
    one, two = QWidget(), QWidget()
    make_row((one, 1), (two, 2), inside=parent, margins=0, spacing=0)
    parent.show()
    assert (one.width(), two.width()) == (100, 200)


def test_gaps_of_a_grid_are_between_columns_and_between_rows(parent: QWidget) -> None:
    grid = make_grid(parent, margins=0, spacing=(7, 3))
    assert (grid.horizontalSpacing(), grid.verticalSpacing()) == (7, 3)
    assert (make_grid().horizontalSpacing(), make_grid().verticalSpacing()) == (0, 0)


def test_an_area_scrolls_vertically_without_a_frame(parent: QWidget) -> None:
    content = QLabel(parent)
    area = scrolling(content)
    assert area.widget() is content and area.widgetResizable()
    assert (area.frameShape(), area.focusPolicy()) == (QFrame.Shape.NoFrame, Qt.FocusPolicy.NoFocus)
    assert area.horizontalScrollBarPolicy() is Qt.ScrollBarPolicy.ScrollBarAlwaysOff
    assert isinstance(make_tool(), QToolButton)


def test_tips_entries_and_titles_show_texts_literally() -> None:
    assert (plain_tip(""), literal_tip("a\nb"), plain_entry("a & b")) == ("", "a\nb", "a && b")
    for text in ("<b>", "a & b"):
        assert literal_tip(text) == plain_tip(text) != text
    assert plain_tip("<b>") == "<div style='white-space: pre-wrap'>&lt;b&gt;</div>"
    assert title_of_file("a[*].graph") == "a[*][*].graph[*] - Gradwire"


def test_a_layout_belongs_to_the_widget_that_it_is_made_inside(qtbot: QtBot) -> None:
    for make in (make_row, make_column, make_grid):
        within = QWidget()
        qtbot.addWidget(within)
        assert make(inside=within) is within.layout() and make().parent() is None
