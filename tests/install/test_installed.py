"""The installed program: it comes from the environment, has its assets, computes, draws and opens its window."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

import gradwire
from gradwire.app.base.examples import example_names
from gradwire.engine.executors import arena, numpy_program

ENVIRONMENT = Path(os.environ["GRADWIRE_INSTALLED"])
# A program that opens an example in its window, and ends with the loss that the window shows.
IN_WINDOW = """
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
    print(window.session.results.loss.value, flush=True)
    window.close()

fill = MainWindow.fill
MainWindow.fill = lambda self, spare: (fill(self, spare), QTimer.singleShot(0, look))
sys.exit(main())
"""


def program(*arguments: str) -> list[str]:
    return [str(Path(sys.executable).with_name("gradwire")), *arguments]


def said(command: list[str], folder: Path) -> str:
    environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "XDG_STATE_HOME": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_package_comes_from_the_environment() -> None:
    assert Path(gradwire.__file__).is_relative_to(ENVIRONMENT)
    assert version("gradwire") == gradwire.__version__


def test_the_executor_is_the_one_that_was_installed() -> None:
    is_compiled = arena.Program is not numpy_program.Program
    assert is_compiled is (os.environ.get("GRADWIRE_EXPECTED", "compiled") == "compiled")


def test_every_example_is_there_and_one_is_computed(tmp_path: Path) -> None:
    assert len(example_names()) > 60
    (tmp_path / "app").mkdir()
    (tmp_path / "engine").mkdir()
    said(program("examples", "softmax_stable", "-o", str(tmp_path)), tmp_path)
    printed = json.loads(said(program("run", "softmax_stable.graph", "--json"), tmp_path))
    assert printed["loss"]


def test_a_graph_is_drawn(tmp_path: Path) -> None:
    said(program("examples", "softmax_stable", "-o", str(tmp_path)), tmp_path)
    said(program("render", "softmax_stable.graph", "-o", "drawn.png"), tmp_path)
    assert (tmp_path / "drawn.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("start", [program(), [sys.executable, "-m", "gradwire"]], ids=["command", "module"])
def test_both_ways_to_start_know_the_version(start: list[str], tmp_path: Path) -> None:
    assert gradwire.__version__ in said([*start, "--version"], tmp_path)


def test_the_window_shows_the_loss_of_an_example(tmp_path: Path) -> None:
    said(program("examples", "softmax_stable", "-o", str(tmp_path)), tmp_path)
    assert float(said([sys.executable, "-c", IN_WINDOW, "softmax_stable.graph"], tmp_path))
