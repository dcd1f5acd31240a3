"""Layers as people type them: `dense 8 tanh`, a name and its settings in any order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from gradwire.blocks.layers.catalogue import LAYERS, Layer
from gradwire.engine.base.errors import ParameterError

_WORD = re.compile(r"[^\W\d]\w*|\d+(?:\.\d+)?")
_MOST, _NUMBERS = 64, ("integer", "integers", "number")


class TypedLayer(NamedTuple):
    """A layer with the settings that were typed behind its name, as they were typed and as they are."""

    layer: Layer
    words: tuple[str, ...]
    settings: Mapping[str, Any]  # Any: the kinds of the settings decide

    @property
    def text(self) -> str:
        """Name and settings as a text: `Dense 8 tanh`."""
        return " ".join((self.layer.name, *self.words))


def plain_name(text: str) -> str:
    """Returns a name in lower case without blanks and signs."""
    return re.sub(r"[\W_]+", "", text.lower())


def names_of(layer: Layer) -> list[str]:
    """Returns the plain names of a layer, its own first."""
    return [plain_name(layer.name), *map(plain_name, layer.words)]


def typed_layer(text: str) -> TypedLayer | None:
    """Returns the layer that a text names with at least one setting; None if it names none, or a word means nothing.

    Numbers fill the settings that take numbers, in their order; a word is the choice of a setting: `conv2d 16 5 relu`.
    """
    if len(text) > _MOST or re.search(r"[^\w\s.,]", text):
        return None
    words = [text[: match.end()] for match in _WORD.finditer(text)]
    for beginning in reversed(words[:-1]):
        layer = next((item for item in LAYERS.values() if plain_name(beginning) in names_of(item)), None)
        if layer is not None:
            rest = tuple(_WORD.findall(text[len(beginning) :]))
            settings = _settings(layer, rest)
            return None if settings is None else TypedLayer(layer, rest, settings)
    return None


def _settings(layer: Layer, words: tuple[str, ...]) -> dict[str, Any] | None:
    found: dict[str, Any] = {}
    free = [item for item in layer.parameters.values() if item.kind.name in _NUMBERS and item.name != "seed"]
    for word in words:
        if word[0].isdigit():
            if not free:
                return None
            number: int | float = float(word) if "." in word else int(word)
            if free[0].kind.name == "integers":
                found[free[0].name] = (*found.get(free[0].name, ()), number)
            else:
                found[free.pop(0).name] = number
        else:
            name = next((key for key, item in layer.parameters.items() if word in item.kind.choices), None)
            if name is None:
                return None
            found[name] = word
    try:
        layer.normalize(found)
    except ParameterError:
        return None
    return found
