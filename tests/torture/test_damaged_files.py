"""Files cut at every byte and with every bit flipped: refused with a place, or opened and saved unchanged."""

from __future__ import annotations

import re
from random import Random

import pytest

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.file_reading import Loaded
from tests.sweeps import a_third_of
from tests.torture.support.counts import count
from tests.torture.support.documents import attempt, large_text, reread, text_of_5_kb

SMALL = text_of_5_kb().encode()
# A single test of all bits would be one piece of work for one processor.
PARTS = 16


def opens(content: bytes) -> bool:
    """Returns whether a file opens; it must then save back to itself, else its error must name a place."""
    found = attempt(content)
    if isinstance(found, Loaded):
        reread(found)
        return True
    assert type(found) is FileError
    assert 1 <= found.line <= content.count(b"\n") + 1
    assert 1 <= found.column <= len(content) + 1
    assert re.fullmatch(r"[A-Z].*\.", found.message)
    return False


def with_flipped_bit(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_the_document_has_about_5_kb_and_opens():
    assert 5_000 <= len(SMALL) <= 6_000
    assert opens(SMALL)


@pytest.mark.parametrize("part", range(2))
def test_a_file_cut_at_any_byte_is_refused_until_only_the_last_line_break_is_gone(part):
    for length in range(part, len(SMALL) - 1, 2 * count(5, 1)):
        assert not opens(SMALL[:length])
    assert opens(SMALL[:-1])


@pytest.mark.parametrize("part", a_third_of(range(PARTS)))
def test_a_file_with_any_bit_flipped_is_refused_or_saves_back_to_itself(part):
    bits = range(part, 8 * len(SMALL), PARTS * count(80, 1))
    opened = sum(opens(with_flipped_bit(SMALL, bit)) for bit in bits)
    # Digits and labels may change; most of the text is structure, base64 or a name.
    assert 0 <= opened < len(bits)


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_a_file_of_2_mb_cut_or_flipped_anywhere_is_refused_or_saves_back_to_itself(part):
    content, random = large_text().encode(), Random(part)
    assert 1_900_000 < len(content) < 2_500_000
    for _ in range(count(1, 500)):
        opens(with_flipped_bit(content, random.randrange(8 * len(content))))
    for _ in range(count(1, 50)):
        assert not opens(content[: random.randrange(len(content) - 1)])
