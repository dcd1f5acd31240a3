"""Formulas of arrays as people type them, beside what Python and NumPy make of the same text."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gradwire.engine.base.errors import ParameterError
from gradwire.interop.typed.tensor_text import read_typed

FORMULAS = """
1 + 2 * 3 - 4 / 8
2 ** 3 ** 0.5
-2 ** 2
7 // 2 + 7 % 4 - (-7 // 2)
(1 + 2) * 3
[1, 2, 3]
[[1, 2], [3, 4]]
[1, 2 * 3, -4]
zeros(3)
zeros((2, 3))
ones((2, 1)) * 3
full((2, 3), 7.5)
full(3, 2)
eye(3)
eye(2, 4)
arange(4)
arange(2, 5)
arange(5, 1, -2)
arange(0, 1, 0.25)
linspace(1, 2, 4)
linspace(3, -3, 7)
logspace(0, 2, 3)
array([1, 2]) + array([3, 4])
array([[1, 2], [3, 4]]) @ array([[0, 1], [1, 0]])
array([[1, 2, 3]]) @ arange(3)
arange(6).reshape(2, 3)
arange(6).reshape((3, -1))
arange(6).reshape(2, 3).T
repeat([1, 2], 3)
tile([1, 2], 2)
tile([1, 2], (2, 1))
diag([1, 2, 3])
diag([[1, 2], [3, 4]])
sin(1) + cos(2) * tan(0.5)
exp(1) - log(2) + sqrt(3)
sum([1, 2, 3])
sum([[1, 2], [3, 4]], axis=0)
mean([1, 2, 6])
max([3, 9, 2]) - min([3, 9, 2])
abs(-3) + abs(2)
transpose([[1, 2], [3, 4]])
"""


@pytest.mark.parametrize("formula", FORMULAS.strip().splitlines())
def test_a_formula_is_what_numpy_makes_of_it(formula: str) -> None:
    wanted = eval(formula, {**vars(np), "__builtins__": {}})
    found = read_typed(formula, ".")
    assert found.shape == np.shape(wanted)
    np.testing.assert_allclose(found, wanted, rtol=1e-14)


@pytest.mark.parametrize(
    ("formula", "same"),
    [
        ("torch.zeros(size=(2, 3))", "zeros((2, 3))"), ("np.zeros(shape=(2,))", "zeros(2)"),
        ("torch.ones(2, 3)", "ones((2, 3))"), ("tf.ones(shape=[2, 3])", "ones((2, 3))"),
        ("torch.arange(1, 5, step=2)", "arange(1, 5, 2)"),
        ("torch.linspace(0, end=2, steps=3)", "linspace(0, 2, 3)"),
        ("torch.logspace(0, 2, steps=3)", "logspace(0, 2, 3)"), ("tf.fill(dims=(2, 2), value=3)", "full((2, 2), 3)"),
        ("tf.eye(2, num_columns=3)", "eye(2, 3)"), ("torch.sum([[1, 2], [3, 4]], dim=1)", "[3, 7]"),
    ],
)  # fmt: skip
def test_words_of_frameworks_mean_the_same(formula: str, same: str) -> None:
    np.testing.assert_array_equal(read_typed(formula, "."), read_typed(same, "."))


@pytest.mark.parametrize(
    "formula",
    [
        "zeros(-1)", "zeros(1.5)", "zeros(True)", f"zeros(({'1, ' * 17}))", "arange(1, 2, 0)", "arange(0, 1e300)",
        "full((2,), [1, 2])", "[1, 2].reshape(3)", "arange(6).reshape(4, -1)",
        "[[1, 2]] @ [1, 2, 3]", "[1, [2]]", "1 +", "unknown(2)", "linspace(0, 1, -1)", "repeat([1], -1)",
    ],
)  # fmt: skip
def test_what_is_no_array_is_refused(formula: str) -> None:
    with pytest.raises(ParameterError):
        read_typed(formula, ".")


def test_sizes_are_limited_before_anything_is_made() -> None:
    for formula in ("zeros((10**6, 10**6))", "repeat([1, 2], 10**12)", "tile([1, 2], (10**6, 10**6))", "eye(10**6)"):
        with pytest.raises(ParameterError):
            read_typed(formula, ".")
    assert math.prod(read_typed("zeros((100, 100))", ".").shape) == 10_000
