"""Functions of NumPy, traced: each gives other numbers what NumPy gives for them."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.executors.arena import Arena
from tests.engine.executors.kinds import recording_of

RECORDED = """
np.exp(x) + w
x[1:, ::2] * 2
x[::-1, 1]
x[..., None] - w
x.T @ w[:3]
x[0]
x[-1, -1]
np.take(x, np.array([1, -1]), 0)
np.sum(x)
np.sum(x, axis=0)
x.sum(axis=(0, 1), keepdims=True)
np.sum(x, axis=-1, keepdims=True)
np.prod(x, axis=1)
np.all(x > 0, axis=1)
np.any(x > 1)
np.cumsum(x, axis=1)
np.cumsum(x, axis=0)
np.cumprod(x, axis=-1)
np.argmax(x, axis=1)
np.argmin(x, axis=0)
np.where(x > 0, x, w)
np.clip(x, -0.5, 0.5)
np.maximum(x, w)
np.minimum(x, 0.25)
np.sign(x) * np.abs(x)
x ** 2 + 2.0 ** x
x // 0.3 + x % 0.3
-x
x / (w + 9)
3 - x
1 / (x + 9)
np.sqrt(x * x) + np.log1p(x * x)
np.floor(x) + np.ceil(x) + np.rint(x)
x.reshape(4, 3)
x.reshape(-1)
x.T.reshape(2, 6)
np.transpose(x)
np.swapaxes(x[None], 0, 2)
np.moveaxis(x[None], 0, -1)
np.expand_dims(x, 1)
np.squeeze(x[:1])
np.flip(x, 1)
np.roll(x, 2, 1)
np.broadcast_to(w, (2, 4)) + 0
np.concatenate([x, 2 * x], axis=1)
np.concatenate([x, w[None]])
np.stack([x, x + 1], axis=1)
np.stack([w, w])
np.tile(x, (2, 3))
np.repeat(x, 2, axis=1)
np.repeat(x, [1, 0, 2], axis=0)
np.pad(x, ((1, 0), (0, 2)))
np.diagonal(x)
np.matmul(x, x.T)
x @ np.stack([w, w], axis=1)
np.zeros_like(x) + 1
np.ones_like(x)
np.full_like(x, 3.0)
(x > 0) & (w < 1)
(x > 0) | (w < 1)
~(x > 0)
(x == x) ^ (x != w)
x.astype(np.float32)
(x > 0).astype(np.int64)
x.astype(np.int32)
np.isnan(x) | np.isinf(x)
np.isfinite(x)
x.copy()
np.count_nonzero(x > 0, axis=0)
np.arctan2(x, w)
np.hypot(x, w)
np.logaddexp(x, w)
np.square(x) + np.reciprocal(x + 9)
np.take_along_axis(x, np.argmax(x, axis=1)[:, None], 1)
np.split(x, 2, axis=1)[1]
np.diff(x, axis=1)
np.lib.stride_tricks.sliding_window_view(w, 2)
np.maximum.accumulate(x, axis=1)
np.round(x)
np.isposinf(x) | np.isneginf(x)
np.ravel(x.T)
np.broadcast_arrays(x, w)[1] + 0
np.take(x, np.array([2, 0]), axis=1)
np.roll(x, -1, 0)
x[np.newaxis, 1:2]
np.split(x, [1, 3], axis=1)[1]
"""
CALLED = """
x[:, [2, 0, 2]]
x[[0, 2]]
np.take(w, np.array([[1, 0], [3, 3]]))
np.mean(x, axis=0)
x.mean()
np.max(x, axis=1)
x.min(axis=0, keepdims=True)
np.var(x, axis=1)
np.std(x)
np.einsum('ij->ji', x)
np.einsum('ij->i', x)
np.einsum('ii->i', x[:, :3])
np.einsum('iij->ij', x[:, :3, None] * w)
np.einsum('ij,j->i', x, w)
np.einsum('ij,kj->ik', x, x)
np.einsum('i,j->ij', x[0], w)
np.dot(x, w)
np.tensordot(x, x, axes=([1], [1]))
np.ascontiguousarray(x.T)
np.triu(x)
np.tril(x, -1)
np.trace(x[:, :3])
np.linalg.norm(x, axis=1)
np.max(np.abs(x)) + np.min(w)
np.add.reduce(x, axis=1)
np.multiply.outer(w, w)
np.trace(x)
np.pad(x, 1)
np.einsum('ij,j->i', x, w, optimize=False)
x.max(axis=1)
np.max(x)
"""


def numbers(seed: int) -> tuple[Array, Array]:
    draw = np.random.default_rng(seed)
    return draw.normal(size=(3, 4)), draw.normal(size=4)


@pytest.mark.parametrize(
    ("formula", "is_recorded"),
    [
        *((line, True) for line in RECORDED.strip().splitlines()),
        *((line, False) for line in CALLED.strip().splitlines()),
    ],
)
def test_a_traced_function_is_that_of_numpy(formula: str, is_recorded: bool) -> None:
    function = eval(f"lambda x, w: {formula}", {"np": np})
    first = np.asarray(function(*numbers(1)))

    def Traced(x: Array, w: Array) -> Array:
        return np.asarray(function(x, w)) if isinstance(x, np.ndarray) else function(x, w)

    kind = block("Tests", infer=lambda *_: TensorSpec(first.shape, first.dtype))(Traced)
    x, w = map(constant, numbers(1))
    result = kind(x, w)
    assert (recording_of(result.application) is not None) is is_recorded
    plan = make_plan([result])
    arena = Arena(plan)
    for seed in (1, 2):
        arena.run(dict(zip((plan.slots[x], plan.slots[w]), numbers(seed), strict=True)))
        found, wanted = arena.results[result], np.asarray(function(*numbers(seed)))
        assert found is not None and found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, rtol=1e-13, strict=False)
