"""Gather's default axis, and the clipping of EmbeddingLookup judged by recorded results of the operation it uses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import ParameterError
from tests.recorded import load, tensor

CLIPPED = [case for case in load("cases", "ClipByNorm")["cases"] if case["inputs"]["x"]["dtype"] == "float64"]


def table_of(case: dict[str, Any]) -> np.ndarray | None:
    """Returns the recorded tensor as a table whose rows are clipped one by one; None where it has other axes."""
    x, axes = tensor(case["inputs"]["x"]), case["attrs"].get("axes")
    if axes is None:
        return x[np.newaxis]
    rows = sorted(axis % x.ndim for axis in axes)
    return x if rows == list(range(1, x.ndim)) else None


@pytest.mark.parametrize("case", [case for case in CLIPPED if table_of(case) is not None], ids=lambda case: case["id"])
def test_rows_are_shortened_as_recorded_clipping_by_norm_shortens_them(case: dict[str, Any]) -> None:
    table = table_of(case)
    params = gw.Variable(table)
    ids = gw.Constant(np.arange(len(table), dtype=np.int32))
    y = gw.EmbeddingLookup(params, ids, max_norm=case["attrs"]["clip_norm"])
    upstream = tensor(case["upstream"]["y"]).reshape(table.shape)
    run = gw.evaluate(gw.Loss(y, upstream))
    # The tolerances of the recording: TensorFlow has max_norm in float32.
    close = {"rtol": 5e-7, "atol": 1e-8}
    np.testing.assert_allclose(run.value(y), tensor(case["outputs"]["y"]).reshape(table.shape), **close)
    np.testing.assert_allclose(run.gradient(params), tensor(case["grads"]["x"]).reshape(table.shape), **close)


def test_without_an_axis_gather_takes_the_first_behind_the_batch() -> None:
    """The recorded case with batch_dims 1 and axis 1, asked for without the axis."""
    (case,) = [case for case in load("cases", "Gather")["cases"] if case["attrs"] == {"axis": 1, "batch_dims": 1}]
    params = gw.Variable(tensor(case["inputs"]["params"]))
    y = gw.Gather(params, tensor(case["inputs"]["indices"]), batch_dims=1)
    run = gw.evaluate(gw.Loss(y, tensor(case["upstream"]["y"])))
    np.testing.assert_allclose(run.value(y), tensor(case["outputs"]["y"]))
    np.testing.assert_allclose(run.gradient(params), tensor(case["grads"]["params"]))


@pytest.mark.parametrize("number", [-1.0, 256.0, 1e30])
def test_one_hot_refuses_a_number_that_its_dtype_cannot_hold(number: float) -> None:
    with pytest.raises(ParameterError, match="beyond the range of uint8"):
        gw.OneHot(gw.Input(np.array([0, 1])), depth=2, off_value=number, dtype="uint8")


def test_nothing_is_scattered_into_a_negative_size() -> None:
    with pytest.raises(ParameterError, match="sizes of at least 0"):
        gw.ScatterGradient(gw.Input(np.zeros(2)), gw.Input(np.zeros(2, int)), shape=(-3,))
