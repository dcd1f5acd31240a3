"""The dialog that reports a problem, and the about box, without a window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.help import about
from gradwire.app.features.help.about import AboutDialog, versions_text
from gradwire.app.features.help.report_dialog import ReportDialog
from gradwire.app.look.appearance import Appearance
from gradwire.engine.blocktypes.library import Plugin, library


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


@pytest.fixture
def dialog(parent: QWidget) -> ReportDialog:
    return ReportDialog(lambda with_graph: f"report {with_graph}", Appearance("dark"), parent)


def said(dialog: ReportDialog) -> str:
    found = dialog.findChild(QLabel, "report_said")
    assert isinstance(found, QLabel)
    return found.text()


def test_it_shows_what_is_copied_with_the_graph_where_that_is_wanted(dialog: ReportDialog) -> None:
    text = dialog.findChild(QPlainTextEdit, "report_text")
    assert isinstance(text, QPlainTextEdit) and dialog.size().toTuple() == (680, 520)
    for is_with in (False, True, False):
        dialog._has_graph.setChecked(is_with)
        assert (text.toPlainText(), said(dialog)) == (f"report {is_with}", "")
        dialog._copy()
        assert (QGuiApplication.clipboard().text(), said(dialog)) == (f"report {is_with}", "Copied.")
    assert text.isReadOnly() and text.tabChangesFocus()


def test_copy_is_the_default_of_its_buttons(dialog: ReportDialog) -> None:
    buttons = [dialog.findChild(QPushButton, f"report_{name}") for name in ("copy", "save", "close")]
    assert [button.isDefault() for button in buttons if button is not None] == [True, False, False]


def test_it_is_saved_or_says_why_not(dialog: ReportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "r.txt"
    for name, is_there in (("", False), (str(file), True)):
        monkeypatch.setattr(
            "gradwire.app.features.help.report_dialog.QFileDialog.getSaveFileName", lambda *_, name=name: (name, "")
        )
        dialog._ask_save()
        assert file.exists() is is_there
    assert file.read_text() == "report False" and said(dialog) == "Saved as r.txt."
    dialog.save(tmp_path / "none" / "r.txt")
    assert said(dialog) not in ("", "Saved as r.txt.")


def test_the_about_box_names_notices_and_plug_ins_that_add_something(
    parent: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    for notice in ("", "no compiler"):
        monkeypatch.setattr(about, "NOTICE", notice)
        assert (notice in versions_text().splitlines()[2:]) is bool(notice) or notice.capitalize() in versions_text()
    good, idle = Plugin("good", origin="good 1.0", types=("One",)), Plugin("idle", origin="idle 1.0")
    monkeypatch.setattr(library, "plugins", {item.name: item for item in (good, idle)}, raising=False)
    assert versions_text().splitlines()[-1] == "Plug-ins: good (good 1.0)"
    monkeypatch.setattr(library, "plugins", {"idle": idle}, raising=False)
    assert "Plug-ins" not in versions_text()
    shown = AboutDialog("1.2", Appearance("dark"), parent)
    name = shown.findChild(QLabel, "about_name")
    assert isinstance(name, QLabel) and name.text() == "Gradwire 1.2" and shown.minimumWidth() == 480
