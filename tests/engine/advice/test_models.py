"""The rules on models with one mistake each, and on sane ones: found and silent."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice.advice import advise
from gradwire.engine.advice.linter import lint
from gradwire.engine.edits import grouping, renames
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.graph.graph import Graph
from tests.engine.advice import mistakes, other_styles, sane_models, stuck_models
from tests.engine.advice.parts import with_axes_from_the_other_end, with_dots, with_turned_operands
from tests.sweeps import a_third_of

MISTAKES = mistakes.MISTAKES | other_styles.WRONG | stuck_models.WRONG
SANE = sane_models.SANE | other_styles.SANE | stuck_models.SANE
# A gradient that vanishes or explodes has many cures, and one that TensorFlow defines otherwise, too; none is one edit.
WITHOUT_FIX = {"vanishing_chain", "exploding_chain", "not_the_derivative"}
# But for layers that repeat, whose weights are scaled.
DEEP = {"eight small layers"}
UNMENDED = {
    # Without the stop the discriminator's loss would train the generator.
    "a generator without its gradient",
    # Without the stop the policy's loss would train the critic.
    "a score that is stopped",
    "a sigmoid far out",
    "a variable behind a tiny factor",
    "a gather behind a logarithm",
    "a mask behind a power",
    "a slice behind a logarithm",
    # What is to be reshaped lies before the block that repeats it.
    "a column and a row, repeated first",
}


def rules_of(graph: Graph) -> set[str]:
    run = run_graph(graph)
    assert not run.snapshot.has_errors
    return {finding.rule for finding in lint(run)}


def renamed(graph: Graph) -> Graph:
    for number, block_id in enumerate(sorted(graph.pages[0].blocks)):
        graph = renames.rename_block(graph, graph.pages[0].name, block_id, f"b{number}")
    return graph


def wrapped(graph: Graph) -> Graph:
    """Moves all blocks but sources and losses into a page."""
    page = graph.pages[0]
    outside = {"Input", "Variable", "Constant", "Loss"}
    ids = [block_id for block_id, block in page.blocks.items() if block.type not in outside]
    return grouping.group(graph, page.name, ids)[0]


def test_there_are_enough_models() -> None:
    assert len(MISTAKES) >= 55 and len(SANE) >= 70


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_found_by_its_rule_alone(name: str) -> None:
    rule, make = MISTAKES[name]
    assert rules_of(gw.graph(make())) == {rule}


@pytest.mark.parametrize("name", a_third_of(MISTAKES))
def test_a_mistake_is_found_under_other_names_with_other_axes_and_inside_a_page(name: str) -> None:
    rule, make = MISTAKES[name]
    assert rules_of(wrapped(renamed(with_axes_from_the_other_end(gw.graph(make()))))) == {rule}


@pytest.mark.parametrize("name", a_third_of(MISTAKES, 1))
def test_a_mistake_is_found_through_dots_and_with_its_operands_turned(name: str) -> None:
    rule, make = MISTAKES[name]
    assert rules_of(with_turned_operands(with_dots(gw.graph(make())))) == {rule}


@pytest.mark.parametrize("name", SANE)
def test_a_sane_model_is_left_in_peace(name: str) -> None:
    graph = gw.graph(SANE[name]())
    assert rules_of(graph) == set()
    assert rules_of(wrapped(renamed(with_axes_from_the_other_end(graph)))) == set()
    assert rules_of(with_turned_operands(with_dots(graph))) == set()


@pytest.mark.parametrize("name", MISTAKES)
def test_a_fix_ends_the_mistake_and_says_whether_the_loss_changes(name: str) -> None:
    rule, make = MISTAKES[name]
    graph = gw.graph(make())
    before = run_graph(graph)
    (finding,) = advise(before).findings
    pickle.dumps(finding)
    assert finding.at in before.lowered.inferred.expanded.instances
    assert all(path in before.lowered.inferred.expanded.instances for path in finding.also)
    assert (finding.fix is None) is ((rule in WITHOUT_FIX and name not in DEEP) or name in UNMENDED)
    if finding.fix is None:
        return
    after = run_graph(finding.fix.edit(graph))
    assert rule not in {item.rule for item in lint(after)}
    assert not after.snapshot.has_errors
    assert before.snapshot.loss is not None and after.snapshot.loss is not None
    is_same = np.allclose(before.snapshot.loss.value, after.snapshot.loss.value, rtol=1e-12)
    assert is_same is not finding.fix.changes_loss
