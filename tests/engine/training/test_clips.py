"""Clipped gradients at every exponent: a norm whose squares overflow or vanish clips like any other."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.training.run import TrainingRun


def moved(kind: str, dtype: str, scale: float) -> np.ndarray:
    """Returns how far two Variables move along gradients of this scale, clipped to a norm of that scale."""
    w, u = (gw.Variable(np.zeros(size, dtype), name=name) for size, name in ((3, "w"), (2, "u")))
    a, b = np.array([3, -4, 1], dtype) * np.array(scale, dtype), np.array([2, 1], dtype) * np.array(scale, dtype)
    loss = gw.Loss(gw.ReduceSum(w * gw.Constant(a)) + gw.ReduceSum(u * gw.Constant(b)), name="loss")
    plan = {"steps": [{"rule": {"type": "descent", "rate": 1.0}}], "clip": {kind: scale}}
    run = TrainingRun(dataclasses.replace(gw.graph(loss), training=plan))
    list(run.rounds(1))
    return np.concatenate([run.trainer.variables[name].astype(float) for name in ("main/w", "main/u")]) / -scale


@pytest.mark.parametrize("kind", ["norm", "global_norm"])
@pytest.mark.parametrize(
    ("dtype", "exponent"), [(d, e) for d, m in (("float32", 122), ("float64", 1018)) for e in (-m, 0, m)]
)
def test_a_clip_is_the_same_at_every_scale(kind: str, dtype: str, exponent: int) -> None:
    first, second = np.array([3.0, -4.0, 1.0]), np.array([2.0, 1.0])
    norms = (26, 5) if kind == "norm" else (31, 31)
    wanted = np.concatenate([first / np.sqrt(norms[0]), second / np.sqrt(norms[1])])
    np.testing.assert_allclose(moved(kind, dtype, 2.0**exponent), wanted, rtol=1e-6)


@pytest.mark.parametrize(
    "scale",
    [0.3, 3.0, 3.0 * 2**300, 3.0 / 2**300, 1.1 / 2**343, 1.3 / 2**342, 1.7 / 2**341, 1.9 * 2**338],
)
@pytest.mark.parametrize("kind", ["norm", "global_norm"])
def test_where_squares_neither_overflow_nor_vanish_the_plain_formula_is_met_to_the_bit(kind: str, scale: float) -> None:
    first, second = np.array([3.0, -4.0, 1.0]) * scale, np.array([2.0, 1.0]) * scale
    squares = [(part * part).sum() for part in (first, second)]
    norms = np.sqrt(squares if kind == "norm" else [sum(squares)] * 2)
    wanted = np.concatenate([part * (scale / norm) for part, norm in zip((first, second), norms, strict=True)])
    np.testing.assert_array_equal(moved(kind, "float64", scale), wanted / scale)


@pytest.mark.parametrize(("kind", "limit"), [("value", 2), ("norm", 1), ("global_norm", 2.6), ("global_norm", 99)])
def test_variables_of_two_dtypes_are_clipped_each_in_its_own(kind: str, limit: float) -> None:
    w, u = gw.Variable(np.zeros(2, "float32"), name="w"), gw.Variable(np.zeros(2), name="u")
    sums = gw.Cast(gw.ReduceSum(w * gw.Constant(np.array([3, -4], "float32"))), dtype="float64")
    loss = gw.Loss(sums + gw.ReduceSum(u * gw.Constant([12.0, 0.0])), name="loss")
    plan = {"steps": [{"rule": {"type": "descent", "rate": 1.0}}], "clip": {kind: limit}}
    run = TrainingRun(dataclasses.replace(gw.graph(loss), training=plan))
    list(run.rounds(1))
    moved = [run.trainer.variables[f"main/{name}"] for name in "wu"]
    assert [array.dtype for array in moved] == ["float32", "float64"]
    first, second = np.array([3.0, -4.0]), np.array([12.0, 0.0])
    wanted = {
        "value": [first.clip(-limit, limit), second.clip(-limit, limit)],
        "norm": [first / 5, second / 12],
        "global_norm": [first * min(1, limit / 13), second * min(1, limit / 13)],
    }[kind]
    for array, part in zip(moved, wanted, strict=True):
        np.testing.assert_allclose(-array, part, rtol=1e-6)
