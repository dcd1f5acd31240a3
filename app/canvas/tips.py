"""What the tooltip says of the thing under the pointer, as plain text."""

from __future__ import annotations

import html

from app.canvas.labels import value_text
from app.canvas.mirror import Mirror
from app.canvas.picking import Target
from app.live.readings import WireReading
from app.look.numbers import fmt, shape_text
from engine.graph import Port, Wire
from engine.status import Status

_WORDS = {
    Status.FLOW: "a gradient flows",
    Status.ZERO: "numerically zero",
    Status.BLOCKED: "0, blocked by {by}",
    Status.NON_DIFFERENTIABLE: "0, no derivative at {by}",
    Status.NO_PATH: "no path to the loss",
    Status.NO_GRADIENT_DTYPE: "none: not floating point",
    Status.NONFINITE: "not finite",
    Status.UNKNOWN: "not known",
}


def status_words(status: Status, by: tuple[str, ...]) -> str:
    """A status in words, with the blocks that cause it."""
    return _WORDS[status].format(by=", ".join(path.rpartition("/")[2] for path in by))


def plain_tip(text: str) -> str:
    """A tooltip that shows a text as it is; Qt would take `<b>` in a name for markup."""
    return f"<div style='white-space: pre-wrap'>{html.escape(text)}</div>" if text else ""


def tip_for(mirror: Mirror, target: Target) -> str:
    """The tooltip of what is under the pointer, "" for nothing."""
    if target.port is not None:
        return plain_tip(_port_text(mirror, *target.port))
    if target.wire is not None:
        return plain_tip(wire_text(mirror, target.wire))
    if target.block is not None and target.block in mirror.rows:
        return plain_tip(_block_text(mirror, target.block))
    return ""


def wire_text(mirror: Mirror, wire: Wire) -> str:
    """A wire in words: its ends, value, gradient, and why."""
    reading = mirror.session.wire(wire)
    head = f"{wire.source} → {wire.target}"
    if mirror.wire_rows.get(wire) in mirror.broken:
        return f"{head}\nThis wire leads nowhere: an end of it does not exist, or another wire ends there."
    return head if reading is None else f"{head}\n{_reading_text(reading)}"


def _reading_text(reading: WireReading) -> str:
    value = "?" if reading.value is None else value_text(reading.value, 8)
    lines = [f"value  {value}"]
    if reading.value is not None:
        lines[0] += f"   {shape_text(reading.value.shape)} {reading.value.dtype}"
    if reading.gradient is not None:
        numbers = value_text(reading.gradient, 8)
        lines.append(f"∂L  {numbers}   norm {fmt(reading.gradient.norm)}")
    lines.append(f"gradient: {status_words(reading.status, reading.by)}")
    if reading.withheld is not None:
        lines.append(f"withheld: norm {fmt(reading.withheld)}")
    return "\n".join(lines)


def _port_text(mirror: Mirror, port: Port, is_input: bool) -> str:
    shape = mirror.shapes[mirror.rows[port.block]].port(port.name, is_input)
    spec = None if shape is None else shape.spec
    what = "input" if is_input else "output"
    return f"{port}  ({what}, {'not known yet' if spec is None else spec})"


def _block_text(mirror: Mirror, block_id: str) -> str:
    shape = mirror.shapes[mirror.rows[block_id]]
    summary = "unknown block type" if shape.type is None else f"{shape.type.name}: {shape.type.summary}"
    messages = [problem.message for problem in mirror.problems.get(block_id, ())]
    return "\n".join([f"{block_id}  {summary}", *messages])
