"""Recomputation inside readers: cheap results of large tensors take less time than their way through memory.

Source: Briggs, Cooper and Torczon, Rematerialization (1992). Cost: O(n + r) for n calls and r repetitions; all counts
of reads and writes are kept up to date.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

import numpy as np

from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.executors.ufunc_loops import Call, Strided
from gradwire.engine.step_compiler.call_list import CallList, Work, read_by, written_by
from gradwire.engine.step_compiler.fusion import Region, Walk

# Functions that take less time than their results take through memory.
_CHEAP = {np.add, np.subtract, np.multiply, np.divide, np.negative, np.square, np.maximum, np.minimum}
_CHEAP |= {np.greater, np.greater_equal, np.less, np.less_equal, np.equal, np.not_equal}
# Read of a region: the place, the number of steps, and the step.
_Read = tuple[Strided, int, int]


def with_repeats(works: Iterable[Work | Region], calls: CallList, lasting: Set[int]) -> list[Work | Region]:
    """Returns equivalent work in which regions recompute cheap results instead of reading them.

    They compute them from tensors that they read anyway, and from at most one tensor in `lasting`, whose memory is
    never reused.
    """
    drafts = [_Draft(work) if isinstance(work, Region) else work for work in works]
    repeater = _Repeater(drafts, calls, lasting)
    for moment, draft in reversed(list(enumerate(drafts))):
        if isinstance(draft, _Draft):
            repeater.repeat_all(moment, draft)
    found = [work.done() if isinstance(work, _Draft) else work for work in drafts]
    return [work for work in found if not isinstance(work, Region) or work.calls]


class _Draft:
    """Region whose calls may be removed, and which may repeat calls of earlier regions before all of its own."""

    def __init__(self, region: Region) -> None:
        self.region = region
        self._calls = dict(enumerate(zip(region.calls, region.walks, strict=True)))
        # Places from which results are read that are computed here, too.
        self._own: dict[int, Strided] = {}

    @functools.cached_property
    def reads(self) -> dict[int, dict[_Read, int]]:
        """Different reads of each buffer, with their numbers."""
        found: dict[int, dict[_Read, int]] = {}
        for call, walk in self._calls.values():
            _count(call, walk, found)
        return found

    def calls(self) -> list[tuple[int, Call, Walk]]:
        """Returns the calls and their walks in order, each behind its number."""
        return [(number, *self._calls[number]) for number in sorted(self._calls)]

    def repeat(self, call: Call, walk: Walk, own: Strided) -> None:
        """Puts a call of another region before all others, which then read its result in the place `own`."""
        target, reads = call.operands[-1].buffer, self.reads
        self._own[target] = own
        reads[own.buffer] = {(own, length, step): count for (_, length, step), count in reads.pop(target).items()}
        again = replace(call, operands=(*call.operands[:-1], own))
        self._calls[-len(self._own)] = again, walk
        _count(again, walk, reads)

    def drop(self, number: int) -> list[int]:
        """Removes a call; returns the buffers that nothing reads any more."""
        call, walk = self._calls.pop(number)
        for read in _reads(call, walk):
            found = self.reads[read[0].buffer]
            found[read] -= 1
            if not found[read]:
                del found[read]
        unread = [buffer for buffer in dict.fromkeys(read_by(call)) if not self.reads[buffer]]
        for buffer in unread:
            del self.reads[buffer]
        return unread

    def done(self) -> Region:
        """Returns the region as it is now."""
        calls = tuple(self._with_own(call) for _, call, _ in self.calls())
        return replace(self.region, calls=calls, walks=tuple(walk for *_, walk in self.calls()))

    def _with_own(self, call: Call) -> Call:
        if self._own.keys().isdisjoint(read_by(call)):
            return call
        return replace(call, operands=tuple(self._own.get(item.buffer, item) for item in call.operands))


@dataclass
class _Uses:
    """Moments at which a buffer is read, and those at which it is written, in order and with repetitions."""

    read: set[int] = field(default_factory=set)
    written: list[int] = field(default_factory=list)


class _Repeater:
    """All work in order, in which readers may compute results of earlier regions again."""

    def __init__(self, works: Sequence[Work | _Draft], calls: CallList, lasting: Set[int]) -> None:
        self._works, self._calls, self._lasting = works, calls, lasting
        self._uses: defaultdict[int, _Uses] = defaultdict(_Uses)
        for at, work in enumerate(works):
            for part in work.region.calls if isinstance(work, _Draft) else (work,):
                for buffer in read_by(part):
                    self._uses[buffer].read.add(at)
                for buffer in written_by(part):
                    self._uses[buffer].written.append(at)

    def repeat_all(self, moment: int, draft: _Draft) -> None:
        """Moves results of a region to their readers, the last ones first, since they may be inputs of others."""
        for number, call, walk in reversed(draft.calls()):
            target = call.operands[-1].buffer
            readers = sorted(self._uses[target].read - {moment})
            is_wanted = readers and self._is_fixed(call, moment, draft.region)
            if is_wanted and all(self._fits(self._works[at], call, walk, draft.region.rows) for at in readers):
                for at in readers:
                    self._repeat(at, call, walk)
                if target not in draft.reads:
                    self._drop(number, call, moment, draft)

    def _is_fixed(self, call: Call, moment: int, region: Region) -> bool:
        """Returns whether a call is cheap and would give the same result at any later moment."""
        *operands, target = (item.buffer for item in call.operands)
        is_cheap = _is_cheap(call) and target not in region.sums
        is_single = self._uses[target].written == [moment] and target not in self._lasting
        return is_cheap and is_single and all(self._is_final(buffer, moment) for buffer in operands)

    def _is_final(self, buffer: int, moment: int) -> bool:
        """Returns whether a buffer read at a moment stays constant; initial contents may be updated later."""
        writes = self._uses[buffer].written
        is_made_here = writes == [moment] and buffer not in self._calls.contents
        return is_made_here or not writes or writes[-1] < moment

    def _fits(self, reader: Work | _Draft, call: Call, walk: Walk, rows: int) -> bool:
        """Returns whether a region traverses a result in the same way and has its inputs at hand."""
        if not isinstance(reader, _Draft) or reader.region.rows != rows:
            return False
        target = call.operands[-1]
        stepped = {item.buffer for item, _, step in _reads(call, walk) if step}
        more = {buffer for buffer in stepped if buffer not in reader.reads}
        is_same = reader.reads[target.buffer].keys() == {(target, walk.length, walk.steps[-1])}
        return is_same and len(more) < 2 and more <= self._lasting

    def _repeat(self, moment: int, call: Call, walk: Walk) -> None:
        """Lets a later region compute a result instead of reading it."""
        reader, target = self._works[moment], call.operands[-1]
        assert isinstance(reader, _Draft)
        own = self._calls.new(TensorSpec(target.shape, target.dtype)).buffer
        reader.repeat(call, walk, target._replace(buffer=own))
        self._uses[own] = _Uses({moment}, [moment])
        self._uses[target.buffer].read.discard(moment)
        for buffer in read_by(call):
            self._uses[buffer].read.add(moment)

    def _drop(self, number: int, call: Call, moment: int, draft: _Draft) -> None:
        """Removes a call from its own region."""
        self._uses[call.operands[-1].buffer].written.clear()
        for buffer in draft.drop(number):
            self._uses[buffer].read.discard(moment)


def _is_cheap(call: Call) -> bool:
    return call.loop[0] in _CHEAP


def _reads(call: Call, walk: Walk) -> Iterator[_Read]:
    """Yields the reads of a call in its region."""
    for item, step in zip(call.operands[:-1], walk.steps, strict=False):
        yield item, walk.length, step


def _count(call: Call, walk: Walk, found: dict[int, dict[_Read, int]]) -> None:
    for read in _reads(call, walk):
        same = found.setdefault(read[0].buffer, {})
        same[read] = same.get(read, 0) + 1
