"""The rules of frameworks in the card: at a kink their slopes, gradients and words; elsewhere that they agree."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.features.conventions.convention_part import ConventionPart
from gradwire.app.kit.inspection import Place
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.graph.graph import Graph
from tests.app.kit.parts import first_place, part_of, said, show
from tests.engine.cause_graphs import x

X, A = PortName("main/x", "y"), PortName("main/a", "x")
AGREE = ["TensorFlow, PyTorch and JAX agree here."]
ABS = [
    "Kink at 0: a.x [0]",
    "TensorFlow 2.21: slope 0, ∂L 0. The gradient is 0.",
    "PyTorch 2.13: slope 0, ∂L 0. The gradient is 0.",
    "JAX 0.10: slope 1, ∂L 3. The slope of the right side, 1.",
    "Gradwire follows TensorFlow 2.21.",
]


def kinks() -> Graph:
    line = x([0.0, 1.0]).then("a", "Abs").source("c", [3.0, 3.0], "Constant").then("m", "Multiply", "c.y")
    return line.on("x.y").then("r", "Relu").then("s", "Add", "m.z").loss()


@pytest.mark.parametrize(
    ("place", "lines"),
    [
        (PortName("main/a", "y"), ABS),
        (Link(X, A), ABS),
        (PortName("main/r", "y"), ["Kink at 0: r.x [0]", "All three: slope 0, ∂L 0. The gradient is 0."]),
        (X, AGREE),
    ],
)
def test_the_rules_are_those_of_the_point_selected(place: Place, lines: list[str], qtbot: QtBot) -> None:
    part = part_of(ConventionPart, kinks(), qtbot)
    show(part, place)
    assert said(part, "conventions_rules").splitlines() == lines


def test_many_equal_numbers_are_counted(qtbot: QtBot) -> None:
    part = part_of(ConventionPart, x([2.0, 2.0, 2.0, 2.0]).then("m", "ReduceMax").loss(), qtbot)
    show(part, PortName("main/m", "y"))
    assert "slope 0.25 × 4, ∂L 0.25 × 4." in said(part, "conventions_rules")


def test_its_command_goes_where_the_frameworks_differ(qtbot: QtBot) -> None:
    assert first_place(ConventionPart, kinks(), qtbot) == A
    assert str(first_place(ConventionPart, x([1.0]).then("e", "Exp").loss(), qtbot)).startswith("No block is at a kink")
