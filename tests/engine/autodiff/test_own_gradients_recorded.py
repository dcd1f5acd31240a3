"""Random programs with gradients of their own, beside TensorFlow's custom_gradient: the gradient of every port."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.evaluation.evaluate import evaluate
from tests.engine.own_gradients import graph_of
from tests.own_gradient_programs import COUNT, KINDS, program
from tests.recorded import NO_GRADIENT
from tests.sweeps import long

# Written by scripts/record_own_gradients.py with TensorFlow 2.21, 13 digits of each number.
DATA = Path(__file__).parents[2] / "data" / "own_gradients.json"
RTOL, ATOL = 1e-11, 1e-12


@cache
def recorded() -> list[dict[str, list[float] | None]]:
    found: list[dict[str, list[float] | None]] = json.loads(DATA.read_text("utf-8"))["gradients"]
    return found


def test_the_recording_has_each_kind_and_second_derivatives() -> None:
    made = [program(seed) for seed in range(COUNT)]
    assert len(recorded()) == COUNT == 300
    assert {item.kind for item in made} == set(KINDS)
    assert sum(any(step.kind == "Gradients" for step in item.steps) for item in made) > 100
    assert sum("h" in item.functions for item in made) > 60


@pytest.mark.parametrize("seed", [seed if seed % 5 == 0 else long(seed) for seed in range(COUNT)])
def test_every_gradient_is_that_of_tensorflow(seed: int) -> None:
    snapshot = evaluate(graph_of(program(seed)))
    assert not snapshot.has_errors
    for name, expected in recorded()[seed].items():
        path, _, output = name.partition(".")
        port = next(item for key, item in snapshot.ports.items() if key.path == path and output in ("", key.port))
        # Beside an output with a gradient TensorFlow gives zeros, not None, to one without.
        assert expected is not None or port.status in NO_GRADIENT, name
        wanted = np.zeros(3) if expected is None else np.array(expected)
        np.testing.assert_allclose(port.gradient, wanted, RTOL, ATOL, err_msg=name)
