"""Values of files: within their range, and within 64 bits; what is wrong is shown, shortened."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from gradwire.engine.base import schema
from gradwire.engine.base.schema import JsonFault, shown, whole


@pytest.mark.parametrize("value", [-(2**63), 0, 2**63 - 1])
def test_whole_numbers_have_64_bits(value: int) -> None:
    assert whole(value) == value


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (2**63, "must fit into 64 bits"),
        (-(2**63) - 1, "must fit into 64 bits"),
        (-(2**63), "must be a whole number of at least 1"),
        (2**63 - 1, "may be at most 9,000"),
        (0, "must be a whole number of at least 1, not 0"),
        (9_001, "may be at most 9,000, not 9001"),
        (True, "must be a whole number of at least 1, not true"),
        (1.0, "must be a whole number of at least 1, not 1.0"),
    ],
)
def test_another_number_is_refused_for_the_nearest_reason(value: object, sentence: str) -> None:
    with pytest.raises(JsonFault) as caught:
        whole(value, 1, 9_000)
    assert sentence in caught.value.message


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "null"), (True, "true"), (np.bool_(False), "false"), (-1.5, "-1.5"), (np.float32(0.5), "0.5"),
        (2**1024 - 1, str(2**1024)[:37] + "..."), (2**1024, "a number beyond 1.8e308"), (object(), "something else"),
        ("x" * 38, '"' + "x" * 38 + '"'), ("x" * 39, '"' + "x" * 36 + "..."),
        ([1, "a"], '[1, "a"]'), ([1, [2]], "[1, [2]]"), ([1, [2, [3]]], "[1, [2, a list of 1]]"),
        ([1] * 4, "[1, 1, 1, 1]"), ([1] * 5, "a list of 5"), ([0] * 1_234, "a list of 1,234"),
        ({}, "an object"), ({"dtype": "float64", "shape": [2, 3]}, "a tensor of shape [2, 3]"),
        ({"dtype": 1, "shape": [2]}, "an object"), ({"dtype": "int8", "shape": 2}, "an object"),
        (np.zeros((2, 3)), "a tensor of shape [2, 3]"),
    ],
)  # fmt: skip
def test_any_value_has_a_short_text(value: object, text: str) -> None:
    assert shown(value) == text


RANGES = {
    "number": ((-1e300, 0, 1.5, np.int8(-3)), (math.inf, -math.inf, math.nan, 10**400, True, "1", None)),
    "at_least_0": ((0, 1e300), (-1e-300, math.inf, False)),
    "above_0": ((1e-300, 5), (0, -1, 0.0)),
    "share": ((0, 0.5, 1), (-1e-300, 1.0000001)),
    "share_below_1": ((0, 0.9999999), (1, -1e-300)),
    "boolean": ((True, False, np.bool_(True)), (0, 1, None)),
    "text": (("", "a"), (1, None, ["a"])),
    "label": (("a", "a" * 64), ("", " ", "a" * 65, 1)),
    "items": (([], (1,)), ("text", np.zeros(2), {})),
    "one_number": ((1, np.array([2.0]), np.array(3)), (np.zeros(2), np.array([math.nan]), [1])),
    "tensor": ((1, [1, 2], np.zeros(3), [[1.0], [2.0]]), ([1, [2]], ["a"], "1", None)),
    "rounds": ((0, 10**12), (-1, 10**12 + 1)),
}


@pytest.mark.parametrize("name", RANGES)
def test_a_reader_takes_its_range_and_nothing_else(name: str) -> None:
    read: Callable[[object], object] = getattr(schema, name)
    for value in RANGES[name][0]:
        np.testing.assert_array_equal(read(value), value)  # type: ignore[call-overload]  # numbers, texts and lists
    for value in RANGES[name][1]:
        with pytest.raises(JsonFault):
            read(value)


def test_lists_and_choices_are_limited() -> None:
    assert schema.counted([1, 2], 2, "pages") == [1, 2]
    with pytest.raises(JsonFault, match="has 3 pages; at most 2"):
        schema.counted([1, 2, 3], 2, "pages")
    assert schema.choice("b", ("a", "b")) == "b"
    for wrong in ("c", 1, ["a"]):
        with pytest.raises(JsonFault, match="must be one of a, b"):
            schema.choice(wrong, ("a", "b"))


def test_a_fault_names_the_place_of_the_first_wrong_item() -> None:
    assert schema.read_each([0.5, 1], schema.share) == [0.5, 1]
    with pytest.raises(JsonFault) as caught:
        schema.read_each([0.5, 2, 3], schema.share)
    assert caught.value.path == (1,)
    assert caught.value.under("a", 0).path == ("a", 0, 1)


@pytest.mark.parametrize(
    ("value", "least", "most", "sentence"),
    [
        (5000, 0, 10, "may be at most 10, not 5000"),
        (11, 0, 10, "may be at most 10, not 11"),
        (-5000, 0, 10, "must be a whole number of at least 0, not -5000"),
        (-1, 0, 10, "must be a whole number of at least 0, not -1"),
        (2**63, 0, 10, "must fit into 64 bits, not 9223372036854775808"),
        (2**63 - 1, 0, 10, "may be at most 10, not 9223372036854775807"),
        (-(2**63), 0, 10, "must be a whole number of at least 0, not -9223372036854775808"),
        (-(2**63) - 1, 0, 10, "must fit into 64 bits, not -9223372036854775809"),
        (True, 0, 10, "must be a whole number of at least 0, not true"),
        (1.0, 0, 10, "must be a whole number of at least 0, not 1.0"),
    ],
)
def test_a_whole_number_out_of_its_range_is_refused(value: object, least: int, most: int, sentence: str) -> None:
    with pytest.raises(JsonFault) as found:
        whole(value, least, most)
    assert found.value.message == sentence
    assert [whole(item, least, most) for item in (0, 10, np.int8(3))] == [0, 10, 3]
