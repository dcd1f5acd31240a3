"""Records what TensorFlow computes for the gallery's pages with gradients of their own.

python -m scripts.record_own_examples FILE runs in an environment with TensorFlow, which Gradwire does not need. Inputs
are those of the example's file; the rest is written anew with `tf.custom_gradient`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import tensorflow as tf

from scripts.record_guide import Found, Tensor, record

Rule = Callable[[Tensor], Tensor]


def main(path: Path) -> None:
    """Writes one record for each example."""
    lines = ",\n".join(f'"{name}": {json.dumps(record(name, function))}' for name, function in EXAMPLES.items())
    path.write_text(f"{{\n{lines}\n}}\n", "utf-8")


def passed_on(x: Tensor, rule: Rule) -> Tensor:
    """Returns a tensor, whose gradient is that of a rule."""
    return tf.custom_gradient(lambda x: (tf.identity(x), rule))(x)


def clip(x: Tensor) -> Found:
    """Records a gradient that is clipped."""
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(passed_on(x, lambda dy: tf.clip_by_value(dy, -1.0, 1.0))))
    return {"loss": loss, "grads": tape.gradient(loss, {"x": x})}


def reversal(x: Tensor, w: Tensor, target: Tensor) -> Found:
    """Records two losses of one feature, of which one is turned round."""
    with tf.GradientTape() as tape:
        feature = x * w
        loss = (feature - target) ** 2 + tf.square(passed_on(feature, lambda dy: -0.5 * dy))
    return {"loss": loss, "grads": tape.gradient(loss, {"x": x, "w": w, "target": target})}


def straight_through(x: Tensor, target: Tensor) -> Found:
    """Records a gradient that passes a rounding."""
    rounded = tf.custom_gradient(lambda x: (tf.round(x), lambda dy: dy))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((rounded(x) - target) ** 2)
    return {"loss": loss, "grads": tape.gradient(loss, {"x": x, "target": target})}


def log1pexp(x: Tensor) -> Found:
    """Records log(1 + exp x) without infinities, whose gradient is the sigmoid."""

    @tf.custom_gradient
    def stable(x: Tensor) -> tuple[Tensor, Rule]:
        value = tf.maximum(x, 0.0) + tf.math.log1p(tf.exp(-tf.abs(x)))
        return value, lambda dy: dy * tf.sigmoid(x)

    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(stable(x))
    return {"loss": loss, "grads": tape.gradient(loss, {"x": x})}


def scale(x: Tensor, amount: Tensor) -> Found:
    """Records a gradient that is scaled by an input."""

    @tf.custom_gradient
    def slow(x: Tensor, amount: Tensor) -> tuple[Tensor, Callable[[Tensor], tuple[Tensor, None]]]:
        return tf.identity(x), lambda dy: (dy * amount, None)

    with tf.GradientTape() as tape:
        loss = tf.square(slow(x, amount)) + x
    return {"loss": loss, "grads": tape.gradient(loss, {"x": x, "amount": amount})}


EXAMPLES: dict[str, Callable[..., Found]] = {
    "own_clip": clip,
    "own_reversal": reversal,
    "own_straight_through": straight_through,
    "own_log1pexp": log1pexp,
    "own_scale": scale,
}

if __name__ == "__main__":
    main(Path(sys.argv[1]))
