"""The command `gradwire desktop`: it puts the program among the applications of this user, or takes it out."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from gradwire.app.base.terminal import say
from gradwire.app.cli.desktop.desktop_files import THEME, desktop_files, file_names
from gradwire.app.cli.graph_files import FINE, PROBLEMS
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.processes.python_process import is_frozen
from gradwire.engine.base.system_reasons import reason_of
from gradwire.engine.files.disk import write_file

# Programs that renew what the desktop has noted, each with the folder that it reads.
UPDATERS = (
    ("update-mime-database", "mime"),
    ("update-desktop-database", "applications"),
    ("gtk-update-icon-cache", THEME),
)
OPTIONS = {"gtk-update-icon-cache": ("--quiet", "--force", "--ignore-theme-index")}
# Some of them read all types of files. Units: seconds.
LONGEST_UPDATE = 60
ELSEWHERE = {
    "win32": "Windows has no such entries: pin gradwire-window.exe, from the folder Scripts of the environment, to "
    'Start, and choose it once with "Open with" for a .graph file.',
    "darwin": "macOS has no such entries: open a .graph file with gradwire FILE in a terminal, or keep an alias of the "
    "program gradwire-window in Applications.",
}


def desktop(options: argparse.Namespace) -> int:
    """Installs or removes the files of the desktop, and prints which."""
    if sys.platform in ELSEWHERE:
        say(f"gradwire: {ELSEWHERE[sys.platform]}", sys.stderr)
        return PROBLEMS
    folder = data_folder()
    paths = _install(folder) if options.action == "install" else _remove(folder)
    for path in paths:
        say(str(path))
    if not paths:
        say(f"gradwire: nothing of Gradwire is in {folder}.", sys.stderr)
        return FINE
    for line in _update(folder):
        say(line, sys.stderr)
    if options.action == "remove":
        # Only now: update-mime-database wants the folder that it reads, also an empty one.
        for path in paths:
            _remove_empty(path.parent, folder)
    return FINE


def data_folder() -> Path:
    """Returns the user's data folder, `XDG_DATA_HOME`."""
    given = os.environ.get("XDG_DATA_HOME", "")
    # The specification says that a relative path is to be ignored.
    return Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"


def running_command() -> list[str]:
    """Returns the command that started this program, with its absolute path."""
    if is_frozen():
        # Inside an AppImage the executable lies in a folder that goes with this process.
        return [os.environ.get("APPIMAGE") or sys.executable]
    program = Path(os.path.abspath(sys.argv[0]))
    if program.suffix != ".py" and os.access(program, os.X_OK):
        return [str(program)]
    return [sys.executable, "-m", "gradwire"]


def _install(folder: Path) -> list[Path]:
    written = []
    for name, content in desktop_files(running_command()).items():
        path = folder / name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _failure(path, "written", error) from error
        write_file(path, content)
        written.append(path)
    return written


def _remove(folder: Path) -> list[Path]:
    removed = []
    for path in (folder / name for name in file_names()):
        try:
            path.unlink()
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError as error:
            raise _failure(path, "removed", error) from error
        removed.append(path)
    return removed


def _failure(path: Path, done: str, error: OSError) -> FileError:
    return FileError(f'"{path}" cannot be {done}: {reason_of(error)}.')


def _remove_empty(folder: Path, top: Path) -> None:
    """Removes a folder and those above it, up to `top`, as long as they are empty."""
    while folder != top:
        try:
            folder.rmdir()
        except OSError:
            return
        folder = folder.parent


def _update(folder: Path) -> Iterator[str]:
    """Runs the programs that exist; yields a sentence about each that fails."""
    for name, part in UPDATERS:
        program, read = shutil.which(name), folder / part
        if program is None or not read.is_dir():
            continue
        command = [program, *OPTIONS.get(name, ()), str(read)]
        try:
            done = subprocess.run(command, capture_output=True, check=False, timeout=LONGEST_UPDATE)
        except (OSError, subprocess.TimeoutExpired):
            yield f"gradwire: {name} did not answer; log in again to see the change."
        else:
            if done.returncode != 0:
                yield f"gradwire: {name} failed; log in again to see the change."
