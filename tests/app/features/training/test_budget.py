"""Budget of the measurements beside a training."""

from __future__ import annotations

import math

import pytest

from gradwire.app.features.training.budget import Budget


@pytest.mark.parametrize(("cost", "round_seconds"), [(1e-4, 1e-3), (7e-5, 1e-5), (0.3, 0.01)])
def test_measurements_take_their_share_of_the_rounds_at_most(cost: float, round_seconds: float) -> None:
    budget, count = Budget(0.05), 0
    for n in range(2_000):
        if budget.is_due(n, 0.0):
            count += 1
            budget.note_cost(n, 0.0, cost, round_seconds)
    # The first one comes before the time of a round is known to pay for it.
    assert (count - 1) * cost <= 0.05 * 2_000 * round_seconds
    assert count >= 2


def test_a_slow_measurement_that_was_disturbed_once_does_not_count() -> None:
    budget = Budget(0.05)
    budget.note_cost(0, 0.0, 1e-5, 1e-5)
    budget.note_cost(21, 0.0, 1.0, 1e-5)
    assert not budget.is_due(41, 0.0)
    assert budget.is_due(42, 0.0)


def test_measurements_are_apart_in_time_too() -> None:
    budget = Budget(0.05, least=2.0)
    budget.note_cost(0, 10.0, 0.0, 1.0)
    assert not budget.is_due(9, 11.9)
    assert budget.is_due(9, 12.0)
    budget.wait_until(20.0)
    assert not budget.is_due(9, 19.0)


def test_measurements_of_a_long_training_are_further_apart() -> None:
    budget = Budget(0.05, least=1.0, most=5.0)
    for at, due in ((10.0, 11.0), (310.0, 313.0), (1010.0, 1015.0)):
        budget.note_cost(0, at, 0.0, 1.0)
        assert not budget.is_due(9, due - 0.1)
        assert budget.is_due(9, due)


def test_a_measurement_before_any_plain_round_has_no_known_cost() -> None:
    budget = Budget(0.05)
    budget.note_cost(0, 0.0, 0.0, math.inf)
    # One round is left plain, to be timed.
    assert not budget.is_due(1, 0.0)
    budget.note_cost(2, 0.0, 1e-4, 1e-4)
    assert not budget.is_due(22, 0.0)
    assert budget.is_due(23, 0.0)
