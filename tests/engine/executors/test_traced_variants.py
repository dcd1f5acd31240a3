"""Traced functions with other axes, dtypes and layouts: recorded loops have the bits of NumPy, and its memory order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import ANY, INDEX, block
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.executors.arena import Arena
from gradwire.engine.executors.tracing import record
from gradwire.engine.executors.ufunc_loops import Strided
from gradwire.engine.executors.windows import put_into
from tests.engine.executors.kinds import recording_of

FLOAT = np.dtype(np.float64)

# x is 3 x 4 with float64, w has 4 of them, i is 3 x 4 with int64 from -3 to 2.
RECORDED = """
np.tile(w, (2, 3))
np.tile(w, 2)
np.tile(x, 2)
np.tile(x, [2, 1, 3])
np.take(x, [1, 0, 2], 0)
np.take(x, [1], -1)
np.take(x, i[:, :2], 0)
np.take(x.T, i, axis=-1)
np.take(x[:, ::-1], np.array([[-4, 3], [0, 0]]), 1)
np.take(x, np.array([-3]), 0)
np.take(x.astype(np.float32), np.array([2, 0]), 0)
np.take(x > 0, np.array([2, 0]), 0)
np.take_along_axis(x, i, 0)
np.take_along_axis(x, np.argmin(x, axis=0)[None], 0)
np.take_along_axis(x[None], np.array([[[1], [0], [-4]]]), -1)
np.roll(x, (1, -1), (0, 1))
np.roll(x, (1, 6), (-1, 0))
np.roll(x, (), ())
np.roll(x, -3, -1)
np.roll(x[:0], 1, 0)
np.pad(x, ((0, 0), (0, 0)))
np.pad(x, ((1, 2), (3, 1)), 'reflect')
np.pad(x, ((2, 0), (0, 3)), 'reflect')
np.pad(x, ((3, 1), (2, 4)), 'symmetric')
np.pad(x, ((0, 0), (0, 1)), 'symmetric')
np.pad(i, ((0, 2), (5, 0)))
np.repeat(x, 3, axis=-2)
np.repeat(x, 1, axis=1)
np.repeat(x, [2, 0, 1, 1], axis=-1)
np.full_like(x, 2.5, shape=(2, 2))
np.full_like(x, w)
np.full_like(x, 2, dtype=np.int32)
np.ones_like(x, dtype=np.int32)
np.zeros_like(x.T)
np.zeros_like(i)
np.empty_like(x)[:0]
np.where(x > 0, 1.0, x)
np.where(x > w, x, 0)
np.where(x > 0, 1, -w)
np.where(i > 0, i, x)
np.where(i > 0, 2, i)
np.where(x[:, :1] > 0, x, w[None])
np.argmax(x.T, axis=-1)
np.argmax(i, axis=1)
np.argmin(x[:, ::-1], axis=1)
np.argmin(x.astype(np.float32), axis=0)
np.sum(x, axis=(1,), initial=2.0)
np.sum(x, axis=-2, initial=0.5, keepdims=True)
np.sum(x, axis=())
np.sum(x, dtype=np.float32)
np.sum(i, axis=0, dtype=np.int64)
np.sum(np.transpose(np.reshape(x, (2, 2, 3)), (2, 0, 1)), axis=(0, 2))
np.sum(np.transpose(np.reshape(x, (2, 3, 2)), (0, 2, 1))[:, ::-1], axis=(0, 1))
np.sum(x[:, ::2], axis=1)
np.sum(x[:1], axis=0)
np.prod(x, axis=0, initial=3.0)
np.max(x, axis=1, initial=-0.25)
np.min(x, axis=0, initial=0.25)
np.max(i, axis=0, initial=0)
np.all(x > -1, axis=0)
np.any(x > 1, axis=-1, keepdims=True)
np.cumsum(x, axis=0, dtype=np.float32)
np.cumsum(i, axis=-1, dtype=np.int64)
np.cumsum(x[::-1, ::2], axis=0)
np.cumsum(x[:, :1], axis=1)
np.cumsum(np.stack([x, -x, w + x]), axis=1)
np.cumprod(x.T, axis=0)
np.minimum.accumulate(x, axis=0)
np.count_nonzero(x)
np.count_nonzero(i, axis=1)
np.trace(x[:, :3], axis1=0, axis2=1, dtype=None)
np.trace(np.stack([x, x + 1]), axis1=0, axis2=2, dtype=None)
np.diff(x)
np.diff(x, axis=0)
np.diff(i, axis=-2)
np.round(i)
np.round(i.T)
np.round(x * 10)
np.clip(x, w, 1.0)
np.clip(i, -1, 1)
np.isposinf(x / 0.0)
np.isneginf(x / 0.0)
(x * 3).astype(bool)
x.astype(np.float32).astype(np.float64)
x.T.astype(np.float64)
i.T.astype(np.float32)
(x * 3).astype(np.int32).astype(np.int64)
(i * 2**40).astype(np.int32)
x[np.array([0, 2])]
x[:, np.array([1, 1])]
x[..., np.array([0, 3, -4])]
x[None, :, np.array([1])]
x[..., np.array([[0, 1]]), :]
x[..., np.array([0, 1]), None]
x[i[:, 0]]
x[1:, np.array([2])]
x[2, 3]
x[1][2]
np.split(x[1:], 2)[0]
np.split(x, [1, 1, 3], axis=-1)[2]
np.broadcast_arrays(w, x[:, :1], 2 * x)[0] + 0
np.concatenate([x, x[:, :1], x], axis=-1)
np.concatenate([x[:1], i])
np.stack([w, 2 * w, w], axis=-1)
np.stack([x, x], axis=-2)
np.add(x, w, dtype=np.float32)
x[:, ::2].reshape(-1)
x.T[1:].reshape((3, 3))
x.reshape(2, -1).reshape(3, 2, 2)
x.swapaxes(0, 1).ravel()
x[:, None].squeeze(1)
x @ w
w @ x.T
w @ w
np.stack([x, w * x]) @ x.T
x[:, :0] @ x[:, :0].T
np.matmul(np.stack([x, w - x]), np.stack([x.T, x.T])[:, None])
x.sum(-1).max(initial=0.0)
x.take(np.array([1]), 1)
x.repeat(2, 0)
put(np.zeros_like(x), (slice(1, None), slice(None, None, 2)), w[:2])
put(np.ones_like(x), (Ellipsis, 1), 7)
put(x.copy(), 0, x[1])
put(np.zeros_like(x), (slice(None), 2), i[:, 1])
added(np.zeros_like(x), np.array([0, 2, 0]), x)
added(np.zeros_like(w), i, x)
added(np.zeros_like(x), i[:, 0], w)
added(np.zeros_like(x, shape=(3,)), np.array([1, 1, -3, -1]), 2)
added(np.zeros_like(i), np.array([1, 1]), 3)
np.add(x, w, out=np.empty_like(x))
np.einsum('ij,kj->ik', x, x, optimize=True)
np.einsum('ij,j->i', x, w, optimize=True)
np.einsum('ij,ij->ij', x, x, optimize=True)
np.einsum('ij->ji', x, optimize=True)
np.einsum('ii->i', x[:, :3], optimize=True)
np.einsum('iij->ji', x[:, :3, None] * w, optimize=True)
np.einsum('i,jk,k->ji', w, x, w, optimize=True)
"""
CALLED = """
np.where(x, 1.0, x)
np.sum(i, axis=0)
np.prod(i)
np.max(x, axis=0)
np.argmax(x)
np.diff(x > 0)
np.round(x, 1)
np.cumsum(i, axis=0)
np.pad(x, ((3, 0), (0, 0)), 'reflect')
np.pad(x, ((0, 0), (0, 4)), 'reflect')
np.pad(x, ((0, 4), (0, 0)), 'symmetric')
np.pad(x, ((0, 0), (5, 0)), 'symmetric')
np.pad(x, ((1, 0), (0, 0)), 'edge')
np.pad(x, ((1, 2),), 'constant')
x[np.array([True, False, True])]
x[1, np.array([0])]
x[np.array([0, 1]), np.array([1, 2])]
x[x > 0].sum().reshape(1)
x if len(x) > 3 or bool(x[0, 0] > 9) else x
np.modf(x)[0]
np.add.outer(w, w)
np.add(x, w, where=x > 0, out=x.copy())
np.einsum('ij->i', x, optimize=True)
np.take(x, i.astype(np.float64).astype(np.int64) > 5, 0)
np.subtract.at(x.copy(), np.array([0]), w)
x.astype(np.float16)
np.take_along_axis(x, i[0], 1)
"""


def put(array: Any, index: Any, value: Any) -> Any:
    array[index] = value
    return array


def added(array: Any, indices: Any, value: Any) -> Any:
    np.add.at(array, indices, value)
    return array


def inputs(seed: int) -> tuple[Array, Array, Array]:
    draw = np.random.default_rng(seed)
    return draw.normal(size=(3, 4)), draw.normal(size=4), draw.integers(-3, 3, (3, 4))


@pytest.mark.parametrize(
    ("formula", "is_recorded"),
    [
        *((line, True) for line in RECORDED.strip().splitlines()),
        *((line, False) for line in CALLED.strip().splitlines()),
    ],
)
def test_a_traced_function_has_the_bits_of_numpy(formula: str, is_recorded: bool, executor: str) -> None:
    function = eval(f"lambda x, w, i: {formula}", {"np": np, "put": put, "added": added})

    def whole(*arrays: Array) -> Array:
        with np.errstate(all="ignore"):
            try:
                return np.asarray(function(*arrays))
            except (IndexError, ValueError):
                return np.zeros(())

    first = whole(*inputs(1))

    spec = TensorSpec(first.shape, first.dtype)

    calls = []

    def Traced(x: Array, w: Array, i: Array) -> Array:
        if not isinstance(x, np.ndarray):
            return function(x, w, i)
        calls.append(formula)
        return whole(x, w, i)

    kind = block("Tests", accepts={"x": ANY, "w": ANY, "i": INDEX}, infer=lambda *_: spec)(Traced)
    sources = [constant(item) for item in inputs(1)]
    result = kind(*sources)
    assert (recording_of(result.application) is not None) is is_recorded
    plan = make_plan([result])
    arena = Arena(plan)
    for seed in (1, 2, 3):
        arena.run({plan.slots[item]: given for item, given in zip(sources, inputs(seed), strict=True)})
        found, wanted = arena.results[result], whole(*inputs(seed))
        assert found is not None and (found.dtype, found.shape) == (wanted.dtype, wanted.shape)
        assert found.tobytes() == wanted.tobytes()
    assert bool(calls) is not is_recorded


@pytest.mark.parametrize(
    "change",
    [
        lambda x, w: put(x, 0, w),
        lambda x, w: put(x[1:], 0, w),
        lambda x, w: added(x, np.array([0]), w),
        lambda x, w: np.add(x, w, out=x),
        # A row that is read after it was written, in a loop that does not know.
        lambda x, w: put(*(lambda y: (y, slice(1, None), y[:-1]))(x + w)),
        lambda x, w: put(np.zeros_like(x + w), (slice(None), slice(1)), x),
        lambda x, w: np.add(x, w, out=np.empty_like(x, dtype=np.float32)),
    ],
)
def test_what_loops_cannot_write_is_not_recorded(change: Callable[..., Any]) -> None:
    places = [Strided(0, 0, (3, 4), (32, 8), FLOAT), Strided(1, 0, (4,), (8,), FLOAT)]
    assert record(lambda x, w: put(x + w, 0, w), places, {}) is not None
    assert record(change, places, {}) is None


@pytest.mark.parametrize(
    ("change", "is_recorded"),
    [
        (lambda x, w: (x + w, x[:1], np.int32), True),
        (lambda x, _: (x, x[:1], np.int32), False),
        (lambda x, w: (x + w, x[:1].astype(np.float32), np.int32), False),
        (lambda x, w: (x + w, x[:1], np.int64), False),
    ],
)
def test_windows_are_written_in_new_arrays_of_their_dtype(change: Callable[..., Any], is_recorded: bool) -> None:
    def spread(x: Any, w: Any) -> Any:
        into, rows, dtype = change(x, w)
        put_into([into[:1], into[1:2]], rows, (rows > 0).astype(dtype))
        return into

    places = [Strided(0, 0, (3, 4), (32, 8), FLOAT), Strided(1, 0, (4,), (8,), FLOAT)]
    assert (record(spread, places, {}) is not None) is is_recorded


def test_indices_are_checked_on_both_ends() -> None:
    places = [Strided(0, 0, (3,), (8,), FLOAT)]
    for index in (-3, 2):
        assert record(lambda x, at=index: np.take(x, np.array([at]), 0), places, {}) is not None
    for index in (-4, 3):
        assert record(lambda x, at=index: np.take(x, np.array([at]), 0), places, {}) is None


def test_new_results_come_in_c_order_and_views_stay_views() -> None:
    places = [Strided(0, 0, (3, 4), (32, 8), FLOAT)]
    for function, buffer, strides, calls in (
        (lambda x: x.T, 0, (8, 32), 0),
        (lambda x: x[1:], 0, (32, 8), 0),
        (lambda x: np.exp(x.T), 2, (24, 8), 2),
        (np.exp, 1, (32, 8), 1),
        (lambda x: np.exp(x.T[:1]), 1, (24, 8), 1),
    ):
        found = record(function, places, {})
        assert found is not None and len(found.calls) == calls
        assert (found.outputs[0].buffer, found.outputs[0].strides) == (buffer, strides)
