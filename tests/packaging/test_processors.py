"""What decides on the last bits: the settings of the nightly run, and numbers of lessons that need no library."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.processors import DECIDING, SETTINGS, environment
from scripts.trainings.exact_numbers import exact_products, solved_exactly

NUMBERS = st.integers(-9, 9).map(lambda number: number / 10)


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.title)
def test_nothing_inherited_decides_in_a_setting(setting) -> None:
    inherited = {**dict.fromkeys(DECIDING, "inherited"), "PATH": "/bin"}
    variables = environment(setting, inherited)
    assert "inherited" not in variables.values()
    assert variables["PATH"] == "/bin" and setting.variables.items() <= variables.items()


@given(
    st.lists(st.lists(NUMBERS, min_size=3, max_size=3), min_size=3, max_size=3),
    st.lists(NUMBERS, min_size=3, max_size=3),
)
def test_a_solution_in_fractions_solves_the_equations(rows, right) -> None:
    # A dominant diagonal makes the matrix regular.
    matrix = np.asarray(rows) + np.diag([40.0, -40.0, 40.0])
    exact = exact_products(matrix, np.eye(3))
    solved = solved_exactly(exact, [Fraction(repr(number)) for number in right])
    assert matrix @ solved == pytest.approx(np.asarray(right), abs=1e-14)
