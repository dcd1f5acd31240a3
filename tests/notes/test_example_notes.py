"""Notes of the examples: every sentence is tried on the graph that it stands beside, and every number in it."""

from __future__ import annotations

import re

import pytest

from tests.gallery import example, example_names
from tests.notes import attack_facts, chain_facts, fit_facts, player_facts, softmax_facts, stop_facts, trap_facts
from tests.notes.facts import Facts, check_fact, of, printed_numbers

MODULES = (attack_facts, softmax_facts, chain_facts, stop_facts, player_facts, fit_facts, trap_facts)
# Sentences that only invite: what there is to see stands beside them, or is said by another example.
INVITATIONS = re.compile(r"(Ask|Compare|Follow|Choose|Switch|Make|Try|Replace|Then|Type) ")


def facts_of(name: str) -> Facts:
    (found,) = (made for module in MODULES if (made := getattr(module, name.replace(".", ""), None)) is not None)
    return found(of(name))  # type: ignore[no-any-return]


def note_of(name: str) -> str:
    """Returns the notes of all pages without the title of the example."""
    pages = example(name).pages
    texts = [note.text.partition("\n")[2] for page in pages for note in page.notes]
    return " ".join(texts)


def unsaid(text: str, quoted: list[str]) -> list[str]:
    """Returns sentences of which nothing is quoted, and numbers that no quotation has."""
    rest = text
    for words in sorted(quoted, key=len, reverse=True):
        rest = rest.replace(words, "\0")
    sentences = re.split(r"(?<=[.!?\0]) +(?=[A-Z\0])", rest)
    untold = [item for item in sentences if "\0" not in item and not INVITATIONS.match(item)]
    return untold + printed_numbers(rest)


@pytest.mark.parametrize("name", example_names())
def test_every_sentence_of_its_note_is_true(name: str) -> None:
    facts, text = list(facts_of(name)), note_of(name)
    assert not [words for words, _ in facts if words not in text]
    for words, found in facts:
        check_fact(words, found)
    assert not unsaid(text, [words for words, _ in facts])
