"""What the lens of stops says of each verdict, from answers made by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.app.features.stops.stop_questions import ChangeReading, StopAnswer
from gradwire.app.features.stops.stop_texts import change_headings, change_row, stop_row, verdict_icon, verdict_text
from gradwire.app.live.readings.readings import reading_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.explain.stop_effects import StopEffect, Verdict

X, E = PortName("main/x", "y"), PortName("main/e", "x")


def answer(verdict: Verdict, largest: float = 0.5, wires: int = 0, ports: int = 0, **others: Any) -> StopAnswer:
    return StopAnswer(StopEffect(verdict, **others), largest, (), wires, ports)


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


@pytest.mark.parametrize("verdict", Verdict)
def test_useless_stops_are_warnings_without_a_number_of_wires(verdict: Verdict) -> None:
    useless = ("MUTED", "UNUSED", "NO_PATH", "BLOCKED_AHEAD", "BLOCKED_BEHIND")
    icon = "stopgrad" if verdict is Verdict.CHANGES else "warn" if verdict.name in useless else "info"
    found = answer(verdict, wires=1234)
    row = stop_row("main/stop", found)
    assert verdict_icon(verdict) == row.icon == icon
    assert row.texts == ("main / stop", "" if icon == "warn" else "1,234", verdict_text(found))
    assert row.tokens == ("warn" if icon == "warn" else "text.primary", "text.primary")


def test_the_effect_of_a_stop_on_a_wire_may_be_unknown_still() -> None:
    row = stop_row(Link(X, E), None)
    assert row.texts == ("Stop here: x → e.x", "", "…") and (row.tokens, row.icon) == (("text.secondary",), "clock")


@pytest.mark.parametrize(("place", "icon"), [(X, "grad"), (Link(X, E), "route")])
@pytest.mark.parametrize(
    ("is_rounding", "token", "tip"),
    [(True, "text.tertiary", "Rounding error only"), (False, "text.primary", "")],
)
def test_a_change_has_its_numbers_before_and_after(
    place: PortName | Link, icon: str, is_rounding: bool, token: str, tip: str
) -> None:
    before, after, difference = (reading_of(np.array(number)) for number in (1.0, 3.0, 2.0))
    row = change_row(ChangeReading(place, before, after, difference, 2.0, is_rounding))
    assert row.texts[1:] == ("2", "1", "3", "2")
    assert (row.tokens, row.icon, row.tip) == ((token,), icon, tip)
    assert change_headings(True)[3] == "With the stop" and change_headings(False)[3] == "Without it"
