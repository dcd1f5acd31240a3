"""The shapes of a page's blocks: each is found once, and kept as long as nothing changes that it depends on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from dataclasses import replace
from typing import Any

import numpy as np

from gradwire.app.base.translation import tr_sentence
from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.canvas.geometry.shapes import NOT_WIRED, BlockShape, Wired, shape_like, shape_of, wired_ports
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.problems import Problem
from gradwire.engine.graph.graph import Block, Page, Wire
from gradwire.engine.graph.paths import segment_of

# Any: all that a shape depends on, compared as a whole.
_Key = tuple[Any, ...]


def wires_of(page: Page) -> list[Wire]:
    """Returns the wires of a page in the order of their rows."""
    return [*page.wires.values(), *page.surplus]


class ShapeCache:
    """The shapes of the blocks on the page that a session shows, and the problems that change them."""

    def __init__(self, session: Session, arrays: PageArrays) -> None:
        self._session, self._arrays = session, arrays
        self._wired: tuple[Page, dict[str, Wired]] | None = None
        self._seen_problems: tuple[Problem, ...] | None = None
        self._cache: dict[str, tuple[_Key, str | None, BlockShape]] = {}
        self._alike: dict[_Key, tuple[_Key, BlockShape]] = {}
        self._shared: frozenset[str] = frozenset()

    # All shapes of a page

    def shapes_of(self, page: Page) -> list[BlockShape]:
        """Returns the shapes of all blocks of a page; those of unchanged blocks are kept."""
        self._alike = {}
        self.share_labels(page)
        wired = self._wired_ports(page)
        found = [self._shape(block, wired.get(block.id, NOT_WIRED)) for block in page.blocks.values()]
        self.forget(self._cache.keys() - page.blocks.keys())
        return found

    def share_labels(self, page: Page) -> set[str]:
        """Takes over which labels name several blocks; returns the blocks whose shown names change by that."""
        counts = Counter(block.label for block in page.blocks.values() if block.label)
        others = (label for label in counts if label in page.blocks and page.blocks[label].label != label)
        shared = frozenset((*(label for label, count in counts.items() if count > 1), *others))
        changed, self._shared = shared ^ self._shared, shared
        return {block.id for block in page.blocks.values() if block.label in changed} if changed else set()

    def known(self, block_id: str) -> BlockShape:
        """Returns the newest shape of a block."""
        return self._cache[block_id][2]

    def renew(self, block: Block) -> bool:
        """Finds the shape of a block anew; returns whether it is another one."""
        known = self._cache.get(block.id)
        shape = self._shape(block, self._wired_ports(self._session.page).get(block.id, NOT_WIRED))
        return known is None or shape is not known[2]

    def forget(self, names: Set[str]) -> None:
        """Forgets the shapes of blocks that are gone."""
        for name in names:
            del self._cache[name]

    # Wires and problems

    def update_wires(self, page: Page, ends: Set[str]) -> bool:
        """Takes over which ports of the blocks `ends` have a wire; returns whether any wire of the page changed."""
        known = self._wired
        if known is None or (known[0].wires is page.wires and known[0].surplus is page.surplus):
            return False
        near = tuple(wire for wire in wires_of(page) if wire.source.block in ends or wire.target.block in ends)
        found = wired_ports(replace(page, wires={}, surplus=near))
        self._wired = page, known[1] | {name: found.get(name, NOT_WIRED) for name in ends}
        return True

    @property
    def has_other_problems(self) -> bool:
        """Whether the session has other problems than those that were read."""
        return self._session.problems != self._seen_problems

    def read_problems(self) -> set[str]:
        """Takes the problems over; returns the blocks that have other ones now."""
        arrays, before = self._arrays, self._arrays.problems
        arrays.problems, self._seen_problems = {}, self._session.problems
        for place, problem in self._session.problems_here():
            arrays.problems.setdefault(segment_of(place.partition("/")[0]).block, []).append(problem)
        arrays.tick += 1
        names = before.keys() | arrays.problems.keys()
        told = {name for name in names if before.get(name) != arrays.problems.get(name)}
        for name in told:
            row = arrays.rows.get(name, -1)
            if 0 <= row < len(arrays.block_stamps):
                arrays.block_stamps[row] = arrays.tick
        return told

    def _wired_ports(self, page: Page) -> dict[str, Wired]:
        """Returns the ports that have a wire; the same ones as long as no wire changes."""
        known = self._wired
        if known is None or known[0].wires is not page.wires or known[0].surplus is not page.surplus:
            known = self._wired = page, wired_ports(page)
        return known[1]

    def _message(self, block_id: str) -> str:
        """Returns the sentence in the body of a block that cannot be computed."""
        errors = [item for item in self._arrays.problems.get(block_id, ()) if item.severity == "error"]
        return tr_sentence(errors[0].message) if errors and errors[0].code != "missing_input" else ""

    def _key(self, block: Block, wired: Wired) -> _Key:
        """Returns all that a shape depends on but the block's names; of arrays the specs say enough."""
        path = f"{self._session.prefix}/{block.id}"
        inferred = self._session.inferred
        outputs = inferred.outputs.get(path, ())
        instance = inferred.expanded.instances.get(path)
        arriving = () if instance is None else (*instance.inputs, *map(inferred.specs.get, instance.inputs.values()))
        specs = tuple([inferred.specs.get(PortName(path, name)) for name in outputs])
        used = self._session.graph if "page" in block.parameters else None
        settings = tuple([(name, item) for name, item in block.parameters.items() if not isinstance(item, np.ndarray)])
        message = self._message(block.id) if block.id in self._arrays.problems else ""
        look = (block.type, block.width, block.is_collapsed, block.is_muted, message)
        return look, settings, wired, specs, arriving, path in inferred.awaiting, id(used)

    def _shape(self, block: Block, wired: Wired) -> BlockShape:
        if block.label in self._shared:
            # Sentences name a block by its id.
            block = replace(block, label=f"{block.label} ({block.id})")
        key = self._key(block, wired)
        known = self._cache.get(block.id)
        if known is not None and known[0] == key and known[1] == block.label:
            return known[2]
        key, shape = self._new_shape(block, wired, key)
        self._cache[block.id] = key, block.label, shape
        return shape

    def _new_shape(self, block: Block, wired: Wired, key: _Key) -> tuple[_Key, BlockShape]:
        """Returns a shape and its key; blocks that are alike share theirs, as most blocks of a large page are."""
        # Settings of unknown types may be lists, which cannot be looked up.
        can_share = not key[1]
        like = self._alike.get(key) if can_share else None
        if like is not None and (shape := shape_like(like[1], block)) is not None:
            return like[0], shape
        path = f"{self._session.prefix}/{block.id}"
        shape = shape_of(self._session.graph, block, path, wired, self._session.inferred, self._message(block.id))
        if can_share:
            self._alike[key] = key, shape
        return key, shape
