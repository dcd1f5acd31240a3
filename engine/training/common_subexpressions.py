"""Calls that compute what is there already: the same twice, with another sign, or times one; or what nobody reads."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import replace
from typing import Any

import numpy as np

from engine.call_list import CallList, PythonCall, Work, is_settled, moments_of_writes, read_by, written_by
from engine.loops import Call, Strided, by_element, loop_of
from engine.tensor_spec import Array

_COMMUTING = {np.add, np.multiply, np.maximum, np.minimum}


def drop_duplicates(calls: CallList, may_change: Set[int]) -> None:
    """Leaves out calls whose results are there already, to the last bit; what reads them reads those instead.

    A product or quotient that is there with the other sign is negated instead; then a NaN may have another sign.
    `may_change` are buffers in which other numbers may stand in the next run.
    """
    fixed = {buffer: array for buffer, array in calls.contents.items() if buffer not in may_change}
    writes = moments_of_writes(calls)
    same: dict[int, int] = {}
    known: dict[Any, int] = {}  # by loop and operands
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


def drop_unread(calls: CallList, wanted: Set[int]) -> None:
    """Leaves out calls whose results nobody reads; those in the buffers in `wanted` are read at the end."""
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
    """What two calls have in common that give the same."""
    operands = call.operands[:-1]
    if not isinstance(call.loop, str) and call.loop[0] in _COMMUTING:
        operands = tuple(sorted(operands, key=lambda item: (item.buffer, item.offset, item.strides)))
    return call.loop, operands, call.operands[-1].shape


def _is_a(call: Call, *ufuncs: np.ufunc) -> bool:
    return not isinstance(call.loop, str) and call.loop[0] in ufuncs


def _with_sign_outside(call: Call, negatives: Mapping[int, int], known: Mapping[Any, int]) -> Call:
    """The negative of the same product or quotient without the sign of a factor, if that is known."""
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
    """The buffer of the other factor, if one factor of a product is one; None if there is none, or it is not alike."""
    if not _is_a(call, np.multiply):
        return None
    x, y, target = call.operands
    for factor, other in ((x, y), (y, x)):
        array = fixed.get(factor.buffer)
        if array is not None and array.size == 1 and array.flat[0] == 1 and other[1:] == target[1:]:
            return other.buffer
    return None
