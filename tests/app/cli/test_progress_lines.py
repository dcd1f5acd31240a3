"""The line of progress: what each command says it is doing, when it is silent, and how the seconds are counted."""

from __future__ import annotations

import contextlib
import importlib
import io
import itertools
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from gradwire.app.cli import progress as progress_line
from tests.app.cli.graphs import NAIVE, SOFTMAX, called


@pytest.mark.parametrize(
    ("module", "words", "said"),
    [
        ("run_command", ["run", SOFTMAX], [(f"Evaluating {SOFTMAX}", False)]),
        ("run_command", ["run", "-q", SOFTMAX], [(f"Evaluating {SOFTMAX}", True)]),
        ("check_command", ["check", SOFTMAX, NAIVE],
         [(f"Checking {SOFTMAX} (1 of 2)", False), (f"Checking {NAIVE} (2 of 2)", False)]),
        ("export_command", ["export", SOFTMAX, "--to", "numpy", "-q"], [(f"Exporting {SOFTMAX}", True)]),
        ("library_commands", ["examples", "xor_zero_init", "-o", "xor"], [("Copying examples", False)]),
        # The rounds that are printed tell how far a training is; only the lines of JSON are not meant for people.
        ("train_command", ["train", "linear_regression", "--steps", "1"], True),
        ("train_command", ["train", "linear_regression", "--steps", "1", "--json"], False),
        ("train_command", ["train", "linear_regression", "--steps", "1", "--json", "-q"], True),
        ("render_command", ["render", SOFTMAX, "-o", "a.svg"], [(f"Drawing {SOFTMAX}", False)]),
        ("render_command", ["render", SOFTMAX, "-o", "a.svg", "-q"], [(f"Drawing {SOFTMAX}", True)]),
    ],
)  # fmt: skip
def test_a_command_says_what_it_does(
    module: str,
    words: list[str],
    said: list[tuple[str, bool]] | bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    qapp: object,
) -> None:
    told: list[tuple[str, bool]] = []

    @contextlib.contextmanager
    def noted(doing: str, is_quiet: bool = False) -> Iterator[None]:
        told.append((doing, is_quiet))
        yield

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(importlib.import_module(f"gradwire.app.cli.{module}"), "progress", noted)
    assert called(capsys, *words).code == 0
    assert told == said if isinstance(said, list) else [is_quiet for _, is_quiet in told] == [said]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_the_line_counts_whole_seconds_from_its_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []

    class Waited:
        """An event that is set while the fourth wait goes on."""

        def wait(self, seconds: float) -> bool:
            waits.append(seconds)
            return len(waits) == 4

        def set(self) -> None: ...

    clock = itertools.count(100.0, 0.7)
    monkeypatch.setattr(progress_line, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    monkeypatch.setattr(progress_line, "threading", SimpleNamespace(Event=Waited, Thread=threading.Thread))
    monkeypatch.setenv("TERM", "xterm")
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress_line.progress("Checking", is_quiet=False):
        pass
    lines = terminal.getvalue().split(progress_line.ERASE)
    assert lines == ["", "Checking ... 1 s", "Checking ... 1 s", "Checking ... 2 s", ""]
    assert waits == [1.0, 0.5, 0.5, 0.5]
