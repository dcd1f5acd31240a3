"""The lines of a step as texts: rules with numbers, and what stands of them."""

from __future__ import annotations

import pytest

from gradwire.app.features.steps.step_texts import Line, numbers_text
from gradwire.engine.explain.step_rules import Numbers


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ((Numbers((2.0,), 1),), "2"),
        ((Numbers((1.0, 2.0, 3.0), 3), " ÷ ", Numbers((2.135,), 1)), "[1 2 3] ÷ 2.135"),
        # What is left out is told.
        ((Numbers((1.0, 2.0, 3.0), 4),), "[1 2 3 …]"),
        ((Numbers((), 0),), "[]"),
        # A sign of its own stands in brackets behind another.
        ((Numbers((2.0,), 1), "·", Numbers((-4.0,), 1)), "2·(−4)"),
        (("−", Numbers((-4.0,), 1)), "−(−4)"),
        ((Numbers((-4.0,), 1), " ÷ ", Numbers((2.0,), 1)), "−4 ÷ 2"),
        (("−", "Σ ", Numbers((-1.0, 2.0), 2)), "−Σ [−1 2]"),
    ],
)
def test_a_rule_with_numbers_is_written_as_it_is_read(pieces: tuple[str | Numbers, ...], text: str) -> None:
    assert numbers_text(pieces) == text


@pytest.mark.parametrize(
    ("line", "whole"),
    [
        (Line("to x", "g ÷ y", "6 ÷ 2", "3"), "to x g ÷ y = 6 ÷ 2 = 3"),
        (Line("to x", "w", "", "1 2"), "to x w = 1 2"),
        (Line("to x", "3", "3", "3"), "to x 3"),
        (Line("", "exp(x)", "", "7.4"), "exp(x) = 7.4"),
        (Line("∂L/∂y", result="2"), "∂L/∂y 2"),
        (Line(), ""),
    ],
)
def test_a_line_says_each_part_once(line: Line, whole: str) -> None:
    assert line.whole == whole
