"""The words of the interface: the terms of the field, and none of those that a reader has to translate."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from gradwire import HOME
from gradwire.blocks.support.conventions import CONVENTIONS
from gradwire.engine.blocktypes.library import library
from gradwire.engine.files.files import load

# Instead: path, show, withhold, receive, remain, incoming, always.
AVOIDED = re.compile(
    r"\b(on the way|ways? to the loss|ways? that|every way|ke(ep|eps|pt) back|gets?|(is|are) left(?! (out|open))"
    r"|arriv\w+|for ever|whose turn|in vain|tells? (of|that|what)|(is|are) told(?! apart)|reacts most)\b",
    re.IGNORECASE,
)
GRAPHS = sorted([*(HOME / "assets").rglob("*.graph")])


def found_in(text: str) -> list[str]:
    """Returns the words of a text that are avoided."""
    return [match[0] for match in AVOIDED.finditer(text)]


def help_texts() -> Iterator[str]:
    """Yields what users read about blocks."""
    for block_type in library:
        yield f"{block_type.summary} {block_type.help}"
    for convention in CONVENTIONS:
        yield " ".join([convention.point, *(rule.sentence for rule in convention.rules)])


def test_help_of_the_blocks_uses_the_terms_of_the_field() -> None:
    assert not [text for text in help_texts() if found_in(text)]


def test_notes_of_the_examples_and_trainings_use_the_terms_of_the_field() -> None:
    assert len(GRAPHS) > 80
    notes = [(path.name, note.text) for path in GRAPHS for page in load(path).graph.pages for note in page.notes]
    assert not [(name, words) for name, text in notes if (words := found_in(text))]


@pytest.mark.parametrize(
    "text",
    [
        "The loss reacts most to x[2].",
        "It is all that p gets.",
        "a value that arrives is not finite already",
        "−1.7e−16 is left.",
        "Both units between them get a gradient of 0, or the same one, for ever.",
        "an error or a missing input lies on the way",
        "This lens tells what the steps have not reached.",
        "it keeps back −1.7e−16",
    ],
)
def test_such_words_are_found(text: str) -> None:
    assert found_in(text)
