"""Graph as an immutable value: pages of blocks and wires. Every edit makes a new graph and shares unchanged parts."""

from __future__ import annotations

import dataclasses
import functools
import itertools
import operator
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import numpy as np

from gradwire.engine.base.errors import NameUnknownError
from gradwire.engine.base.starts import START
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.library import library

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,63}")
CONVENTIONS = "tf-2.21"
# Newest version of the format, and the one of files without anything that came later.
VERSION, FIRST_VERSION = (1, 2), (1, 0)
# Feature that `needs` names: without it, a page with a gradient of its own would have another one.
OWN_GRADIENTS = "own_gradients"
# Colours that frames and notes may have.
COLORS = ("blue", "amber", "green", "violet")
_WITH_TRAINING = (1, 1)
_Item = TypeVar("_Item")
# Larger arrays are compared in pieces of this size. Units: bytes.
_PIECE = 2**16


class Port(NamedTuple):
    """Socket of a block on the same page, written `block.port`."""

    block: str
    name: str

    def __str__(self) -> str:
        return f"{self.block}.{self.name}"


class Wire(NamedTuple):
    """Wire from an output port to an input port of the same page."""

    source: Port
    target: Port


class _Equal:
    """Equality of two records by all their fields, arrays bit by bit."""

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        names = [item.name for item in dataclasses.fields(self)]  # type: ignore[arg-type]  # only dataclasses inherit
        return all(same_value(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = object.__hash__


@dataclass(frozen=True, eq=False)
class Block(_Equal):
    """One block: `parameters` holds only those that differ from the default, `extra` the unknown keys.

    Units: `at` (top-left corner) and `width` in px at 100 %.
    """

    id: str
    type: str
    label: str | None = None
    at: tuple[int, int] | None = None
    width: int | None = None
    is_collapsed: bool = False
    is_muted: bool = False
    parameters: Mapping[str, object] = field(default_factory=dict)
    extra: Mapping[str, object] = field(default_factory=dict)


class _Coloured(_Equal):
    """Record whose colour stands among its unknown keys, as programs keep it that do not know it."""

    extra: Mapping[str, object]

    @property
    def color(self) -> str | None:
        """One of `COLORS`, None without one."""
        return next((color for color in COLORS if self.extra.get("color") == color), None)


@dataclass(frozen=True, eq=False)
class Frame(_Coloured):
    """Titled group of blocks and other frames; `at` and `size` count only while it is empty."""

    id: str
    title: str = ""
    blocks: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    at: tuple[int, int] | None = None
    size: tuple[int, int] | None = None
    extra: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Note(_Coloured):
    """Text on the canvas."""

    id: str
    text: str = ""
    at: tuple[int, int] | None = None
    size: tuple[int, int] | None = None
    extra: Mapping[str, object] = field(default_factory=dict)


class Template(NamedTuple):
    """Layer that a page was made of: its name, and the settings that differ from the usual ones."""

    name: str
    parameters: Mapping[str, object] = {}


@dataclass(frozen=True, eq=False)
class Page(_Equal):
    """One sheet: blocks by id, and at most one wire for each input port.

    `surplus` keeps further wires of a file into the same port; they are shown as broken and saved back. `gradient`
    names the page that gives the gradient of this one where a block uses it; without one its blocks do.
    """

    name: str
    blocks: Mapping[str, Block] = field(default_factory=dict)
    wires: Mapping[Port, Wire] = field(default_factory=dict)
    surplus: tuple[Wire, ...] = ()
    frames: tuple[Frame, ...] = ()
    notes: tuple[Note, ...] = ()
    gradient: str | None = None
    template: Template | None = None
    extra: Mapping[str, object] = field(default_factory=dict)

    def wires_from(self, source: Port) -> Iterator[Wire]:
        """Returns the wires that leave an output port."""
        return (wire for wire in self.wires.values() if wire.source == source)


@dataclass(frozen=True, eq=False)
class Graph(_Equal):
    """All pages; `loss` is the `page/id` of the Loss block to differentiate, None the sum of all.

    `silenced` names the rules of advice that are not applied to this graph. `training` is the plan of training as its
    file holds it, None without one. `version` counts only for a file of a newer format, whose number it keeps.
    """

    pages: tuple[Page, ...] = (Page("main"),)
    loss: str | None = None
    checks: tuple[Mapping[str, object], ...] = ()
    silenced: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    conventions: str = CONVENTIONS
    training: Mapping[str, object] | None = None
    version: tuple[int, int] = FIRST_VERSION
    extra: Mapping[str, object] = field(default_factory=dict)

    def __repr__(self) -> str:
        blocks, wires = sum(len(page.blocks) for page in self.pages), sum(len(page.wires) for page in self.pages)
        return f"<Graph: pages: {len(self.pages):,}, blocks: {blocks:,}, wires: {wires:,}>"

    @property
    def saved_version(self) -> tuple[int, int]:
        """Lowest version of the format that holds all of the graph; a newer file keeps its own."""
        if self.version > VERSION:
            return self.version
        if any(map(_is_new, self.pages)) or _accumulates(self.training):
            return VERSION
        return FIRST_VERSION if self.training is None else _WITH_TRAINING

    @property
    def saved_needs(self) -> tuple[str, ...]:
        """Features without which the graph would mean something else, as a file names them."""
        return (*self.needs, OWN_GRADIENTS) if self.gradients else self.needs

    @functools.cached_property
    def gradients(self) -> Mapping[str, str]:
        """Names of the pages with a gradient of their own, each with the name of the page that gives it."""
        return {page.name: page.gradient for page in self.pages if page.gradient is not None}

    @functools.cached_property
    def _by_name(self) -> Mapping[str, Page]:
        # A file may hold a thousand pages and as many blocks that use them. The first of two pages with one name
        # counts.
        return {page.name: page for page in reversed(self.pages)}

    def page(self, name: str) -> Page:
        """Returns the page of that name.

        Raises: NameUnknownError if there is none.
        """
        if name in self._by_name:
            return self._by_name[name]
        raise NameUnknownError(
            f'There is no page "{name}"; the pages are: {", ".join(page.name for page in self.pages)}.'
        )

    def has_page(self, name: str) -> bool:
        """Returns whether there is a page of that name."""
        return name in self._by_name

    def with_page(self, changed: Page) -> Graph:
        """Returns this graph with the page of the same name replaced."""
        pages = tuple(changed if page.name == changed.name else page for page in self.pages)
        return dataclasses.replace(self, pages=pages)

    def block(self, qualified: str) -> Block:
        """Returns the block with the qualified name `page/id`.

        Raises: NameUnknownError if there is none.
        """
        page_name, _, block_id = qualified.partition("/")
        block = self.page(page_name).blocks.get(block_id) if self.has_page(page_name) else None
        if block is None:
            raise NameUnknownError(f'There is no block "{qualified}".')
        return block


def _is_new(page: Page) -> bool:
    """Returns whether a page holds anything that came with the newest version of the format."""
    is_given = page.gradient is not None or page.template is not None
    is_coloured = any(item.color for item in (*page.frames, *page.notes))
    return is_given or is_coloured or any(map(_is_new_block, page.blocks.values()))


def _is_new_block(block: Block) -> bool:
    # Types are looked up where a parameter tells them, for a lookup may import their family.
    if START not in block.parameters and "page" not in block.parameters:
        return False
    block_type = library.get(block.type)
    return block_type is not None and (block_type.is_loop or (START in block.parameters and block_type.is_variable))


def _accumulates(training: Mapping[str, object] | None) -> bool:
    """Returns whether a step of a plan, which may be damaged, accumulates gradients."""
    steps = () if training is None else training.get("steps", ())
    return isinstance(steps, Sequence) and any(isinstance(step, Mapping) and "accumulate" in step for step in steps)


class PageChanges(NamedTuple):
    """Differences in blocks and wires of one page between two graphs."""

    added: frozenset[str]
    removed: frozenset[str]
    changed: frozenset[str]
    wires_added: frozenset[Wire]
    wires_removed: frozenset[Wire]


def changes(old: Graph, new: Graph) -> dict[str, PageChanges]:
    """Returns the differences by page name; pages that are the same object in both are left out."""
    before = {page.name: page for page in old.pages}
    after = {page.name: page for page in new.pages}
    names = [name for name in {**before, **after} if before.get(name) is not after.get(name)]
    return {name: _page_changes(before.get(name, Page(name)), after.get(name, Page(name))) for name in names}


def same_pages(old: Graph, new: Graph) -> bool:
    """Returns whether two graphs have pages of the same names, in the same order, with the same gradients."""
    names = [[page.name for page in graph.pages] for graph in (old, new)]
    return names[0] == names[1] and old.gradients == new.gradients


def keeps_blocks(old: Graph, new: Graph) -> bool:
    """Returns whether two graphs have the same pages with the same blocks, of the same types and on the same pages.

    Values, places and wires may differ. Cost: that of the blocks that differ, besides `changes`.
    """
    if not same_pages(old, new):
        return False
    found = changes(old, new).items()
    if any(change.added or change.removed for _, change in found):
        return False
    pairs = (
        (old.page(page).blocks[name], new.page(page).blocks[name]) for page, change in found for name in change.changed
    )
    return all(same_value(_kind(before), _kind(after)) for before, after in pairs)


def _kind(block: Block) -> tuple[object, ...]:
    return block.type, block.is_muted, block.parameters.get("page"), block.parameters.get("times")


# After an edit several callers ask for the same difference.
@functools.lru_cache(maxsize=1)
def _page_changes(old: Page, new: Page) -> PageChanges:
    blocks_before, blocks_after = differing(old.blocks.values(), new.blocks.values())
    before, after = {block.id for block in blocks_before}, {block.id for block in blocks_after}
    has_same_wires = old.wires is new.wires and old.surplus is new.surplus
    wires_before, wires_after = (
        ([], [])
        if has_same_wires
        else differing([*old.wires.values(), *old.surplus], [*new.wires.values(), *new.surplus])
    )
    return PageChanges(
        added=frozenset(after - before),
        removed=frozenset(before - after),
        changed=frozenset(before & after),
        wires_added=frozenset(wires_after).difference(wires_before),
        wires_removed=frozenset(wires_before).difference(wires_after),
    )


def differing(old: Collection[_Item], new: Collection[_Item]) -> tuple[list[_Item], list[_Item]]:
    """Returns the items of each collection that are not, as the same object, in the other.

    The comparison is fast if the difference is small.
    """
    # No Python loop: a page may have 10,000 blocks, and this runs after every edit.
    before, after = list(old), list(new)
    is_other = list(map(operator.is_not, before, after))
    before = [*itertools.compress(before, is_other), *before[len(is_other) :]]
    after = [*itertools.compress(after, is_other), *after[len(is_other) :]]
    is_other = list(map(operator.is_not, reversed(before), reversed(after)))
    end = next(itertools.compress(itertools.count(), is_other), len(is_other))
    before, after = before[: len(before) - end], after[: len(after) - end]
    return _without(before, after), _without(after, before)


def _without(some: list[_Item], others: list[_Item]) -> list[_Item]:
    known = set(map(id, others))
    return list(itertools.compress(some, map(operator.not_, map(known.__contains__, map(id, some)))))


def _same_bits(a: Array, b: Array) -> bool:
    """Returns whether two arrays of one dtype and shape have the same bits."""
    # Copying two large tensors whole takes ten times as long as comparing them in pieces, and most differ in the first.
    count = _PIECE // a.itemsize
    one, other = a.ravel(), b.ravel()
    return all(one[i : i + count].tobytes() == other[i : i + count].tobytes() for i in range(0, a.size, count))


def same_value(a: object, b: object) -> bool:
    """Returns whether two values agree in type and bits: NaN equals NaN, and 0 differs from -0, 0.0 and false."""
    if a is b:
        return True
    if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
        return a.dtype == b.dtype and a.shape == b.shape and _same_bits(a, b)
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return a.keys() == b.keys() and all(same_value(value, b[key]) for key, value in a.items())
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(same_value, a, b))
    if type(a) is not type(b):
        return False
    return repr(a) == repr(b) if isinstance(a, float) else a == b
