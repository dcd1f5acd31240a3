"""Layers one behind the other in a few words, such as `dense 8 tanh` or `conv2d 16 3 relu, dropout 0.5, dense 10`."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from gradwire.blocks.layers.typed_layers import TypedLayer, typed_layer
from gradwire.engine.base.errors import BlockError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.blocktypes.library import library
from gradwire.interop.code.refusals import CodeRefusal

_BETWEEN: Final = re.compile(r"\s*(?:->|→|[,;|>\n])\s*")


def layer_lines(text: str) -> list[TypedLayer]:
    """Returns the layers that a text names, each with a setting, in their order; none if it is another text."""
    found = [typed_layer(part) for part in _BETWEEN.split(text.strip()) if part]
    layers = [layer for layer in found if layer is not None]
    return layers if len(layers) == len(found) else []


def layers_of(lines: list[TypedLayer]) -> list[Expression]:
    """Returns the results of layers, each reads the one before; the first reads an Input.

    Raises: CodeRefusal if a layer cannot read what comes in, or a setting does not fit.
    """
    first = lines[0].layer
    shape = next(iter(first.shapes.values()))
    value = np.zeros(shape, first.dtype) if first.dtype.startswith("int") else _drawn(shape)
    results: list[Expression] = [library["Input"](value=value, name="x")]
    for number, line in enumerate(lines, start=1):
        name = line.layer.name.lower() + (f"_{number}" if len(lines) > 1 else "")
        states = {key: _input(_state(results[-1], line), f"{name}_{key}") for key in line.layer.states}
        seed = {"seed": number} if "seed" in line.layer.parameters else {}
        try:
            made = line.layer.build(results[-1], **states, **{**seed, **line.settings}, name=name)
        except BlockError as error:
            raise CodeRefusal(f"{line.layer.name}: {error}") from error
        results.append(made[0] if isinstance(made, tuple) else made)
    return results


def _state(x: Expression, line: TypedLayer) -> tuple[int, ...]:
    return (*x.shape[:-1], line.settings.get("units", line.layer.parameters["units"].default))


def _input(shape: tuple[int, ...], name: str) -> Expression:
    made: Expression = library["Input"](value=_drawn(shape), name=name)
    return made


def _drawn(shape: tuple[int, ...]) -> Any:  # Any: an array of floats
    return np.round(np.random.default_rng(0).uniform(0.1, 1, shape), 2)
