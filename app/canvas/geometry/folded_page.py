"""A large page as it is shown: layers that repeat are one block, and the other blocks stand closer together."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, QRectF, Signal

from gradwire.app.base.translation import grouped, tr
from gradwire.app.canvas.geometry.shapes import HEADER, PAD, ROW, BlockShape, Body, PortShape
from gradwire.app.live.session import Session
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.graph.graph import Block, Frame, Page, Port, Wire
from gradwire.engine.layout.folds import MANY, Fold, folds_of
from gradwire.engine.layout.layout import CANVAS, Outline, arrange

# Layers that are alike are shown as one if there are so many of them.
LEAST = 2
# A page of which more blocks would still be shown stays as it is: to place them anew would take long.
PLACED_ANEW = 400
# The chart, a row of bars, and the line that tells what a click does; a fold of few layers is narrower.
CHART, BARS, HINT = 288.0, 32.0, 24.0
NARROW, WIDE, A_LAYER = 416.0, 608.0, 8.0
# So many weights of a layer have bars.
WEIGHTS = 4
BELOW_NOTE = 32


class Run(NamedTuple):
    """Layers that follow each other, from number `first` on, and the places of the weights in each."""

    layers: tuple[tuple[str, ...], ...]
    first: int
    weights: tuple[int, ...]


class ShownFold(NamedTuple):
    """Layers that are shown as one block: a run of them, and the block."""

    layers: tuple[tuple[str, ...], ...]
    first: int
    weights: tuple[int, ...]
    shape: BlockShape

    @property
    def last(self) -> int:
        """The number of the last layer."""
        return self.first + len(self.layers) - 1

    @property
    def chart_box(self) -> QRectF:
        """The rectangle of the chart, its numbers included."""
        box = self.shape.body_box
        return QRectF(box.left(), box.top(), box.width(), CHART)

    @property
    def plot(self) -> QRectF:
        """The rectangle in which the chart has a point for each layer."""
        return self.chart_box.adjusted(56, 32, -44, -70)

    def layer_at(self, x: float) -> int:
        """Returns the place of the layer whose point is nearest to a place across."""
        share = (x - self.plot.left()) / self.plot.width()
        return min(max(round(share * (len(self.layers) - 1)), 0), len(self.layers) - 1)


class Opened(QObject):
    """The layers that a user has opened: a view state, in no file and no history. `changed()` follows each change.

    A layer is open if any block of it is among the `blocks`, which are written `page/block`.
    """

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.blocks: frozenset[str] = frozenset()

    def here(self) -> frozenset[str]:
        """Returns the blocks on the page shown of layers that are open."""
        start = f"{self._session.page_name}/"
        return frozenset(name.removeprefix(start) for name in self.blocks if name.startswith(start))

    def open(self, blocks: Iterable[str]) -> None:
        """Opens the layers of some blocks of the page shown."""
        self._take(self.blocks | {f"{self._session.page_name}/{name}" for name in blocks})

    def close(self) -> bool:
        """Closes all layers of the page shown; returns whether any was open."""
        return self._take(self.blocks - {f"{self._session.page_name}/{name}" for name in self.here()})

    def _take(self, blocks: frozenset[str]) -> bool:
        before, self.blocks = self.blocks, blocks
        if blocks != before:
            self.changed.emit()
        return blocks != before


class FoldedPage(NamedTuple):
    """A page as it is shown, with its folds by the names of their first blocks.

    `fold_of` has the fold of each block that is in one. `page` holds for each fold a block of that name, the wires that
    are not inside one, and the places at which blocks and notes are shown.
    """

    page: Page
    folds: Mapping[str, ShownFold] = {}
    fold_of: Mapping[str, str] = {}


class Folding:
    """The folds of one page after the other; what has not changed is kept."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._folds: tuple[Fold, ...] = ()
        self._placed: object = None
        self._shifts: dict[str, tuple[int, int]] = {}

    def find(self, page: Page, shapes: Mapping[str, BlockShape]) -> None:
        """Finds the layers that repeat on a page; a small one has none."""
        kinds = {name: _kind(page.blocks[name], shape) for name, shape in shapes.items()}
        self._folds = folds_of(page, kinds) if len(page.blocks) > MANY else ()

    def folded(self, page: Page, shape_of: Callable[[str], BlockShape]) -> FoldedPage:
        """Returns how a page is shown, with the layers closed that were found last and that nobody has opened."""
        found = self._closed(page)
        fold_of = {name: first for first, run in found.items() for layer in run.layers for name in layer}
        if not found or len(page.blocks) - len(fold_of) > PLACED_ANEW:
            self._placed = None
            return FoldedPage(page)
        wires = _wires_outside(page, fold_of)
        shapes = {first: _shape(fold, first, shape_of, wires, fold_of) for first, fold in found.items()}
        folds = {first: ShownFold(*fold, shapes[first]) for first, fold in found.items()}
        frames = tuple(_frames_outside(page.frames, folds))
        rest = {name: block for name, block in page.blocks.items() if name not in fold_of}
        shown = rest | {first: Block(first, library.with_role(Role.PAGE).name) for first in folds}
        unplaced = replace(page, blocks=shown, wires={wire.target: wire for wire in wires}, frames=frames)
        folded = FoldedPage(unplaced, folds, fold_of)
        return folded._replace(page=self._put(page, folded, shape_of))

    def _closed(self, page: Page) -> dict[str, Run]:
        """Returns the runs of layers that are closed, by their first blocks."""
        opened, found = self._opened.here() if self._folds else frozenset(), dict[str, Run]()
        for fold in self._folds:
            weights = [at for at, name in enumerate(fold.layers[0]) if page.blocks[name].type == "Variable"]
            for first, layers in _closed(fold.layers, opened):
                found[layers[0][0]] = Run(layers, first, tuple(weights[:WEIGHTS]))
        return found

    def _put(self, page: Page, folded: FoldedPage, shape_of: Callable[[str], BlockShape]) -> Page:
        """Puts blocks and notes where they are shown: anew if other layers are closed, or have moved."""
        folds, shown = folded.folds, folded.page
        layers = {first: itertools.chain.from_iterable(fold.layers) for first, fold in folds.items()}
        key = {first: [page.blocks[name].at for name in names] for first, names in layers.items()}
        if key != self._placed:
            self._placed = key
            shapes = {name: folds[name].shape if name in folds else shape_of(name) for name in shown.blocks}
            outlines = {name: _outline(shape) for name, shape in shapes.items()}
            places = arrange(_joined(shown, folded.fold_of), outlines, room=CANVAS)
            self._shifts = _shifts(page, shown, places, outlines)
        blocks = {name: replace(block, at=self._shown_at(name, block.at)) for name, block in shown.blocks.items()}
        notes = tuple(replace(note, at=self._shown_at(f"note {note.id}", note.at)) for note in shown.notes)
        return replace(shown, blocks=blocks, notes=notes)

    def _shown_at(self, name: str, at: tuple[int, int] | None) -> tuple[int, int]:
        (x, y), (right, down) = at or (0, 0), self._shifts.get(name, (0, 0))
        return x + right, y + down

    def on_page(self, places: Mapping[str, tuple[float, float]]) -> dict[str, tuple[float, float]]:
        """Returns the places in the file of blocks that are to be shown at some places."""
        shifts = {name: self._shifts.get(name, (0, 0)) if self._placed else (0, 0) for name in places}
        return {name: (x - shifts[name][0], y - shifts[name][1]) for name, (x, y) in places.items()}


def _kind(block: Block, shape: BlockShape) -> Hashable:
    return block.type, block.is_muted, tuple([(port.name, port.spec) for port in shape.ports])


def _closed(layers: Sequence[tuple[str, ...]], opened: frozenset[str]) -> list[tuple[int, tuple[tuple[str, ...], ...]]]:
    """Returns the runs of layers between those that are open, each with the number of its first layer."""
    found, start = [], 0
    for at in range(len(layers) + 1):
        if at == len(layers) or not opened.isdisjoint(layers[at]):
            if at - start >= LEAST:
                found.append((start + 1, tuple(layers[start:at])))
            start = at + 1
    return found


def _wires_outside(page: Page, fold_of: Mapping[str, str]) -> list[Wire]:
    """Returns the wires that are not inside a fold; of those from one port into one fold the first."""
    known, found = set[tuple[Port, str]](), []
    for wire in page.wires.values():
        start, end = fold_of.get(wire.source.block), fold_of.get(wire.target.block)
        if end is not None and (end == start or (wire.source, end) in known):
            continue
        known |= {(wire.source, end)} if end is not None else set()
        found.append(wire)
    return found


def _frames_outside(frames: Iterable[Frame], folds: Mapping[str, ShownFold]) -> Iterable[Frame]:
    """Yields the frames that hold of each fold all or nothing."""
    insides = [{name for layer in fold.layers for name in layer} for fold in folds.values()]
    for frame in frames:
        held = set(frame.blocks)
        if all(held.isdisjoint(inside) or held >= inside for inside in insides):
            yield frame


def _shape(
    fold: Run, first: str, shape_of: Callable[[str], BlockShape], wires: Iterable[Wire], fold_of: Mapping[str, str]
) -> BlockShape:
    """Returns the shape of a fold: a port for each wire into it, and for each output that is read outside."""
    width = min(max(NARROW, 128 + A_LAYER * len(fold.layers)), WIDE)
    inputs = dict.fromkeys(wire.target for wire in wires if fold_of.get(wire.target.block) == first)
    outputs = dict.fromkeys(wire.source for wire in wires if fold_of.get(wire.source.block) == first)
    height = HEADER + PAD + ROW + CHART + BARS * (len(fold.weights) + 1) + HINT + PAD
    box = QRectF(10, HEADER + PAD + ROW, width - 20, height - HEADER - 2 * PAD - ROW)
    ports = []
    for side, x, is_input in ((inputs, 0.0, True), (outputs, width, False)):
        step = min(ROW, (height - HEADER - 2 * PAD) / max(len(side), 1))
        for row, (block, name) in enumerate(side):
            known = shape_of(block).port(name, is_input)
            spec = None if known is None else known.spec
            ports.append(PortShape(name, is_input, x, HEADER + PAD + ROW / 2 + row * step, spec, True, block=block))
    types = [shape_of(name).type for name in fold.layers[0]]
    words = ", ".join(dict.fromkeys(kind.name for kind in types if kind is not None and kind.role is not Role.SOURCE))
    title, count = tr("Layer × {count}", count=len(fold.layers)), grouped(sum(map(len, fold.layers)))
    kind, name = library.with_role(Role.PAGE), tr("{types}: {count} blocks", types=words, count=count)
    return BlockShape(kind, title, name, "", width, height, tuple(ports), Body.FOLD, box)


# Places


def _outline(shape: BlockShape) -> Outline:
    inputs = {_key(Port(port.block, port.name)) if port.block else port.name: port.y for port in shape.inputs}
    outputs = {_key(Port(port.block, port.name)) if port.block else port.name: port.y for port in shape.outputs}
    return Outline(shape.width, shape.height, inputs, outputs)


def _key(port: Port) -> str:
    return f"{port.block} {port.name}"


def _joined(folded: Page, fold_of: Mapping[str, str]) -> Page:
    """Returns the folded page as arranging needs it: without places, its wires ending at the folds themselves."""

    def end(port: Port) -> Port:
        return Port(fold_of[port.block], _key(port)) if port.block in fold_of else port

    wires = [Wire(end(source), end(target)) for source, target in folded.wires.values()]
    blocks = {name: replace(block, at=None) for name, block in folded.blocks.items()}
    return replace(folded, blocks=blocks, wires={wire.target: wire for wire in wires}, notes=())


def _shifts(
    page: Page, folded: Page, places: Mapping[str, tuple[int, int]], outlines: Mapping[str, Outline]
) -> dict[str, tuple[int, int]]:
    """Returns how far from its place in the file each block and note is shown.

    The page begins where it does in the file; notes stay above it and at its left, all others come below.
    """
    corners = np.array([block.at or (0, 0) for block in page.blocks.values()])
    left, top = corners.min(axis=0).tolist()
    new_left, new_top = (min(place[axis] for place in places.values()) for axis in (0, 1))
    found = {}
    for name, (x, y) in places.items():
        at = folded.blocks[name].at or (0, 0)
        found[name] = left + x - new_left - at[0], top + y - new_top - at[1]
    below = max(y + outlines[name].height for name, (_, y) in places.items()) - new_top + top + BELOW_NOTE
    others = [note for note in page.notes if note.at is not None and note.at[0] >= left and note.at[1] >= top]
    if others:
        right, down = (min(note.at[axis] for note in others if note.at) for axis in (0, 1))
        found |= {f"note {note.id}": (round(left - right), round(below - down)) for note in others}
    return found
