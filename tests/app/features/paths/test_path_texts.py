"""The rows and the summary of the paths to the loss, of answers made by hand."""

from __future__ import annotations

import math
from typing import Any

import pytest

from gradwire.app.features.paths.path_questions import PathReading, PathsAnswer
from gradwire.app.features.paths.path_texts import path_rows, summary


def path(amount: float | None, **others: Any) -> PathReading:
    usual = {"blocks": ("main/x", "main/e"), "links": (), "count": 1, "cuts": (), "choices": (0,)}
    return PathReading(amount=amount, **{**usual, **others})


def answer(*rows: PathReading, total: int = 2, cut: int = 0, shape: tuple[int, ...] = (), at: int = 0) -> PathsAnswer:
    return PathsAnswer(total, cut, shape, at, 3.0, rows)


def test_a_row_has_its_amount_and_its_kind() -> None:
    rows = path_rows(answer(path(2.0), path(-4.0), path(None), path(math.inf), path(1.0, cuts=("main/stop",))))
    assert [row.texts[1] for row in rows] == ["2", "−4", "?", "inf", "1"]
    assert [row.icon for row in rows] == ["route"] * 4 + ["stopgrad"]
    assert [row.key for row in rows] == [((0,), False)] * 4 + [((0,), True)]
    assert [row.tokens for row in rows][-2:] == [("text.primary",), ("text.tertiary",)]


@pytest.mark.parametrize(
    ("row", "text", "remark"),
    [
        (path(1.0), "x → e", ""),
        (path(1.0, count=5), "x → e → … (5 paths)", "Press Enter for details"),
        (path(1.0, count=10**9), "x → e → … (1,000,000,000 paths)", "Press Enter for details"),
        (path(1.0, count=2**40), "x → e → … (about 2^40 paths)", "Press Enter for details"),
        (path(1.0, partner=3), "x → e", "cancels with row 4"),
        (path(1.0, own="main/cube"), "x → e", "ends at the own gradient of cube"),
        (path(1.0, cuts=("main/a", "main/b")), "x → e", "blocked by a, b; without it"),
    ],
)
def test_a_row_tells_what_is_special_of_its_path(row: PathReading, text: str, remark: str) -> None:
    (found,) = path_rows(answer(row))
    assert (found.texts[0], found.tip) == (text, "\n".join(filter(None, (text, remark))))


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (answer(total=1), "1 path leads to the loss: ∂L/∂x = 3."),
        (answer(total=5), "5 paths to the loss add up to ∂L/∂x = 3."),
        (answer(total=5, cut=1), "5 paths to the loss add up to ∂L/∂x = 3. 1 more is blocked."),
        (answer(total=5, cut=2, shape=(3, 4), at=7),
         "5 paths to the loss add up to ∂L/∂x[1, 3] = 3. 2 more are blocked."),
        (answer(total=0, cut=1), "The only path to the loss is blocked."),
        (answer(total=0, cut=4), "All 4 paths to the loss are blocked."),
    ],
)  # fmt: skip
def test_the_summary_counts_open_and_blocked_paths(found: PathsAnswer, sentence: str) -> None:
    assert summary(found, "x") == sentence


@pytest.mark.parametrize(
    ("number", "index"), [*enumerate(["[0, 0]", "[0, 1]", "[0, 2]", "[1, 0]", "[1, 1]", "[1, 2]"])]
)
def test_a_number_of_an_element_is_its_index_row_by_row(number: int, index: str) -> None:
    assert summary(answer(total=1, shape=(2, 3), at=number), "x") == f"1 path leads to the loss: ∂L/∂x{index} = 3."
