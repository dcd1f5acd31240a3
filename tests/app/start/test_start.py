"""Systems that cannot show a window still show a graph: as a table, and as a picture."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from gradwire.app.base import log
from gradwire.app.base.examples import FOLDER, example_path
from gradwire.app.cli import command_line
from gradwire.app.start import start

SOFTMAX = FOLDER / "softmax_stable.graph"
ROOT = Path(__file__).parents[3]
SAID = "A picture of the window is in "


@pytest.fixture
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    """An environment without a display."""
    monkeypatch.setattr(start, "missing_display", lambda: "There is no display (DISPLAY is not set).")


@pytest.fixture
def pictures(monkeypatch: pytest.MonkeyPatch) -> list[Path | None]:
    """The files whose picture was requested; none is written."""
    asked: list[Path | None] = []
    monkeypatch.setattr(start, "_write_picture", asked.append)
    return asked


def alone(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs the program as a user without a display starts it."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"TMPDIR": str(folder), "XDG_CONFIG_HOME": str(folder)}
    command = [sys.executable, "-m", "gradwire", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env=environment)


@pytest.mark.long
def test_without_a_display_there_is_a_table_and_a_picture(tmp_path: Path) -> None:
    done = alone(tmp_path, str(SOFTMAX))
    assert done.returncode == 0
    assert done.stderr == "gradwire: There is no display (DISPLAY is not set).\n"
    assert "main/m.y -> main/stop.x" in done.stdout
    picture = Path(done.stdout.splitlines()[-1].removeprefix(SAID))
    assert picture.is_relative_to(tmp_path)
    image = QImage(str(picture))
    assert image.width() > 400 and image.height() > 300


@pytest.mark.usefixtures("no_display")
def test_without_a_file_the_first_example_is_shown(pictures: list[Path | None]) -> None:
    shown: list[Path] = []
    assert start.start(None, lambda path: shown.append(path) or 0) == 0
    assert shown == [example_path("softmax_stable")]
    assert pictures == [None]


@pytest.mark.usefixtures("no_display")
def test_a_graph_with_errors_still_has_a_picture(pictures: list[Path | None]) -> None:
    assert start.start(SOFTMAX, lambda _: 1) == 1
    assert pictures == [SOFTMAX]


@pytest.mark.usefixtures("no_display")
@pytest.mark.parametrize("content", [None, "not JSON"])
def test_an_unreadable_file_has_no_picture(
    pictures: list[Path | None], tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None
) -> None:
    path = tmp_path / "a.graph"
    if content is not None:
        path.write_text(content)
    assert command_line.main([str(path)]) == 2
    assert pictures == []
    assert str(path) in capsys.readouterr().err


def test_where_qt_cannot_be_loaded_the_command_that_mends_it_is_said(
    pictures: list[Path | None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken:
        def __getattr__(self, name: str) -> object:
            raise ImportError("libEGL.so.1: cannot open shared object file: No such file or directory")

    monkeypatch.setitem(sys.modules, "gradwire.app.start.window", Broken())
    monkeypatch.setattr("gradwire.app.start.qt_libraries._is_there", lambda library: library != "libEGL.so.1")
    monkeypatch.setattr(
        "gradwire.app.start.qt_libraries.shutil.which", lambda name: name if name == "apt-get" else None
    )
    monkeypatch.setattr("gradwire.app.start.qt_libraries.os.geteuid", lambda: 0, raising=False)
    assert command_line.main([str(SOFTMAX)]) == 0
    captured = capsys.readouterr()
    assert captured.err == (
        "gradwire: Qt needs the system library libEGL.so.1, which is missing. "
        "Install it with: apt-get install --yes libegl1\n"
    )
    assert "main/m.y -> main/stop.x" in captured.out
    assert pictures == []


def test_a_library_that_x11_needs_is_named_before_qt_ends_the_process(
    pictures: list[Path | None], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "missing_display", lambda: "")
    monkeypatch.setattr(start, "needs_x11", lambda: True)
    monkeypatch.setattr(start, "missing_x11_library", lambda: "Something is missing.")
    assert start.start(SOFTMAX, lambda _: 0) == 0
    assert capsys.readouterr().err == "gradwire: Something is missing.\n"
    assert pictures == [SOFTMAX]


def test_with_a_display_the_window_opens_and_gives_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[tuple[Path | None, bool]] = []
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(start, "listen", lambda: None)
    monkeypatch.setattr(start, "missing_display", lambda: "")
    monkeypatch.setattr(start, "needs_x11", lambda: False)
    monkeypatch.setattr(
        "gradwire.app.start.window.open_window", lambda path, is_safe, _: opened.append((path, is_safe)) or 5
    )
    assert start.start(SOFTMAX, lambda _: pytest.fail("a table was printed")) == 5
    assert opened == [(SOFTMAX, False)]


def test_a_mistake_of_ours_is_a_sentence_without_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said: list[str] = []
    monkeypatch.setattr("gradwire.app.start.window.say", said.append)
    try:
        raise RuntimeError("odd")
    except RuntimeError as error:
        start._say_mistake(RuntimeError, error, error.__traceback__)
    advice = "Help > Report a problem copies the details."
    assert said == [f"Something went wrong inside Gradwire. Your graph is as it was. {advice}"]
    assert capsys.readouterr().err == f"gradwire: {said[0]} The traceback is in {log.begin()}.\n"


def test_an_interrupt_ends_the_program() -> None:
    with pytest.raises(SystemExit) as stop:
        start._say_mistake(KeyboardInterrupt, KeyboardInterrupt(), None)
    assert stop.value.code == 130
