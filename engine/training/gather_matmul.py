"""Products of matrices whose second factor has short rows, by a loop of ours that reads the first where it stands.

A convolution is a product with a row for each window. Windows share elements, so that this matrix is many times as
large as the image: it is not made. Other products gain too, as nothing is packed. Sums are added up in another order
than by BLAS.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

import numpy as np

from engine.call_list import CallList, is_settled, moments_of_writes, read_by
from engine.loops import Call, Strided
from engine.tensor_spec import Array

# The rows of the second factor are taken in registers of so many bytes; if they are long, BLAS is as fast.
REGISTER, LONGEST = 64, 512
# For fewer rows of the first factor BLAS has ways of its own.
FEWEST = 8
# What the loops are called; not every processor has them.
PRODUCTS = frozenset(f"product_{name}" for name in ("float32", "float64"))


def gather_products(calls: CallList, loops: Set[str], kept: Set[int]) -> None:
    """Takes a loop of ours for products, and leaves out the copies that only brought together a factor.

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
        made = _gathered(work, copies.get(work.operands[0].buffer), calls, loops)
        if made is not None:
            calls.works[moment] = made
            replaced.add(work.operands[0].buffer)
    spare = {id(copies[buffer]) for buffer in replaced.difference(kept, *map(read_by, calls.works))}
    calls.works = [work for work in calls.works if id(work) not in spare]


def _gathered(product: Call, copy: Call | None, calls: CallList, loops: Set[str]) -> Call | None:
    """A product by our loop, with the copy's source for its first factor; None if it is not for our loop."""
    if isinstance(product.loop, str) or product.loop[0] is not np.matmul:
        return None
    x, y, out = product.operands
    loop, width, batch = f"product_{out.dtype.name}", out.dtype.itemsize, product.sizes[product.rank]
    row = out.shape[-1] * width
    is_dense = y.strides[-1] == out.strides[-1] == width and row % REGISTER == 0 and row <= LONGEST
    if loop not in loops or product.rank or batch != 1 or not is_dense or x.shape[-2] < FEWEST:
        return None
    source, table = x, None if copy is None else _table(x, copy)
    if copy is not None and table is not None:
        source = copy.operands[0]
    else:
        table = np.concatenate(_starts(x))
    sizes = (*x.shape[-2:], out.shape[-1], y.strides[-2], out.strides[-2])
    return Call(loop, (calls.keep(table), source, y, out), 0, 3, sizes)


def _starts(x: Strided) -> tuple[Array, Array]:
    """How far each row, and each column, of a matrix lies from its first element. Units: bytes."""
    (rows, columns), (rise, step) = x.shape[-2:], x.strides[-2:]
    return np.arange(rows) * rise, np.arange(columns) * step


def _table(x: Strided, copy: Call) -> Array | None:
    """How far each row and then each column of x lies from the first element of what was copied there.

    None if an element is not as far as its row and its column together. Units: bytes.
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
