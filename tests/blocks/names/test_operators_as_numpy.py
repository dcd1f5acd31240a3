"""Operators and indices of expressions beside NumPy's: the same numbers in the same dtype, or a sentence."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import gradwire as gw
from gradwire.engine.base.errors import PlaceError
from gradwire.engine.blocktypes.plan import make_plan, run

DTYPES = ("float64", "float32", "float16", "int64", "int32", "int8", "uint8", "bool")
TWO: list[Callable[[Any, Any], Any]] = [
    *(operator.add, operator.sub, operator.mul, operator.truediv, operator.floordiv, operator.mod, operator.pow),
    *(operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne),
    *(operator.and_, operator.or_, operator.xor, operator.matmul),
]
ONE: list[Callable[[Any], Any]] = [operator.neg, abs, operator.invert, operator.pos, len]
NUMBERS = st.sampled_from([0, 1, -2, 3, 0.5, -1.5, 2.0, True, False])
FLOATS = st.sampled_from([0.0, -0.0, 1.0, -1.0, 0.5, 2.5, -3.25, 0.1, 1e-3, 100.0, float("inf"), float("nan")])
SHAPES = st.sampled_from([(), (1,), (3,), (2, 3), (1, 3), (3, 1), (3, 2), (2, 1, 3), (0,), (2, 3, 3)])


@st.composite
def arrays(draw: st.DrawFn) -> np.ndarray:
    dtype, shape = np.dtype(draw(st.sampled_from(DTYPES))), draw(SHAPES)
    if dtype.kind == "f":
        return draw(hnp.arrays(dtype, shape, elements=FLOATS.map(lambda item: float(np.asarray(item, dtype)))))
    low, high = (0, 1) if dtype.kind == "b" else (0 if dtype.kind == "u" else -4, 5)
    return draw(hnp.arrays(dtype, shape, elements=st.integers(low, high).map(dtype.type)))


def value(result: Any) -> Any:
    """What an expression computes; arrays and Python's numbers are what they are."""
    if not isinstance(result, gw.Expression):
        return result
    found = run(make_plan([result]))
    for error in found.failures.values():
        raise error
    return found[result]


def agrees(compute: Callable[..., Any], *operands: Any, places: tuple[int, ...]) -> bool:
    """Returns whether a result equals NumPy's, the operands at some places as expressions; False is a sentence."""
    with np.errstate(all="ignore"):
        try:
            expected = compute(*operands)
        except (TypeError, ValueError, IndexError, OverflowError):
            expected = None
    given_ = [gw.Input(item) if number in places else item for number, item in enumerate(operands)]
    try:
        found = value(compute(*given_))
    except (gw.GradwireError, OverflowError):
        return False
    assert expected is not None, f"NumPy refuses, here it is {found}"
    assert np.asarray(found).dtype == np.asarray(expected).dtype
    tolerance = (
        {"f": 4 * float(np.finfo(np.asarray(expected).dtype).eps)} if np.asarray(expected).dtype.kind == "f" else {}
    )
    np.testing.assert_allclose(
        found, expected, rtol=tolerance.get("f", 0), atol=0, strict=not isinstance(expected, int)
    )
    return True


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(TWO), arrays(), arrays(), st.sampled_from([(0,), (1,), (0, 1)]))
def test_two_tensors(compute: Callable[..., Any], x: np.ndarray, y: np.ndarray, places: tuple[int, ...]) -> None:
    agrees(compute, x, y, places=places)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(TWO), arrays(), NUMBERS, st.booleans())
def test_a_tensor_and_a_number(compute: Callable[..., Any], x: np.ndarray, number: float, is_first: bool) -> None:
    agrees(compute, *((x, number) if is_first else (number, x)), places=(0 if is_first else 1,))


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(ONE), arrays())
def test_one_tensor(compute: Callable[..., Any], x: np.ndarray) -> None:
    agrees(compute, x, places=(0,))


ENTRIES = st.one_of(
    st.integers(-4, 3),
    st.builds(slice, *[st.none() | st.integers(-4, 4)] * 2, st.sampled_from([None, 1, 2, -1, -2])),
    st.none(),
    st.just(Ellipsis),
    st.lists(st.integers(-3, 2), min_size=1, max_size=3),
    hnp.arrays(np.int64, st.sampled_from([(), (2,), (2, 1)]), elements=st.integers(-3, 2)),
)
VALUES = np.arange(54.0).reshape(3, 3, 3, 2)


@settings(max_examples=150, deadline=None)
@given(st.lists(ENTRIES, min_size=1, max_size=4).map(tuple), st.booleans())
def test_an_index(key: tuple[Any, ...], is_input: bool) -> None:
    """Tensors of places are arrays, or Inputs; both are read as NumPy reads arrays."""
    x = gw.Input(VALUES)
    ours = tuple(gw.Input(item) if is_input and isinstance(item, np.ndarray) else item for item in key)
    try:
        expected = VALUES[key]
    except IndexError:
        with pytest.raises((IndexError, gw.GradwireError)):
            value(x[ours])
        return
    np.testing.assert_array_equal(value(x[ours]), expected, strict=True)


REDUCTIONS = ("sum", "prod", "mean", "amax", "amin", "all", "any", "argmax", "argmin", "cumsum", "count_nonzero")
OF_EACH = (
    "abs",
    "sign",
    "floor",
    "ceil",
    "round",
    "square",
    "exp",
    "log1p",
    "sqrt",
    "tanh",
    "isnan",
    "isfinite",
    "arctan",
)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(REDUCTIONS), arrays(), st.none() | st.integers(-4, 3), st.booleans())
def test_a_reduction(name: str, x: np.ndarray, axis: int | None, keeps: bool) -> None:
    keywords = {"axis": axis} if name in ("cumsum", "count_nonzero") else {"axis": axis, "keepdims": keeps}
    agrees_with(getattr(np, name), getattr(gw, name), x, **keywords)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(OF_EACH), arrays())
def test_a_function_of_each_element(name: str, x: np.ndarray) -> None:
    agrees_with(getattr(np, name), getattr(gw, name), x)


def agrees_with(numpy: Callable[..., Any], ours: Callable[..., Any], x: np.ndarray, **keywords: Any) -> None:
    """Passes if a function gives NumPy's numbers in their shape, or a sentence; sums of uint8 are int64 here."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = np.asarray(numpy(x, **keywords))
        except (TypeError, ValueError):
            expected = None
    try:
        found = value(ours(gw.Input(x), **keywords))
    except gw.GradwireError:
        return
    if expected is None and x.dtype.kind == "b":
        return  # PyTorch takes the sign of a mask.
    assert expected is not None, f"NumPy refuses, here it is {found}"
    assert found.shape == expected.shape
    assert found.dtype == expected.dtype or {found.dtype.kind, expected.dtype.kind} <= set("iub")
    eps = float(np.finfo(expected.dtype).eps) if expected.dtype.kind == "f" else 0
    np.testing.assert_allclose(found.astype(float), expected.astype(float), rtol=8 * eps, atol=8 * eps)


def test_most_of_what_numpy_computes_is_computed() -> None:
    """The laws above would hold if every call were refused."""
    rng = np.random.default_rng(0)
    drawn = [(rng.normal(size=(2, 3)) * 3).astype(dtype) for dtype in DTYPES]
    counted = [
        agrees(compute, x, abs(y) + 1 if y.dtype.kind != "b" else y, places=(0,))
        for compute in TWO[:13]
        for x in drawn
        for y in drawn
    ]
    assert sum(counted) > 0.95 * len(counted)


def test_computed_places_may_be_negative() -> None:
    k = gw.Input(np.array([0, 1, 2])) - 1
    np.testing.assert_array_equal(value(gw.Input(VALUES)[k]), VALUES[[-1, 0, 1]])


def test_a_place_beyond_the_axis_ends_a_loop_and_is_a_problem_of_the_run() -> None:
    x = gw.Input(np.arange(6.0).reshape(2, 3))
    assert [row.shape for row in x] == [(3,), (3,)]
    with pytest.raises(PlaceError, match="index 2 is out of range: the axis has 2 elements"):
        x[2]
    with pytest.raises(gw.GradwireError):
        value(x[gw.Input(np.array([1])) + 1])


def test_neither_none_nor_text_equals_a_tensor() -> None:
    x = gw.Input([1.0])
    assert (x == None) is False  # noqa: E711
    assert (x != None) is True  # noqa: E711
    assert (x == "a") is False


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ("x[x > 0]", "mask"),
        ("x[0.5]", "whole number"),
        ("x[0, 0, 0]", "too many"),
        ("x[::0]", "step of 0"),
        ("x[:x]", "whole numbers as bounds"),
        ("x.__setitem__(0, 1)", "assigned to an index"),
        ("float(x)", "evaluated"),
        ("np.asarray(x)", "evaluated"),
        ("np.sum(x)", "gw.sum"),
        ("np.concatenate([x, x])", "gw.concatenate"),
        ("len(x.sum())", "length"),
        ("list(x.sum())", "length"),
        ("x.sofmax(0)", "softmax"),
        ("gw.sofmax", "softmax"),
        ("x.item()", "evaluated"),
        ("x.backward()", "gw.evaluate"),
        ("x & 1", "mask"),
        ("~x", "mask"),
        ("(x > 0) - (x > 0)", "mask"),
        ("x @ 2.0", "single numbers"),
        ("x @ x", "do not fit"),
        ("x + [x, x]", "stack"),
        ("gw.split(x, 2)", "Split"),
    ],
)
def test_what_has_no_meaning_is_a_sentence(code: str, says: str) -> None:
    x = gw.Variable(np.array([[1.0, -2.0, 0.5], [0.25, 3.0, -1.0]]), name="x")
    with pytest.raises((gw.GradwireError, TypeError, AttributeError), match=says):
        eval(code, {"x": x, "gw": gw, "np": np})
