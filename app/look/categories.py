"""The colour and icon of each block type: by its category, for some types by name."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.blocks.layers.catalogue import CATEGORY, Layer
from gradwire.engine.blocktypes.block_type import BlockType, Role

_CATEGORIES = {
    "Activations": ("cat.activation", "activation"),
    "Arithmetic": ("cat.math", "math"),
    "Comparison": ("cat.math", "branch"),
    "Convolution": ("cat.linalg", "heat"),
    "Control": ("cat.gradient", "stopgrad"),
    "Elementwise": ("cat.math", "exp"),
    "Images": ("cat.shape", "eye"),
    "Indexing": ("cat.shape", "table"),
    "Layers": ("cat.linalg", "layout"),
    "Linear algebra": ("cat.linalg", "linalg"),
    "Losses": ("cat.loss", "target"),
    "Monitor": ("cat.monitor", "monitor"),
    "Normalization": ("cat.activation", "sliders"),
    "Optimizers": ("cat.variable", "bolt"),
    "Pages": ("cat.linalg", "folder"),
    "Pooling": ("cat.reduce", "fit"),
    "Random": ("cat.source", "dots"),
    "Reduce": ("cat.reduce", "reduce"),
    "Scan and sort": ("cat.reduce", "step-fwd"),
    "Segments": ("cat.reduce", "tag"),
    "Shape": ("cat.shape", "shape"),
    "Sources": ("cat.source", "source"),
    "Special functions": ("cat.math", "wand"),
    "State": ("cat.variable", "dataset"),
    "Trigonometry": ("cat.math", "refresh"),
}
_UNKNOWN = ("text.tertiary", "help")
_ICONS = {
    "Add": "add",
    "AddN": "sigma",
    "Constant": "lock",
    "Divide": "div",
    "Gradients": "grad",
    "Identity": "arrow-r",
    "Multiply": "mul",
    "PreventGradient": "error",
    "ReduceMax": "max",
    "ReduceMean": "hist",
    "ReduceSum": "sigma",
    "Reroute": "route",
    "Subtract": "sub",
    "Variable": "variable",
}


def type_title(block_type: BlockType) -> str:
    """Returns the name of a block type as users read it."""
    if block_type.role in (Role.PAGE_INPUT, Role.PAGE_OUTPUT):
        return tr("Input of page") if block_type.role is Role.PAGE_INPUT else tr("Output of page")
    return block_type.name


def color_token(block_type: BlockType | Layer | None) -> str:
    """Returns the colour token for the stripe and icon of a block type or layer; None stands for an unknown type."""
    if block_type is None:
        return _UNKNOWN[0]
    if isinstance(block_type, Layer):
        return category_look(CATEGORY)[0]
    if block_type.name == "Variable":
        return "cat.variable"
    return "cat.loss" if block_type.role is Role.LOSS else category_look(block_type.category)[0]


def icon_name(block_type: BlockType | Layer | None) -> str:
    """Returns the icon of a block type or layer; None stands for an unknown type."""
    if block_type is None:
        return _UNKNOWN[1]
    if isinstance(block_type, Layer):
        return category_look(CATEGORY)[1]
    return _ICONS.get(block_type.name) or category_look(block_type.category)[1]


def category_look(category: str) -> tuple[str, str]:
    """Returns the colour token and the icon of a category."""
    return _CATEGORIES.get(category, _UNKNOWN)
