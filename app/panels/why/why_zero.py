"""Explanations of zero gradients: the root with its numbers, and the path there block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gradwire.app.base.translation import grouped, tr, tr_count
from gradwire.app.live.readings.readings import PortReading, Reading, WireReading
from gradwire.app.look.numbers import fmt
from gradwire.app.look.status_texts import cause_because, cause_clause, cause_hint, cause_word
from gradwire.app.panels.why.run_facts import Chain, Facts
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.evaluation.snapshot import ZeroCause
from gradwire.engine.explain.why_zero import Kind, Reason
from gradwire.engine.explain.zero_amounts import Factor

_CAUSES: dict[str, Cause] = {str(cause): cause for cause in Cause}


@dataclass(frozen=True)
class Step:
    """One block on the path to a root, and its action."""

    path: str
    text: str


def fitting_chain(facts: Facts, place: PortName | Link, zero: ZeroCause) -> Chain:
    """Returns the chain of a place; () if it is unknown or belongs to a run with another cause."""
    chain = facts.chains.get(place, ())
    return chain if chain and (str(chain[-1].kind), chain[-1].at) == (str(zero.cause), (zero.at,)) else ()


def zero_sentences(facts: Facts, place: PortName | Link, reading: WireReading | PortReading) -> str:
    """Returns which elements are zero and why, and the consequences."""
    zero, gradient = reading.zero, reading.gradient
    if zero is None or gradient is None:
        return ""
    chain = fitting_chain(facts, place, zero)
    reason = cause_clause(zero.cause, facts.title(zero.at))
    if chain:
        reason = _root(facts, chain[-1], zero.cause, gradient)
    parts = [_which(reading, zero, gradient, reason), _besides(zero), _ended(facts, zero)]
    parts.append(_hint(zero.cause, gradient.dtype))
    return " ".join(filter(None, parts))


def steps_of(facts: Facts, place: PortName | Link, zero: ZeroCause) -> tuple[Step, ...]:
    """Returns the blocks from a place to the root, each once; the block of a port is left out."""
    chain = fitting_chain(facts, place, zero)
    here = place.path if isinstance(place, PortName) else ""
    found: dict[str, str] = {}
    for reason in chain[:-1]:
        at = reason.at[0]
        if at != here and (at not in found or reason.kind is Kind.ALL_WIRES):
            found[at] = _passes_on(facts.title(at), reason.kind)
    if chain:
        found.pop(zero.at, None)
        found[zero.at] = cause_clause(zero.cause, facts.title(zero.at))
        for reason in chain[-1].upstream:
            found.setdefault(reason.at[0], _step_of(facts, reason))
    return tuple(Step(path, text) for path, text in found.items())


def _step_of(facts: Facts, reason: Reason) -> str:
    title = facts.title(reason.at[0])
    return cause_clause(_CAUSES[reason.kind], title) if reason.kind.is_root else _passes_on(title, reason.kind)


def _ended(facts: Facts, zero: ZeroCause) -> str:
    """Returns where the gradient ended, if the block that is reason enough receives none itself."""
    if zero.upstream is None:
        return ""
    cause, at = zero.upstream
    reason = cause_clause(cause, facts.title(at))
    return tr("{block} itself receives nothing: {reason}.", block=facts.title(zero.at), reason=reason)


def cut_steps(facts: Facts, by: Sequence[str], status: Status) -> tuple[Step, ...]:
    """Returns the blocks that cut all paths to the loss."""
    titles = {path: facts.title(path) for path in by}
    if status is Status.BLOCKED:
        return tuple(Step(path, tr("{block} blocks it", block=title)) for path, title in titles.items())
    return tuple(Step(path, tr("{block} has no derivative", block=title)) for path, title in titles.items())


def _passes_on(block: str, kind: Kind) -> str:
    if kind is Kind.ALL_WIRES:
        return tr("{block} receives 0 from all its wires", block=block)
    return tr("{block} receives 0", block=block)


def _which(reading: WireReading | PortReading, zero: ZeroCause, gradient: Reading, reason: str) -> str:
    """Returns how many elements the reason applies to."""
    count, size = zero.details[zero.cause], grouped(gradient.size)
    is_whole, is_tiny = count == gradient.size, reading.status is Status.FLOW and zero.cause is Cause.SATURATED
    if is_tiny:
        if is_whole:
            return tr("The gradient almost vanishes, because {reason}.", reason=reason)
        return tr_count(
            "{count} of {size} elements receives almost no gradient: {reason}.",
            "{count} of {size} elements receive almost no gradient: {reason}.",
            count, size=size, reason=reason,
        )  # fmt: skip
    if not is_whole:
        return tr_count(
            "{count} of {size} elements is 0: {reason}.",
            "{count} of {size} elements are 0: {reason}.",
            count, size=size, reason=reason,
        )  # fmt: skip
    if gradient.norm == 0:
        return tr("0 because {reason}.", reason=reason)
    amount = fmt(gradient.norm)
    return tr("≈ 0 because {reason}. The number {amount} is rounding error.", reason=reason, amount=amount)


def _besides(zero: ZeroCause) -> str:
    others = [f"{grouped(count)} {cause_word(cause)}" for cause, count in zero.details.items() if cause != zero.cause]
    return tr("Also: {causes}.", causes=", ".join(others)) if others else ""


def _root(facts: Facts, root: Reason, cause: Cause, gradient: Reading) -> str:
    """Returns the root as a clause, with the numbers of its first element."""
    block = facts.title(root.at[0])
    if cause is Cause.CANCELLED:
        return _cancelled(root, block)
    if cause is Cause.ZERO_FACTOR:
        return _zero_factor(facts, root, block)
    return cause_because(cause, block, gradient.dtype) + _numbers(root)


def _numbers(root: Reason) -> str:
    """Returns the decisive numbers at the first element: ` (x = −3 at element 1)`."""
    known = ", ".join(f"{factor.port} = {fmt(factor.value)}" for factor in root.factors if factor.value is not None)
    if not known:
        return ""
    if not root.index:
        return f" ({known})"
    index = ", ".join(map(str, root.index))
    return tr(" ({numbers} at element {index})", numbers=known, index=index)


def _cancelled(root: Reason, block: str) -> str:
    if isinstance(root.place, PortName):
        clause = tr("the gradients of the wires of {block} cancel", block=block)
    else:
        clause = tr("the terms summed at {block} cancel", block=block)
    if root.sum is None:
        return clause
    sizes = tr("{absolute} in size, remainder {rest}", absolute=fmt(root.sum.absolute),
               rest=fmt(root.sum.rest))  # fmt: skip
    return f"{clause}: {sizes}"


def _zero_factor(facts: Facts, root: Reason, block: str) -> str:
    factor = zero_factor(root)
    if factor is None:
        return cause_clause(Cause.ZERO_FACTOR, block)
    source = source_of(facts, root)
    name = factor.port if source is None else facts.name(source.path)
    reading = None if source is None or facts.results is None else facts.results.port(source)
    if reading is not None and reading.value is not None and reading.value.norm == 0:
        if reading.value.size == 1:
            return tr("{block} multiplies by {name}, which is 0", block=block, name=name)
        return tr("{block} multiplies by {name}, which is 0 everywhere", block=block, name=name)
    if not root.index:
        return tr("{block} multiplies by {name}, which is 0 there", block=block, name=name)
    index = ", ".join(map(str, root.index))
    return tr("{block} multiplies by {name}, which is 0 at element {index}", block=block, name=name, index=index)


def zero_factor(root: Reason) -> Factor | None:
    """Returns the zero factor, else the first."""
    return next((item for item in root.factors if item.value == 0), next(iter(root.factors), None))


def source_of(facts: Facts, root: Reason) -> PortName | None:
    """Returns the port that the zero factor comes from; None if the block computes the factor itself."""
    factor, instance = zero_factor(root), facts.instances.get(root.at[0])
    return None if factor is None or instance is None else instance.inputs.get(factor.port)


def _hint(cause: Cause, dtype: str) -> str:
    """Returns advice for a cause, or that none is needed."""
    return "" if cause is Cause.UNDERFLOW and dtype == "float64" else cause_hint(cause)
