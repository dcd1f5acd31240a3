"""Results as text for a terminal: the table of wires, the help of a block type, the lists."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from engine.block_type import BlockType, InputPort, OutputPort
from engine.parameters import Parameter
from engine.plain_text import LONGEST_PARAGRAPH, plain
from engine.snapshot import Snapshot, WireResult
from engine.status import Status
from engine.tensor_spec import Array, spec_of

ELEMENTS_SHOWN = 6
HEADINGS = ("wire", "value", "gradient", "status")


def wire_table(snapshot: Snapshot) -> str:
    """One line a wire: the value that flows right, the gradient that flows back along it, and why it is so."""
    rows = [HEADINGS]
    for link, wire in snapshot.wires.items():
        source = snapshot.ports.get(link.source)
        value = "?" if source is None or source.value is None else array_text(source.value)
        rows.append((f"{link.source} -> {link.target}", value, _gradient_text(wire), _status_text(wire)))
    return columns(rows)


def loss_line(snapshot: Snapshot) -> str:
    """The loss in one line."""
    if snapshot.loss is None:
        return "no loss"
    name = plain(snapshot.loss.name or "sum of all losses")
    return f"{name} = {'?' if snapshot.loss.value is None else array_text(snapshot.loss.value)}"


def array_text(array: Array) -> str:
    """A small array with its numbers, a larger one with its shape and range; six digits."""
    if array.size <= ELEMENTS_SHOWN:
        return _nested(array)
    if array.dtype.kind == "b":
        return f"{spec_of(array)} with {int(array.sum())} true"
    return f"{spec_of(array)} from {_number(array.min())} to {_number(array.max())}"


def columns(rows: Iterable[Sequence[str]]) -> str:
    """Rows of text in aligned columns."""
    table = [[plain(cell, LONGEST_PARAGRAPH) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table)
    return "\n".join(line.rstrip() for line in lines)


def block_help(block_type: BlockType) -> str:
    """The help page of a block type."""
    lines = [f"{block_type.name} ({block_type.category})", "", block_type.help, ""]
    facts = [
        ("inputs", ", ".join(port_names(block_type.inputs)) or "none"),
        ("outputs", ", ".join(port_names(block_type.outputs)) or "none"),
        *((f"parameter {item.name}", ", ".join(parameter_facts(item))) for item in block_type.parameters.values()),
        ("value", block_type.formula),
        ("gradient", block_type.gradient_formula),
        ("source", block_type.source),
        ("NumPy", block_type.spelling.shown("numpy")),
        ("TensorFlow", block_type.spelling.shown("tensorflow")),
        ("PyTorch", block_type.spelling.shown("torch")),
        ("JAX", block_type.spelling.shown("jax")),
    ]
    return "\n".join([*lines, columns([fact for fact in facts if fact[1]])])


def port_names(ports: Iterable[InputPort | OutputPort]) -> list[str]:
    """Port names as the help writes them: a star marks a variadic port, a question mark an optional one."""
    return [
        port.name + ("*" if port.variadic else "?" if isinstance(port, InputPort) and port.optional else "")
        for port in ports
    ]


def parameter_facts(parameter: Parameter) -> tuple[str, str]:
    """What a parameter takes, and what it is where nothing is said."""
    choices = f" ({', '.join(parameter.kind.choices)})" if parameter.kind.choices else ""
    default = "required" if parameter.is_required else f"default {default_text(parameter)}"
    return f"{parameter.kind.name}{choices}", default


def default_text(parameter: Parameter) -> str:
    """What a parameter is where nothing is said."""
    value = parameter.default
    if value is None or isinstance(value, bool):
        return {None: "none", True: "true", False: "false"}[value]
    return '""' if value == "" else str(value)


def _gradient_text(wire: WireResult) -> str:
    return "-" if wire.gradient is None else array_text(wire.gradient)


def _status_text(wire: WireResult) -> str:
    text = str(wire.status)
    if wire.by:
        text += f" by {', '.join(wire.by)}"
    if wire.withheld is not None and wire.status is Status.BLOCKED:
        text += f", which withholds {array_text(wire.withheld)}"
    return text


def _nested(array: Array) -> str:
    if array.ndim == 0:
        return _number(array[()])
    return "[" + " ".join(_nested(item) for item in array) + "]"


def _number(number: Any) -> str:  # Any: a scalar of whatever dtype
    if isinstance(number, np.bool_):
        return "true" if number else "false"
    # Adding 0 turns minus zero into zero: the sign of a zero is for the file, not for a reader.
    return str(number) if isinstance(number, np.integer) else f"{float(number) + 0:.6g}"
