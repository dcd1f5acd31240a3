"""Export as code: the real dialog, filled by the real command."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from gradwire.app.shell.documents.exports.code_dialog import CodeDialog
from gradwire.engine.files.files import save
from tests.app.live.test_data_files import graph as graph_of_data
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain, misfits, wired

TIMEOUT = 20_000


def open_dialog(driver: Driver, qtbot: QtBot) -> CodeDialog:
    driver.window.parts.actions_by_id["export_code"].trigger()
    dialog = driver.window.findChild(CodeDialog)
    qtbot.waitUntil(lambda: is_ready(dialog), timeout=TIMEOUT)
    return dialog


def is_ready(dialog: CodeDialog) -> bool:
    return dialog.findChild(QPushButton, "copy_code").isEnabled()


def code(dialog: CodeDialog) -> str:
    return dialog.findChild(QPlainTextEdit, "code").toPlainText()


def status(dialog: CodeDialog) -> str:
    return dialog.findChild(QLabel, "code_status").text()


def click(dialog: CodeDialog, qtbot: QtBot, name: str) -> None:
    qtbot.mouseClick(dialog.findChild(QPushButton, name), Qt.MouseButton.LeftButton)


@pytest.mark.long
def test_the_dialog_shows_a_program_that_python_accepts(user: Driver, qtbot: QtBot) -> None:
    user.window.parts.document.show(chain())
    dialog = open_dialog(user, qtbot)
    compile(code(dialog), "program.py", "exec")
    assert "import numpy as np" in code(dialog)
    dialog.accept()


@pytest.mark.long
def test_a_program_has_the_files_of_data_that_were_read(user: Driver, qtbot: QtBot, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,b,label\n1,2,3\n4,5,98765.5\n")
    save(graph_of_data(), tmp_path / "a.graph")
    user.open(tmp_path / "a.graph")
    user.session.data.allow(always=False)
    user.settle()
    dialog = open_dialog(user, qtbot)
    assert "98765.5" in code(dialog)
    dialog.accept()


@pytest.mark.long
def test_another_framework_is_one_click_away(user: Driver, qtbot: QtBot) -> None:
    user.window.parts.document.show(chain())
    dialog = open_dialog(user, qtbot)
    click(dialog, qtbot, "framework_torch")
    qtbot.waitUntil(lambda: is_ready(dialog) and "import torch" in code(dialog), timeout=TIMEOUT)
    dialog.accept()


@pytest.mark.long
def test_the_program_can_be_copied_and_saved(user: Driver, qtbot: QtBot, tmp_path: Path) -> None:
    user.window.parts.document.show(chain())
    dialog = open_dialog(user, qtbot)
    click(dialog, qtbot, "copy_code")
    assert QApplication.clipboard().text() == code(dialog)
    dialog.save_to(tmp_path / "program.py")
    assert (tmp_path / "program.py").read_text() == code(dialog)
    dialog.accept()


@pytest.mark.long
def test_a_file_that_cannot_be_written_is_said(user: Driver, qtbot: QtBot, tmp_path: Path) -> None:
    user.window.parts.document.show(chain())
    dialog = open_dialog(user, qtbot)
    dialog.save_to(tmp_path / "no folder" / "program.py")
    assert "cannot be written" in status(dialog)
    dialog.accept()


@pytest.mark.long
def test_a_program_never_replaces_its_graph(user: Driver, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "chain.graph"
    user.window.parts.document.show(chain())
    assert user.window.parts.documents.saving.save_to(path)
    before = path.read_bytes()
    dialog = open_dialog(user, qtbot)
    dialog.save_to(tmp_path / ".." / tmp_path.name / "chain.graph")
    assert "is the graph itself" in status(dialog)
    assert path.read_bytes() == before
    dialog.accept()


@pytest.mark.long
def test_a_graph_with_an_error_gets_the_sentence_instead_of_a_program(user: Driver, qtbot: QtBot) -> None:
    user.window.parts.document.show(wired(misfits(), "b.y > mm.b"))
    user.window.parts.actions_by_id["export_code"].trigger()
    dialog = user.window.findChild(CodeDialog)
    qtbot.waitUntil(lambda: "without errors" in status(dialog), timeout=TIMEOUT)
    assert not is_ready(dialog)
    assert code(dialog) == ""
    dialog.accept()


def test_closing_ends_the_command(user: Driver, qtbot: QtBot) -> None:
    user.window.parts.document.show(chain())
    user.window.parts.actions_by_id["export_code"].trigger()
    dialog = user.window.findChild(CodeDialog)
    with qtbot.waitSignal(dialog.destroyed):
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
