"""Mistakes in a running program: their tracebacks are in the log, and the program goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from gradwire.app.base import log
from gradwire.app.live.process.error_output import ErrorOutput
from tests.app.programs import Program

# A program in which a slot, a thread and a finalizer fail, Qt complains, and the window is closed after that.
FAILS = """
import sys, threading
from PySide6.QtCore import QTimer, qWarning
from PySide6.QtWidgets import QApplication
from gradwire.app.__main__ import main
from gradwire.app.start.deferred_startup import DeferredStartup

class Odd:
    def __del__(self):
        raise ValueError("odd finalizer")

def fail():
    raise ValueError("odd slot")

def fail_beside():
    raise ValueError("odd thread")

def go_on():
    thread = threading.Thread(target=fail_beside)
    thread.start()
    thread.join()
    Odd()
    qWarning("odd Qt")
    print("goes on", flush=True)
    for window in QApplication.topLevelWidgets():
        window.close()

show = DeferredStartup._show_first
def show_first(self):
    show(self)
    QTimer.singleShot(0, fail)
    QTimer.singleShot(10, go_on)
DeferredStartup._show_first = show_first
sys.exit(main())
"""
# A command at whose mistake nobody has thought.
FAILS_HEADLESS = """
import sys
from gradwire.app import __main__
from gradwire.app.cli import command_line

def fail(arguments):
    raise ValueError("odd command")

command_line.main = fail
sys.exit(__main__.main())
"""
ENDED = "gradwire: the evaluation ended: a mistake in Gradwire; the log names it"
# An evaluator that ends by a mistake.
FAILS_BESIDE = """
from gradwire.app.live.process.serving import faults_told
with faults_told():
    raise ValueError("odd evaluator")
"""


def test_tracebacks_are_in_the_log_and_the_program_goes_on(tmp_path: Path) -> None:
    variables = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path)}
    program = Program(FAILS, tmp_path, variables=variables)
    assert program.wait() == 0, program.errors
    assert "goes on" in program.output
    (path,) = (tmp_path / "gradwire" / "log").iterdir()
    text = path.read_text()
    for what in ("odd slot", "odd thread", "odd finalizer"):
        assert f"ValueError: {what}\n" in text
    assert text.count("Traceback (most recent call last):") == 3
    assert " WARNING " in text and "gradwire.qt: “odd Qt”" in text
    assert "“Start” of Gradwire " in text


@pytest.mark.long
def test_a_state_folder_that_cannot_be_written_hinders_nothing(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    variables = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state")}
    program = Program(FAILS, tmp_path, variables=variables)
    assert program.wait() == 0, program.errors
    assert "goes on" in program.output
    assert "Logging error" not in program.errors


def test_the_last_resort_of_a_command_names_the_log(tmp_path: Path) -> None:
    program = Program(FAILS_HEADLESS, tmp_path, "blocks", variables={"XDG_STATE_HOME": str(tmp_path)})
    assert program.wait() == 1
    (path,) = (tmp_path / "gradwire" / "log").iterdir()
    said = f"gradwire: Something went wrong inside Gradwire. The traceback is in {path}.\n"
    assert program.errors == said
    assert "ValueError: odd command" in path.read_text() and "in fail\n" in path.read_text()


def test_the_traceback_of_an_evaluator_is_in_the_log_alone(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    log.end()
    path = log.begin(tmp_path)
    try:
        process = subprocess.Popen([sys.executable, "-c", FAILS_BESIDE], stderr=subprocess.PIPE)
        assert process.stderr is not None
        errors = ErrorOutput(process.stderr)
        assert process.wait() == 1
        assert errors.last_line() == ENDED
        text = path.read_text()
    finally:
        log.end()
    assert "Traceback (most recent call last):" in text and "ValueError: odd evaluator" in text
    assert capfd.readouterr().err == f"{ENDED}\n"
