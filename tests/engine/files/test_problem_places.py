"""Lines of problems in a file."""

from __future__ import annotations

import pytest

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.engine.autodiff.expand import expand
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.base.problems import Problem
from gradwire.engine.files.files import loads
from gradwire.engine.files.problem_places import ProblemPlaces

TEXT = """{"format": "gradwire.graph", "version": [1, 0], "needs": [], "conventions": "tf-2.21",
"loss": "main/gone", "pages": [{"name": "main", "blocks": [
  {"id": "e", "type": "Exp"},
  {"id": "use", "type": "Page", "parameters": {"page": "inner"}}
], "wires": [
  ["gone.y", "e.x"],
    ["e.y", "e.x"],
  ["gone.y", "e.x"],
  ["e.y", "loss.x"]
]}, {"name": "inner", "blocks": [
  {"id": "own", "type": "Quantum"},
  {"id": "f", "type": "Exp"}
], "wires": [
  ["own.y", "f.q"]
]}]}
"""
LOADED = loads(TEXT)
PROBLEMS = infer_specs(LOADED.graph).problems


@pytest.mark.parametrize(
    ("code", "said", "place"),
    [
        ("broken_wire", "there is no block gone.", (6, 3)),
        ("broken_wire", "The wire from e.y to e.x is not connected: another wire", (7, 5)),
        ("broken_wire", "The wire from gone.y to e.x is not connected: another wire", (8, 3)),
        ("broken_wire", "there is no block loss.", (9, 3)),
        ("broken_wire", "Exp f has no input q.", (14, 3)),
        ("unknown_type", "Quantum", (11, 3)),
        ("no_loss", "main/gone", (2, 9)),
    ],
)
def test_a_problem_stands_where_its_wire_block_or_name_does(code, said, place):
    (problem,) = [problem for problem in PROBLEMS if problem.code == code and said in problem.message]
    assert ProblemPlaces(LOADED).find(problem) == place


def test_every_problem_of_the_wires_has_a_place_and_one_of_no_place_has_none():
    places = ProblemPlaces(LOADED)
    assert all(places.find(problem)[0] for problem in expand(LOADED.graph).problems)
    assert places.find(Problem("info", "", "bom", "x")) == (0, 0)
    assert places.find(Problem("error", "gone/gone", "broken_wire", "x")) == (0, 0)
