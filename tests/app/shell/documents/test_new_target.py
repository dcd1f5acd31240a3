"""A new target of the export appears in the command, the help and the dialog by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.tables import block_help
from gradwire.app.cli import command_line
from gradwire.app.shell.documents.exports.code_dialog import CodeDialog
from gradwire.engine.blocktypes.library import library
from gradwire.engine.files.files import save
from tests.engine.export.test_targets import add_target, graph


@pytest.fixture
def _fifth(monkeypatch: pytest.MonkeyPatch) -> None:
    """One more target."""
    add_target(monkeypatch)


@pytest.mark.usefixtures("_fifth")
def test_the_command_and_the_help_list_a_new_target(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(graph("Exp"), tmp_path / "exp.graph")
    assert command_line.main(["export", str(tmp_path / "exp.graph"), "--to", "fifth"]) == 0
    assert "y = xp.exp(x)" in capsys.readouterr().out
    assert "The Fifth (unverified)  xp.exp(x)" in block_help(library["Exp"])
    assert "The Fifth" not in block_help(library["Sin"])


@pytest.mark.usefixtures("_fifth")
def test_the_dialog_offers_a_new_target(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = CodeDialog(graph("Exp"), "exp", parent)
    assert dialog.findChild(QPushButton, "framework_fifth").text() == "The Fifth"
    dialog.reject()
