"""The table of names: functions of the frameworks by their own signatures, compared with NumPy."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks.names.table import Spoken, names
from gradwire.engine.base.errors import CallError

X = np.array([[0.5, -1.5, 2.0], [1.25, 0.75, -0.25]])
K = np.array([2, 0, 1])
# A call as it is written, and what NumPy gives for it.
CALLS: list[tuple[str, Any, Any]] = [
    ("np.sum", lambda f: f(X, 0), X.sum(0)),
    ("np.sum", lambda f: f(X, axis=1, keepdims=True), X.sum(1, keepdims=True)),
    ("torch.sum", lambda f: f(X, 1, True), X.sum(1, keepdims=True)),
    ("tf.reduce_sum", lambda f: f(X, axis=[0, 1]), X.sum()),
    ("tf.reduce_mean", lambda f: f(input_tensor=X, axis=-1), X.mean(-1)),
    ("jnp.where", lambda f: f(X > 0, X, 0.0), np.where(X > 0, X, 0)),
    ("torch.where", lambda f: f(X > 0, X, -X), abs(X)),
    ("np.linalg.norm", lambda f: f(X), np.linalg.norm(X)),
    ("np.linalg.norm", lambda f: f(X, 1), np.linalg.norm(X, 1)),
    ("np.linalg.norm", lambda f: f(X, -np.inf), np.linalg.norm(X, -np.inf)),
    ("np.linalg.norm", lambda f: f(X, 2), np.linalg.norm(X, 2)),
    ("torch.norm", lambda f: f(X, 1), abs(X).sum()),
    ("torch.linalg.norm", lambda f: f(X, dim=1), np.linalg.norm(X, axis=1)),
    ("torch.std", lambda f: f(X, 1), X.std(1, ddof=1)),
    ("torch.var", lambda f: f(X, dim=0, unbiased=False), X.var(0)),
    ("np.std", lambda f: f(X), X.std()),
    ("tf.math.reduce_variance", lambda f: f(X, 0), X.var(0)),
    ("np.cumsum", lambda f: f(X, 0), X.cumsum(0)),
    ("torch.cumsum", lambda f: f(K, dim=0), K.cumsum()),
    ("np.clip", lambda f: f(X, 0, 1), X.clip(0, 1)),
    ("torch.clamp", lambda f: f(X, max=0.5), X.clip(None, 0.5)),
    ("torch.clamp", lambda f: f(X, 2, 1), np.clip(X, 2, 1)),
    ("np.transpose", lambda f: f(X[None], (2, 0, 1)), X[None].transpose(2, 0, 1)),
    ("torch.transpose", lambda f: f(X[None], 1, 2), X[None].swapaxes(1, 2)),
    ("tf.transpose", lambda f: f(X), X.T),
    ("torch.permute", lambda f: f(X, (1, 0)), X.T),
    ("np.concatenate", lambda f: f([X, X], axis=1), np.concatenate([X, X], 1)),
    ("torch.cat", lambda f: f([X, X]), np.concatenate([X, X])),
    ("torch.cat", lambda f: f((X, X), dim=-1), np.concatenate([X, X], -1)),
    ("tf.stack", lambda f: f([X, X], axis=2), np.stack([X, X], 2)),
    ("torch.gather", lambda f: f(X, 1, np.array([[2], [0]])), np.take_along_axis(X, np.array([[2], [0]]), 1)),
    ("torch.gather", lambda f: f(X, 0, np.array([[1, 0]])), np.take_along_axis(X, np.array([[1, 0, 0]]), 0)[:, :2]),
    ("np.take_along_axis", lambda f: f(X, np.array([[-1], [0]]), 1), [[2.0], [1.25]]),
    ("np.take", lambda f: f(X, K, axis=1), X.take(K, 1)),
    ("np.take", lambda f: f(X, K), X.take(K)),
    ("tf.gather", lambda f: f(X, K, axis=1), X[:, K]),
    ("np.argmax", lambda f: f(X), X.argmax()),
    ("torch.argmax", lambda f: f(X, 1, True), X.argmax(1, keepdims=True)),
    ("tf.argmax", lambda f: f(X), X.argmax(0)),
    ("np.diagonal", lambda f: f(X, 1), X.diagonal(1)),
    ("np.trace", lambda f: f(X), X.trace()),
    ("np.power", lambda f: f(2, X), 2**X),
    ("torch.remainder", lambda f: f(X, 0.4), X % 0.4),
    ("torch.div", lambda f: f(X, 0.4, rounding_mode="floor"), X // 0.4),
    ("np.floor_divide", lambda f: f(1.0, np.array([0.1])), [9.0]),
    ("np.outer", lambda f: f(X[0], X[1]), np.outer(X[0], X[1])),
    ("np.einsum", lambda f: f("ij, kj -> ik", X, X), X @ X.T),
    ("tf.matmul", lambda f: f(X, X, transpose_b=True), X @ X.T),
    ("torch.matmul", lambda f: f(X, X[0]), X @ X[0]),
    ("np.expand_dims", lambda f: f(X, (0, -1)), X[None, ..., None]),
    ("torch.flatten", lambda f: f(X[None], 1), X.reshape(1, 6)),
    ("np.flip", lambda f: f(X), X[::-1, ::-1]),
    ("np.tril", lambda f: f(X, 1), np.tril(X, 1)),
    ("torch.triu", lambda f: f(X, diagonal=1), np.triu(X, 1)),
    ("np.diff", lambda f: f(X, 2, axis=1), np.diff(X, 2, axis=1)),
    ("np.round", lambda f: f(X, 1), X.round(1)),
    ("np.moveaxis", lambda f: f(X[None], 0, -1), np.moveaxis(X[None], 0, -1)),
    ("np.prod", lambda f: f(K), K.prod()),
    ("np.count_nonzero", lambda f: f(K), 2),
    ("np.exp", lambda f: f(K), np.exp(K)),
    ("np.arange", lambda f: f(1, 7, 2), [1, 3, 5]),
    ("torch.eye", lambda f: f(2, 3), np.eye(2, 3)),
    ("np.full", lambda f: f((2, 2), 7), np.full((2, 2), 7)),
    ("torch.zeros", lambda f: f(2, 3), np.zeros((2, 3))),
    ("np.linspace", lambda f: f(0, 1, 5), np.linspace(0, 1, 5)),
]


def number(result: Any) -> np.ndarray:
    return np.asarray(gw.evaluate(result).value(result) if isinstance(result, gw.Expression) else result)


def spoken(written: str) -> Spoken:
    found = names().find(written)
    assert found is not None, written
    return found


@pytest.mark.parametrize(("written", "call", "expected"), CALLS, ids=lambda item: item if isinstance(item, str) else "")
def test_a_call_gives_the_numbers_of_numpy(written: str, call: Any, expected: Any) -> None:
    found = number(call(spoken(written)))
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found.astype(float), np.asarray(expected, float), rtol=1e-12, atol=1e-14)


UNARY = "exp log1p expm1 sin cos tan tanh sinh cosh arctan arcsinh square abs sign floor ceil round isnan isfinite sqrt"


@pytest.mark.parametrize("name", UNARY.split())
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int8"])
def test_functions_of_one_tensor_promote_as_numpy_does(name: str, dtype: str) -> None:
    x = np.array([0, 1, 3], dtype)
    found, expected = spoken(f"np.{name}")(x), getattr(np, name)(x)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-3 if expected.dtype == np.float16 else 1e-6)


def test_a_framework_calls_an_argument_by_its_own_name() -> None:
    assert number(spoken("torch.softmax")(input=X, dim=0)).shape == (2, 3)
    with pytest.raises(CallError, match="takes no argument dim; it takes: "):
        spoken("np.sum")(X, dim=0)


def test_our_own_reading_takes_the_names_of_all() -> None:
    for keywords in ({"dim": 1, "keepdim": True}, {"axis": 1, "keepdims": True}):
        np.testing.assert_array_equal(spoken("sum")(X, **keywords), X.sum(1, keepdims=True))
    with pytest.raises(CallError, match="says again"):
        spoken("sum")(X, dim=1, axis=1)


@pytest.mark.parametrize(
    ("written", "says"),
    [
        ("equal", "x == y"),
        ("cross", "linalg"),
        ("meshgrid", "indexing"),
        ("max", "amax"),
        ("split", "Split"),
        ("std", "correction"),
        ("cumsum", "axis"),
        ("leaky_relu", "alpha"),
    ],
)
def test_two_readings_are_refused(written: str, says: str) -> None:
    with pytest.raises(CallError, match=says):
        spoken(written)(X, 1) if written == "max" else spoken(written)(X)


def test_grids_begin_as_their_framework_begins() -> None:
    a, b = np.arange(2.0), np.arange(3.0)
    for name, indexing in (("np.meshgrid", "xy"), ("torch.meshgrid", "ij"), ("tf.meshgrid", "xy")):
        for found, expected in zip(spoken(name)(a, b), np.meshgrid(a, b, indexing=indexing), strict=True):  # type: ignore[call-overload]
            np.testing.assert_array_equal(found, expected)
    assert number(gw.meshgrid(a, gw.Input(b), indexing="ij")[0]).shape == (2, 3)


def test_where_one_framework_is_named_there_is_one_reading() -> None:
    np.testing.assert_allclose(number(spoken("np.max")(X, 1)), X.max(1))
    np.testing.assert_allclose(number(spoken("jax.nn.leaky_relu")(X)), np.where(X > 0, X, 0.01 * X))
    np.testing.assert_allclose(number(spoken("tf.nn.leaky_relu")(X)), np.where(X > 0, X, np.float32(0.2) * X))


def test_an_argument_that_has_no_meaning_here_must_have_its_default() -> None:
    assert spoken("np.sum")(X, None, None, None).shape == ()
    with pytest.raises(CallError, match="takes no out here"):
        spoken("np.sum")(X, out=np.zeros(3))


def test_methods_have_the_arguments_of_their_framework() -> None:
    table = names()
    view, permute, transpose = (
        table.method("view"),
        table.method("permute", "torch"),
        table.method("transpose", "numpy"),
    )
    assert view and permute and transpose
    assert view(X, 3, -1).shape == (3, 2)
    assert permute(X[None], 2, 0, 1).shape == transpose(X[None], 2, 0, 1).shape == (3, 1, 2)


def test_what_goes_one_by_one_may_be_given_by_name() -> None:
    x = gw.Input(X)
    for turned in (x.permute(1, 0), x.permute((1, 0)), x.permute(dims=(1, 0)), gw.permute(input=x, dims=(1, 0))):
        np.testing.assert_array_equal(number(turned), X.T)
    np.testing.assert_array_equal(number(x.flip(dims=0)), X[::-1])
    np.testing.assert_array_equal(number(gw.zeros(shape=(2, 3))), np.zeros((2, 3)))
    with pytest.raises(CallError, match="is given shape twice"):
        gw.reshape(x, 2, shape=3)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("gw.sum(x, 'a')", "an axis is a whole number"),
        ("gw.norm(x, [1])", r"norm takes no such arguments: x=float64\[2, 3\], ord=\[1\]"),
        ("gw.sum()", "sum needs its argument x"),
        ("gw.exp(x, x, x)", "takes at most 1 arguments by position, not 3"),
        ("gw.round(x, decimals='a')", "round takes no such arguments"),
    ],
)
def test_odd_arguments_are_a_sentence(code: str, says: str) -> None:
    with pytest.raises(CallError, match=says):
        eval(code, {"gw": gw, "x": gw.Input(X)})


def test_a_block_knows_all_its_names() -> None:
    found = names().of_block("Softmax")
    assert found[0] == "softmax"
    assert {"torch.softmax", "F.softmax", "tf.nn.softmax", "jax.nn.softmax"} <= set(found)
    assert {"detach", "tf.stop_gradient", "jax.lax.stop_gradient"} <= set(names().of_block("StopGradient"))


def test_the_page_of_the_room_says_how_to_use_it() -> None:
    page = (Path(__file__).parents[3] / "docs" / "rooms" / "names.md").read_text()
    (code,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    scope: dict[str, Any] = {"x": gw.Input(X)}
    exec(code, scope)
    np.testing.assert_allclose(number(scope["p"]).sum(-1), 1)


def test_every_name_of_ours_is_in_the_face() -> None:
    found = {name: getattr(gw, name) for name, _ in names().functions() if name.isidentifier()}
    assert len(found) > 250
    others = {name for name, meaning in names().functions() if name in found and found[name] is not meaning}
    assert others <= {*gw.__all__, "bool", "Variable"}


def test_unknown_names_have_neighbours() -> None:
    assert names().find("torch.sofmax") is None
    assert "softmax" in names().nearest("sofmax")
