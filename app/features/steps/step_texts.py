"""The texts about a step of step mode: for a column, for a sentence, and for screen readers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_questions import Sent
from gradwire.app.kit.search.short_formulas import short_formula
from gradwire.app.live.readings.amounts import amount_text, elements_text, gradient_text
from gradwire.app.live.readings.readings import PlaceReading, Reading
from gradwire.app.live.session import Session
from gradwire.app.look.categories import icon_name
from gradwire.app.look.numbers import MINUS, fmt, fmt_list, shape_text
from gradwire.app.look.status_texts import status_label
from gradwire.app.look.statuses import CUT
from gradwire.engine.autodiff.expand import Instance, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.explain.back_steps import CARRYING, BackStep, Kind, Part
from gradwire.engine.explain.step_rules import Numbers
from gradwire.engine.graph.lookup import title_of

NOTHING_YET = "·"
_ACTIONS = {Kind.ENDS: "total ∂L/∂{name}", Kind.STOPS: "blocks"}
_MEANINGS = {
    Kind.SEED: "It starts with 1: that is ∂L/∂L.",
    Kind.ENDS: "All contributions are in: this is the whole gradient of {block}.",
    Kind.STOPS: "{block} always returns 0. Its value passes forward unchanged.",
    Kind.CUT: "{block} returns no gradient: the incoming one ends here.",
}


@dataclass(frozen=True)
class Cell:
    """A step as its station shows it: icon and name, and what a screen reader says."""

    icon: str
    name: str
    is_stop: bool
    is_done: bool
    is_current: bool
    is_forward: bool
    spoken: str


@dataclass(frozen=True)
class Line:
    """One gradient that a step makes: where it goes, its rule by names and with numbers, and what it is."""

    head: str = ""
    rule: str = ""
    numbers: str = ""
    result: str = ""
    token: str = "grad.text"

    @property
    def whole(self) -> str:
        """The line in one text."""
        parts = dict.fromkeys(filter(None, (self.rule, self.numbers, self.result)))
        return f"{self.head} {' = '.join(parts)}".strip()


def progress_text(steps: StepMode, wires: str) -> str:
    """Returns how many of the wires have a value or a gradient yet."""
    if steps.is_forward:
        return tr("{reached} of {wires} have a value", reached=steps.reached, wires=wires)
    return tr("{reached} of {wires} have a gradient", reached=steps.reached, wires=wires)


def cell_of(session: Session, number: int) -> Cell:
    """Returns the column of a step."""
    steps = session.part(StepMode)
    path, instance = steps.path_of(number), instance_of(session, number)
    block_type = None if instance is None else instance.type
    is_done, is_current = number < steps.at, number == steps.at
    is_stop = block_type is not None and block_type.role is Role.STOP
    amount = amount_of(session, number) if number <= steps.at else ""
    states = [tr("current")] * is_current + [tr("done")] * is_done
    words = [tr("Step {number} of {count}", number=number, count=steps.count), title_at(session, path)]
    spoken_words = ", ".join(filter(None, (*words, action_of(session, number), amount, *states)))
    name = _station_name(block_type, path)
    return Cell(icon_name(block_type), name, is_stop, is_done, is_current, steps.is_forward, spoken_words)


def _station_name(block_type: BlockType | None, path: str) -> str:
    """Returns the type of a block, and what it is called where that tells it from others: `Input x`."""
    name = path.rpartition("/")[2]
    if block_type is None:
        return name
    return f"{block_type.name} {name}" if block_type.role is Role.SOURCE else block_type.name


def instance_of(session: Session, number: int) -> Instance | None:
    """Returns the block of a step."""
    return session.inferred.expanded.instances.get(session.part(StepMode).path_of(number))


def title_at(session: Session, path: str) -> str:
    """Returns the name of the block at a path in a sentence: `Divide "p"`."""
    instance = session.inferred.expanded.instances.get(path)
    return path if instance is None else tr_sentence(title_of(instance.block))


def action_of(session: Session, number: int) -> str:
    """Returns the action of a step in two or three words."""
    steps = session.part(StepMode)
    if steps.is_forward:
        reading = _value(session, steps.path_of(number))
        return "" if reading is None else shape_text(reading.shape)
    step = steps.outline.backward[number - 1]
    if step.kind is Kind.CUT:
        return _cut_words(step)
    if step.kind in _ACTIONS:
        return tr(_ACTIONS[step.kind], name=step.path.rpartition("/")[2])
    names = [part.link.target.port for part in step.parts if part.link is not None]
    return tr("to {ports}", ports=", ".join(names)) if names else tr("passes on")


def _cut_words(step: BackStep) -> str:
    statuses = [*(part.status for part in step.parts), *(port.status for port in step.arrives.values())]
    return status_label(next((status for status in statuses if status in CUT), Status.NO_PATH))


def amount_of(session: Session, number: int) -> str:
    """Returns the magnitude of a step: the norm of its largest gradient; in the forward pass, the value."""
    steps, results = session.part(StepMode), session.results
    if steps.is_forward:
        value = _value(session, steps.path_of(number))
        return NOTHING_YET if value is None else elements_text(value)
    step = steps.outline.backward[number - 1]
    if results is None or step.kind in (Kind.STOPS, Kind.CUT):
        return NOTHING_YET if results is None else "0"
    is_end = step.kind is Kind.ENDS
    ports = [PortName(step.path, name) for name in step.arrives]
    return _largest(map(results.at, ports if is_end else [part.link for part in step.parts if part.link is not None]))


def _largest(readings: Iterable[PlaceReading | None]) -> str:
    """Returns the norm of the largest gradient, or in the wires' wording that all are zero."""
    norms = [
        (item.status is not Status.ZERO, item.gradient.norm)
        for item in readings
        if item is not None and item.gradient is not None
    ]
    if not norms:
        return NOTHING_YET
    is_flowing, norm = max(norms)
    return f"|∂L| {fmt(norm)}" if is_flowing else f"∂L {status_label(Status.ZERO, norm)}"


def _value(session: Session, path: str) -> Reading | None:
    """Returns the value of a block's first output."""
    names, results = session.inferred.outputs.get(path) or ["y"], session.results
    port = None if results is None else results.port(PortName(path, names[0]))
    return None if port is None else port.value


def heading(session: Session) -> str:
    """Returns the heading of the current step: `Step 3 of 9: Divide`."""
    steps = session.part(StepMode)
    if not steps.count:
        return tr("Step")
    place = tr("Step {number} of {count}", number=steps.at, count=steps.count)
    return f"{place}: {cell_of(session, steps.at).name}"


def nothing_of(session: Session) -> str:
    """Returns why there are no steps, "" before that is known."""
    steps = session.part(StepMode)
    if not steps.is_on or not steps.has_outline or steps.count:
        return ""
    if steps.is_forward:
        return tr("There are no steps: nothing has been computed.")
    return tr("There are no steps without a gradient. Add a Loss block to see gradients.")


def lines_of(session: Session) -> list[Line]:
    """Returns what the current step computes, one line for each gradient."""
    steps, instance = session.part(StepMode), instance_of(session, session.part(StepMode).at)
    if instance is None or not steps.count:
        return []
    if steps.is_forward:
        value = _value(session, steps.path)
        formula = short_formula(instance.type) if instance.type is not None else ""
        return [Line("", formula, "", "" if value is None else elements_text(value), "value")]
    sent = () if steps.detail is None else steps.detail.sent
    lines = [_line_of(item) for item in sent if item.part.link is not None]
    step = steps.step
    if not lines and step is not None and steps.detail is not None:
        lines = [
            Line(f"∂L/∂{name}", result=gradient_text(step.arrives[name].status, reading, elements_text))
            for name, reading in steps.detail.arrives.items()
        ]
    return lines


def _line_of(sent: Sent) -> Line:
    part = sent.part
    port = "" if part.link is None else part.link.target.port
    result = gradient_text(part.status, sent.gradient, elements_text)
    rule, pieces = ("", ()) if sent.rule is None else (sent.rule.names, sent.rule.numbers)
    # One factor alone is the result.
    numbers = numbers_text(pieces) if len(pieces) > 1 else ""
    return Line(tr("to {ports}", ports=port), rule, numbers, result)


def numbers_text(pieces: Iterable[str | Numbers]) -> str:
    """Returns a rule with numbers: `[1 2 3] ÷ 2.14`; a negative factor after a sign stands in brackets."""
    found = ""
    for piece in pieces:
        if isinstance(piece, str):
            found += piece
            continue
        text = fmt_list(piece.first) if piece.size > 1 else fmt(piece.first[0]) if piece.first else ""
        more = " …" if piece.size > len(piece.first) else ""
        is_inner = piece.size == 1 and text.startswith(MINUS) and found
        found += f"[{text}{more}]" if piece.size != 1 else f"({text})" if is_inner else text
    return found


def note_of(session: Session) -> str:
    """Returns what is to be said of the current step: that a block's parts add up, or what kind of step it is."""
    steps = session.part(StepMode)
    parts = () if steps.step is None else steps.step.parts
    shared = next((part for part in parts if part.count > 1), None)
    if steps.step is None or steps.step.kind is not Kind.SENDS or shared is None:
        return meaning(session) if steps.count and not _passes_on(steps.step) else ""
    block = title_at(session, shared.port.path)
    return tr("{block} is used {count} times: its parts add up.", block=block, count=shared.count)


def _passes_on(step: BackStep | None) -> bool:
    """Whether the lines of a step say all: it sends gradients by its rule."""
    return step is not None and step.kind is Kind.SENDS and any(part.link is not None for part in step.parts)


def meaning(session: Session) -> str:
    """Returns the action of the current step in a sentence."""
    step, steps = session.part(StepMode).step, session.part(StepMode)
    if step is None:
        return tr("The block computes its value from its inputs.") if steps.is_forward else ""
    title = title_at(session, step.path)
    if step.kind is Kind.CUT and not any(port.status in CARRYING for port in step.arrives.values()):
        return tr("{block} has no incoming gradient to pass back.", block=title)
    if step.kind in _MEANINGS:
        return tr(_MEANINGS[step.kind], block=title)
    arriving = ", ".join(step.arrives)
    sent = ", ".join(part.link.target.port for part in step.parts if part.link is not None and part.is_carried)
    if not sent:
        return tr("The incoming gradient at {ports} is passed into the page.", ports=arriving)
    return tr(
        "The rule turns the incoming gradient at {ports} into gradients of {inputs}.", ports=arriving, inputs=sent
    )


def part_heading(session: Session, part: Part) -> str:
    """Returns the target of a part: `x, to Exp "e"`."""
    block = title_at(session, part.port.path)
    if part.link is None:
        return tr("to {block}", block=block)
    return tr("{port}, to {block}", port=part.link.target.port, block=block)


def part_sentence(session: Session, sent: Sent) -> str:
    """Returns how the target uses a part: alone, or as one of several terms."""
    part, block = sent.part, title_at(session, sent.part.port.path)
    if sent.withheld is not None:
        return tr("StopGradient withholds {amount}.", amount=amount_text(sent.withheld))
    if not part.is_carried:
        return tr("No gradient can flow along this wire.")
    if part.count < 2:
        return tr("This is the whole gradient of {block}.", block=block)
    if part.next_step is None:
        text = tr("Part {place} of {count}, the last.", place=part.place, count=part.count)
        whole = gradient_text(_status_of(session, part.port), sent.so_far)
        total = tr("This completes the gradient of {block}: {amount}.", block=block, amount=whole)
        return f"{text} {total}"
    adder = title_at(session, session.part(StepMode).path_of(part.next_step))
    text = tr("Part {place} of {count}.", place=part.place, count=part.count)
    if part.place > 1:
        text += " " + tr("So far {amount}.", amount=gradient_text(Status.FLOW, sent.so_far))
    return f"{text} " + tr("{block} adds the next in step {number}.", block=adder, number=part.next_step)


def _status_of(session: Session, port: PortName) -> Status:
    """Returns the status of a port's gradient according to the steps."""
    steps = session.part(StepMode).outline.backward
    arrived = (step.arrives.get(port.port) for step in steps if step.path == port.path)
    return next((result.status for result in arrived if result is not None), Status.FLOW)


def spoken(session: Session) -> str:
    """Returns the current step as a screen reader says it."""
    steps = session.part(StepMode)
    if not steps.count:
        return tr("There are no steps: no gradient flows.") if steps.has_outline else ""
    return f"{heading(session)}. {action_of(session, steps.at)}, {amount_of(session, steps.at)}"
