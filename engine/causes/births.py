"""Births of NaN and infinity, and the origin of a broken tensor: what the results say about them."""

from __future__ import annotations

from dataclasses import dataclass

from gradwire.engine.causes.nonfinite_reasons import Index


@dataclass(frozen=True)
class Birth:
    """Event that makes a number non-finite: the block `at`, which a sentence calls `title`, makes `number`.

    Forward, `port` is an output of the block and `index` an element of it. With `is_gradient`, `port` is the input
    whose gradient breaks, or "" for the sum over the wires of an output. `is_passed_on` marks gradients that break
    because of an earlier broken value. `reason` is a clause, empty for a block that holds such a number (`is_held`).
    `is_row` says that the whole row of the element, along the last axis, breaks. With `mended_by` added to its input,
    which is 0 there, the block and its derivative are finite.
    """

    at: str
    title: str
    port: str
    index: Index
    number: str
    reason: str
    is_gradient: bool = False
    is_passed_on: bool = False
    is_held: bool = False
    is_row: bool = False
    mended_by: float | None = None

    @property
    def sentence(self) -> str:
        """Sentence about the event, its place and its reason."""
        title, number, reason, where = self.title, self.number, self.reason, _written(self.index)
        if self.is_gradient and not self.port:
            message = f"The gradients of {title} sum to {number}: {reason}."
        elif self.is_gradient and self.index:
            message = f"{title} makes the gradient of {self.port} {number} at element {where}: {reason}."
        elif self.is_gradient:
            message = f"{title} makes the gradient of {self.port} {number}: {reason}."
        elif not reason:
            message = f"{title} holds {number} at element {where}." if self.index else f"{title} holds {number}."
        elif self.is_row and len(self.index) > 1:
            message = f"{title} makes {number} in row {_written(self.index[:-1])}: {reason}."
        elif self.index and not self.is_row:
            message = f"{title} makes {number} at element {where}: {reason}."
        else:
            message = f"{title} makes {number}: {reason}."
        return message

    def then(self, before: str) -> str:
        """Returns a sentence about a NaN that another event leads to, behind the sentence about that one."""
        if not self.index or (self.is_row and len(self.index) == 1):
            return f"{before} {self.title} then makes NaN: {self.reason}."
        if self.is_row:
            return f"{before} {self.title} then makes NaN in row {_written(self.index[:-1])}: {self.reason}."
        return f"{before} {self.title} then makes NaN at element {_written(self.index)}: {self.reason}."


@dataclass(frozen=True)
class Origin:
    """Origins of a tensor's NaN and infinity, in its value, its gradient, or both.

    `forward` makes a value infinite or NaN from finite numbers, or holds it; `backward` does so with a gradient. `nan`
    makes the first NaN out of operands that are none. `is_meant` says that only infinities are there that are meant.
    """

    forward: Birth | None
    backward: Birth | None
    nan: Birth | None = None
    is_meant: bool = False

    @property
    def first(self) -> Birth | None:
        """Birth to look at first: a broken value causes broken gradients, and an infinity in a source may be meant."""
        if self.forward is not None and self.forward.is_held:
            return self.nan or self.forward
        return self.forward or self.backward or self.nan

    @property
    def sentence(self) -> str:
        """Sentences about the first birth, and about the NaN that comes of an infinity that was made."""
        first, nan = self.first, self.nan
        if first is None:
            return ""
        if nan is None or nan.is_gradient or first.is_gradient or nan.at == first.at:
            return first.sentence
        return nan.then(first.sentence)

    @property
    def sentences(self) -> list[str]:
        """Sentences about the value and about the gradient."""
        back = self.backward
        is_new = back is not None and back != self.first
        return [*filter(None, [self.sentence]), *([back.sentence] if back is not None and is_new else [])]


def _written(index: Index) -> str:
    return str(index[0] if len(index) == 1 else list(index))
