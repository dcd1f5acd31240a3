"""How many digits are lost, and which zeros are underflows: in the card, and where its command goes."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.features.precision.digits_part import DigitsPart
from gradwire.app.features.precision.digits_texts import findings, sentences_of
from gradwire.app.kit.inspection import Place
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.explain.precision import Accumulation, Deviation, Precision, Underflow
from gradwire.engine.graph.graph import Graph
from tests.app.kit.parts import first_place, part_of, said, show
from tests.engine.explain.test_flow import chain
from tests.engine.explain.test_precision import fan

X, E = PortName("main/x", "y"), PortName("main/e", "x")
SUM = Accumulation(X, True, "", (0,), 0.5, 500.0, 15.65)  # terms 1000 times as large: three digits are lost
STEP = Accumulation(Link(X, E), True, "ReduceSum", (0,), 0.5, 5.0, 7.0)
VALUE = Accumulation(X, False, "ReduceSum", (0,), 1.0, 1e7, 7.0)
EXACT = Accumulation(X, True, "", (0,), 1.0, 1.0, 7.0)
LOST, SHARE = Underflow(X, (0,), 3, -51.8), Deviation(X, 1e-5)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (SUM, "3 of 16 digits lost where wires add up: terms of size 500 leave 0.5."),
        (VALUE, "7 of 7 digits lost in ReduceSum: terms of size 1e7 leave 1."),
        (EXACT, "No digits are lost here."),
        (LOST, "The 0 is an underflow: the true value is about 10^−51.8."),
    ],
)
def test_a_finding_says_how_many_digits_are_lost(found: Accumulation | Underflow, sentence: str) -> None:
    sums, underflows = ((found,), ()) if isinstance(found, Accumulation) else ((), (found,))
    told = sentences_of(Precision(sums, "float32", (SHARE,), underflows), X)
    assert told == [sentence, "In float32, ∂L changes by 1e−5 (relative)."]


@pytest.mark.parametrize(
    ("place", "told"), [(X, [LOST, SUM, STEP]), (E, [STEP]), (Link(X, E), [LOST, SUM, STEP]), (Link(E, X), [])]
)
def test_a_wire_has_what_its_source_has_and_a_block_what_its_wires_have(place: Place, told: list[object]) -> None:
    assert findings(Precision((SUM, STEP, EXACT), "float32", (), (LOST,)), place) == told


def test_the_card_of_a_sum_tells_the_digits_that_its_wires_lose(qtbot: QtBot) -> None:
    part = part_of(DigitsPart, fan(3.0, -2.0), qtbot)
    show(part, X)
    assert said(part, "digits_said").startswith("1 of 16 digits lost where wires add up: terms of size 5 leave 1.")


@pytest.mark.parametrize(
    ("graph", "expected"),
    [
        (chain("Sigmoid", 80, 0.5, "float32"), X),
        (fan(3.0, 2.0), "No digits are lost, and no zero is an underflow."),
        (Graph(), "No digits are lost, and no zero is an underflow."),
    ],
)
def test_its_command_goes_to_the_worst_place(graph: Graph, expected: object, qtbot: QtBot) -> None:
    assert first_place(DigitsPart, graph, qtbot) == expected
