"""Layers are offered beside the blocks, and placed."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from gradwire.app.features.palette.palette import BlockPalette
from gradwire.app.features.palette.search_popup import SearchPopup
from gradwire.app.look.appearance import Appearance


def test_the_popup_offers_a_layer(qtbot: QtBot) -> None:
    popup = SearchPopup(Appearance("dark"))
    qtbot.addWidget(popup)
    popup.open_at(QPoint(300, 300))
    field = popup.findChild(QLineEdit, "search_field")
    assert isinstance(field, QLineEdit)
    qtbot.keyClicks(field, "dense")
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert chosen.args is not None and chosen.args[0].type_name == "layers.Dense"


def test_the_palette_places_a_layer(qtbot: QtBot) -> None:
    palette = BlockPalette(Appearance("light"))
    qtbot.addWidget(palette)
    field = palette.findChild(QLineEdit, "palette_field")
    assert isinstance(field, QLineEdit)
    field.setText("lstm")
    with qtbot.waitSignal(palette.block_chosen) as chosen:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert chosen.args == ["layers.LSTMCell"]
