"""A model that comes in again, onto the graph that it became before: what the user added there stays."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from gradwire.engine.graph.graph import Block, Frame, Graph, Page, Port, Wire
from gradwire.engine.graph.ports import has_input, has_output, pages_along
from gradwire.engine.training.kept_state import without_state
from gradwire.interop.models.graphs import ORIGIN, Model
from gradwire.interop.models.names import listed

# Blocks of the user that are put back: they change what is differentiated, and no number of the model.
_PUT_BACK: Final = {"StopGradient", "Loss"}
_KEPT: Final = ("at", "width", "label", "is_collapsed", "is_muted")
# Keys of a check that name a place, and of those that name a block.
_PLACES: Final = ("at", "gradient_equals", "loss", "other_loss")


def kept_from(before: Graph, model: Model) -> Model:
    """Returns a model with what the user added to its graph before, as far as names agree, and lines about the rest.

    Kept are places, labels and mutes of blocks, notes, frames, StopGradients and Losses on wires that are still there,
    checks, silenced rules, and the plan of training. The numbers are those of the model.
    """
    gone: list[str] = []
    known = {page.name: page for page in before.pages}
    pages = [_page(known[page.name], page, gone) if page.name in known else page for page in model.graph.pages]
    lost = [f"{page.name}/{name}" for page in before.pages for name in _missing(page, pages)]
    if lost:
        gone.insert(0, f"No longer in the model: {listed(lost)}.")
    graph = replace(model.graph, pages=tuple(pages), silenced=before.silenced, training=before.training)
    if before.loss is not None and _has_place(graph, before.loss):
        graph = replace(graph, loss=before.loss)
    checks = []
    for check in before.checks:
        places = _places(check)
        if all(_has_place(graph, place) for place in places):
            checks.append(check)
        else:
            gone.append(
                f"The check at {places[0] if places else 'no place'} went: the model has no such place any more."
            )
    return Model(without_state(replace(graph, checks=tuple(checks))), (*model.notices, *gone))


def _missing(page: Page, pages: Iterable[Page]) -> list[str]:
    now = next((item for item in pages if item.name == page.name), None)
    return [name for name in page.blocks if now is None or name not in now.blocks]


def _page(before: Page, now: Page, gone: list[str]) -> Page:
    blocks = {name: _block(before.blocks.get(name), block) for name, block in now.blocks.items()}
    put_back = _PutBack(before, replace(now, blocks=blocks), gone)
    frames = tuple(_frames(before, put_back.blocks, gone))
    return replace(now, blocks=put_back.blocks, wires=put_back.wires, frames=frames, notes=before.notes)


def _block(before: Block | None, now: Block) -> Block:
    if before is None:
        # Its place among the others is found when the graph opens.
        return replace(now, at=None)
    if before.type != now.type:
        return replace(now, at=before.at)
    return replace(now, **{name: getattr(before, name) for name in _KEPT})


def _frames(before: Page, blocks: Collection[str], gone: list[str]) -> Iterable[Frame]:
    """Yields the frames around what is still there; an empty one that had blocks goes."""
    kept = {
        frame.id: replace(frame, blocks=tuple(name for name in frame.blocks if name in blocks))
        for frame in before.frames
    }
    for old in before.frames:
        if old.blocks and not kept[old.id].blocks and not old.frames:
            gone.append(f'The frame "{old.title or old.id}" went: none of its blocks is there any more.')
            del kept[old.id]
    for frame in kept.values():
        yield replace(frame, frames=tuple(name for name in frame.frames if name in kept))


@dataclass
class _PutBack:
    """Stops and losses of the user on one page, put back on the wires of the model."""

    before: Page
    now: Page
    gone: list[str]
    blocks: dict[str, Block] = field(init=False)
    wires: dict[Port, Wire] = field(init=False)

    def __post_init__(self) -> None:
        self.blocks, self.wires = dict(self.now.blocks), dict(self.now.wires)
        # Each block of a model says where it comes from.
        own = {
            name: block
            for name, block in self.before.blocks.items()
            if block.type in _PUT_BACK and ORIGIN not in block.extra and name not in self.blocks
        }
        waiting = {name for name in own if self._source(name, own) is not None}
        self.blocks |= {name: own[name] for name in own if name in waiting}
        for name in waiting:
            self._wire(name, own)
        for name in [name for name in own if own[name].type == "StopGradient" and not self._is_read(name)]:
            self._take_out(name)
        self.gone += [
            f"The {own[name].type} {self.before.name}/{name} went: the model has no such wire any more."
            for name in own
            if name not in self.blocks
        ]

    def _source(self, name: str, own: Mapping[str, Block]) -> Port | None:
        """Returns the port of the model whose numbers a block of the user receives, through others of them."""
        port = Port(name, "x")
        for _ in (port, *own):
            wire = self.before.wires.get(port)
            if wire is None:
                return None
            if wire.source.block not in own:
                old, new = (page.blocks.get(wire.source.block) for page in (self.before, self.now))
                return wire.source if old is not None and new is not None and old.type == new.type else None
            port = Port(wire.source.block, "x")
        return None

    def _wire(self, name: str, own: Mapping[str, Block]) -> None:
        source = self._source(name, own)
        for port in ("x", "weights"):
            wire = self.before.wires.get(Port(name, port))
            if wire is not None and wire.source.block in self.blocks:
                self.wires[wire.target] = wire
        for wire in self.before.wires_from(Port(name, "y")):
            now = self.now.wires.get(wire.target)
            if now is not None and now.source == source:
                self.wires[wire.target] = wire

    def _is_read(self, name: str) -> bool:
        return any(wire.source.block == name for wire in self.wires.values())

    def _take_out(self, name: str) -> None:
        self.blocks.pop(name, None)
        self.wires.pop(Port(name, "x"), None)


def _places(check: Mapping[str, object]) -> list[str]:
    ends = check.get("wire")
    named = [*(check.get(key) for key in _PLACES), *(ends if isinstance(ends, list | tuple) else ())]
    return [place for place in named if isinstance(place, str)]


def _has_place(graph: Graph, place: str) -> bool:
    """Returns whether a graph has a block, or a port `page/id.port`, also inside pages that are used."""
    path, _, last = place.rpartition("/")
    name, _, port = last.partition(".")
    pages = pages_along(graph, path)
    block = pages[-1].blocks.get(name) if pages else None
    if block is None:
        return False
    return not port or has_output(graph, block, port) is not False or has_input(graph, block, port) is not False
