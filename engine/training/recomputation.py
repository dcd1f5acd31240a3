"""Recomputation inside readers: cheap results of large tensors take less time than their way through memory.

Source: Briggs, Cooper and Torczon, Rematerialization (1992). Cost: O(n) for each region among n calls.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field, replace

import numpy as np

from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.executors.ufunc_loops import Call, Strided
from gradwire.engine.training.call_list import CallList, Work, read_by, written_by
from gradwire.engine.training.fusion import Region, Walk

# Functions that take less time than their results take through memory.
_CHEAP = {np.add, np.subtract, np.multiply, np.divide, np.negative, np.square, np.maximum, np.minimum}
_CHEAP |= {np.greater, np.greater_equal, np.less, np.less_equal, np.equal, np.not_equal}


def with_repeats(works: Iterable[Work | Region], calls: CallList, lasting: Set[int]) -> list[Work | Region]:
    """Returns equivalent work in which regions recompute cheap results instead of reading them.

    They compute them from tensors that they read anyway, and from at most one tensor in `lasting`, whose memory is
    never reused.
    """
    found = list(works)
    for moment in range(len(found) - 1, -1, -1):
        region = found[moment]
        if isinstance(region, Region) and any(map(_is_cheap, region.calls)):
            _Maker(found, moment, region, calls, lasting).repeat_all()
    return [work for work in found if not isinstance(work, Region) or work.calls]


@dataclass
class _Uses:
    """Moments at which a buffer is read, and at which it is written, with repetitions."""

    read: set[int] = field(default_factory=set)
    written: list[int] = field(default_factory=list)


class _Maker:
    """Region at one moment of all work, whose results its readers may recompute."""

    def __init__(
        self, works: list[Work | Region], moment: int, region: Region, calls: CallList, lasting: Set[int]
    ) -> None:
        self._works, self._moment, self._region, self._calls, self._lasting = works, moment, region, calls, lasting
        self._uses: defaultdict[int, _Uses] = defaultdict(_Uses)
        for at, work in enumerate(works):
            for part in work.calls if isinstance(work, Region) else (work,):
                for buffer in read_by(part):
                    self._uses[buffer].read.add(at)
                for buffer in written_by(part):
                    self._uses[buffer].written.append(at)

    def repeat_all(self) -> None:
        """Moves results to their readers, the last ones first, since they may be inputs of others."""
        for call, walk in reversed(list(zip(self._region.calls, self._region.walks, strict=True))):
            readers = self._uses[call.operands[-1].buffer].read - {self._moment}
            if readers and self._is_fixed(call) and all(self._fits(self._works[at], call, walk) for at in readers):
                for at in readers:
                    self._repeat(at, call, walk)
                self._drop_unread(call)

    def _is_fixed(self, call: Call) -> bool:
        """Returns whether a call is cheap and would give the same result at any later moment."""
        *operands, target = (item.buffer for item in call.operands)
        is_cheap = _is_cheap(call) and target not in self._region.sums
        is_single = self._uses[target].written == [self._moment] and target not in self._lasting
        return is_cheap and is_single and all(map(self._is_final, operands))

    def _is_final(self, buffer: int) -> bool:
        """Returns whether a buffer that the region reads stays constant; initial contents may be updated later."""
        writes = self._uses[buffer].written
        is_made_here = writes == [self._moment] and buffer not in self._calls.contents
        return is_made_here or all(at < self._moment for at in writes)

    def _fits(self, reader: Work | Region, call: Call, walk: Walk) -> bool:
        """Returns whether a region traverses a result in the same way and has its inputs at hand."""
        if not isinstance(reader, Region) or reader.rows != self._region.rows:
            return False
        target = call.operands[-1]
        reads = list(_reads(reader))
        known = {item.buffer for item, *_ in reads}
        more = {item.buffer for item, step in zip(call.operands[:-1], walk.steps, strict=False) if step} - known
        is_same = all(
            read == (target, walk.length, walk.steps[-1]) for read in reads if read[0].buffer == target.buffer
        )
        return is_same and len(more) < 2 and more <= self._lasting

    def _repeat(self, moment: int, call: Call, walk: Walk) -> None:
        """Puts a call before all others of a later region, which then reads its result."""
        reader, target = self._works[moment], call.operands[-1]
        assert isinstance(reader, Region)
        own = target._replace(buffer=self._calls.new(TensorSpec(target.shape, target.dtype)).buffer)

        def read(later: Call) -> Call:
            return replace(
                later, operands=tuple(own if item.buffer == target.buffer else item for item in later.operands)
            )

        again = replace(call, operands=(*call.operands[:-1], own))
        for item in again.operands[:-1]:
            self._uses[item.buffer].read.add(moment)
        renamed = (again, *map(read, reader.calls))
        self._works[moment] = replace(reader, calls=renamed, walks=(walk, *reader.walks))

    def _drop_unread(self, call: Call) -> None:
        """Removes a call from its own region, if nothing there reads its result."""
        region = self._works[self._moment]
        assert isinstance(region, Region)
        if all(call.operands[-1].buffer not in read_by(other) for other in region.calls):
            kept = [(other, walk) for other, walk in zip(region.calls, region.walks, strict=True) if other is not call]
            calls, walks = zip(*kept, strict=True) if kept else ((), ())
            self._works[self._moment] = replace(region, calls=calls, walks=walks)


def _is_cheap(call: Call) -> bool:
    return not isinstance(call.loop, str) and call.loop[0] in _CHEAP


def _reads(region: Region) -> Iterator[tuple[Strided, int, int]]:
    """Yields the reads of a region: the place, the number of steps, and the step."""
    for call, walk in zip(region.calls, region.walks, strict=True):
        for item, step in zip(call.operands[:-1], walk.steps, strict=False):
            yield item, walk.length, step
