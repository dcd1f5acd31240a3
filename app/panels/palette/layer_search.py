"""A search for layers by their names, and the words of frameworks and people."""

from __future__ import annotations

import re
from collections.abc import Callable

from gradwire.blocks.layers.catalogue import CATEGORY, LAYERS, Layer
from gradwire.blocks.layers.typed_layers import names_of, plain_name
from gradwire.engine.blocktypes.library import library

LayerFits = Callable[[Layer], bool]


def find_layers(query: str, fits: LayerFits | None = None) -> tuple[list[Layer], list[Layer]]:
    """Returns the layers that a query names, and those whose names or words begin with it.

    A layer that is called like a block type is of the second kind: the block comes first.
    """
    text = _plain(query)
    if len(text) < 2:
        return [], []
    named, begun = list[Layer](), list[Layer]()
    for layer in LAYERS.values():
        names = names_of(layer)
        if fits is not None and not fits(layer):
            continue
        if text in names and layer.name not in library:
            named.append(layer)
        elif any(name.startswith(text) for name in (*names, plain_name(CATEGORY))):
            begun.append(layer)
    return named, begun


def _plain(text: str) -> str:
    """Returns a text without its call, module, blanks and signs: `nn.LSTMCell(8)` becomes `lstmcell`."""
    called = re.sub(r"\(.*", "", text.lower())
    return plain_name(called.rpartition(".")[2])
