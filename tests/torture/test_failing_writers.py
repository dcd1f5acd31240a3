"""Each writer of a file, where the disk takes no byte more: the old file stays whole, and the reason is said."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QLabel, QPlainTextEdit

from gradwire.app.base.examples import FOLDER, copy_examples
from gradwire.app.base.settings import Settings
from gradwire.app.base.tensor_files import write_tensor_file
from gradwire.app.canvas.painting.picture import PagePicture
from gradwire.app.cli import command_line
from gradwire.app.look.theme import theme
from gradwire.app.shell.documents.backups import Backups
from gradwire.app.shell.documents.exports.code_dialog import CodeDialog
from gradwire.app.shell.documents.recovery_files import write_origin
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.files.files import load
from gradwire.engine.files.outputs import PICTURE, Output
from gradwire.engine.plugins import plugins
from tests.sweeps import a_third_of
from tests.torture.support.counts import count
from tests.torture.support.limits import no_larger_files_than
from tests.torture.support.running import ROOT, mounting_fails

pytestmark = pytest.mark.long

GRAPH = FOLDER / "linreg.graph"
OLD = b"old bytes"
# Largest file that the system allows while a writer works. Units: bytes.
LIMITS = (0, 5, 20, 100)[: count(2, 4)]


def command(*arguments: object) -> None:
    """Runs the command line. Raises: RuntimeError with its exit code unless that is 0."""
    if code := command_line.main([str(item) for item in arguments]):
        raise RuntimeError(code)


def saved_program(path: Path) -> None:
    """Saves from the dialog that shows a program. Raises: RuntimeError with the sentence below the program."""
    dialog = CodeDialog(load(GRAPH).graph, "linreg", None)  # type: ignore[arg-type]  # without a window
    dialog.findChild(QPlainTextEdit, "code").setPlainText("import numpy\n" * 100)
    dialog.save_to(path)
    said = dialog.findChild(QLabel, "code_status").text()
    dialog.reject()
    if "Saved" not in said:
        raise RuntimeError(said)


def picture(path: Path) -> None:
    shown = PagePicture(load(GRAPH).graph)
    try:
        shown.save(Output(path, PICTURE), theme("light"))
    finally:
        shown.close()


def settings(path: Path) -> None:
    """Stores a setting, which fails silently. Raises: RuntimeError always."""
    kept = Settings(path)
    kept.set_text("theme", "dark " * 100)
    kept.sync()
    raise RuntimeError


def plugin_list(path: Path) -> None:
    plugins._write(path, [f"package_{number}" for number in range(200)])


def origin(path: Path) -> None:
    write_origin(path.with_suffix(".graph"), "title " * 200, None)


WRITERS: Mapping[str, tuple[str, Callable[[Path], object]]] = {
    "export": ("a.py", lambda path: command("export", GRAPH, "--to", "numpy", "-o", path)),
    "render svg": ("a.svg", lambda path: command("render", GRAPH, "-o", path)),
    "render png": ("a.png", lambda path: command("render", GRAPH, "-o", path)),
    "code dialog": ("a.py", saved_program),
    "picture": ("a.pdf", picture),
    "tensor": ("a.npy", lambda path: write_tensor_file(path, np.arange(9.0))),
    "table": ("a.csv", lambda path: write_tensor_file(path, np.arange(99.0))),
    "settings": ("a.ini", settings),
    "list of plug-ins": ("plugins.txt", plugin_list),
    "origin of a copy": ("1.json", origin),
}


@pytest.mark.usefixtures("qapp", "capsys")
@pytest.mark.parametrize("size", LIMITS)
@pytest.mark.parametrize("writer", a_third_of(WRITERS))
def test_a_writer_without_room_leaves_the_old_file_whole(tmp_path: Path, writer: str, size: int) -> None:
    name, write = WRITERS[writer]
    path = tmp_path / name
    path.write_bytes(OLD)
    with no_larger_files_than(size), pytest.raises((GradwireError, OSError, RuntimeError)):
        write(path)
    assert path.read_bytes() == OLD
    assert os.listdir(tmp_path) == [name]


@pytest.mark.usefixtures("qapp", "capsys")
@pytest.mark.parametrize("writer", a_third_of(WRITERS, 1))
def test_a_writer_with_room_replaces_the_old_file(tmp_path: Path, writer: str) -> None:
    name, write = WRITERS[writer]
    path = tmp_path / name
    path.write_bytes(OLD)
    with contextlib.suppress(RuntimeError):  # of `settings`
        write(path)
    assert path.read_bytes() != OLD
    assert path.stat().st_size > max(LIMITS)


@pytest.mark.parametrize("size", LIMITS)
def test_an_example_is_copied_whole_or_not_at_all(tmp_path: Path, size: int) -> None:
    with no_larger_files_than(size), pytest.raises(GradwireError, match="it would be larger than files may be here"):
        copy_examples(("linreg",), tmp_path)
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("size", LIMITS)
def test_versions_are_kept_whole_or_not_at_all(tmp_path: Path, size: int) -> None:
    backups, file = Backups(tmp_path), tmp_path / "a.graph"
    backups.keep(file, OLD * 100)
    with no_larger_files_than(size), pytest.raises(GradwireError):
        backups.keep(file, OLD * 101)
    assert [version.file.read_bytes() for version in backups.versions(file)] == [OLD * 100]


@pytest.mark.parametrize("arguments", [["export", "--to", "torch", "-o", "a.py"], ["render", "-o", "a.png"]])
def test_commands_on_a_full_disk_leave_the_old_file_whole(tmp_path: Path, arguments: list[str]) -> None:
    if reason := mounting_fails(tmp_path):
        pytest.skip(f"no small disk can be mounted here: {reason}")
    verb, *rest = arguments
    asked = f'"{sys.executable}" -m gradwire {verb} "{GRAPH}" {" ".join(rest)}'
    script = f"""
        mount -t tmpfs -o size=64k tmpfs "{tmp_path}" && cd "{tmp_path}" && printf 'old bytes' > {rest[-1]}
        cat /dev/zero > room 2>/dev/null
        {asked}; echo "code $?"; cat {rest[-1]}; echo; ls -A
    """
    apart = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script]
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(apart, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == ["code 2", "old bytes", rest[-1], "room"]
    assert done.stderr == f'gradwire: "{rest[-1]}" cannot be written: the disk is full.\n'
