"""Formulas of arrays as people type them, beside what Python and NumPy make of the same text."""

from __future__ import annotations

import math

import numpy as np
import pytest

from gradwire.engine.base.errors import ParameterError
from gradwire.interop.typed.array_expressions import computed_number
from gradwire.interop.typed.tensor_text import array_text, number_text, numpy_text, read_typed, with_point

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
array([1.0, 2.0]) ** 2
2 ** array([1.0, -2.0])
array([1.0, 2.0]) ** array([[2], [3]])
2 ** -1
2 ** 0.5
-8.0 ** 2
0 ** 0
ones((2, 3, 4)) @ ones((4, 5))
ones((5, 1, 3, 4)) @ ones((2, 4, 1))
ones((3, 4)) @ ones(4)
ones(4) @ ones((4, 2))
ones(4) @ ones(4)
arange(4).reshape([2, 2])
arange(4).reshape(4)
arange(4).reshape(-1, 1)
float32(0.1)
int32([1, 2])
float64(3)
1.5 - -2 + +3
[-1, +2, -3]
[[1.0, 2.0], [3.0, -4.0e-1]]
[[], []]
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


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float16", "float32", "float64"])
@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (1, 1, 4), (0,), (0, 3), (2, 0)])
def test_written_tensors_are_read_back_by_python_and_by_us(dtype: str, shape: tuple[int, ...]) -> None:
    array = (np.random.default_rng(len(shape)).normal(size=shape) * 3).astype(dtype)
    for item in (
        array,
        *([array * np.nan, np.copysign(np.inf, array).astype(dtype)] if dtype.startswith("float") else []),
    ):
        found = eval(numpy_text(item), {"np": np})
        assert (found.dtype, found.shape) == (item.dtype, item.shape)
        np.testing.assert_array_equal(found, item)
        if item.size:
            back = read_typed(array_text(item), ".", np.dtype(dtype))
            np.testing.assert_array_equal(back, item)
            assert back.dtype == item.dtype


@pytest.mark.parametrize(
    ("text", "point", "same"),
    [("1,5", ",", "1.5"), ("1.5", ",", "1.5"), ("1,5,2", ",", "1,5,2"), ("a,b", ",", "a,b"), ("1,5", ".", "1,5"),
     ("−1,5", ",", "-1.5"), ("1,5e3", ",", "1.5e3")],
)  # fmt: skip
def test_a_lone_number_may_have_a_decimal_comma(text: str, point: str, same: str) -> None:
    assert with_point(text, point) == same


def test_numbers_are_written_as_short_as_they_read_back() -> None:
    written = [number_text(number) for number in (1.0, -0.0, 0.1, 2, 1e22, np.float32(0.1), 0.0)]
    assert written == ["1", "-0.0", "0.1", "2", "1e+22", "0.1", "0"]
    assert array_text(np.array([[True, False]])) == "[[true, false]]"


@pytest.mark.parametrize(
    ("text", "number"),
    [("sqrt(4)", 2), ("1/4", 0.25), ("2**10", 1024), ("2**-1", 0.5), ("1e308*10", None), ("3", None), ("ones(2)", None),
     ("2**3000", None), ("1 +2", None), ("1 + 2", 3), ("1 -\n2", None),
     ("1+" * 99 + "1", 100), ("1+" * 1000 + "1", None)],
)  # fmt: skip
def test_an_expression_may_come_to_one_finite_number(text: str, number: float | None) -> None:
    assert computed_number(text) == number


def test_a_thousand_operations_behind_each_other_are_refused() -> None:
    with pytest.raises(ParameterError, match="too many"):
        read_typed("1+" * 999 + "1", ".")
