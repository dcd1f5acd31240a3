"""No process of the program opens a socket to a network: window, evaluators and commands, watched by audit hooks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gradwire.app.base.examples import example_path
from tests.app.programs import note_first_start
from tests.sweeps import long

# Python imports this module in each process that finds it. IPv4 and IPv6 are the families of networks.
WATCH = """
import os, socket, sys

def watch(event, given):
    if event in ("socket.getaddrinfo", "socket.gethostbyname", "urllib.Request"):
        note(event)
    if event == "socket.__new__" and given[1] in (socket.AF_INET, socket.AF_INET6):
        note(event)

def note(event):
    with open(os.environ["WATCH_FILE"], "a") as file:
        print(event, *sys.argv, file=file)

with open(os.environ["WATCH_FILE"] + ".watched", "a") as file:
    print(os.getpid(), file=file)
sys.addaudithook(watch)
"""
# The window until it shows the results of its file.
WINDOW = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gradwire.app.__main__ import main
from gradwire.app.start.main_window import MainWindow

def look():
    window = next(item for item in QApplication.topLevelWidgets() if isinstance(item, MainWindow))
    if not window.is_filled or not (window.session.results and window.session.results.loss):
        QTimer.singleShot(10, look)
        return
    window.close()

fill = MainWindow.fill
MainWindow.fill = lambda self, spare: (fill(self, spare), QTimer.singleShot(0, look))
sys.exit(main())
"""
COMMAND = "import sys; from gradwire.app.__main__ import main; sys.exit(main())"
SOFTMAX = str(example_path("softmax_stable"))


def watched(folder: Path, code: str, *arguments: str) -> tuple[str, int]:
    """Runs a program; returns what was noted of networks, and how many processes were watched."""
    note_first_start(folder)
    (folder / "sitecustomize.py").write_text(WATCH)
    file = folder / "watch"
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]),
        "QT_QPA_PLATFORM": "offscreen",
        "XDG_CONFIG_HOME": str(folder),
        "XDG_STATE_HOME": str(folder),
        "WATCH_FILE": str(file),
    }
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return file.read_text() if file.exists() else "", len(Path(f"{file}.watched").read_text().split())


@pytest.mark.parametrize("opening", ["socket.socket()", "socket.socket(socket.AF_INET6)"])
def test_a_socket_to_a_network_would_be_noticed(opening: str, tmp_path: Path) -> None:
    noted, _ = watched(tmp_path, f"import socket; {opening}.close()")
    assert noted.startswith("socket.__new__")


def test_the_window_and_its_processes_open_none(tmp_path: Path) -> None:
    noted, processes = watched(tmp_path, WINDOW, SOFTMAX)
    assert noted == ""
    # The window, and what starts or is an evaluator.
    assert processes >= 2


@pytest.mark.parametrize(
    "arguments", [long((("run", SOFTMAX),)), ("check", SOFTMAX), ("render", SOFTMAX, "-o", "out.svg")]
)
def test_commands_open_none(arguments: tuple[str, ...], tmp_path: Path) -> None:
    shown = [str(tmp_path / item) if item == "out.svg" else item for item in arguments]
    noted, processes = watched(tmp_path, COMMAND, *shown)
    assert noted == "" and processes >= 1
