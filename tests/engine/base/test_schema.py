"""Whole numbers of files: within their range, and within 64 bits."""

from __future__ import annotations

import pytest

from gradwire.engine.base.schema import JsonFault, whole


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
