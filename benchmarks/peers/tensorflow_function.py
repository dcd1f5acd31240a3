"""The framework TensorFlow: the function is traced into a graph once, then the graph runs."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from benchmarks.peers.case import Case, Mode, Prepared, unwatched

NAME, VERSION = "tf.function", tf.__version__
tf.config.threading.set_intra_op_parallelism_threads(1)
tf.config.threading.set_inter_op_parallelism_threads(1)


class Ops:
    """The operations by their names in TensorFlow."""

    number = float
    add, subtract, multiply, divide = tf.add, tf.subtract, tf.multiply, tf.divide
    negative, tanh, sin, sigmoid, exp, relu = tf.negative, tf.tanh, tf.sin, tf.sigmoid, tf.exp, tf.nn.relu
    maximum, total, largest, matmul, reshape = tf.maximum, tf.reduce_sum, tf.reduce_max, tf.matmul, tf.reshape
    stop, identity, plus_bias = tf.stop_gradient, tf.identity, tf.nn.bias_add
    transpose, split, softmax, gelu = tf.transpose, tf.split, tf.nn.softmax, tf.nn.gelu

    @staticmethod
    def normalize(x: Any, gamma: Any, beta: Any) -> Any:
        return tf.nn.batch_normalization(x, *tf.nn.moments(x, [-1], keepdims=True), beta, gamma, 0.001)

    @staticmethod
    def convolve(x: Any, filters: Any) -> Any:
        return tf.nn.conv2d(x, filters, 1, "SAME")

    @staticmethod
    def pool(x: Any) -> Any:
        return tf.nn.max_pool2d(x, 2, 2, "VALID")

    @staticmethod
    def cross_entropy(logits: Any, labels: Any) -> Any:
        return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels, logits))


def prepare(case: Case) -> Prepared:
    """Returns the case as a traced function; an edit traces again."""
    if case.mode.sees_all:
        return _every_wire(case)
    kind = tf.Variable if case.mode is Mode.STEP else tf.constant
    wanted = {name: kind(case.inputs[name]) for name in case.wanted}
    others = {name: tf.constant(array) for name, array in case.inputs.items() if name not in wanted}

    def gradients(wanted: Any, others: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(wanted)
            loss = case.loss(Ops, wanted | others, unwatched)
        return loss, tape.gradient(loss, wanted)

    @tf.function
    def step(others: Any) -> Any:
        loss, found = gradients(wanted, others)
        for name, variable in wanted.items():
            variable.assign_sub(case.rate * found[name])
        return loss

    if case.mode is Mode.STEP:
        return Prepared(
            lambda: step(others), lambda loss: [loss.numpy(), *(variable.numpy() for variable in wanted.values())]
        )
    traced = tf.function(gradients)
    return Prepared(
        lambda: traced(wanted, others), lambda found: [found[0].numpy(), *(found[1][name].numpy() for name in wanted)]
    )


def _every_wire(case: Case) -> Prepared:
    inputs = {name: tf.constant(array) for name, array in case.final_inputs.items()}

    def traced() -> Any:
        @tf.function
        def every_wire(inputs: Any) -> Any:
            seen: list[Any] = []
            with tf.GradientTape() as tape:
                tape.watch(inputs)
                loss = case.final.loss(Ops, inputs, lambda wire: seen.append(wire) or wire)
            return seen, tape.gradient(loss, seen, unconnected_gradients=tf.UnconnectedGradients.ZERO)

        return every_wire

    if case.mode is Mode.ONE_EDIT:
        return Prepared(lambda: traced()(inputs), _stacked)
    function = traced()
    return Prepared(lambda: function(inputs), _stacked)


def _stacked(found: Any) -> Any:
    return [tf.stack(items).numpy() for items in found]
