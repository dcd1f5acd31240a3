"""Table of conventions: each framework is asked for its real gradients."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks.support.conventions import CONVENTIONS, FRAMEWORKS, conventions_of, gradients_of
from gradwire.engine.blocktypes.library import library
from gradwire.interop.torch.versions import Version, version_of
from tests.blocks.contract.spelled import written
from tests.blocks.samplers.samples import Sample
from tests.frameworks.installed import INSTALLED, namespace, results, tensors

# Columns of the frameworks in the table.
COLUMNS = {"tensorflow": 0, "torch": 1, "jax": 2}
Parts = list[np.ndarray | None]


def f(*numbers: Any) -> np.ndarray:
    return np.array(numbers, float)


def single(*shape: int) -> np.ndarray:
    """Returns ones in the dtype for which TensorFlow pools in three dimensions."""
    return np.ones(shape, np.float32)


WINDOW = {"ksize": [2], "strides": [2], "padding": "VALID"}
PLANES = {"ksize": [2, 1, 1], "strides": [2, 1, 1], "padding": "VALID"}
SQUARES = {"ksize": [2, 2], "strides": [1, 1], "padding": "VALID"}
CUBES = {"ksize": [2, 2, 2], "strides": [1, 1, 1], "padding": "VALID"}
# Functions that the table means, where an exported program uses another line for our numbers.
OWN_FUNCTIONS = {
    ("torch", "Maximum"): "torch.maximum(x, y)",
    ("torch", "Minimum"): "torch.minimum(x, y)",
    ("jax", "Maximum"): "jnp.maximum(x, y)",
    ("jax", "Minimum"): "jnp.minimum(x, y)",
    ("jax", "Abs"): "jnp.abs(x)",
    ("torch", "Selu"): "torch.selu(x)",
    ("jax", "Selu"): "jax.nn.selu(x)",
    ("jax", "LeakyRelu"): "jax.nn.leaky_relu(x, 0.25)",
    ("torch", "MaxPool3D"): "torch.nn.functional.max_pool3d(input.movedim(-1, 1), {ksize}, {strides}).movedim(1, -1)",
    ("jax", "MaxPool3D"): (
        "jax.lax.reduce_window(input, -jnp.inf, jax.lax.max, (1, *{ksize}, 1), (1, *{strides}, 1), 'VALID')"
    ),
    ("torch", "Cumprod"): "torch.cumprod(x, dim=0)",
    ("jax", "Cumprod"): "jnp.cumprod(x, axis=0)",
    ("torch", "Pow"): "torch.pow(x, y)",
    ("jax", "Pow"): "jnp.power(x, y)",
    ("torch", "ClipByValue"): "torch.clamp(x, clip_min, clip_max)",
    ("jax", "ClipByValue"): "jnp.clip(x, clip_min, clip_max)",
    ("torch", "SoftmaxCrossEntropyWithLogits"): "torch.nn.functional.cross_entropy(logits, labels, reduction='none')",
    ("jax", "SoftmaxCrossEntropyWithLogits"): "-(labels * jax.nn.log_softmax(logits)).sum(1)",
    ("torch", "Xlogy"): "torch.xlogy(x, y)",
    ("jax", "Xlogy"): "jax.scipy.special.xlogy(x, y)",
    ("torch", "Xlog1py"): "torch.special.xlog1py(x, y)",
    ("jax", "Xlog1py"): "jax.scipy.special.xlog1py(x, y)",
    # These two have no such function.
    ("torch", "Xdivy"): "x / y",
    ("jax", "Xdivy"): "x / y",
}
# Block type, inputs, parameters, and the gradient of its first output.
CASES: dict[str, tuple[str, list[np.ndarray], dict[str, Any], Any]] = {
    "greatest of equals": ("ReduceMax", [f(2, 2, 1)], {}, 3.0),
    "greatest of each row": ("ReduceMax", [f([2, 2, 1], [0, 1, 1])], {"axis": 1, "keepdims": True}, [[3.0], [5.0]]),
    "smallest of equals": ("ReduceMin", [f(1, 2, 1)], {}, 3.0),
    "greatest by place": ("TopK", [f(2, 2, 1)], {"k": 1}, [3.0]),
    "greatest two by place": ("TopK", [f(1, 2, 2, 2)], {"k": 2}, [3.0, 5.0]),
    "equals in a window": ("MaxPool1D", [np.ones((1, 4, 1))], WINDOW, np.reshape([3.0, 5.0], (1, 2, 1))),
    "equals in windows that overlap": ("MaxPool2D", [np.ones((1, 3, 3, 1))], SQUARES, np.full((1, 2, 2, 1), 3.0)),
    "equals in a window of planes": ("MaxPool3D", [single(1, 2, 1, 1, 1)], PLANES, np.full((1, 1, 1, 1, 1), 3.0)),
    "equals in cubes that overlap": ("MaxPool3D", [single(1, 3, 3, 3, 1)], CUBES, np.full((1, 2, 2, 2, 1), 3.0)),
    "equal inputs, greatest": ("Maximum", [f(1, 2), f(1, 5)], {}, [3.0, 5.0]),
    "equal inputs, smallest": ("Minimum", [f(1, 2), f(1, 5)], {}, [3.0, 5.0]),
    "equal inputs, one repeated": ("Maximum", [f(1, 1), f(1)], {}, [3.0, 5.0]),
    "relu": ("Relu", [f(0, 1, -1)], {}, [3.0, 5.0, 7.0]),
    "relu6": ("Relu6", [f(0, 6, 3, 7)], {}, [3.0, 5.0, 7.0, 9.0]),
    "selu": ("Selu", [f(0, 1, -1)], {}, [3.0, 5.0, 7.0]),
    "leaky": ("LeakyRelu", [f(0, 1, -1)], {"alpha": 0.25}, [3.0, 5.0, 7.0]),
    "running product, zero first": ("Cumprod", [f(0, 2, 3)], {}, [3.0, 5.0, 7.0]),
    "running product, two zeros": ("Cumprod", [f(2, 0, 0, 3)], {}, [3.0, 5.0, 7.0, 9.0]),
    "running products of columns": ("Cumprod", [f([2, 0], [0, 3], [4, 5])], {}, [[3.0, 1.0], [5.0, 2.0], [7.0, 4.0]]),
    "labels of any sum": (
        "SoftmaxCrossEntropyWithLogits",
        [f([0, 1, 2], [0, 0, 0]), f([0.5, -1, 2], [1.5, 0, -0.5])],
        {},
        [3.0, 5.0],
    ),
    "a place written twice": (
        "TensorScatterNdUpdate",
        [f(1, 2, 3), np.array([[1], [0], [1]], np.int32), f(5, 6, 7)],
        {},
        [3.0, 5.0, 7.0],
    ),
    "factor of 0, logarithm": ("Xlogy", [f(0, 1), f(3, 2)], {}, [3.0, 5.0]),
    "factor of 0, logarithm of one more": ("Xlog1py", [f(0, 1), f(3, 2)], {}, [3.0, 5.0]),
    "divided 0": ("Xdivy", [f(0, 1), f(3, 2)], {}, [3.0, 5.0]),
    "origin": ("Atan2", [f(0, 0, 1), f(0, 1, 0)], {}, [3.0, 5.0, 7.0]),
    "power": ("Pow", [f(0, 0, 2, -2), f(0, 1, 3, 2)], {}, [3.0, 5.0, 7.0, 9.0]),
    "power where nothing arrives": ("Pow", [f(0, -2), f(0, 2)], {}, [0.0, 0.0]),
    "deviation of equals": ("ReduceStd", [f(2, 2, 2)], {}, 3.0),
    "deviation of equals, nothing arrives": ("ReduceStd", [f(2, 2, 2)], {}, 0.0),
    "deviations of rows": ("ReduceStd", [f([2, 2], [1, 3])], {"axis": 1}, [3.0, 5.0]),
    "sign": ("Sign", [f(0, 2)], {}, [3.0, 5.0]),
    "size": ("Abs", [f(0, -2)], {}, [3.0, 5.0]),
    "size, with a minus": ("Abs", [f(-0.0, 2)], {}, [-3.0, 5.0]),
    "clip": ("ClipByValue", [f(0, 1, 0.5, 2), f(0).reshape(()), f(1).reshape(())], {}, [3.0, 5.0, 7.0, 9.0]),
    "clip to nothing": ("ClipByValue", [f(1, 2), f(1).reshape(()), f(1).reshape(())], {}, [3.0, 5.0]),
    "root": ("Sqrt", [f(0, 4)], {}, [3.0, 5.0]),
    "root where nothing arrives": ("Sqrt", [f(0, 4)], {}, [0.0, 5.0]),
    "logarithm": ("Log", [f(0, 2)], {}, [3.0, 5.0]),
    "logarithm where nothing arrives": ("Log", [f(0, 2)], {}, [0.0, 5.0]),
    "division": ("Divide", [f(0, 1, 2), f(0, 0, 2)], {}, [3.0, 5.0, 7.0]),
    "division where nothing arrives": ("Divide", [f(0, 1), f(0, 0)], {}, [0.0, 0.0]),
    "length": ("Norm", [f(0, 0)], {}, 3.0),
    "length where nothing arrives": ("Norm", [f(0, 0)], {}, 0.0),
    "lengths of rows": ("Norm", [f([0, 0], [3, 4])], {"axis": 1, "keepdims": True}, [[3.0], [5.0]]),
    "euclidean length": ("ReduceEuclideanNorm", [f(0, 0)], {}, 3.0),
    "euclidean length where nothing arrives": ("ReduceEuclideanNorm", [f(0, 0)], {}, 0.0),
    "euclidean lengths of rows": ("ReduceEuclideanNorm", [f([0, 0], [3, 4])], {"axis": 1}, [3.0, 5.0]),
    "product": ("ReduceProd", [f(0, 0, 3)], {}, 5.0),
    "product with one zero": ("ReduceProd", [f(0, 2, 3)], {}, 5.0),
    "floor": ("Floor", [f(1.5)], {}, [3.0]),
    "ceil": ("Ceil", [f(1.5)], {}, [3.0]),
    "round": ("Round", [f(1.5)], {}, [3.0]),
    "rint": ("Rint", [f(1.5)], {}, [3.0]),
    "place of the greatest": ("ArgMax", [f(1, 2)], {}, 1),
    "place of the smallest": ("ArgMin", [f(1, 2)], {}, 1),
    "cast": ("Cast", [f(1, 2)], {"dtype": "int32"}, [1, 1]),
    "stop": ("StopGradient", [f(1, 2)], {}, [3.0, 5.0]),
}
# What other versions than that of the table give: the first, the one after the last, and the gradient of each input.
NEWEST = (99, 0)
OTHER_VERSIONS: dict[tuple[str, str], tuple[Version, Version, list[np.ndarray]]] = {
    ("torch", "clip"): ((2, 14), NEWEST, [f(1.5, 2.5, 7, 0), f(1.5), f(11.5)]),
    ("torch", "origin"): ((0, 0), (2, 10), [f(math.nan, 5, 0), f(math.nan, 0, -7)]),
}
ASKED = [(framework, name) for framework in INSTALLED for name in CASES]


@pytest.mark.parametrize(("framework", "name"), ASKED, ids=[f"{framework}-{name}" for framework, name in ASKED])
def test_the_table_says_what_the_framework_sends_back(framework: str, name: str) -> None:
    kind, inputs, parameters, upstream = CASES[name]
    block_type = library[kind]
    complete = block_type.normalize(parameters)
    source, arrays = written(block_type, Sample(tuple(inputs), parameters, 0), framework)
    source = OWN_FUNCTIONS.get((framework, kind), source).format(**parameters)
    with np.errstate(all="ignore"):
        computed = block_type.function(*inputs, **complete)
    outputs = [np.asarray(item) for item in (computed if isinstance(computed, tuple) else (computed,))]
    g = [np.asarray(upstream, outputs[0].dtype), *(np.zeros_like(item) for item in outputs[1:])]
    (convention,) = (item for item in conventions_of(kind) if not item.is_of_second_order)
    expected = gradients_of(convention, block_type, g, inputs, outputs, complete)[COLUMNS[framework]]
    expected = of_installed(framework, name) or expected
    ports = [name for name in block_type.input_names(len(inputs)) if name in arrays]
    indices = tensors(framework, {name: arrays[name] for name in ports if arrays[name].dtype.kind != "f"})
    names = [name for name in ports if name not in indices]
    asked = [part for name, part in zip(ports, expected, strict=True) if name in names]

    def call(given: dict[str, Any]) -> Any:
        return results(eval(source, namespace(framework) | indices | given), block_type)[0]

    with warnings.catch_warnings(action="ignore"):
        found = ASKING[framework](call, {name: arrays[name] for name in names}, g[0])
    for port, part, own in zip(names, found, asked, strict=True):
        assert (part is None) == (own is None), f"{source}, {port}: {part}, not {own}"
        if own is not None:
            np.testing.assert_allclose(part, own, rtol=1e-12, err_msg=f"{source}, {port}")


def of_installed(framework: str, name: str) -> Parts:
    """Returns what the installed version gives, if it is another than that of the table; else nothing."""
    first, after, parts = OTHER_VERSIONS.get((framework, name), (NEWEST, NEWEST, []))
    is_other = bool(parts) and first <= version_of(namespace(framework)[framework]) < after
    return [part.reshape(item.shape) for part, item in zip(parts, CASES[name][1], strict=True)] if is_other else []


# Functions of each framework, our type with its parameters, and the two inputs by which it is differentiated.
WEIGHTS = f([1.0, 2.0, -0.5], [3.0, 0.5, 1.5])
TWICE: dict[str, tuple[dict[str, str], dict[str, Any], int, int]] = {
    "Moments": (
        {
            "tensorflow": "tf.nn.moments(x, [1])[1]",
            "torch": "torch.var(x, dim=1, correction=0)",
            "jax": "jnp.var(x, axis=1)",
        },
        {"axes": 1},
        0,
        0,
    ),
    "LayerNormalization": (
        {
            "tensorflow": "tf.nn.batch_normalization(x, *tf.nn.moments(x, [1], keepdims=True), None, None, 0.001)",
            "torch": "torch.nn.functional.layer_norm(x, [3], eps=0.001)",
            "jax": "(x - x.mean(1, keepdims=True)) / jnp.sqrt(x.var(1, keepdims=True) + 0.001)",
        },
        {"epsilon": 0.001},
        0,
        0,
    ),
    "SoftmaxCrossEntropyWithLogits": (
        {
            "tensorflow": "tf.nn.softmax_cross_entropy_with_logits(x, y)",
            "torch": "torch.nn.functional.cross_entropy(y, x, reduction='none')",
            "jax": "-(x * jax.nn.log_softmax(y)).sum(1)",
        },
        {},
        1,
        0,
    ),
}


@pytest.mark.parametrize("kind", TWICE)
@pytest.mark.parametrize("framework", INSTALLED)
def test_of_second_derivatives_only_tensorflow_drops_terms(framework: str, kind: str) -> None:
    sources, parameters, by, then = TWICE[kind]
    arrays = [f([0.2, 0.3, 0.5], [0.6, 0.3, 0.1]), f([0.5, -1.0, 2.0], [1.5, 0.0, -0.5])][: max(by, then) + 1]
    ours = twice_by_us(kind, arrays, parameters, by, then)
    theirs = TWICE_BY[framework](sources[framework], dict(zip("xy", arrays, strict=False)), "xy"[by], "xy"[then])
    if kind == "SoftmaxCrossEntropyWithLogits":
        # Our logits get the gradient for labels that add up to 1, whatever they are: only directions along them count.
        theirs, ours = (part - part.mean(axis=1, keepdims=True) for part in (theirs, ours))
    is_same = np.allclose(theirs, ours, rtol=1e-9, atol=1e-12)
    assert is_same is (framework != "tensorflow")


def twice_by_us(kind: str, arrays: list[np.ndarray], parameters: dict[str, Any], by: int, then: int) -> np.ndarray:
    inputs: list[Any] = [gw.Input(item) for item in arrays]
    more = [gw.Constant(np.ones(3)), gw.Constant(np.zeros(3))] if kind == "LayerNormalization" else []
    found = getattr(gw, kind)(*inputs, *more, **parameters)
    y = found[1] if isinstance(found, tuple) else found
    slope = gw.Gradients(gw.ReduceSum(gw.Square(y)), inputs[by])
    first = slope[0] if isinstance(slope, tuple | list) else slope
    return np.asarray(gw.evaluate(gw.Loss(gw.ReduceSum(gw.Constant(WEIGHTS) * first))).gradient(inputs[then]))


def twice_in_tensorflow(source: str, arrays: dict[str, np.ndarray], by: str, then: str) -> Any:
    tf, given = namespace("tensorflow")["tf"], tensors("tensorflow", arrays)
    with tf.GradientTape() as outer:
        outer.watch(given)
        with tf.GradientTape() as inner:
            inner.watch(given)
            y = tf.reduce_sum(tf.square(eval(source, namespace("tensorflow") | given)))
        z = tf.reduce_sum(WEIGHTS * inner.gradient(y, given[by]))
    return outer.gradient(z, given[then]).numpy()


def twice_in_torch(source: str, arrays: dict[str, np.ndarray], by: str, then: str) -> Any:
    torch, given = namespace("torch")["torch"], tensors("torch", arrays)
    for tensor in given.values():
        tensor.requires_grad_()
    y = torch.square(eval(source, namespace("torch") | given)).sum()
    (first,) = torch.autograd.grad(y, [given[by]], create_graph=True)
    return torch.autograd.grad((torch.tensor(WEIGHTS) * first).sum(), [given[then]])[0].numpy()


def twice_in_jax(source: str, arrays: dict[str, np.ndarray], by: str, then: str) -> Any:
    jax, given = namespace("jax")["jax"], tensors("jax", arrays)

    def whole(values: dict[str, Any]) -> Any:
        return (eval(source, namespace("jax") | values) ** 2).sum()

    return np.asarray(jax.grad(lambda values: (WEIGHTS * jax.grad(whole)(values)[by]).sum())(given)[then])


TWICE_BY = {"tensorflow": twice_in_tensorflow, "torch": twice_in_torch, "jax": twice_in_jax}


@pytest.mark.skipif("torch" not in INSTALLED, reason="asks PyTorch")
def test_torch_topk_may_choose_another_than_the_first() -> None:
    torch = namespace("torch")["torch"]
    assert torch.topk(torch.full((4,), 5.0), 1).indices.tolist() != [0]


def test_every_row_of_the_table_is_asked_about() -> None:
    asked = {kind for kind, *_ in CASES.values()} | set(TWICE)
    assert asked == {kind for convention in CONVENTIONS for kind in convention.types}
    assert set(TWICE) == {kind for item in CONVENTIONS if item.is_of_second_order for kind in item.types}
    assert [name.split()[0].lower().replace("py", "") for name in FRAMEWORKS] == list(COLUMNS)


Asking = Callable[[Callable[[dict[str, Any]], Any], dict[str, np.ndarray], np.ndarray], Parts]


def of_tensorflow(call: Callable[[dict[str, Any]], Any], arrays: dict[str, np.ndarray], g: np.ndarray) -> Parts:
    tf, given = namespace("tensorflow")["tf"], tensors("tensorflow", arrays)
    with tf.GradientTape() as tape:
        for tensor in given.values():
            tape.watch(tensor)
        y = call(given)
    arriving = tf.cast(g, y.dtype) if y.dtype.is_floating else None
    parts = tape.gradient(y, given, output_gradients=arriving)
    return [None if part is None else part.numpy() for part in parts.values()]


def of_torch(call: Callable[[dict[str, Any]], Any], arrays: dict[str, np.ndarray], g: np.ndarray) -> Parts:
    torch, given = namespace("torch")["torch"], tensors("torch", arrays)
    for tensor in given.values():
        tensor.requires_grad_()
    y = call(given)
    if not y.requires_grad:
        return [None] * len(given)
    found = torch.autograd.grad(y, list(given.values()), torch.tensor(g), allow_unused=True)
    return [None if part is None else part.numpy() for part in found]


def of_jax(call: Callable[[dict[str, Any]], Any], arrays: dict[str, np.ndarray], g: np.ndarray) -> Parts:
    jax, given = namespace("jax")["jax"], tensors("jax", arrays)

    def whole(values: dict[str, Any]) -> Any:
        return (call(values) * g.astype(float)).sum()

    found = jax.grad(whole)(given)
    return [np.asarray(found[name]) for name in given]


ASKING: dict[str, Asking] = {"tensorflow": of_tensorflow, "torch": of_torch, "jax": of_jax}
