"""Units of a layer that receive no gradient, while others of it do."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array

_WEIGHT: Final = "weight"
# A note names so many units.
_MOST: Final = 5


def dead_units(gradients: Mapping[str, Array | None], told: Container[str] = ()) -> Iterator[str]:
    """Yields a line for each layer that has units without a gradient: rows of zeros in those of weight and bias.

    Of the parameters in `told` more is known.
    """
    for name, gradient in gradients.items():
        layer, _, part = name.rpartition(".")
        name_of_bias = f"{layer}.bias" if layer else "bias"
        bias = gradients.get(name_of_bias)
        if name in told or name_of_bias in told:
            continue
        if part != _WEIGHT or gradient is None or gradient.ndim < 2 or bias is None or bias.shape != gradient.shape[:1]:
            continue
        is_dead = ~(gradient.reshape(len(bias), -1).any(1) | bias.astype(bool))
        if is_dead.any() and not is_dead.all():
            yield _said(layer, np.flatnonzero(is_dead), len(bias))


def _said(layer: str, units: Array, count: int) -> str:
    named = ", ".join(map(str, units[:_MOST].tolist())) + (", ..." if len(units) > _MOST else "")
    verb = "receives" if len(units) == 1 else "receive"
    return (
        f"{len(units)} of {count} units of {layer or 'the layer'} ({named}) {verb} no gradient from these inputs, "
        "as where a ReLU after them is always 0."
    )
