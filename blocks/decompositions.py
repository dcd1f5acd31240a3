"""Cholesky factors, and what follows from a decomposition: inverses and solutions of equations.

Leading axes are batches. float16 is computed in float32, as LAPACK has no narrower numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gradwire.blocks.bands import MatrixBandPart
from gradwire.blocks.diagonals import MatrixDiagPart, MatrixSetDiag, matrix_sizes
from gradwire.blocks.linear_algebra import MatMul
from gradwire.blocks.products import MatrixTranspose
from gradwire.blocks.support.spelled_for import spelled_for
from gradwire.engine.base.errors import ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import Array, TensorSpec, broadcast_shapes
from gradwire.engine.blocktypes.block_type import block
from gradwire.engine.blocktypes.spelling import Spelling, documented


def square(name: str, x: TensorSpec) -> int:
    """Returns the number of rows.

    Raises: ShapeError if it is no square matrix.
    """
    rows, columns = matrix_sizes(name, x)
    if rows != columns:
        raise ShapeError(f"{name} must be square, but has {rows} rows and {columns} columns")
    return rows


def wide(x: Array) -> Array:
    """Returns the same numbers in a dtype that LAPACK has."""
    return x.astype(np.float32) if x.dtype == np.float16 else x


def are_wide(*specs: TensorSpec) -> bool:
    """Returns whether other frameworks, which have no float16 here, take these inputs."""
    return all(spec.dtype != np.float16 for spec in specs)


def decomposed(x: TensorSpec, **_: object) -> TensorSpec:
    """Infers the spec of what gives a matrix for each square one."""
    square("x", x)
    return x


def _with_adjoint(template: str, port: str, transposed: str) -> Callable[..., str]:
    """Returns the template, with one port transposed by another where the block transposes."""

    def write(*, adjoint: bool, specs: Sequence[TensorSpec] = (), **sources: str) -> str:
        if adjoint:
            sources[port] = transposed.format(sources[port])
        return template.format(**sources) if are_wide(*specs) else ""

    write.__doc__ = template
    return write


@block(
    "Linear algebra",
    infer=decomposed,
    formula=r"L L^{\top} = x,\quad y = L",
    gradient_formula=r"\bar x = \mathrm{sym}(L^{-\top}\, \Phi(L^{\top} \bar L)\, L^{-1})",
    source="tf.linalg.cholesky; gradient as in Murray, 2016: Differentiation of the Cholesky decomposition",
    spelling=Spelling(
        spelled_for("np.linalg.cholesky({x})", are_wide),
        spelled_for("tf.linalg.cholesky({x})", are_wide),
        spelled_for("torch.linalg.cholesky({x})", are_wide),
        # JAX takes both triangles, which alone makes its gradient symmetric.
        spelled_for(
            "jax.lax.linalg.cholesky({x} + jax.lax.stop_gradient(jnp.tril({x}) + jnp.tril({x}, -1).mT - {x}))", are_wide
        ),
    ),
    takes_symmetric=True,
)
def Cholesky(x: Array) -> Array:
    """The lower triangular factor of each symmetric positive definite matrix: times its own transpose it gives x.

    Only the lower triangle is read. The gradient is that of a symmetric change and is symmetric itself. A matrix that
    is not positive definite is an error (TensorFlow gives NaN); one with a NaN in its lower triangle gives NaN.
    float16, for which TensorFlow has no kernel here, is computed in float32.
    """
    triangle = np.tril(x)
    is_unknown = np.isnan(triangle).any(axis=(-2, -1), keepdims=True)
    known = np.where(is_unknown, np.eye(x.shape[-1], dtype=x.dtype), triangle)
    try:
        factor = np.linalg.cholesky(wide(known)).astype(x.dtype)
    except np.linalg.LinAlgError as error:
        raise ValueProblem("x must be positive definite, and is not") from error
    return np.where(is_unknown, np.tril(np.full_like(x, np.nan)), factor)


@Cholesky.gradient
def cholesky_gradient(g: Any, x: Any, y: Any) -> Any:
    product = MatMul(y, g, transpose_a=True)
    halved = MatrixSetDiag(product, MatrixDiagPart(product) * 0.5)
    middle = MatrixBandPart(halved, num_lower=-1, num_upper=0)
    # Two solutions instead of an inverse; the second one gives the transpose, which the sum makes good.
    left = TriangularSolve(y, middle, adjoint=True)
    both = TriangularSolve(y, MatrixTranspose(left), adjoint=True)
    return (both + MatrixTranspose(both)) * 0.5


def _solved(a: TensorSpec, b: TensorSpec, **_: object) -> TensorSpec:
    rows, (found, columns) = square("a", a), matrix_sizes("b", b)
    if found != rows:
        raise ShapeError(f"a has {rows} rows but b has {found}")
    return TensorSpec((*broadcast_shapes((a.shape[:-2], b.shape[:-2])), rows, columns), a.dtype)


def _solved_one_by_one(a: TensorSpec, b: TensorSpec, **_: object) -> TensorSpec:
    solved = _solved(a, b)
    if a.shape[:-2] != b.shape[:-2]:
        raise ShapeError(f"a {list(a.shape)} and b {list(b.shape)} must have the same leading axes")
    return solved


def _triangular_in(module: str) -> Callable[..., str]:
    # SciPy refuses what is not finite unless told otherwise.
    unchecked = ", check_finite=False" if module == "scipy" else ""

    @documented(f"{module}.linalg.solve_triangular({{a}}, {{b}}, trans={{adjoint}}, lower={{lower}}{unchecked})")
    def write(a: str, b: str, lower: bool, adjoint: bool, specs: Sequence[TensorSpec] = ()) -> str:
        are_single = are_wide(*specs) and all(spec.ndim == 2 for spec in specs)
        how = f"trans={int(adjoint)}, lower={lower}{unchecked}"
        return f"{module}.linalg.solve_triangular({a}, {b}, {how})" if are_single else ""

    return write


def _triangular_in_torch(a: str, b: str, lower: bool, adjoint: bool, specs: Sequence[TensorSpec] = ()) -> str:
    """torch.linalg.solve_triangular({a}, {b}, upper=not {lower})"""
    matrix = f"torch.swapaxes({a}, -1, -2)" if adjoint else a
    return f"torch.linalg.solve_triangular({matrix}, {b}, upper={lower == adjoint})" if are_wide(*specs) else ""


@block(
    "Linear algebra",
    infer=_solved,
    formula=r"y = A^{-1} b",
    gradient_formula=r"\bar b = A^{-\top} \bar y,\quad \bar A = -\bar b\, y^{\top} \text{ in the triangle}",
    source="tf.linalg.triangular_solve",
    spelling=Spelling(
        _triangular_in("scipy"),
        spelled_for("tf.linalg.triangular_solve({a}, {b}, lower={lower}, adjoint={adjoint})", are_wide),
        _triangular_in_torch,
        _triangular_in("jax.scipy"),
    ).noted("a zero on the diagonal is an error", "numpy"),
)
def TriangularSolve(a: Array, b: Array, *, lower: bool = True, adjoint: bool = False) -> Array:
    """The solution y of a y = b for triangular matrices a; with `adjoint` a is transposed first.

    Only the lower triangle is read, or the upper one without `lower`, and only it receives a gradient. A zero on the
    diagonal gives infinities or NaN. Leading axes are batches and broadcast. float16, for which TensorFlow has no
    kernel here, is computed in float32.
    """
    matrix, right = (np.swapaxes(wide(a), -1, -2) if adjoint else wide(a)), wide(b)
    is_forward = lower != adjoint
    count = a.shape[-1]
    y = np.zeros((*np.broadcast_shapes(a.shape[:-2], b.shape[:-2]), *b.shape[-2:]), right.dtype)
    for row in range(count) if is_forward else reversed(range(count)):
        known = slice(0, row) if is_forward else slice(row + 1, count)
        found = np.matmul(matrix[..., row : row + 1, known], y[..., known, :])[..., 0, :]
        y[..., row, :] = (right[..., row, :] - found) / matrix[..., row, row, None]
    return y.astype(b.dtype)


def _gradient_of_matrix(of_b: Any, y: Any, adjoint: bool) -> Any:
    left, right = (y, of_b) if adjoint else (of_b, y)
    return MatMul(-left, right, transpose_b=True)


@TriangularSolve.gradient
def triangular_solve_gradient(g: Any, a: Any, b: Any, y: Any, *, lower: bool, adjoint: bool) -> Any:
    of_b = TriangularSolve(a, g, lower=lower, adjoint=not adjoint)
    of_a = _gradient_of_matrix(of_b, y, adjoint)
    return MatrixBandPart(of_a, num_lower=-1 if lower else 0, num_upper=0 if lower else -1), of_b


@block(
    "Linear algebra",
    infer=_solved_one_by_one,
    formula=r"y = A^{-1} b",
    gradient_formula=r"\bar b = A^{-\top} \bar y,\quad \bar A = -\bar b\, y^{\top}",
    source="tf.linalg.solve",
    spelling=Spelling(
        _with_adjoint("np.linalg.solve({a}, {b})", "a", "np.swapaxes({}, -1, -2)"),
        spelled_for("tf.linalg.solve({a}, {b}, adjoint={adjoint})", are_wide),
        _with_adjoint("torch.linalg.solve({a}, {b})", "a", "torch.swapaxes({}, -1, -2)"),
        _with_adjoint("jnp.linalg.solve({a}, {b})", "a", "jnp.swapaxes({}, -1, -2)"),
    ),
)
def MatrixSolve(a: Array, b: Array, *, adjoint: bool = False) -> Array:
    """The solution y of a y = b for square matrices a; with `adjoint` a is transposed first.

    A singular matrix is an error. NaN does not make it one but spreads through the solution; TensorFlow refuses some
    matrices with NaN. Leading axes are batches and must be the same for both. float16, for which TensorFlow has no
    kernel here, is computed in float32.
    """
    matrix = np.swapaxes(a, -1, -2) if adjoint else a
    try:
        return np.linalg.solve(wide(matrix), wide(b)).astype(b.dtype)
    except np.linalg.LinAlgError as error:
        raise ValueProblem("a is singular, so there is not exactly one solution") from error


@MatrixSolve.gradient
def matrix_solve_gradient(g: Any, a: Any, b: Any, y: Any, *, adjoint: bool) -> Any:
    of_b = MatrixSolve(a, g, adjoint=not adjoint)
    return _gradient_of_matrix(of_b, y, adjoint), of_b


@block(
    "Linear algebra",
    infer=decomposed,
    formula=r"y = x^{-1}",
    gradient_formula=r"\bar x = -y^{\top} \bar y\, y^{\top}",
    source="tf.linalg.inv",
    spelling=Spelling(
        _with_adjoint("np.linalg.inv({x})", "x", "np.swapaxes({}, -1, -2)"),
        "tf.linalg.inv({x}, adjoint={adjoint})",
        _with_adjoint("torch.linalg.inv({x})", "x", "torch.swapaxes({}, -1, -2)"),
        _with_adjoint("jnp.linalg.inv({x})", "x", "jnp.swapaxes({}, -1, -2)"),
    ),
)
def MatrixInverse(x: Array, *, adjoint: bool = False) -> Array:
    """The inverse of each square matrix, or with `adjoint` the transpose of the inverse; a singular one is an error.

    NaN does not make a matrix singular but spreads through the inverse; TensorFlow refuses some matrices with NaN.
    Numbers so small that their inverse overflows give infinity, where TensorFlow calls the matrix singular.
    """
    try:
        inverse: Array = np.linalg.inv(wide(x)).astype(x.dtype)
    except np.linalg.LinAlgError as error:
        raise ValueProblem("x is singular, so it has no inverse") from error
    return np.swapaxes(inverse, -1, -2) if adjoint else inverse


@MatrixInverse.gradient
def matrix_inverse_gradient(g: Any, x: Any, y: Any, *, adjoint: bool) -> Any:
    if adjoint:
        return MatMul(-y, MatMul(g, y, transpose_a=True))
    return gradient_of_inverse(g, y)


def gradient_of_inverse(g: Any, y: Any) -> Any:
    """Returns the gradient of a matrix whose inverse is `y`."""
    return MatMul(-y, MatMul(g, y, transpose_b=True), transpose_a=True)
