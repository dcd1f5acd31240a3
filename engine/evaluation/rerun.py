"""Incremental rerun of a graph after an edit: only the steps that depend on the edit run.

Other numbers need no new plan; other blocks need new steps where they touch the old ones.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import replace

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer_update import Touched
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.base.errors import BlockError, CannotUpdate
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.port_index_update import PortIndexDiff
from gradwire.engine.evaluation.update import IncrementalStructure
from gradwire.engine.executors.arena import Arena
from gradwire.engine.executors.rematerialization import Rematerialization
from gradwire.engine.graph.graph import Block, Graph, Page, changes, same_pages, same_value

VALUE, OUTPUT = "value", "y"
# Values of sources, by the page and the id of their blocks.
Values = dict[tuple[str, str], Array]


def new_values(old: Graph, new: Graph) -> Values | None:
    """Returns the values of sources in which two graphs differ; None if they differ in more that counts."""
    if old.loss != new.loss or not same_pages(old, new):
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
    """Returns whether two blocks differ only in their looks."""
    return _kind(old) == _kind(new) and same_value(old.parameters, new.parameters)


def _kind(block: Block) -> tuple[str, str | None, bool]:
    return block.type, block.label, block.is_muted


def _new_value(old: Block, new: Block) -> Array | None:
    """Returns the new value of a source; None if anything else differs that counts."""
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
    """Finished run, ready for further runs after edits; all of them share its arrays and its structure.

    Raises: BlockError if the graph cannot be computed without a failure.
    """

    def __init__(self, first: Evaluation) -> None:
        values = first.results.values
        self._newest = first
        self.executor = (
            values if isinstance(values, Rematerialization) else Arena(first.results.plan, first.lowered.watch)
        )
        self._uses = _uses(first.lowered)
        self._following: IncrementalStructure | None = None
        # Blocks whose values have changed since the structure last followed an edit.
        self._moved: set[tuple[str, str]] = set()
        instances = first.lowered.inferred.expanded.instances
        self._decides_shapes = any(item.type is not None and item.type.infer is None for item in instances.values())

    @property
    def arena(self) -> Arena | None:
        """Memory of all arrays; None if some have to be rematerialised."""
        return self.executor if isinstance(self.executor, Arena) else None

    def run(self, graph: Graph, values: Values) -> Evaluation | None:
        """Runs with new values of sources, which make `graph` of the newest graph; None if one does not fit its place.

        Explanations of earlier runs are outdated then.
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
        results, survey = self.executor.results, self.executor.survey()
        self._newest = replace(self._newest, graph=graph, results=results, survey=survey, arena=self.arena)
        return self._newest

    def prepare(self) -> None:
        """Prepares to follow an edit of blocks and wires, which takes a while in a large graph."""
        if self._following is None and self.arena is not None:
            # `update` returns None for such a graph.
            with contextlib.suppress(CannotUpdate):
                self._following = IncrementalStructure(self._newest.structure)

    def update(self, graph: Graph) -> tuple[Evaluation, PortIndexDiff] | None:
        """Runs `graph`, which any edit made from the newest one; returns None if all of it must be planned.

        Then, or after an error, this run is invalid.
        Raises: BlockError if a block fails.
        """
        self.prepare()
        found = None if self._following is None or self._go_back(graph) else self._following.update(graph)
        arena = self.arena
        if arena is None or found is None or not arena.update(*found.splice):
            return None
        self._note_uses(found.touched)
        results, survey = arena.results, arena.survey()
        structure = self._newest.structure.with_plan(results.plan)
        self._newest = Evaluation(graph, structure, results, survey, arena=None if self._decides_shapes else arena)
        return self._newest, found.index_diff

    def _go_back(self, graph: Graph) -> bool:
        """Returns whether an edit undoes earlier changes of values, which the comparison of blocks does not show."""
        before, moved = self._newest.lowered.inferred.graph, self._moved
        self._moved = set()
        # Graphs from another process have equal blocks, not the same ones.
        return any(
            graph.has_page(page)
            and (block := graph.page(page).blocks.get(name)) is not None
            and same_value(block.parameters, before.page(page).blocks[name].parameters)
            for page, name in moved
        )

    def _note_uses(self, touched: Touched) -> None:
        """Updates the uses of blocks; only blocks on pages that no block uses can change here."""
        for path in touched.removed:
            del self._uses[_name_of(path)]
        for path in touched.paths:
            self._uses.setdefault(_name_of(path), [path])

    def _placed(self, values: Values) -> dict[str, Array] | None:
        """Returns the values by path, one for each use of a block; None if one does not fit."""
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
    """Returns the paths of each block, by page and id: one for each use of its page."""
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
