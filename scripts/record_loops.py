"""Records what JAX computes for the examples of loops in the gallery: python -m scripts.record_loops FILE.

Inputs are those of the example's file; each loop is written anew as jax.lax.scan. It needs JAX, which Gradwire itself
does not; run it in an environment of its own.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

jax.config.update("jax_enable_x64", True)

EXAMPLES = Path(__file__).parent.parent / "assets" / "examples"
Tensor = Any  # Any: JAX has no type of its own for arrays and tracers.
Step = Callable[[Tensor, Tensor], Tensor]


def main(path: Path) -> None:
    """Writes one record for each example."""
    records = {name: record(name, function) for name, function in LOOPS.items()}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(item)}" for name, item in records.items())
    path.write_text(f"{{\n{lines}\n}}\n", "utf-8")


def record(name: str, function: Callable[..., tuple[Loop, Callable[[Tensor], Tensor]]]) -> dict[str, Any]:
    """Returns inputs, loss, its gradients, the last value carried, and the gradients of what enters each round."""
    pages = json.loads((EXAMPLES / f"{name}.graph").read_text("utf-8"))["pages"]
    blocks = {block["id"]: block for page in reversed(pages) for block in page["blocks"]}
    tensors = {key: blocks[key]["parameters"]["value"] for key in inspect.signature(function).parameters}
    inputs = {key: np.array(item["data"], "float64").reshape(item["shape"]) for key, item in tensors.items()}

    def loss_of(given: Mapping[str, Tensor]) -> Tensor:
        loop, loss = function(**given)
        return loss(loop.run())

    loop, loss = function(**inputs)
    # Far into a power iteration, only rounding is left of the gradient of its start.
    grads = {
        key: item for key, item in jax.grad(loss_of)(inputs).items() if (name, key) != ("scan_2_power_iteration", "v")
    }
    rounds = {
        f"{loop.port}".replace("[]", f"[{number}]"): jax.grad(
            lambda state, number=number: loss(loop.run(number, state))
        )(loop.run(0, end=number))
        for number in range(loop.times)
    }
    return told(
        {
            "inputs": inputs,
            "loss": loss_of(inputs),
            "grads": grads,
            "values": {loop.output: loop.run()},
            "rounds": rounds,
        }
    )


class Loop:
    """A loop of `times` steps from a start; `rows` has what each of them gets besides.

    `port` is where the carried value enters a round, `output` where the last one leaves.
    """

    def __init__(self, port: str, output: str, step: Step, start: Tensor, times: int, rows: Tensor = None) -> None:
        self.port, self.output, self.times = port, output, times
        self._step, self._start, self._rows = step, start, jnp.zeros(times) if rows is None else rows

    def run(self, first: int = 0, state: Tensor = None, end: int | None = None) -> Tensor:
        """Returns what the rounds from `first` to before `end` make of a state, by default of the start."""
        begin = self._start if state is None else state
        found, _ = jax.lax.scan(lambda now, row: (self._step(now, row), None), begin, self._rows[first:end])
        return found


def recurrence(w: Tensor, h0: Tensor, x: Tensor) -> tuple[Loop, Callable[[Tensor], Tensor]]:
    """Records a recurrent cell that reads 12 rows."""
    return Loop("rec[]/h.y", "rec.h", lambda h, row: jnp.tanh(w @ h + row), h0, 12, x), jnp.sum


def power_iteration(a: Tensor, v: Tensor) -> tuple[Loop, Callable[[Tensor], Tensor]]:
    """Records 20 steps towards the eigenvector of the largest eigenvalue."""

    def step(now: Tensor, _: Tensor) -> Tensor:
        product = a @ now
        return product / jnp.linalg.norm(product)

    return Loop("power[]/v.y", "power.v", step, v, 20), lambda end: jnp.sum((a @ end) * end)


def optimiser(curvature: Tensor, x: Tensor, rate: Tensor) -> tuple[Loop, Callable[[Tensor], Tensor]]:
    """Records 10 steps of gradient descent on a bowl."""
    step: Step = lambda now, _: now - rate * (curvature * now)  # noqa: E731  # as short as the formula
    return Loop("descent[]/x.y", "descent.x", step, x, 10), lambda end: jnp.sum(end**2)


def heat(u: Tensor, c: Tensor, at: Tensor) -> tuple[Loop, Callable[[Tensor], Tensor]]:
    """Records 30 steps of heat flow on a ring."""
    step: Step = lambda now, _: now + c * (jnp.roll(now, -1) + jnp.roll(now, 1) - 2 * now)  # noqa: E731  # as above
    return Loop("heat[]/u.y", "heat.u", step, u, 30), lambda end: jnp.sum(at * end)


def told(item: Any) -> Any:
    """Returns arrays as lists."""
    if isinstance(item, Mapping):
        return {key: told(value) for key, value in item.items()}
    return np.asarray(item).tolist()


LOOPS: dict[str, Callable[..., tuple[Loop, Callable[[Tensor], Tensor]]]] = {
    "scan_1_recurrence": recurrence,
    "scan_2_power_iteration": power_iteration,
    "scan_3_optimiser": optimiser,
    "scan_4_heat": heat,
}

if __name__ == "__main__":
    main(Path(sys.argv[1]))
