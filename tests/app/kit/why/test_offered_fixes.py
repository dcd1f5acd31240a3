"""Fixes that the window offers, over all cases: none touches data, and each leaves the graph better than it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice

import numpy as np
import pytest

from gradwire.app.kit.why.why import why_of
from gradwire.app.live.questions.trial_question import TrialWanted
from gradwire.engine.advice.advice import advise
from gradwire.engine.advice.linter import lint
from gradwire.engine.base.problems import Problem
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.graph.graph import Block, Graph
from tests.app.kit.why.test_why import facts_of
from tests.engine.advice.cases import FIELD, LINT, case
from tests.gallery import example, examples_of_each_wiring
from tests.recorded import graph_of_recording, graphs_of_each_wiring, load
from tests.sweeps import a_third_of, long

Edit = Callable[[Graph], Graph]
ZERO = "zero"
CASES = (*LINT, *FIELD)
NAMES = [*a_third_of(CASES), *map(long, (*examples_of_each_wiring(), *graphs_of_each_wiring()))]


def graph_of(name: str) -> Graph:
    if name in CASES:
        return case(name)
    return example(name) if name in examples_of_each_wiring() else graph_of_recording(load("graphs", name))


def offered(run: Evaluation) -> Iterator[tuple[str, str, Edit]]:
    """Yields the fixes on cards and in the list of problems, each with the code and the block of its problem."""
    facts, wanted = facts_of(run.graph), dict[tuple[Edit, object], TrialWanted]()
    for place in (*run.snapshot.wires, *run.snapshot.ports):
        fix = why_of(facts, place).fix
        if fix is not None and fix.place is not None:
            wanted.setdefault((fix.edit, fix.args), TrialWanted(fix.place, fix.edit, fix.args))
    for question in wanted.values():
        trial = question.answer(run)
        if trial is not None and trial.helps:
            yield ZERO, str(question.place), partial(_with_args, question)
    advice = advise(run, seconds=np.inf)
    yield from ((item.code, item.at, item.fix.edit) for item in advice.findings if item.fix is not None)
    yield from ((problem.code, problem.at, fix.edit) for problem, fix in advice.remedies.items())


def _with_args(question: TrialWanted, graph: Graph) -> Graph:
    return question.edit(graph, *question.args)


def data(graph: Graph) -> dict[tuple[str, str], np.ndarray]:
    """Returns the numbers of all blocks but those that are trained."""
    blocks = ((page.name, block) for page in graph.pages for block in page.blocks.values())
    return {(page, block.id): np.asarray(block.parameters["value"]) for page, block in blocks if is_data(block)}


def is_data(block: Block) -> bool:
    is_trained = block.type == "Variable" and block.parameters.get("trainable", True)
    return "value" in block.parameters and not is_trained


def broken(run: Evaluation) -> set[object]:
    """Returns the ports with a value or gradient that is NaN or infinite."""
    arrays = {(name, kind): run.tensor(name, kind) for name in run.snapshot.ports for kind in (False, True)}
    return {key for key, array in arrays.items() if array is not None and not np.isfinite(array).all()}


def said(run: Evaluation) -> list[Problem]:
    return [*run.snapshot.problems, *(finding.problem for finding in lint(run))]


def count(problems: list[Problem], code: str, at: str = "") -> int:
    return sum(item.code == code and at in ("", item.at) for item in problems)


@pytest.mark.parametrize("name", NAMES)
def test_an_offered_fix_keeps_the_data_and_ends_better(name: str) -> None:
    before = run_graph(graph_of(name))
    for code, at, edit in offered(before):
        graph = edit(before.graph)
        kept, after = data(graph), run_graph(graph)
        for key, numbers in data(before.graph).items():
            assert key not in kept or np.array_equal(kept[key], numbers, equal_nan=True)
        shared = {(port, kind) for port in after.snapshot.ports for kind in (False, True)}
        assert broken(after) & shared <= broken(before) & shared
        if broken(after) & shared == broken(before) & shared:
            assert code == ZERO or count(said(after), code, at) < count(said(before), code, at)
            new = [item for item in said(after) if item.severity != "info"]
            assert all(count(new, item.code) <= count(said(before), item.code) for item in new)


def test_fixes_are_offered_where_they_help() -> None:
    # Not all are sought: the first ones are enough, and each takes as long as a run.
    found = list(islice((code for name in FIELD for code, _, _ in offered(run_graph(case(name)))), 5))
    assert len(found) == 5, found


def test_no_fix_fills_a_constant() -> None:
    run = run_graph(case("28_fill_constant_with_random"))
    assert run.snapshot.ports and not list(offered(run))


def test_a_masked_entropy_is_not_offered_a_fix_that_keeps_its_nan() -> None:
    run = run_graph(case("02_fix_log_softmax_keeps_nan"))
    for _, _, edit in offered(run):
        loss = run_graph(edit(run.graph)).loss
        assert loss is not None and loss.value is not None and np.isfinite(loss.value)
