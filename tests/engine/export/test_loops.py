"""Exported programs of graphs with loops."""

from __future__ import annotations

import pytest

from gradwire.engine.export.export import export
from tests.engine.loop_graphs import random_loop, recurrence
from tests.engine.programs import deviation, run_program
from tests.sweeps import a_third_of


@pytest.mark.parametrize("seed", a_third_of(range(0, 40, 4), 1))
def test_a_program_of_a_loop_gives_its_numbers(seed: int) -> None:
    assert deviation(random_loop(seed)) == 0


def test_the_lines_of_a_program_name_the_rounds() -> None:
    program = export(recurrence(), "numpy")
    assert "rec_3_m = rec_3_h * rec_3_w" in program
    assert run_program(program)["rec_3_m"] == 102


def test_what_is_carried_into_a_round_is_stopped_in_all_frameworks() -> None:
    calls = {
        "tensorflow": "tf.stop_gradient(rec_1_h_2)",
        "torch": "rec_1_h_2.detach()",
        "jax": "jax.lax.stop_gradient(rec_1_h_2)",
    }
    for target, call in calls.items():
        assert export(recurrence(), target).count(call) == 1
