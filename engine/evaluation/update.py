"""Incremental update of the structure of a graph after an edit: expressions, plan, port index and sums.

The cost is that of the edit and of its dependants, beside copies of the lists of blocks and steps.
"""

from __future__ import annotations

from typing import NamedTuple

from gradwire.engine.autodiff.infer_update import Touched, update_inference
from gradwire.engine.base.errors import CannotUpdate
from gradwire.engine.evaluation.evaluate import Structure
from gradwire.engine.evaluation.lower_update import IncrementalLowering
from gradwire.engine.evaluation.plan_update import IncrementalPlan, Splice
from gradwire.engine.evaluation.port_index_update import IncrementalPortIndex, PortIndexDiff
from gradwire.engine.evaluation.sums_update import IncrementalSums
from gradwire.engine.graph.graph import Graph


class StructureDiff(NamedTuple):
    """Difference that an edit makes to the blocks, to the plan, and to the ports and wires."""

    touched: Touched
    splice: Splice
    index_diff: PortIndexDiff


class IncrementalStructure:
    """Structure that follows edits; its expressions, plan, port index and sums change in place.

    Raises: CannotUpdate for a graph that cannot be updated.
    """

    def __init__(self, structure: Structure) -> None:
        lowered, port_index = structure.lowered, structure.port_index
        self._lowering = IncrementalLowering(lowered, port_index.cuts)
        backward = lowered.backward
        roots = [*lowered.ports.values(), *backward.totals.values(), *backward.edges.values()]
        self._plan = IncrementalPlan(structure.plan, roots)
        self._port_index = IncrementalPortIndex(port_index)
        self._sums = IncrementalSums(structure.sums, lowered, structure.plan)

    def update(self, graph: Graph) -> StructureDiff | None:
        """Follows an edit to `graph`; returns None if all must be planned again, and is invalid then."""
        index = self._lowering.index
        found = update_inference(index.lowered.inferred, graph)
        if found is None:
            return None
        inferred, touched = found
        try:
            diff = self._lowering.update(inferred, touched)
            splice = self._plan.update(diff, index.lowered.owners)
        except CannotUpdate:
            return None
        index_diff = self._port_index.update(diff)
        self._sums.update(index, diff, self._plan.steps)
        return StructureDiff(touched, splice, index_diff)
