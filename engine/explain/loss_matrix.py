"""Who trains whom: how strongly each loss pulls at each variable, every loss differentiated by itself."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from engine.expand import Instance, Link, PortName
from engine.expression import Expression
from engine.gradients import Edge, ones, walk_back
from engine.graph import Graph
from engine.kept_values import Keeping, known_survey, run_within
from engine.lower import Lowered, infer_and_measure, lower
from engine.norms import norm_of
from engine.number_facts import NumberFacts
from engine.plan import Results, make_plan
from engine.status import Status, cut_status, find_cuts
from engine.tolerances import Tolerances

VARIABLE, INPUT = "Variable", "Input"


@dataclass(frozen=True)
class Pull:
    """How a loss pulls at a variable: the norm of the gradient where one arrives, its status, and what cuts the way."""

    status: Status
    norm: float | None = None
    by: tuple[str, ...] = ()


@dataclass(frozen=True)
class LossMatrix:
    """The paths of all losses and variables, and a row of pulls for each loss."""

    losses: tuple[str, ...]
    variables: tuple[str, ...]
    pulls: tuple[tuple[Pull, ...], ...]

    def pull(self, loss: str, variable: str) -> Pull:
        """How one loss pulls at one variable."""
        return self.pulls[self.losses.index(loss)][self.variables.index(variable)]


def loss_matrix(graph: Graph, keeping: Keeping | None = None) -> LossMatrix:
    """The gradient of every Loss block by itself at every Variable, or at every Input if there is no Variable.

    `keeping` says how much of large arrays may be kept on the way.
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


def way_between(graph: Graph, loss: str, variable: str) -> tuple[Link, ...]:
    """The wires along which the gradient of a loss comes to a variable; where none comes, those on which it would.

    Empty where no wire leads from one to the other, or either is not there.
    """
    lowered = lower(infer_and_measure(dataclasses.replace(graph, loss=loss)))
    names = [name for name in _variables(lowered) if name.path == variable]
    start = lowered.ports.get(names[0]) if names else None
    if start is None or not lowered.losses:
        return ()
    edges = _edges_after(start, lowered, start in lowered.backward.totals)
    return tuple(link for link in lowered.inferred.expanded.links if lowered.edges.get(link.target) in edges)


def _edges_after(start: Expression, lowered: Lowered, carries_gradient: bool) -> set[Edge]:
    """The edges between an expression and the loss, all of them or those along which gradients come back."""
    reached, found = {start}, set[Edge]()
    for application in lowered.backward.order:
        edges = [Edge(application, slot) for slot, item in enumerate(application.inputs) if item in reached]
        kept = [edge for edge in edges if not carries_gradient or edge in lowered.backward.edges]
        if kept:
            found.update(kept)
            reached.update(application.outputs)
    return found


def _variables(lowered: Lowered) -> list[PortName]:
    instances = lowered.inferred.expanded.instances
    for kind in (VARIABLE, INPUT):
        found = [_output(item) for item in instances.values() if item.type is not None and item.type.name == kind]
        if found:
            return sorted(found)
    return []


def _output(instance: Instance) -> PortName:
    assert instance.type is not None
    return PortName(instance.path, instance.type.outputs[0].name)


def _of_one_loss(lowered: Lowered, loss: Expression) -> Lowered:
    backward = walk_back({loss: ones(loss.spec)})
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
