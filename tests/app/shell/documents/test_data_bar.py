"""The status line asks before files of data are read, by mouse and keyboard."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QPushButton, QToolButton

from gradwire.app.base.state_folder import DATA_FOLDERS, state_folder
from gradwire.app.live.selection import Selection
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.files.allowed_folders import AllowedFolders
from gradwire.engine.files.files import load, save
from tests.app.live.test_data_files import TABLE, graph
from tests.app.window.driver import LEFT, Driver, Key


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "a.csv").write_text(TABLE)
    save(graph(sha256=hashlib.sha256(TABLE.encode()).hexdigest()), tmp_path / "a.graph")
    return tmp_path / "a.graph"


def said(user: Driver) -> str:
    """What the status line says."""
    return user.window.parts.layout.status.sentence.text


def test_the_bar_asks_and_the_values_appear(user: Driver, file: Path) -> None:
    user.open(file)
    assert said(user) == "This graph wants to read a.csv (22 bytes). Until then it runs without."
    assert [user.child(QToolButton, name).text() for name in ("status_action", "status_action_1")] == [
        "Allow once",
        "Always for this folder",
    ]
    button = user.child(QToolButton, "status_action")
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
    user.qtbot.mouseClick(user.child(QToolButton, "status_action_1"), LEFT)
    user.settle()
    assert said(user) == "a.csv (28 bytes): not the content that this graph was written with."
    user.qtbot.mouseClick(user.child(QToolButton, "status_action"), LEFT)
    user.settle()
    assert "content" not in said(user)
    user.trigger("save")
    digest = hashlib.sha256((file.parent / "a.csv").read_bytes()).hexdigest()
    assert load(file).graph.block("main/data").parameters["sha256"] == digest


def test_the_settings_take_back_what_was_allowed_for_always(user: Driver, file: Path) -> None:
    user.open(file)
    user.qtbot.mouseClick(user.child(QToolButton, "status_action_1"), LEFT)
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
    user.qtbot.mouseClick(user.child(QToolButton, "status_action"), LEFT)
    user.settle()
    assert said(user) == "a.csv is a folder without PNG images."


EURO = "Id;mass;y\n1;0,5;1,5\n2;1,75;2,5\n3;2,5;0,25\n"


def test_a_file_chosen_by_mouse_is_read_told_and_read_otherwise(
    user: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "euro.csv").write_text(EURO)
    save(graph(file="", labels="value"), tmp_path / "a.graph")
    user.open(tmp_path / "a.graph")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(tmp_path / "euro.csv"), ""))
    user.hand.click(user.points.title("data"))
    user.settle()
    user.qtbot.mouseClick(user.child(QPushButton, "inspector_data_browse"), LEFT)
    user.settle()
    line = (
        "Read euro.csv: 3 rows; x has 1 of 3 columns: mass; y is column y; names in the first row; "
        'separated by ";"; decimal comma; left out: Id, which numbers the rows.'
    )
    assert said(user) == user.child(QLabel, "inspector_data_line").text() == line
    assert values(user) == (0.5, 1.75, 2.5)
    # Blocks have the room that their new values need.
    mirror = user.canvas.mirror
    laid_out = mirror.rects.copy()
    mirror.rebuild()
    np.testing.assert_array_equal(laid_out, mirror.rects)
    user.qtbot.mouseClick(user.child(QToolButton, "status_action"), LEFT)
    user.settle()
    box = user.child(QComboBox, "parameter_separator")
    assert box.hasFocus()
    assert not box.visibleRegion().isEmpty()
    choose(user, "separator", ",")
    assert said(user) == "euro.csv has one column; set separator to the sign between its columns."
    assert said(user) == user.child(QLabel, "inspector_data_line").text()
    choose(user, "separator", "auto")
    choose(user, "decimal", ".")
    assert "write it as a plain number" in said(user)
    user.undo()
    user.settle()
    assert values(user) == (0.5, 1.75, 2.5)
    user.qtbot.mouseClick(user.child(QToolButton, "status_action_1"), LEFT)
    user.settle()
    assert said(user) == ""


def values(user: Driver) -> tuple[float, ...]:
    reading = user.session.results.port(PortName("main/data", "x"))
    assert reading is not None and reading.value is not None
    return reading.value.first


def choose(user: Driver, name: str, choice: str) -> None:
    box = user.child(QComboBox, f"parameter_{name}")
    place = box.findData(choice)
    box.setCurrentIndex(place)
    box.activated.emit(place)
    user.settle()


def test_a_file_outside_of_the_folder_is_refused_below_the_button(
    user: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "graph").mkdir()
    (tmp_path / "euro.csv").write_text(EURO)
    save(graph(file=""), tmp_path / "graph" / "a.graph")
    user.open(tmp_path / "graph" / "a.graph")
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(tmp_path / "euro.csv"), ""))
    user.hand.click(user.points.title("data"))
    user.qtbot.mouseClick(user.child(QPushButton, "inspector_data_browse"), LEFT)
    user.settle()
    refusal = user.child(QLabel, "inspector_data_refusal")
    assert refusal.text() == "euro.csv lies outside the folder of the graph; copy it there."
    assert "file" not in user.block("data").parameters


def test_an_untitled_graph_reads_the_file_that_is_chosen_and_says_where_to_save_it(
    user: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "euro.csv").write_text(EURO)
    user.show(graph(file=""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_, **__: (str(tmp_path / "euro.csv"), ""))
    user.session.select(Selection(frozenset(["data"])))
    user.settle()
    user.qtbot.mouseClick(user.child(QPushButton, "inspector_data_browse"), LEFT)
    user.settle()
    assert values(user) == (0.5, 1.75, 2.5) and user.block("data").parameters["file"] == "euro.csv"
    line = user.child(QLabel, "inspector_data_line")
    assert line.text().endswith(f"Save the graph in {tmp_path}, so that it finds the file again.")
    user.session.document.path = tmp_path / "a.graph"
    user.session.data.look()
    assert user.session.data.folder == tmp_path and user.session.data.lent is None
    assert not isinstance(user.session.data.content("main/data"), str | None)


def test_two_blocks_of_an_untitled_graph_read_from_one_folder(
    user: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "euro.csv").write_text(EURO)
    chosen = iter(("one", "two"))
    monkeypatch.setattr(
        QFileDialog, "getOpenFileName", lambda *_, **__: (str(tmp_path / next(chosen) / "euro.csv"), "")
    )
    user.show(graph(file=""))
    for _ in range(2):
        user.session.select(Selection(frozenset(["data"])))
        user.settle()
        user.qtbot.mouseClick(user.child(QPushButton, "inspector_data_browse"), LEFT)
        user.settle()
    assert user.session.data.folder == tmp_path / "two"
    user.session.data.lend(tmp_path / "one", "main/other")
    assert user.session.data.folder == tmp_path / "two"


def test_a_file_that_an_untitled_graph_names_says_what_to_do(user: Driver) -> None:
    user.show(graph(file="iris.csv"))
    user.session.select(Selection(frozenset(["data"])))
    user.settle()
    assert user.child(QLabel, "inspector_data_line").text() == "Save the graph beside the file first, or browse."
