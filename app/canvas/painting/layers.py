"""The layers of a page that are drawn together: one of all, or a dimmed one and a lit one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import NamedTuple

import numpy as np

from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.canvas.geometry.routing import Rows
from gradwire.app.canvas.painting.labels.block_names import Named
from gradwire.app.canvas.painting.labels.labels import Placed
from gradwire.app.canvas.painting.look import Look
from gradwire.app.live.session import Selection


class Layer(NamedTuple):
    """Rows of blocks and wires, the labels of those wires by row, names of blocks, and the ids of frames and notes."""

    blocks: Rows
    wires: Rows
    labels: Mapping[int, Placed]
    names: Sequence[Named]
    notes: Set[str]


def split(arrays: PageArrays, lit: Selection, whole: Layer) -> tuple[Layer, Layer]:
    """Splits a layer into its lit part and the rest."""
    blocks = np.array([arrays.ids[row] in lit.blocks for row in whole.blocks], bool)
    wires = np.array([arrays.wires[row] in lit.wires for row in whole.wires], bool)
    bright = {row: placed for row, placed in whole.labels.items() if arrays.wires[row] in lit.wires}
    dim = {row: placed for row, placed in whole.labels.items() if row not in bright}
    notes = lit.frames | lit.notes
    names = [item for item in whole.names if arrays.ids[item.row] in lit.blocks]
    others = [item for item in whole.names if arrays.ids[item.row] not in lit.blocks]
    return (
        Layer(whole.blocks[blocks], whole.wires[wires], bright, names, whole.notes & notes),
        Layer(whole.blocks[~blocks], whole.wires[~wires], dim, others, whole.notes - notes),
    )


def drawing_order(arrays: PageArrays, look: Look, wires: Rows) -> list[int]:
    """Returns rows in drawing order: small gradients first, the hovered block and the selection last."""
    hovered = look.hovered.selection()
    own = arrays.wires_of(hovered.blocks)
    rows = [arrays.wire_rows[wire] for wire in look.selection.wires | hovered.wires if wire in arrays.wire_rows]
    is_own, is_chosen = np.zeros((2, len(arrays.wires)), bool)
    is_own[own] = is_chosen[rows] = True
    order = np.lexsort((arrays.wire_norm[wires], is_own[wires], is_chosen[wires]))
    return wires[order].tolist()
