"""Export as web page: the real command writes what the window shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QCheckBox, QDialog, QFileDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from gradwire import HOME
from gradwire.app.base.examples import example_path
from gradwire.app.shell.documents.exports.page_dialog import PageWanted
from gradwire.engine.files.files import load, save
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain

TIMEOUT = 30_000
FAULTY = example_path("softmax_stable")


def check(dialog: QDialog, name: str) -> QCheckBox:
    found = dialog.findChild(QCheckBox, f"page_{name}")
    assert isinstance(found, QCheckBox)
    return found


def click(dialog: QDialog, name: str) -> None:
    found = dialog.findChild(QPushButton, name)
    assert isinstance(found, QPushButton)
    found.click()


def box(user: Driver, name: str) -> QMessageBox | None:
    found: QMessageBox | None = user.window.findChild(QMessageBox, name)
    return found


def test_a_page_is_written_and_said(
    user: Driver, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "page"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    user.window.parts.document.show(chain())
    user.trigger("export_page")
    dialog = user.window.findChild(QDialog, "page_dialog")
    assert dialog is not None and not check(dialog, "train").isEnabled()
    check(dialog, "embed").click()
    click(dialog, "page_save")
    qtbot.waitUntil(lambda: box(user, "notice_dialog") is not None, timeout=TIMEOUT)
    said = box(user, "notice_dialog")
    assert said is not None and "page.html has " in said.informativeText()
    text = (tmp_path / "page.html").read_text("utf-8")
    assert text.startswith("<!doctype html>") and '<body class="embed">' in text
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: not opened.append(url))
    click(said, "notice_offer")
    assert opened == [QUrl.fromLocalFile(str(tmp_path / "page.html"))]


def test_a_page_that_readers_can_train_is_written_with_its_data_and_says_so(
    user: Driver, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "page.html"), ""))
    user.window.parts.document.show(load(HOME / "assets" / "trainings" / "moons.graph").graph)
    user.trigger("export_page")
    dialog = user.window.findChild(QDialog, "page_dialog")
    assert dialog is not None
    check(dialog, "train").click()
    click(dialog, "page_save")
    qtbot.waitUntil(lambda: box(user, "notice_dialog") is not None, timeout=TIMEOUT)
    said = box(user, "notice_dialog")
    assert said is not None
    assert said.informativeText().split("\n\n")[1].startswith("The page holds 159 rows of moons.")
    said.accept()
    assert "<section id=training" in (tmp_path / "page.html").read_text("utf-8")


@pytest.mark.long
def test_what_keeps_a_page_from_training_is_said_with_it(user: Driver, qtbot: QtBot, tmp_path: Path) -> None:
    user.window.parts.document.show(load(FAULTY).graph)
    user.window.parts.documents.web_pages.save(tmp_path / "page.html", PageWanted(is_trained=True))
    qtbot.waitUntil(lambda: box(user, "notice_dialog") is not None, timeout=TIMEOUT)
    said = box(user, "notice_dialog")
    assert said is not None and "train" in said.informativeText().split("\n\n")[1]
    assert "gradwire" not in said.informativeText()
    said.accept()


def test_a_page_never_replaces_the_graph(user: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "chain.html"
    save(chain(), path)
    before = path.read_bytes()
    complaints: list[str] = []
    messages = user.window.parts.documents.context.messages
    monkeypatch.setattr(messages, "complain", lambda *said: complaints.append(said[1]))
    user.window.parts.document.show(chain(), path=path)
    user.window.parts.documents.web_pages.save(path, PageWanted())
    assert len(complaints) == 1 and "is the graph itself" in complaints[0]
    assert path.read_bytes() == before


def test_a_page_begins_with_the_stops_that_the_canvas_ignores(user: Driver, qtbot: QtBot, tmp_path: Path) -> None:
    user.window.parts.document.show(load(example_path("softmax_stable")).graph)
    user.window.session.runs.set_ignores_stops(True)
    user.window.parts.documents.web_pages.save(tmp_path / "page.html", PageWanted())
    qtbot.waitUntil(lambda: box(user, "notice_dialog") is not None, timeout=TIMEOUT)
    said = box(user, "notice_dialog")
    assert said is not None
    said.accept()
    assert re.findall(r"switch aria-checked=(\w+)", (tmp_path / "page.html").read_text("utf-8")) == ["false"]
