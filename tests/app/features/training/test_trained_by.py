"""The rows that say which loss trains which Variable."""

from __future__ import annotations

from gradwire.app.features.training.trained_by import rows_of
from gradwire.engine.autodiff.status import Status
from gradwire.engine.explain.loss_matrix import LossMatrix, Pull, loss_matrix
from tests.engine.explain.test_loss_matrix import gan


def test_a_row_says_what_a_loss_trains_first_and_what_blocks_the_rest() -> None:
    rows = rows_of(loss_matrix(gan(stops=True)))
    assert [row.partition(":")[0] for row in rows] == ["loss_d", "loss_g"]
    assert rows[0].startswith("loss_d: trains ") and " · gradient 0, blocked by " in rows[0]


def test_nan_and_a_zero_and_a_missing_path_are_told_apart() -> None:
    pulls = (Pull(Status.NO_PATH), Pull(Status.ZERO, 0.0), Pull(Status.NONFINITE, float("nan")), Pull(Status.FLOW, 2.0))
    (row,) = rows_of(LossMatrix(("main/L",), ("main/a", "main/b", "main/c", "main/d"), (pulls,)))
    assert row == "L: trains c NaN, d 2 · no path: a · 0: b"


def test_only_of_several_losses_it_is_said_that_they_train_all() -> None:
    pulls = (Pull(Status.FLOW, 1.0), Pull(Status.FLOW, 2.0))
    assert rows_of(LossMatrix(("main/L",), ("main/a", "main/b"), (pulls,))) == []
    rows = rows_of(LossMatrix(("main/L", "main/M"), ("main/a", "main/b"), (pulls, pulls)))
    assert rows == ["L: trains a 1, b 2", "M: trains a 1, b 2"]


def test_of_many_variables_the_first_are_named() -> None:
    names = tuple(f"main/w{number}" for number in range(20))
    (row,) = rows_of(LossMatrix(("main/L",), names, (tuple(Pull(Status.NO_PATH) for _ in names),)))
    assert row == "L: no path: w0, w1, w2, w3, w4, w5, w6, w7 and 12 more"
