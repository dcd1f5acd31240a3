"""Parameters of any JSON kind: those of a wrong kind are problems on their block, and no edit trips over them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gradwire.engine.advice.linter import lint
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.edit_sequences import SEQUENCES, Step, rich_graph

KINDS = {
    "nothing": None,
    "true": True,
    "a number": 3,
    "a number beyond 64 bits": 2**64,
    "a point": 1.5,
    "a list": [1, 2],
    "a list of lists": [["a"], []],
    "no list": [],
    "an object": {"a": {"b": 1}},
    "a tensor": {"dtype": "float64", "shape": [2], "data": [1, 2]},
    "a tensor of one": {"dtype": "bool", "shape": [], "data": [True]},
    "an empty tensor": {"dtype": "int64", "shape": [0], "data": []},
    "tensors": [{"dtype": "float64", "shape": [2], "data": [1, 2]}],
}
_NUMBERS = st.integers(-(2**70), 2**70) | st.floats(allow_nan=False, allow_infinity=False)
_TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=8) | st.sampled_from(["half", "use.out", "a"])
_ANY = st.recursive(
    st.sampled_from(list(KINDS.values())) | _NUMBERS | _TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_TEXTS, inner, max_size=2),
    max_leaves=4,
)
# Blocks with the parameters that the engine reads before their kinds are checked, and with some others.
PLACES = [
    *[("use", "page"), ("use_2", "page"), ("use_2", "no_such_parameter"), ("grads", "stop_gradients"), ("a", "name")],
    *[("a", "value"), ("out", "name"), ("x", "value"), ("x", "minimum"), ("x", "maximum"), ("loss", "reduction")],
]


def with_parameters(changed: Mapping[tuple[str, str], object]) -> Graph:
    """Returns the graph with one of everything, read from a file in which blocks have these parameters."""
    graph = rich_graph()
    page = graph.page("main")
    blocks = {
        **page.blocks,
        "use_2": Block("use_2", "Page", parameters={"page": "half"}),
        "loss": Block("loss", "Loss"),
    }
    record = json.loads(dumps(graph.with_page(dataclasses.replace(page, blocks=blocks))))
    saved = {block["id"]: block for sheet in record["pages"] for block in sheet["blocks"]}
    for (block_id, name), value in changed.items():
        saved[block_id].setdefault("parameters", {})[name] = value
    return loads(json.dumps(record)).graph


def is_accepted(block: Block) -> bool:
    """Returns whether all parameters of a block have their kinds."""
    try:
        library[block.type].normalize(block.parameters)
    except Exception:  # Any exception means that they do not fit.
        return False
    return True


@given(st.dictionaries(st.sampled_from(PLACES), _ANY, min_size=1, max_size=3), SEQUENCES)
@example({("grads", "stop_gradients"): KINDS["a tensor"]}, [Step("bypass", 0, 0, 0)])
@example({("use", "page"): KINDS["a tensor"]}, [Step("dissolve", 1, 0, 0)])
@example({("grads", "stop_gradients"): ["a.y", KINDS["a tensor"]]}, [Step("remove", block, 0, 0) for block in range(4)])
@settings(max_examples=40)
def test_whatever_parameters_hold_the_graph_runs_and_edits(
    changed: dict[tuple[str, str], object], steps: list[Step]
) -> None:
    graph = with_parameters(changed)
    run = run_graph(graph)
    list(lint(run))
    at_fault = {problem.at for problem in run.snapshot.problems if problem.severity == "error"}
    for block in graph.page("main").blocks.values():
        assert is_accepted(block) or f"main/{block.id}" in at_fault
    for step in steps:
        graph = step(graph)
    assert loads(dumps(graph)).graph == graph


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_parameter_that_is_no_text_is_a_problem_that_says_so(kind: str) -> None:
    snapshot = run_graph(with_parameters({("use_2", "page"): KINDS[kind]})).snapshot
    (found,) = (problem for problem in snapshot.problems if problem.at == "main/use_2")
    assert (found.severity, found.code) == ("error", "parameter")
    assert found.message.startswith("Parameter page must be text, not ")
    assert snapshot.loss is not None and np.isfinite(snapshot.loss.value)
