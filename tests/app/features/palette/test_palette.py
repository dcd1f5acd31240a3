"""The palette lists and searches block types, and emits their names."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QLabel, QLineEdit, QTreeView
from pytestqt.qtbot import QtBot

from gradwire.app.features.palette.palette import BlockPalette
from gradwire.app.kit.search.entries import MIME_TYPE
from gradwire.app.look.appearance import Appearance
from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.engine.blocktypes.library import library
from gradwire.interop.search.block_search import placeable_types


@pytest.fixture
def palette(qtbot: QtBot) -> BlockPalette:
    made = BlockPalette(Appearance("light"))
    qtbot.addWidget(made)
    made.resize(240, 800)
    made.show()
    return made


def tree_of(palette: BlockPalette) -> QTreeView:
    found = palette.findChild(QTreeView, "palette_tree")
    assert isinstance(found, QTreeView)
    return found


def search_of(palette: BlockPalette) -> QLineEdit:
    found = palette.findChild(QLineEdit, "palette_field")
    assert isinstance(found, QLineEdit)
    return found


def rows_of(tree: QTreeView, parent: QModelIndex | None = None) -> list[QModelIndex]:
    above = parent or QModelIndex()
    return [tree.model().index(row, 0, above) for row in range(tree.model().rowCount(above))]


def index_of(tree: QTreeView, name: str) -> QModelIndex:
    return next(row for group in rows_of(tree) for row in rows_of(tree, group) if row.data() == name)


def test_every_block_that_can_be_placed_is_listed_once(palette: BlockPalette) -> None:
    tree = tree_of(palette)
    names = [row.data() for group in rows_of(tree) for row in rows_of(tree, group)]
    assert sorted(names) == sorted([*(item.name for item in placeable_types()), *LAYERS])
    assert rows_of(tree)[0].data() == "Sources"


def test_a_search_leaves_the_hits_with_the_best_first(palette: BlockPalette, qtbot: QtBot) -> None:
    qtbot.keyClicks(search_of(palette), "tf.reduce_max")
    tree = tree_of(palette)
    assert rows_of(tree, rows_of(tree)[0])[0].data() == "ReduceMax"
    qtbot.keyClick(search_of(palette), Qt.Key.Key_Escape)
    assert search_of(palette).text() == ""
    assert rows_of(tree)[0].data() == "Sources"


def test_enter_in_the_field_chooses_the_best_hit(palette: BlockPalette, qtbot: QtBot) -> None:
    qtbot.keyClicks(search_of(palette), "detach")
    with qtbot.waitSignal(palette.block_chosen) as chosen:
        qtbot.keyClick(search_of(palette), Qt.Key.Key_Return)
    assert chosen.args == ["StopGradient"]


def test_enter_in_an_empty_field_or_without_hits_chooses_nothing(palette: BlockPalette, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(palette.block_chosen):
        qtbot.keyClick(search_of(palette), Qt.Key.Key_Return)
        qtbot.keyClicks(search_of(palette), "xyzzyq")
        qtbot.keyClick(search_of(palette), Qt.Key.Key_Return)


def test_double_click_and_enter_choose_once_each(palette: BlockPalette, qtbot: QtBot) -> None:
    tree = tree_of(palette)
    chosen: list[str] = []
    palette.block_chosen.connect(chosen.append)
    index = index_of(tree, "Add")
    tree.scrollTo(index)
    place = tree.visualRect(index).center()
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == []
    qtbot.mouseDClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert chosen == ["Add"]
    qtbot.keyClick(tree, Qt.Key.Key_Return)
    assert chosen == ["Add", "Add"]


def test_a_click_on_a_category_folds_it_and_a_search_keeps_that(palette: BlockPalette, qtbot: QtBot) -> None:
    tree = tree_of(palette)
    group = rows_of(tree)[0]
    assert tree.isExpanded(group)
    qtbot.mouseClick(tree.viewport(), Qt.MouseButton.LeftButton, pos=tree.visualRect(group).center())
    assert not tree.isExpanded(group)
    qtbot.keyClicks(search_of(palette), "input")
    assert tree.isExpanded(rows_of(tree)[0])
    search_of(palette).clear()
    assert not tree.isExpanded(rows_of(tree)[0])


def test_a_dragged_block_travels_as_its_name(palette: BlockPalette) -> None:
    tree = tree_of(palette)
    data = tree.model().mimeData([index_of(tree, "StopGradient")])
    assert data.data(MIME_TYPE).data() == b"StopGradient"
    assert not tree.model().flags(rows_of(tree)[0]) & Qt.ItemFlag.ItemIsDragEnabled


def test_the_tool_tip_says_what_a_block_does(palette: BlockPalette) -> None:
    tip = index_of(tree_of(palette), "Exp").data(Qt.ItemDataRole.ToolTipRole)
    assert tip == library["Exp"].summary


def test_down_leads_from_the_field_into_the_list(palette: BlockPalette, qtbot: QtBot) -> None:
    qtbot.keyClicks(search_of(palette), "exp")
    qtbot.keyClick(search_of(palette), Qt.Key.Key_Down)
    assert tree_of(palette).currentIndex().data() == "Exp"


def test_f1_asks_for_help_on_the_row_and_not_on_a_category(palette: BlockPalette, qtbot: QtBot) -> None:
    tree, asked = tree_of(palette), []
    palette.help_wanted.connect(asked.append)
    tree.setCurrentIndex(rows_of(tree)[0])
    qtbot.keyClick(tree, Qt.Key.Key_F1)
    tree.setCurrentIndex(index_of(tree, "ReduceMax"))
    qtbot.keyClick(tree, Qt.Key.Key_F1)
    assert asked == ["ReduceMax"]


def test_nothing_found_is_said_with_the_nearest_names(palette: BlockPalette, qtbot: QtBot) -> None:
    said = palette.findChild(QLabel, "palette_message")
    assert isinstance(said, QLabel) and not said.isVisible()
    qtbot.keyClicks(search_of(palette), "softmaxx")
    assert said.isVisible()
    assert said.text() == 'No block is called "softmaxx". Similar names:'
    tree = tree_of(palette)
    assert "Softmax" in [row.data() for group in rows_of(tree) for row in rows_of(tree, group)]
    search_of(palette).setText("qqqqqqq")
    assert said.text().startswith('No block is called "qqqqqqq". ')
    search_of(palette).clear()
    assert not said.isVisible()
    assert len(rows_of(tree)) > 5


def test_the_key_of_the_search_is_named(palette: BlockPalette) -> None:
    hint = palette.findChild(QLabel, "palette_hint")
    assert isinstance(hint, QLabel) and "press Tab over" in hint.text()
    palette.show_key("F7")
    assert "press F7 over" in hint.text()
    palette.show_key("")
    assert not hint.isVisible()
