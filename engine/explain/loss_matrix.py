"""Matrix of losses and variables: the norm of each loss's own gradient at each variable."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from gradwire.engine.autodiff.backward import backward_pass, ones
from gradwire.engine.autodiff.expand import Instance, PortName
from gradwire.engine.autodiff.lower import infer_and_measure, lower
from gradwire.engine.autodiff.lowered import Lowered
from gradwire.engine.autodiff.status import Status, cut_status, find_cuts
from gradwire.engine.base.norms import norm_of
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.plan import Results, make_plan
from gradwire.engine.causes.tolerances import Tolerances
from gradwire.engine.executors.magnitudes import NumberFacts
from gradwire.engine.executors.rematerialization import Keeping, known_survey, run_within
from gradwire.engine.graph.graph import Graph


@dataclass(frozen=True)
class Pull:
    """Gradient of a loss at a variable: its status, its norm if it exists, and the blocks that cut it."""

    status: Status
    norm: float | None = None
    by: tuple[str, ...] = ()


@dataclass(frozen=True)
class LossMatrix:
    """Paths of all losses and variables, and a row of pulls for each loss."""

    losses: tuple[str, ...]
    variables: tuple[str, ...]
    pulls: tuple[tuple[Pull, ...], ...]

    def pull(self, loss: str, variable: str) -> Pull:
        """Returns the pull of one loss at one variable."""
        return self.pulls[self.losses.index(loss)][self.variables.index(variable)]


def loss_matrix(graph: Graph, keeping: Keeping | None = None) -> LossMatrix:
    """Differentiates every Loss block by itself at every Variable, or at every Input if there is no Variable.

    `keeping` limits the memory for large arrays.
    """
    lowered = lower(infer_and_measure(dataclasses.replace(graph, loss=None)))
    variables = _variables(lowered)
    losses = [path for path in lowered.inferred.losses if PortName(path, "y") in lowered.ports]
    alone = [_of_one_loss(lowered, lowered.ports[PortName(path, "y")]) for path in losses]
    gradients = [item for one in alone for item in (*one.backward.totals.values(), *one.backward.edges.values())]
    results = run_within(make_plan(lowered.ports.values(), then=gradients), keeping)
    facts = NumberFacts(results, known_survey(results))
    rows = {path: _row(one, results, facts, variables) for path, one in zip(losses, alone, strict=True)}
    unknown = tuple(Pull(Status.UNKNOWN) for _ in variables)
    found = tuple(rows.get(path, unknown) for path in lowered.inferred.losses)
    return LossMatrix(tuple(lowered.inferred.losses), tuple(name.path for name in variables), found)


def _variables(lowered: Lowered) -> list[PortName]:
    instances = lowered.inferred.expanded.instances.values()
    variables = [_output(item) for item in instances if item.type is not None and item.type.is_variable]
    inputs = [_output(item) for item in instances if item.type is not None and item.type.is_input]
    return sorted(variables or inputs)


def _output(instance: Instance) -> PortName:
    assert instance.type is not None
    return PortName(instance.path, instance.type.outputs[0].name)


def _of_one_loss(lowered: Lowered, loss: Expression) -> Lowered:
    backward = backward_pass({loss: ones(loss.spec)})
    return dataclasses.replace(lowered, losses=[loss], backward=backward)


def _row(lowered: Lowered, results: Results, facts: NumberFacts, variables: Sequence[PortName]) -> tuple[Pull, ...]:
    tolerances, cuts = Tolerances(lowered, results, facts), find_cuts(lowered.backward).expressions
    found = []
    for name in variables:
        expression = lowered.ports.get(name)
        if expression is None or expression in lowered.backward.hidden:
            found.append(Pull(Status.UNKNOWN))
        elif not expression.spec.is_differentiable:
            found.append(Pull(Status.NO_GRADIENT_DTYPE))
        elif expression in lowered.backward.totals:
            gradient = results[lowered.backward.totals[expression]]
            norm = None if gradient is None else norm_of(gradient)
            found.append(Pull(tolerances.status_of_total(expression), norm))
        elif expression in cuts:
            by = tuple(sorted({lowered.owners[cut] for cut in cuts[expression]}))
            found.append(Pull(cut_status(cuts[expression]), by=by))
        else:
            found.append(Pull(Status.NO_PATH))
    return tuple(found)
