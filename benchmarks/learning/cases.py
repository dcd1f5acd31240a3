"""The trainings that are timed: XOR, a network and a convolutional network on the digits, in float64."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.graph.graph import Graph

BATCH = 32
X, Y, LOSS = "main/data.x", "main/data.y", "main/L"
Blocks = Mapping[str, Any]


@dataclass(frozen=True)
class Case:
    """A training by plain descent: the same loss in our blocks and in operations of TensorFlow."""

    title: str
    values: Mapping[str, Array]
    loss: Callable[[Blocks, Any, Any], Any]
    other_loss: Callable[[Any, Blocks, Any, Any], Any]
    data: Mapping[str, object]
    rate: float

    def graph(self, rule: str = "descent", **more: object) -> Graph:
        """Returns the graph with a plan that trains all variables for ever."""
        x, y = gw.Data(seed=1, name="data", **self.data)
        variables = {name: gw.Variable(value, name=name) for name, value in self.values.items()}
        step = {"name": "all", "rule": {"type": rule, "rate": self.rate}}
        loss = gw.Loss(self.loss(variables, x, y), name="L")
        return replace(gw.graph(loss), training={"steps": (step,), "until": {"steps": 10**9}, **more})


def _drawn(**shapes: Sequence[int]) -> dict[str, Array]:
    draws = np.random.default_rng(7)
    # Variance of one over the inputs, as usual before Relu and Tanh.
    return {
        name: draws.normal(size=shape) / np.sqrt(np.prod(shape[:-1])) if len(shape) > 1 else np.zeros(shape)
        for name, shape in shapes.items()
    }


def _xor(w: Blocks, x: Any, y: Any) -> Any:
    hidden = gw.Tanh(gw.MatMul(x, w["W1"]) + w["b1"])
    return gw.ReduceMean(gw.Square(gw.MatMul(hidden, w["W2"]) + w["b2"] - y))


def _xor_there(tf: Any, w: Blocks, x: Any, y: Any) -> Any:
    hidden = tf.tanh(tf.matmul(x, w["W1"]) + w["b1"])
    return tf.reduce_mean(tf.square(tf.matmul(hidden, w["W2"]) + w["b2"] - y))


def _network(w: Blocks, x: Any, y: Any) -> Any:
    hidden = gw.Relu(gw.MatMul(x, w["W1"]) + w["b1"])
    return gw.ReduceMean(gw.SoftmaxCrossEntropyWithLogits(y, gw.MatMul(hidden, w["W2"]) + w["b2"]))


def _network_there(tf: Any, w: Blocks, x: Any, y: Any) -> Any:
    hidden = tf.nn.relu(tf.matmul(x, w["W1"]) + w["b1"])
    logits = tf.matmul(hidden, w["W2"]) + w["b2"]
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(y, logits))


def _convolutional(w: Blocks, x: Any, y: Any) -> Any:
    image = gw.Reshape(x, shape=[BATCH, 8, 8, 1])
    maps = gw.Relu(gw.BiasAdd(gw.Conv2D(image, w["K"], strides=1, padding="SAME"), w["b1"]))
    row = gw.Reshape(gw.MaxPool2D(maps, ksize=2, strides=2, padding="VALID"), shape=[BATCH, 128])
    return gw.ReduceMean(gw.SoftmaxCrossEntropyWithLogits(y, gw.MatMul(row, w["W2"]) + w["b2"]))


def _convolutional_there(tf: Any, w: Blocks, x: Any, y: Any) -> Any:
    image = tf.reshape(x, [BATCH, 8, 8, 1])
    maps = tf.nn.relu(tf.nn.bias_add(tf.nn.conv2d(image, w["K"], 1, "SAME"), w["b1"]))
    row = tf.reshape(tf.nn.max_pool2d(maps, 2, 2, "VALID"), [BATCH, 128])
    logits = tf.matmul(row, w["W2"]) + w["b2"]
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(y, logits))


_DIGITS = {"set": "digits", "batch": BATCH, "scale": "unit"}
CASES = {
    "xor": Case(
        "XOR, 2-2-1",
        _drawn(W1=(2, 2), b1=(2,), W2=(2, 1), b2=(1,)),
        _xor,
        _xor_there,
        {"set": "xor", "n": 4, "noise": 0.0, "labels": "value"},
        0.1,
    ),
    "network": Case(
        "digits, 64-32-10",
        _drawn(W1=(64, 32), b1=(32,), W2=(32, 10), b2=(10,)),
        _network,
        _network_there,
        _DIGITS,
        0.1,
    ),
    "convolutional": Case(
        "digits, convolutional",
        _drawn(K=(3, 3, 1, 8), b1=(8,), W2=(128, 10), b2=(10,)),
        _convolutional,
        _convolutional_there,
        _DIGITS,
        0.1,
    ),
}
