"""Samplers for matrices, their diagonals and their decompositions; importing it registers them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from tests.blocks.samplers.samples import Maker, Sample, sampler

ALIGNS = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")


def some_diagonals(maker: Maker, rows: int, columns: int) -> int | tuple[int, int]:
    """Returns one diagonal that the matrix has, or the two ends of several."""
    possible = sorted({0, *range(1 - rows, columns)})
    low, high = sorted(maker.choose(*possible) for _ in range(2))
    return maker.choose(low, (low, high))


def table_of(rows: int, columns: int, k: int | tuple[int, int]) -> tuple[int, ...]:
    """Returns the shape that holds the diagonals."""
    low, high = (k, k) if isinstance(k, int) else k
    longest = min(rows + min(high, 0), columns - max(low, 0))
    return (longest,) if low == high else (high - low + 1, longest)


def padding(maker: Maker) -> float:
    """Returns the number that fills up; booleans and unsigned numbers take none but 0 and 1."""
    return float(maker.choose(0, 1) if maker.dtype.kind in "ub" else maker.choose(0, -2))


@sampler("MatrixDiagPart")
def matrix_diag_part(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=2)
    how = {"k": some_diagonals(maker, *shape[-2:]), "padding_value": padding(maker), "align": maker.choose(*ALIGNS)}
    return maker.sample(maker.values(shape), **how)


@sampler("MatrixDiag")
def matrix_diag(maker: Maker) -> Sample:
    lead, (rows, columns) = maker.shape(max_rank=2), (maker.size(), maker.size())
    k = some_diagonals(maker, rows, columns)
    sizes = {"num_rows": rows, "num_cols": columns}
    how: dict[str, Any] = dict(maker.choose({}, sizes) if isinstance(k, int) else sizes)
    how |= {"padding_value": padding(maker), "align": maker.choose(*ALIGNS)}
    return maker.sample(maker.values((*lead, *table_of(rows, columns, k))), k=k, **how)


@sampler("MatrixSetDiag")
def matrix_set_diag(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=2)
    k = some_diagonals(maker, *shape[-2:])
    diagonal = maker.values((*shape[:-2], *table_of(*shape[-2:], k)))
    return maker.sample(maker.values(shape), diagonal, k=k, align=maker.choose(*ALIGNS))


@sampler("MatrixBandPart")
def matrix_band_part(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=2)
    return maker.sample(maker.values(shape), num_lower=maker.size(-2, shape[-2]), num_upper=maker.size(-2, shape[-1]))


@sampler("Trace", "MatrixTranspose")
def of_matrices(maker: Maker) -> Sample:
    return maker.sample(maker.values(maker.shape(min_rank=2)))


@sampler("TensorDiag")
def tensor_diag(maker: Maker) -> Sample:
    return maker.sample(maker.values(maker.shape(min_rank=1, max_rank=2)))


@sampler("TensorDiagPart")
def tensor_diag_part(maker: Maker) -> Sample:
    return maker.sample(maker.values(maker.shape(min_rank=1, max_rank=2) * 2))


@sampler("Eye")
def eye(maker: Maker) -> Sample:
    batch = maker.choose(None, maker.shape(max_rank=2))
    columns = maker.choose(None, maker.size(0))
    return maker.sample(num_rows=maker.size(0), num_columns=columns, batch_shape=batch, dtype=maker.dtype.name)


@sampler("MatVec")
def mat_vec(maker: Maker) -> Sample:
    lead, rows, columns = maker.shape(max_rank=2), maker.size(), maker.size()
    transpose_a = maker.choose(False, True)
    own = maker.part_of(lead)
    a = maker.values((*lead, columns, rows) if transpose_a else (*lead, rows, columns))
    return maker.sample(a, maker.values((*own, columns)), transpose_a=transpose_a)


@sampler("Tensordot")
def tensordot(maker: Maker) -> Sample:
    left, summed, right = (maker.shape(max_rank=2) for _ in range(3))
    if maker.choose(True, False):
        return maker.sample(maker.values((*left, *summed)), maker.values((*summed, *right)), axes=len(summed))
    order = [int(axis) for axis in maker.rng.permutation(len(left) + len(summed))]
    a = maker.values((*left, *summed)).transpose(order)
    of_a = tuple(order.index(len(left) + index) for index in range(len(summed)))
    of_b = tuple(index - len(summed) for index in range(len(summed)))
    return maker.sample(a, maker.values((*right, *summed)), axes=(of_a, of_b))


def regular(maker: Maker, shape: tuple[int, ...]) -> Array:
    """Returns square matrices whose diagonals outweigh the rest; the positive ones are positive definite."""
    matrices = maker.values((*shape, shape[-1]))
    return matrices + (np.eye(shape[-1]) * 6 * np.where(matrices < 0, -1, 1)).astype(maker.dtype)


@sampler("MatrixInverse")
def matrix_inverse(maker: Maker) -> Sample:
    return maker.sample(regular(maker, maker.shape(min_rank=1, max_rank=3)), adjoint=maker.choose(False, True))


@sampler("InverseOrNaN", "Cofactors", "MatrixDeterminant", "Slogdet")
def of_regular_matrices(maker: Maker) -> Sample:
    return maker.sample(regular(maker, maker.shape(min_rank=1, max_rank=3)))


@sampler("Cholesky")
def cholesky(maker: Maker) -> Sample:
    matrices = regular(maker, maker.shape(min_rank=1, max_rank=3))
    size = matrices.shape[-1]
    positive = np.where(np.eye(size, dtype=bool), np.abs(matrices), matrices)
    return maker.sample((positive + positive.swapaxes(-1, -2)) / 2)


@sampler("MatrixSolve")
def matrix_solve(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1, max_rank=3)
    b = maker.values((*shape, maker.size()))
    return maker.sample(regular(maker, shape), b, adjoint=maker.choose(False, True))


@sampler("TriangularSolve")
def triangular_solve(maker: Maker) -> Sample:
    shape = maker.shape(min_rank=1, max_rank=3)
    b = maker.values((*maker.part_of(shape[:-1]), shape[-1], maker.size()))
    how = {"lower": maker.choose(True, False), "adjoint": maker.choose(False, True)}
    return maker.sample(regular(maker, shape), b, **how)


def with_apart(maker: Maker, shape: tuple[int, ...]) -> Array:
    """Returns matrices whose singular values are apart: the vectors of near ones turn fast."""
    rows, columns = shape[-2:]
    least = min(rows, columns)
    left, right = (
        np.linalg.qr(maker.values((*shape[:-2], size, size)).astype(np.float64))[0] for size in (rows, columns)
    )
    values = np.arange(1, least + 1) + 0.2 * maker.rng.random(least)
    return ((left[..., :least] * values) @ np.swapaxes(right[..., :least], -1, -2)).astype(maker.dtype)


@sampler("Svd", "Qr")
def into_factors(maker: Maker) -> Sample:
    rows, columns = maker.choose((2, 2), (3, 2), (2, 3), (1, 3), (3, 3), (4, 2))
    return maker.sample(with_apart(maker, (*maker.shape(max_rank=1), rows, columns)))


@sampler("SelfAdjointEig")
def symmetric(maker: Maker) -> Sample:
    size = maker.size(1, 3)
    values = with_apart(maker, (*maker.shape(max_rank=1), size, size))
    left = np.linalg.qr(values.astype(np.float64))[0]
    ascending = 1.3 * np.arange(size) - 0.7
    return maker.sample(((left * ascending) @ np.swapaxes(left, -1, -2)).astype(maker.dtype))
