"""Rounding errors from bounds and second runs that are given: each decision beside numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.causes import roundings
from gradwire.engine.causes.roundings import Roundings


class Given:
    """A run in which bounds, sums and second runs are given for each number; counts what is asked of second runs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, is_exact: bool = False) -> None:
        self.arrays: dict[Expression, Array | None] = {}
        self.bounds: dict[Expression, Array] = {}
        self.terms: dict[Expression, Array] = {}
        self.others: dict[Expression, Sequence[Any]] = {}
        self.asked, given = 0, self

        class Errors:
            def __init__(self, _: object) -> None: ...

            def of(self, item: Expression) -> Array:
                return given.bounds[item]

            def of_last_sum(self, item: Expression) -> Array:
                return given.terms[item]

        class Second:
            def __init__(self, _: object, series: int) -> None:
                self.series, self.is_exact = series, is_exact

            def of(self, item: Expression) -> Array | None:
                given.asked += 1
                other = given.others[item][self.series]
                return None if other is None else np.asarray(other)

        monkeypatch.setattr(roundings, "RunningErrors", Errors)
        monkeypatch.setattr(roundings, "SecondRun", Second)
        self.found = Roundings(self.arrays)  # type: ignore[arg-type]  # only read by number

    def number(self, array: Array, bound: float, terms: float, others: Sequence[Any]) -> Expression:
        item = constant(array)
        self.arrays[item], self.bounds[item] = array, np.full(array.shape, bound)
        self.terms[item] = np.full(array.shape, terms)
        self.others[item] = [array + other if isinstance(other, float) else other for other in others]
        return item


FEW, MANY = np.array([1.0, -0.5]), np.linspace(-1, 1, 16)
# Arrays, their bound, what their last sum carries, how far second runs are from them, what is left, and runs asked for.
CASES: dict[str, tuple[Array, float, float, Sequence[Any], float, int]] = {
    "above its bound": (FEW, 0.4, 0.0, [], 0.4, 0),
    "exactly 0": (np.zeros(2), 0.4, 0.0, [], 0.4, 0),
    # Sixty-four times the largest difference of three runs.
    "few": (FEW, 10.0, 0.0, [1e-3, -2e-3, 1e-3], 0.128, 3),
    "few, of which one run already leaves nothing": (FEW, 10.0, 0.0, [0.02, 0.5, 0.5], 1.28, 1),
    "few, of which two runs leave nothing": (FEW, 10.0, 0.0, [1e-3, 1 / 64, 0.5], 1.0, 2),
    "a bound below all this": (FEW, 1.0, 0.0, [0.02, 0.5, 0.5], 1.0, 1),
    # One run of many elements is enough, eight times as far.
    "many": (MANY, 10.0, 0.0, [1e-3, 0.5, 0.5], 8e-3, 1),
    "one less": (MANY[1:], 10.0, 0.0, [1e-3, 2e-3, 1e-3], 0.128, 3),
    # Sums of float64 carry eight roundings of their terms.
    "all carried": (FEW, 10.0, 1 / 8, [], 10.0, 0),
    "one not carried": (FEW, 10.0, 0.99 / 8, [1e-3, 1e-3, 1e-3], 0.99, 3),
    "more than second runs say": (FEW, 10.0, 0.1, [1e-3, 1e-3, 1e-3], 0.8, 3),
    "unknown": (FEW, 10.0, 0.0, [None, None, None], 10.0, 1),
    "unknown at last": (FEW, 10.0, 0.0, [1e-3, None, None], 10.0, 2),
    "not finite": (FEW, 10.0, 0.0, [np.array([np.inf, 1.0])], 10.0, 1),
    "of another shape": (FEW, 10.0, 0.0, [np.ones((2, 2))], 10.0, 1),
}


@pytest.mark.parametrize("name", CASES)
def test_a_bound_is_cut_down_to_what_second_runs_leave(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    array, bound, terms, others, expected, asked = CASES[name]
    given = Given(monkeypatch)
    item = given.number(array, bound, terms, others)
    for _ in range(2):
        np.testing.assert_allclose(given.found.of(item), np.full(array.shape, expected), rtol=1e-12)
    assert given.asked == asked


@pytest.mark.parametrize(("terms", "expected"), [(0.0, 8e-3), (0.4, 0.4), (1.0, 10.0)])
def test_one_run_that_is_exact_is_enough_and_sums_of_float32_carry_their_terms_once(
    terms: float, expected: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = Given(monkeypatch, is_exact=True)
    item = given.number(FEW.astype(np.float32), 10.0, terms, [1e-3, 0.5, 0.5])
    np.testing.assert_allclose(given.found.of(item), [expected, expected], rtol=1e-4)
    assert given.asked == (expected < 10)


@pytest.mark.parametrize(
    ("bound", "others", "is_disproved"),
    [
        # The runs leave 0.128: eight times as much is 1.024.
        (1.03, [2e-3] * 3, True), (1.02, [2e-3] * 3, False), (10.0, [0.02] * 3, False), (10.0, [None] * 3, False),
    ],
)  # fmt: skip
def test_behind_a_bound_that_is_disproved_second_runs_decide_alone(
    bound: float, others: Sequence[Any], is_disproved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = Given(monkeypatch)
    first = given.number(FEW, bound, 0.0, others)
    second = given.number(FEW * 3, 7.0, 0.0, [1e-3] * 3)
    third = given.number(FEW * 5, 6.0, 0.0, [None] * 3)
    given.found.of(first)
    assert given.found.behind(second, [third]).tolist() == [7.0, 7.0]
    found = given.found.behind(second, [third, first])
    assert np.ravel(found).tolist() == pytest.approx([0.064] if is_disproved else [7.0, 7.0])
    # Where second runs know nothing, bounds remain; what is behind disproved numbers is as they are.
    assert given.found.behind(third, [first]).tolist() == [6.0, 6.0]
    assert np.ravel(given.found.behind(third, [second])).tolist() == [6.0, 6.0]
    fourth = given.number(FEW * 2, 5.0, 0.0, [1e-3] * 3)
    expected = [0.064] if is_disproved else [5.0, 5.0]
    assert np.ravel(given.found.behind(fourth, [second])).tolist() == pytest.approx(expected)
    fifth = given.number(FEW * 9, 4.0, 0.0, [1e-3] * 3)
    assert np.ravel(given.found.of_step(fifth)).tolist() == pytest.approx([0.064] if is_disproved else [4.0, 4.0])
