"""Who trains whom: for each step of a plan the variables that it moves, and why it moves no other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.problems import Problem
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import PortResult, Snapshot
from gradwire.engine.graph.graph import Block, Graph
from gradwire.engine.graph.paths import split_path
from gradwire.engine.graph.ports import pages_along
from gradwire.engine.training.plan import Plan, Step
from gradwire.engine.training.targets import ALL, Targets
from gradwire.engine.training.until import GRADIENT

BLOCKED, NOT_LISTED, FROZEN, NO_PATH, CUT = "blocked", "not_listed", "frozen", "no_path", "cut"


@dataclass(frozen=True)
class Reason:
    """Why a step does not train a variable: a `kind`, and the StopGradient blocks where these block it."""

    kind: str
    by: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Words for a row."""
        if self.kind == BLOCKED:
            return f"blocked by {', '.join(self.by)}"
        return {NOT_LISTED: "not listed", FROZEN: "not trainable", NO_PATH: "no path", CUT: "no gradient passes"}[
            self.kind
        ]


@dataclass(frozen=True)
class Row:
    """One step: the variables that it trains, those that it assigns, and all others with the reason; its Loss."""

    step: str
    trains: tuple[str, ...]
    assigns: tuple[str, ...]
    others: Mapping[str, Reason]
    loss: str | None = None

    @property
    def text(self) -> str:
        """Row as a sentence."""
        parts = [f"trains {_row(self.trains)}"] if self.trains or not self.assigns else []
        parts += [f"assigns {_row(self.assigns)}"] if self.assigns else []
        rest = [f"{name} ({reason.text})" for name, reason in self.others.items()]
        parts += [f"does not train {_row(rest)}"] if rest and self.trains else []
        return "; ".join(parts)


def contract(graph: Graph, plan: Plan, ignored_stops: Set[str] = frozenset()) -> tuple[Row, ...]:
    """Returns a row for each step of a plan."""
    targets, snapshots = Targets(graph), dict[str | None, Snapshot]()
    rows = []
    for step in plan.steps:
        if step.rule is not None and step.loss not in snapshots:
            snapshots[step.loss] = evaluate(replace(graph, loss=step.loss, training=None), ignored_stops)
        rows.append(_row_of(graph, step, targets, snapshots.get(step.loss) if step.rule is not None else None))
    return tuple(rows)


def plan_problems(rows: Sequence[Row], plan: Plan, graph: Graph) -> list[Problem]:
    """Returns problems of a plan that is well formed: a variable with two writers, or one that nothing trains."""
    found = []
    known = Targets(graph)
    for row, step in zip(rows, plan.steps, strict=True):
        for name in sorted({*row.trains} & {*row.assigns}):
            message = f"Step {step.name} trains {name} and assigns it too; only one of both can hold."
            found.append(Problem("error", name, "two_writers", message))
        asked = known.variables_of(name for name in step.variables if name != ALL) if step.rule is not None else ()
        for name in dict.fromkeys(asked):
            if name not in row.trains:
                reason = row.others[name].text if name in row.others else NO_PATH
                message = f"Step {step.name} lists {name}, but never trains it: {reason}."
                found.append(Problem("warning", name, "never_trained", message))
    for name in plan.until.places(GRADIENT):
        if not any(name in row.trains for row in rows):
            message = f"The end waits for the gradient of {name}, which no step trains."
            found.append(Problem("warning", name, "never_trained", message))
    return found


def _row_of(graph: Graph, step: Step, targets: Targets, snapshot: Snapshot | None) -> Row:
    listed = None if ALL in step.variables else set(targets.variables_of(step.variables))
    results = {} if snapshot is None else _results(graph, snapshot)
    trains, others = [], dict[str, Reason]()
    for name in dict.fromkeys(targets.variables_of([ALL])):
        reason = _reason(graph.block(name), results.get(name, []), listed is None or name in listed)
        if reason is None:
            trains.append(name)
        elif snapshot is not None and name not in step.assign:
            others[name] = reason
    return Row(step.name, tuple(trains), tuple(step.assign), others, step.loss)


def _results(graph: Graph, snapshot: Snapshot) -> dict[str, list[PortResult]]:
    """Returns the results of each variable, one for each use of its page."""
    pages = {f"{page.name}/{name}": block for page in graph.pages for name, block in page.blocks.items()}
    found: dict[str, list[PortResult]] = {}
    for port, result in snapshot.ports.items():
        name = _block_name(graph, port.path)
        if name in pages:
            found.setdefault(name, []).append(result)
    return found


def _block_name(graph: Graph, path: str) -> str:
    """Returns page and id of the block at a path through used pages."""
    prefix, block_id = split_path(path)
    return f"{pages_along(graph, prefix)[-1].name}/{block_id}"


def _reason(block: Block, results: list[PortResult], is_listed: bool) -> Reason | None:
    """Returns why a variable is not trained, None if it is."""
    statuses = {result.status for result in results}
    reached = statuses & {Status.FLOW, Status.ZERO, Status.NONFINITE}
    if not reached:
        if Status.BLOCKED in statuses:
            return Reason(BLOCKED, tuple(dict.fromkeys(by for result in results for by in result.by)))
        return Reason(CUT if Status.NON_DIFFERENTIABLE in statuses else NO_PATH)
    if not block.parameters.get("trainable", True):
        return Reason(FROZEN)
    return None if is_listed else Reason(NOT_LISTED)


def _row(names: Iterable[str]) -> str:
    return ", ".join(names) or "nothing"
