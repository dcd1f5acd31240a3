"""The texts of numbers in the program."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.look.numbers import (
    duration_text,
    equals,
    fmt,
    fmt_list,
    fmt_short,
    fmt_statistic,
    shape_text,
    zero_text,
)

FINITE = st.floats(allow_nan=False, allow_infinity=False)


def number(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-0.311, "−0.311"),
        (0.593, "0.593"),
        (0.001, "0.001"),
        (9999.0, "9999"),
        (-9999.0, "−9999"),
        (2.1e-5, "2.1e−5"),
        (-2.1e-5, "−2.1e−5"),
        (3e-12, "3e−12"),
        (4e5, "4e5"),
        (1e300, "1e300"),
        (10_000.0, "1e4"),
        (9_999.9, "1.0e4"),
        (float("nan"), "NaN"),
        (float("inf"), "inf"),
        (float("-inf"), "−inf"),
    ],
)
def test_a_number_is_written_short(value: float, text: str) -> None:
    assert fmt(value) == text


@pytest.mark.parametrize(
    ("value", "text", "short"),
    [
        (0.19003, "0.190", ".19"), (0.19, "0.19", ".19"), (0.089002, "0.0890", ".089"), (1.4003, "1.400", "1.4"),
        (0.5, "0.5", ".5"), (2.5004, "2.500", "2.5"), (12.0004, "12.00", "12"), (100.02, "100.0", "100"),
        (99.7, "99.7", "100"), (0.9996, "1.00", "1.0"),
    ],
)  # fmt: skip
def test_a_final_zero_is_left_out_of_an_exact_number_alone(value: float, text: str, short: str) -> None:
    assert (fmt(value), fmt_short(value)) == (text, short)


@given(st.floats(0.001, 9999) | st.floats(-9999, -0.001))
def test_numbers_from_a_thousandth_to_9999_are_plain(value: float) -> None:
    assert "e" not in fmt(value)


@given(st.floats(0.001, 9999) | st.floats(-9999, -0.001))
def test_a_plain_number_is_off_by_half_a_percent_at_most(value: float) -> None:
    assert number(fmt(value)) == pytest.approx(value, rel=0.005)


@given(st.floats(-1.7e308, 1.7e308))
def test_a_number_with_an_exponent_is_off_by_five_percent_at_most(value: float) -> None:
    # Two significant digits: half a step of 0.1 above 1. Subnormal numbers have fewer digits.
    assert number(fmt(value)) == pytest.approx(value, rel=0.0501, abs=5e-324)


@given(st.floats())
def test_no_number_has_a_hyphen_for_its_minus(value: float) -> None:
    assert "-" not in fmt(value) + fmt_short(value)


@given(st.floats())
def test_no_number_takes_more_than_nine_characters(value: float) -> None:
    assert len(fmt(value)) <= 9


@given(FINITE)
def test_a_negative_number_is_the_positive_one_with_a_minus(value: float) -> None:
    assert fmt(-abs(value)) == (f"−{fmt(abs(value))}" if value else "0")


@given(st.floats(0.01, 999) | st.floats(-999, -0.01))
def test_a_short_number_is_off_by_five_percent_at_most(value: float) -> None:
    assert number(fmt_short(value)) == pytest.approx(value, rel=0.0501)


def test_a_list_of_numbers_has_no_zeros_before_the_points() -> None:
    assert fmt_list([0.14, 0.37, 1.0, 1.0]) == ".14 .37 1 1"
    assert fmt_list([-0.5, 2.0, float("nan")]) == "−.5 2 NaN"
    assert fmt_list([0.008, 0.00795, -0.00063]) == "8e−3 .0080 −6.3e−4"


@pytest.mark.parametrize(("shape", "text"), [(None, "?"), ((), "[]"), ((4,), "[4]"), ((32, 8), "[32×8]")])
def test_a_shape_is_written_as_ports_show_it(shape: tuple[int, ...] | None, text: str) -> None:
    assert shape_text(shape) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (2, "= 2"),
        (0.2, "= 0.2"),
        (1 - 2e-8, "≈ 1"),
        (1 + 2**-52, "≈ 1"),
        (2.718281828, "≈ 2.718"),
        (float(np.float32(0.2)), "= 0.2"),
        (float(np.float16(0.3)), "= 0.300"),
        (math.inf, "= inf"),
        (1e300, "= 1e300"),
    ],
)
def test_a_sentence_says_about_where_the_number_has_more_digits(value: float, text: str) -> None:
    assert equals(value) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0.01 ms"),
        (0.0123456, "12.3 ms"),
        (0.9994, "999 ms"),
        (1.0, "1.0 s"),
        (12.345, "12.3 s"),
        (1e-9, "0.01 ms"),
    ],
)
def test_a_duration_has_three_digits(seconds: float, text: str) -> None:
    assert duration_text(seconds) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0.14, ".14"), (-0.14, "−.14"), (-2.0, "−2"), (99.4, "99"), (123.4, "123"), (999.4, "999"), (1000.0, "1000"),
        (0.01, ".01"), (0.0, "0"), (math.inf, "inf"), (math.nan, "NaN"),
    ],
)  # fmt: skip
def test_a_short_number_has_two_digits(number: float, text: str) -> None:
    assert fmt_short(number) == text


def test_a_statistic_of_what_is_not_finite_is_a_dash_and_a_zero_of_roundings_is_about() -> None:
    assert (fmt_statistic(2.0, True), fmt_statistic(2.0, False)) == ("2", "–")
    assert (zero_text(0.0), zero_text(1e-17)) == ("0", "≈ 0")
