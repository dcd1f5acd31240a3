"""Explanations of zero gradients: the root with its numbers, and the path there block by block."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gradwire.app.base.translation import grouped, tr, tr_count
from gradwire.app.live.explanation.explanation import Explanation, Zeros
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.numbers import equals, fmt
from gradwire.app.look.status_texts import cause_because, cause_clause, cause_word
from gradwire.app.look.statuses import LOOKS
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.explain.claims.claims import Claim
from gradwire.engine.explain.why_zero import Kind, Reason

# Blocks that share 1 among classes.
_OVER_CLASSES = ("Softmax", "LogSoftmax", "SoftmaxCrossEntropyWithLogits")
_CAUSES: dict[str, Cause] = {str(cause): cause for cause in Cause}


@dataclass(frozen=True)
class Step:
    """One block on the path to a root, and its action."""

    path: str
    text: str


def zero_sentences(facts: Facts, found: Explanation) -> str:
    """Returns which elements are zero and why, and the consequences; "" if none are."""
    zeros, gradient = found.zeros, found.gradient
    if zeros is None or gradient is None:
        return ""
    reason = cause_clause(zeros.cause, facts.title(zeros.at))
    if zeros.chain:
        reason = _root(facts, zeros.chain[-1], zeros.cause, gradient)
    which = _which(zeros, gradient.norm, reason)
    return " ".join(filter(None, [which, _besides(zeros), _ended(facts, zeros), *_claims(facts, zeros)]))


def _which(zeros: Zeros, norm: float, reason: str) -> str:
    """Returns which elements are zero for a reason, a clause."""
    if zeros.is_tiny and zeros.is_whole:
        return tr("The gradient is almost 0, because {reason}.", reason=reason)
    if zeros.is_tiny:
        return tr_count(
            "{count} of {size} elements receives almost no gradient: {reason}.",
            "{count} of {size} elements receive almost no gradient: {reason}.",
            zeros.count, size=grouped(zeros.size), reason=reason,
        )  # fmt: skip
    if not zeros.is_whole:
        return tr_count(
            "{count} of {size} elements is 0: {reason}.",
            "{count} of {size} elements are 0: {reason}.",
            zeros.count, size=grouped(zeros.size), reason=reason,
        )  # fmt: skip
    if norm == 0:
        return tr("0 because {reason}.", reason=reason)
    return tr("≈ 0 because {reason}. The number {amount} is rounding error.", reason=reason, amount=fmt(norm))


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
    return tuple(Step(path, tr(LOOKS[status].step, block=facts.title(path))) for path in by)


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
    if Claim.ONLY_INPUT in root.claims:
        return tr("{block} has only one input there, so its result never changes", block=block)
    if Claim.ONLY_FINITE_INPUT in root.claims:
        return tr("{block} has only one finite input there, so its result never changes", block=block)
    is_untold = cause is Cause.SATURATED and Claim.NEARER_TO_ZERO not in root.claims
    clause = cause_clause(cause, block) if is_untold else cause_because(cause, block, gradient.dtype)
    return clause + _numbers(root)


def _numbers(root: Reason) -> str:
    """Returns the decisive numbers at the first element: ` (x = −3 at element 1)`."""
    known = ", ".join(f"{factor.port} {equals(factor.value)}" for factor in root.factors if factor.value is not None)
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
    """Returns the zero by which a block multiplies; its numbers alone where no single port is to blame."""
    zero, source = root.zero, source_of(facts, root)
    if zero is None:
        return tr("the rule of {block} gives 0", block=block) + _numbers(root)
    name = zero.port if source is None else facts.name(source.path)
    if zero.is_all and zero.index is not None:
        return tr("{block} multiplies by {name}, which is 0", block=block, name=name)
    if zero.is_all:
        return tr("{block} multiplies by {name}, which is 0 everywhere", block=block, name=name)
    if zero.index is None:
        return tr("{block} multiplies by {name}, which has several zeros", block=block, name=name)
    index = ", ".join(map(str, zero.index))
    return tr("{block} multiplies by {name}, which is 0 at element {index}", block=block, name=name, index=index)


def source_of(facts: Facts, root: Reason) -> PortName | None:
    """Returns the port that the zero factor comes from; None if the block computes the factor itself."""
    instance = facts.instances.get(root.at[0])
    return None if root.zero is None or instance is None else instance.inputs.get(root.zero.port)


def _claims(facts: Facts, zeros: Zeros) -> Iterator[str]:
    """Yields what was tried in this run and came out so: what helps, or that nothing has to."""
    claims = zeros.chain[-1].claims if zeros.chain else frozenset()
    if Claim.NEARER_TO_ZERO in claims:
        yield tr("Inputs nearer to 0 give a larger gradient.")
    if Claim.ONLY_INPUT in claims and facts.is_a(zeros.at, _OVER_CLASSES):
        yield tr("For a single output use Sigmoid; a softmax needs one output for each class.")
    if Claim.FLAT_HERE in claims:
        yield tr("A small change of its input does not change its output.")
    if Claim.WIDER_DTYPE in claims:
        yield tr("A wider dtype would represent it.")
    if Claim.SLOPE_ZERO in claims:
        yield tr("Nothing is wrong: the loss has slope 0 here.")
    if Claim.INDEPENDENT in claims:
        yield tr("The loss stays the same, however this element changes.")
