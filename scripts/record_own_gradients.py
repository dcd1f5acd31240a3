"""Records the gradients that TensorFlow gives to random programs with `tf.custom_gradient`, for the tests of ours.

python -m scripts.record_own_gradients FILE runs in an environment with TensorFlow, which Gradwire does not need.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

from tests.own_gradient_programs import COUNT, Function, Program, Step, program

OPERATIONS: dict[str, Callable[..., Any]] = {
    "Tanh": tf.tanh,
    "Sin": tf.sin,
    "Cos": tf.cos,
    "Sigmoid": tf.sigmoid,
    "Negative": tf.negative,
    "Relu": tf.nn.relu,
    "Identity": tf.identity,
    "Exp": tf.exp,
    "Log": tf.math.log,
    "Round": tf.round,
    "Floor": tf.floor,
    "Sign": tf.sign,
    "Add": tf.add,
    "Subtract": tf.subtract,
    "Multiply": tf.multiply,
    "Maximum": tf.maximum,
    "Minimum": tf.minimum,
    "ClipByValue": tf.clip_by_value,
    "StopGradient": tf.stop_gradient,
    "Constant": lambda value: tf.constant(value, tf.float64),
}
Tensors = dict[str, Any]


def main(path: Path) -> None:
    """Writes one line of gradients for each program."""
    lines = ",\n".join(json.dumps(recorded(program(seed))) for seed in range(COUNT))
    path.write_text(f'{{"tensorflow": "{tf.__version__}", "gradients": [\n{lines}\n]}}\n', encoding="utf-8")


def recorded(made: Program) -> dict[str, list[float] | None]:
    """Returns the gradient of the loss by every tensor, None where TensorFlow has none."""
    with tf.Graph().as_default():
        known: Tensors = {name: tf.constant(value, tf.float64) for name, value in made.inputs.items()}
        tensors = {f"main/{name}": item for name, item in known.items()}
        _run(made.steps, known, made, "main", tensors)
        loss = tf.add_n([tf.reduce_sum(known[name]) for name in made.losses])
        names = [name for name, item in tensors.items() if item is not None]
        found = tf.gradients(loss, [tensors[name] for name in names])
        with tf.compat.v1.Session() as session:
            arrays = iter(session.run([item for item in found if item is not None]))
    return {name: None if item is None else _short(next(arrays)) for name, item in zip(names, found, strict=True)}


def _short(array: Any) -> list[float]:
    return [float(f"{number:.13g}") for number in np.asarray(array).ravel()]


def _run(steps: Sequence[Step], known: Tensors, made: Program, path: str, tensors: Tensors | None) -> None:
    """Computes steps from known tensors; `tensors` takes the result of each by its path."""
    for step in steps:
        if step.used is not None:
            function = made.functions[step.used]
            given = [known[str(item)] for item in step.arguments[: len(function.inputs)]]
            values = _called(function, made, f"{path}/{step.name}", tensors)(*given)
            found = {f"{step.name}.{name}": item for name, item in zip(function.results, values, strict=True)}
        elif step.kind == "Gradients":
            y, x = (known[str(item)] for item in step.arguments)
            found = {step.name: tf.gradients(y, [x], unconnected_gradients="zero")[0]}
        else:
            arguments = [known[item] if isinstance(item, str) else item for item in step.arguments]
            found = {step.name: OPERATIONS[step.kind](*arguments)}
        known |= found
        if tensors is not None:
            tensors |= {f"{path}/{name}": item for name, item in found.items()}


def _called(function: Function, made: Program, path: str, tensors: Tensors | None) -> Callable[..., list[Any]]:
    def plain(*given: Any) -> list[Any]:
        known = dict(zip(function.inputs, given, strict=True))
        _run(function.steps, known, made, path, tensors)
        return [known[item] for item in function.results.values()]

    if function.gradient is None:
        # A page passes its results on: a second derivative may reach them inside of it and not outside.
        return lambda *given: [tf.identity(item) for item in plain(*given)]
    backward = made.functions[function.gradient]

    @tf.custom_gradient
    def own(*given: Any) -> tuple[list[Any], Callable[..., list[Any]]]:
        values = plain(*given)

        def gradient(*incoming: Any) -> list[Any]:
            names = [*function.inputs, *function.results, *(f"d_{name}" for name in function.results)]
            everything: Mapping[str, Any] = dict(zip(names, [*given, *values, *incoming], strict=True))
            known = {name: everything[name] for name in backward.inputs}
            _run(backward.steps, known, made, "", None)
            found = (backward.results.get(f"d_{name}") for name in function.inputs)
            return [None if item is None else known[item] for item in found]

        return values, gradient

    return own  # type: ignore[no-any-return]  # TensorFlow has no types


if __name__ == "__main__":
    main(Path(sys.argv[1]))
