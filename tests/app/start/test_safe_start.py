"""Starts over odd records of the program's own, and without them: by `--safe`, or after two starts that failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from gradwire.app.base.examples import example_path
from gradwire.app.shell.documents.recovery_files import write_origin
from gradwire.app.start.wanted import wants_window
from tests.app.programs import Program

# A program that starts until its window has stood for a while, and prints the dialogs that it shows, and its theme.
STARTS = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox
from gradwire.app.__main__ import main
from gradwire.app.start import deferred_startup
from gradwire.app.start.main_window import MainWindow
from gradwire.app.start.safe_start import Start

def look():
    window = next(item for item in QApplication.topLevelWidgets() if isinstance(item, MainWindow))
    for dialog in (item for item in QApplication.topLevelWidgets() if isinstance(item, QDialog) and item.isVisible()):
        print(dialog.objectName(), dialog.informativeText() if isinstance(dialog, QMessageBox) else "")
        dialog.reject()
    print("theme", window.settings.text("theme"), flush=True)
    window.close()

deferred_startup.SETTLED = 50
succeed = Start.succeed
Start.succeed = lambda self: (succeed(self), QTimer.singleShot(0, look) if QApplication.topLevelWidgets() else None)
sys.exit(main())
"""
# A program that ends while it starts, as a fault in a library ends one.
DIES = """
import os
from gradwire.app.start.main_window import MainWindow
from gradwire.app.__main__ import main
MainWindow.fill = lambda *_: os._exit(3)
main()
"""
LEFT_ALONE = "Gradwire does not change settings, plug-ins and copies of unsaved graphs until you restart it."


def started(script: str, folder: Path, *arguments: str) -> list[str]:
    """Returns the output of a program whose settings and records are in a folder."""
    variables = {"XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    program = Program(script, folder, *arguments, variables=variables)
    assert program.wait() == (3 if script is DIES else 0), program.errors
    assert "Traceback" not in program.errors, program.errors
    return program.output.splitlines()


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """The folder of a user with settings and an unsaved graph of a program that has ended."""
    copy = tmp_path / "gradwire" / "running" / "1-0000" / "1.graph"
    copy.parent.mkdir(parents=True)
    copy.write_bytes(example_path("softmax_stable").read_bytes())
    write_origin(copy, "mine", None)
    (tmp_path / "gradwire" / "gradwire.ini").write_text("[General]\ntheme=light\n")
    return tmp_path


@pytest.mark.long
def test_a_start_after_two_that_failed_leaves_all_records_alone(records: Path) -> None:
    for _ in range(2):
        assert started(DIES, records) == []
    assert started(STARTS, records) == [f"notice_dialog The last two starts failed. {LEFT_ALONE}", "theme "]
    # It succeeded: the next one is as usual.
    assert started(STARTS, records) == ["recovery_dialog ", "theme light"]


@pytest.mark.long
def test_a_start_after_one_that_failed_is_as_usual(records: Path) -> None:
    assert started(DIES, records) == []
    assert started(STARTS, records) == ["recovery_dialog ", "theme light"]
    assert started(DIES, records) == []
    assert started(STARTS, records) == ["recovery_dialog ", "theme light"]


def test_a_safe_start_is_asked_for_by_an_option(records: Path) -> None:
    assert wants_window(["--safe"])
    assert started(STARTS, records, "--safe") == [f"notice_dialog {LEFT_ALONE}", "theme "]
    assert (records / "gradwire" / "running" / "1-0000" / "1.graph").exists()


@pytest.mark.long
def test_odd_records_are_put_aside_and_said_while_good_ones_are_offered(records: Path) -> None:
    home = records / "gradwire"
    (home / "running" / "1-0000.lock").write_text("[" * 100_000)
    (home / "gradwire.ini").write_bytes(bytes(100))
    (home / "plugins.txt").write_bytes(b"\xff\xfe")
    found = started(STARTS, records)
    names = [home / "put-aside" / name for name in ("gradwire.ini", "plugins.txt", "1-0000.lock")]
    said = f"Gradwire could not read its own settings files. It moved them to: {', '.join(map(str, names))}."
    assert sorted(found) == sorted([f"notice_dialog {said}", "recovery_dialog ", "theme "])
    assert all(path.exists() for path in names)
