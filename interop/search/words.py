"""What people call blocks, in plain English and German, where neither block nor framework is called so."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from gradwire import HOME

# The first type that has a word wins, so the usual ones come first.
_FILE: Final = HOME / "assets" / "block_words.json"


@cache
def words_by_type() -> Mapping[str, tuple[str, ...]]:
    """Returns the words for each block type, in lower case without blanks and hyphens, the usual types first."""
    content = json.loads(_FILE.read_text(encoding="utf-8"))
    return {name: tuple(map(joined, words)) for name, words in content.items()}


@cache
def types_by_word() -> Mapping[str, tuple[str, ...]]:
    """Returns the block types that people call by each word, the usual ones first."""
    found: dict[str, tuple[str, ...]] = {}
    for name, words in words_by_type().items():
        for word in words:
            found[word] = (*found.get(word, ()), name)
    return found


def as_said(word: str) -> str:
    """Returns a word with its blanks, as people write it."""
    return _spelled().get(word, word)


@cache
def _spelled() -> Mapping[str, str]:
    content = json.loads(_FILE.read_text(encoding="utf-8"))
    return {joined(word): word for words in content.values() for word in words}


def joined(text: str) -> str:
    """Returns words as one, in lower case: `no-grad` and `no grad` are the same."""
    return re.sub(r"[\s_\-]+", "", text.strip().lower())
