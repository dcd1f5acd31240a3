"""Help > Report a problem: the text that is shown is the one that is copied, and has nothing of the user's."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton

from gradwire import __version__
from gradwire.app.base.log import begin, logger
from gradwire.app.features.help.report_dialog import ReportDialog
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.start.main_window import MainWindow
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain


@pytest.fixture
def here(one_window: MainWindow, user: Driver) -> Driver:
    user.show(chain())
    begin()
    logger("gradwire.app.some_room").error("At exp_block: 3.14159 in %s", Path.home() / "secret.graph")
    user.trigger("report_problem")
    return user


def text_of(user: Driver) -> str:
    return user.child(QPlainTextEdit, "report_text").toPlainText()


def test_it_has_versions_system_screens_and_counts(here: Driver) -> None:
    text = text_of(here)
    blocks, wires = len(here.page.blocks), len(here.page.wires)
    for what in (f"Gradwire {__version__}\n", "Qt plug-in: ", "Screen 1: ", "Executor: ", "Theme: ", "Plug-ins: none"):
        assert what in text
    assert f"Document: pages 1, blocks {blocks}, wires {wires}" in text
    here.child(QPushButton, "report_close").click()


def test_the_users_own_is_in_it_only_when_ticked(here: Driver) -> None:
    assert "gradwire.app.some_room: At exp_block: # in <path>" in text_of(here)
    assert "secret" not in text_of(here)
    here.child(Switch, "report_graph").click()
    assert "3.14159" in text_of(here) and "secret.graph" in text_of(here)
    assert '"pages"' in text_of(here)
    here.child(QPushButton, "report_close").click()


def test_keys_alone_copy_what_is_shown(here: Driver) -> None:
    copy = here.child(QPushButton, "report_copy")
    copy.setFocus()
    QTest.keyClick(copy, Qt.Key.Key_Return)
    assert QGuiApplication.clipboard().text() == text_of(here)
    assert here.child(QLabel, "report_said").text() == "Copied."
    QTest.keyClick(copy, Qt.Key.Key_Escape)


def test_it_is_saved_as_text_or_says_why_not(here: Driver, tmp_path: Path) -> None:
    dialog = here.child(ReportDialog, "report_dialog")
    dialog.save(tmp_path / "report.txt")
    assert (tmp_path / "report.txt").read_text("utf-8") == text_of(here)
    dialog.save(tmp_path / "missing" / "report.txt")
    assert here.child(QLabel, "report_said").text().endswith('missing" does not exist.')
    dialog.close()
