"""Incremental lowering after an edit: only the blocks that it touches are lowered and differentiated again.

An expression keeps its identity while it is the same port or gradient, whatever computes it. Its readers then need no
change, and an edit spreads no further than its effects.
"""

from __future__ import annotations

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import Inferred
from gradwire.engine.autodiff.infer_update import Touched
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.status import Cuts
from gradwire.engine.base.errors import CannotUpdate
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import are_same
from gradwire.engine.evaluation.backward_update import BackwardUpdate
from gradwire.engine.evaluation.forward_update import ForwardUpdate
from gradwire.engine.evaluation.lowered_diff import LoweredDiff, Pending
from gradwire.engine.evaluation.lowered_index import LoweredIndex


class IncrementalLowering:
    """Lowered graph that follows edits in place.

    Raises: CannotUpdate for a graph with unknown gradients, with Gradients blocks, or with own gradients of pages.
    """

    def __init__(self, lowered: Lowered, cuts: Cuts) -> None:
        if lowered.is_partial or lowered.backward.hidden:
            raise CannotUpdate
        expanded = lowered.inferred.expanded
        if expanded.rules or any(item.role is Role.GRADIENTS for item in expanded.instances.values()):
            raise CannotUpdate
        self.index = LoweredIndex(lowered, cuts)

    def update(self, inferred: Inferred, touched: Touched) -> LoweredDiff:
        """Updates the lowered graph to `inferred`, which differs at `touched`.

        Raises: CannotUpdate if the whole graph must be lowered again.
        """
        lowered, diff, pending = self.index.lowered, LoweredDiff(), Pending()
        is_rewired = ForwardUpdate(self.index, diff, pending).run(inferred, touched)
        backward = BackwardUpdate(self.index, diff, pending)
        if is_rewired:
            backward.reorder()
        if not are_same([lowered.ports.get(PortName(path, "y")) for path in inferred.losses], lowered.losses):
            raise CannotUpdate
        backward.run()
        return diff
