"""Names that are compositions of several blocks, beside NumPy, and conventions of frameworks by their formulas."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.blocks.names.table import names
from gradwire.engine.base.errors import CallError

RANDOM = np.random.default_rng(0)
X, Y = RANDOM.normal(size=(3, 4)), RANDOM.normal(size=(3, 4))
A, B = RANDOM.normal(size=(3, 3)) + 3 * np.eye(3), RANDOM.normal(size=3)
MEAN = X.mean(1, keepdims=True)
P, T = np.array([0.2, 0.9, 0.6]), np.array([0.0, 1.0, 1.0])


def called(name: str, *args: Any, **keywords: Any) -> Any:
    spoken = names().find(name)
    assert spoken is not None, f"{name} is not in the table"
    return spoken(*args, **keywords)


def value(name: str, *args: Any, **keywords: Any) -> Any:
    """What a name gives, computed at once."""
    found = called(name, *args, **keywords)
    return [np.asarray(item) for item in found] if isinstance(found, tuple) else np.asarray(found)


@pytest.mark.parametrize(
    ("name", "args", "expected"),
    [
        ("np.logaddexp", (X, Y), np.logaddexp(X, Y)),
        ("np.hypot", (X, Y), np.hypot(X, Y)),
        ("np.log2", (abs(X),), np.log2(abs(X))),
        ("np.exp2", (X,), np.exp2(X)),
        ("np.linalg.solve", (A, B), np.linalg.solve(A, B)),
        ("np.linalg.solve", (A, X), np.linalg.solve(A, X)),
        ("np.linalg.inv", (A,), np.linalg.inv(A)),
        ("np.linalg.det", (A,), np.linalg.det(A)),
        ("np.inner", (B, B), B @ B),
        ("np.vstack", ([B, B],), np.vstack([B, B])),
        ("np.hstack", ([X, Y],), np.hstack([X, Y])),
        ("np.column_stack", ([B, B],), np.column_stack([B, B])),
        ("torch.cdist", (X, Y), np.linalg.norm(X[:, None] - Y[None], axis=-1)),
        ("torch.addmm", (X, A, Y), X + A @ Y),
        ("torch.lerp", (X, Y, 0.25), X + 0.25 * (Y - X)),
        ("torch.nn.functional.layer_norm", (X, [4]), (X - MEAN) / np.sqrt(X.var(1, keepdims=True) + 1e-5)),
        ("keras.losses.binary_crossentropy", (T, P), -np.mean(T * np.log(P) + (1 - T) * np.log(1 - P))),
        ("torch.nn.functional.soft_margin_loss", (X, np.sign(Y)), np.mean(np.log1p(np.exp(-np.sign(Y) * X)))),
        ("torch.nn.functional.margin_ranking_loss", (X, Y, np.ones((3, 4)), 0.5), np.mean(np.maximum(Y - X + 0.5, 0))),
        ("torch.nn.functional.poisson_nll_loss", (X, Y), np.mean(np.exp(X) - X * Y)),
    ],
)  # fmt: skip
def test_a_composition_computes_what_its_formula_says(name: str, args: tuple[Any, ...], expected: Any) -> None:
    np.testing.assert_allclose(value(name, *args), expected, rtol=1e-9, atol=1e-12)


def test_numpy_splits_by_counts_or_places_and_torch_by_sizes() -> None:
    for found, expected in zip(value("np.split", X, 2, axis=1), np.split(X, 2, axis=1), strict=True):
        np.testing.assert_array_equal(found, expected)
    for found, expected in zip(value("np.split", X, [1, 3], axis=1), np.split(X, [1, 3], axis=1), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert [item.shape for item in value("torch.split", X, 3, dim=1)] == [(3, 3), (3, 1)]
    assert [item.shape for item in value("torch.chunk", X, 3, dim=1)] == [(3, 2), (3, 2)]


def test_a_convolution_of_pytorch_sums_over_channels_and_windows() -> None:
    image, filters = RANDOM.normal(size=(1, 2, 4, 4)), RANDOM.normal(size=(3, 2, 3, 3))
    bias, padded = np.array([1.0, 2.0, 3.0]), np.pad(image, ((0, 0), (0, 0), (1, 1), (1, 1)))
    found = value("torch.nn.functional.conv2d", image, filters, bias, stride=1, padding=1)
    assert found.shape == (1, 3, 4, 4)
    for row, column in [(0, 0), (2, 3)]:
        window = padded[0, :, row : row + 3, column : column + 3]
        np.testing.assert_allclose(found[0, :, row, column], (filters * window).sum((1, 2, 3)) + bias)
    pooled = value("torch.nn.functional.max_pool2d", image, 2)
    np.testing.assert_array_equal(pooled[0, :, 0, 0], image[0, :, :2, :2].max((1, 2)))


def test_gradients_pass_a_stable_logarithm_of_sums() -> None:
    x, y = gw.Input([1000.0, -1000.0], name="x"), gw.Input([0.0, 0.0], name="y")
    run = gw.evaluate(called("np.logaddexp", x, y))
    np.testing.assert_array_equal(run.gradient("x.y"), [1, 0])


def test_what_has_no_block_is_refused() -> None:
    with pytest.raises(CallError, match="counts the zeros"):
        called("torch.nn.functional.avg_pool2d", np.zeros((1, 1, 4, 4)), 2, padding=1)
    with pytest.raises(CallError, match="do not fit"):
        called("torch.nn.functional.conv2d", np.zeros((1, 2, 4, 4)), np.zeros((3, 3, 3, 3)))
