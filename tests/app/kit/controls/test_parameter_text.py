"""Parameters as texts of a line: what is read, what is shown, and how far a step goes."""

from __future__ import annotations

from decimal import Decimal

import numpy as np
import pytest

from gradwire.app.kit.controls.parameter_text import (
    ELEMENTS_EDITED,
    can_be_none,
    is_editable,
    keeps_whole,
    parameter_text,
    read_parameter,
    result_text,
    step_size,
    stepped,
    value_text,
)
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.parameters import Parameter


def parameter(kind: str, name: str) -> Parameter:
    return library[kind].parameters[name]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, ""), (0.5, "0.5"), (1.0, "1"), (3, "3"), (True, "True"), ((1, 2.5), "[1, 2.5]"),
        ([[1], [2]], "[[1], [2]]"),
        (np.array([1.0, 2.5]), "[1, 2.5]"), (np.zeros((9, 9)), "[9×9] float64"), (np.zeros((0, 2)), "[0×2] float64"),
        (np.zeros(0), "[]"), ("SAME", "SAME"),
    ],
)  # fmt: skip
def test_a_value_has_a_short_text(value: object, text: str) -> None:
    assert value_text(value) == text


@pytest.mark.parametrize(
    ("shape", "editable"),
    [
        ((), True),
        ((ELEMENTS_EDITED,), True),
        ((ELEMENTS_EDITED + 1,), False),
        ((8, 8), True),
        ((0,), True),
        ((0, 3), False),
    ],
)
def test_a_line_holds_short_tensors(shape: tuple[int, ...], editable: bool) -> None:
    assert is_editable(np.zeros(shape)) is editable


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1/2", "= 0.5"), ("[1, 2] * 2", "= [2, 4]"), ("zeros(16)", "= [" + ", ".join(["0"] * 16) + "]"),
        ("zeros(17)", "= [17]"), ("zeros((3, 7))", "= [3×7]"), ("3", ""), ("1 +", ""), ("zeros((10**3, 10**3))", ""),
        ("[[1, 2], [3, 4]] * 2", "= [[2, 4], [6, 8]]"), ("randn(17, seed=3)", "= [17] (seed 3)"),
    ],
)  # fmt: skip
def test_what_an_expression_comes_to_stands_below_its_field(text: str, result: str) -> None:
    assert result_text(text, ".") == result
    assert result_text("randn(2)", ".").endswith(" (seed 0)")


@pytest.mark.parametrize(
    ("kind", "name", "text", "value"),
    [
        ("ReduceSum", "axis", "0", 0), ("ReduceSum", "axis", "", None), ("ReduceSum", "axis", "[0, 1]", [0, 1]),
        ("LeakyRelu", "alpha", "0,5", 0.5), ("LeakyRelu", "alpha", " 2 ", 2), ("Conv2D", "padding", "same", "SAME"),
        ("Conv2D", "padding", "[[1, 1], [0, 2]]", [[1, 1], [0, 2]]),
        ("Gradients", "stop_gradients", "[a.y, b.z]", ("a.y", "b.z")),
        ("Gradients", "stop_gradients", "a.y b.z", ("a.y", "b.z")), ("Gradients", "stop_gradients", "", ()),
        ("Conv2D", "padding", "Valid", "VALID"), ("Conv2D", "padding", "[[1, 1]]", [[1, 1]]),
        ("Bucketize", "boundaries", "2", [2]), ("Bucketize", "boundaries", "1, 2", [1, 2]),
        ("Bucketize", "boundaries", "", None), ("Scan", "times", "", None), ("Scan", "times", " 3 ", 3),
        ("Einsum", "equation", " i -> ", " i -> "), ("Page", "page", " cell ", " cell "),
        ("Input", "value", "  ", None), ("Input", "minimum", "-1,5", -1.5),
        ("Data", "columns", "a, b c", ("a", "b c")), ("Data", "columns", '[a, "b,c"]', ("a", "b,c")),
        ("Data", "columns", "[a", ("[a",)), ("Data", "columns", "a]", ("a]",)), ("Data", "columns", "", ()),
        ("Data", "columns", "a,, b ,", ("a", "b")),
        ("Data", "label", "a, b", "a, b"), ("Data", "label", "[a, b]", ("a", "b")), ("Data", "label", "[a", "[a"),
        ("Data", "label", "a]", "a]"),
    ],
)  # fmt: skip
def test_a_text_spells_a_value(kind: str, name: str, text: str, value: object) -> None:
    assert read_parameter(parameter(kind, name), text, ",") == value


def test_a_quotation_mark_that_is_never_closed_is_refused() -> None:
    with pytest.raises(ParameterError, match="must be names with commas between"):
        read_parameter(parameter("Data", "columns"), 'a, "b', ".")


@pytest.mark.parametrize(
    ("kind", "name", "value", "text"),
    [
        ("Data", "columns", ("a", "b c"), "a, b c"), ("Data", "columns", ("a,b", "c"), '"a,b",c'),
        ("Data", "columns", (), ""), ("Data", "label", "a", "a"), ("Data", "label", ("a", "b"), "[a, b]"),
        ("Data", "label", ["a"], "[a]"), ("Gradients", "stop_gradients", ("a.y", "b.z"), "a.y, b.z"),
        ("Gradients", "stop_gradients", None, ""), ("Range", "start", 1.0, "1.0"), ("Range", "start", 1, "1"),
        ("LeakyRelu", "alpha", 1.0, "1"), ("ReduceSum", "axis", (0, 1), "[0, 1]"), ("ReduceSum", "axis", None, ""),
        ("Data", "columns", None, ""),
    ],
)  # fmt: skip
def test_a_parameter_is_shown_as_its_line_reads_it(kind: str, name: str, value: object, text: str) -> None:
    assert parameter_text(parameter(kind, name), value) == text


def test_shown_texts_are_read_back() -> None:
    for kind, name, value in (
        ("ReduceSum", "axis", (0, 1)), ("Gradients", "stop_gradients", ("a.y", "b.z")), ("LeakyRelu", "alpha", 0.25),
        ("Conv2D", "strides", (2, 3)), ("Data", "columns", ("a", "b c", "d,e")), ("Scan", "each", ("x", "u")),
    ):  # fmt: skip
        item = parameter(kind, name)
        found = read_parameter(item, parameter_text(item, value), ".")
        assert item.kind.normalize(found) == item.kind.normalize(value)


def test_steps_are_tenths_of_the_defaults_power_of_ten_and_whole_for_whole_numbers() -> None:
    alpha = parameter("LeakyRelu", "alpha")  # 0.2 by default
    assert step_size(alpha) == Decimal("0.01")
    assert [stepped(alpha, 0.2, Decimal(steps)) for steps in (1, -2, 30)] == [0.21, 0.18, 0.5]
    for default, size in ((1.0, "0.1"), (0, "0.1"), (None, "0.1"), (-30, "1"), (100, "10"), (0.001, "0.0001")):
        assert step_size(alpha._replace(default=default)) == Decimal(size)
    times = parameter("Scan", "times")
    assert stepped(times, 3, Decimal(2)) == 5 and isinstance(stepped(times, 3, Decimal(2)), int)
    start = parameter("Range", "start")
    for value, expected in ((1, 2), (1.0, 1.1)):
        assert stepped(start, value, Decimal(1)) == expected
        assert type(stepped(start, value, Decimal(1))) is type(value)
    assert stepped(alpha, 1, Decimal(1)) == 1.01


def test_some_parameters_may_be_none_and_some_tell_1_from_1_0() -> None:
    assert can_be_none(parameter("ReduceSum", "axis")) and not can_be_none(parameter("Scan", "times"))
    assert not keeps_whole(parameter("Scan", "times")) and not keeps_whole(parameter("ReduceSum", "axis"))
    assert keeps_whole(parameter("Range", "start")) and not keeps_whole(parameter("LeakyRelu", "alpha"))
