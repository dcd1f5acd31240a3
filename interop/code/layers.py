"""Layers of PyTorch and Keras: their parameters become Variables, drawn as the frameworks draw them."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

import numpy as np

from gradwire.blocks.layers.catalogue import LAYERS
from gradwire.blocks.names.table import ours
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.interop.code.refusals import refusal, shown
from gradwire.interop.code.values import Builtin, Data, Function, Layer, Module, Value

if TYPE_CHECKING:
    from gradwire.interop.code.calls import Calls

Arguments = list[Value]
Keywords = dict[str, Value]
Maker = Callable[["Calls", ast.AST, Arguments, Keywords], Layer]
# Rows of an input of which a program says the shape of one row.
_ROWS: Final = 4
_SETTINGS: Final = ("name", "dtype", "device", "input_shape", "input_dim", "trainable", "inplace", "kernel_initializer")
# Functions of tensors that are layers without parameters: PyTorch's and Keras's names, and the function.
_PLAIN: Final[Mapping[str, str]] = {
    **{name: name.lower() for name in ("ReLU", "Sigmoid", "Tanh", "Softplus", "GELU", "SiLU", "ELU", "SELU")},
    **{"Softmax": "softmax", "LogSoftmax": "log_softmax", "LogSigmoid": "logsigmoid", "LeakyReLU": "leaky_relu"},
    **{"ReLU6": "relu6", "Hardtanh": "hardtanh", "Softsign": "softsign", "Mish": "mish"},
    **{
        "MaxPool2d": "max_pool2d",
        "AvgPool2d": "avg_pool2d",
        "CosineSimilarity": "cosine_similarity",
    },
}
_LOSSES: Final[Mapping[str, str]] = {
    "MSELoss": "mse_loss",
    "L1Loss": "l1_loss",
    "CrossEntropyLoss": "cross_entropy",
    "NLLLoss": "nll_loss",
    "BCELoss": "binary_cross_entropy",
    "BCEWithLogitsLoss": "binary_cross_entropy_with_logits",
    "SmoothL1Loss": "smooth_l1_loss",
    "HuberLoss": "huber_loss",
    "KLDivLoss": "kl_div",
    "CosineEmbeddingLoss": "cosine_embedding_loss",
    "TripletMarginLoss": "triplet_margin_loss",
    "PoissonNLLLoss": "poisson_nll_loss",
    "GaussianNLLLoss": "gaussian_nll_loss",
    "SoftMarginLoss": "soft_margin_loss",
    "HingeEmbeddingLoss": "hinge_embedding_loss",
}
_KERAS_LOSSES: Final[Mapping[str, str]] = {
    "MeanSquaredError": "mean_squared_error",
    "MeanAbsoluteError": "mean_absolute_error",
    "BinaryCrossentropy": "binary_crossentropy",
    "CategoricalCrossentropy": "categorical_crossentropy",
    "SparseCategoricalCrossentropy": "sparse_categorical_crossentropy",
    "Huber": "huber",
    "KLDivergence": "kl_divergence",
    "CosineSimilarity": "cosine_similarity",
    "Hinge": "hinge",
    "Poisson": "poisson",
    "LogCosh": "log_cosh",
}


def layer_called(calls: Calls, node: ast.AST, name: str, args: Arguments, keywords: Keywords) -> Value:
    """Returns the layer that a class of PyTorch or Keras makes, or what one of ours gives; None for other names."""
    home, _, last = name.rpartition(".")
    if home in ("gw", "gw.layers") and last in LAYERS and args:
        return calls.applied(node, LAYERS[last].build, args, keywords)
    if home == "torch.nn" and last in _TORCH:
        return _TORCH[last](calls, node, args, keywords)
    if home in ("torch.nn", "keras.layers") and last in _PLAIN:
        return _plain_layer(calls, home, last, args, keywords)
    if home == "torch.nn" and last in _LOSSES:
        return _function_layer(calls, f"torch.nn.functional.{_LOSSES[last]}", last, args, keywords)
    if home == "keras.losses" and last in _KERAS_LOSSES:
        return _keras_loss(calls, last, keywords)
    if home in ("keras", "keras.layers", "keras.models") and last in _KERAS:
        return _KERAS[last](calls, node, args, keywords)
    return None


def _plain_layer(calls: Calls, home: str, last: str, args: Arguments, keywords: Keywords) -> Layer:
    where = "keras.activations" if home == "keras.layers" else "torch.nn.functional"
    keywords = {key: item for key, item in keywords.items() if key not in _SETTINGS}
    return _function_layer(calls, f"{where}.{_PLAIN[last]}", last, args, keywords)


def _function_layer(calls: Calls, function: str, name: str, args: Arguments, keywords: Keywords) -> Layer:
    """Returns a layer that applies a function with settings behind its tensors."""

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        return calls.function(at, function, [*given, *args], {**keywords, **more})

    return Layer(name, call)


def _keras_loss(calls: Calls, last: str, keywords: Keywords) -> Layer:
    """Returns a loss of Keras: the mean over the examples of what its function gives."""
    settings = {key: item for key, item in keywords.items() if key not in ("reduction", "name")}
    reduction = keywords.get("reduction", "sum_over_batch_size")

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        more.pop("sample_weight", None)
        each = calls.function(at, f"keras.losses.{_KERAS_LOSSES[last]}", given, {**settings, **more})
        if reduction in (None, "none"):
            return each
        return calls.applied(at, ours("sum" if reduction == "sum" else "mean"), [each], {})

    return Layer(last, call)


# Parameters


def _variable(calls: Calls, array: Array) -> Expression:
    return calls.source(Data(array, "Variable"))


def _drawn(calls: Calls, shape: tuple[int, ...], bound: float) -> Expression:
    """Returns weights drawn evenly between a bound and its negative, by a seed for each layer."""
    calls.layers_made += 1
    rng = np.random.default_rng(calls.layers_made)
    return _variable(calls, np.round(rng.uniform(-bound, bound, shape), 4))


def _sizes(node: ast.AST, *sizes: Value) -> list[int]:
    """Returns the sizes of a layer.

    Raises: CodeRefusal unless they are whole numbers within the limits.
    """
    if not all(isinstance(size, int) and not isinstance(size, bool) and size > 0 for size in sizes):
        raise refusal(node, f'the sizes of a layer are whole numbers above 0, not those of "{shown(node)}"')
    if math.prod(sizes) * 8 > LIMITS.tensor_bytes:
        raise refusal(node, "a layer of these sizes is larger than a tensor may be")
    return list(sizes)


def _argument(args: Arguments, keywords: Keywords, place: int, *words: str, default: Value = None) -> Value:
    """Returns an argument by its place, or by any of its names."""
    if place < len(args):
        return args[place]
    return next((keywords[word] for word in words if word in keywords), default)


# PyTorch


def _linear(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Layer:
    inner, outer = _sizes(
        node, _argument(args, keywords, 0, "in_features"), _argument(args, keywords, 1, "out_features")
    )
    has_bias = _argument(args, keywords, 2, "bias", default=True)
    weight = _drawn(calls, (outer, inner), 1 / math.sqrt(inner))
    bias = _drawn(calls, (outer,), 1 / math.sqrt(inner)) if has_bias else None

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        product = calls.applied(at, _matmul_transposed, [given[0], weight], {})
        return product if bias is None else calls.binary(at, ast.Add, product, bias)

    return Layer("Linear", call, {"weight": weight, "bias": bias})


def _matmul_transposed(x: Expression, weight: Expression) -> Expression:
    spoken = ours("torch.nn.functional.linear")
    assert spoken is not None
    result: Expression = spoken(x, weight)
    return result


def _embedding(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Layer:
    words = ("num_embeddings", "input_dim"), ("embedding_dim", "output_dim")
    count, size = _sizes(node, *(_argument(args, keywords, place, *names) for place, names in enumerate(words)))
    weight = _drawn(calls, (count, size), 1.0)

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        return calls.applied(at, lambda x, index: library["Gather"](x, index, axis=0), [weight, given[0]], {})

    return Layer("Embedding", call, {"weight": weight, "embeddings": weight})


def _conv2d(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Layer:
    words = ("in_channels", "out_channels", "kernel_size")
    inner, outer, size = (_argument(args, keywords, place, word) for place, word in enumerate(words))
    rows, columns = size if isinstance(size, tuple | list) and len(size) == 2 else (size, size)
    groups = _argument(args, keywords, 6, "groups", default=1)
    shape = _sizes(node, outer, inner if groups == 1 else inner // groups, rows, columns)
    bound = 1 / math.sqrt(math.prod(shape[1:]))
    weight = _drawn(calls, tuple(shape), bound)
    bias = _drawn(calls, (outer,), bound) if _argument(args, keywords, 7, "bias", default=True) else None
    further = ("stride", "padding", "dilation", "groups")
    settings = {word: item for word, item in keywords.items() if word in further}
    settings |= dict(zip(further, args[3:], strict=False))

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        return calls.function(at, "torch.nn.functional.conv2d", [given[0], weight, bias], dict(settings))

    return Layer("Conv2d", call, {"weight": weight, "bias": bias})


def _batch_norm(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Layer:
    """Returns a layer that takes mean and variance of its batch out, as in training."""
    (size,) = _sizes(node, _argument(args, keywords, 0, "num_features"))
    weight, bias = (_variable(calls, np.full(size, number)) for number in (1.0, 0.0))
    epsilon = _argument(args, keywords, 1, "eps", default=1e-5)

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        return calls.applied(at, _batch_normalized, [given[0], weight, bias, epsilon], {})

    return Layer("BatchNorm", call, {"weight": weight, "bias": bias})


def _batch_normalized(x: Expression, weight: Expression, bias: Expression, epsilon: float) -> Expression:
    """Returns the channels on axis 1 normalized over the batch and all places."""
    axes = [axis for axis in range(x.ndim) if axis != 1]
    mean, variance = library["Moments"](x, axes=axes, keepdims=True)
    shape = [1, -1, *[1] * (x.ndim - 2)]
    offset, scale = (library["Reshape"](item, shape=shape) for item in (bias, weight))
    made: Expression = library["BatchNormalization"](x, mean, variance, offset, scale, variance_epsilon=epsilon)
    return made


def _sequential(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Layer:
    layers = calls.rows(node, args[0]) if len(args) == 1 and isinstance(args[0], list | tuple) else list(args)
    # The shape of an input says nothing that the first tensor does not say.
    layers = [layer for layer in layers if not isinstance(layer, Data)]

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        value = given[0]
        for layer in layers:
            value = calls.called(at, layer, [value], {})
        return value

    parts = {
        f"{place}_{name}": item
        for place, layer in enumerate(layers)
        if isinstance(layer, Layer)
        for name, item in layer.parts.items()
    }
    return Layer("Sequential", call, {**parts, "layers": layers})


def _flatten(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Layer:
    first, last = (_argument(args, keywords, *item) for item in ((0, "start_dim"), (1, "end_dim")))
    between = [1 if first is None else first, -1 if last is None else last]
    return Layer("Flatten", lambda at, given, more: calls.function(at, "torch.flatten", [given[0], *between], {}))


def _dropout(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Layer:
    """Returns a layer that passes everything on, as in evaluation; a notice says so."""
    calls.notice(node, "leaves dropout out, as in evaluation")
    return Layer("Dropout", lambda at, given, more: given[0])


def _identity(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Layer:
    return Layer("Identity", lambda at, given, more: given[0])


def _layer_norm(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Layer:
    shape = _argument(args, keywords, 0, "normalized_shape")
    sizes = _sizes(node, *(shape if isinstance(shape, list | tuple) else [shape]))
    weight, bias = (_variable(calls, np.full(sizes, number)) for number in (1.0, 0.0))
    epsilon = _argument(args, keywords, 1, "eps", default=1e-5)

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        return calls.function(at, "torch.nn.functional.layer_norm", [given[0], sizes, weight, bias, epsilon], {})

    return Layer("LayerNorm", call, {"weight": weight, "bias": bias})


_TORCH: Final[Mapping[str, Maker]] = {
    "Linear": _linear,
    "Embedding": _embedding,
    "Conv2d": _conv2d,
    **dict.fromkeys(("BatchNorm1d", "BatchNorm2d"), _batch_norm),
    "Sequential": _sequential,
    "ModuleList": _sequential,
    "Flatten": _flatten,
    "Dropout": _dropout,
    "Identity": _identity,
    "LayerNorm": _layer_norm,
}

# Keras


def _dense(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Layer:
    (units,) = _sizes(node, _argument(args, keywords, 0, "units"))
    activation = _argument(args, keywords, 1, "activation")
    has_bias = _argument(args, keywords, 2, "use_bias", default=True)
    parts: dict[str, Value] = {}

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        x = calls.expression(at, given[0])
        if not parts:
            if not x.shape:
                raise refusal(at, "a dense layer takes a vector or rows, not a single number", calls.blamed([x]))
            inner, outer = _sizes(at, x.shape[-1], units)
            parts["kernel"] = _drawn(calls, (inner, outer), math.sqrt(6 / (inner + outer)))
            if has_bias:
                parts["bias"] = _variable(calls, np.zeros(outer))
        y = calls.binary(at, ast.MatMult, x, parts["kernel"])
        y = calls.binary(at, ast.Add, y, parts["bias"]) if has_bias else y
        return _activated(calls, at, activation, y)

    return Layer("Dense", call, parts)


def _activated(calls: Calls, node: ast.AST, activation: Value, x: Value) -> Value:
    if activation is None or activation == "linear":
        return x
    if isinstance(activation, str):
        return calls.function(node, f"keras.activations.{activation}", [x], {})
    if isinstance(activation, Function | Builtin | Layer | Module):
        return calls.called(node, activation, [x], {})
    raise refusal(node, "an activation is a name or a function")


def _activation(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Layer:
    activation = _argument(args, keywords, 0, "activation")
    return Layer("Activation", lambda at, given, more: _activated(calls, at, activation, given[0]))


def _input_layer(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Value:
    """Returns an input of that shape with a few rows, whose numbers nobody has given."""
    shape = _argument(args, keywords, 0, "shape", "input_shape", "batch_shape")
    sizes = _sizes(node, *(shape if isinstance(shape, list | tuple) else [shape]))
    return Data(np.round(np.random.default_rng(0).uniform(0.1, 1, (_ROWS, *sizes)), 2))


def _model(calls: Calls, node: ast.AST, args: Arguments, keywords: Keywords) -> Layer:
    """Returns a model of Keras between an input and an output, which are blocks already."""

    def call(at: ast.AST, given: Arguments, more: Keywords) -> Value:
        raise refusal(at, "a model between two tensors is there already; give its input the numbers")

    return Layer("Model", call)


_KERAS: Final[Mapping[str, Maker]] = {
    "Dense": _dense,
    "Activation": _activation,
    "Sequential": _sequential,
    "InputLayer": _input_layer,
    "Model": _model,
    "Input": _input_layer,
    "Flatten": _flatten,
    "Dropout": _dropout,
    "Identity": _identity,
    "Embedding": _embedding,
}
