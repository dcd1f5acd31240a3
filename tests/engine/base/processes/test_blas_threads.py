"""One BLAS thread, where the user has not chosen."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.processes.blas_threads import use_one_blas_thread
from gradwire.engine.base.processes.python_process import ROOT


@pytest.fixture
def before_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "numpy")


@pytest.mark.usefixtures("before_numpy")
@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, "1"),
        ({"OPENBLAS_NUM_THREADS": "3"}, "3"),
        ({"OMP_NUM_THREADS": "4"}, None),
        ({"MKL_NUM_THREADS": "2"}, "1"),
    ],
)
def test_the_choice_of_the_user_stays(given: dict[str, str], found: str | None) -> None:
    environment = dict(given)
    use_one_blas_thread(environment)
    assert environment.get("OPENBLAS_NUM_THREADS") == found
    assert given.items() <= environment.items()


def test_a_program_that_has_imported_numpy_keeps_its_threads() -> None:
    environment: dict[str, str] = {}
    use_one_blas_thread(environment)
    assert environment == {}


def test_a_training_ends_with_the_bits_of_one_thread_on_every_machine(tmp_path: Path) -> None:
    draw = np.random.default_rng(0)
    x, w, v = (draw.standard_normal(shape) / 20 for shape in ((256, 512), (512, 256), (256, 256)))
    hidden = gw.Tanh(gw.Constant(x.astype("f4")) @ gw.Variable(w.astype("f4")))
    path = tmp_path / "wide.graph"
    gw.save(gw.Loss(gw.Square(hidden @ gw.Variable(v.astype("f4")))), path)
    free = {name: value for name, value in os.environ.items() if not name.endswith("_NUM_THREADS")}
    # Two threads of the user, on two processors, end with other bits: the graph is one where it shows.
    ends = [_end(path, free), _end(path, {**free, "OPENBLAS_NUM_THREADS": "1"})]
    assert ends[0] == ends[1]


def _end(path: Path, environment: dict[str, str]) -> str:
    command = [sys.executable, "-m", "gradwire", "train", str(path), "--steps", "5", "--json"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].partition("state_crc32")[2]
