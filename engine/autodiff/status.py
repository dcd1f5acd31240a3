"""Status of a wire's gradient: one of eight reasons, decided by structure first and by numbers last."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

import numpy as np

from gradwire.engine.autodiff.backward import Backward, Edge, lets_gradients_pass
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression

_BLOCKING = (Role.STOP, Role.OWN_GRADIENT)


class Status(enum.StrEnum):
    """Statuses, in order of precedence."""

    UNKNOWN = "unknown"
    NONFINITE = "nonfinite"
    NO_GRADIENT_DTYPE = "no_gradient_dtype"
    NO_PATH = "no_path"
    BLOCKED = "blocked"
    NON_DIFFERENTIABLE = "non_differentiable"
    ZERO = "zero"
    FLOW = "flow"


@dataclass
class Cuts:
    """First cuts on all paths to the loss, for each expression and edge without a gradient.

    An absent expression or edge has no path to the loss, or has a gradient.
    """

    expressions: dict[Expression, frozenset[Application]] = field(default_factory=dict)
    edges: dict[Edge, frozenset[Application]] = field(default_factory=dict)


def find_cuts(backward: Backward) -> Cuts:
    """Follows every path back from the loss to its first cut, by structure alone."""
    cuts = Cuts()
    for application in reversed(backward.order):
        for slot, item in enumerate(application.inputs):
            edge = Edge(application, slot)
            if item is None or not is_cut(edge, backward):
                continue
            found = cut_at(application, backward, cuts)
            cuts.edges[edge] = found
            cuts.expressions[item] = cuts.expressions.get(item, frozenset()) | found
    return cuts


def is_cut(edge: Edge, backward: Backward) -> bool:
    """Returns whether an edge on a path to the loss could carry a gradient but carries none."""
    item = edge.application.inputs[edge.slot]
    is_open = item is not None and item.spec.is_differentiable
    return is_open and edge not in backward.edges and edge not in backward.hidden_edges


def cut_at(application: Application, backward: Backward, cuts: Cuts) -> frozenset[Application]:
    """Returns the first cuts on the paths from an application that passes no gradient to some input."""
    has_gradient = any(output in backward.totals for output in application.outputs)
    if has_gradient or not lets_gradients_pass(application):
        return frozenset((application,))
    further = frozenset().union(*(cuts.expressions.get(output, frozenset()) for output in application.outputs))
    # No further cuts: all paths use an output that cannot carry a gradient, such as the indices of a TopK.
    return further or frozenset((application,))


def cut_status(cuts: frozenset[Application]) -> Status:
    """Returns BLOCKED if a StopGradient or a page with an own gradient is among the cuts, else NON_DIFFERENTIABLE."""
    return Status.BLOCKED if any(cut.type.role in _BLOCKING for cut in cuts) else Status.NON_DIFFERENTIABLE


def number_status(gradient: Array, tolerance: Array | float) -> Status:
    """Returns the status of an existing gradient: `zero` if no element exceeds the rounding error in `tolerance`.

    Shapes: `tolerance` broadcasts against `gradient`.
    """
    if not np.isfinite(gradient).all():
        return Status.NONFINITE
    if gradient.size == 0:
        return Status.FLOW
    return Status.FLOW if (np.abs(gradient) > tolerance).any() else Status.ZERO


def is_exact(tolerance: Array | float) -> bool:
    """Returns whether a tolerance is exact zero; a NumPy scalar is a float, too."""
    return type(tolerance) is float
