"""The facts and texts of a hover card for a wire, a port or a block, not yet drawn."""

from __future__ import annotations

import dataclasses
import math
import re
from dataclasses import dataclass

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.canvas.geometry.fold_norms import fold_norms
from gradwire.app.canvas.geometry.loop_words import block_remarks
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import Body
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.input.arrow_navigation import exists
from gradwire.app.canvas.painting.labels.label_texts import summary_text
from gradwire.app.live.explanation.explanation import Explanation, explain
from gradwire.app.live.explanation.run_facts import Facts, facts_of_session
from gradwire.app.live.explanation.sentences import gradient_sentence, own_rule_page, tie_sentence
from gradwire.app.live.explanation.zero_sentences import zero_sentences
from gradwire.app.live.readings.amounts import gradient_text, norm_text
from gradwire.app.live.readings.readings import Reading
from gradwire.app.look.formulas import statements
from gradwire.app.look.glossary import Term, meaning
from gradwire.app.look.numbers import fmt, fmt_list, shape_text, signed
from gradwire.app.look.statuses import LOOKS
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
    if not exists(mirror, target):
        return None
    if target.port is not None:
        port, is_input = target.port
        return _input_facts(mirror, port) if is_input else _output_facts(mirror, port)
    if target.wire is not None:
        return _wire_facts(mirror, target.wire)
    if target.block is not None:
        return _block_facts(mirror, target.block)
    return None if target.layer is None else _layer_facts(mirror, target.layer)


def _layer_facts(mirror: Mirror, block_id: str) -> CardFacts | None:
    """Collects the numbers of one layer of a fold; None if it is not in one any longer."""
    fold = mirror.folds.get(mirror.shown(block_id))
    if fold is None:
        return None
    at, norms = next(at for at, layer in enumerate(fold.layers) if block_id in layer), fold_norms(mirror, fold)
    rows = [
        Row("∂L", (fmt(float(norms.gradients[at])),), "grad.text"),
        *(Row(f"∂L {name}", (fmt(float(item[at])),), "grad.text") for name, item in norms.weights.items()),
        Row(tr("out"), (fmt(float(norms.outputs[at])),), "value"),
    ]
    return CardFacts(tr("layer {number}", number=fold.first + at), fold.shape.title, tuple(rows), foot=tr("sizes"))


# Wires


def _wire_facts(mirror: Mirror, wire: Wire) -> CardFacts:
    title = plain(f"{wire.source} → {wire.target}")
    if mirror.wire_rows[wire] in mirror.broken:
        reason = tr("This wire is not connected: one end does not exist, or another wire is connected there.")
        return CardFacts(title, "", sentences=(reason,))
    right = _spec_text(mirror, wire.source)
    if mirror.session.wire(wire) is None:
        return CardFacts(title, right, sentences=(tr("This wire is not computed yet."),))
    facts = facts_of_session(mirror.session)
    found = explain(facts, mirror.session.link(wire))
    rows = (*_value_rows(found.value), *_gradient_rows(found))
    formula, foot = _local_formula(mirror, wire.target), _norm_text(found.gradient)
    return CardFacts(title, right, rows, formula, foot, _why(facts, found))


def _value_rows(value: Reading | None) -> tuple[Row, ...]:
    if value is None:
        return (Row(tr("value"), ("?",), "text.tertiary"),)
    rows = (Row(tr("value"), _cells(value), "value", _amounts(value)),)
    if value.size <= LISTED or value.dtype == "bool":
        return rows
    span = f"{fmt(value.low)} … {fmt(value.high)}" if value.is_finite else "–"
    return (*rows, Row(tr("range"), (span,), "text.secondary"))


def _gradient_rows(found: Explanation) -> tuple[Row, ...]:
    if found.status is Status.NO_GRADIENT_DTYPE:
        return ()
    rows = [_gradient_row("∂L", found)]
    if found.withheld is not None:
        rows.append(Row(tr("withheld"), (tr("size {norm}", norm=fmt(found.withheld)),), "text.secondary"))
    return tuple(rows)


def _gradient_row(label: str, found: Explanation, is_total: bool = False, is_part: bool = False) -> Row:
    token = LOOKS[found.status].token
    return Row(label, _gradient_cells(found), token, _amounts(found.gradient), is_total, is_part)


def _gradient_cells(found: Explanation) -> tuple[str, ...]:
    gradient, has_numbers = found.gradient, found.status in (Status.FLOW, Status.NONFINITE, Status.ZERO)
    if gradient is None or not has_numbers or (found.status is Status.ZERO and gradient.norm):
        return (gradient_text(found.status, gradient),)
    return _cells(gradient, is_signed=True)


def _why(facts: Facts, found: Explanation) -> tuple[str, ...]:
    """Returns a line on why a gradient is what it is, one on its zeros, on the rule that gave it, and on a tie."""
    first = found.origin.first if found.status is Status.NONFINITE and found.origin is not None else None
    said = gradient_sentence(facts, found) if first is None else tr_sentence(first.sentence)
    page = own_rule_page(facts, found)
    own = page and tr("Own rule: page {page} gives this gradient.", page=page)
    return tuple(filter(None, [said, zero_sentences(facts, found), own, tie_sentence(facts, found.tie)]))


def _local_formula(mirror: Mirror, target: Port) -> str:
    """Returns the gradient rule of a block for one input in LaTeX; "" where the rule does not name that input."""
    block_type = mirror.outline(target.block).type
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
    right = _spec_text(mirror, port)
    if session.port(port) is None:
        return CardFacts(str(port), right, sentences=(tr("This output is not computed yet."),))
    facts = facts_of_session(session)
    found = explain(facts, session.port_name(port))
    if found.status is Status.NO_GRADIENT_DTYPE:
        return CardFacts(str(port), right, _value_rows(found.value), sentences=_why(facts, found))
    total = _gradient_row(tr("∂L total"), found, is_total=True)
    rows = (*_value_rows(found.value), *_parts(facts, mirror, port), total)
    return CardFacts(str(port), right, rows, foot=_norm_text(found.gradient), sentences=_why(facts, found))


def _parts(facts: Facts, mirror: Mirror, port: Port) -> list[Row]:
    """Returns the gradients that an output receives: a row for each wire, and for each reader without a wire."""
    session, rows = mirror.session, []
    for wire in session.page.wires_from(port):
        if session.wire(wire) is not None:
            found = explain(facts, session.link(wire))
            rows.append(_gradient_row(plain(f"→ {wire.target}"), found, is_part=True))
    name: PortName = session.port_name(port)
    for part in session.results.inner_parts(name) if session.results is not None else ():
        cells = ("?",) if part.gradient is None else _cells(part.gradient, is_signed=True)
        label = tr("inside {block}", block=part.by.rpartition("/")[2])
        rows.append(Row(label, cells, "grad.text", _amounts(part.gradient), is_part=True))
    return rows


def _input_facts(mirror: Mirror, port: Port) -> CardFacts:
    wire = mirror.session.page.wires.get(port)
    if wire is not None and wire in mirror.wire_rows:
        return _wire_facts(mirror, wire)
    block_type = mirror.outline(port.block).type
    declared = None if block_type is None else block_type.input_port(port.name)
    taken = "" if declared is None else tr("Accepts {dtypes}.", dtypes=tr_sentence(declared.accepts.name))
    may_stay = declared is not None and declared.optional
    nothing = tr("Nothing is connected; it may stay so.") if may_stay else tr("Nothing is connected.")
    return CardFacts(str(port), tr("input"), sentences=tuple(filter(None, (nothing, taken))))


# Blocks


def _block_facts(mirror: Mirror, block_id: str) -> CardFacts:
    shape, session = mirror.outline(block_id), mirror.session
    # The page may already be without the block while the mirror still shows it.
    block = mirror.blocks[mirror.rows[block_id]]
    facts, rows = facts_of_session(session), list[Row]()
    for port in shape.outputs:
        if session.port(Port(block_id, port.name)) is None:
            continue
        found = explain(facts, session.port_name(Port(block_id, port.name)))
        name = plain(port.name) if len(shape.outputs) > 1 else ""
        rows += [dataclasses.replace(row, label=f"{row.label} {name}".strip()) for row in _value_rows(found.value)]
        if found.status is not Status.NO_GRADIENT_DTYPE:
            rows.append(Row(f"∂L {name}".strip(), _gradient_cells(found), LOOKS[found.status].token))
    summary = tr("The library has no such block type.") if shape.type is None else tr_sentence(shape.type.summary)
    messages = [summary.replace("`", ""), *block_remarks(mirror, block_id)]
    messages += [meaning(Term.SEED)] if shape.body is Body.LOSS and mirror.is_used_loss(block_id) else []
    messages += [tr("Muted: it passes its input on.")] if block.is_muted else []
    messages += [tr_sentence(problem.message) for problem in mirror.problems_of(block_id)]
    outputs = shape.outputs
    right = _spec_text(mirror, Port(block_id, outputs[0].name)) if len(outputs) == 1 else ""
    named = block.type if block.type.lower() == block_id.lower() else f"{block.type} {block.label or block_id}"
    formula = "" if shape.type is None else shape.type.formula
    return CardFacts(plain(named), right, tuple(rows), formula, sentences=tuple(messages))


# Texts


def _spec_text(mirror: Mirror, port: Port) -> str:
    spec = mirror.session.spec(port)
    return "?" if spec is None else f"{shape_text(spec.shape)} {spec.dtype.name}"


def _norm_text(gradient: Reading | None) -> str:
    return "" if gradient is None or gradient.size == 0 else norm_text(gradient)


def _cells(reading: Reading, is_signed: bool = False) -> tuple[str, ...]:
    """Returns up to four numbers for columns, else one text."""
    if reading.dtype != "bool" and 0 < reading.size <= CELLS:
        return tuple(map(signed if is_signed else fmt, reading.first))
    if is_signed and reading.size > CELLS and reading.is_finite:
        listed = f"{fmt_list(reading.first)}   " if reading.size <= LISTED else ""
        return (f"{listed}Σ {signed(reading.total)}",)
    return (summary_text(reading, LISTED),)


def _amounts(reading: Reading | None) -> tuple[float, ...]:
    return () if reading is None else reading.first if reading.size <= CELLS else (reading.total,)
