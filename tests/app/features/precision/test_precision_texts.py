"""The findings of the lens of precision in words and numbers, and their order."""

from __future__ import annotations

import math

import pytest

from gradwire.app.features.precision.precision_rows import (
    amount,
    amount_text,
    digits_left,
    digits_text,
    finding_text,
    findings,
    power_text,
    summary,
    what_text,
)
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.explain.precision import Accumulation, Deviation, Precision, Underflow

X, E = PortName("main/x", "y"), PortName("main/e", "x")
SUM = Accumulation(X, True, "", (0,), 0.5, 500.0, 7.0)  # κ is 1000: three digits of seven are lost
STEP = Accumulation(Link(X, E), True, "ReduceSum", (0,), 0.5, 5.0, 7.0)
VALUE = Accumulation(X, False, "ReduceSum", (0,), 1.0, 1e7, 7.0)
FEW, MOST = Deviation(X, 1e-5), Deviation(E, 0.25)
LOST = Underflow(X, (0,), 3, -51.8)


@pytest.mark.parametrize(
    ("finding", "what", "size", "digits"),
    [
        (SUM, "Sum over wires: terms of size 500 cancel to 0.5", "κ 1000", "4.0"),
        (STEP, "Sum of gradients in ReduceSum: terms of size 5 cancel to 0.5", "κ 10", "6.0"),
        (VALUE, "Sum of values in ReduceSum: terms of size 1e7 cancel to 1", "κ 1e7", "0.0"),
        (FEW, "In float64, ∂L changes by 1e−5 (relative)", "1e−5", "5.0"),
        (MOST, "In float64, ∂L changes by 0.25 (relative)", "0.25", "0.6"),
        (Deviation(X, 0.0), "In float64, ∂L changes by 0 (relative)", "0", "7.0"),
        (Deviation(X, 1e-12), "In float64, ∂L changes by 1e−12 (relative)", "1e−12", "7.0"),
        (Deviation(X, 5.0), "In float64, ∂L changes by 5 (relative)", "5", "0.0"),
        (LOST, "underflow: the true value is about 10^−51.8", "", "0.0"),
    ],
)
def test_a_finding_has_its_words_its_size_and_its_digits(
    finding: Accumulation | Deviation | Underflow, what: str, size: str, digits: str
) -> None:
    assert (what_text(finding, "float64"), amount_text(finding), digits_text(finding)) == (what, size, digits)


def test_amounts_sort_underflows_last_and_endless_differences_have_no_digits() -> None:
    assert (amount(SUM), amount(MOST), amount(LOST)) == (1000, 0.25, math.inf)
    assert digits_left(Deviation(X, math.inf)) == 0
    assert digits_left(Accumulation(X, True, "", (), 0.0, 1.0, 7.0)) == 0
    found = Precision((SUM, VALUE), "float64", (MOST,), (LOST,))
    assert findings(found) == [LOST, VALUE, MOST, SUM]


def test_a_place_is_a_block_or_both_ends_of_a_wire() -> None:
    assert (finding_text(SUM), finding_text(STEP)) == ("x", "x → e")
    assert power_text(12.34) == "10^12.3"


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (Precision((), "float64", (), ()), ""),
        (
            Precision((SUM, VALUE), "float64", (), ()),
            "Strongest cancellation: x; 4.0 reliable digits remain (κ = 1000).",
        ),
        (
            Precision((VALUE,), "float64", (MOST, FEW), ()),
            "Strongest cancellation: x; no reliable digits remain (κ = 1e7). "
            "In float64, gradients change by at most 0.25 (relative), at e.",
        ),
        (
            Precision((), "float64", (), (LOST,)),
            "The 0 at x is an underflow: the true gradient is about 10^−51.8.",
        ),
        (
            Precision((), "float64", (), (LOST, LOST)),
            "The 0 at x is an underflow: the true gradient is about 10^−51.8. 1 more port has such zeros.",
        ),
    ],
)
def test_the_summary_names_the_worst_of_each_kind(found: Precision, sentence: str) -> None:
    assert summary(found) == sentence
