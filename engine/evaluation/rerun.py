"""A graph run again after an edit: with other numbers nothing is planned again, and of other blocks only what they
touch; and only what depends on the edit is run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from engine.arena import Arena
from engine.block_type import Role
from engine.errors import BlockError
from engine.evaluate import Evaluation
from engine.expand import PortName
from engine.following import Following
from engine.graph import Block, Graph, Page, changes, same_value
from engine.infer_again import Touched
from engine.kept_values import KeptValues
from engine.library import library
from engine.lower import Lowered
from engine.redraw import Redrawn
from engine.relower import BeyondError
from engine.tensor_spec import Array

VALUE, OUTPUT = "value", "y"
# The values of sources, by the page and the id of their blocks.
Values = dict[tuple[str, str], Array]


def new_values(old: Graph, new: Graph) -> Values | None:
    """The values that make the numbers of `new` out of those of `old`; None if more differs that counts."""
    if old.loss != new.loss or [page.name for page in old.pages] != [page.name for page in new.pages]:
        return None
    found: Values = {}
    for name, page in changes(old, new).items():
        if page.added or page.removed or page.wires_added or page.wires_removed:
            return None
        before, after = old.page(name).blocks, new.page(name).blocks
        for block_id in page.changed:
            if _looks_different(before[block_id], after[block_id]):
                continue
            value = _new_value(before[block_id], after[block_id])
            if value is None:
                return None
            found[name, block_id] = value
    return found


def _looks_different(old: Block, new: Block) -> bool:
    """Whether two blocks differ only in what no number depends on."""
    return _kind(old) == _kind(new) and same_value(old.parameters, new.parameters)


def _kind(block: Block) -> tuple[str, str | None, bool]:
    return block.type, block.label, block.is_muted


def _new_value(old: Block, new: Block) -> Array | None:
    """The value that a source has instead of its old one; None if anything else differs that counts."""
    block_type = library.get(new.type)
    if block_type is None or block_type.role is not Role.SOURCE or VALUE not in block_type.parameters:
        return None
    if _kind(old) != _kind(new) or not same_value(_beside_value(old), _beside_value(new)):
        return None
    try:
        value: Array = block_type.normalize(new.parameters)[VALUE]
    except BlockError:
        return None
    return value


def _beside_value(block: Block) -> Mapping[str, object]:
    return {name: item for name, item in block.parameters.items() if name != VALUE}


class Rerun:
    """A finished run, ready to be repeated after edits; its arrays and its structure are shared by all runs.

    Raises: BlockError if the graph cannot be computed without a failure.
    """

    def __init__(self, first: Evaluation) -> None:
        values = first.results.values
        self._newest = first
        self.executor = values if isinstance(values, KeptValues) else Arena(first.results.plan, first.lowered.watch)
        self._uses = _uses(first.lowered)
        self._following: Following | None = None
        # The blocks whose numbers are not those of the graph whose structure this is.
        self._moved: set[tuple[str, str]] = set()
        instances = first.lowered.inferred.expanded.instances
        self._decides_shapes = any(item.type is not None and item.type.infer is None for item in instances.values())

    @property
    def arena(self) -> Arena | None:
        """Where the arrays lie, None if not all of them are kept."""
        return self.executor if isinstance(self.executor, Arena) else None

    def run(self, graph: Graph, values: Values) -> Evaluation | None:
        """Runs with the values that make `graph` of the newest one; None if one does not fit where the old one was.

        What was worked out of earlier runs speaks of their numbers no more.
        Raises: BlockError if a block fails.
        """
        placed = None if self._decides_shapes else self._placed(values)
        if placed is None:
            return None
        lowered, slots = self._newest.lowered, self._newest.results.plan.slots
        self.executor.run({slots[lowered.ports[PortName(path, OUTPUT)]]: array for path, array in placed.items()})
        for path, array in placed.items():
            lowered.inferred.parameters[path][VALUE] = array
        self._moved.update(values)
        self._newest = replace(self._newest, graph=graph, results=self.executor.results, survey=self.executor.survey())
        return self._newest

    def prepare(self) -> None:
        """Gets ready to follow an edit of blocks and wires, which takes a while in a large graph."""
        if self._following is None and self.arena is not None:
            # What it cannot follow it tells when it is to do so.
            with contextlib.suppress(BeyondError):
                self._following = Following(self._newest.structure)

    def follow(self, graph: Graph) -> tuple[Evaluation, Redrawn] | None:
        """Runs `graph`, which was made from the newest one by any edit; None if all of it has to be planned.

        Then, or after an error, this run is of no use any more.
        Raises: BlockError if a block fails.
        """
        self.prepare()
        found = None if self._following is None or self._go_back(graph) else self._following.follow(graph)
        arena = self.arena
        if arena is None or found is None or not arena.follow(*found.splice):
            return None
        self._note_uses(found.touched)
        results, survey = arena.results, arena.survey()
        self._newest = Evaluation(graph, self._newest.structure.with_plan(results.plan), results, survey)
        return self._newest, found.redrawn

    def _go_back(self, graph: Graph) -> bool:
        """Whether numbers are what they were when blocks and wires changed last: no block tells that."""
        before, moved = self._newest.lowered.inferred.graph, self._moved
        self._moved = set()
        return any(
            graph.has_page(page) and graph.page(page).blocks.get(name) is before.page(page).blocks.get(name)
            for page, name in moved
        )

    def _note_uses(self, touched: Touched) -> None:
        """Only blocks on pages that are not used as blocks come and go so."""
        for path in touched.removed:
            del self._uses[_name_of(path)]
        for path in touched.paths:
            self._uses.setdefault(_name_of(path), [path])

    def _placed(self, values: Values) -> dict[str, Array] | None:
        """The values by paths: one for each use of a block."""
        lowered, slots = self._newest.lowered, self._newest.results.plan.slots
        found = {}
        for name, value in values.items():
            for path in self._uses.get(name, ()):
                expression = lowered.ports.get(PortName(path, OUTPUT))
                slot = None if expression is None else slots.get(expression)
                if slot is None or not self.executor.fits(slot, value):
                    return None
                found[path] = value
        return found


def _uses(lowered: Lowered) -> dict[tuple[str, str], list[str]]:
    """Where each block, by page and id, stands in the expanded graph: once for each use of its page."""
    names = {block: (page.name, name) for page in lowered.inferred.graph.pages for name, block in _identities(page)}
    found: dict[tuple[str, str], list[str]] = {}
    for path, instance in lowered.inferred.expanded.instances.items():
        found.setdefault(names[id(instance.block)], []).append(path)
    return found


def _name_of(path: str) -> tuple[str, str]:
    page, _, name = path.partition("/")
    return page, name


def _identities(page: Page) -> Iterator[tuple[str, int]]:
    return ((name, id(block)) for name, block in page.blocks.items())
