"""Amounts of gradients in a few characters, and whether two of them differ."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

from gradwire.app.live.readings.amounts import (
    amount_clause,
    amount_text,
    broken_text,
    elements_text,
    gradient_text,
    norm_text,
)
from gradwire.app.live.readings.comparison import WithoutStops
from gradwire.app.live.readings.readings import PlaceReading, Results, reading_of, results_of
from gradwire.app.live.readings.stop_changes import changed_ports, changed_wires, differs
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.evaluate import run_graph
from tests.engine.cause_graphs import x

ONE, PAIR, FOUR, FIVE = (reading_of(np.array(numbers)) for numbers in ([3.0], [3.0, -4.0], [1.0] * 4, [1.0] * 5))
BROKEN = reading_of(np.array([math.nan, math.inf, 1.0]))


def test_a_number_stands_for_itself_and_more_for_their_norm() -> None:
    assert [amount_text(item) for item in (ONE, PAIR, BROKEN)] == ["3", "size 5", "size –"]
    assert [amount_clause(item) for item in (ONE, PAIR)] == ["3", "a gradient of size 5"]
    assert [elements_text(item) for item in (ONE, PAIR, FOUR, FIVE)] == ["3", "3 −4", "1 1 1 1", "size 2.236"]
    assert norm_text(ONE) == "size 3"


@pytest.mark.parametrize(
    ("numbers", "text"),
    [
        ([math.nan, 1.0], "NaN 1 of 2"),
        ([math.inf, -math.inf, 1.0], "inf 2 of 3"),
        ([math.nan, math.inf, 1.0], "NaN 1 of 3, inf 1"),
        ([math.nan] * 2000, "NaN 2,000 of 2,000"),
    ],
)
def test_what_is_broken_is_counted(numbers: list[float], text: str) -> None:
    assert broken_text(reading_of(np.array(numbers))) == text


@pytest.mark.parametrize(
    ("status", "numbers", "text"),
    [
        (Status.FLOW, [3.0, -4.0], "size 5"),
        (Status.FLOW, None, "?"),
        (Status.ZERO, [0.0, 0.0], "0"),
        (Status.ZERO, [1e-17, 0.0], "≈ 0"),
        (Status.ZERO, None, "?"),
        (Status.BLOCKED, [0.0], "0 blocked"),
        (Status.BLOCKED, None, "0 blocked"),
        (Status.NON_DIFFERENTIABLE, [0.0], "0 no derivative"),
        (Status.NO_PATH, [0.0], "no path"),
        (Status.NO_GRADIENT_DTYPE, None, "no gradient"),
        (Status.UNKNOWN, [3.0], "?"),
        (Status.NONFINITE, [math.nan, 1.0], "size –"),
    ],
)
def test_a_gradient_is_told_by_its_status_or_its_amount(status: Status, numbers: list[float] | None, text: str) -> None:
    assert gradient_text(status, None if numbers is None else reading_of(np.array(numbers))) == text
    if text == "size 5":
        assert gradient_text(status, PAIR, elements_text) == "3 −4"


def at(status: Status, numbers: list[float] | None) -> PlaceReading:
    return PlaceReading(None, None if numbers is None else reading_of(np.array(numbers)), status)


@pytest.mark.parametrize(
    ("one", "other", "is_other"),
    [
        ([1.0, 2.0], [1.0, 2.0], False),
        ([1.0, 2.0], [1.0, 2.0 + 1e-12], False),
        ([1.0, 2.0], [1.0, 2.0 + 1e-8], True),
        ([1.0, 2.0], [2.0, 1.0], True),
        ([1.0, 1e-13], [1.0, -1e-13], False),
        ([1.0, 1e-11], [1.0, -1e-11], True),
        ([math.nan, 1.0], [math.nan, 1.0], False),
        ([math.nan, 1.0], [0.0, 1.0], True),
        ([math.inf, 1.0], [math.inf, 1.0], False),
        ([math.inf, 1.0], [-math.inf, 1.0], True),
        ([0.0], [0.0], False),
        (None, None, False),
        (None, [1.0], True),
        ([1.0], None, True),
        # Beyond the elements kept only the norm tells.
        ([1.0] * 16 + [1.0], [1.0] * 16 + [2.0], True),
        ([1.0] * 16 + [1.0], [1.0] * 16 + [1.0 + 1e-12], False),
    ],
)
def test_gradients_differ_beyond_rounding(one: list[float] | None, other: list[float] | None, is_other: bool) -> None:
    assert differs(at(Status.FLOW, one), at(Status.FLOW, other)) is is_other
    assert differs(at(Status.FLOW, other), at(Status.FLOW, one)) is is_other
    assert differs(at(Status.FLOW, one), at(Status.ZERO, other))


def compared() -> Results:
    """Returns the results of exp(x) + stop(x), with those without the stop."""
    line = x([1.0, 2.0]).then("e", "Exp").on("x.y").then("stop", "StopGradient").then("a", "Add", "e.y")
    run = run_graph(line.loss())
    results = results_of(run.snapshot, 1)
    return dataclasses.replace(results, compared=results_of(WithoutStops().snapshot(run), 1))


def test_the_wires_and_ports_that_a_stop_changes_are_found() -> None:
    results, port = compared(), PortName("main/x", "y")
    assert changed_wires(results) == [Link(port, PortName("main/stop", "x"))]
    others = [PortName("main/e", "y"), PortName("main/gone", "y")]
    assert changed_ports(results, [port, *others]) == [port] and changed_ports(results, others) == []
    alone = dataclasses.replace(results, compared=None)
    assert changed_wires(alone) == changed_ports(alone, [port]) == []
