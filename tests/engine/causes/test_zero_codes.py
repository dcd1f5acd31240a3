"""Codes of roots: one byte an element as long as that suffices, and sums of them by precedence."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.causes.zero_codes import UNEXPLAINED, CodeArrays, Root, RootCodes, completed, counts, marked

# One byte cannot number so many roots.
MANY = 300


@pytest.fixture(scope="module")
def registry() -> RootCodes:
    """Codes of many roots, of two causes in turn."""
    found = RootCodes()
    for place in range(MANY):
        found.code(Root((Cause.UNDERFLOW, Cause.CANCELLED)[place % 2], port=constant(np.ones(1))))
    return found


def drawn(seed: int, codes: int, size: int = 5000) -> Array:
    """Returns an array in which half of the elements have a code up to `codes`, in the narrowest dtype."""
    random = np.random.default_rng(seed)
    numbers = random.integers(1, codes + 1, size) * random.integers(0, 2, size)
    return numbers.astype(np.min_scalar_type(int(numbers.max())))


@pytest.mark.parametrize("codes", [3, 200, MANY])
@pytest.mark.parametrize("size", [0, 5, 5000])
def test_codes_are_counted_as_one_by_one(codes: int, size: int) -> None:
    numbers = drawn(1, codes, 5000)[:size]
    expected = Counter(numbers.tolist())
    del expected[0]
    assert counts(numbers) == dict(expected)


@pytest.mark.parametrize("codes", [(3, 3), (3, MANY), (MANY, 3)])
def test_a_sum_of_zeros_has_the_root_with_precedence(registry: RootCodes, codes: tuple[int, int]) -> None:
    first, second = drawn(2, codes[0]), drawn(3, codes[1])
    expected = [
        0 if not (a and b) else registry.by_precedence([a, b])[0]
        for a, b in zip(first.tolist(), second.tolist(), strict=True)
    ]
    assert registry.all_zero([first, second], first.shape).tolist() == expected
    assert not registry.all_zero([first, None], first.shape).any()


def test_causes_come_in_their_order_and_the_unknown_last(registry: RootCodes) -> None:
    found = registry.by_precedence([int(UNEXPLAINED), 2, 3, 4])
    causes = [None if (root := registry.root(code)) is None else root.cause for code in found]
    by_rank = sorted([Cause.UNDERFLOW, Cause.CANCELLED], key=[*Cause].index)
    assert [cause for cause in dict.fromkeys(causes) if cause] == by_rank
    assert causes[-1] is None


def test_arrays_widen_where_a_byte_is_too_short(registry: RootCodes) -> None:
    narrow, last = drawn(4, 3), registry.code(Root(Cause.CANCELLED, port=constant(np.ones(1))))
    zeros = np.ones(narrow.shape, bool)
    assert int(last) > np.iinfo(np.uint8).max
    assert completed(narrow, zeros, lambda: last).tolist() == [code or int(last) for code in narrow.tolist()]
    assert set(marked(narrow, narrow == 2, last).tolist()) == {0, 1, 3, int(last)}
    assert completed(narrow, narrow != 0, lambda: last).dtype == np.uint8


def test_steps_that_move_codes_give_them_back_or_say_that_they_are_none(registry: RootCodes) -> None:
    numbers = drawn(5, MANY)
    assert registry.of_numbers(-numbers.astype(np.float32)).tolist() == numbers.tolist()
    assert registry.of_numbers(np.array([1.0, np.nan])).tolist() == [UNEXPLAINED, UNEXPLAINED]
    assert registry.of_numbers(np.array([1.0, 1e9])).tolist() == [UNEXPLAINED, UNEXPLAINED]


def test_equal_large_arrays_are_kept_once() -> None:
    codes, kept = drawn(6, 3, 2**17), CodeArrays[str]()
    kept["a"], kept["b"] = codes, codes.copy()
    assert kept["a"] is kept["b"]
