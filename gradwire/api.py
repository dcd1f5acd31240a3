"""The names that a plug-in needs to declare block types; it imports nothing else of Gradwire.

A plug-in states the version of this module that it was made for: `GRADWIRE_API = 1`. The version rises when a name
goes or changes its meaning; new names leave it as it is. All block types (`Where`, `MatMul`, ...) are names of this
module too, since gradient rules call them.
"""

from __future__ import annotations

from gradwire.engine.base.errors import DtypeError, ParameterError, PluginError, ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import Array, Shape, TensorSpec, broadcast_axes, broadcast_shapes, normalize_axis
from gradwire.engine.blocktypes.block_type import (
    ANY,
    BOOLEAN,
    FLOAT,
    INDEX,
    NUMBER,
    UNSHARED,
    BlockType,
    Dtypes,
    block,
    same_shape,
)
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import (
    Axes,
    Axis,
    DtypeName,
    IntList,
    Kind,
    Number,
    NumberList,
    Padding,
    Pairs,
    Sizes,
    Tensor,
)
from gradwire.engine.blocktypes.spelling import Spelling, call, documented
from gradwire.engine.blocktypes.target import Target
from gradwire.engine.plugins.plugin_types import API_VERSION

__all__ = [
    "ANY",
    "API_VERSION",
    "BOOLEAN",
    "FLOAT",
    "INDEX",
    "NUMBER",
    "UNSHARED",
    "Array",
    "Axes",
    "Axis",
    "BlockType",
    "DtypeError",
    "DtypeName",
    "Dtypes",
    "Expression",
    "IntList",
    "Kind",
    "Number",
    "NumberList",
    "Padding",
    "Pairs",
    "ParameterError",
    "PluginError",
    "Shape",
    "ShapeError",
    "Sizes",
    "Spelling",
    "Target",
    "Tensor",
    "TensorSpec",
    "ValueProblem",
    "block",
    "broadcast_axes",
    "broadcast_shapes",
    "call",
    "documented",
    "normalize_axis",
    "same_shape",
]


def __getattr__(name: str) -> BlockType:
    found = None if name.startswith("_") else library.get(name)
    if found is None:
        raise AttributeError(f"gradwire.api has no name {name}")
    return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(item.name for item in library.for_users())})


# Last: enabled plug-ins are imported together with the blocks, and find all names above.
import gradwire.blocks  # noqa: E402, F401
