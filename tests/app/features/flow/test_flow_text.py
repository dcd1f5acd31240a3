"""The sentences about how much of a gradient each block passes on, and the bars beside them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from gradwire.app.features.flow import flow_text

EACH = "each of 2 blocks multiplies it by"


@pytest.mark.parametrize(("path", "name"), [("main/e", "e"), ("main/cell/e", "cell / e"), ("main", "")])
def test_a_block_is_named_without_its_page(path: str, name: str) -> None:
    end: Any = SimpleNamespace(left=0.0, steps=1, per_step=0.0, path=path)
    assert flow_text._course(end) == f"The gradient is 0 at {name}, one block from the loss."


@pytest.mark.parametrize(
    ("ratio", "text"),
    [
        (None, "No block passes anything on."),
        (1.0, "A typical block passes the whole incoming gradient on."),
        (0.5, "A typical block passes on 0.5 of the incoming gradient."),
    ],
)
def test_a_typical_block_passes_a_share_on(ratio: float | None, text: str) -> None:
    assert flow_text._typical(ratio) == text


@pytest.mark.parametrize(
    ("left", "steps", "per_step", "text"),
    [
        (0.0, 1, 0.0, "The gradient is 0 at x, one block from the loss."),
        (0.0, 2, 0.0, "The gradient is 0 at x, 2 blocks from the loss."),
        (0.5, 1, 0.5, "One block separates x from the loss: 0.5 of the gradient remains."),
        (1.0, 2, 1.0, "The gradient keeps its size over 2 blocks: 1 of it remains at x."),
        (0.25, 2, 0.5, f"The gradient shrinks: {EACH} 0.5 on average; 0.25 of it remains at x."),
        (4.0, 2, 2.0, f"The gradient grows: {EACH} 2 on average; at x it is 4 times as large."),
    ],
)  # fmt: skip
def test_the_course_of_a_gradient_is_told_by_what_is_left_of_it(
    left: float, steps: int, per_step: float, text: str
) -> None:
    end: Any = SimpleNamespace(left=left, steps=steps, per_step=per_step, path="main/x")
    assert flow_text._course(end) == text
