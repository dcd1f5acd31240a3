"""Products of matrices that are only copied together: the elements of one factor are read where they stand.

A convolution is a product with a row for each window. Windows share elements, so that this matrix is many times as
large as the image; a loop of ours multiplies without making it, and adds up in another order than BLAS.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

import numpy as np

from engine.call_list import CallList, is_settled, moments_of_writes, read_by
from engine.loops import Call, Strided
from engine.tensor_spec import Array

# The rows of the second factor are taken in registers of so many bytes; if they are long, BLAS is as fast.
REGISTER, LONGEST = 64, 512
# What the loops are called; not every processor has them.
PRODUCTS = frozenset(f"product_{name}" for name in ("float32", "float64"))


def gather_products(calls: CallList, loops: Set[str], kept: Set[int]) -> None:
    """Takes a loop of ours for products with a factor that was copied together, and leaves out the copies.

    `loops` are those that there are, `kept` the buffers that are asked for.
    """
    writes = moments_of_writes(calls)
    copies: dict[int, Call] = {}
    replaced: set[int] = set()
    for moment, work in enumerate(calls.works):
        if not isinstance(work, Call):
            continue
        if str(work.loop).startswith("copy") and is_settled(work, moment, writes, calls.sizes):
            copies[work.operands[-1].buffer] = work
        copy = copies.get(work.operands[0].buffer)
        made = _gathered(work, copy, calls, loops) if copy is not None else None
        if made is not None:
            calls.works[moment] = made
            replaced.add(work.operands[0].buffer)
    spare = {id(copies[buffer]) for buffer in replaced.difference(kept, *map(read_by, calls.works))}
    calls.works = [work for work in calls.works if id(work) not in spare]


def _gathered(product: Call, copy: Call, calls: CallList, loops: Set[str]) -> Call | None:
    """A product with the copy's source for its first factor; None if our loop cannot do it, or it is no product."""
    if isinstance(product.loop, str) or product.loop[0] is not np.matmul:
        return None
    x, y, out = product.operands
    loop, width, batch = f"product_{out.dtype.name}", out.dtype.itemsize, product.sizes[product.rank]
    row = out.shape[-1] * width
    is_dense = y.strides[-1] == out.strides[-1] == width and row % REGISTER == 0 and row <= LONGEST
    if loop not in loops or product.rank or batch != 1 or not is_dense:
        return None
    table = _table(x, copy)
    if table is None:
        return None
    sizes = (*x.shape[-2:], out.shape[-1], y.strides[-2], out.strides[-2])
    return Call(loop, (calls.keep(table), copy.operands[0], y, out), 0, 3, sizes)


def _table(x: Strided, copy: Call) -> Array | None:
    """How far each row and then each column of x lies from the first element of what was copied there.

    None if an element is not as far as its row and its column together. Units: bytes.
    """
    source, target = copy.operands
    if source.shape != target.shape:
        return None
    (rise, step), counts = x.strides[-2:], x.shape[-2:]
    starts = x.offset + np.arange(counts[0]) * rise, np.arange(counts[1]) * step
    rows, columns = (np.unravel_index(start // x.dtype.itemsize, target.shape) for start in starts)
    if any(row.any() and column.any() for row, column in zip(rows, columns, strict=True)):
        return None
    return np.concatenate([_offsets(places, source.strides) for places in (rows, columns)])


def _offsets(places: Iterable[Array], strides: Sequence[int]) -> Array:
    return sum((place * step for place, step in zip(places, strides, strict=True)), start=np.zeros((), np.int64))
