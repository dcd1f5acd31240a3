"""The sentences about a gradient that was compared with central differences."""

from __future__ import annotations

import pytest

from gradwire.app.features.conventions.check_outcome import look_of, outcome, verdict_text, withheld
from gradwire.engine.explain.checks.element_check import ElementCheck, PlaceCheck, Verdict


def check(*verdicts: Verdict, size: int | None = None) -> PlaceCheck:
    elements = [ElementCheck((at,), 1.0, 1.0, 1.0, 10.0**-at, verdict) for at, verdict in enumerate(verdicts, start=2)]
    return PlaceCheck(len(verdicts) if size is None else size, tuple(elements), False)


FINE, KINK, JUMP, WRONG, MEANT, ODD = (
    Verdict.AGREES, Verdict.KINK, Verdict.JUMP, Verdict.DIFFERS, Verdict.MEANT, Verdict.UNKNOWN,
)  # fmt: skip


@pytest.mark.parametrize(
    ("found", "sentence", "look"),
    [
        (check(FINE), "It agrees with its central difference.", ("check-circle", "ok")),
        (check(FINE, FINE), "Both elements agree with central differences.", ("check-circle", "ok")),
        (
            check(FINE, FINE, FINE, size=9),
            "All 3 elements agree with central differences. These are the first of 9.",
            ("check-circle", "ok"),
        ),
        (check(WRONG), "It differs from its central difference.", ("error", "error")),
        (check(KINK), "It is within 0.01 of a kink.", ("warn", "warn")),
        (check(JUMP), "It is within 0.01 of a jump.", ("warn", "warn")),
        (check(ODD), "It is not finite.", ("warn", "warn")),
        (
            check(MEANT),
            "It differs on purpose: a page has a gradient of its own.",
            ("info", "text.secondary"),
        ),
        (
            check(FINE, MEANT),
            "1 of 2 elements differ on purpose: a page has a gradient of its own.",
            ("info", "text.secondary"),
        ),
        (
            check(FINE, KINK, KINK, WRONG, JUMP),
            "1 of 5 elements differ from central differences. 2 of 5 elements are within 0.001 of a kink. "
            "1 of 5 elements are within 1e−6 of a jump.",
            ("error", "error"),
        ),
        (
            check(MEANT, ODD, size=3),
            "1 of 2 elements differ on purpose: a page has a gradient of its own. 1 of 2 elements are not finite. "
            "These are the first of 3.",
            ("warn", "warn"),
        ),
    ],
)
def test_the_worst_comes_first(found: PlaceCheck, sentence: str, look: tuple[str, str]) -> None:
    assert outcome(found) == sentence
    assert look_of(found) == look


def test_what_stops_withhold_is_told_of_the_element_that_loses_most() -> None:
    elements = tuple(
        ElementCheck(index, gradient, gradient, true, 1e-6, FINE)
        for index, gradient, true in (((0,), 1.0, 1.5), ((1,), 0.0, -3.0), ((2,), 2.0, 2.0))
    )
    told = (
        "This curve treats StopGradient as a constant. The true slope at [1] is −3, not 0: StopGradient withholds −3."
    )
    assert withheld(PlaceCheck(3, elements, True)) == told
    assert withheld(PlaceCheck(3, elements, False)) == withheld(PlaceCheck(1, elements[2:], True)) == ""
    scalar = ElementCheck((), 0.0, 0.0, 2.0, 1e-6, FINE)
    assert "The true slope is 2, not 0" in withheld(PlaceCheck(1, (scalar,), True))


def test_each_verdict_has_its_word() -> None:
    assert [verdict_text(item) for item in (FINE, KINK, JUMP, WRONG, MEANT, ODD)] == [
        "agrees", "kink", "jump", "differs", "differs on purpose", "not finite",
    ]  # fmt: skip
