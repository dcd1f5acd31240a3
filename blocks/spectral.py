"""The derivative of a matrix's largest singular value, and what it is made of: it can be differentiated any number of
times, since the two parts below have derivatives in terms of each other.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.comparison import Equal, Where
from gradwire.blocks.linear_algebra import MatMul
from gradwire.blocks.reduce import ReduceSum
from gradwire.blocks.shape import Transpose
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import Declaration, block


def largest_singular_value_gradient(g: Any, x: Any, y: Any) -> Any:
    """Returns the gradient of the matrices in the last two axes for that of their largest singular values.

    Shapes: `g` and `y`, the values, have both axes of size 1.
    """
    # At length 1, so that squares neither overflow nor vanish; a zero matrix stays zero, and so does its gradient.
    unit = x / Where(Equal(y, 0), 1, y)
    return g * MatMul(unit, TopProjector(MatMul(unit, unit, transpose_a=True)))


def _square(a: TensorSpec) -> TensorSpec:
    if a.ndim < 2 or a.shape[-1] != a.shape[-2]:
        raise ShapeError(f"a has shape {list(a.shape)}, but its last two axes must be of one size")
    return a


def part(formula: str, gradient_formula: str) -> Declaration:
    """Returns the declaration of both parts."""
    return block("Gradient parts", infer=_square, formula=formula, gradient_formula=gradient_formula)


def eigensystem(a: Array) -> tuple[Array, Array, Array]:
    """Returns each eigenvalue's distance from the largest, and the eigenvectors as columns; NaN if `a` is not finite.

    Only the symmetric part of `a` counts.
    """
    wide = a.astype(np.promote_types(a.dtype, np.float32))
    wide = (wide + np.swapaxes(wide, -1, -2)) / 2
    is_finite = np.isfinite(wide).all(axis=(-2, -1), keepdims=True)
    values, vectors = np.linalg.eigh(np.where(is_finite, wide, 0))
    return values[..., -1:] - values, vectors, np.where(is_finite, 0, np.nan)


def from_eigenvalues(a: Array, weights: Array, vectors: Array, fault: Array) -> Array:
    """Returns the symmetric matrix with these eigenvalues and eigenvectors, in the dtype of `a`."""
    matrix: Array = (vectors * weights[..., None, :]) @ np.swapaxes(vectors, -1, -2) + fault
    return matrix.astype(a.dtype)


def _symmetric(g: Any) -> Any:
    order = (*range(g.ndim - 2), g.ndim - 1, g.ndim - 2)
    return (g + Transpose(g, perm=order)) * 0.5


@part(
    r"\Pi = v\,v^{\top},\quad A\,v = \lambda_{\max} v",
    r"\bar A = S\,\bar \Pi\,\Pi + \Pi\,\bar \Pi\,S,\quad S = (\lambda_{\max} - A)^{+}",
)
def TopProjector(a: Array) -> Array:
    """The direction of the largest eigenvalue of a symmetric matrix, times itself; equal ones have equal shares."""
    distances, vectors, fault = eigensystem(a)
    hit = distances == 0
    return from_eigenvalues(a, hit / hit.sum(axis=-1, keepdims=True), vectors, fault)


@TopProjector.gradient
def top_projector_gradient(g: Any, a: Any, y: Any) -> Any:
    half = MatMul(TopResolvent(a), MatMul(_symmetric(g), y))
    return _symmetric(half) * 2


@part(
    r"S = (\lambda_{\max} - A)^{+}",
    r"\bar A = S\,\bar S\,S - \mathrm{tr}(\bar S S^2)\,\Pi - S^2\,\bar S\,\Pi - \Pi\,\bar S\,S^2",
)
def TopResolvent(a: Array) -> Array:
    """The pseudo-inverse of a symmetric matrix's distance from its largest eigenvalue."""
    distances, vectors, fault = eigensystem(a)
    weights = np.where(distances == 0, 0, 1 / np.where(distances == 0, 1, distances))
    return from_eigenvalues(a, weights, vectors, fault)


@TopResolvent.gradient
def top_resolvent_gradient(g: Any, a: Any, y: Any) -> Any:
    g, top, squared = _symmetric(g), TopProjector(a), MatMul(y, y)
    trace = ReduceSum(g * squared, axis=(-2, -1), keepdims=True)
    mixed = _symmetric(MatMul(squared, MatMul(g, top)))
    return MatMul(y, MatMul(g, y)) - trace * top - mixed * 2
