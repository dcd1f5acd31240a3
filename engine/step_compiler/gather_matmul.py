"""Matrix products whose second factor has short rows, by a native loop that reads the first factor in place.

A convolution is a product with a row for each window (im2col). Windows share elements, so this matrix would be many
times as large as the image; the loop avoids building it. Other products gain too, as nothing is packed. The loop adds
in another order than BLAS.

Source: im2col without its matrix, as in Chetlur et al., cuDNN: Efficient Primitives for Deep Learning (2014). Cost:
O(m k n) for a product of m × k by k × n, and no more memory than its result.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.executors.ufunc_loops import Call, Strided
from gradwire.engine.step_compiler.call_list import CallList, is_settled, moments_of_writes, read_by

# The loop holds rows of the second factor in registers of this size; for long rows BLAS is as fast. Units: bytes.
REGISTER, LONGEST = 64, 512
# For fewer rows of the first factor BLAS has special cases of its own.
FEWEST = 8
# Smaller products end before another thread is awake. Units: multiplications.
DIVISIBLE = 1 << 22
# Rows of a piece come in groups of so many, a multiple of the rows of each form's tile.
TILE = 24
# The forms of the loops by the registers that they use, the fastest first; not every processor has them.
FORMS = ("avx512f", "avx2")
PRODUCTS = frozenset(f"product_{form}_{name}" for form in FORMS for name in ("float32", "float64"))

W = TypeVar("W")


def gather_products(calls: CallList, loops: Set[str], kept: Set[int]) -> None:
    """Replaces products by native loops and drops copies that only gathered a factor.

    `loops` are the available ones, `kept` the buffers that the caller reads.
    """
    writes = moments_of_writes(calls)
    copies: dict[int, Call] = {}
    replaced: set[int] = set()
    for moment, work in enumerate(calls.works):
        if not isinstance(work, Call):
            continue
        if str(work.loop).startswith("copy") and is_settled(work, moment, writes, calls.sizes):
            copies[work.operands[-1].buffer] = work
        made = _gathered(work, copies.get(work.operands[0].buffer), calls, loops)
        if made is not None:
            calls.works[moment] = made
            replaced.add(work.operands[0].buffer)
    spare = {id(copies[buffer]) for buffer in replaced.difference(kept, *map(read_by, calls.works))}
    calls.works = [work for work in calls.works if id(work) not in spare]


@dataclass(frozen=True)
class Split:
    """A product in pieces of some rows each, which threads compute in any order with the same bits."""

    calls: tuple[Call, ...]


def split(work: W, calls: CallList, threads: int) -> W | Split:
    """Returns a large native product in pieces, two for each thread, and all other work as it is."""
    if not isinstance(work, Call) or work.loop not in PRODUCTS or math.prod(work.sizes[:3]) < DIVISIBLE:
        return work
    height, *rest = work.sizes
    table, x, y, out = work.operands
    offsets, most = calls.contents[table.buffer], -(-height // (2 * threads))
    # Whole tiles of the loop, whatever its form.
    most = -(-most // TILE) * TILE
    pieces = []
    for first in range(0, height, most):
        rows = min(most, height - first)
        starts = calls.keep(np.concatenate([offsets[first : first + rows], offsets[height:]]))
        target = out._replace(offset=out.offset + first * rest[-1], shape=(rows, out.shape[-1]))
        pieces.append(Call(work.loop, (starts, x, y, target), 0, 3, (rows, *rest)))
    return Split(tuple(pieces))


def _gathered(product: Call, copy: Call | None, calls: CallList, loops: Set[str]) -> Call | None:
    """Returns the product as a native loop that reads the copy's source; None if the loop does not support it."""
    if isinstance(product.loop, str) or product.loop[0] is not np.matmul:
        return None
    x, y, out = product.operands
    width, batch = out.dtype.itemsize, product.sizes[product.rank]
    loop = next((name for form in FORMS if (name := f"product_{form}_{out.dtype.name}") in loops), None)
    row = out.shape[-1] * width
    is_dense = y.strides[-1] == out.strides[-1] == width and row % REGISTER == 0 and row <= LONGEST
    if loop is None or product.rank or batch != 1 or not is_dense or x.shape[-2] < FEWEST:
        return None
    source, table = x, None if copy is None else _table(x, copy)
    if copy is not None and table is not None:
        source = copy.operands[0]
    else:
        table = np.concatenate(_starts(x))
    sizes = (*x.shape[-2:], out.shape[-1], y.strides[-2], out.strides[-2])
    return Call(loop, (calls.keep(table), source, y, out), 0, 3, sizes)


def _starts(x: Strided) -> tuple[Array, Array]:
    """Returns the offset of each row and of each column of a matrix from its first element. Units: bytes."""
    (rows, columns), (rise, step) = x.shape[-2:], x.strides[-2:]
    return np.arange(rows) * rise, np.arange(columns) * step


def _table(x: Strided, copy: Call) -> Array | None:
    """Returns the offsets of each row and each column of x in the source of a copy.

    None if some element's offset is not the sum of its row's and its column's. Units: bytes.
    """
    source, target = copy.operands
    if source.shape != target.shape:
        return None
    down, right = _starts(x)
    rows, columns = (np.unravel_index(start // x.dtype.itemsize, target.shape) for start in (x.offset + down, right))
    if any(row.any() and column.any() for row, column in zip(rows, columns, strict=True)):
        return None
    return np.concatenate([_offsets(places, source.strides) for places in (rows, columns)])


def _offsets(places: Iterable[Array], strides: Sequence[int]) -> Array:
    return sum((place * step for place, step in zip(places, strides, strict=True)), start=np.zeros((), np.int64))
