"""What of a page is drawn together: one layer, or what is dimmed and what is not."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import NamedTuple

import numpy as np

from app.canvas.labels import Placed
from app.canvas.page_arrays import PageArrays, Rows
from app.live.session import Selection


class Layer(NamedTuple):
    """Rows of blocks and wires, the labels of those wires by row, and the ids of frames and notes."""

    blocks: Rows
    wires: Rows
    labels: Mapping[int, Placed]
    notes: Set[str]


def split(arrays: PageArrays, lit: Selection, whole: Layer) -> tuple[Layer, Layer]:
    """What of a layer is lit, and the rest."""
    blocks = np.array([arrays.ids[row] in lit.blocks for row in whole.blocks], bool)
    wires = np.array([arrays.wires[row] in lit.wires for row in whole.wires], bool)
    bright = {row: placed for row, placed in whole.labels.items() if arrays.wires[row] in lit.wires}
    dim = {row: placed for row, placed in whole.labels.items() if row not in bright}
    notes = lit.frames | lit.notes
    return (
        Layer(whole.blocks[blocks], whole.wires[wires], bright, whole.notes & notes),
        Layer(whole.blocks[~blocks], whole.wires[~wires], dim, whole.notes - notes),
    )
