"""Decompositions into factors: singular values, eigenvalues of symmetric matrices, and QR.

Leading axes are batches. float16 is computed in float32, as LAPACK has no narrower numbers. The signs of vectors are
LAPACK's: a loss should not depend on them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.blocks.bands import MatrixBandPart
from gradwire.blocks.comparison import ZerosLike
from gradwire.blocks.decompositions import TriangularSolve, are_wide, square, wide
from gradwire.blocks.diagonals import MatrixDiag, MatrixDiagPart, MatrixSetDiag, matrix_sizes
from gradwire.blocks.linear_algebra import MatMul
from gradwire.blocks.products import MatrixTranspose
from gradwire.blocks.shape import Concat, ExpandDims, Split
from gradwire.blocks.support.spelled_for import spelled_for
from gradwire.engine.base.errors import GradientError
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.spelling import Spelling, documented

# A difference of eigenvalues far below its root counts as none, as in TensorFlow.
_NO_DIFFERENCE = 1e-20
# Each framework, and each of its builds, has a LAPACK of its own.
_OTHERS = ("tensorflow", "torch", "jax")
_SIGNS = "vectors may have the other sign"


def _of_each_matrix(function: Callable[[Array], tuple[Array, ...]], x: Array) -> tuple[Array, ...]:
    """Returns the factors of each matrix; those of one with numbers that are not finite are NaN."""
    is_known = np.asarray(np.isfinite(x).all(axis=(-2, -1), keepdims=True))
    factors = function(wide(np.where(is_known, x, 0)))
    rows = is_known[..., 0]
    return tuple(
        np.where(is_known if item.ndim == x.ndim else rows, item, np.nan).astype(x.dtype, copy=False)
        for item in factors
    )


def _reciprocal(x: Any) -> Any:
    """Returns 1 / x, and 0 for 0: equal values leave the turn between their vectors open."""
    return x / (x * x + _NO_DIFFERENCE)


def _differences(x: Any) -> Any:
    """Returns the reciprocal of x_j - x_i at (i, j), and 0 on the diagonal."""
    found = _reciprocal(ExpandDims(x, axis=-2) - ExpandDims(x, axis=-1))
    return MatrixSetDiag(found, ZerosLike(x))


def _eigen_specs(x: TensorSpec) -> tuple[TensorSpec, TensorSpec]:
    square("x", x)
    return TensorSpec(x.shape[:-1], x.dtype), x


@block(
    "Linear algebra",
    infer=_eigen_specs,
    outputs=("e", "v"),
    formula=r"x = V\,\mathrm{diag}(e)\,V^{\top}",
    gradient_formula=(
        r"\bar x = \mathrm{low}(V (\mathrm{diag}(\bar e) + F \circ V^{\top} \bar V) V^{\top}),\quad"
        r" F_{ij} = 1 / (e_j - e_i)"
    ),
    source="tf.linalg.eigh; gradient as in Giles, 2008: Collected matrix derivative results",
    spelling=Spelling(
        spelled_for("np.linalg.eigh({x})", are_wide),
        spelled_for("tf.linalg.eigh({x})", are_wide),
        spelled_for("torch.linalg.eigh({x})", are_wide),
        spelled_for("jnp.linalg.eigh({x}, symmetrize_input=False)", are_wide),
    )
    .noted(_SIGNS, *_OTHERS)
    .noted(f"the gradient is shared by both triangles there, and {_SIGNS}", "torch", "jax"),
)
def SelfAdjointEig(x: Array) -> tuple[Array, Array]:
    """The eigenvalues of each symmetric matrix, ascending, and a matrix whose columns are its eigenvectors.

    Only the lower triangle is read, and only it has a gradient. Between equal eigenvalues no gradient of the vectors
    passes: they may turn freely. Matrices that are not symmetric have complex eigenvalues, which no block has.
    float16 is computed in float32.

    Also known as eigh, eigenvalues, principal components.
    """
    e, v = _of_each_matrix(np.linalg.eigh, np.tril(x))
    return e, v


@SelfAdjointEig.gradient
def self_adjoint_eig_gradient(g: Any, x: Any, e: Any, v: Any) -> Any:
    turned = _differences(e) * MatMul(v, g[1], transpose_a=True)
    inner = MatMul(MatrixSetDiag(turned, g[0]), v, transpose_b=True)
    whole = MatMul(v, inner)
    both = whole + MatrixTranspose(whole)
    return MatrixBandPart(MatrixSetDiag(both, MatrixDiagPart(both) * 0.5), num_lower=-1, num_upper=0)


def _sides(x: TensorSpec) -> tuple[Shape, int, int, int]:
    """Returns the leading axes, rows and columns of matrices, and how many vectors their factors have."""
    rows, columns = matrix_sizes("x", x)
    return x.shape[:-2], rows, columns, min(rows, columns)


def _triangle_specs(x: TensorSpec, *, full_matrices: bool) -> tuple[TensorSpec, TensorSpec]:
    lead, rows, columns, least = _sides(x)
    inner = rows if full_matrices else least
    return TensorSpec((*lead, rows, inner), x.dtype), TensorSpec((*lead, inner, columns), x.dtype)


def _qr_in(module: str) -> Callable[..., str]:
    """Spells the decomposition where the modes are words."""

    @documented(f"{module}.linalg.qr({{x}}, mode={{full_matrices}})")
    def write(x: str, full_matrices: bool, specs: Sequence[TensorSpec] = ()) -> str:
        mode = "complete" if full_matrices else "reduced"
        return f"{module}.linalg.qr({x}, {mode!r})" if are_wide(*specs) else ""

    return write


@block(
    "Linear algebra",
    infer=_triangle_specs,
    outputs=("q", "r"),
    formula=r"x = Q R,\quad Q^{\top} Q = I,\quad R \text{ upper triangular}",
    gradient_formula=(
        r"\bar x = Q (\bar R + \mathrm{low}(M - M^{\top}) R^{-\top}) + (\bar Q - Q Q^{\top} \bar Q) R^{-\top},\quad"
        r" M = Q^{\top} \bar Q + R \bar R^{\top}"
    ),
    source="tf.linalg.qr; gradient as in Walter and Lehmann, 2010: Differentiation of linear algebra functions",
    spelling=Spelling(
        _qr_in("np"),
        spelled_for("tf.linalg.qr({x}, full_matrices={full_matrices})", are_wide),
        _qr_in("torch"),
        _qr_in("jnp"),
    ).noted("rounding decides about the gradient of a matrix without full rank", *_OTHERS),
)
def Qr(x: Array, *, full_matrices: bool = False) -> tuple[Array, Array]:
    """Each matrix as a product of orthonormal columns and an upper triangle.

    `full_matrices` completes the columns to a square matrix, and the triangle with rows of zeros; where that adds
    columns there is no gradient, since they may turn freely. A matrix without full rank has a gradient that is not
    finite. float16 is computed in float32.
    """
    q, r = _of_each_matrix(lambda item: tuple(np.linalg.qr(item, "complete" if full_matrices else "reduced")), x)
    return q, r


@Qr.gradient
def qr_gradient(g: Any, x: Any, q: Any, r: Any, *, full_matrices: bool) -> Any:
    rows, columns = x.shape[-2:]
    if full_matrices and rows > columns:
        raise GradientError(
            f"x has {rows} rows and {columns} columns, and the columns that full_matrices adds have no gradient; "
            "switch it off"
        )
    if rows >= columns:
        return _gradient_of_deep(q, r, g[0], g[1])
    # The columns right of the square part follow from its factors.
    (_, right), (left_r, _) = (Split(item, num_or_size_splits=(rows, columns - rows), axis=-1) for item in (x, r))
    left_g, right_g = Split(g[1], num_or_size_splits=(rows, columns - rows), axis=-1)
    left = _gradient_of_deep(q, left_r, g[0] + MatMul(right, right_g, transpose_b=True), left_g)
    return Concat(left, MatMul(q, right_g), axis=-1)


def _gradient_of_deep(q: Any, r: Any, q_gradient: Any, r_gradient: Any) -> Any:
    """Returns the gradient of a matrix with at least as many rows as columns."""
    within = MatMul(q, q_gradient, transpose_a=True)
    turned = within + MatMul(r, r_gradient, transpose_b=True)
    low = MatrixBandPart(turned - MatrixTranspose(turned), num_lower=-1, num_upper=0)
    inside = MatMul(q, r_gradient + _over_triangle(low, r))
    return inside + _over_triangle(q_gradient - MatMul(q, within), r)


def _over_triangle(x: Any, r: Any) -> Any:
    """Returns x times the transposed inverse of an upper triangle."""
    return MatrixTranspose(TriangularSolve(r, MatrixTranspose(x), lower=False))


def _svd_in(module: str, transposed: str) -> Callable[..., str]:
    """Spells the decomposition where the right vectors come last, as rows."""

    @documented(f"{module}.linalg.svd({{x}}, full_matrices={{full_matrices}})")
    def write(x: str, full_matrices: bool, compute_uv: bool, specs: Sequence[TensorSpec] = ()) -> str:
        if not (compute_uv and are_wide(*specs)):
            return ""
        order = f"(lambda u, s, v: (s, u, {transposed.format('v')}))"
        return f"{order}(*{module}.linalg.svd({x}, full_matrices={full_matrices}))"

    return write


def _singular_specs(x: TensorSpec, *, full_matrices: bool, compute_uv: bool) -> tuple[TensorSpec, ...]:
    lead, rows, columns, least = _sides(x)
    values = TensorSpec((*lead, least), x.dtype)
    if not compute_uv:
        return values, TensorSpec((0,), x.dtype), TensorSpec((0,), x.dtype)
    left, right = (rows, columns) if full_matrices else (least, least)
    return values, TensorSpec((*lead, rows, left), x.dtype), TensorSpec((*lead, columns, right), x.dtype)


@block(
    "Linear algebra",
    infer=_singular_specs,
    outputs=("s", "u", "v"),
    formula=r"x = U\,\mathrm{diag}(s)\,V^{\top},\quad s_0 \ge s_1 \ge \dots \ge 0",
    gradient_formula=(
        r"\bar x = U (\mathrm{diag}(\bar s) + 2\,\mathrm{sym}(F \circ U^{\top} \bar U)\,S"
        r" + 2\,S\,\mathrm{sym}(F \circ V^{\top} \bar V)) V^{\top} + \dots,\quad F_{ij} = 1 / (s_j^2 - s_i^2)"
    ),
    source="tf.linalg.svd; gradient as in Townsend, 2016: Differentiating the singular value decomposition",
    spelling=Spelling(
        _svd_in("np", "np.swapaxes({}, -1, -2)"),
        spelled_for("tf.linalg.svd({x}, full_matrices={full_matrices})", are_wide, compute_uv=True),
        _svd_in("torch", "torch.swapaxes({}, -1, -2)"),
        _svd_in("jnp", "jnp.swapaxes({}, -1, -2)"),
    ).noted(_SIGNS, *_OTHERS),
)
def Svd(x: Array, *, full_matrices: bool = False, compute_uv: bool = True) -> tuple[Array, ...]:
    """The singular values of each matrix, the largest first, and its singular vectors as columns of u and v.

    Without `compute_uv` u and v are empty. `full_matrices` completes them to square matrices; with two or more columns
    that are added there is no gradient, since they may turn freely. Between equal singular values no gradient of the
    vectors passes. float16 is computed in float32.

    Also known as singular value decomposition, principal components.
    """
    if not compute_uv:
        (values,) = _of_each_matrix(lambda item: (np.linalg.svd(item, compute_uv=False),), x)
        return values, np.zeros(0, x.dtype), np.zeros(0, x.dtype)
    u, s, v = _of_each_matrix(lambda item: tuple(np.linalg.svd(item, full_matrices=full_matrices)), x)
    return s, u, np.swapaxes(v, -1, -2)


@Svd.gradient
def svd_gradient(g: Any, x: Any, s: Any, u: Any, v: Any, *, full_matrices: bool, compute_uv: bool) -> Any:
    if not compute_uv:
        _, u, v = Svd(x)
        return MatMul(u, MatMul(MatrixDiag(g[0]), v, transpose_b=True))
    rows, columns = x.shape[-2:]
    if full_matrices and abs(rows - columns) > 1:
        raise GradientError(
            f"x has {rows} rows and {columns} columns, and the {abs(rows - columns)} vectors that full_matrices adds "
            "have no gradient; switch it off"
        )
    if rows > columns:
        return MatrixTranspose(_gradient_of_wide(s, v, u, g[0], g[2], g[1]))
    return _gradient_of_wide(s, u, v, *g)


def _gradient_of_wide(s: Any, u: Any, v: Any, s_gradient: Any, u_gradient: Any, v_gradient: Any) -> Any:
    """Returns the gradient of a matrix with at most as many rows as columns."""
    rows, vectors = u.shape[-1], v.shape[-1]
    others = None
    if vectors > rows:
        v, others = Split(v, num_or_size_splits=(rows, vectors - rows), axis=-1)
        v_gradient, others_gradient = Split(v_gradient, num_or_size_splits=(rows, vectors - rows), axis=-1)
    reciprocals, values = _differences(s * s), MatrixDiag(s)
    left = reciprocals * MatMul(u, u_gradient, transpose_a=True)
    right = reciprocals * MatMul(v, v_gradient, transpose_a=True)
    turned = MatMul(left + MatrixTranspose(left), values) + MatMul(values, right + MatrixTranspose(right))
    found = MatMul(u, MatMul(MatrixDiag(s_gradient) + turned, v, transpose_b=True))
    if v.shape[-2] == rows:
        return found
    # What turns the vectors of v out of the space that they span.
    outside = MatrixTranspose(v_gradient - MatMul(v, MatMul(v, v_gradient, transpose_a=True)))
    if others is not None:
        outside = outside - MatMul(MatMul(v, others_gradient, transpose_a=True), others, transpose_b=True)
    return found + MatMul(MatMul(u, MatrixDiag(_reciprocal(s))), outside)
