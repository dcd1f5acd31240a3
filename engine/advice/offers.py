"""Offers of fixes: each fix is tried beside the graph, and offered only if the graph ends better than it began."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from gradwire.engine.advice.finding import Fix
from gradwire.engine.advice.linter import lint
from gradwire.engine.advice.trials import Trial, is_worse, trial_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.port_index import PortEntry
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.errors import BlockError, EditError
from gradwire.engine.base.problems import Problem
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.evaluation.snapshot import PortResult, WireResult
from gradwire.engine.graph.block_parameters import value_of
from gradwire.engine.graph.graph import Block, Graph

Edit = Callable[[Graph], Graph]
# Trials of one run may take this long together; they delay the next run. Units: seconds.
TRIAL_SECONDS = 1.0


@dataclass(frozen=True)
class Complaint:
    """Reason for a fix: a problem or finding with a `code` at a block, or a wire or port that receives no gradient."""

    at: str = ""
    code: str = ""
    place: PortName | Link | None = None


class Offers:
    """Trials of fixes for one run, as long as the time lasts; the first fix is always tried.

    Cost: one evaluation of the edited graph and one run of the linter for each fix, within the memory of the run.
    """

    def __init__(self, run: Evaluation, seconds: float = TRIAL_SECONDS) -> None:
        self._run, self._end, self._is_first = run, time.perf_counter() + seconds, True

    def best(self, complaint: Complaint, *fixes: Fix | None) -> Fix | None:
        """Returns the fix that helps and leaves the fewest broken wires, with its trial; None if none helps."""
        found: dict[Trial, Fix] = {}
        for fix in fixes:
            if fix is None or not (self._is_first or time.perf_counter() < self._end):
                continue
            self._is_first = False
            trial = self.trial(complaint, fix.edit, fix.layers)
            if trial is not None and trial.helps:
                found.setdefault(trial, replace(fix, trial=trial))
                if not trial.after.broken_wires:
                    break
        best = min(found, key=lambda trial: trial.after.broken_wires, default=None)
        return None if best is None else found[best]

    def trial(self, complaint: Complaint, edit: Edit, layers: Sequence[tuple[int, str]] = ()) -> Trial | None:
        """Returns the trial of an edit; None if the edit or the run is impossible."""
        try:
            graph = edit(self._run.graph)
            after = self._run.of_other(graph)
        except (EditError, BlockError, MemoryError):
            return None
        helps = not rewrites_data(self._run.graph, graph) and self._helps(complaint, after)
        return trial_of(self._run, after, helps, complaint.place, layers)

    def _helps(self, complaint: Complaint, after: Evaluation) -> bool:
        """Returns whether fewer wires are broken, or the complaint is gone and nothing new is wrong."""
        run = self._run
        if run.loss is None or run.snapshot.has_errors:
            return not _errors(after) - _errors(run) and self._is_gone(complaint, after)
        if after.snapshot.has_errors or is_worse(run, after):
            return False
        known = _tensors(run).keys() & _tensors(after).keys()
        broken, left = broken_places(run) & known, broken_places(after) & known
        if left - broken:
            return False
        if self._breaks(complaint.at) or broken_places(run, "nan") & known:
            return left < broken
        return self._is_gone(complaint, after) and not _warnings_of(after) - self._warnings

    @cached_property
    def _warnings(self) -> Counter[str]:
        return _warnings_of(self._run)

    def _breaks(self, at: str) -> bool:
        """Returns whether a block makes numbers that are not finite."""
        return any(item.code == "nonfinite" and item.at == at for item in self._run.snapshot.problems)

    def _is_gone(self, complaint: Complaint, after: Evaluation) -> bool:
        if complaint.place is not None:
            return _receives(self._run, after, complaint.place)
        key = complaint.code, complaint.at
        return _complaints(after)[key] < _complaints(self._run)[key]


def broken_places(run: Evaluation, *kinds: str) -> set[tuple[PortName | Link, bool]]:
    """Returns the ports and wires whose value, or gradient where the flag is true, is broken somewhere.

    `kinds` are the kinds of numbers that count: "nan", "infinite", or both if none is named.
    """
    slots, survey = run.structure.plan.slots, run.facts.survey
    broken = set(np.flatnonzero(sum(survey[kind] for kind in kinds or ("nan", "infinite"))).tolist())
    return {place for place, item in _tensors(run).items() if item is not None and slots[item] in broken}


def _tensors(run: Evaluation) -> dict[tuple[PortName | Link, bool], Expression | None]:
    index = run.structure.port_index
    entries: list[tuple[PortName | Link, PortEntry]] = [*index.ports.items(), *index.wires.items()]
    values = {(name, False): entry.value for name, entry in entries}
    return values | {(name, True): entry.gradient for name, entry in entries}


def _warnings_of(run: Evaluation) -> Counter[str]:
    """Returns how many warnings of each code there are; one that stays may move to another block."""
    return Counter(item.code for item in _said(run) if item.severity != "info")


def _complaints(run: Evaluation) -> Counter[tuple[str, str]]:
    return Counter((item.code, item.at) for item in _said(run))


def _errors(run: Evaluation) -> Counter[tuple[str, str]]:
    return Counter((item.code, item.at) for item in run.snapshot.problems if item.severity == "error")


def _said(run: Evaluation) -> Iterator[Problem]:
    yield from run.snapshot.problems
    yield from (finding.problem for finding in lint(run))


def _receives(before: Evaluation, after: Evaluation, place: PortName | Link) -> bool:
    """Returns whether a wire or port receives a gradient now, or one with fewer zeros, or lacks it for another reason.

    The source of a wire may receive it over another one, past the block that cuts it. Another reason counts only if
    more wires receive a gradient: of several causes of a zero a fix takes one at a time.
    """
    old, new = _flow_at(before, place), _flow_at(after, place)
    if new is None and isinstance(place, Link):
        new = _flow_at(after, place.source)
    if new is not None:
        return old is None or bool(np.count_nonzero(new) > np.count_nonzero(old))
    return _reason(before, place) != _reason(after, place) and _flowing(after) > _flowing(before)


def _result(run: Evaluation, place: PortName | Link) -> PortResult | WireResult | None:
    return run.snapshot.wires.get(place) if isinstance(place, Link) else run.snapshot.ports.get(place)


def _flow_at(run: Evaluation, place: PortName | Link) -> Array | None:
    """Returns the gradient of a port or wire; None if it is gone or receives nothing."""
    found = _result(run, place)
    return None if found is None or found.status is not Status.FLOW else run.tensor(place, is_gradient=True)


def _reason(run: Evaluation, place: PortName | Link) -> tuple[object, ...]:
    found = _result(run, place)
    zero = None if found is None else found.zero
    return (None,) if found is None else (found.status, found.by, zero and (zero.cause, zero.at))


def _flowing(run: Evaluation) -> int:
    return sum(result.status is Status.FLOW for result in run.snapshot.wires.values())


def rewrites_data(before: Graph, after: Graph) -> bool:
    """Returns whether an edit gives a block other numbers of its own, unless it is a variable that is trained."""
    for page in after.pages:
        old = before.page(page.name).blocks if before.has_page(page.name) else {}
        if any(name in old and not _holds_the_same(old[name], block) for name, block in page.blocks.items()):
            return True
    return False


def _holds_the_same(old: Block, new: Block) -> bool:
    first, second = value_of(old), value_of(new)
    if first is second or first is None or second is None:
        return True
    is_trained = new.type == "Variable" and new.parameters.get("trainable", True)
    return bool(is_trained) or np.array_equal(first, second, equal_nan=True)
