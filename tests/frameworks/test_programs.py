"""Whole graphs as programs for the frameworks: they give the loss and gradients of Gradwire and TensorFlow."""

from __future__ import annotations

import pytest

from gradwire.engine.export.export import export
from tests.engine.programs import run_program
from tests.frameworks.installed import INSTALLED
from tests.recorded import graph_of_recording, load, recorded_graphs


@pytest.mark.parametrize("framework", INSTALLED)
@pytest.mark.parametrize("name", recorded_graphs())
def test_programs_of_the_recorded_graphs_give_the_numbers_of_gradwire(framework: str, name: str) -> None:
    names = run_program(export(graph_of_recording(load("graphs", name)), framework))
    # Other libraries add in another order, and their special functions differ in the last digits.
    assert names["largest"] < 1e-8
