"""The sentences of a page for users who listen: one for each block, port and wire."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gradwire.app.base.translation import grouped, tr, tr_count, tr_sentence
from gradwire.app.canvas.access.picture_words import picture_words
from gradwire.app.canvas.geometry.fold_norms import fold_norms
from gradwire.app.canvas.geometry.folded_page import ShownFold
from gradwire.app.canvas.geometry.loop_words import block_remarks
from gradwire.app.canvas.geometry.main_setting import axis_text, field_of, value_of
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import BlockShape, PortShape
from gradwire.app.canvas.input.arrow_navigation import Socket
from gradwire.app.canvas.painting.blocks.field_painter import choice_text
from gradwire.app.canvas.painting.blocks.slice_picker import picker_of
from gradwire.app.live.explanation.explanation import Explanation, explain
from gradwire.app.live.explanation.run_facts import Place, facts_of_session
from gradwire.app.live.explanation.sentences import own_rule_page
from gradwire.app.live.readings.readings import PlaceReading, Reading, Results
from gradwire.app.live.readings.stop_changes import differs
from gradwire.app.live.session import Selection
from gradwire.app.look.categories import color_token
from gradwire.app.look.numbers import fmt
from gradwire.app.look.status_texts import cause_clause, status_spoken
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.graph import Port, Wire
from gradwire.engine.graph.paths import name_in_rounds

ELEMENTS = 8


def page_sentence(mirror: Mirror) -> str:
    """Returns a page: its name and size."""
    blocks = tr_count("{count} block", "{count} blocks", len(mirror.ids))
    wires = tr_count("{count} wire", "{count} wires", len(mirror.wires))
    return tr("Page {name}, {blocks}, {wires}", name=mirror.session.page_name, blocks=blocks, wires=wires)


def block_sentence(mirror: Mirror, block_id: str, selection: Selection) -> str:
    """Returns a block: what it is called, its kind, its ports and its state: `Subtract d, math, 2 inputs, 1 output`.

    A Loss says its value too, and a block with a picture what it shows.
    """
    if block_id in mirror.folds:
        return _fold_sentence(mirror, mirror.folds[block_id])
    row = mirror.rows[block_id]
    shape, block = mirror.shapes[row], mirror.blocks[row]
    inputs = sum(not port.is_free for port in shape.inputs)
    is_loss = shape.role is Role.LOSS and bool(shape.outputs)
    reading = mirror.session.port(Port(block_id, shape.outputs[0].name)) if is_loss else None
    parts = [
        called(shape),
        kind_of(shape),
        tr_count("{count} input", "{count} inputs", inputs) if inputs else "",
        tr_count("{count} output", "{count} outputs", len(shape.outputs)) if shape.outputs else "",
        *setting_words(mirror, block_id),
        tr("value {value}", value=value_words(reading.value)) if reading is not None else "",
        picture_words(mirror, block_id),
        *block_remarks(mirror, block_id),
        tr("muted") if block.is_muted else "",
        tr("collapsed") if block.is_collapsed else "",
        tr("selected") if block_id in selection.blocks else "",
        *(tr_sentence(problem.message) for problem in mirror.problems_of(block_id)),
    ]
    return _listed(parts)


def _fold_sentence(mirror: Mirror, fold: ShownFold) -> str:
    norms = fold_norms(mirror, fold)
    first, last = map(fmt, norms.gradients[[0, -1]].tolist())
    step, parts = norms.largest_step, [fold.shape.title]
    if step is not None:
        parts.append(tr("gradient from {first} to {last}", first=first, last=last))
        layer = fold.first + step.layer
        parts.append(tr("largest step: {factor} across layer {layer}", factor=step.text, layer=layer))
    return _listed([*parts, tr("click to open")])


def setting_words(mirror: Mirror, block_id: str) -> Iterator[str]:
    """Returns the words for the choices on a block: its main setting, and the slice that is shown."""
    row = mirror.rows[block_id]
    shape, parameter = mirror.shapes[row], field_of(mirror.shapes[row].type)
    if shape.field and parameter is not None:
        value = value_of(mirror.blocks[row], parameter)
        said = axis_text(value) if isinstance(value, bool) else choice_text(value)
        yield f"{parameter.name} {said}"
    picker = picker_of(mirror, block_id)
    if picker is not None:
        yield tr("slice {index}", index=picker.text)


def frame_sentence(mirror: Mirror, frame_id: str) -> str:
    """Returns a frame: its title and how much it holds."""
    frame = next(item for item in mirror.session.page.frames if item.id == frame_id)
    count = tr_count("{count} block", "{count} blocks", len(frame.blocks))
    return tr("Frame {title}, {blocks}", title=frame.title, blocks=count)


def note_sentence(mirror: Mirror, note_id: str) -> str:
    """Returns a note: its text."""
    note = next(item for item in mirror.session.page.notes if item.id == note_id)
    return tr("Note: {text}", text=" ".join(note.text.splitlines()))


def port_sentence(mirror: Mirror, socket: Socket) -> str:
    """Returns a port: its side, name, shape, whether it is connected, and of an output the gradients' sum."""
    port, is_input = socket
    shape = mirror.shapes[mirror.rows[port.block]]
    found = shape.port(port.name, is_input, port.block)
    whole = tr("Input {port} of {block}") if is_input else tr("Output {port} of {block}")
    head = whole.format(port=plain(port.name), block=called(shape))
    if found is None:
        return head
    spec = _spec_words(mirror, port.block, found)
    return _listed([head, spec, _wires_words(mirror, socket), _sum_words(mirror, socket)])


def _sum_words(mirror: Mirror, socket: Socket) -> str:
    """Returns the gradient of an output in words: that of its wire, or the sum over its wires."""
    port, is_input = socket
    found = None if is_input else explained(mirror, mirror.session.port_name(port))
    if found is None or found.status is Status.UNKNOWN:
        return ""
    words = gradient_words(mirror, found)
    return tr("sum over its wires: {gradient}", gradient=words) if _fanout(mirror, port) > 1 else words


def _fanout(mirror: Mirror, port: Port) -> int:
    """Returns how many wires leave an output."""
    return sum(mirror.wires[row].source == port for row in mirror.wires_of(frozenset([port.block])))


def wire_sentence(mirror: Mirror, wire: Wire) -> str:
    """Returns a wire: its ends, its value, its gradient and why that is so."""
    ends = tr("Wire from {source} to {target}", source=source_words(mirror, wire), target=target_words(mirror, wire))
    if mirror.wire_rows.get(wire) in mirror.broken:
        return tr("{wire}: not connected", wire=ends)
    reading = mirror.session.wire(wire)
    if reading is None:
        return tr("{wire}: not computed", wire=ends)
    value, gradient = value_words(reading.value), _both_words(mirror, wire, reading)
    sentence = tr("{wire}: value {value}; {gradient}", wire=ends, value=value, gradient=gradient)
    return tr("{sentence}; from before the last edit", sentence=sentence) if mirror.session.is_stale else sentence


def _both_words(mirror: Mirror, wire: Wire, reading: PlaceReading) -> str:
    """Returns the gradient of a wire in words, and the other one where the canvas compares and they differ."""
    session, link = mirror.session, mirror.session.link(wire)
    words = gradient_words(mirror, explained(mirror, link))
    others = None if session.results is None else session.results.compared
    other = None if others is None else others.wire(link)
    if other is None or not differs(reading, other):
        return words
    other_words = gradient_words(mirror, explained(mirror, link, others))
    if session.runs.preview is None:
        return tr("{gradient}; without StopGradient {other}", gradient=words, other=other_words)
    return tr("{gradient}; in the preview {other}", gradient=words, other=other_words)


def called(shape: BlockShape) -> str:
    """Returns the spoken name of a block: of a source its own name, of others their type and given name."""
    if shape.type is None or shape.is_known_by_name:
        return shape.own_name
    if not shape.title or shape.name.lower() in ("", shape.title.lower()):
        return shape.title or shape.name
    return f"{shape.title} {shape.name}"


def kind_of(shape: BlockShape) -> str:
    """Returns the kind of a block, one word for each colour."""
    if shape.type is None:
        return tr("unknown type")
    words = {
        "cat.activation": tr("activation"),
        "cat.gradient": tr("gradient"),
        "cat.linalg": tr("linear algebra"),
        "cat.loss": tr("loss"),
        "cat.math": tr("math"),
        "cat.monitor": tr("monitor"),
        "cat.reduce": tr("reduction"),
        "cat.shape": tr("shape"),
        "cat.source": tr("source"),
        "cat.variable": tr("variable"),
    }
    return words.get(color_token(shape.type), tr(shape.type.category))


def source_words(mirror: Mirror, wire: Wire) -> str:
    """Returns the words for the start of a wire; they name the port where there are several."""
    row = mirror.rows.get(wire.source.block)
    is_only = row is not None and len(mirror.shapes[row].outputs) == 1
    return _end_words(mirror, wire.source, names_port=not is_only)


def target_words(mirror: Mirror, wire: Wire) -> str:
    """Returns the words for the end of a wire."""
    return _end_words(mirror, wire.target, names_port=True)


def _end_words(mirror: Mirror, port: Port, names_port: bool) -> str:
    row = mirror.rows.get(port.block)
    name = port.block if row is None else called(mirror.shapes[row])
    return f"{name} {plain(port.name)}" if names_port else name


def _spec_words(mirror: Mirror, block: str, port: PortShape) -> str:
    spec = mirror.spec_of(block, port)
    return tr("shape not known") if spec is None else _listed([shape_words(spec.shape), spec.dtype.name])


def shape_words(shape: tuple[int, ...]) -> str:
    """Returns a shape in words: `scalar`, `4`, `32 by 8`."""
    return f" {tr('by')} ".join(map(str, shape)) if shape else tr("scalar")


def _wires_words(mirror: Mirror, socket: Socket) -> str:
    port, is_input = socket
    page = mirror.session.page
    if is_input:
        wire = page.wires.get(port)
        return tr("free") if wire is None else tr("from {source}", source=source_words(mirror, wire))
    count = _fanout(mirror, port)
    return tr_count("{count} wire", "{count} wires", count) if count else tr("free")


def value_words(reading: Reading | None) -> str:
    """Returns a value in words: its elements if there are few, else its shape and range."""
    if reading is None:
        return tr("not known")
    if reading.dtype == "bool" and reading.size <= ELEMENTS:
        return ", ".join(tr("true") if item else tr("false") for item in reading.first)
    if 0 < reading.size <= ELEMENTS:
        return ", ".join(map(fmt, reading.first))
    shape = shape_words(reading.shape or ())
    if not reading.is_finite:
        return f"{shape}, {broken_words(reading)}"
    return tr("{shape}, from {low} to {high}", shape=shape, low=fmt(reading.low), high=fmt(reading.high))


def broken_words(reading: Reading) -> str:
    """Returns how many elements are not finite."""
    what, count = "NaN" if reading.nan else "Inf", grouped(reading.nan or reading.infinite)
    return tr("{what} in {count} of {size}", what=what, count=count, size=grouped(reading.size))


def explained(mirror: Mirror, place: Place, results: Results | None = None) -> Explanation:
    """Returns the facts about the gradient of a port or wire, of the results shown or of others."""
    return explain(facts_of_session(mirror.session, results), place)


def gradient_words(mirror: Mirror, found: Explanation) -> str:
    """Returns a gradient in words, with the reason why it is what it is."""
    gradient = found.gradient
    if gradient is None or found.status not in (Status.ZERO, Status.FLOW, Status.NONFINITE):
        return _status_clause(mirror, found)
    is_about_zero = found.status is Status.ZERO and gradient.norm
    numbers = tr("gradient {numbers}", numbers=value_words(gradient))
    return _listed([_status_clause(mirror, found) if is_about_zero else numbers, *_reasons(mirror, found)])


def status_words(mirror: Mirror, found: Explanation) -> str:
    """Returns the status of a gradient in words, with the blocks that cause it."""
    return _listed([_status_clause(mirror, found), *_reasons(mirror, found)])


def _status_clause(mirror: Mirror, found: Explanation) -> str:
    return status_spoken(found.status, [block_words(mirror, path) for path in found.by])


def _reasons(mirror: Mirror, found: Explanation) -> Iterator[str]:
    """Yields the cause of zeros, and among how many equal elements a block had to choose or share."""
    zeros, tie = found.zeros, found.tie
    if zeros is not None:
        clause, size = cause_clause(zeros.cause, block_words(mirror, zeros.at)), grouped(zeros.size)
        count = grouped(zeros.count)
        yield clause if zeros.is_whole else tr("{count} of {size}: {cause}", count=count, size=size, cause=clause)
    page = own_rule_page(facts_of_session(mirror.session), found)
    if page:
        yield tr("own rule on page {page}", page=page)
    if tie is not None:
        yield tr("{count} equal elements at {block}", count=grouped(tie.count), block=block_words(mirror, tie.at))


def block_words(mirror: Mirror, path: str) -> str:
    """Returns the spoken name of the block at a path; of one on another page its name alone."""
    prefix, _, name = path.rpartition("/")
    row = mirror.rows.get(name) if prefix == mirror.session.prefix else None
    return name_in_rounds(path) if row is None else called(mirror.shapes[row])


def _listed(parts: Iterable[str]) -> str:
    return ", ".join(part for part in parts if part)
