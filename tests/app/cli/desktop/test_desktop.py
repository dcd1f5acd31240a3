"""The files of the desktop: where they lie, that a menu can start what they name, and that all of them go again."""

from __future__ import annotations

import configparser
import os
import shutil
import stat
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from gradwire.app.cli.desktop import desktop_command
from gradwire.app.cli.desktop.desktop_command import ELSEWHERE, data_folder, running_command
from gradwire.app.cli.desktop.desktop_files import exec_line, file_names
from gradwire.app.start.window import made_application
from tests.app.cli.graphs import called, started

TYPE = "application/vnd.gradwire.graph+json"

linux = pytest.mark.skipif(sys.platform != "linux", reason="desktops of freedesktop.org are those of Linux")


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's data folder; no program that updates what the desktop has noted can be found."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path / "data"


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def entry(data: Path) -> configparser.SectionProxy:
    parser = configparser.RawConfigParser()
    parser.optionxform = str  # type: ignore[assignment,method-assign]  # keys are case-sensitive
    parser.read(data / "applications" / "gradwire.desktop", encoding="utf-8")
    return parser["Desktop Entry"]


def read_string(value: str) -> str:
    """Reads a value of the type string, as the Desktop Entry Specification has it."""
    signs = iter(value)
    return "".join(
        {"\\": "\\", "s": " ", "n": "\n", "t": "\t", "r": "\r"}[next(signs)] if c == "\\" else c for c in signs
    )


def read_exec(value: str) -> list[str]:
    """Reads a command, as a menu does: its quotes are those of a shell, %% is a percent sign."""
    command = ["/bin/sh", "-c", f"printf '%s\\0' {read_string(value)}"]
    words = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\0")
    return [word.replace("%%", "%") for word in words[:-1]]


@linux
def test_what_is_installed_is_said_and_lies_there(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = called(capsys, "desktop", "install")
    assert (outcome.code, outcome.err) == (0, "")
    assert {str(data / name) for name in files(data)} == set(outcome.out.splitlines())
    assert files(data) == set(file_names())


@linux
def test_the_entry_starts_the_running_command_with_files_and_names_the_type(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "gradwire"
    program.touch(mode=0o700)
    monkeypatch.setattr(sys, "argv", [str(program), "desktop", "install"])
    called(capsys, "desktop", "install")
    found = entry(data)
    assert read_exec(found["Exec"]) == [str(program), "%F"]
    assert (found["Type"], found["Icon"], found["Terminal"]) == ("Application", "gradwire", "false")
    assert TYPE in found["MimeType"].split(";")


@linux
def test_a_graph_is_known_by_the_end_of_its_name(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called(capsys, "desktop", "install")
    (kind,) = ElementTree.parse(data / "mime" / "packages" / "gradwire.xml").getroot()
    globs = [item.get("pattern") for item in kind if item.tag.endswith("}glob")]
    assert (kind.get("type"), globs) == (TYPE, ["*.graph"])


@linux
def test_the_description_leads_to_the_entry(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    called(capsys, "desktop", "install")
    root = ElementTree.parse(data / "metainfo" / "gradwire.metainfo.xml").getroot()
    assert root.findtext("launchable") == "gradwire.desktop"
    assert (data / "applications" / root.findtext("launchable", "")).exists()
    assert root.findtext("provides/mediatype") == TYPE


@linux
def test_icons_have_the_size_of_their_folder_and_are_no_empty_pictures(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    called(capsys, "desktop", "install")
    pictures = list((data / "icons" / "hicolor").glob("*x*/*/*.png"))
    assert len(pictures) >= 12
    for path in pictures:
        picture, size = QImage(str(path)), int(path.parts[-3].partition("x")[0])
        assert (picture.width(), picture.height()) == (size, size)
        assert picture.pixelColor(size // 8, size // 8).alpha() > 0
        assert picture.pixelColor(0, 0).alpha() < 128


@linux
def test_what_is_removed_is_said_and_nothing_is_left(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = called(capsys, "desktop", "install").out
    removed = called(capsys, "desktop", "remove")
    assert (removed.code, sorted(removed.out.splitlines())) == (0, sorted(said.splitlines()))
    assert list(data.iterdir()) == []


@linux
def test_files_of_others_stay(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = data / "applications" / "other.desktop"
    other.parent.mkdir(parents=True)
    other.touch()
    called(capsys, "desktop", "install")
    called(capsys, "desktop", "remove")
    assert files(data) == {"applications/other.desktop"}


@linux
def test_to_remove_what_is_not_there_is_no_mistake(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outcome = called(capsys, "desktop", "remove")
    assert (outcome.code, outcome.out) == (0, "")
    assert outcome.err == f"gradwire: nothing of Gradwire is in {data}.\n"


@linux
def test_what_the_desktop_has_noted_is_renewed(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Puts programs in place of the system's which note their last argument; one of them fails."""
    for name in ("update-mime-database", "update-desktop-database", "gtk-update-icon-cache"):
        program = tmp_path / name
        code = int(name == "gtk-update-icon-cache")
        program.write_text(f'#!/bin/sh\nfor last; do :; done\necho "$last" > "$0.asked"\nexit {code}\n')
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
    outcome = called(capsys, "desktop", "install")
    asked = {path.name: path.read_text().strip() for path in tmp_path.glob("*.asked")}
    assert asked == {
        "update-mime-database.asked": str(data / "mime"),
        "update-desktop-database.asked": str(data / "applications"),
        "gtk-update-icon-cache.asked": str(data / "icons" / "hicolor"),
    }
    assert outcome.code == 0
    assert outcome.err == "gradwire: gtk-update-icon-cache failed; log in again to see the change.\n"


@linux
@pytest.mark.parametrize("name", ["a file", "/proc/none"])
def test_a_folder_that_cannot_be_written_is_one_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "a file").touch()
    environment = {**os.environ, "XDG_DATA_HOME": str(tmp_path / name)}
    done = started("desktop", "install", env=environment)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("gradwire: ") and "cannot be written" in done.stderr
    assert done.stderr.count("\n") == 1


@linux
@pytest.mark.parametrize(
    "folder", ["/opt/gradwire", '/a b/it\'s "$HOME" `x` 50% \\ ünï', "/new\nline\tand tab", "/a;b&c(d)*?#~|<>"]
)
def test_any_path_can_be_started(folder: str) -> None:
    line = exec_line([f"{folder}/gradwire", "-m", "gradwire"])
    assert "\n" not in line
    assert read_exec(line) == [f"{folder}/gradwire", "-m", "gradwire"]


@pytest.mark.parametrize("platform", ["win32", "darwin"])
def test_elsewhere_a_sentence_says_what_to_do(
    platform: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gradwire.app.cli.desktop.desktop_command.sys.platform", platform)
    outcome = called(capsys, "desktop", "install")
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err == f"gradwire: {ELSEWHERE[platform]}\n"
    assert ".graph" in outcome.err


def test_the_window_says_the_name_of_the_entry(qapp: object) -> None:
    application = made_application()
    assert f"applications/{application.desktopFileName()}.desktop" in file_names()


@linux
@pytest.mark.skipif(shutil.which("update-mime-database") is None, reason="needs shared-mime-info")
def test_the_real_types_know_a_graph_and_forget_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert called(capsys, "desktop", "install").err == ""
    assert "*.graph" in (tmp_path / "mime" / "globs").read_text()
    assert called(capsys, "desktop", "remove").err == ""
    assert "*.graph" not in (tmp_path / "mime" / "globs").read_text()
    assert not [path for path in tmp_path.rglob("*") if "gradwire" in path.name]


def test_a_relative_data_folder_is_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    """As the XDG Base Directory Specification has it."""
    usual = Path.home() / ".local" / "share"
    for given, folder in (("/a/b", Path("/a/b")), ("a/b", usual), ("", usual)):
        monkeypatch.setenv("XDG_DATA_HOME", given)
        assert data_folder() == folder
    monkeypatch.delenv("XDG_DATA_HOME")
    assert data_folder() == usual


@linux
def test_the_running_command_is_the_program_or_the_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("gradwire", "plain", "run.py"):
        (tmp_path / name).touch(mode=0o600 if name == "plain" else 0o700)
    monkeypatch.chdir(tmp_path)
    module = [sys.executable, "-m", "gradwire"]
    for program, command in (
        ("gradwire", [str(tmp_path / "gradwire")]),
        ("plain", module),
        ("run.py", module),
        ("gone", module),
    ):
        monkeypatch.setattr(sys, "argv", [program, "desktop"])
        assert running_command() == command
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    for image, command in (("/apps/Gradwire.AppImage", ["/apps/Gradwire.AppImage"]), ("", [sys.executable])):
        monkeypatch.setenv("APPIMAGE", image)
        assert running_command() == command


@linux
def test_a_program_that_hangs_is_told_and_one_without_its_folder_is_not_asked(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[list[str]] = []

    def run(command: list[str], **_: object) -> None:
        asked.append(command)
        raise subprocess.TimeoutExpired(command, 60)

    monkeypatch.setattr(desktop_command.shutil, "which", lambda name: f"/bin/{name}")
    monkeypatch.setattr(desktop_command, "UPDATERS", (("gtk-update-icon-cache", "icons/hicolor"), ("other", "gone")))
    monkeypatch.setattr(desktop_command.subprocess, "run", run)
    outcome = called(capsys, "desktop", "install")
    options = ["--quiet", "--force", "--ignore-theme-index"]
    assert asked == [["/bin/gtk-update-icon-cache", *options, str(data / "icons" / "hicolor")]]
    assert (outcome.code, outcome.err) == (
        0,
        "gradwire: gtk-update-icon-cache did not answer; log in again to see the change.\n",
    )


@linux
def test_the_exec_key_quotes_what_its_specification_reserves() -> None:
    """Source: Desktop Entry Specification 1.5: quotes first, then the escapes of any string."""
    assert exec_line(["/a/b", "-m"]) == "/a/b -m"
    assert exec_line(["/a b", "", "50%"]) == '"/a b" "" 50%%'
    assert exec_line(["a$b"]) == '"a\\\\$b"'
    assert exec_line(["a\tb"]) == '"a\\tb"'
