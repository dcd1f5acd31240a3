"""Explanations of gradients in the inspector: their facts as sentences, with the numbers of the run and a fix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gradwire.app.base.translation import grouped, tr, tr_count, tr_sentence
from gradwire.app.live.explanation.explanation import Case, Explanation, Place, explain
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.explanation.sentences import own_rule_page, tie_sentence, unknown_sentence
from gradwire.app.live.questions.product_question import SlopeFound
from gradwire.app.live.readings.amounts import ELEMENTS, amount_text, gradient_text
from gradwire.app.live.readings.comparison import WithoutStops
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.numbers import fmt
from gradwire.app.look.statuses import CUT
from gradwire.app.panels.why.fixes import Fix, fix_of_cut, fix_of_zero
from gradwire.app.panels.why.why_cut import CUTS_NAMED, left_out
from gradwire.app.panels.why.why_nonfinite import explain_nonfinite
from gradwire.app.panels.why.why_slope import SlopeText, slope_sentence, slope_text
from gradwire.app.panels.why.why_zero import Step, cut_steps, steps_of, zero_sentences
from gradwire.engine.advice.trials import Trial
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.paths import is_in_gradient
from gradwire.engine.learning.side_by_side import SideBySide

# The change of an element whose effect on the loss is stated.
NUDGE = 0.01


@dataclass(frozen=True)
class Why:
    """An explanation: its status, the mark of a status or cause, the result as a short text, and the sentences.

    `origin` is the path of the block to look at, "" if there is none. `steps` are the blocks from here to the
    root of a zero; `fix` is an edit that helps, `trial` how it would change the loss and the gradients,
    `rounds` what some rounds of training with and without it give.
    `slope` is the product behind a NaN, which is shown with its numbers.
    """

    status: Status
    mark: str
    result: str
    sentence: str
    origin: str = ""
    steps: tuple[Step, ...] = ()
    fix: Fix | None = None
    trial: Trial | None = None
    rounds: SideBySide | None = None
    slope: SlopeText | None = None


def why_of(facts: Facts, place: Place) -> Why:
    """Explains the gradient of one wire, or of an output port, which is the sum over its wires."""
    found = explain(facts, place)
    if found.case is Case.NONFINITE:
        first = None if found.origin is None else found.origin.first
        why = Why(found.status, found.mark, *explain_nonfinite(facts, found), "" if first is None else first.at)
    else:
        sentence = _SAYING[found.case](facts, found)
        why = Why(found.status, found.mark, gradient_text(found.status, found.gradient), sentence)
    return _without_stops(facts, found, _with_deviations(facts, found, _with_zeros(facts, found, why)))


def _with_deviations(facts: Facts, found: Explanation, why: Why) -> Why:
    """Returns an explanation that also names the blocks whose rule, TensorFlow's, is not the derivative."""
    said = facts.deviations.get(found.place, ()) if found.gradient is not None else ()
    return replace(why, sentence=" ".join(filter(None, [why.sentence, *map(tr_sentence, said)])))


def _with_zeros(facts: Facts, found: Explanation, why: Why) -> Why:
    """Returns an explanation extended by zeros: their sentences, the path to their root, and a fix."""
    if found.gradient is None:
        return why
    if found.case is Case.NONFINITE and found.place in facts.slopes:
        return _with_slope(facts, found.place, facts.slopes[found.place], why)
    if found.status in CUT:
        fix = fix_of_cut(facts, found.place, found.by)
        return replace(why, steps=cut_steps(facts, found.by, found.status), fix=fix)
    zeros = "" if found.zeros is None else zero_sentences(facts, found.zeros, found.gradient)
    said = replace(why, sentence=" ".join(filter(None, [why.sentence, zeros, tie_sentence(facts, found.tie)])))
    if found.zeros is None:
        return said
    fix = fix_of_zero(facts, found.place, found.zeros, found.gradient.dtype)
    return replace(said, steps=steps_of(facts, found.place, found.zeros), fix=fix)


def _with_slope(facts: Facts, place: Place, slope: SlopeFound, why: Why) -> Why:
    """Returns an explanation with the product that is NaN, and the fix that keeps the input away from it."""
    fix = slope.fix
    return replace(
        why,
        sentence=slope_sentence(facts, slope.product),
        origin="" if isinstance(place, Link) and place.target.path == why.origin else why.origin,
        fix=None if fix is None else Fix(tr_sentence(fix.text), fix.edit),
        trial=None if fix is None else fix.trial,
        slope=slope_text(facts, slope),
    )


def _without_stops(facts: Facts, found: Explanation, why: Why) -> Why:
    """Returns an explanation with the gradient without StopGradient, if the user compares and it differs."""
    results, place = facts.results, found.place
    if results is None or results.compared is None or results.comparison != WithoutStops():
        return why
    other = results.compared.wire(place) if isinstance(place, Link) else results.compared.port(place)
    if other is None or other.gradient is None:
        return why
    after = gradient_text(other.status, other.gradient, _in_full)
    if found.status is other.status and after == gradient_text(found.status, found.gradient, _in_full):
        return why
    return replace(why, sentence=why.sentence + tr(" Without StopGradient it would be {result}.", result=after))


def _in_full(gradient: Reading) -> str:
    """Returns a gradient in a few characters; a short vector appears element by element."""
    is_short = len(gradient.shape or ()) == 1 and gradient.has_all and gradient.size <= ELEMENTS
    return f"[{', '.join(map(fmt, gradient.first))}]" if is_short else amount_text(gradient)


def _flow(facts: Facts, found: Explanation) -> str:
    assert found.gradient is not None, "a gradient that flows has numbers"
    if isinstance(found.place, PortName):
        return _port_flow(facts, found.place, found.gradient)
    return _wire_flow(facts, found, found.place, found.gradient)


def _wire_flow(facts: Facts, found: Explanation, link: Link, gradient: Reading) -> str:
    title, amount = facts.title(link.target.path), _amount(gradient)
    back = tr("{block} returns {amount}.", block=title, amount=amount)
    by = own_rule_page(facts, found)
    if by:
        back = tr("{block} returns {amount}, by its own gradient on page {page}.", block=title, amount=amount, page=by)
    total = None if facts.results is None else facts.results.port(link.source)
    block = facts.name(link.source.path)
    if total is None or total.gradient is None or len(_wires_from(facts, link.source)) < 2:
        return f"{back} {tr('This is the whole gradient of {block}.', block=block)}"
    share = tr(
        "With its other wires, the gradient of {block} is {amount}.", block=block, amount=_amount(total.gradient)
    )
    return f"{back} {share}"


def _amount(gradient: Reading) -> str:
    is_number = gradient.size == 1
    return amount_text(gradient) if is_number else tr("a gradient of norm {norm}", norm=fmt(gradient.norm))


def _port_flow(facts: Facts, name: PortName, gradient: Reading) -> str:
    count = len(_wires_from(facts, name))
    parts = tr(" It is the sum of the gradients of {count} wires.", count=count) if count > 1 else ""
    return _slope(facts.name(name.path), gradient) + parts + left_out(facts, name)


def _slope(name: str, gradient: Reading) -> str:
    """Returns what the gradient predicts of the loss: how fast it changes with the element that matters most.

    A stop, a rule of its own or a curve may have it otherwise, so the sentence names who says it.
    """
    if not gradient.has_all or not gradient.first:
        return tr(
            "One number for each of the {size} elements of {name}, from {low} to {high}.",
            size=grouped(gradient.size), name=name, low=fmt(gradient.low), high=fmt(gradient.high),
        )  # fmt: skip
    place, top = max(enumerate(gradient.first), key=lambda item: abs(item[1]))
    change = fmt(NUDGE * top) if top < 0 else f"+{fmt(NUDGE * top)}"
    if gradient.shape == ():
        return tr(
            "By the gradient, +{nudge} at {name} changes the loss by about {change}.",
            nudge=fmt(NUDGE),
            name=name,
            change=change,
        )
    index = ", ".join(map(str, np.unravel_index(place, gradient.shape or ())))
    return tr(
        "By the gradient, {element} matters most: +{nudge} there changes the loss by about {change}.",
        element=f"{name}[{index}]", nudge=fmt(NUDGE), change=change,
    )  # fmt: skip


def _seed(facts: Facts, found: Explanation) -> str:
    return tr("This is the loss itself: ∂L/∂L is 1 by definition.")


def _ends(facts: Facts, found: Explanation) -> str:
    return tr("This wire ends at {block}.", block=_cut(facts, found, found.by[0]))


def _paths_cut(facts: Facts, found: Explanation) -> str:
    block, along, by = facts.name(found.path), _along(found), found.by
    constant = facts.chains[found.place][-1].constant if facts.chains.get(found.place) else None
    if constant is not None and len(by) == 1:
        return _constant(facts, by[0], constant)
    if not by:
        return tr("Every path from {block}{along} to the loss is blocked.", block=block, along=along)
    named = [_cut(facts, found, path) for path in by[:CUTS_NAMED]]
    if len(by) == 1:
        return tr(
            "The only path from {block}{along} to the loss runs through {cut}.", block=block, along=along, cut=named[0]
        )
    more = len(by) - CUTS_NAMED
    named += [tr_count("{count} more block", "{count} more blocks", more)] if more > 0 else []
    cuts = tr("; by ").join(named)
    return tr("Every path from {block}{along} to the loss is blocked by {cuts}.", block=block, along=along, cuts=cuts)


def _constant(facts: Facts, path: str, blocks: Sequence[str]) -> str:
    """Returns why the result of a Gradients block has no slope of its own: it is constant around these numbers."""
    block = facts.title(path)
    if not blocks:
        return tr("0 because {block} is constant here: what it differentiates is linear.", block=block)
    names = ", ".join(map(facts.title, blocks[:CUTS_NAMED]))
    names += tr(" and {count} more", count=len(blocks) - CUTS_NAMED) if len(blocks) > CUTS_NAMED else ""
    return tr("0 because {block} is constant here: the slope of {names} does not change.", block=block, names=names)


def _along(found: Explanation) -> str:
    """Returns the words that restrict the paths to the loss to those through one wire."""
    return tr(" along this wire") if isinstance(found.place, Link) else ""


def _cut(facts: Facts, found: Explanation, path: str) -> str:
    """Returns a clause on a block that passes no gradient on, with its behaviour."""
    title, role = facts.title(path), facts.role(path)
    if role is Role.GRADIENTS:
        return tr("{block}, which has no gradient of its own", block=title)
    instance = facts.instances.get(path)
    if instance is not None and instance.rule is not None:
        if found.path.startswith(f"{path}/"):
            return tr("{block}, whose own gradient takes the place of this one", block=title)
        return tr("{block}, whose own gradient leaves this out", block=title)
    if role is not Role.STOP:
        return tr("{block}, which has no derivative", block=title)
    reading = None if facts.results is None else facts.results.port(PortName(path, "y"))
    withheld = ""
    if reading is not None and reading.gradient is not None and reading.status in (Status.FLOW, Status.ZERO):
        withheld = tr(" (withheld: {amount})", amount=_amount(reading.gradient))
    return tr("{block}, which always returns 0{withheld}", block=title, withheld=withheld)


def _asked_for(facts: Facts, found: Explanation) -> str:
    assert isinstance(found.place, Link), "a wire names what to differentiate"
    return tr(
        "This wire only names what {block} differentiates. The gradient of {block} flows directly to the ports "
        "that its derivative reads, as inner parts.",
        block=facts.title(found.place.target.path),
    )


def _no_loss(facts: Facts, found: Explanation) -> str:
    return tr("There is no loss, so nothing has a gradient. Add a Loss block.")


def _no_path(facts: Facts, found: Explanation) -> str:
    if is_in_gradient(found.path):
        block = facts.name(found.path)
        return tr("{block} is part of a backward pass; the loss does not depend on it.", block=block)
    return tr(
        "No path leads from {block}{along} to the loss: the loss does not depend on it.",
        block=facts.name(found.path),
        along=_along(found),
    )


def _no_gradient(facts: Facts, found: Explanation) -> str:
    dtype = tr("of this dtype") if found.value is None else found.value.dtype
    return tr("The values here are {dtype}; only floating point values have a gradient.", dtype=dtype)


def _nothing(facts: Facts, found: Explanation) -> str:
    """Returns no sentence: that of the zeros follows."""
    return ""


def _wires_from(facts: Facts, source: PortName) -> list[Link]:
    return [] if facts.results is None else [link for link in facts.results.wire_rows if link.source == source]


_SAYING: dict[Case, Callable[[Facts, Explanation], str]] = {
    Case.UNKNOWN: unknown_sentence,
    Case.NO_GRADIENT: _no_gradient,
    Case.NO_LOSS: _no_loss,
    Case.ASKED_FOR: _asked_for,
    Case.NO_PATH: _no_path,
    Case.ENDS_AT_STOP: _ends,
    Case.CUT: _paths_cut,
    Case.ZERO: _nothing,
    Case.SEED: _seed,
    Case.FLOW: _flow,
}
