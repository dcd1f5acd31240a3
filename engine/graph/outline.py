"""Outline of a graph: every fact about it under a name, to print it in a stable order or to compare two graphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from gradwire.engine.graph.graph import Block, Frame, Graph, Note, Page, same_value


class Fact(NamedTuple):
    """Name of one fact: its kind, such as `block` or `wire`, and where in the graph it holds."""

    kind: str
    name: str


Outline = Mapping[Fact, object]


class OutlineDiff(NamedTuple):
    """Difference of two outlines: facts that only the new one has, or only the old one, and those of another value."""

    added: Outline
    removed: Outline
    changed: Mapping[Fact, tuple[object, object]]

    @property
    def is_empty(self) -> bool:
        """True if the graphs are equal."""
        return not (self.added or self.removed or self.changed)


def outline(graph: Graph, with_places: bool = False) -> Outline:
    """Returns all facts about a graph; places and sizes on the page only on request.

    The order is stable: pages as in the graph, blocks by id, wires by their target.
    """
    facts: dict[Fact, object] = {}
    facts.update(_head(graph))
    for page in graph.pages:
        facts.update(_page(page, with_places))
    facts.update((Fact("check", str(number)), check) for number, check in enumerate(graph.checks, start=1))
    return facts


def outline_diff(old: Outline, new: Outline) -> OutlineDiff:
    """Returns the difference of two outlines. Cost: linear in their sizes."""
    return OutlineDiff(
        {fact: value for fact, value in new.items() if fact not in old},
        {fact: value for fact, value in old.items() if fact not in new},
        {fact: (old[fact], value) for fact, value in new.items() if fact in old and not same_value(old[fact], value)},
    )


def _head(graph: Graph) -> Iterator[tuple[Fact, object]]:
    yield Fact("file", "loss"), graph.loss
    yield Fact("file", "conventions"), graph.conventions
    if graph.needs:
        yield Fact("file", "needs"), list(graph.needs)
    if graph.silenced:
        yield Fact("file", "silenced"), list(graph.silenced)
    for key, value in sorted((graph.training or {}).items()):
        yield Fact("training", key), _summary(value) if key == "state" and isinstance(value, Mapping) else value
    for key, value in sorted(graph.extra.items()):
        yield Fact("file", key), value


def _summary(state: Mapping[str, object]) -> Mapping[str, object]:
    """Returns the round and the checksum of a state of training: all else in it changes with these."""
    return {name: item for name, item in state.items() if name in ("step", "checksum")}


def _page(page: Page, with_places: bool) -> Iterator[tuple[Fact, object]]:
    yield Fact("page", page.name), None
    for name in sorted(page.blocks):
        yield from _block(page.name, page.blocks[name], with_places)
    for wire in sorted(page.wires.values(), key=lambda wire: (wire.target, wire.source)):
        yield Fact("wire", f"{page.name}/{wire.source} -> {page.name}/{wire.target}"), None
    for wire in sorted(page.surplus, key=lambda wire: (wire.target, wire.source)):
        yield Fact("surplus wire", f"{page.name}/{wire.source} -> {page.name}/{wire.target}"), None
    for frame in sorted(page.frames, key=lambda frame: frame.id):
        yield from _frame(page.name, frame, with_places)
    for note in sorted(page.notes, key=lambda note: note.id):
        yield from _note(page.name, note, with_places)
    if page.gradient is not None:
        yield Fact("page", f"{page.name} gradient"), page.gradient
    if page.template is not None:
        yield Fact("page", f"{page.name} template"), page.template.name
        yield from (
            (Fact("page", f"{page.name} {key}"), value) for key, value in sorted(page.template.parameters.items())
        )
    for key, value in sorted(page.extra.items()):
        yield Fact("page", f"{page.name} {key}"), value


def _block(page: str, block: Block, with_places: bool) -> Iterator[tuple[Fact, object]]:
    name = f"{page}/{block.id}"
    yield Fact("block", name), block.type
    for key, value in sorted(block.parameters.items()):
        yield Fact("parameter", f"{name} {key}"), value
    if block.label is not None:
        yield Fact("label", name), block.label
    if block.is_muted:
        yield Fact("muted", name), None
    if with_places:
        places = {"at": block.at, "width": block.width, "collapsed": block.is_collapsed or None}
        yield from ((Fact("place", f"{name} {key}"), value) for key, value in places.items() if value is not None)
    for key, value in sorted(block.extra.items()):
        yield Fact("block", f"{name} {key}"), value


def _frame(page: str, frame: Frame, with_places: bool) -> Iterator[tuple[Fact, object]]:
    members = {"title": frame.title, "blocks": sorted(frame.blocks), "frames": sorted(frame.frames)}
    yield Fact("frame", f"{page}/{frame.id}"), {**members, **frame.extra}
    yield from _placed(f"{page}/{frame.id}", frame, with_places)


def _note(page: str, note: Note, with_places: bool) -> Iterator[tuple[Fact, object]]:
    yield Fact("note", f"{page}/{note.id}"), {"text": note.text, **note.extra} if note.extra else note.text
    yield from _placed(f"{page}/{note.id}", note, with_places)


def _placed(name: str, item: Frame | Note, with_places: bool) -> Iterator[tuple[Fact, object]]:
    for key, value in (("at", item.at), ("size", item.size)):
        if with_places and value is not None:
            yield Fact("place", f"{name} {key}"), value
