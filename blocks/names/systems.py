"""Systems of equations, decompositions and distances."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.names.entry import named
from gradwire.blocks.names.linear import matmul, vector_norm
from gradwire.blocks.names.operators import operate
from gradwire.blocks.names.promotion import Operand, Tensor, as_real, as_tensor, together
from gradwire.engine.base.errors import CallError
from gradwire.engine.blocktypes.library import library


def _apply(block: str, *inputs: Operand, **parameters: Any) -> Any:  # Any: a tensor of either kind
    return library[block](*inputs, **parameters)


@named(
    "solve",
    "np.linalg.solve|jnp.linalg.solve(a: x, b: y)",
    "torch.linalg.solve(A: x, B: y)",
    "tf.linalg.solve(matrix: x, rhs: y, adjoint=False)",
    block="MatrixSolve",
)
def solve(x: Operand, y: Operand, adjoint: bool = False) -> Tensor:
    """The solution of `x @ z = y`, of a vector or of the columns of a matrix."""
    a, b = together(as_real(x), as_real(y))
    if b.ndim == 1:
        return _apply("Squeeze", _apply("MatrixSolve", a, _apply("ExpandDims", b, axis=1), adjoint=adjoint), axis=1)
    return _apply("MatrixSolve", a, b, adjoint=adjoint)


def _of_matrix(name: str, block: str, summary: str, tensorflow: str) -> None:
    """Declares a function of one matrix."""

    def function(x: Operand) -> Tensor:
        return _apply(block, as_real(x))

    function.__doc__ = summary
    named(
        name,
        f"np.linalg.{name}|jnp.linalg.{name}(a: x)",
        f"torch.linalg.{name}|torch.{name}(input)",
        f"tf.linalg.{tensorflow}(input)",
        block=block,
        is_method=name != "inv",
    )(function)


_of_matrix("inv", "MatrixInverse", "The inverse of a matrix.", "inv")
_of_matrix("det", "MatrixDeterminant", "The determinant of a matrix.", "det")
_of_matrix(
    "cholesky", "Cholesky", "The lower triangular factor of a matrix that is symmetric and positive.", "cholesky"
)
named("inverse", "torch.inverse(input)", block="MatrixInverse", is_method=True)(
    lambda x: _apply("MatrixInverse", as_real(x))
)


@named(
    "matvec",
    "tf.linalg.matvec(a: x, b: y, transpose_a=False)",
    block="MatVec",
)
def matvec(x: Operand, y: Operand, transpose_a: bool = False) -> Tensor:
    """The product of a matrix, transposed if asked, and a vector."""
    return _apply("MatVec", *together(as_tensor(x), as_tensor(y)), transpose_a=transpose_a)


@named("inner", "np.inner|jnp.inner(a: x, b: y)", "torch.inner(input, other)")
@named("vdot", "np.vdot|jnp.vdot(a: x, b: y)", "torch.vdot(input, other)")
def inner(x: Operand, y: Operand) -> Tensor:
    """The sum of the products of two vectors.

    Raises: CallError for tensors of more axes, which NumPy pairs in its own way.
    """
    a, b = together(as_tensor(x), as_tensor(y))
    if a.ndim != 1 or b.ndim != 1:
        raise CallError("inner takes two vectors here; use matmul or tensordot")
    return matmul(a, b)


@named("cdist", "torch.cdist(x1: x, x2: y, p=2.0)")
def cdist(x: Operand, y: Operand, p: float = 2.0) -> Tensor:
    """The distances of all rows of `x` from all rows of `y`."""
    a, b = together(as_real(x), as_real(y))
    if a.ndim < 2 or b.ndim < 2:
        raise CallError("cdist takes two matrices of rows")
    apart = _apply("Subtract", _apply("ExpandDims", a, axis=-2), _apply("ExpandDims", b, axis=-3))
    return vector_norm(apart, p, -1)


@named("dist", "torch.dist(input, other, p=2)", is_method=True)
def dist(x: Operand, y: Operand, p: float = 2) -> Tensor:
    """The length of the difference of two tensors."""
    return vector_norm(operate("subtract", as_real(x), as_real(y)), p)


@named("pairwise_distance", "torch.nn.functional.pairwise_distance(x1: x, x2: y, p=2.0, eps=1e-6, keepdim=False)")
def pairwise_distance(x: Operand, y: Operand, p: float = 2.0, eps: float = 1e-6, keepdims: bool = False) -> Tensor:
    """The distance of each row of `x` from the same row of `y`; `eps` is added to each difference, as in PyTorch."""
    apart = operate("subtract", as_real(x), as_real(y))
    return vector_norm(_apply("Add", apart, np.asarray(eps, apart.dtype)), p, -1, keepdims)
