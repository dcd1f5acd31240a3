"""Text that becomes exactly the number it spells, or is refused: calls and operators are never computed or dropped."""

from __future__ import annotations

import math
import random
import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.number_text import read_count, read_number
from gradwire.interop.typed.tensor_text import array_text, numpy_text, read_array, read_source, read_typed

NAN, INF = math.nan, math.inf
# What frameworks print, and what is read today: number for number, with the dtype where the text names one.
KEPT: list[tuple[str, object, str]] = [
    ("2.5", 2.5, "float64"),
    ("[1, 3, 3]", [1, 3, 3], "float64"),
    ("1, 3, 3", [1, 3, 3], "float64"),
    ("1 3 3", [1, 3, 3], "float64"),
    ("(1, 2)", [1, 2], "float64"),
    ("1,", [1], "float64"),
    ("[1, 2,]", [1, 2], "float64"),
    ("[[1 2] [3 4]]", [[1, 2], [3, 4]], "float64"),
    ("[[1. 2.]\n [3. nan]]", [[1, 2], [3, NAN]], "float64"),
    ("[ 1 -2]", [1, -2], "float64"),
    ("[10 -2]", [10, -2], "float64"),
    ("[1.e-300    -inf]", [1e-300, -INF], "float64"),
    ("[ True False]", [True, False], "bool"),
    ("[1, 2]\n[3, 4]", [[1, 2], [3, 4]], "float64"),
    ("[np.inf, -np.inf, math.nan]", [INF, -INF, NAN], "float64"),
    ("[]", [], "float64"),
    ("array([[1., 2.],\n       [3., 4.]], dtype=float32)", [[1, 2], [3, 4]], "float32"),
    ("array([], shape=(0, 3), dtype=int64)", np.zeros((0, 3)), "int64"),
    ("np.array([1, 2], dtype=np.int8)", [1, 2], "int8"),
    ("np.array([1, 2], dtype='<f4')", [1, 2], "float32"),
    ("np.array([1, 2], float)", [1, 2], "float64"),
    ("numpy.asarray([[1, 2]])", [[1, 2]], "float64"),
    ("np.array([], dtype=np.float32).reshape((0, 3))", np.zeros((0, 3)), "float32"),
    ("np.array([1, 2, 3, 4]).reshape(-1, 2)", [[1, 2], [3, 4]], "float64"),
    ("matrix([[1, 2]])", [[1, 2]], "float64"),
    ("np.matrix([1, 2])", [[1, 2]], "float64"),
    ("np.float64(3.0)", 3, "float64"),
    ("np.float32(0.1)", np.float32(0.1), "float32"),
    ("np.True_", True, "bool"),
    ("[np.float64(1.5), np.float64(-2.0)]", [1.5, -2], "float64"),
    ("[np.float32(0.1), 0.1]", [float(np.float32(0.1)), 0.1], "float64"),
    ("tensor(3)", 3, "float64"),
    ("tensor([1.5000, -2.0000], requires_grad=True)", [1.5, -2], "float64"),
    ("tensor([[1.5]], dtype=torch.float16, device='cuda:0')", [[1.5]], "float16"),
    ("tensor([1., 2.], grad_fn=<AddBackward0>)", [1, 2], "float64"),
    ("tensor([], size=(0, 3), dtype=torch.int64)", np.zeros((0, 3)), "int64"),
    ("torch.tensor([1, 2], dtype=torch.float)", [1, 2], "float32"),
    ("Parameter containing:\ntensor([[1.0000e+00, 2.0000e-05]], requires_grad=True)", [[1, 2e-5]], "float64"),
    ("tf.constant([1, 2], dtype=tf.int32)", [1, 2], "int32"),
    ("tf.Tensor([1. 2.], shape=(2,), dtype=float32)", [1, 2], "float32"),
    ("tf.Tensor(3.0, shape=(), dtype=float32)", 3, "float32"),
    ("<tf.Tensor: shape=(2,), dtype=float32, numpy=array([1., 2.], dtype=float32)>", [1, 2], "float32"),
    ("<tf.Tensor: shape=(), dtype=int32, numpy=3>", 3, "int32"),
    ("<tf.Variable 'Variable:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>", [1, 2], "float32"),
    ("<Variable path=dense/kernel, shape=(1, 2), dtype=float32, value=[[1. 2.]]>", [[1, 2]], "float32"),
    ("Array([1., 2.], dtype=float32)", [1, 2], "float32"),
    ("Array(3., dtype=float32, weak_type=True)", 3, "float32"),
    ("jnp.asarray([1, 2], jnp.float32)", [1, 2], "float32"),
    ("Tensor(shape=[2], dtype=float32, place=Place(gpu:0), stop_gradient=True,\n       [1., 2.])", [1, 2], "float32"),
]


@pytest.mark.parametrize(("text", "numbers", "dtype"), KEPT)
def test_what_frameworks_print_is_read_with_its_dtype(text: str, numbers: object, dtype: str) -> None:
    array = read_array(text)
    np.testing.assert_array_equal(array, np.asarray(numbers))
    assert (array.dtype.name, array.shape) == (dtype, np.shape(numbers))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sqrt(2)", "has sqrt, which is not computed"),
        ("np.zeros((2, 8))", "has np.zeros, which is not computed"),
        ("linspace(0, 1, 5)", "has linspace, which is not computed"),
        ("[1, exp(2)]", "has exp, which is not computed"),
        ("-np.array([1, 2])", "must be numbers"),
        ("f(2)", "has f, which is not computed"),
        ("double(2)", "has double, which is not computed"),
        ("np.float32([1, 2], 3)", "more than one tensor"),
        ("int(2.7)", "has int, which is not computed"),
        ("np.int8(2.7)", "int8 cannot hold"),
        ("np.array(1, 2)", "more than one tensor"),
        ("np.array([1, 2], ndmin=2)", "ndmin= in np.array"),
        ("np.array([1.5], dtype=int8)", "int8 cannot hold"),
        ("np.array([1], dtype=complex64)", "complex64, which is not one of"),
        ("[1, 2, 3].reshape(2, 2)", "3 numbers, which do not fill the shape [2, 2]"),
        ("tf.constant(2.0, shape=(2, 3))", "1 numbers, which do not fill"),
        ("torch.Tensor(3)", "has no numbers"),
        ("array()", "has no numbers"),
        ("[1, 2].T", "must be numbers"),
        ("[[1, 2], [3, 4]][0]", "lacks a comma"),
        ("[[1, 2] [0]]", "lacks a comma"),
        ("1 -2", 'lacks a comma before "-2"'),
        ("[1 -2]", 'lacks a comma before "-2]"'),
        ("[1 2, 3]", "mixes commas and blanks"),
        ("[1, 2 3]", 'lacks a comma before "3]"'),
        ("1 000", 'groups digits before "000"'),
        ("007", "groups digits"),
        ("1_000", "must be numbers"),
        ("1e400", "too large"),
        ("[1 ... 9]", "was shortened"),
        ("tensor([1, 2]) * 2", "must be numbers"),
        ("<tf.Tensor 'x:0' shape=(2,) dtype=float32>", "has no numbers"),
        ("[1,\n 2 + 3]", 'lacks a comma before "+ 3]" in line 2, column 4'),
        ("2*3", 'must be numbers, in brackets for lists, not "*3"'),
    ],
)
def test_what_would_have_to_be_computed_is_refused_with_a_reason(text: str, said: str) -> None:
    with pytest.raises(ParameterError, match=re.escape(said)):
        read_array(text)


def test_grouping_brackets_add_no_axis() -> None:
    assert read_array("(1)").shape == () and read_array("((1, 2))").shape == (2,)


def test_a_whole_number_beside_a_decimal_keeps_its_last_digit() -> None:
    assert int(read_array("[9007199254740993, 2.0]", np.dtype(np.int64))[0]) == 9007199254740993


@pytest.mark.parametrize("text", ["9223372036854775808.0", "-1.0", "nan", "1.5"])
def test_a_decimal_outside_a_dtype_is_refused_on_every_processor(text: str) -> None:
    with pytest.raises(ParameterError):
        read_array(text, np.dtype(np.int64 if text != "-1.0" else np.uint64))


@pytest.mark.parametrize(
    ("text", "trains"),
    [
        ("tensor([1.5000, -2.0000], requires_grad=True)", True),
        ("tensor([1.])", None),
        ("tensor([1.], requires_grad=False)", False),
        ("Parameter containing:\ntensor([1.], requires_grad=True)", True),
        ("<tf.Variable 'v:0' shape=() dtype=float32, numpy=1.0>", True),
        ("tf.Variable([1.], trainable=False)", False),
    ],
)
def test_a_print_says_whether_its_tensor_trains(text: str, trains: bool | None) -> None:
    assert read_source(text).trains is trains


def test_a_decimal_comma_makes_one_number_and_grouped_digits_are_refused() -> None:
    assert read_typed("1,5", ",") == 1.5
    assert read_typed("1,5", ".").tolist() == [1, 5]
    with pytest.raises(ParameterError, match="groups digits"):
        read_typed("1.234,50", ",")


@pytest.mark.parametrize("text", ["1_000", "٣", "0x10", "1e400", "9" * 401, "", "1 000", "--1", "true", "1,5"])
def test_what_python_reads_as_a_number_and_people_do_not_mean_is_none(text: str) -> None:
    assert read_number(text) is None


def test_a_count_has_no_sign_and_no_decimals() -> None:
    assert [read_count(text) for text in ("7", " 12 ", "-1", "2.0", "٣")] == [7, 12, None, None, None]


# What a text means to Python, with the makers of frameworks as NumPy has them.
def _made(value: object, dtype: Any = None, **_: object) -> np.ndarray:
    return np.array(value, dtype)


NAMES = {"np": np, "math": math, "array": np.array, "asarray": np.asarray, "sqrt": np.sqrt, "abs": abs, "nan": NAN}
NAMES |= {"tensor": _made, "constant": _made, "Variable": _made, "Tensor": _made, "inf": INF, "zeros": np.zeros}
NAMES |= {"true": True, "false": False, "float64": np.float64, "float32": np.float32, "int": int, "float": float}


def _evaluated(text: str) -> np.ndarray | None:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            found = np.asarray(eval(text, {"__builtins__": {}} | NAMES))
    except Exception:  # Python refuses most of what is drawn, in all its ways.
        return None
    return found if found.dtype.kind in "fiub" else None


def _is_row(text: str) -> bool:
    """Returns whether all numbers have the same room, as in a row that NumPy prints."""
    count = len(text.split())
    return bool(count) and re.fullmatch(rf"(.{{{(len(text) + 1) // count - 1}}}( |$)){{{count}}}", text) is not None


def _meanings(text: str) -> Iterator[np.ndarray | None]:
    """Yields what Python makes of a text, or, where it makes nothing or subtracts NumPy's columns, of its columns."""
    plain = text.strip()
    yield _evaluated(plain)
    if _evaluated(plain) is None or "\n" in text or all(map(_is_row, re.findall(r"\[([^\[\]]*)\]", plain))):
        rows = re.sub(r"(?<=[\w.\])])\s+(?=[-+\w.\[(])", ", ", plain)
        rows = re.sub(r"^([\[(].*?[\])])(?=\.reshape)", r"array(\1)", rows, flags=re.DOTALL)
        yield _evaluated(rows)
        yield _evaluated(f"[{rows}]")


def _check(text: str) -> None:
    try:
        found = read_array(text)
    except ParameterError:
        return
    meanings = [meant for meant in _meanings(text) if meant is not None]
    is_meant = any(item.shape == found.shape and np.array_equal(found, item, equal_nan=True) for item in meanings)
    assert is_meant, f"{text!r} is read as {found!r}, and means {meanings!r}"


NUMBERS = ["1_000", "007", "000", "0x10", "1e5", ".5", "1.", "2j", "1e400", "True", "np.nan", "-inf", "...", "1,5"]
CALLS = ["sqrt", "np.zeros", "abs", "np.float64", "np.float32", "np.int8", "int", "array", "np.array", "np.arange"]
CALLS += ["tensor", "Tensor", "np.linspace", "np.eye", "f", "np.abs", "np.asarray", "np.matrix", "math.exp", ""]
BETWEEN = [" ", ",", ", ", " -", "+", "*", "/", "\n", " - ", "**", ""]
ENDS = ["", ".T", "[0]", "[-1]", ".reshape(2, 1)", ".reshape(-1)", ".sum()", " * 2", " -1", "**2", ", dtype=int", ", 2"]


def _drawn(source: random.Random, depth: int = 0) -> str:
    """Returns a number, a list, a call or an expression, seldom a right one."""
    kind = source.randrange(6) if depth < 3 else 0
    if kind < 2:
        number = source.randint(-300, 300) if kind else round(source.gauss(0, 1000), source.randrange(4))
        return source.choice(NUMBERS) if source.random() < 0.2 else str(number)
    items = [_drawn(source, depth + 1) for _ in range(source.randrange(1, 4))]
    if kind == 2:
        return source.choice(BETWEEN).join(items)
    if kind == 3:
        return f"[{source.choice([', ', ' ', ',']).join(items)}]"
    if kind == 4:
        return f"{source.choice(CALLS)}({items[0]}{source.choice(ENDS)})"
    return items[0] + source.choice(ENDS)


@settings(deadline=None, derandomize=True, max_examples=20)
@given(st.integers(0, 2**64))
def test_a_drawn_text_is_the_number_that_python_computes_or_refused(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(30):
        _check(_drawn(source))


@pytest.mark.long
@settings(deadline=None, max_examples=600)
@given(st.integers(0, 2**64))
def test_many_drawn_texts_are_the_numbers_that_python_computes_or_refused(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(50):
        _check(_drawn(source))


@settings(deadline=None, derandomize=True, max_examples=100)
@given(st.text(alphabet="0123456789.,-+e_ []()\n", max_size=24))
def test_signs_digits_and_brackets_are_what_python_computes_or_refused(text: str) -> None:
    _check(text)


@settings(deadline=None, derandomize=True, max_examples=25)
@given(
    st.tuples(st.integers(1, 3), st.integers(2, 4)),
    st.lists(st.floats(width=32), min_size=12, max_size=12),
    st.sampled_from(["float32", "float64", "int16", "bool"]),
)
def test_what_is_read_reads_the_same_when_it_is_written_again(
    shape: tuple[int, int], numbers: list[float], dtype: str
) -> None:
    with np.errstate(all="ignore"):
        array = np.array(numbers[: math.prod(shape)]).reshape(shape).astype(dtype)
    for text in (array_text(array), numpy_text(array), repr(array), str(array)):
        once = read_array(text, array.dtype)
        again = read_array(array_text(once), once.dtype)
        assert _are_same(again, once) and again.shape == array.shape
    for text in (array_text(array), numpy_text(array)):
        assert _are_same(read_array(text, array.dtype), array)


def _are_same(one: np.ndarray, other: np.ndarray) -> bool:
    """Returns whether numbers are equal to the sign of zero; NaN has no sign in a text."""
    signed = ~np.isnan(one)
    return np.array_equal(one, other, equal_nan=True) and np.array_equal(
        np.signbit(one.astype(np.float64))[signed], np.signbit(other.astype(np.float64))[signed]
    )
