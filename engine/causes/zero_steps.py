"""Why results of one step of a gradient are zero: what feeds them is zero, or the step makes the zero itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from engine.cause import Cause
from engine.linear_steps import LinearStep
from engine.tensor_spec import Array
from engine.zero_codes import counts


class ZeroStep:
    """A step with the codes of the zeros that arrive, None where nothing that arrives is zero.

    `code` gives the code of a cause that has its place here; `local` and `unfed` name a derivative of zero, and a zero
    that nothing has a way to.
    """

    def __init__(
        self,
        step: LinearStep,
        carried: Mapping[int, Array | None],
        code: Callable[[Cause], int],
        local: Callable[[], Cause],
        unfed: Cause,
    ) -> None:
        self._step, self._code, self._local, self._unfed = step, code, local, unfed
        self._carried = {slot: codes for slot, codes in carried.items() if codes is not None}
        self._alive = {slot: np.asarray(True) if codes is None else codes == 0 for slot, codes in carried.items()}

    def codes(self, index: int, zeros: Array) -> Array:
        """The codes of those elements of one output that are marked as zeros."""
        if self._step.only_scales:
            return self._scaled(zeros)
        found = np.zeros(zeros.shape, np.int64)
        if any(mark.any() for mark in self._alive.values()):
            fed = zeros & self._step.feeds(self._alive)[index]
            self._make(found, fed, index)
            zeros = zeros & ~fed
        self._inherit(found, zeros, index)
        return found

    def _scaled(self, zeros: Array) -> Array:
        """Each element by itself: its zero arrives, or is that of its factor, or the product is too small."""
        arriving = next(iter(self._carried.values()), np.int64(0))
        found = np.where(zeros, arriving, 0)
        made = zeros & (found == 0)
        if made.any():
            local = made & self._step.vanishing()
            found[made] = self._code(Cause.UNDERFLOW)
            if local.any():
                found[local] = self._code(self._local())
        return found

    def _make(self, found: Array, fed: Array, index: int) -> None:
        """Zeros made of what is not zero: a derivative is zero, or else terms add up to zero."""
        if not fed.any():
            return
        passing = self._step.passes(self._alive)[index] if self._step.has_zero_factor() else fed
        local = fed & ~passing
        if local.any():
            found[local] = self._code(self._local())
        self._add_up(found, fed & passing, index)

    def _add_up(self, found: Array, summed: Array, index: int) -> None:
        """Terms that are not zero: they cancel, or each is too small for the dtype."""
        if summed.any():
            has_terms = self._step.terms()[index] != 0
            found[summed & has_terms] = self._code(Cause.CANCELLED)
            found[summed & ~has_terms] = self._code(Cause.UNDERFLOW)

    def _inherit(self, found: Array, rest: Array, index: int) -> None:
        """Zeros that only zeros feed, put down to the first of their roots; the remaining are fed by nothing."""
        for code in sorted({code for codes in self._carried.values() for code in counts(codes)}):
            if not rest.any():
                return
            marks = {slot: codes == code for slot, codes in self._carried.items()}
            hit = rest & self._step.feeds(marks)[index]
            found[hit] = code
            rest = rest & ~hit
        if rest.any():
            found[rest] = self._code(self._unfed)
