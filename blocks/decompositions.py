"""Decompositions of matrices and what follows from them: inverses, determinants and solutions of equations.

Leading axes are batches. float16 is computed in float32, as LAPACK has no narrower numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from blocks.bands import MatrixBandPart
from blocks.diagonals import MatrixDiagPart, MatrixSetDiag, matrix_sizes
from blocks.linear_algebra import MatMul
from blocks.products import MatrixTranspose
from blocks.reduce import ReduceSum
from blocks.shape import Reshape
from engine.block_type import Declaration, block
from engine.errors import ShapeError, ValueProblem
from engine.spelling import Spelling, documented
from engine.tensor_spec import Array, TensorSpec, broadcast_shapes


def _square(name: str, x: TensorSpec) -> int:
    """The number of rows.

    Raises: ShapeError if it is no square matrix.
    """
    rows, columns = matrix_sizes(name, x)
    if rows != columns:
        raise ShapeError(f"{name} must be square, but has {rows} rows and {columns} columns")
    return rows


def _same_square(x: TensorSpec, **_: object) -> TensorSpec:
    _square("x", x)
    return x


def _wide(x: Array) -> Array:
    return x.astype(np.float32) if x.dtype == np.float16 else x


def _signed_logarithm(x: Array) -> tuple[Array, Array]:
    """The sign of each determinant, and the logarithm of its magnitude; NaN if the matrix holds a NaN."""
    sign, logarithm = np.linalg.slogdet(_wide(x))
    # LAPACK stops at a pivot of zero and would not see a NaN behind it.
    is_known = ~np.isnan(x).any(axis=(-2, -1))
    return np.where(is_known, sign, np.nan).astype(x.dtype), np.where(is_known, logarithm, np.nan).astype(x.dtype)


def _inverse(x: Array) -> tuple[Array, Array]:
    """The inverse of each matrix, NaN if it is singular; and whether it is."""
    is_singular = (_signed_logarithm(x)[0] == 0)[..., None, None]
    safe = np.where(is_singular, np.eye(x.shape[-1], dtype=x.dtype), x)
    return np.where(is_singular, np.nan, np.linalg.inv(_wide(safe))).astype(x.dtype), is_singular


def _only_wide(template: str) -> Callable[..., str]:
    """A template for the dtypes that LAPACK has."""

    @documented(template)
    def write(**sources: Any) -> str:  # Any: texts of ports, parameters and specs
        specs = sources.pop("specs")
        return "" if any(spec.dtype == np.float16 for spec in specs) else template.format(**sources)

    return write
