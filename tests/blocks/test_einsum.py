"""Einstein's notation in all its forms: first and second derivatives against central differences."""

from __future__ import annotations

import numpy as np
import pytest

import gradwire as gw

EQUATIONS = [
    ("ii->i", [(3, 3)]),
    ("ii", [(3, 3)]),
    ("iij,jk->ki", [(2, 2, 3), (3, 4)]),
    ("i...->...", [(2, 3)]),
    ("...i,...i->...", [(2, 3), (1, 3)]),
    ("...i,...j->...ij", [(1, 3), (4, 1, 2)]),
    ("ij,kj", [(2, 3), (4, 3)]),
    ("ijk,ik,j->", [(2, 3, 4), (2, 4), (3,)]),
    ("b...x,xy->b...y", [(2, 3, 4), (4, 5)]),
    ("...,...->...", [(1, 3), (2, 1)]),
]


@pytest.mark.parametrize(("equation", "shapes"), EQUATIONS)
def test_values_are_those_of_numpy_and_derivatives_those_of_differences(
    equation: str, shapes: list[tuple[int, ...]]
) -> None:
    numbers = np.random.default_rng(0)
    arrays = [numbers.normal(size=shape) for shape in shapes]
    inputs = [gw.Input(array) for array in arrays]
    y = gw.Einsum(*inputs, equation=equation)
    np.testing.assert_allclose(gw.evaluate(y).value(y), np.einsum(equation, *arrays), rtol=1e-12)
    squared = gw.Square(y)
    derivatives = [gw.Square(item) for item in gw.Gradients(squared, *inputs)]
    for outcome in (gw.check_gradients(squared), gw.check_gradients(*derivatives)):
        assert outcome.elements > 5
        assert outcome.mismatches == ()


@pytest.mark.parametrize(
    "equation", ["i->ii", "ij->i", "i,j->ij", "i->k", "i->j->k", "i1->i", "i....->i", "", "->", "i..->i"]
)
def test_an_equation_that_does_not_fit_is_refused_in_a_sentence(equation: str) -> None:
    with pytest.raises(gw.GradwireError):
        gw.Einsum(gw.Input([1.0, 2.0]), equation=equation)
