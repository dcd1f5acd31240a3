"""What is said of each verdict on a stop, from answers made by hand."""

from __future__ import annotations

from typing import Any

import pytest

from gradwire.app.features.compare.stop_questions import StopAnswer
from gradwire.app.features.compare.stop_texts import verdict_text
from gradwire.engine.explain.stop_effects import StopEffect, Verdict


def answer(verdict: Verdict, largest: float = 0.5, wires: int = 0, ports: int = 0, **others: Any) -> StopAnswer:
    return StopAnswer(StopEffect(verdict, **others), largest, wires, ports)


@pytest.mark.parametrize(
    ("found", "sentence"),
    [
        (answer(Verdict.MUTED), "Muted: it has no effect."),
        (answer(Verdict.UNUSED), "Nothing uses its output, so it has no effect."),
        (answer(Verdict.NO_PATH), "The loss does not depend on it, so it has no effect."),
        (answer(Verdict.UNKNOWN), "The incoming gradient is unknown, or this value cannot have one."),
        (answer(Verdict.BLOCKED_AHEAD, by=("main/a", "main/b")), "Redundant: already blocked by a, b."),
        (answer(Verdict.BLOCKED_BEHIND, by=("main/a",)), "Redundant for all sources: a behind it blocks every path."),
        (
            answer(Verdict.BLOCKED_BEHIND, wires=1, by=("main/a",)),
            "Redundant for all sources: a behind it blocks every path. Only 1 gradient between them changes.",
        ),
        (
            answer(Verdict.NOTHING_ARRIVES),
            "Changes nothing now: the incoming gradient is exactly 0 on every path.",
        ),
        (answer(Verdict.CHANGES_NOTHING), "Changes no gradient. Largest difference: 0.5."),
        (
            answer(Verdict.CANCELS, removed=2, paths=3),
            "Changes no gradient: the stopped contributions cancel. Largest difference: 0.5. "
            "It blocks 2 of 3 paths to the loss.",
        ),
        (answer(Verdict.CHANGES, wires=1), "Changes 1 gradient, by at most 0.5."),
        (answer(Verdict.CHANGES, wires=1, ports=2), "Changes 3 gradients, by at most 0.5."),
        (
            answer(Verdict.CHANGES, has_other_values=True),
            "Values change too: a Gradients block differentiates through it.",
        ),
        (
            answer(Verdict.CHANGES, wires=1, variables=("main/w", "main/b"), removed=1, paths=1),
            "Changes 1 gradient, by at most 0.5. Variables among them: w, b. It blocks 1 of 1 paths to the loss.",
        ),
        (
            answer(Verdict.CHANGES, wires=1, variables=()),
            "Changes 1 gradient, by at most 0.5. None of them is a variable.",
        ),
    ],
)
def test_each_verdict_is_a_sentence_or_two(found: StopAnswer, sentence: str) -> None:
    assert verdict_text(found) == sentence
