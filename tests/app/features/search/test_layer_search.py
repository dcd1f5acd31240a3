"""Layers are offered beside the blocks, and placed."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.features.search.search_popup import SearchPopup
from gradwire.app.look.appearance import Appearance


def test_the_popup_offers_a_layer(qtbot: QtBot, tmp_path: Path) -> None:
    popup = SearchPopup(Appearance("dark"), Settings(tmp_path / "settings.ini"))
    qtbot.addWidget(popup)
    popup.open_at(QPoint(300, 300))
    field = popup.findChild(QLineEdit, "search_field")
    assert isinstance(field, QLineEdit)
    qtbot.keyClicks(field, "dense")
    with qtbot.waitSignal(popup.chosen) as chosen:
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert chosen.args is not None and chosen.args[0].type_name == "layers.Dense"
