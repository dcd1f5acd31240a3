"""What follows from a graph, brought up to date after an edit: the cost is that of the edit, not of the graph."""

from __future__ import annotations

from typing import NamedTuple

from engine.evaluate import Structure
from engine.graph import Graph
from engine.infer_again import Touched, infer_again
from engine.recount import Recounting
from engine.redraw import Redrawing, Redrawn
from engine.relower import BeyondError, Relowering
from engine.replan import Replanning, Splice


class Followed(NamedTuple):
    """What an edit did: to the blocks, to the plan, and to the ports and wires."""

    touched: Touched
    splice: Splice
    redrawn: Redrawn


class Following:
    """A structure that follows edits: its expressions, plan, outline and sums are changed in place.

    Raises: BeyondError if it cannot.
    """

    def __init__(self, structure: Structure) -> None:
        lowered, outline = structure.lowered, structure.outline
        self._relowering = Relowering(lowered, outline.cuts)
        backward = lowered.backward
        roots = [*lowered.ports.values(), *backward.totals.values(), *backward.edges.values()]
        self._replanning = Replanning(structure.plan, roots)
        self._redrawing = Redrawing(outline)
        self._recounting = Recounting(structure.sums, lowered, structure.plan)

    def follow(self, graph: Graph) -> Followed | None:
        """Takes over an edit; None if all has to be planned again: then this is of no use any more."""
        lowered = self._relowering.lowered
        found = infer_again(lowered.inferred, graph)
        if found is None:
            return None
        inferred, touched = found
        try:
            moves = self._relowering.follow(inferred, touched)
            splice = self._replanning.follow(moves, lowered.owners)
        except BeyondError:
            return None
        redrawn = self._redrawing.follow(moves)
        self._recounting.follow(self._relowering, moves, self._replanning.steps)
        return Followed(touched, splice, redrawn)
