"""The bar that asks before files of data are read, by mouse and keyboard."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from gradwire.app.base.state_folder import DATA_FOLDERS, state_folder
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.files.allowed_folders import AllowedFolders
from gradwire.engine.files.files import load, save
from tests.app.live.training.test_data_files import TABLE, graph
from tests.app.window.driver import LEFT, Driver, Key


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "a.csv").write_text(TABLE)
    save(graph(sha256=hashlib.sha256(TABLE.encode()).hexdigest()), tmp_path / "a.graph")
    return tmp_path / "a.graph"


def said(user: Driver) -> str:
    shown = user.child(QWidget, "banner").isVisible()
    return user.child(QLabel, "banner_text").text() if shown else ""


def test_the_bar_asks_and_the_values_appear(user: Driver, file: Path) -> None:
    user.open(file)
    assert said(user) == "This graph wants to read a.csv (22 bytes). Until then it runs without."
    assert [user.child(QPushButton, name).text() for name in ("banner_button", "banner_button_1")] == [
        "Allow once",
        "Always for this folder",
    ]
    button = user.child(QPushButton, "banner_button")
    button.setFocus()
    user.qtbot.keyClick(button, Key.Key_Space)
    user.settle()
    port = user.session.results.port(PortName("main/data", "x"))
    assert port is not None and port.value is not None
    assert "wants to read" not in said(user)
    user.trigger("save")
    assert "inputs" not in file.read_text()


def test_a_file_that_has_changed_is_told_until_its_content_is_accepted(user: Driver, file: Path) -> None:
    (file.parent / "a.csv").write_text(TABLE + "1,1,1\n")
    user.open(file)
    user.qtbot.mouseClick(user.child(QPushButton, "banner_button_1"), LEFT)
    user.settle()
    assert said(user) == "a.csv (28 bytes): not the content that this graph was written with."
    user.qtbot.mouseClick(user.child(QPushButton, "banner_button"), LEFT)
    user.settle()
    assert "content" not in said(user)
    user.trigger("save")
    digest = hashlib.sha256((file.parent / "a.csv").read_bytes()).hexdigest()
    assert load(file).graph.block("main/data").parameters["sha256"] == digest


def test_the_settings_take_back_what_was_allowed_for_always(user: Driver, file: Path) -> None:
    user.open(file)
    user.qtbot.mouseClick(user.child(QPushButton, "banner_button_1"), LEFT)
    user.settle()
    assert "wants to read" not in said(user)
    user.trigger("settings")
    user.child(QPushButton, "settings_ask_again").click()
    assert not user.child(QPushButton, "settings_ask_again").isEnabled()
    user.child(QPushButton, "settings_close").click()
    # What was allowed lasts in this window; another one asks.
    assert not AllowedFolders(state_folder() / DATA_FOLDERS).allows(file.parent)


def test_what_is_there_is_not_called_missing(user: Driver, file: Path) -> None:
    (file.parent / "a.csv").unlink()
    user.open(file)
    assert said(user).startswith("This graph wants to read a.csv (missing).")
    (file.parent / "a.csv").mkdir()  # a folder without images
    user.open(file)
    assert said(user).startswith("This graph wants to read a.csv. ")
    user.qtbot.mouseClick(user.child(QPushButton, "banner_button"), LEFT)
    user.settle()
    assert said(user) == "a.csv is a folder without PNG images."
