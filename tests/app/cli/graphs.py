"""Small graph files and calls of the command, for the tests beside this file."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import gradwire as gw
from gradwire.app.base.examples import FOLDER
from gradwire.app.cli import command_line
from gradwire.engine.files.files import load, save
from gradwire.engine.training.trainer import Trainer

ROOT = Path(__file__).parents[3]
SOFTMAX = str(FOLDER / "softmax_stable.graph")
NAIVE = str(FOLDER / "softmax_naive.graph")
ADVISED = str(FOLDER / "softmax_stable_nostop.graph")


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


def called(capsys: pytest.CaptureFixture[str], *arguments: object) -> Outcome:
    """Calls the command in this process."""
    try:
        code = command_line.main([str(item) for item in arguments])
    except SystemExit as stop:
        code = int(stop.code or 0)
    return Outcome(code, *capsys.readouterr())


def started(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    """Starts the command as a process; its output may go into a file, `stdout_to`."""
    command = [sys.executable, "-m", "gradwire", *arguments]
    pipes = {"stdout": options.pop("stdout_to", subprocess.PIPE), "stderr": subprocess.PIPE}
    return subprocess.run(command, text=True, check=False, cwd=options.pop("cwd", ROOT), **pipes, **options)


def written(path: Path, blocks: Sequence[dict[str, Any]], wires: Sequence[Sequence[str]] = (), **keys: Any) -> Path:
    """Writes a graph of one page."""
    head = {"format": "gradwire.graph", "version": [1, 0], "needs": [], "conventions": "tf-2.21", "loss": None}
    page = {"name": "main", "blocks": blocks, "wires": wires}
    path.write_text(json.dumps(head | keys | {"pages": [page]}, indent=1))
    return path


def failing(path: Path) -> Path:
    """Writes a graph with an error, a warning and a check that does not hold."""
    blocks = [
        {"id": "x", "type": "Input", "parameters": {"value": {"dtype": "float64", "shape": [2], "data": [-1, 2]}}},
        {"id": "log", "type": "Log"},
        {"id": "loss", "type": "Loss"},
        {"id": "bad", "type": "Teleport"},
    ]
    checks = [{"title": "100% finite, always: yes", "at": "main/log.y", "finite": True}]
    return written(path, blocks, [["x.y", "log.x"], ["log.y", "loss.x"]], checks=checks)


def noisy_training(path: Path) -> Path:
    """Writes a graph whose training draws batches and dropped units."""
    draw = np.random.default_rng(3)
    x, y = gw.Data(set="moons", n=40, batch=8, seed=1, name="data")
    hidden = gw.Dropout(gw.Tanh(x @ gw.Variable(draw.normal(size=(2, 6)), name="w")), rate=0.2, name="drop")
    wrong = hidden @ gw.Variable(draw.normal(size=(6, 2)), name="v") - y
    save(gw.graph(gw.Loss(gw.Square(wrong), reduction="mean", name="loss")), path)
    return path


def whole_training(graph: Path, rounds: int) -> Trainer:
    """Returns the training that nothing has ended."""
    trainer = Trainer(load(graph).graph)
    while trainer.round < rounds:
        trainer.run_round()
    return trainer
