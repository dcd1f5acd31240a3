"""Zeros of one gradient step: they come from incoming zeros, or the step makes them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.causes.linear_steps import LinearStep
from gradwire.engine.causes.zero_codes import Code, counts, marked


class ZeroStep:
    """Step with the codes of its incoming zeros, None for inputs without zeros.

    `code` returns the code of a cause in this step, `by_precedence` orders codes; `local` and `unfed` name a derivative
    of zero, and a zero that no input has a path to.
    """

    def __init__(
        self,
        step: LinearStep,
        carried: Mapping[int, Array | None],
        code: Callable[[Cause], Code],
        by_precedence: Callable[[Iterable[int]], list[int]],
        local: Callable[[], Cause],
        unfed: Cause,
    ) -> None:
        self._step, self._code, self._by_precedence = step, code, by_precedence
        self._local, self._unfed = local, unfed
        self._carried = {slot: codes for slot, codes in carried.items() if codes is not None}
        self._alive = {slot: np.asarray(True) if codes is None else codes == 0 for slot, codes in carried.items()}

    def codes(self, index: int, zeros: Array) -> Array:
        """Returns the codes of one output's elements that are marked as zeros."""
        if self._step.only_scales:
            return self._scaled(zeros)
        found = np.zeros(zeros.shape, np.uint8)
        if any(mark.any() for mark in self._alive.values()):
            fed = zeros & self._step.feeds(self._alive)[index]
            found = self._made(found, fed, index)
            zeros = zeros & ~fed
        return self._inherited(found, zeros, index)

    def _scaled(self, zeros: Array) -> Array:
        """Returns codes element by element: the incoming zero, a zero factor, or an underflow of the product."""
        arriving = next(iter(self._carried.values()), np.uint8(0))
        found = np.asarray(zeros * arriving)
        made = zeros & (found == 0)
        if made.any():
            local = made & self._step.vanishing()
            found = marked(found, made, self._code(Cause.UNDERFLOW))
            if local.any():
                found = marked(found, local, self._code(self._local()))
        return found

    def _made(self, found: Array, fed: Array, index: int) -> Array:
        """Adds codes of zeros made from nonzero inputs: a derivative is zero, or else terms add up to zero."""
        if not fed.any():
            return found
        passing = self._step.passes(self._alive)[index] if self._step.has_zero_factor() else fed
        local = fed & ~passing
        if local.any():
            found = marked(found, local, self._code(self._local()))
        return self._added_up(found, fed & passing, index)

    def _added_up(self, found: Array, summed: Array, index: int) -> Array:
        """Adds codes of nonzero terms that add up to zero: they cancel, or each underflows."""
        if not summed.any():
            return found
        has_terms = self._step.terms()[index] != 0
        found = marked(found, summed & has_terms, self._code(Cause.CANCELLED))
        return marked(found, summed & ~has_terms, self._code(Cause.UNDERFLOW))

    def _inherited(self, found: Array, rest: Array, index: int) -> Array:
        """Attributes zeros that only zeros feed to the first of their roots; nothing feeds the remaining ones."""
        for code in self._by_precedence({code for codes in self._carried.values() for code in counts(codes)}):
            if not rest.any():
                return found
            marks = {slot: codes == code for slot, codes in self._carried.items()}
            hit = rest & self._step.feeds(marks)[index]
            found = marked(found, hit, np.min_scalar_type(code).type(code))
            rest = rest & ~hit
        return marked(found, rest, self._code(self._unfed)) if rest.any() else found
