"""Settings, copies, versions and plug-ins of a program from before all modules moved into one package.

The files in tests/data/state_before were written by that program: one run changed the settings and saved
/gradwire-before/number.graph twice, another one was killed after it had written a copy.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gradwire.app.base.run_folder import RunFolder
from gradwire.app.shell.documents.backups import Backups
from gradwire.app.shell.documents.recovery_files import abandoned
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from gradwire.engine.plugins.plugins import enabled_names, known_faults

RECORDED = Path(__file__).parents[3] / "data" / "state_before"
FILE = Path("/gradwire-before/number.graph")
ROOT = Path(__file__).parents[4]
# A program that runs until it offers the copies of an earlier one, and prints what it has read of the settings.
PROGRAM = """
import json
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gradwire.app.__main__ import main
from gradwire.app.start.main_window import MainWindow

def look():
    dialog = QApplication.activeModalWidget()
    if dialog is None or dialog.objectName() != "recovery_dialog":
        if dialog is not None:
            dialog.reject()
        QTimer.singleShot(10, look)
        return
    try:
        print(json.dumps(facts(dialog)), flush=True)
    finally:
        dialog.reject()
        window.close()

def facts(dialog):
    return {
        "offered": [entry.name for entry in dialog._list.entries],
        "theme": window.appearance.theme.name,
        "are_wires_curves": window.appearance.has_curves,
        "undo": window.parts.actions_by_id["undo"].text(),
        "keys": window.parts.keys.of("mute"),
        "shown_panel": window.parts.panels.bottom.shown,
        "wheel_pans": window.parts.canvas.mouse.wheel_pans,
        "hidden_rules": window.settings.table("hidden_rules"),
        "recent": [str(item.path) for item in window.settings.recent()],
        "has_bookmark": [window.parts.viewing.bookmarks.go(window.parts.session, number) for number in (2, 3)],
    }

def filled(self, spare):
    global window
    window = self
    fill(self, spare)
    QTimer.singleShot(0, look)

fill = MainWindow.fill
MainWindow.fill = filled
sys.exit(main())
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the folders are those of Linux")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the recorded files; the file that the settings name lies beside them."""
    copy = tmp_path_factory.mktemp("before")
    shutil.copytree(RECORDED, copy, dirs_exist_ok=True)
    newest = max((copy / "state" / "gradwire" / "versions").glob("*/*.graph"))
    shutil.copy(newest, copy / FILE.name)
    settings = copy / "config" / "gradwire" / "gradwire.ini"
    settings.write_bytes(settings.read_bytes().replace(os.fsencode(FILE.parent), os.fsencode(copy)))
    return copy


@pytest.fixture(scope="module")
def facts(folder: Path) -> dict[str, Any]:
    """Facts about a window that was started with the recorded files."""
    environment = {
        **os.environ,
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_STATE_HOME": str(folder / "state"),
    }
    command = [sys.executable, "-c", PROGRAM, str(folder / FILE.name)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def number_in(graph: Graph) -> int:
    return int(graph.page("main").blocks["a"].parameters["value"])


@pytest.mark.long
@pytest.mark.parametrize(
    ("fact", "value"),
    [
        ("offered", ["number"]),
        ("theme", "light"),
        ("are_wires_curves", True),
        ("undo", "Rückgängig"),
        ("keys", ["M", "Ctrl+Alt+M"]),
        ("wheel_pans", True),
        ("hidden_rules", {"clip_then_square": True}),
        ("has_bookmark", [False, True]),
    ],
)
def test_the_window_has_the_settings(facts: dict[str, Any], fact: str, value: object) -> None:
    assert facts[fact] == value


def test_the_first_start_after_an_update_folds_all_panels(facts: dict[str, Any]) -> None:
    assert facts["shown_panel"] == ""


def test_recent_files_are_known(facts: dict[str, Any], folder: Path) -> None:
    assert facts["recent"] == [str(folder / FILE.name)]


def test_the_copy_of_the_killed_run_is_found() -> None:
    (copy,) = abandoned(RunFolder(RECORDED / "state" / "gradwire"))
    assert (copy.name, copy.original) == ("number", FILE)
    assert number_in(load(copy.file).graph) == 42


def test_the_saved_versions_are_found() -> None:
    versions = Backups(RECORDED / "state" / "gradwire").versions(FILE)
    assert [number_in(load(version.file).graph) for version in versions] == [3, 2, 1]


def test_the_plug_in_is_enabled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(RECORDED / "config"))
    assert enabled_names() == ["shrinkage"]
    assert known_faults() == {}
