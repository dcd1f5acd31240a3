"""The help of a block type as text for a terminal."""

from __future__ import annotations

from gradwire.blocks.support.examples import help_lines
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.type_help import help_rows, help_text


def block_help(block_type: BlockType) -> str:
    """Returns the help page of a block type."""
    rows = [
        *help_rows(block_type.inputs, block_type.outputs, block_type.parameters.values()),
        ("value", block_type.formula),
        ("gradient", block_type.gradient_formula),
        ("source", block_type.source),
        *((line.title, line.text) for line in help_lines(block_type)),
    ]
    return f"{block_type.name} ({block_type.category})\n\n{help_text(block_type.help, rows)}"
