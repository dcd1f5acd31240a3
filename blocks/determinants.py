"""Determinants of matrices, and the two derivatives that stay defined where a matrix is singular."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.decompositions import are_wide, decomposed, gradient_of_inverse, square, wide
from gradwire.blocks.elementwise import MultiplyNoNan
from gradwire.blocks.linear_algebra import MatMul
from gradwire.blocks.products import MatrixTranspose
from gradwire.blocks.reduce import ReduceSum
from gradwire.blocks.shape import Reshape
from gradwire.blocks.support.spelled_for import spelled_for
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.spelling import Spelling


def _signed_logarithm(x: Array) -> tuple[Array, Array]:
    """Returns sign and logarithm of the magnitude of each determinant, unrounded; both NaN where x holds one."""
    sign, logarithm = np.linalg.slogdet(wide(x))
    # A decomposition ends at a pivot of zero and does not see a NaN behind it.
    is_known = ~np.isnan(x).any(axis=(-2, -1))
    return np.where(is_known, sign, np.nan), np.where(is_known, logarithm, np.nan)


def _inverse_or_nan(x: Array) -> Array:
    """Returns the inverse of each matrix, before rounding; NaN if there is none."""
    is_regular = (np.abs(_signed_logarithm(x)[0]) == 1)[..., None, None]
    inverse = np.linalg.inv(wide(np.where(is_regular, x, np.eye(x.shape[-1], dtype=x.dtype))))
    return np.where(is_regular, inverse, np.nan)


def _per_matrix(number: Any) -> Any:
    """Returns a number for each matrix, so that it broadcasts against the matrices."""
    return Reshape(number, shape=(*number.shape, 1, 1))


@block(
    "Gradient parts",
    infer=decomposed,
    formula=r"y = x^{-1}",
    gradient_formula=r"\bar x = -y^{\top} \bar y\, y^{\top}",
)
def InverseOrNaN(x: Array) -> Array:
    """The inverse of each matrix, and NaN in place of one that is singular: the others keep their gradients."""
    return _inverse_or_nan(x).astype(x.dtype)


@InverseOrNaN.gradient
def inverse_or_nan_gradient(g: Any, x: Any, y: Any) -> Any:
    return gradient_of_inverse(g, y)


def _cofactors_of_singular(x: Array) -> Array:
    """Returns the cofactors by singular values: less exact than with an inverse. NaN if not all is finite.

    Shapes: `x` is one batch of square matrices.
    """
    is_finite = np.isfinite(x).all(axis=(-2, -1), keepdims=True)
    u, values, v = np.linalg.svd(np.where(is_finite, x, 0))
    others = np.where(np.eye(x.shape[-1], dtype=bool), 1, values[:, None, :]).prod(axis=-1)
    handedness = np.round(np.linalg.det(u) * np.linalg.det(v))
    cofactors = np.matmul(u * (handedness[:, None] * others)[:, None, :], v)
    return np.where(is_finite, cofactors, np.nan)


@block(
    "Gradient parts",
    infer=decomposed,
    formula=r"y = \det(x)\, x^{-\top}",
    gradient_formula=r"\bar x = \langle \bar y, y \rangle\, x^{-\top} - y\, \bar y^{\top} x^{-\top}",
)
def Cofactors(x: Array) -> Array:
    """The derivative of the determinant by each element, also of a singular matrix.

    Its own derivative is NaN there.
    """
    sign, logarithm = _signed_logarithm(x)
    y = (sign * np.exp(logarithm))[..., None, None] * np.swapaxes(_inverse_or_nan(x), -1, -2)
    is_singular = np.abs(sign) != 1
    if x.size and is_singular.any():
        y[is_singular] = _cofactors_of_singular(wide(x[is_singular]))
    return y.astype(x.dtype)


@Cofactors.gradient
def cofactors_gradient(g: Any, x: Any, y: Any) -> Any:
    inverse = MatrixTranspose(InverseOrNaN(x))
    total = ReduceSum(g * y, axis=(-2, -1), keepdims=True)
    return total * inverse - MatMul(MatMul(y, g, transpose_b=True), inverse)


def _numbers(x: TensorSpec) -> TensorSpec:
    square("x", x)
    return TensorSpec(x.shape[:-2], x.dtype)


@block(
    "Linear algebra",
    infer=_numbers,
    formula=r"y = \det(x)",
    gradient_formula=r"\bar x = \bar y\, \det(x)\, x^{-\top}",
    source="tf.linalg.det",
    spelling=Spelling(
        # PyTorch and JAX have other gradients for singular matrices.
        *(spelled_for(f"{module}.linalg.det({{x}})", are_wide) for module in ("np", "tf"))
    ).noted("a singular matrix has no gradient there, and is an error", "tensorflow"),
)
def MatrixDeterminant(x: Array) -> Array:
    """The determinant of each square matrix; that of an empty one is 1.

    The gradient holds the cofactors, also for a singular matrix, where TensorFlow has an error. Only the second
    derivative is NaN there. float16, for which TensorFlow has no kernel here, is computed in float32.
    """
    sign, logarithm = _signed_logarithm(x)
    y: Array = (sign * np.exp(logarithm)).astype(x.dtype)
    return y


@MatrixDeterminant.gradient
def matrix_determinant_gradient(g: Any, x: Any, y: Any) -> Any:
    return _per_matrix(g) * Cofactors(x)


def _two_numbers(x: TensorSpec) -> tuple[TensorSpec, TensorSpec]:
    return _numbers(x), _numbers(x)


@block(
    "Linear algebra",
    infer=_two_numbers,
    outputs=("sign", "log_abs_determinant"),
    formula=r"s = \mathrm{sign}(\det(x)),\quad \ell = \ln |\det(x)|",
    gradient_formula=r"\bar x = \bar \ell\, x^{-\top}",
    source="tf.linalg.slogdet",
    spelling=Spelling(
        *(spelled_for(f"{module}.linalg.slogdet({{x}})", are_wide) for module in ("np", "tf", "torch", "jnp"))
    )
    .noted("a singular matrix has no gradient there, and is an error", "tensorflow")
    .noted("a singular matrix has another gradient there", "torch", "jax"),
)
def Slogdet(x: Array) -> tuple[Array, Array]:
    """The sign of each determinant and the logarithm of its magnitude, which does not overflow for large matrices.

    A singular matrix has the sign 0, minus infinity, and a gradient of NaN (TensorFlow has an error there). No gradient
    passes through the sign. float16, for which TensorFlow has no kernel here, is computed in float32.
    """
    sign, logarithm = _signed_logarithm(x)
    return sign.astype(x.dtype), logarithm.astype(x.dtype)


@Slogdet.gradient
def slogdet_gradient(g: Any, x: Any, sign: Any, log_abs_determinant: Any) -> Any:
    # A singular matrix has no inverse; where no gradient arrives, none leaves.
    return MultiplyNoNan(MatrixTranspose(InverseOrNaN(x)), _per_matrix(g[1]))
