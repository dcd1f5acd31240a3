"""Decompositions beside TensorFlow 2.21, by what does not depend on the signs of their vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks.factors import Qr, SelfAdjointEig, Svd
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import run_graph

# 40 cases of each type at least; `outputs` are those of `invariants`, and the loss weighs them by `upstream`.
ROWS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "data" / "factors.json").read_text(encoding="utf-8")
)
KINDS = ("Qr", "SelfAdjointEig", "Svd")


def array(recorded: dict[str, Any]) -> Array:
    return np.array([float(item) for item in recorded["data"]], recorded["dtype"]).reshape(recorded["shape"])


def invariants(row: dict[str, Any], x: Expression) -> list[Expression]:
    """Returns products of the factors in which the signs of the vectors cancel; each vector has a weight of its own."""
    parts = getattr(gw, row["kind"])(x, **row["parameters"])
    if not row["parameters"].get("compute_uv", True):
        return [parts[0]]
    if row["kind"] == "Svd":
        s, u, v = parts
        count = s.shape[-1]
        kept = [gw.Slice(item, begin=[0] * item.ndim, size=[*item.shape[:-1], count]) for item in (u, v)]
        return [s, u * u, v * v, gw.MatMul(weighed(kept[0]), kept[1], transpose_b=True)]
    if row["kind"] == "SelfAdjointEig":
        e, v = parts
        return [e, v * v, gw.MatMul(weighed(v), v, transpose_b=True)]
    q, r = parts
    return [q * q, r * r, gw.MatMul(weighed(q), r), gw.MatMul(weighed(q), q, transpose_b=True)]


def weighed(columns: Expression) -> Expression:
    return columns * np.arange(1, columns.shape[-1] + 1).astype(columns.dtype)


@pytest.mark.parametrize("kind", KINDS)
def test_factors_and_gradients_are_those_of_tensorflow(kind: str) -> None:
    rows = [row for row in ROWS if row["kind"] == kind]
    assert len(rows) >= 40
    for row in rows:
        x = gw.Input(array(row["x"]), name="x")
        outputs = invariants(row, x)
        limit = {"float64": 1e-9, "float32": 1e-3}[row["x"]["dtype"]]
        weights = [array(item).astype(x.dtype) for item in row["upstream"]]
        losses = [gw.Loss(item, weight) for item, weight in zip(outputs, weights, strict=bool(weights))]
        run = gw.evaluate(*(losses or outputs))
        # Vectors of equal values are any that span the same space: only the values are compared.
        is_tied = row["tags"] == ["tie"]
        for found, recorded in list(zip(outputs, row["outputs"], strict=True))[: 1 if is_tied else None]:
            assert_near(run.value(found), array(recorded), limit)
        if is_tied:
            assert np.isfinite(np.asarray(run.gradient(x))).all() and np.isfinite(array(row["gradient"])).all()
        elif row["gradient"] is not None:
            assert_near(run.gradient(x), array(row["gradient"]), limit)


def assert_near(found: Array | None, recorded: Array, limit: float) -> None:
    """Asserts that arrays agree within a share of their largest number."""
    assert found is not None
    np.testing.assert_allclose(found, recorded, rtol=0, atol=limit * max(1, np.abs(recorded).max(initial=0)))


@pytest.mark.parametrize(
    ("kind", "shape"), [("Qr", (3, 2)), ("Svd", (4, 2))], ids=["columns of q", "two vectors of singular values 0"]
)
def test_vectors_that_turn_freely_have_no_gradient_and_a_sentence_says_so(kind: str, shape: tuple[int, int]) -> None:
    # TensorFlow: NotImplementedError.
    x = gw.Input(np.random.default_rng(0).normal(size=shape), name="x")
    whole = gw.graph(gw.Loss(getattr(gw, kind)(x, full_matrices=True)[1], name="L"))
    found = run_graph(whole).snapshot
    assert found.loss is not None and np.isfinite(np.asarray(found.loss.value))
    (problem,) = [item for item in found.problems if item.severity == "error"]
    assert problem.code == "no_gradient"
    assert problem.message.startswith("x has ") and problem.message.endswith("have no gradient; switch it off.")


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_only_a_matrix_with_numbers_that_are_not_finite_has_none(bad: float) -> None:
    x = np.stack([np.eye(2), np.array([[1.0, bad], [bad, 2.0]])])
    for factors in (Svd(x), Qr(x), SelfAdjointEig(x)):
        for item in factors:
            assert np.isfinite(item[0]).all() and np.isnan(item[1]).all()


def test_what_is_no_matrix_is_refused() -> None:
    with pytest.raises(gw.GradwireError, match="must be square"):
        gw.SelfAdjointEig(gw.Input(np.ones((2, 3))))
    with pytest.raises(gw.GradwireError, match="at least two axes"):
        gw.Svd(gw.Input(np.ones(3)))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 0, 3), (0, 0)])
def test_empty_matrices_have_empty_factors(shape: tuple[int, ...]) -> None:
    s, u, v = Svd(np.ones(shape))
    assert (s.size, u.shape, v.shape) == (0, (*shape[:-1], 0), (*shape[:-2], shape[-1], 0))
    q, r = Qr(np.ones(shape))
    assert (q.size, r.size) == (0, 0)
