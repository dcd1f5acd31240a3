"""A file with two writers: both versions survive, whichever the user chooses."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QPushButton, QToolButton

from gradwire.app.base import run_folder
from gradwire.app.base.run_folder import RunFolder
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import annotated, chain, number
from tests.sweeps import a_third_of

Standard = QMessageBox.StandardButton


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state folder of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "states"))
    return tmp_path / "states" / "gradwire"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "a.graph"
    save(chain(), path)
    return path


@pytest.fixture
def other(state: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunFolder]:
    """Another program of ours that has the file open and began at another time."""
    made = RunFolder(state)
    made.mark(file)
    monkeypatch.setattr(run_folder, "STARTED", datetime(2026, 1, 1))
    yield made
    made.leave()


def opened(user: Driver, file: Path, is_edited: bool = True) -> Graph:
    """Opens the file, edits the graph, and returns it."""
    user.open(file)
    if is_edited:
        user.hand.click(user.points.title("loss"))
        user.trigger("collapse")
    return user.graph


def activate(user: Driver) -> None:
    """Activates the window, as after a switch from another program."""
    QApplication.sendEvent(user.window, QEvent(QEvent.Type.WindowActivate))
    user.settle()


def said(user: Driver) -> str:
    """What the status line says."""
    return user.window.parts.layout.status.sentence.text


def press(user: Driver, number: int) -> None:
    """Presses a button of the status line."""
    name = f"status_action_{number}" if number else "status_action"
    user.qtbot.mouseClick(user.child(QToolButton, name), LEFT)
    user.settle()


def answered(user: Driver, name: str, answer: str, during: Callable[[], object]) -> str:
    """Runs an action that asks, gives this answer ("" for Escape), and returns the question."""
    said: list[str] = []

    def press() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox) and box.objectName() == name
        said.append(f"{box.text()} {box.informativeText()}")
        button = box.findChild(QPushButton, f"answer_{answer}")
        if isinstance(button, QPushButton):
            user.qtbot.mouseClick(button, LEFT)
        else:
            user.qtbot.keyClick(box, Key.Key_Escape)

    QTimer.singleShot(50, user.window, press)
    during()
    user.settle()
    assert len(said) == 1
    return said[0]


def kept(user: Driver, file: Path) -> list[Graph]:
    return [load(version.file).graph for version in user.window.parts.documents.saving.backups.versions(file)]


def test_a_touched_file_is_not_a_changed_one(user: Driver, file: Path) -> None:
    opened(user, file)
    os.utime(file, (1e9, 1e9))
    activate(user)
    assert user.session.file.state == "" and "changed" not in said(user)
    user.trigger("save")
    assert load(file).graph == user.graph


def test_a_change_is_noticed_when_the_window_becomes_active(user: Driver, file: Path) -> None:
    opened(user, file, is_edited=False)
    save(number(), file)
    activate(user)
    assert said(user).startswith("Another program has changed a.graph.")
    save(chain(), file)
    activate(user)
    assert "changed" not in said(user)


def test_reloading_keeps_what_was_here(user: Driver, file: Path) -> None:
    mine = opened(user, file)
    save(number(), file)
    activate(user)
    press(user, 0)
    assert user.graph == number() and user.session.document.is_saved and user.session.document.path == file
    assert mine in kept(user, file)
    assert user.session.file.state == ""


def test_overwriting_keeps_what_was_there(user: Driver, file: Path) -> None:
    mine = opened(user, file)
    save(number(), file)
    activate(user)
    press(user, 2)
    assert load(file).graph == mine == user.graph and user.session.document.is_saved
    assert kept(user, file)[:2] == [mine, number()]
    assert "changed" not in said(user)


def test_saving_elsewhere_leaves_the_file(
    user: Driver, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = opened(user, file)
    save(number(), file)
    activate(user)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "b.graph"), ""))
    press(user, 1)
    assert load(file).graph == number() and load(tmp_path / "b.graph").graph == mine
    assert user.session.document.path == tmp_path / "b.graph" and "changed" not in said(user)


@pytest.mark.parametrize("answer", a_third_of(["overwrite", "reload", ""]))
def test_saving_over_a_change_asks_first(user: Driver, file: Path, answer: str) -> None:
    mine = opened(user, file)
    save(number(), file)
    said = answered(user, "conflict_dialog", answer, lambda: user.trigger("save"))
    assert said.startswith("a.graph was changed by another program")
    assert load(file).graph == (mine if answer == "overwrite" else number())
    assert user.graph == (number() if answer == "reload" else mine)
    assert user.session.document.is_saved is (answer != "")
    everything = [*kept(user, file), load(file).graph, user.graph]
    assert mine in everything and number() in everything


def test_a_change_between_looking_and_writing_is_noticed(
    user: Driver, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = opened(user, file)
    monkeypatch.setattr(user.window.parts.documents.file, "look", lambda: "")
    save(number(), file)
    answered(user, "conflict_dialog", "", lambda: user.trigger("save"))
    assert load(file).graph == number() and user.graph == mine


def test_a_file_that_vanished_is_told_and_written_anew(user: Driver, file: Path) -> None:
    opened(user, file, is_edited=False)
    file.unlink()
    activate(user)
    assert said(user).startswith("a.graph was moved or deleted.")
    assert user.window.isWindowModified()
    press(user, 0)
    assert load(file).graph == user.graph and not user.window.isWindowModified()
    assert "deleted" not in said(user)


def test_what_is_written_over_by_save_as_is_kept(
    user: Driver, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "b.graph"
    save(annotated(), target)
    opened(user, file)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    user.trigger("save_as")
    assert kept(user, target) == [user.graph, annotated()]


def test_where_no_version_can_be_kept_nothing_is_written_over(user: Driver, file: Path, state: Path) -> None:
    opened(user, file)
    save(number(), file)
    (state / "versions").write_text("in the way")
    activate(user)
    user.popups.answer("error_dialog", Standard.Cancel, lambda: press(user, 2))
    assert load(file).graph == number()


def test_a_file_that_another_program_has_open_can_be_read_only(user: Driver, file: Path, other: RunFolder) -> None:
    question = answered(user, "opened_twice_dialog", "read_only", lambda: user.open(file))
    assert f"process {os.getpid()}" in question
    assert said(user) == "Another Gradwire has a.graph open: it is read-only here."
    assert user.session.results is not None, "it is evaluated all the same"
    refusals = user.listen()
    user.hand.click(user.points.title("e"))
    user.trigger("delete")
    assert user.graph == chain() and len(refusals) == 1
    user.popups.answer("error_dialog", Standard.Cancel, lambda: user.trigger("save"))
    assert load(file).graph == chain()


def test_what_is_read_only_can_be_saved_elsewhere_and_edited_then(
    user: Driver, file: Path, other: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(user, "opened_twice_dialog", "read_only", lambda: user.open(file))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "b.graph"), ""))
    press(user, 0)
    assert load(tmp_path / "b.graph").graph == chain() and not user.session.file.read_only
    user.hand.click(user.points.title("e"))
    user.trigger("delete")
    assert "e" not in user.page.blocks


def test_it_can_be_opened_all_the_same_or_not_at_all(user: Driver, file: Path, other: RunFolder) -> None:
    answered(user, "opened_twice_dialog", "", lambda: user.open(file))
    assert not user.window.parts.has_document
    answered(user, "opened_twice_dialog", "anyway", lambda: user.open(file))
    assert user.window.parts.has_document and not user.session.file.read_only


def test_nothing_is_asked_once_the_other_program_has_left(user: Driver, file: Path, other: RunFolder) -> None:
    other.leave()
    opened(user, file)
    assert user.window.parts.has_document and not user.session.file.read_only


def test_other_programs_hear_what_is_open_here(
    user: Driver, file: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = RunFolder(state)
    assert user.window.windows.run_folder.path.exists()
    monkeypatch.setattr(run_folder, "STARTED", datetime(2026, 1, 1))
    opened(user, file, is_edited=False)
    assert other.holder(file) is not None
    user.trigger("close")
    assert other.holder(file) is None
    user.window.close_unasked()
    assert other.holder(file) is None
