"""Paces of one training in a process of its own: `python -m benchmarks.learning.one headless xor`.

`turns xor` prints the headless pace of a moment for each line that it reads.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import Any, cast

import numpy as np

import gradwire.blocks  # noqa: F401  # fills the library
from benchmarks.learning.cases import CASES, LOSS, Case, X, Y
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.training.trainer import Trainer

# Rounds that two engines must agree in, and how closely.
CHECKED, ALLOWED = 50, 1e-9
# Times of which the best is taken, and those that take turns with another pace. Units: s.
TIMES, SECONDS, TURN = 8, 0.4, 1.2


def turns(case: Case) -> None:
    """Prints the headless rounds a second of a moment whenever a line comes: another pace is measured in between."""
    trainer = Trainer(case.graph())
    trainer.run_round()
    for _ in sys.stdin:
        print(json.dumps(pace_in(trainer.run_round, TURN)), flush=True)


def headless(case: Case) -> float:
    """Returns the rounds a second of the trainer that the command line uses."""
    return _pace(Trainer(case.graph()).run_round)


def measured(case: Case) -> float:
    """Returns the rounds a second where each round measures the sizes of all gradients and steps."""
    trainer = Trainer(case.graph())
    return _pace(lambda: trainer.run_round(measures=True))


def tensorflow(case: Case) -> float:
    """Returns the rounds a second of a `tf.function`, whose batches lie ready.

    Raises: ValueError if its losses are not ours.
    """
    import tensorflow as tf  # only where it is compared with

    tf.config.threading.set_intra_op_parallelism_threads(1)
    tf.config.threading.set_inter_op_parallelism_threads(1)
    drawn, losses = _drawn(case)
    batches = [(tf.constant(x), tf.constant(y)) for x, y in drawn]
    variables = {name: tf.Variable(value) for name, value in case.values.items()}

    @cast(Any, tf.function)
    def step(x: Any, y: Any) -> Any:
        with tf.GradientTape() as tape:
            loss = case.other_loss(tf, variables, x, y)
        for variable, gradient in zip(variables.values(), tape.gradient(loss, [*variables.values()]), strict=True):
            variable.assign_sub(case.rate * gradient)
        return loss

    found = [float(step(*batch)) for batch in batches]
    if not np.allclose(found, losses, rtol=ALLOWED, atol=0):
        raise ValueError(f"{case.title}: the losses differ by {np.abs(np.subtract(found, losses)).max():.1e}")
    numbers = iter(range(10**12))
    return _pace(lambda: step(*batches[next(numbers) % CHECKED]))


def _drawn(case: Case) -> tuple[list[tuple[Array, Array]], list[float]]:
    """Returns the first batches, and our losses on them."""
    trainer = Trainer(case.graph(), watch=[X, Y, f"{LOSS}.y"])
    batches, losses = [], []
    for _ in range(CHECKED):
        losses.append(trainer.run_round().losses["all"])
        batches.append((trainer.steps[0].value(X).copy(), trainer.steps[0].value(Y).copy()))
    return batches, losses


def _pace(step: Callable[[], object]) -> float:
    return max(pace_in(step, SECONDS) for _ in range(TIMES))


def pace_in(step: Callable[[], object], seconds: float) -> float:
    """Returns how often a second a step can be done."""
    count, began = 0, time.perf_counter()
    while (now := time.perf_counter()) - began < seconds:
        step()
        count += 1
    return count / (now - began)


def main(kind: str, name: str) -> None:
    """Prints the rounds a second as JSON."""
    if kind == "turns":
        turns(CASES[name])
        return
    paces: dict[str, Callable[[Case], float]] = {
        "headless": headless,
        "measured": measured,
        "tensorflow": tensorflow,
    }
    print(json.dumps(paces[kind](CASES[name])))


if __name__ == "__main__":
    main(*sys.argv[1:])
