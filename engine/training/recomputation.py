"""Results made again where they are read, for large tensors take longer to be written and read back than to be made."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field, replace

import numpy as np

from engine.call_list import CallList, Work, read_by, written_by
from engine.loops import Call, Strided
from engine.regions import Region, Walk
from engine.tensor_spec import TensorSpec

# What takes less time than its result takes through memory.
_CHEAP = {np.add, np.subtract, np.multiply, np.divide, np.negative, np.square, np.maximum, np.minimum}
_CHEAP |= {np.greater, np.greater_equal, np.less, np.less_equal, np.equal, np.not_equal}


def with_repeats(works: Iterable[Work | Region], calls: CallList, lasting: Set[int]) -> list[Work | Region]:
    """Work with the same results, in which regions make again what is cheap, instead of reading what others made.

    They make it out of what they read anyway, and of at most one tensor of those in `lasting`, whose room is never
    given away.
    """
    found = list(works)
    for moment in range(len(found) - 1, -1, -1):
        region = found[moment]
        if isinstance(region, Region):
            _Maker(found, moment, region, calls, lasting).repeat_all()
    return [work for work in found if not isinstance(work, Region) or work.calls]


@dataclass
class _Uses:
    """At which moments a buffer is read; and is written, which may be several times at a moment."""

    read: set[int] = field(default_factory=set)
    written: list[int] = field(default_factory=list)


class _Maker:
    """The region at one moment of all work, whose results others may make for themselves."""

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
        """Leaves results to those who read them, the last ones first: they may be what others are made of."""
        for call, walk in reversed(list(zip(self._region.calls, self._region.walks, strict=True))):
            readers = self._uses[call.operands[-1].buffer].read - {self._moment}
            if readers and self._is_fixed(call) and all(self._fits(self._works[at], call, walk) for at in readers):
                for at in readers:
                    self._repeat(at, call, walk)
                self._drop_unread(call)

    def _is_fixed(self, call: Call) -> bool:
        """Whether a call is cheap, and would give the same at any later moment."""
        *operands, target = (item.buffer for item in call.operands)
        is_cheap = not isinstance(call.loop, str) and call.loop[0] in _CHEAP and target not in self._region.sums
        is_single = self._uses[target].written == [self._moment] and target not in self._lasting
        return is_cheap and is_single and all(map(self._is_final, operands))

    def _is_final(self, buffer: int) -> bool:
        """Whether a buffer that is read here stays as it is; what stands there from the start may be updated later."""
        writes = self._uses[buffer].written
        is_made_here = writes == [self._moment] and buffer not in self._calls.contents
        return is_made_here or all(at < self._moment for at in writes)

    def _fits(self, reader: Work | Region, call: Call, walk: Walk) -> bool:
        """Whether a region goes through a result just as it is made here, and has at hand what it is made of."""
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
        """Leaves a call out of its own region, if nothing there reads its result."""
        region = self._works[self._moment]
        assert isinstance(region, Region)
        if all(call.operands[-1].buffer not in read_by(other) for other in region.calls):
            kept = [(other, walk) for other, walk in zip(region.calls, region.walks, strict=True) if other is not call]
            calls, walks = zip(*kept, strict=True) if kept else ((), ())
            self._works[self._moment] = replace(region, calls=calls, walks=walks)


def _reads(region: Region) -> Iterator[tuple[Strided, int, int]]:
    """What a region reads: where, in how many steps, and how far each goes."""
    for call, walk in zip(region.calls, region.walks, strict=True):
        for item, step in zip(call.operands[:-1], walk.steps, strict=False):
            yield item, walk.length, step
