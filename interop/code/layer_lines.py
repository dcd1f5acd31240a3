"""Layers in a few words, such as `dense 8 tanh` or `conv 16 3 relu, dropout 0.5, dense 10 softmax`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np

from gradwire.blocks.layers.catalogue import LAYERS, Layer
from gradwire.engine.base.errors import BlockError, ParameterError
from gradwire.engine.base.number_text import read_number
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.interop.code.refusals import CodeRefusal

_BETWEEN: Final = re.compile(r"\s*(?:->|→|[,;|>\n])\s*")
_WORD: Final = re.compile(r"[\w.]+")
_ACTIVATION: Final = "activation"


class LayerLine(NamedTuple):
    """A layer with the settings that a line gives it."""

    layer: Layer
    settings: Mapping[str, Any]


def layer_lines(text: str) -> list[LayerLine]:
    """Returns the layers that a text names, in their order; none if it is another text, or just the name of a layer."""
    parts = [part for part in _BETWEEN.split(text.strip()) if part]
    found = [line for part in parts if (line := _line(part)) is not None]
    if len(found) < len(parts) or (len(found) < 2 and not any(line.settings for line in found)):
        return []
    return found


def layers_of(lines: list[LayerLine]) -> list[Expression]:
    """Returns the results of layers, each reads the one before; the first reads an Input.

    Raises: CodeRefusal if a layer cannot read what comes in, or a setting does not fit.
    """
    first = lines[0].layer
    shape = next(iter(first.shapes.values()))
    value = np.zeros(shape, first.dtype) if first.dtype.startswith("int") else _drawn(shape)
    results: list[Expression] = [library["Input"](value=value, name="x")]
    for number, line in enumerate(lines, start=1):
        name = line.layer.name.lower() + (f"_{number}" if len(lines) > 1 else "")
        states = {
            key: library["Input"](value=_drawn(_state(results[-1], line)), name=f"{name}_{key}")
            for key in line.layer.states
        }
        seed = {"seed": number} if "seed" in line.layer.parameters else {}
        try:
            made = line.layer.build(results[-1], **states, **{**seed, **line.settings}, name=name)
        except BlockError as error:
            raise CodeRefusal(f"{line.layer.name}: {error}") from error
        results.append(made[0] if isinstance(made, tuple) else made)
    return results


def _state(x: Expression, line: LayerLine) -> tuple[int, ...]:
    return (*x.shape[:-1], line.settings.get("units", line.layer.parameters["units"].default))


def _input(shape: tuple[int, ...], name: str) -> Expression:
    made: Expression = library["Input"](value=_drawn(shape), name=name)
    return made


def _drawn(shape: tuple[int, ...]) -> Any:  # Any: an array of floats
    return np.round(np.random.default_rng(0).uniform(0.1, 1, shape), 2)


def _line(part: str) -> LayerLine | None:
    words = _WORD.findall(part)
    if _WORD.sub("", part).strip():
        return None
    for count in range(len(words), 0, -1):
        layer = _named("".join(words[:count]))
        if layer is not None:
            settings = _settings(layer, words[count:])
            return None if settings is None else LayerLine(layer, settings)
    return None


def _named(text: str) -> Layer | None:
    wanted = _plain(text)
    for layer in LAYERS.values():
        if wanted in {_plain(layer.name), *map(_plain, layer.words)}:
            return layer
    begun = [layer for layer in LAYERS.values() if len(wanted) > 2 and _plain(layer.name).startswith(wanted)]
    return begun[0] if begun else None


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text.lower())


def _settings(layer: Layer, words: list[str]) -> dict[str, Any] | None:
    """Returns what numbers and the name of an activation set, in the order of the layer's parameters.

    None if there are other words, or more numbers than parameters.
    """
    given = [number for word in words if (number := read_number(word)) is not None]
    names = [word.lower() for word in words if read_number(word) is None]
    kinds = {key: item.kind.name for key, item in layer.parameters.items() if key != "seed"}
    single = [key for key, kind in kinds.items() if kind in ("integer", "number")]
    settings: dict[str, Any] = dict(zip(single, given, strict=False))
    if kinds.get("units") == "integers" and given:
        settings = {"units": given}
    elif len(given) > len(single):
        return None
    if len(names) > (_ACTIVATION in kinds):
        return None
    if names:
        settings[_ACTIVATION] = names[0]
    try:
        layer.normalize(settings)
    except ParameterError:
        return None
    return settings
