"""File > Versions: saved versions are listed, compared and opened as copies, and never overwritten."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QPushButton

from gradwire.app.features.compare.compare_lens import CompareLens
from gradwire.app.features.welcome.graph_list import GraphList
from gradwire.app.shell.documents.versions_dialog import VersionsDialog
from gradwire.engine.files.files import load, save
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain
from tests.app.windows import open_windows

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A state folder of the test's own."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "states"))


@pytest.fixture
def file(user: Driver, tmp_path: Path) -> Path:
    """A file that was saved before the program knew it, and twice with it: before and after muting e."""
    path = tmp_path / "a.graph"
    save(chain(), path)
    user.open(path)
    for command in ("collapse", "mute"):
        user.hand.click(user.points.title("e"))
        user.trigger(command)
        user.trigger("save")
    return path


def versions(user: Driver) -> VersionsDialog:
    user.trigger("versions")
    found = QApplication.activeModalWidget()
    assert isinstance(found, VersionsDialog)
    return found


def listed(dialog: VersionsDialog) -> GraphList:
    found = dialog.findChild(GraphList, "versions_list")
    assert isinstance(found, GraphList)
    return found


def press(user: Driver, dialog: VersionsDialog, name: str) -> None:
    button = dialog.findChild(QPushButton, f"versions_{name}")
    assert isinstance(button, QPushButton)
    user.qtbot.mouseClick(button, LEFT)
    user.settle()


def test_a_graph_without_a_file_has_no_versions(user: Driver) -> None:
    user.show(chain())
    assert not user.window.parts.actions_by_id["versions"].isEnabled()


def test_each_saved_state_is_a_version_and_the_one_before_the_first_too(user: Driver, file: Path) -> None:
    dialog = versions(user)
    assert len(listed(dialog).entries) == 3
    assert listed(dialog).entries[0].lines == (f"{file.stat().st_size} bytes",)
    press(user, dialog, "close")
    assert QApplication.activeModalWidget() is None


def test_a_version_opens_as_an_unsaved_copy_beside_the_graph(
    user: Driver, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, mine = file.read_bytes(), user.graph
    found = listed(versions(user))
    user.qtbot.keyClick(found, Key.Key_End)
    user.qtbot.keyClick(found, Key.Key_Return)
    user.settle()
    (other,) = [window for window in open_windows(user.window) if window is not user.window]
    assert other.session.graph == chain() and not other.session.document.is_saved
    assert other.session.document.path is None and other.parts.document.title.startswith("a of ")
    proposed: list[str] = []
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *args: (proposed.append(args[2]), ("", ""))[1])
    other.parts.documents.saving.save()
    assert proposed == [str(file)]
    assert file.read_bytes() == before and user.graph is mine


def test_a_version_is_compared_with_the_graph(user: Driver, file: Path) -> None:
    dialog = versions(user)
    user.qtbot.keyClick(listed(dialog), Key.Key_End)
    press(user, dialog, "compare")
    user.window.parts.panels.bottom.raise_panel(True)
    lens = user.window.parts.panels.bottom.lens("compare")
    assert isinstance(lens, CompareLens)
    user.qtbot.waitUntil(lambda: any(label.text().startswith("B is a of ") for label in lens.findChildren(QLabel)))


def test_a_damaged_version_is_told_and_stays(user: Driver, file: Path) -> None:
    newest = user.window.parts.documents.saving.backups.versions(file)[0].file
    newest.write_text("{ damaged")
    dialog = versions(user)
    press(user, dialog, "open")
    assert listed(dialog).entries[0].fault and newest.exists()
    assert len(user.window.windows.windows) == 1
    dialog.reject()


def test_a_graph_that_was_never_saved_here_says_so(user: Driver, tmp_path: Path) -> None:
    path = tmp_path / "b.graph"
    save(chain(), path)
    user.open(path)
    dialog = versions(user)
    sentence = dialog.findChild(QLabel, "versions_sentence")
    assert isinstance(sentence, QLabel) and sentence.text().startswith("There are none yet")
    dialog.reject()


def test_loading_a_version_leaves_the_file_alone(user: Driver, file: Path) -> None:
    stamp = file.stat().st_mtime_ns
    press(user, versions(user), "open")
    assert file.stat().st_mtime_ns == stamp and load(file).graph == user.graph
