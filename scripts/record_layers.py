"""Records what the layers of Keras compute, for the tests of ours: python -m scripts.record_layers FILE.

It needs Keras with TensorFlow, which Gradwire itself does not; run it in an environment of its own.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import keras
import numpy as np
import tensorflow as tf

Numbers = np.ndarray[Any, Any]
RNG = np.random.default_rng(2026)
T, N, U = 3, 4, 2


def main(path: Path) -> None:
    """Writes one record for each case."""
    keras.backend.set_floatx("float64")
    records = [record(name, settings, *made) for name, settings, made in cases()]
    lines = ",\n".join(json.dumps(item) for item in records)
    path.write_text(f'{{"keras": "{keras.__version__}", "layers": [\n{lines}\n]}}\n', encoding="utf-8")


def record(
    name: str,
    settings: Mapping[str, object],
    shapes: Mapping[str, Sequence[int]],
    layer: Any,  # Any: layers and models of Keras
    call: Callable[..., Any],
    named: Callable[[Any], Mapping[str, Any]],
) -> dict[str, object]:
    """Returns inputs, weights, outputs, and the gradients of the outputs times random numbers.

    `named` gives our names of the Variables for the weights of the layer, or for gradients in their place.
    """
    inputs = {key: _input(shape) for key, shape in shapes.items()}
    call(**inputs)
    variables = layer.trainable_weights
    for item in layer.weights:
        is_variance = "variance" in item.path
        item.assign(RNG.uniform(0.5, 2, item.shape) if is_variance else RNG.normal(0, 0.6, item.shape))
    differentiable = {key: item for key, item in inputs.items() if item.dtype.is_floating}
    with tf.GradientTape() as tape:
        tape.watch(list(differentiable.values()))
        outputs = call(**inputs)
        outputs = outputs if isinstance(outputs, list | tuple) else [outputs]
        upstream = [RNG.normal(size=item.shape) for item in outputs]
        loss = sum(tf.reduce_sum(a * b) for a, b in zip(outputs, upstream, strict=True))
    found = tape.gradient(loss, [*differentiable.values(), *[item.value for item in variables]])
    given, gradients = found[: len(differentiable)], found[len(differentiable) :]
    frozen = [item for item in layer.weights if not item.trainable]
    return {
        "layer": name,
        "settings": settings,
        "inputs": {key: _listed(item) for key, item in inputs.items()},
        "weights": {key: _listed(item) for key, item in named(list(layer.weights)).items()},
        "outputs": [_listed(item) for item in outputs],
        "upstream": [_listed(item) for item in upstream],
        "input_gradients": {key: _listed(item) for key, item in zip(differentiable, given, strict=True)},
        "weight_gradients": {
            key: _listed(item) for key, item in named([*gradients, *[None] * len(frozen)]).items() if item is not None
        },
    }


def cases() -> list[tuple[str, dict[str, object], tuple[Any, ...]]]:
    """Returns the cases: our name and settings, then the shapes, the layer, its call and the names of its weights."""
    layers = keras.layers
    dense, images = {"x": (5, N)}, {"x": (2, 5, 5, 3)}

    def plain(name: str, settings: dict[str, object], shapes: Any, layer: Any, *parts: str, **how: object) -> Any:
        return name, settings, (shapes, layer, lambda **given: layer(*given.values(), **how), _by(*parts))

    def cell(name: str, shapes: Any, layer: Any, named: Any) -> Any:
        def call(x: Any, **states: Any) -> Any:
            return layer(x, list(states.values()))[1]

        return name, {"units": U}, (shapes, layer, call, named)

    found = [
        plain("Dense", {"units": U, "activation": activation}, dense, layers.Dense(U, activation=activation), "kernel",
              "bias")
        for activation in ("linear", "relu", "tanh", "sigmoid", "softmax", "gelu", "elu", "selu", "silu", "softplus")
    ]  # fmt: skip
    found += [
        plain("Dense", {"units": U, "use_bias": False}, {"x": (2, T, N)}, layers.Dense(U, use_bias=False), "kernel"),
        plain("Conv2D", {"filters": U, "activation": "tanh"}, images, layers.Conv2D(U, 3, activation="tanh"), "kernel",
              "bias"),
        plain("Conv2D", {"filters": U, "kernel_size": 2, "strides": 2, "padding": "SAME"}, images,
              layers.Conv2D(U, 2, strides=2, padding="same"), "kernel", "bias"),
        plain("Embedding", {"input_dim": 6, "output_dim": U}, {"indices": (2, T)}, layers.Embedding(6, U),
              "embeddings"),
        plain("BatchNorm", {}, dense, layers.BatchNormalization(), "gamma", "beta", training=True),
        plain("BatchNorm", {}, images, layers.BatchNormalization(), "gamma", "beta", training=True),
        plain("BatchNorm", {"training": False, "epsilon": 0.1}, dense, layers.BatchNormalization(epsilon=0.1), "gamma",
              "beta", "moving_mean", "moving_variance", training=False),
        plain("LayerNorm", {}, {"x": (2, T, N)}, layers.LayerNormalization(), "gamma", "beta"),
        plain("LayerNorm", {"epsilon": 1e-6}, dense, layers.LayerNormalization(epsilon=1e-6), "gamma", "beta"),
        plain("Dropout", {"rate": 0.0}, dense, layers.Dropout(0.0), training=True),
        cell("RNNCell", {"x": (5, N), "h": (5, U)}, layers.SimpleRNNCell(U),
             _by("kernel", "recurrent_kernel", "bias")),
        cell("GRUCell", {"x": (5, N), "h": (5, U)}, layers.GRUCell(U), _of_gru),
        cell("LSTMCell", {"x": (5, N), "h": (5, U), "c": (5, U)}, layers.LSTMCell(U), _of_lstm),
    ]  # fmt: skip
    for causal in (False, True):
        found.append(_head(causal))
        # Of 4, Keras scales by a half; it would round 1 / sqrt(3) to float32.
        layer = layers.MultiHeadAttention(2, 4)
        parts = ("query", "key", "value", "output")
        names = [f"{part}_{kind}" for part in parts for kind in ("kernel", "bias")]
        call = (lambda made, is_causal: lambda x: made(x, x, use_causal_mask=is_causal))(layer, causal)
        settings = {"heads": 2, "key_dim": 4, "causal": causal}
        found.append(("MultiHeadAttention", settings, ({"x": (2, T, N)}, layer, call, _by(*names))))
    return [*found, _residual(), _residual_of_images(), _mlp()]


def _head(causal: bool) -> Any:
    sources = [keras.layers.Dense(U, use_bias=False) for _ in range(3)]
    attention = keras.layers.Attention()
    x = keras.Input((T, N), dtype="float64")
    query, key, value = (source(x) for source in sources)
    read = attention([query / np.sqrt(U), value, key], use_causal_mask=causal)
    names = _by("query_kernel", "key_kernel", "value_kernel")
    weights = _Ordered([source.kernel for source in sources])
    return "AttentionHead", {"units": U, "causal": causal}, ({"x": (2, T, N)}, weights, _model(x, read)[1], names)


def _residual() -> Any:
    x = keras.Input((N,), dtype="float64")
    inner = keras.layers.Dense(3, activation="relu")(x)
    y = keras.layers.Add()([x, keras.layers.Dense(N)(inner)])
    return (
        "ResidualBlock",
        {"units": 3},
        ({"x": (5, N)}, *_model(x, y), _by("kernel_1", "bias_1", "kernel_2", "bias_2")),
    )


def _residual_of_images() -> Any:
    x = keras.Input((4, 4, U), dtype="float64")
    y = keras.layers.Conv2D(U, 3, padding="same", use_bias=False)(x)
    # Called as in training, with the moments of the batch.
    y = keras.layers.ReLU()(keras.layers.BatchNormalization()(y, training=True))
    y = keras.layers.Conv2D(U, 3, padding="same", use_bias=False)(y)
    y = keras.layers.BatchNormalization()(y, training=True)
    y = keras.layers.ReLU()(keras.layers.Add()([x, y]))

    def named(items: Sequence[Any]) -> dict[str, Any]:
        names = [f"{part}_{number}" for number in (1, 2) for part in ("kernel", "gamma", "beta")]
        return dict(zip(names, items[:6], strict=True))

    model, call = _model(x, y)
    # The trainable weights first, as the gradients are.
    return (
        "ResidualBlock",
        {},
        ({"x": (2, 4, 4, U)}, _Ordered(model.trainable_weights, model.non_trainable_weights), call, named),
    )


def _mlp() -> Any:
    x = keras.Input((N,), dtype="float64")
    y = x
    for size, activation in ((3, "tanh"), (5, "tanh"), (U, "softmax")):
        y = keras.layers.Dense(size, activation=activation)(y)
    settings = {"units": [3, 5, U], "activation": "tanh", "last_activation": "softmax"}
    names = [f"{part}_{number}" for number in (1, 2, 3) for part in ("kernel", "bias")]
    return "MLP", settings, ({"x": (5, N)}, *_model(x, y), _by(*names))


class _Ordered:
    """Weights in a given order, the trainable ones first."""

    def __init__(self, trainable: Sequence[Any], others: Sequence[Any] = ()) -> None:
        self.trainable_weights, self.weights = list(trainable), [*trainable, *others]


def _model(x: Any, y: Any) -> tuple[Any, Callable[..., Any]]:
    model = keras.Model(x, y)
    return model, lambda **given: model(given["x"])


def _by(*names: str) -> Callable[[Sequence[Any]], dict[str, Any]]:
    return lambda items: dict(zip(names, items, strict=False))


def _of_gru(items: Sequence[Any]) -> dict[str, Any]:
    kernel, recurrent, bias = items
    return {"kernel": kernel, "recurrent_kernel": recurrent, "bias": bias[0], "recurrent_bias": bias[1]}


def _of_lstm(items: Sequence[Any]) -> dict[str, Any]:
    kernel, recurrent, bias = items
    parts = {f"bias_{name}": bias[U * k : U * (k + 1)] for k, name in enumerate(("write", "forget", "new", "read"))}
    return {"kernel": kernel, "recurrent_kernel": recurrent, **parts}


def _input(shape: Sequence[int]) -> Any:
    # The only indices are those of the embedding, of which one comes twice.
    is_index = tuple(shape) == (2, T)
    return tf.constant([[0, 5, 1], [5, 2, 3]] if is_index else RNG.normal(size=shape))


def _listed(item: Any) -> object:
    numbers = tf.convert_to_tensor(item)
    return {"dtype": numbers.dtype.name, "shape": list(numbers.shape), "data": numbers.numpy().ravel().tolist()}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
