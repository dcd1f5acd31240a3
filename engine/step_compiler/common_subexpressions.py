"""Elimination of common subexpressions and dead code in a list of calls.

Also reuses results with the opposite sign and skips products with one.

Source: local value numbering (Cocke and Schwartz, Programming Languages and Their Compilers, 1970), and liveness for
dead code. Cost: O(calls).
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.executors.ufunc_loops import Call, Strided, by_element, loop_of
from gradwire.engine.step_compiler.call_list import (
    CallList,
    PythonCall,
    Work,
    is_settled,
    moments_of_writes,
    read_by,
    written_by,
)

_COMMUTING = {np.add, np.multiply, np.maximum, np.minimum}


def drop_duplicates(calls: CallList, may_change: Set[int]) -> None:
    """Removes calls whose results exist already, bit for bit, and redirects their readers (common subexpressions).

    If the negative of a product or quotient exists, the call becomes a negation; a NaN may then have another sign.
    `may_change` names the buffers whose contents may differ in the next run. Cost: one pass with a hash of each call.
    """
    fixed = {buffer: array for buffer, array in calls.contents.items() if buffer not in may_change}
    writes = moments_of_writes(calls)
    same: dict[int, int] = {}
    known: dict[Any, int] = {}  # Keys: loop and operands.
    negatives: dict[int, int] = {}
    kept: list[Work] = []
    for moment, work in enumerate(calls.works):
        work = _renamed(work, same)
        if isinstance(work, Call) and is_settled(work, moment, writes, calls.sizes):
            target = work.operands[-1].buffer
            work = _with_sign_outside(work, negatives, known)
            found = _factor_beside_one(work, fixed)
            found = known.setdefault(_key(work), target) if found is None else found
            if found != target:
                same[target] = found
                continue
            if _is_a(work, np.negative) and work.operands[0][1:] == work.operands[1][1:]:
                negatives[target] = work.operands[0].buffer
        kept.append(work)
    calls.works = kept
    calls.places = [place._replace(buffer=same.get(place.buffer, place.buffer)) for place in calls.places]


def eliminate_dead_code(calls: CallList, wanted: Set[int]) -> None:
    """Removes calls whose results nobody reads (dead code); the caller reads the buffers in `wanted` at the end."""
    read, kept = set(wanted), list[Work]()
    for work in reversed(calls.works):
        if isinstance(work, PythonCall) or not read.isdisjoint(written_by(work)):
            kept.append(work)
            read.update(read_by(work))
    calls.works = kept[::-1]


def _renamed(work: Work, names: Mapping[int, int]) -> Work:
    def known(item: Strided) -> Strided:
        return item._replace(buffer=names.get(item.buffer, item.buffer))

    if names.keys().isdisjoint(read_by(work)):
        return work
    if isinstance(work, Call):
        return replace(work, operands=tuple(map(known, work.operands)))
    return replace(work, inputs=tuple(None if item is None else known(item) for item in work.inputs))


def _key(call: Call) -> Any:
    """Returns a key that is equal for calls with equal results."""
    operands = call.operands[:-1]
    if call.loop[0] in _COMMUTING:
        operands = tuple(sorted(operands, key=lambda item: (item.buffer, item.offset, item.strides)))
    return call.loop, operands, call.operands[-1].shape


def _is_a(call: Call, *ufuncs: np.ufunc) -> bool:
    return call.loop[0] in ufuncs


def _with_sign_outside(call: Call, negatives: Mapping[int, int], known: Mapping[Any, int]) -> Call:
    """Returns the negation of a known product or quotient if only the sign of a factor differs, else the call."""
    *operands, target = call.operands
    for place, item in enumerate(operands if _is_a(call, np.multiply, np.divide) else ()):
        if item.buffer in negatives:
            plain = [*operands, target]
            plain[place] = item._replace(buffer=negatives[item.buffer])
            found = known.get(_key(replace(call, operands=tuple(plain))))
            loop = loop_of(np.negative, (target.dtype,) * 2)
            if found is not None and loop is not None:
                return by_element(loop, [target._replace(buffer=found), target], target.shape) or call
    return call


def _factor_beside_one(call: Call, fixed: Mapping[int, Array]) -> int | None:
    """Returns the buffer of the other factor if one factor is one and the layouts agree, else None."""
    if not _is_a(call, np.multiply):
        return None
    x, y, target = call.operands
    for factor, other in ((x, y), (y, x)):
        array = fixed.get(factor.buffer)
        if array is not None and array.size == 1 and array.flat[0] == 1 and other[1:] == target[1:]:
            return other.buffer
    return None
