"""Plain English: visible texts use the field's terms, not translated idioms."""

from __future__ import annotations

import re

from tests.app.spoken import sentences, texts

# Each idiom has a term of the field: receives, remains, path, withhold, outlier, show, incoming, always.
IDIOMS = re.compile(
    r"\bgets?\b|\b(is|are) left\b|\bways?\b|\bkeeps? (\w+ )?back\b|\bunlike the rest\b|\btells?\b|\btold\b|\barriv\w+"
    r"|\b(come|comes|came|send|sends|sent) back\b|\bfor ever\b|\bwhatever (the|arrives)\b|\bleads? nowhere\b"
    r"|\bnowhere finite\b|\bnot in order\b|\bstops nothing\b",
    re.IGNORECASE,
)
# The names of fields are not shown.
FIELD = re.compile(r"\{\w+\}")


def idioms(spoken: frozenset[str]) -> set[str]:
    """Returns the texts with an idiom outside of their fields."""
    return {text for text in spoken if IDIOMS.search(FIELD.sub("", text))}


def test_a_translated_idiom_is_found() -> None:
    said = {"It is all that {block} gets.", "muted: {ways}", "This is the whole gradient of {block}."}
    assert idioms(frozenset(said)) == {"It is all that {block} gets."}


def test_the_window_has_no_translated_idioms() -> None:
    assert idioms(texts()) == set()


def test_engine_and_blocks_have_no_translated_idioms() -> None:
    assert idioms(sentences()) == set()
