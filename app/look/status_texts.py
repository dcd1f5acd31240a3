"""The words of statuses and causes in the user's language."""

from __future__ import annotations

from collections.abc import Sequence

from gradwire.app.base.translation import tr
from gradwire.app.look.numbers import zero_text
from gradwire.app.look.statuses import CAUSE_LOOKS, LOOKS
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause


def status_label(status: Status, norm: float | None = None) -> str:
    """Returns the words in place of a gradient's number; "" where the number of a flowing gradient stands.

    `norm` says of a zero whether it is exact.
    """
    if status is Status.ZERO and norm is not None:
        return zero_text(norm)
    return tr(LOOKS[status].label)


def status_word(status: Status) -> str:
    """Returns a status in a word or two, for lists and legends."""
    return tr(LOOKS[status].word)


def status_spoken(status: Status, by: Sequence[str]) -> str:
    """Returns a status as a clause for screen readers and tables, with the names of the blocks that cut."""
    return tr(LOOKS[status].spoken, by=", ".join(by))


def status_sentence(status: Status) -> str:
    """Returns a status as a sentence; "" for a gradient that flows."""
    return tr(LOOKS[status].sentence, by="StopGradient")


def cause_word(cause: Cause) -> str:
    """Returns a cause in a word or two, for a label."""
    return tr(cause.word)


def cause_clause(cause: Cause, block: str) -> str:
    """Returns a cause and the block where it arises, as a clause."""
    return tr(cause.clause, block=block)


def cause_because(cause: Cause, block: str, dtype: str) -> str:
    """Returns a cause and the block where it arises, as a clause that says more of the block's derivative."""
    return tr(CAUSE_LOOKS[cause].because, block=block, dtype=dtype) or cause_clause(cause, block)
