"""Sentences about origins: which birth comes first, and what is said of the others."""

from __future__ import annotations

import pytest

from gradwire.engine.causes.births import Birth, Origin

MADE = Birth("main/f", "F", "y", (2,), "inf", "why")
HELD = Birth("main/s", "S", "y", (2,), "inf", "", is_held=True)
NAN = Birth("main/n", "N", "y", (), "NaN", "it is so")
BACK = Birth("main/b", "B", "x", (), "NaN", "of old", is_gradient=True)
NAN_BACK = Birth("main/c", "C", "x", (), "NaN", "of late", is_gradient=True)
F, S, N = "F makes inf at element 2: why.", "S holds inf at element 2.", "N makes NaN: it is so."
THEN, B, C = (
    "N then makes NaN: it is so.",
    "B makes the gradient of x NaN: of old.",
    "C makes the gradient of x NaN: of late.",
)


@pytest.mark.parametrize(
    ("origin", "first", "sentences"),
    [
        (Origin(None, None), None, []),
        (Origin(MADE, None), MADE, [F]),
        (Origin(HELD, None), HELD, [S]),
        (Origin(None, BACK), BACK, [B]),
        (Origin(None, None, NAN), NAN, [N]),
        (Origin(MADE, BACK), MADE, [F, B]),
        (Origin(HELD, BACK), HELD, [S, B]),
        (Origin(MADE, None, NAN), MADE, [f"{F} {THEN}"]),
        (Origin(MADE, BACK, NAN), MADE, [f"{F} {THEN}", B]),
        (Origin(HELD, None, NAN), NAN, [N]),
        (Origin(HELD, BACK, NAN), NAN, [N, B]),
        (Origin(MADE, None, MADE), MADE, [F]),
        (Origin(MADE, BACK, NAN_BACK), MADE, [F, B]),
        (Origin(HELD, BACK, NAN_BACK), NAN_BACK, [C, B]),
        (Origin(HELD, BACK, BACK), BACK, [B]),
        (Origin(None, BACK, NAN), BACK, [B]),
    ],
)
def test_each_birth_is_told_once_and_the_first_one_first(
    origin: Origin, first: Birth | None, sentences: list[str]
) -> None:
    assert origin.first is first
    assert origin.sentences == sentences
    assert origin.sentence == (sentences[0] if sentences else "")
