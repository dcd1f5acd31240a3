"""First-order prediction of the loss after moving numbers of inputs: L + g·Δ."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from gradwire.engine.base.norms import dot_of
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.graph.block_parameters import value_of
from gradwire.engine.graph.graph import Graph, changes
from gradwire.engine.graph.ports import role_of

# Maps (page, block id) to the displacement of each element of the block's value.
Steps = Mapping[tuple[str, str], Array]


def steps_between(before: Graph, after: Graph) -> Steps | None:
    """Returns the displacements of inputs' values between two graphs; None if anything else differs."""
    steps: dict[tuple[str, str], Array] = {}
    if before.loss != after.loss or [page.name for page in before.pages] != [page.name for page in after.pages]:
        return None
    for name, change in changes(before, after).items():
        if change.added or change.removed or change.wires_added or change.wires_removed:
            return None
        for block_id in change.changed:
            old, new = (graph.page(name).blocks[block_id] for graph in (before, after))
            a, b = value_of(old), value_of(new)
            is_source = role_of(old) is Role.SOURCE and old.type == new.type and old.is_muted == new.is_muted
            if not is_source or a is None or b is None or a.shape != b.shape:
                return None
            steps[name, block_id] = b.astype(np.float64) - a.astype(np.float64)
    return steps


def predicted_loss(loss: float, steps: Steps, gradients: Callable[[str, str], Array | None]) -> float | None:
    """Returns the predicted loss after the steps, to first order in the gradients at their start.

    `gradients(page, block)` gives the first elements of a gradient, flat, or None if it is unknown. The result is None
    if a step goes along an element whose gradient is not known.
    """
    for (page, block_id), step in steps.items():
        moved = np.flatnonzero(step)
        if not moved.size:
            continue
        gradient = gradients(page, block_id)
        if gradient is None or moved[-1] >= gradient.size:
            return None
        loss += dot_of(gradient.ravel()[moved], step.ravel()[moved])
    return loss
