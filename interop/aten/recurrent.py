"""Recurrent layers, a step at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.products import linear
from gradwire.interop.aten.shapes import selected
from gradwire.interop.models.limits import MOST_STEPS
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, made

_GATES: Final = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}
Weights = Sequence[Tensor | None]


def _step(kind: str, x: Tensor, h: Tensor, c: Tensor | None, weights: Weights) -> tuple[Tensor, Tensor | None]:
    """Returns the next state of a cell. Shapes: (batch, inputs), (batch, units)."""
    of_input, of_state, bias, other_bias = weights
    assert of_input is not None and of_state is not None
    given, kept = linear(x, of_input, bias), linear(h, of_state, other_bias)
    count = _GATES[kind]
    if kind == "lstm":
        taken, forgotten, new, shown = made("Split", made("Add", given, kept), num_or_size_splits=count, axis=1)
        c = made(
            "Add",
            made("Multiply", made("Sigmoid", forgotten), c),
            made("Multiply", made("Sigmoid", taken), made("Tanh", new)),
        )
        return made("Multiply", made("Sigmoid", shown), made("Tanh", c)), c
    if kind == "gru":
        first, second = (made("Split", item, num_or_size_splits=count, axis=1) for item in (given, kept))
        reset, update = (made("Sigmoid", made("Add", first[place], second[place])) for place in (0, 1))
        new = made("Tanh", made("Add", first[2], made("Multiply", reset, second[2])))
        rest = made("Subtract", np.asarray(1, new.dtype), update)
        return made("Add", made("Multiply", rest, new), made("Multiply", update, h)), None
    return made("Tanh" if kind == "rnn_tanh" else "Relu", made("Add", given, kept)), None


def _layers(
    kind: str, input: Tensor, hx: Any, params: Sequence[Tensor], has_biases: bool, num_layers: int, dropout: float,
    train: bool, bidirectional: bool, batch_first: bool,
) -> tuple[Tensor, ...]:  # fmt: skip
    if train and dropout:
        raise ModelRefusal("dropout is active; call .eval() before the export")
    states = list(hx) if isinstance(hx, list | tuple) else [hx]
    axis, sides, width = (1 if batch_first else 0), 2 if bidirectional else 1, 4 if has_biases else 2
    if input.shape[axis] > MOST_STEPS:
        raise ModelRefusal(f"a recurrence of {input.shape[axis]} steps is unrolled, and {MOST_STEPS} are the limit")
    rows = [selected(input, axis, place) for place in range(input.shape[axis])]
    ends: list[tuple[Tensor, Tensor | None]] = []
    for layer in range(num_layers):
        found: list[list[Tensor]] = []
        for side in range(sides):
            place = layer * sides + side
            own: list[Tensor | None] = list(params[place * width : (place + 1) * width])
            weights = own if has_biases else [*own, None, None]
            h, c = selected(states[0], 0, place), selected(states[1], 0, place) if kind == "lstm" else None
            made_rows = []
            for row in rows[:: -1 if side else 1]:
                h, c = _step(kind, row, h, c, weights)
                made_rows.append(h)
            found.append(made_rows[:: -1 if side else 1])
            ends.append((h, c))
        rows = [made("Concat", *pair, axis=1) if sides == 2 else pair[0] for pair in zip(*found, strict=True)]
    last = [[end[place] for end in ends] for place in range(2 if kind == "lstm" else 1)]
    return made("Stack", *rows, axis=axis), *(made("Stack", *items, axis=0) for items in last)


for _kind in _GATES:
    operation(f"{_kind}.input")(lambda _kind=_kind, **arguments: _layers(_kind, **arguments))


@operation("lstm_cell.default")
def _lstm_cell(
    input: Tensor, hx: Sequence[Tensor], w_ih: Tensor, w_hh: Tensor, b_ih: Any = None, b_hh: Any = None
) -> Any:
    return _step("lstm", input, hx[0], hx[1], [w_ih, w_hh, b_ih, b_hh])


def _cell(
    kind: str, input: Tensor, hx: Tensor, w_ih: Tensor, w_hh: Tensor, b_ih: Any = None, b_hh: Any = None
) -> Tensor:
    return _step(kind, input, hx, None, [w_ih, w_hh, b_ih, b_hh])[0]


for _kind in ("gru", "rnn_tanh", "rnn_relu"):
    operation(f"{_kind}_cell.default")(lambda _kind=_kind, **arguments: _cell(_kind, **arguments))
