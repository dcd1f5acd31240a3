"""Explanations of zero gradients: the root with its numbers, and the path there block by block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gradwire.app.base.translation import grouped, tr
from gradwire.app.live.explanation.explanation import Zeros
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.explanation.sentences import zeros_sentence
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.numbers import fmt
from gradwire.app.look.status_texts import cause_because, cause_clause, cause_hint, cause_word
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.explain.why_zero import Kind, Reason
from gradwire.engine.explain.zero_amounts import Factor

_CAUSES: dict[str, Cause] = {str(cause): cause for cause in Cause}


@dataclass(frozen=True)
class Step:
    """One block on the path to a root, and its action."""

    path: str
    text: str


def zero_sentences(facts: Facts, zeros: Zeros, gradient: Reading) -> str:
    """Returns which elements are zero and why, and the consequences."""
    reason = cause_clause(zeros.cause, facts.title(zeros.at))
    if zeros.chain:
        reason = _root(facts, zeros.chain[-1], zeros.cause, gradient)
    which = zeros_sentence(zeros, gradient.norm, reason)
    return " ".join(filter(None, [which, _besides(zeros), _ended(facts, zeros), _hint(zeros.cause, gradient.dtype)]))


def steps_of(facts: Facts, place: PortName | Link, zeros: Zeros) -> tuple[Step, ...]:
    """Returns the blocks from a place to the root, each once; the block of a port is left out."""
    here = place.path if isinstance(place, PortName) else ""
    found: dict[str, str] = {}
    for reason in zeros.chain[:-1]:
        at = reason.at[0]
        if at != here and (at not in found or reason.kind is Kind.ALL_WIRES):
            found[at] = _passes_on(facts.title(at), reason.kind)
    if zeros.chain:
        found.pop(zeros.at, None)
        found[zeros.at] = cause_clause(zeros.cause, facts.title(zeros.at))
        for reason in zeros.chain[-1].upstream:
            found.setdefault(reason.at[0], _step_of(facts, reason))
    return tuple(Step(path, text) for path, text in found.items())


def _step_of(facts: Facts, reason: Reason) -> str:
    title = facts.title(reason.at[0])
    return cause_clause(_CAUSES[reason.kind], title) if reason.kind.is_root else _passes_on(title, reason.kind)


def _ended(facts: Facts, zeros: Zeros) -> str:
    """Returns where the gradient ended, if the block that is reason enough receives none itself."""
    if zeros.upstream is None:
        return ""
    cause, at = zeros.upstream
    reason = cause_clause(cause, facts.title(at))
    return tr("{block} itself receives nothing: {reason}.", block=facts.title(zeros.at), reason=reason)


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


def _besides(zeros: Zeros) -> str:
    others = [f"{grouped(count)} {cause_word(cause)}" for cause, count in zeros.others.items()]
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
