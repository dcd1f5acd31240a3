"""Records what TensorFlow computes for its guide's examples in the gallery: python -m scripts.record_guide FILE.

The guide is "Advanced automatic differentiation". Inputs are those of the example's file; the rest is written anew with
tapes. It needs TensorFlow, which Gradwire itself does not; run it in an environment of its own.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

EXAMPLES = Path(__file__).parent.parent / "assets" / "examples"
ZERO = tf.UnconnectedGradients.ZERO
Tensor = Any  # Any: TensorFlow has no types of its own.
Found = dict[str, Any]


def main(path: Path) -> None:
    """Writes one record for each example."""
    records = {name: record(name, function) for name, function in GUIDE.items()}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(item)}" for name, item in records.items())
    path.write_text(f"{{\n{lines}\n}}\n", "utf-8")


def record(name: str, function: Callable[..., Found]) -> Found:
    """Returns inputs, loss, its gradients, and values inside, by the names of blocks and ports."""
    pages = json.loads((EXAMPLES / f"{name}.graph").read_text("utf-8"))["pages"]
    blocks = {block["id"]: block for page in reversed(pages) for block in page["blocks"]}
    tensors = {key: blocks[key]["parameters"]["value"] for key in inspect.signature(function).parameters}
    inputs = {key: np.array(item["data"], "float64").reshape(item["shape"]) for key, item in tensors.items()}
    found = function(**{key: tf.Variable(item) for key, item in inputs.items()})
    return {"inputs": told(inputs), **told(found)}


def told(item: Any) -> Any:
    """Returns tensors as lists; None stays, where no gradient comes."""
    if isinstance(item, Mapping):
        return {key: told(value) for key, value in item.items()}
    return None if item is None else np.asarray(item).tolist()


def of_loss(tape: Any, loss: Tensor, values: Mapping[str, Tensor], **sources: Tensor) -> Found:
    """Returns a loss, its gradients by the sources, and values of ports inside."""
    return {"loss": loss, "grads": tape.gradient(loss, sources), "values": values}


def stop_recording(x: Tensor, y: Tensor) -> Found:
    """Records a square that is computed while the tape pauses."""
    with tf.GradientTape() as tape:
        recorded = x * x
        with tape.stop_recording():
            unseen = y * y
        z = recorded + unseen
    return of_loss(tape, z, {"unseen.y": unseen}, x=x, y=y)


def reset(x: Tensor, y: Tensor) -> Found:
    """Records a tape that forgets its first part."""
    with tf.GradientTape() as tape:
        earlier = y * y
        tape.reset()
        z = x * x + earlier * y
    return of_loss(tape, z, {"earlier.y": earlier}, x=x, y=y)


def stop_gradient(x: Tensor, y: Tensor) -> Found:
    """Records a square with two uses, of which one is held fixed."""
    with tf.GradientTape() as tape:
        square = y * y
        z = square + x * tf.stop_gradient(square)
    return of_loss(tape, z, {"square.y": square}, x=x, y=y)


def custom_gradient(v: Tensor) -> Found:
    """Records a value that passes while its gradient is shortened."""

    @tf.custom_gradient
    def clip(x: Tensor) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
        return tf.identity(x), lambda arriving: tf.clip_by_norm(arriving, 0.5)

    with tf.GradientTape() as tape:
        clipped = clip(v * v)
        y = clipped**2
    return of_loss(tape, y, {"clip.y": clipped}, v=v)


def two_tapes(x0: Tensor, x1: Tensor) -> Found:
    """Records one result on two tapes that watch one input each."""
    taped = {"watch_accessed_variables": False}
    with tf.GradientTape() as whole, tf.GradientTape(**taped) as first, tf.GradientTape(**taped) as second:
        first.watch(x0)
        second.watch(x1)
        y = tf.sin(x0) + tf.sigmoid(x1)
    values = {"first.g_0": first.gradient(y, x0), "second.g_0": second.gradient(y, x1)}
    return of_loss(whole, y, values, x0=x0, x1=x1)


def higher_order(x: Tensor) -> Found:
    """Records a cube with its first three derivatives."""
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as middle:
            with tf.GradientTape(persistent=True) as inner:
                y = x**3
            first = inner.gradient(y, x)
        second = middle.gradient(first, x)
    third = outer.gradient(second, x)
    return of_loss(inner, y, {"first.g_0": first, "second.g_0": second, "third.g_0": third}, x=x)


def input_gradient(x: Tensor, w: Tensor, b: Tensor) -> Found:
    """Records the length of the gradient of an input as a penalty of weights."""
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.nn.relu(x @ w + b)
            fit = tf.reduce_sum(y**2)
        slope = inner.gradient(fit, x)
        penalty = tf.norm(slope)
    return of_loss(outer, penalty, {"fit.y": fit, "slope.g_0": slope}, w=w, b=b)


def scalar_jacobian(x: Tensor, delta: Tensor) -> Found:
    """Records the slopes of a curve by one number that moves all of its points."""
    with tf.GradientTape(persistent=True) as tape:
        y = tf.sigmoid(x + delta)
        loss = tf.reduce_sum(y)
    return of_loss(tape, loss, {"slopes.j_0": tape.jacobian(y, delta)}, delta=delta)


def tensor_jacobian(x: Tensor, w: Tensor, b: Tensor) -> Found:
    """Records the derivative of a layer by its weights."""
    with tf.GradientTape(persistent=True) as tape:
        y = tf.nn.relu(x @ w + b)
        loss = tf.reduce_sum(y)
    found = tape.jacobian(y, w)
    return of_loss(tape, loss, {"jacobian.j_0": found, "total.y": tf.reduce_sum(found, axis=[0, 1])}, w=w, b=b)


def hessian(x: Tensor) -> Found:
    """Records the Jacobian of a gradient."""
    with tf.GradientTape() as outer:
        with tf.GradientTape(persistent=True) as inner:
            y = tf.reduce_logsumexp(x)
        slope = inner.gradient(y, x)
    found = outer.jacobian(slope, x)
    return of_loss(inner, y, {"g.g_0": slope, "J.j_0": found, "H.h_0": found}, x=x)


def newton(x: Tensor, w1: Tensor, w2: Tensor, damping: Tensor) -> Found:
    """Records a damped step of Newton for the weights of a layer."""

    def loss_of(weights: Tensor) -> Tensor:
        return tf.reduce_mean(tf.nn.relu(tf.nn.relu(x @ weights) @ w2) ** 2)

    with tf.GradientTape() as outer:
        with tf.GradientTape(persistent=True) as inner:
            loss = loss_of(w1)
        slope = inner.gradient(loss, w1)
    count = tf.size(w1)
    curvature = tf.reshape(outer.jacobian(slope, w1), [count, count])
    damped = curvature + tf.eye(count, dtype=w1.dtype) * damping
    after = w1 - tf.reshape(tf.linalg.solve(damped, tf.reshape(slope, [count, 1])), w1.shape)
    values = {"gradient.g_0": slope, "newton/matrix.y": curvature, "next.z": after, "net2.loss": loss_of(after)}
    return of_loss(inner, loss, values, w1=w1)


def batch_jacobian(x: Tensor, w1: Tensor, w2: Tensor) -> Found:
    """Records the derivatives of each example by itself, and those of all by all."""
    with tf.GradientTape(persistent=True) as tape:
        y = tf.nn.elu(tf.nn.elu(x @ w1) @ w2)
        loss = tf.reduce_sum(y)
    values = {"all.j_0": tape.jacobian(y, x), "each.j_0": tape.batch_jacobian(y, x)}
    return of_loss(tape, loss, values, x=x)


def batch_norm(x: Tensor, w: Tensor) -> Found:
    """Records the same where a normalization joins the examples."""
    with tf.GradientTape(persistent=True) as tape:
        hidden = x @ w
        mean, variance = tf.nn.moments(hidden, axes=[0])
        y = tf.nn.elu((hidden - mean) / tf.sqrt(variance))
        loss = tf.reduce_sum(y)
    values = {"all.j_0": tape.jacobian(y, x), "each.j_0": tape.batch_jacobian(y, x)}
    return of_loss(tape, loss, values, x=x)


GUIDE: dict[str, Callable[..., Found]] = {
    "guide_1_stop_recording": stop_recording,
    "guide_2_reset": reset,
    "guide_3_stop_gradient": stop_gradient,
    "guide_4_custom_gradient": custom_gradient,
    "guide_5_two_tapes": two_tapes,
    "guide_6_higher_order": higher_order,
    "guide_7_input_gradient": input_gradient,
    "guide_8_scalar_jacobian": scalar_jacobian,
    "guide_9_tensor_jacobian": tensor_jacobian,
    "guide_10_hessian": hessian,
    "guide_11_newton": newton,
    "guide_12_batch_jacobian": batch_jacobian,
    "guide_13_batch_norm": batch_norm,
}

if __name__ == "__main__":
    main(Path(sys.argv[1]))
