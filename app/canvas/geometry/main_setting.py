"""The main setting of a block: what its header tells of it, and for which blocks the body has a field."""

from __future__ import annotations

import numpy as np

from gradwire.app.base.translation import decimal, grouped, tr
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.parameters import REQUIRED, Parameter
from gradwire.engine.graph.graph import Block

AXES = ("axis", "axes")
# What the commonest reductions of all elements give.
_REDUCED = {
    "ReduceSum": "sum of {count}",
    "ReduceMean": "mean of {count}",
    "ReduceMax": "largest of {count}",
    "ReduceMin": "smallest of {count}",
    "ReduceProd": "product of {count}",
}
_CHOSEN = ("boolean", "choice", "dtype")


def field_of(block_type: BlockType | None) -> Parameter | None:
    """Returns the main setting of blocks of a type if it is switched or chosen on the block itself.

    That is the first parameter where no axis comes before it; of several switches, as a MatMul has, none is the main.
    """
    if block_type is None or block_type.role is not Role.ORDINARY or not block_type.parameters:
        return None
    first, *others = block_type.parameters.values()
    if first.kind.name not in _CHOSEN or any(name in block_type.parameters for name in AXES):
        return None
    is_one_of_many = first.kind.name == "boolean" and any(item.kind.name == "boolean" for item in others)
    return None if is_one_of_many else first


def value_of(block: Block, parameter: Parameter) -> object:
    """Returns the value of a block's parameter; None where it still has to be set."""
    found = block.parameters.get(parameter.name, parameter.default)
    return None if found is REQUIRED else found


def chip_of(block: Block, block_type: BlockType | None, given: TensorSpec | None = None) -> str:
    """Returns the main setting of a block in its header: its axis, else the first parameter that is not the default.

    A reduction of all that is `given` says of how much; one that has a field in the body says nothing here.
    """
    if block_type is None or block_type.role is not Role.ORDINARY or field_of(block_type) is not None:
        return ""
    for name in AXES:
        if name in block_type.parameters:
            value = block.parameters.get(name, block_type.parameters[name].default)
            if value is None and given is not None and block_type.name in _REDUCED:
                return tr(_REDUCED[block_type.name], count=grouped(given.size))
            return f"axis {axis_text(value)}"
    for name, value in block.parameters.items():
        if isinstance(value, str | int | float | tuple) and name in block_type.parameters:
            return f"{name} {axis_text(value)}"[:24]
    return ""


def axis_text(value: object) -> str:
    """Returns a parameter's value in a few letters: `all`, `0`, `0 1`, `yes`."""
    if value is None:
        return tr("all")
    if isinstance(value, bool | np.bool_):
        return tr("yes") if value else tr("no")
    if isinstance(value, tuple):
        return " ".join(map(axis_text, value)) or tr("none")
    return decimal(f"{value:g}") if isinstance(value, float) else str(value)
