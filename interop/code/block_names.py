"""Names of blocks by those that a program gives to values."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.graph.graph import NAME

_LONGEST: Final = 60
_SOURCES: Final = ("Input", "Constant", "Variable")


def block_names(named: Iterable[tuple[str, Expression, bool]], taken: Iterable[str] = ()) -> dict[Application, str]:
    """Returns the names of blocks: sources first, then the last value of each name, then others by number.

    `named` has what the program calls values, in its order, and whether it does so outside of functions.
    """
    every = list(named)
    whole = [(name, item) for name, item, is_outer in every if is_outer]
    inner = [(name, item) for name, item, is_outer in every if not is_outer]
    sources = [(name, item) for name, item in [*whole, *inner] if item.application.type.name in _SOURCES]
    of_sources = {plain_name(name) for name, _ in sources}
    last = [(name, item) for name, item in dict(whole).items() if plain_name(name) not in of_sources]
    used, found = set(taken), dict[Application, str]()
    for name, item in [*sources, *last, *whole, *inner]:
        if item.application not in found and len(item.application.outputs) == 1:
            found[item.application] = _free(plain_name(name), used)
    return found


def _free(stem: str, taken: set[str]) -> str:
    name, number = stem, 1
    while name in taken:
        name, number = f"{stem}_{number}", number + 1
    taken.add(name)
    return name


def plain_name(name: str) -> str:
    """Returns a name as blocks may have it: Greek letters by their names, signs as underscores."""
    spelled = "".join(_spelled(letter) for letter in unicodedata.normalize("NFKD", name))
    text = re.sub(r"_+", "_", spelled).strip("_")[:_LONGEST]
    return text if NAME.fullmatch(text) else f"b_{text}"[:_LONGEST].rstrip("_") or "b"


def _spelled(letter: str) -> str:
    if letter.isascii():
        return letter if letter.isalnum() else "_"
    words = unicodedata.name(letter, "").split()
    return words[-1].lower() if "LETTER" in words else ""
