"""An installed Gradwire in the folder of a user whose modules have the names of our folders."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import gradwire
from tests.packaging.building import ROOT, Environment

SOFTMAX = str(ROOT / "assets" / "examples" / "softmax_stable.graph")
# A program whose window ends once an evaluator has answered, a copy of an edit is written and a plug-in is tried.
WINDOW = """
import sys
import time
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from gradwire.app.__main__ import main
from gradwire.app.start.main_window import MainWindow

END = time.monotonic() + 60

def look():
    from gradwire.engine.blocktypes.library import library
    from gradwire.engine.edits import edits
    session, recovery = window.parts.session, window.parts.documents.recovery
    is_live = session.results is not None and session.results.loss is not None
    if is_live and session.document.is_saved:
        session.apply("Move", edits.move_blocks, "main", {"x": (77, 99)})
    is_kept = recovery.file is not None and recovery.file.exists()
    is_tried = "shrinkage.SoftThreshold" in library
    if not (is_live and is_kept and is_tried) and time.monotonic() < END:
        QTimer.singleShot(20, look)
        return
    users = {"app", "assets", "blocks", "engine", "examples", "lint", "scripts", "tests"} & set(sys.modules)
    print(f"live {is_live}, kept {is_kept}, tried {is_tried}, user's modules {len(users)}", flush=True)
    recovery.close()
    QApplication.exit(0)

def filled(self, spare):
    global window
    window = self
    from gradwire.app.shell.documents import recovery
    recovery.REST = 100
    fill(self, spare)
    QTimer.singleShot(0, look)

fill = MainWindow.fill
MainWindow.fill = filled
sys.exit(main())
"""
NOTEBOOK = """
import gradwire as gw
run = gw.evaluate(gw.Exp(gw.Input(2.0)))
assert run._repr_svg_() == gw.svg(run.graph)
print(gw.svg(run.graph))
"""


@pytest.fixture
def settings(tmp_path: Path) -> dict[str, str]:
    """Environment variables: folders of this test alone, and a search path that names the user's folder first."""
    folders = {name: str(tmp_path / name) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "APPDATA")}
    return {**folders, "PYTHONPATH": "."}


@pytest.mark.long
@pytest.mark.parametrize("is_module", [False, True])
def test_the_command_runs(
    environment: Environment, users_folder: Path, settings: dict[str, str], is_module: bool
) -> None:
    program = (environment.python, "-m", "gradwire") if is_module else ()
    done = environment.run(*program, "run", "--json", SOFTMAX, cwd=users_folder, settings=settings)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["loss"] is not None


@pytest.mark.long
def test_the_version_is_that_of_the_package(environment: Environment, users_folder: Path) -> None:
    done = environment.run("--version", cwd=users_folder)
    assert done.stdout.startswith(f"gradwire {gradwire.__version__} (Python ")


@pytest.mark.long
def test_the_window_evaluates_keeps_a_copy_and_tries_a_plug_in(
    environment: Environment, users_folder: Path, settings: dict[str, str]
) -> None:
    enabled = environment.run("plugins", "--enable", "shrinkage", cwd=users_folder, settings=settings)
    assert enabled.returncode == 0, enabled.stderr
    # With -c Python searches the folder of the user before all others.
    done = environment.run(environment.python, "-c", WINDOW, SOFTMAX, cwd=users_folder, settings=settings)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "live True, kept True, tried True, user's modules 0\n"


@pytest.mark.long
def test_a_notebook_shows_a_picture(environment: Environment, users_folder: Path, settings: dict[str, str]) -> None:
    done = environment.run(environment.python, "-c", NOTEBOOK, cwd=users_folder, settings=settings)
    assert (done.returncode, done.stderr) == (0, "")
    assert ElementTree.fromstring(done.stdout).tag == "{http://www.w3.org/2000/svg}svg"


@pytest.mark.long
def test_the_user_imports_modules_of_the_user(environment: Environment, users_folder: Path) -> None:
    code = "import gradwire as gw; gw.evaluate(gw.Exp(gw.Input(2.0))); import engine"
    done = environment.run(environment.python, "-c", code, cwd=users_folder)
    assert done.stderr.endswith("RuntimeError: this is a module of the user\n")
