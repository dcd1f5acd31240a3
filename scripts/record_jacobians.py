"""Records Jacobians and Hessians of TensorFlow, for the tests of ours: python -m scripts.record_jacobians FILE.

It needs TensorFlow, which Gradwire itself does not; run it in an environment of its own. The tests have the same
functions in our words.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

W = np.array([[0.5, -1.0, 0.25], [1.5, 0.75, -0.5], [-0.25, 0.5, 1.0]])
ZERO = tf.UnconnectedGradients.ZERO
Tensor = Any  # Any: TensorFlow has no types of its own.


def of_shifted(x: Tensor) -> Tensor:
    """Returns a softmax whose shift is held fixed."""
    powers = tf.exp(x - tf.stop_gradient(tf.reduce_max(x, axis=-1, keepdims=True)))
    return powers / tf.reduce_sum(powers, axis=-1, keepdims=True)


def by_rows(x: Tensor) -> Tensor:
    """Returns examples less their mean: each depends on all others."""
    return tf.tanh(x - tf.reduce_mean(x, axis=0, keepdims=True))


OF_ONE: dict[str, Callable[..., Tensor]] = {
    "tanh_of_product": lambda x: tf.tanh(x @ tf.constant(W, x.dtype)),
    "softmax": tf.nn.softmax,
    "stable_softmax": of_shifted,
    "largest": lambda x: tf.reduce_max(x, axis=-1),
    "relu_squared": lambda x: tf.square(tf.nn.relu(x)) * x,
    "cubes": lambda x: x * x * x,
    "norm": lambda x: tf.sqrt(tf.reduce_sum(x * x, axis=-1)),
    "log_sum": lambda x: tf.reduce_logsumexp(x, axis=-1),
    "constant": lambda x: tf.ones_like(x) * 2.0,
    "stopped": lambda x: tf.stop_gradient(x * x) * x,
    "quotient": lambda x: x / (tf.reduce_sum(x * x, axis=-1, keepdims=True) + 1.0),
    "all_stopped": lambda x: tf.stop_gradient(x * x),
    "smallest": lambda x: tf.reduce_min(x, axis=0),
    "largest_of_all": tf.reduce_max,
    "product": lambda x: tf.reduce_prod(x, axis=-1),
    "cube_of_sum": lambda x: tf.reduce_sum(x) ** 3,
    "leaky_relu": lambda x: tf.nn.leaky_relu(x) * x,
    "relu6": lambda x: tf.nn.relu6(x) * x,
    "elu": lambda x: tf.nn.elu(x) * x,
    "magnitude": lambda x: tf.abs(x) * x,
    "clipped": lambda x: tf.clip_by_value(x, 0.0, 1.0) * x,
    "sign": lambda x: tf.sign(x) * x,
    "floor": tf.floor,
    "chosen": lambda x: tf.where(x > 0, x * x, 0.5 * x),
    "sorted": lambda x: tf.sort(x, axis=-1) ** 2,
    "running_sum": lambda x: tf.cumsum(x, axis=-1) ** 2,
    "gathered_twice": lambda x: tf.gather(x, [0, 1, 0], axis=-1) ** 3,
    "roots": tf.sqrt,
    "examples_together": by_rows,
    "wider": lambda x: tf.sin(x[..., tf.newaxis] * tf.constant([1.0, 2.0], x.dtype)),
    "cast": lambda x: tf.cast(x, tf.float64) ** 3,
}
OF_TWO: dict[str, Callable[..., Tensor]] = {
    "of_two": lambda a, b: a * a * b,
    "larger": lambda a, b: tf.maximum(a, b) * a,
    "second_alone": lambda *both: both[1] * both[1],
    "first_stopped": lambda a, b: tf.stop_gradient(a * b) * b,
    "of_two_products": lambda a, b: tf.tanh(a @ b),
    "scaled": lambda a, b: a * tf.exp(b),
    "power": lambda a, b: a**b,
}
FUNCTIONS = OF_ONE | OF_TWO
# Points for all functions of one tensor: one example, ties, and zeros among others.
USUAL: list[list[Any]] = [
    [[[1.0, 2.0, 3.0]]],
    [[[3.0, 1.0, 3.0], [0.5, -0.5, 0.5]]],
    [[[0.0, -1.0, 2.0], [0.25, 0.0, 0.25]]],
]
# Points at which something is special, or of other shapes, by function.
SPECIAL: dict[str, list[list[Any]]] = {
    "norm": [[[[0.0, 0.0, 0.0]]], [[[1e-200, 0.0, 0.0]]]],
    "product": [[[[0.0, 2.0, 0.0], [0.0, 1.0, 3.0]]]],
    "largest": [[[[2.0, 2.0, 2.0]]]],
    "largest_of_all": [[[1.0, 1.0, 0.5]], [2.0]],
    "cube_of_sum": [[2.0], [[1.0, -1.0]]],
    "cubes": [[0.0], [[1.0, 2.0]], [[[[1.0, 2.0], [0.5, -1.0]]]], [np.zeros((2, 0))], [np.zeros((0, 3))]],
    "softmax": [[[[1000.0, 0.0, -1000.0]]], [np.zeros((0, 3))]],
    "roots": [[[[0.0, 1.0, 4.0]]]],
    "relu6": [[[[6.0, 0.0, 7.0]]]],
    "clipped": [[[[1.0, 0.0, 2.0]]]],
    "leaky_relu": [[[[0.0, -0.0, 1.0]]]],
    "of_two": [[[1.0, 2.0], [3.0, -1.0]], [[1.0, 2.0], 3.0], [2.0, 3.0], [[[1.0, 2.0]], [[0.0, 1.0]]]],
    "larger": [[[1.0, 2.0, 3.0], [1.0, 3.0, 2.0]], [[[1.0], [2.0]], [[1.0], [0.0]]]],
    "second_alone": [[[1.0, 2.0], [3.0]], [[[1.0], [2.0]], [[3.0], [4.0]]], [5.0, [1.0, 0.0]]],
    "first_stopped": [[[1.0, 2.0], [3.0, 0.0]], [[[1.0], [2.0]], [[3.0], [4.0]]]],
    "of_two_products": [[[[0.5, -1.0]], [[1.0, 2.0], [0.25, -0.5]]]],
    "scaled": [[[[1.0, 2.0], [0.0, -1.0]], 0.0], [[[1.0, 2.0]], [[0.5, -0.5]]]],
    "power": [[[2.0, 1.0, 0.5], [3.0, 0.0, 2.0]], [[[2.0, 3.0]], [[2.0, 1.0]]]],
}
FLOAT32 = (
    "tanh_of_product",
    "stable_softmax",
    "largest",
    "relu_squared",
    "norm",
    "product",
    "cast",
    "larger",
    "scaled",
)


def main(path: Path) -> None:
    """Writes one record for each function and point."""
    records = [record(name, xs) for name, xs in cases()]
    for kind in ("Jacobian", "BatchJacobian", "Hessian"):
        print(kind, sum(kind in item for item in records))
    path.write_text("[\n" + ",\n".join(json.dumps(item, separators=(",", ":")) for item in records) + "\n]\n", "utf-8")


def cases() -> Iterator[tuple[str, list[Tensor]]]:
    """Yields names of functions, and tensors at which they are differentiated."""
    for name in FUNCTIONS:
        points = (USUAL if name in OF_ONE and name != "roots" else []) + SPECIAL.get(name, [])
        for dtype in ("float64", "float32") if name in FLOAT32 else ("float64",):
            yield from ((name, [tf.constant(item, dtype) for item in at]) for at in points)


def record(name: str, xs: Sequence[Tensor]) -> dict[str, Any]:
    """Returns what TensorFlow finds at a point; `batch_jacobian` only where all have examples."""
    function = FUNCTIONS[name]
    with tf.GradientTape() as tape:
        tape.watch(xs)
        y = function(*xs)
    unconnected = [slope is None for slope in tape.gradient(y, xs)]
    points = [told(x) for x in xs]
    found = {"function": name, "xs": points, "unconnected": unconnected, "Jacobian": jacobians(function, xs)}
    # TensorFlow divides by the number of examples, and takes no vectors.
    if y.ndim and y.shape[0] and all(x.ndim > 1 and x.shape[0] == y.shape[0] for x in xs):
        found["BatchJacobian"] = batch_jacobians(function, xs)
    return {**found, "Hessian": hessians(function, xs)}


def jacobians(function: Callable[..., Tensor], xs: Sequence[Tensor]) -> list[Any]:
    """Returns the derivatives of all elements by all elements."""
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(xs)
        y = function(*xs)
    found = tape.jacobian(y, xs, unconnected_gradients=ZERO)
    # The way without vectorization fails for empty tensors, and for those of different dtypes.
    if tf.size(y) and {x.dtype for x in xs} == {y.dtype}:
        for a, b in zip(found, tape.jacobian(y, xs, ZERO, experimental_use_pfor=False), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-12)
    return [told(item) for item in found]


def batch_jacobians(function: Callable[..., Tensor], xs: Sequence[Tensor]) -> list[Any]:
    """Returns the derivatives within each example; a number of each is a vector of one for TensorFlow."""
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(xs)
        y = function(*xs)
        rows = y[:, tf.newaxis] if y.ndim == 1 else y
    found = [tape.batch_jacobian(rows, x, unconnected_gradients=ZERO) for x in xs]
    return [told(tf.reshape(item, [*y.shape, *x.shape[1:]])) for item, x in zip(found, xs, strict=True)]


def hessians(function: Callable[..., Tensor], xs: Sequence[Tensor]) -> list[Any]:
    """Returns the second derivatives of the sum by each tensor."""
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(xs)
        with tf.GradientTape() as inner:
            inner.watch(xs)
            y = function(*xs)
        slopes = inner.gradient(y, xs, unconnected_gradients=ZERO)
    return [told(outer.jacobian(slope, x, unconnected_gradients=ZERO)) for slope, x in zip(slopes, xs, strict=True)]


def told(values: Tensor) -> dict[str, Any]:
    """Returns a tensor as the records write it."""
    array = np.asarray(values)
    data = [item if np.isfinite(item) else str(item) for item in array.ravel().tolist()]
    return {"dtype": array.dtype.name, "shape": list(array.shape), "data": data}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
