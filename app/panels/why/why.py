"""Explanations of gradients: why a wire or port has its gradient, with the numbers of the run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gradwire.app.base.translation import grouped, tr, tr_count, tr_sentence
from gradwire.app.live.hidden_texts import place_hidden
from gradwire.app.live.questions.product_question import SlopeFound
from gradwire.app.live.readings.comparison import WithoutStops
from gradwire.app.live.readings.readings import PortReading, Reading, WireReading
from gradwire.app.look.numbers import fmt
from gradwire.app.look.status_texts import status_label, status_sentence
from gradwire.app.look.statuses import CUT
from gradwire.app.panels.why.fixes import Fix, fix_of_cut, fix_of_zero
from gradwire.app.panels.why.run_facts import Facts
from gradwire.app.panels.why.why_cut import CUTS_NAMED, left_out
from gradwire.app.panels.why.why_nonfinite import explain_nonfinite
from gradwire.app.panels.why.why_slope import SlopeText, slope_sentence, slope_text
from gradwire.app.panels.why.why_zero import Step, cut_steps, steps_of, zero_sentences
from gradwire.engine.advice.trials import Trial
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.evaluation.snapshot import Tie

# A vector of at most so many elements is written out.
ELEMENTS = 4
# The change of an element whose effect on the loss is stated.
NUDGE = 0.01


@dataclass(frozen=True)
class Why:
    """An explanation: its status, the mark of a status or cause, the result as a short text, and the sentences.

    `origin` is the path of the block to look at, "" if there is none. `steps` are the blocks from here to the
    root of a zero; `fix` is an edit that helps, `trial` how it would change the loss and the gradients.
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
    slope: SlopeText | None = None


def explain_wire(facts: Facts, link: Link) -> Why:
    """Explains the gradient of one wire."""
    reading = None if facts.results is None else facts.results.wire(link)
    return _without_stops(facts, link, reading, _with_zeros(facts, link, reading, _of_wire(facts, link, reading)))


def explain_port(facts: Facts, name: PortName) -> Why:
    """Explains the gradient of an output port, which is the sum over its wires."""
    reading = None if facts.results is None else facts.results.port(name)
    return _without_stops(facts, name, reading, _with_zeros(facts, name, reading, _of_port(facts, name, reading)))


def _with_zeros(facts: Facts, place: PortName | Link, reading: WireReading | PortReading | None, why: Why) -> Why:
    """Returns an explanation extended by zeros: their sentences, the path to their root, and a fix."""
    if reading is None or reading.gradient is None:
        return why
    if reading.status is Status.NONFINITE and place in facts.slopes:
        return _with_slope(facts, place, facts.slopes[place], why)
    if reading.status in CUT:
        fix = fix_of_cut(facts, place, reading.by)
        return replace(why, steps=cut_steps(facts, reading.by, reading.status), fix=fix)
    sentence = " ".join(filter(None, [why.sentence, zero_sentences(facts, place, reading), _tie(facts, reading.tie)]))
    if reading.zero is None:
        return replace(why, sentence=sentence)
    return replace(
        why,
        mark=reading.zero.cause if reading.status is Status.ZERO else why.mark,
        sentence=sentence,
        steps=steps_of(facts, place, reading.zero),
        fix=fix_of_zero(facts, place, reading.zero, reading.gradient.dtype),
    )


def _with_slope(facts: Facts, place: PortName | Link, slope: SlopeFound, why: Why) -> Why:
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


def _without_stops(facts: Facts, place: PortName | Link, reading: WireReading | PortReading | None, why: Why) -> Why:
    """Returns an explanation with the gradient without StopGradient, if the user compares and it differs."""
    results = facts.results
    if reading is None or results is None or results.compared is None or results.comparison != WithoutStops():
        return why
    other = results.compared.wire(place) if isinstance(place, Link) else results.compared.port(place)
    after = "" if other is None else _in_full(other)
    if other is None or not after or (reading.status is other.status and after == _in_full(reading)):
        return why
    return replace(why, sentence=why.sentence + tr(" Without StopGradient it would be {result}.", result=after))


def _in_full(reading: WireReading | PortReading) -> str:
    """Returns a gradient in a few characters; a short vector appears element by element."""
    gradient = reading.gradient
    if gradient is None:
        return ""
    if reading.status is Status.ZERO:
        return status_label(reading.status, gradient.norm)
    is_short = len(gradient.shape or ()) == 1 and gradient.has_all and gradient.size <= ELEMENTS
    return f"[{', '.join(map(fmt, gradient.first))}]" if is_short else result_text(gradient)


def _tie(facts: Facts, tie: Tie | None) -> str:
    """Returns the sentence about a block's tie."""
    if tie is None:
        return ""
    said = [tr_sentence(item.message) for item in facts.problems if item.at == tie.at and item.code == "tie"]
    return " ".join(said) or tr("{count} elements are equal at {block}.", count=grouped(tie.count),
                                block=facts.title(tie.at))  # fmt: skip


def _of_wire(facts: Facts, link: Link, reading: WireReading | None) -> Why:
    start = _Start(facts, link.source, tr(" along this wire"))
    if reading is None:
        return _why(Status.UNKNOWN, _unknown(facts, link.target.path))
    if reading.status is Status.FLOW and reading.gradient is not None:
        return _why(Status.FLOW, _wire_flow(facts, link, reading.gradient), result_text(reading.gradient))
    if reading.status is Status.BLOCKED and (link.target.path,) == reading.by and _is_stop(facts, link.target.path):
        sentence = tr("This wire ends at {block}.", block=_cut(facts, link.target.path))
        return _why(Status.BLOCKED, sentence)
    if reading.status is Status.NO_PATH and _is_asked_for(facts, link.target):
        return _why(Status.NO_PATH, _asked(facts, link))
    return _by_status(start, reading)


def _of_port(facts: Facts, name: PortName, reading: PortReading | None) -> Why:
    if facts.results is None or reading is None:
        return _why(Status.UNKNOWN, _unknown(facts, name.path))
    if reading.status is Status.FLOW and reading.gradient is not None:
        if facts.results.loss is not None and facts.results.loss.name in (name.path, None) and _is_loss(facts, name):
            sentence = tr("This is the loss itself: ∂L/∂L is 1 by definition.")
            return _why(Status.FLOW, sentence, result_text(reading.gradient))
        return _why(Status.FLOW, _port_flow(facts, name, reading.gradient), result_text(reading.gradient))
    return _by_status(_Start(facts, name, ""), reading)


def result_text(gradient: Reading) -> str:
    """Returns a gradient in a few characters: a scalar's number, else the norm."""
    return fmt(gradient.first[0]) if gradient.shape == () else tr("norm {norm}", norm=fmt(gradient.norm))


def _amount(gradient: Reading) -> str:
    return fmt(gradient.first[0]) if gradient.shape == () else tr("a gradient of norm {norm}", norm=fmt(gradient.norm))


@dataclass(frozen=True)
class _Start:
    """The start of the paths to the loss; `along` restricts them to the paths through one wire."""

    facts: Facts
    port: PortName
    along: str

    @property
    def name(self) -> str:
        """The name of the port's block in sentences."""
        return self.facts.name(self.port.path)


def _by_status(start: _Start, reading: WireReading | PortReading) -> Why:
    status, gradient, facts = reading.status, reading.gradient, start.facts
    if status is Status.ZERO and gradient is not None:
        return _why(status, "", status_label(status, gradient.norm))
    if status in CUT:
        return _why(status, _paths_cut(start, reading.by))
    if status is Status.NO_PATH:
        return _why(status, _no_path(start))
    if status is Status.NO_GRADIENT_DTYPE:
        dtype = tr("of this dtype") if reading.value is None else reading.value.dtype
        sentence = tr("The values here are {dtype}; only floating point values have a gradient.", dtype=dtype)
        return _why(status, sentence)
    if status is Status.NONFINITE:
        origin = None if reading.origin is None else reading.origin.first
        return Why(status, status, *explain_nonfinite(facts, reading), "" if origin is None else origin.at)
    return _why(Status.UNKNOWN, _unknown(facts, start.port.path))


def _why(status: Status, sentence: str, result: str = "") -> Why:
    return Why(status, status, result or status_label(status), sentence)


def _wire_flow(facts: Facts, link: Link, gradient: Reading) -> str:
    target = facts.title(link.target.path)
    total = None if facts.results is None else facts.results.port(link.source)
    if total is None or total.gradient is None or len(_wires_from(facts, link.source)) < 2:
        share = tr("This is the whole gradient of {block}.", block=facts.name(link.source.path))
    else:
        block, amount = facts.name(link.source.path), _amount(total.gradient)
        share = tr("With its other wires, the gradient of {block} is {amount}.", block=block, amount=amount)
    back = tr("{block} returns {amount}.", block=target, amount=_amount(gradient))
    return f"{back} {share}"


def _port_flow(facts: Facts, name: PortName, gradient: Reading) -> str:
    wires = _wires_from(facts, name)
    count = len(wires)
    parts = tr(" It is the sum of the gradients of {count} wires.", count=count) if count > 1 else ""
    return _slope(facts.name(name.path), gradient) + parts + left_out(facts, name)


def _slope(name: str, gradient: Reading) -> str:
    """Returns the effect on the loss: how fast it changes with the element that matters most."""
    if not gradient.has_all or not gradient.first:
        return tr(
            "One number for each of the {size} elements of {name}, from {low} to {high}.",
            size=grouped(gradient.size), name=name, low=fmt(gradient.low), high=fmt(gradient.high),
        )  # fmt: skip
    place, top = max(enumerate(gradient.first), key=lambda item: abs(item[1]))
    change = fmt(NUDGE * top) if top < 0 else f"+{fmt(NUDGE * top)}"
    if gradient.shape == ():
        return tr("+{nudge} at {name} changes the loss by about {change}.", nudge=fmt(NUDGE), name=name, change=change)
    index = ", ".join(map(str, _index(place, gradient.shape or ())))
    return tr(
        "{element} matters most: +{nudge} there changes the loss by about {change}.",
        element=f"{name}[{index}]",
        nudge=fmt(NUDGE),
        change=change,
    )


def _index(place: int, shape: tuple[int, ...]) -> list[int]:
    found: list[int] = []
    for size in reversed(shape):
        place, at = divmod(place, size)
        found.insert(0, at)
    return found


def _paths_cut(start: _Start, by: Sequence[str]) -> str:
    block, along = start.name, start.along
    if not by:
        return tr("Every path from {block}{along} to the loss is blocked.", block=block, along=along)
    named = [_cut(start.facts, path) for path in by[:CUTS_NAMED]]
    if len(by) == 1:
        return tr(
            "The only path from {block}{along} to the loss runs through {cut}.", block=block, along=along, cut=named[0]
        )
    more = len(by) - CUTS_NAMED
    named += [tr_count("{count} more block", "{count} more blocks", more)] if more > 0 else []
    cuts = tr("; by ").join(named)
    return tr("Every path from {block}{along} to the loss is blocked by {cuts}.", block=block, along=along, cuts=cuts)


def _cut(facts: Facts, path: str) -> str:
    """Returns a clause on a block that passes no gradient on, with its behaviour."""
    title = facts.title(path)
    if not _is_stop(facts, path):
        return tr("{block}, which has no derivative", block=title)
    withheld = _withheld(facts, path)
    return tr("{block}, which always returns 0{withheld}", block=title, withheld=withheld)


def _withheld(facts: Facts, path: str) -> str:
    reading = None if facts.results is None else facts.results.port(PortName(path, "y"))
    if reading is None or reading.gradient is None or reading.status not in (Status.FLOW, Status.ZERO):
        return ""
    return tr(" (withheld: {amount})", amount=_amount(reading.gradient))


def _is_asked_for(facts: Facts, target: PortName) -> bool:
    """Returns whether a wire only tells a Gradients block which value to differentiate."""
    return target.path in facts.instances and facts.instances[target.path].role is Role.GRADIENTS


def _asked(facts: Facts, link: Link) -> str:
    return tr(
        "This wire only names what {block} differentiates. The gradient of {block} flows directly to the ports "
        "that its derivative reads, as inner parts.",
        block=facts.title(link.target.path),
    )


def _no_path(start: _Start) -> str:
    if start.facts.results is not None and start.facts.results.loss is None:
        return tr("There is no loss, so nothing has a gradient. Add a Loss block.")
    return tr(
        "No path leads from {block}{along} to the loss: the loss does not depend on it.",
        block=start.name,
        along=start.along,
    )


def _unknown(facts: Facts, path: str) -> str:
    if facts.results is None:
        return tr("Nothing has been computed yet.")
    if facts.results.hidden is not None:
        return place_hidden(facts.results.hidden)
    errors = [item for item in facts.problems if item.at == path and item.severity == "error"]
    if errors:
        return tr("{block} has an error: {error}", block=facts.title(path), error=tr_sentence(errors[0].message))
    return status_sentence(Status.UNKNOWN, ())


def _wires_from(facts: Facts, source: PortName) -> list[Link]:
    return [] if facts.results is None else [link for link in facts.results.wire_rows if link.source == source]


def _is_stop(facts: Facts, path: str) -> bool:
    return path in facts.instances and facts.instances[path].role is Role.STOP


def _is_loss(facts: Facts, name: PortName) -> bool:
    return name.path in facts.instances and facts.instances[name.path].role is Role.LOSS
