"""The facts and texts of a hover card for a wire, a port or a block, not yet drawn."""

from __future__ import annotations

import dataclasses
import math
import re
from dataclasses import dataclass

from gradwire.app.base.translation import grouped, tr, tr_sentence
from gradwire.app.canvas.access.sentences import block_words
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import Body
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.painting.labels.label_texts import value_text
from gradwire.app.live.hidden_texts import place_hidden
from gradwire.app.live.readings.readings import PortReading, Reading, WireReading
from gradwire.app.look.formulas import statements
from gradwire.app.look.glossary import Term, meaning
from gradwire.app.look.numbers import fmt, fmt_list, fmt_statistic, shape_text
from gradwire.app.look.status_texts import cause_clause, status_label, status_sentence
from gradwire.app.look.statuses import CUT, LOOKS
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.graph.graph import Port, Wire

CELLS, LISTED = 4, 8
_BAR = re.compile(r"\\bar\s*(?:\{(\w+)\}|(\w))")


@dataclass(frozen=True)
class Row:
    """One line of a card: a label, then up to four numbers in columns or one text; `token` is its colour.

    `amounts` are the elements behind it, or for more than four their sum: parts of a port add up in them.
    """

    label: str
    cells: tuple[str, ...]
    token: str = "text.secondary"
    amounts: tuple[float, ...] = ()
    is_total: bool = False
    is_part: bool = False


@dataclass(frozen=True)
class CardFacts:
    """The contents of a card: a head, lines of numbers, a formula in LaTeX, and sentences."""

    title: str
    right: str
    rows: tuple[Row, ...] = ()
    formula: str = ""
    foot: str = ""
    sentences: tuple[str, ...] = ()

    @property
    def stacks(self) -> tuple[tuple[float, ...], ...]:
        """For each number of the total the parts that it is the sum of; nothing where there are not two to add."""
        parts = [row.amounts for row in self.rows if row.is_part]
        are_alike = len({len(part) for part in parts}) == 1 and all(map(math.isfinite, sum(parts, ())))
        return tuple(zip(*parts, strict=True)) if len(parts) > 1 and are_alike else ()

    @property
    def text(self) -> str:
        """Everything as plain text, for a screen reader."""
        lines = [f"{self.title} {self.right}", *(f"{row.label} {' '.join(row.cells)}" for row in self.rows)]
        return "\n".join([*lines, *filter(None, [self.foot]), *self.sentences])


def facts_of(mirror: Mirror, target: Target) -> CardFacts | None:
    """Collects the facts about a target; None where nothing is there, or nothing is there any longer."""
    if target.port is not None:
        port, is_input = target.port
        if mirror.port_position(port, is_input) is None:
            return None
        return _input_facts(mirror, port) if is_input else _output_facts(mirror, port)
    if target.wire is not None:
        return _wire_facts(mirror, target.wire) if target.wire in mirror.wire_rows else None
    if target.block is not None and target.block in mirror.rows:
        return _block_facts(mirror, target.block)
    return None


# Wires


def _wire_facts(mirror: Mirror, wire: Wire) -> CardFacts:
    title = plain(f"{wire.source} → {wire.target}")
    if mirror.wire_rows[wire] in mirror.broken:
        reason = tr("This wire is not connected: one end does not exist, or another wire is connected there.")
        return CardFacts(title, "", sentences=(reason,))
    reading = mirror.session.wire(wire)
    right = _spec_text(mirror, wire.source)
    if reading is None:
        return CardFacts(title, right, sentences=(tr("This wire is not evaluated yet."),))
    facts = CardFacts(title, right, (*_value_rows(reading.value), *_gradient_rows(reading)))
    return dataclasses.replace(
        facts,
        formula=_local_formula(mirror, wire.target),
        foot=_norm_text(reading.gradient),
        sentences=_why(mirror, reading),
    )


def _value_rows(value: Reading | None) -> tuple[Row, ...]:
    if value is None:
        return (Row(tr("value"), ("?",), "text.tertiary"),)
    rows = (Row(tr("value"), _cells(value), "value", _amounts(value)),)
    if value.size <= LISTED or value.dtype == "bool":
        return rows
    span = f"{fmt(value.low)} … {fmt(value.high)}" if value.is_finite else "–"
    return (*rows, Row(tr("range"), (span,), "text.secondary"))


def _gradient_rows(reading: WireReading) -> tuple[Row, ...]:
    if reading.status is Status.NO_GRADIENT_DTYPE:
        return ()
    rows = [Row("∂L", _gradient_cells(reading), LOOKS[reading.status].token, _known_amounts(reading.gradient))]
    if reading.withheld is not None:
        rows.append(Row(tr("withheld"), (tr("norm {norm}", norm=fmt(reading.withheld)),), "text.secondary"))
    return tuple(rows)


def _gradient_cells(reading: WireReading | PortReading) -> tuple[str, ...]:
    status, gradient = reading.status, reading.gradient
    if status in (*CUT, Status.NO_PATH, Status.UNKNOWN):
        return (status_label(status),)
    if gradient is None:
        return (status_label(Status.UNKNOWN),)
    if status is Status.ZERO and gradient.norm:
        return (status_label(status),)
    return _cells(gradient, is_signed=True)


def _zero(mirror: Mirror, reading: WireReading | PortReading) -> tuple[str, ...]:
    """Returns one line on the zeros of a gradient: all of it, or some elements; and one on a tie."""
    lines, zero, gradient = list[str](), reading.zero, reading.gradient
    if zero is not None and gradient is not None:
        clause = cause_clause(zero.cause, block_words(mirror, zero.at))
        count = zero.details[zero.cause]
        if reading.status is Status.ZERO and count == gradient.size:
            lines.append(tr("Zero: {cause}.", cause=clause))
        else:
            size = grouped(gradient.size)
            lines.append(tr("{count} of {size} elements: {cause}.", count=grouped(count), size=size, cause=clause))
    if reading.tie is not None:
        count, block = reading.tie.count, block_words(mirror, reading.tie.at)
        lines.append(tr("{count} elements are equal at {block}.", count=grouped(count), block=block))
    return tuple(lines)


def _why(mirror: Mirror, reading: WireReading | PortReading) -> tuple[str, ...]:
    if reading.zero is not None or reading.tie is not None:
        return _zero(mirror, reading)
    results = mirror.session.results
    if reading.status is Status.UNKNOWN and results is not None and results.hidden is not None:
        return (place_hidden(results.hidden),)
    if reading.status is Status.NONFINITE and reading.origin is not None and reading.origin.first is not None:
        return (tr_sentence(reading.origin.first.sentence),)
    by = [path.rpartition("/")[2] for path in reading.by]
    return tuple(filter(None, [status_sentence(reading.status, by)]))


def _local_formula(mirror: Mirror, target: Port) -> str:
    """Returns the gradient rule of a block for one input in LaTeX; "" where the rule does not name that input."""
    block_type = mirror.shapes[mirror.rows[target.block]].type
    if block_type is None:
        return ""
    stem = re.sub(r"_\d+$", "", target.name)
    parts = statements(block_type.gradient_formula) if block_type.gradient_formula else []
    for part in parts:
        found = _BAR.match(part)
        if found and (found[1] or found[2]) in (target.name, stem):
            return part
    is_only = len(parts) == 1 and len(block_type.inputs) == 1
    return parts[0] if is_only else ""


# Ports


def _output_facts(mirror: Mirror, port: Port) -> CardFacts:
    session = mirror.session
    reading = session.port(port)
    right = _spec_text(mirror, port)
    if reading is None:
        return CardFacts(str(port), right, sentences=(tr("This output is not evaluated yet."),))
    total = Row(
        tr("∂L total"), _gradient_cells(reading), LOOKS[reading.status].token, _known_amounts(reading.gradient),
        is_total=True,
    )  # fmt: skip
    if reading.status is Status.NO_GRADIENT_DTYPE:
        return CardFacts(str(port), right, _value_rows(reading.value), sentences=_why(mirror, reading))
    rows = (*_value_rows(reading.value), *_parts(mirror, port), total)
    return CardFacts(str(port), right, rows, foot=_norm_text(reading.gradient), sentences=_why(mirror, reading))


def _parts(mirror: Mirror, port: Port) -> list[Row]:
    """Returns the gradients that an output receives: a row for each wire, and for each reader without a wire."""
    session, rows = mirror.session, []
    for wire in session.page.wires_from(port):
        reading = session.wire(wire)
        if reading is not None:
            cells, token = _gradient_cells(reading), LOOKS[reading.status].token
            rows.append(Row(plain(f"→ {wire.target}"), cells, token, _known_amounts(reading.gradient), is_part=True))
    name: PortName = session.port_name(port)
    for part in session.results.inner_parts(name) if session.results is not None else ():
        cells = ("?",) if part.gradient is None else _cells(part.gradient, is_signed=True)
        by = part.by.rpartition("/")[2]
        amounts = _known_amounts(part.gradient)
        rows.append(Row(tr("inside {block}", block=by), cells, "grad.text", amounts, is_part=True))
    return rows


def _input_facts(mirror: Mirror, port: Port) -> CardFacts:
    wire = mirror.session.page.wires.get(port)
    if wire is not None and wire in mirror.wire_rows:
        return _wire_facts(mirror, wire)
    block_type = mirror.shapes[mirror.rows[port.block]].type
    declared = None if block_type is None else block_type.input_port(port.name)
    taken = "" if declared is None else tr("Accepts {dtypes}.", dtypes=tr_sentence(declared.accepts.name))
    nothing = (
        tr("Nothing is connected; it may stay so.") if declared and declared.optional else tr("Nothing is connected.")
    )
    return CardFacts(str(port), tr("input"), sentences=tuple(filter(None, (nothing, taken))))


# Blocks


def _block_facts(mirror: Mirror, block_id: str) -> CardFacts:
    shape, session = mirror.shapes[mirror.rows[block_id]], mirror.session
    # The page may already be without the block while the mirror still shows it.
    block = mirror.blocks[mirror.rows[block_id]]
    rows: list[Row] = []
    for port in shape.outputs:
        reading = session.port(Port(block_id, port.name))
        if reading is None:
            continue
        name = plain(port.name) if len(shape.outputs) > 1 else ""
        rows += [dataclasses.replace(row, label=f"{row.label} {name}".strip()) for row in _value_rows(reading.value)]
        if reading.status is not Status.NO_GRADIENT_DTYPE:
            gradient = _gradient_cells(reading)
            rows.append(Row(f"∂L {name}".strip(), gradient, LOOKS[reading.status].token))
    messages = [tr_sentence(problem.message) for problem in mirror.problems.get(block_id, ())]
    if block.is_muted:
        messages.insert(0, tr("Muted: it passes its input on."))
    if shape.body is Body.LOSS and mirror.is_used_loss(block_id):
        messages.insert(0, meaning(Term.SEED))
    summary = tr("The library has no such block type.") if shape.type is None else tr_sentence(shape.type.summary)
    outputs = shape.outputs
    right = _spec_text(mirror, Port(block_id, outputs[0].name)) if len(outputs) == 1 else ""
    named = block.type if block.type.lower() == block_id.lower() else f"{block.type} {block.label or block_id}"
    formula = "" if shape.type is None else shape.type.formula
    return CardFacts(plain(named), right, tuple(rows), formula, sentences=(summary.replace("`", ""), *messages))


# Texts


def _spec_text(mirror: Mirror, port: Port) -> str:
    spec = mirror.session.spec(port)
    return "?" if spec is None else f"{shape_text(spec.shape)} {spec.dtype.name}"


def _norm_text(gradient: Reading | None) -> str:
    return (
        ""
        if gradient is None or gradient.size == 0
        else tr("norm {norm}", norm=fmt_statistic(gradient.norm, gradient.is_finite))
    )


def _cells(reading: Reading, is_signed: bool = False) -> tuple[str, ...]:
    """Returns up to four numbers for columns, else one text."""
    if reading.dtype != "bool" and 0 < reading.size <= CELLS:
        return tuple(map(_signed if is_signed else fmt, reading.first))
    if is_signed and reading.size > CELLS and reading.is_finite:
        listed = f"{fmt_list(reading.first)}   " if reading.size <= LISTED else ""
        return (f"{listed}Σ {_signed(reading.total)}",)
    return (value_text(reading, LISTED),)


def _signed(number: float) -> str:
    return f"+{fmt(number)}" if number > 0 else fmt(number)


def _amounts(reading: Reading) -> tuple[float, ...]:
    return reading.first if reading.size <= CELLS else (reading.total,)


def _known_amounts(reading: Reading | None) -> tuple[float, ...]:
    return () if reading is None else _amounts(reading)
