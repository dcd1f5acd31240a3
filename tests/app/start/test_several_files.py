"""Several files: each has a window of its own, whether the command line names it or the system asks for it later."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from gradwire.app.base.examples import example_path
from gradwire.app.start import start
from tests.app.programs import Program, note_first_start

# A program that has the system ask for the last file, then prints the files of all its windows.
PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication
from gradwire.app.__main__ import main
from gradwire.app.start.deferred_startup import DeferredStartup

asked, moment, *sys.argv[1:] = sys.argv[1:]

def ask():
    QApplication.sendEvent(QApplication.instance(), QFileOpenEvent(asked))

def look(windows):
    for window in windows.windows:
        print(window.path and window.path.name, window.parts.layout.shows_welcome, window.isVisible(), flush=True)
    print("active:", QApplication.activeWindow().path.name, flush=True)
    for window in reversed(windows.windows):
        window.close_unasked()

def begin(self):
    if moment == "early":
        ask()

def go_on(self):
    if moment == "late":
        ask()
    QTimer.singleShot(100, lambda: look(self._window.windows))

first, others = DeferredStartup._show_first, DeferredStartup._show_others
DeferredStartup._show_first = lambda self: (begin(self), first(self))
DeferredStartup._show_others = lambda self: (others(self), go_on(self))
sys.exit(main())
"""


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    made = [tmp_path / "a b.graph", tmp_path / "c.graph", tmp_path / "d.graph"]
    for path in made:
        shutil.copy(example_path("softmax_stable"), path)
    return made


def shown(tmp_path: Path, *arguments: object) -> list[str]:
    """Returns what the program prints; its user has started it before."""
    note_first_start(tmp_path)
    variables = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    program = Program(PROGRAM, tmp_path, *map(str, arguments), variables=variables)
    assert program.wait(30) == 0, program.errors
    assert "Traceback" not in program.errors
    return program.output.splitlines()


def test_each_file_has_a_window_and_the_last_is_in_front(tmp_path: Path, files: list[Path]) -> None:
    assert shown(tmp_path, "", "never", *files) == [
        "a b.graph False True",
        "c.graph False True",
        "d.graph False True",
        "active: d.graph",
    ]


@pytest.mark.long
def test_a_file_that_is_named_twice_has_one_window(tmp_path: Path, files: list[Path]) -> None:
    same = tmp_path / ".." / tmp_path.name / files[0].name
    assert shown(tmp_path, "", "never", files[0], files[1], same)[:-1] == ["a b.graph False True", "c.graph False True"]


@pytest.mark.long
def test_the_file_of_a_double_click_takes_the_place_of_the_welcome_page(tmp_path: Path, files: list[Path]) -> None:
    for moment in ("early", "late"):
        assert shown(tmp_path, files[0], moment) == ["a b.graph False True", "active: a b.graph"]


@pytest.mark.long
def test_a_file_that_the_system_asks_for_later_has_a_window_beside(tmp_path: Path, files: list[Path]) -> None:
    assert shown(tmp_path, files[1], "late", files[0]) == [
        "a b.graph False True",
        "c.graph False True",
        "active: c.graph",
    ]


@pytest.mark.long
def test_a_file_that_is_open_comes_forward(tmp_path: Path, files: list[Path]) -> None:
    said = shown(tmp_path, files[0], "late", files[0], files[1])
    assert said == ["a b.graph False True", "c.graph False True", "active: a b.graph"]


def test_without_a_display_all_files_are_printed(
    files: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "missing_display", lambda: "There is no display.")
    monkeypatch.setattr(start, "_write_picture", lambda _: None)
    printed: list[Path] = []
    code = start.open_files([str(path) for path in files], lambda path: printed.append(path) or len(printed) - 1)
    assert (code, printed) == (2, files)


def test_an_option_after_a_file_is_wrong(files: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert start.open_files([str(files[0]), "--jsom"], lambda _: pytest.fail("a table was printed")) == 2
    assert (
        capsys.readouterr().err
        == "gradwire: there is no option --jsom after a file; gradwire --help explains the commands\n"
    )
