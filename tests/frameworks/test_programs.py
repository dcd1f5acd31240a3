"""Whole graphs as programs for the frameworks: they give the loss and gradients of Gradwire and TensorFlow."""

from __future__ import annotations

import pytest

from gradwire.engine.export.export import export
from tests.engine.programs import run_program
from tests.frameworks.installed import INSTALLED
from tests.recorded import graph_of_recording, load, recorded_graphs

# Operands of Maximum or Minimum are equal there: PyTorch and JAX share the gradient, TensorFlow gives it to the first.
OTHER_CONVENTIONS = {"random_60_3", "random_60_4", "random_60_5"}
SAME = [
    (framework, name)
    for framework in INSTALLED
    for name in recorded_graphs()
    if framework == "tensorflow" or name not in OTHER_CONVENTIONS
]


@pytest.mark.parametrize(("framework", "name"), SAME)
def test_programs_of_the_recorded_graphs_give_the_numbers_of_gradwire(framework: str, name: str) -> None:
    names = run_program(export(graph_of_recording(load("graphs", name)), framework))
    # Other libraries add in another order, and their special functions differ in the last digits.
    assert names["largest"] < 1e-8


@pytest.mark.parametrize("framework", [item for item in INSTALLED if item != "tensorflow"])
@pytest.mark.parametrize("name", sorted(OTHER_CONVENTIONS))
def test_where_conventions_differ_the_program_says_so(framework: str, name: str) -> None:
    names = run_program(export(graph_of_recording(load("graphs", name)), framework))
    assert names["largest"] > 1e-8
