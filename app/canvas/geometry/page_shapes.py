"""The shapes of a page's blocks, each found once and kept as long as nothing changes that it depends on."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from typing import Any

import numpy as np

from app.canvas.page_arrays import PageArrays
from app.canvas.shapes import NOT_WIRED, BlockShape, Wired, shape_like, shape_of, wired_ports
from app.live.session import Session
from app.words import tr_sentence
from engine.expand import PortName
from engine.graph import Block, Page, Wire
from engine.problems import Problem

# Any: what a shape depends on, compared as a whole.
_Key = tuple[Any, ...]


def wires_of(page: Page) -> list[Wire]:
    """The wires of a page in the order of their rows."""
    return [*page.wires.values(), *page.surplus]


class PageShapes(PageArrays):
    """The arrays of the page that a session shows, with what its blocks look like."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._wired: tuple[Page, dict[str, Wired]] | None = None
        self._seen_problems: tuple[Problem, ...] | None = None
        self._cache: dict[str, tuple[_Key, str | None, BlockShape]] = {}
        self._alike: dict[_Key, tuple[_Key, BlockShape]] = {}

    def setting_of(self, block_id: str) -> str:
        """The parameter that a block shows as its main setting; "" if it shows none."""
        shape = self.shapes[self.rows[block_id]]
        name = shape.field or shape.chip.partition(" ")[0]
        return name if shape.type is not None and name in shape.type.parameters else ""

    def is_used_loss(self, block_id: str) -> bool:
        """Whether the gradients are those of a Loss of the page, alone or with all others."""
        return self.session.graph.loss in (None, f"{self.session.page_name}/{block_id}")

    def _wired_ports(self, page: Page) -> dict[str, Wired]:
        """The ports that have a wire; the same ones as long as no wire changes."""
        known = self._wired
        if known is None or known[0].wires is not page.wires or known[0].surplus is not page.surplus:
            known = self._wired = page, wired_ports(page)
        return known[1]

    def _follow_wires(self, page: Page, ends: Set[str]) -> bool:
        """Takes over which ports have a wire; only those of the blocks `ends` may have changed. Whether any did."""
        known = self._wired
        if known is None or (known[0].wires is page.wires and known[0].surplus is page.surplus):
            return False
        near = tuple(wire for wire in wires_of(page) if wire.source.block in ends or wire.target.block in ends)
        found = wired_ports(replace(page, wires={}, surplus=near))
        self._wired = page, known[1] | {name: found.get(name, NOT_WIRED) for name in ends}
        return True

    def _renew_shape(self, block: Block) -> bool:
        """Finds the shape of a block anew; whether it is another one."""
        known = self._cache.get(block.id)
        shape = self._shape(block, self._wired_ports(self.session.page).get(block.id, NOT_WIRED))
        return known is None or shape is not known[2]

    def _forget_shapes(self, names: Set[str]) -> None:
        for name in names:
            del self._cache[name]

    def _read_problems(self) -> set[str]:
        """Takes the problems over; gives the blocks of which others are told now."""
        before = self.problems
        self.problems, self._seen_problems = {}, self.session.problems
        prefix = f"{self.session.prefix}/"
        for problem in self._seen_problems:
            if problem.at.startswith(prefix):
                self.problems.setdefault(problem.at[len(prefix) :].partition("/")[0], []).append(problem)
        self.tick += 1
        told = {name for name in before.keys() | self.problems.keys() if before.get(name) != self.problems.get(name)}
        for name in told:
            row = self.rows.get(name, -1)
            if 0 <= row < len(self.block_stamps):
                self.block_stamps[row] = self.tick
        return told

    def _message(self, block_id: str) -> str:
        """The sentence in the body of a block that cannot be computed."""
        errors = [item for item in self.problems.get(block_id, ()) if item.severity == "error"]
        return tr_sentence(errors[0].message) if errors and errors[0].code != "missing_input" else ""

    def _key(self, block: Block, wired: Wired) -> _Key:
        """What a shape depends on but for the block's names; parameters without arrays, whose specs say enough."""
        path = f"{self.session.prefix}/{block.id}"
        inferred = self.session.inferred
        outputs = inferred.outputs.get(path, ())
        instance = inferred.expanded.instances.get(path)
        arriving = () if instance is None else (*instance.inputs, *map(inferred.specs.get, instance.inputs.values()))
        specs = tuple([inferred.specs.get(PortName(path, name)) for name in outputs])
        used = self.session.graph if block.type == "Page" else None
        settings = tuple([(name, item) for name, item in block.parameters.items() if not isinstance(item, np.ndarray)])
        message = self._message(block.id) if block.id in self.problems else ""
        look = (block.type, block.width, block.is_collapsed, block.is_muted, message)
        return look, settings, wired, specs, arriving, path in inferred.awaiting, id(used)

    def _shape(self, block: Block, wired: Wired) -> BlockShape:
        key = self._key(block, wired)
        known = self._cache.get(block.id)
        if known is not None and known[0] == key and known[1] == block.label:
            return known[2]
        key, shape = self._new_shape(block, wired, key)
        self._cache[block.id] = key, block.label, shape
        return shape

    def _new_shape(self, block: Block, wired: Wired, key: _Key) -> tuple[_Key, BlockShape]:
        """A shape and its key; those of a block like this one are shared, for most blocks of a large page are alike."""
        # Settings of unknown types may be lists, which cannot be looked up.
        can_share = not key[1]
        like = self._alike.get(key) if can_share else None
        shape = None if like is None else shape_like(like[1], block)
        if like is not None and shape is not None:
            return like[0], shape
        path = f"{self.session.prefix}/{block.id}"
        shape = shape_of(self.session.graph, block, path, wired, self.session.inferred, self._message(block.id))
        if can_share:
            self._alike[key] = key, shape
        return key, shape
