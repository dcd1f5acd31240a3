"""Rules of advice that a graph silences: not applied, kept in the file, and back by an edit."""

from __future__ import annotations

import json

import pytest

import gradwire as gw
from gradwire.engine.advice.linter import lint
from gradwire.engine.base.errors import FileError
from gradwire.engine.edits import page_edits
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.graph import Graph
from tests.engine.advice.mistakes import MISTAKES

RULE, MAKE = MISTAKES["a softmax before its cross entropy"]


@pytest.fixture
def graph() -> Graph:
    """A graph with one finding."""
    return gw.graph(MAKE())


def rules(graph: Graph) -> list[str]:
    return [finding.rule for finding in lint(run_graph(graph))]


def test_a_silenced_rule_finds_nothing_and_the_others_go_on(graph: Graph) -> None:
    assert rules(graph) == [RULE]
    assert rules(page_edits.silence_rule(graph, RULE)) == []
    assert rules(page_edits.silence_rule(graph, "dead_units")) == [RULE]


def test_all_rules_apply_again_after_the_edit_that_says_so(graph: Graph) -> None:
    silenced = page_edits.silence_rule(page_edits.silence_rule(graph, RULE), "dead_units")
    assert silenced.silenced == (RULE, "dead_units")
    assert page_edits.silence_rule(silenced, RULE) is silenced
    assert page_edits.apply_all_rules(silenced) == graph
    assert page_edits.apply_all_rules(graph) is graph


def test_a_file_keeps_what_it_silences(graph: Graph) -> None:
    silenced = page_edits.silence_rule(graph, RULE)
    text = dumps(silenced)
    assert json.loads(text)["silenced"] == [RULE]
    assert loads(text).graph == silenced
    assert dumps(loads(text).graph) == text
    assert "silenced" not in json.loads(dumps(graph))


def test_a_file_may_silence_rules_of_a_newer_version(graph: Graph) -> None:
    record = json.loads(dumps(graph)) | {"silenced": ["rule_of_tomorrow", RULE, RULE]}
    loaded = loads(json.dumps(record)).graph
    assert loaded.silenced == ("rule_of_tomorrow", RULE)
    assert rules(loaded) == []


@pytest.mark.parametrize("value", [RULE, [1], {"a": 1}, None])
def test_other_things_than_names_are_refused_with_a_sentence(graph: Graph, value: object) -> None:
    record = json.loads(dumps(graph)) | {"silenced": value}
    with pytest.raises(FileError, match="must be"):
        loads(json.dumps(record))
