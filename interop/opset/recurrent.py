"""Recurrent layers, a step at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gradwire.interop.aten.shapes import selected
from gradwire.interop.models.limits import MOST_STEPS
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, made
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.operators import Numbers, find, operator

_DEFAULTS: Final = {"LSTM": ["Sigmoid", "Tanh", "Tanh"], "GRU": ["Sigmoid", "Tanh"], "RNN": ["Tanh"]}
_ACTIVATIONS: Final = frozenset(
    ("Affine", "Elu", "HardSigmoid", "LeakyRelu", "Relu", "ScaledTanh", "Sigmoid", "Softplus", "Softsign", "Tanh",
     "ThresholdedRelu")
)  # fmt: skip
_OF_ALPHA: Final = ("Affine", "Elu", "HardSigmoid", "LeakyRelu", "ScaledTanh", "ThresholdedRelu")
_OF_BETA: Final = ("Affine", "HardSigmoid", "ScaledTanh")
Activation = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class _Cell:
    """One direction of a layer. Shapes: `of_input` (gates x units, inputs), `of_state` (gates x units, units)."""

    of_input: Tensor
    of_state: Tensor
    biases: Sequence[Tensor] | None
    peepholes: Sequence[Tensor] | None
    activations: Sequence[Activation]
    clip: float | None
    is_linear_first: bool
    forgets_input: bool


def _times(a: Tensor, b: Tensor) -> Tensor:
    found: Tensor = made("Multiply", a, b)
    return found


def _plus(a: Tensor, b: Tensor) -> Tensor:
    found: Tensor = made("Add", a, b)
    return found


def _product(x: Tensor, weights: Tensor) -> Tensor:
    found: Tensor = made("MatMul", x, weights, transpose_b=True)
    return found


def _clipped(cell: _Cell, x: Tensor) -> Tensor:
    if cell.clip is None:
        return x
    found: Tensor = made("ClipByValue", x, number(-cell.clip, x), number(cell.clip, x))
    return found


def _rnn(cell: _Cell, given: Tensor, h: Tensor, c: Tensor | None) -> tuple[Tensor, Tensor | None]:
    kept = _product(h, cell.of_state)
    total = _plus(given, kept if cell.biases is None else _plus(kept, cell.biases[1]))
    return cell.activations[0](_clipped(cell, total)), None


def _lstm(cell: _Cell, given: Tensor, h: Tensor, c: Tensor | None) -> tuple[Tensor, Tensor | None]:
    assert c is not None
    kept = _product(h, cell.of_state)
    total = _plus(given, kept if cell.biases is None else _plus(kept, cell.biases[1]))
    taken, shown, forgotten, new = made("Split", total, num_or_size_splits=4, axis=1)
    gate, inner, outer = cell.activations
    if cell.peepholes is not None:
        taken, forgotten = _plus(taken, _times(cell.peepholes[0], c)), _plus(forgotten, _times(cell.peepholes[2], c))
    share = gate(_clipped(cell, taken))
    if cell.forgets_input:
        forget: Tensor = made("Subtract", number(1, share), share)
    else:
        forget = gate(_clipped(cell, forgotten))
    state = _plus(_times(forget, c), _times(share, inner(_clipped(cell, new))))
    if cell.peepholes is not None:
        shown = _plus(shown, _times(cell.peepholes[1], state))
    return _times(gate(_clipped(cell, shown)), outer(state)), state


def _gru(cell: _Cell, given: Tensor, h: Tensor, c: Tensor | None) -> tuple[Tensor, Tensor | None]:
    units = h.shape[1]
    update, reset, new = made("Split", given, num_or_size_splits=3, axis=1)
    of_gates = made("Slice", cell.of_state, begin=[0, 0], size=[2 * units, -1])
    of_new = made("Slice", cell.of_state, begin=[2 * units, 0], size=[units, -1])
    gates, gate_bias, new_bias = _product(h, of_gates), None, None
    if cell.biases is not None:
        gate_bias, new_bias = made("Split", cell.biases[1], num_or_size_splits=[2 * units, units], axis=0)
        gates = _plus(gates, gate_bias)
    first, second = made("Split", gates, num_or_size_splits=2, axis=1)
    gate, inner = cell.activations
    z, r = gate(_clipped(cell, _plus(update, first))), gate(_clipped(cell, _plus(reset, second)))
    if cell.is_linear_first:
        kept = _product(h, of_new)
        kept = _times(r, kept if new_bias is None else _plus(kept, new_bias))
    else:
        kept = _product(_times(r, h), of_new)
        kept = kept if new_bias is None else _plus(kept, new_bias)
    fresh = inner(_clipped(cell, _plus(new, kept)))
    rest: Tensor = made("Subtract", number(1, z), z)
    return _plus(_times(rest, fresh), _times(z, h)), None


_STEPS: Final = {"LSTM": _lstm, "GRU": _gru, "RNN": _rnn}


def _activations(
    kind: str, sides: int, names: list[str] | None, alphas: list[float] | None, betas: list[float] | None
) -> list[Activation]:
    """Returns the activations of all directions; the numbers go to those that take some, in their order."""
    given = [*(names or _DEFAULTS[kind] * sides)]
    waiting = {"alpha": list(alphas or ()), "beta": list(betas or ())}
    known = {name.casefold(): name for name in _ACTIVATIONS}
    found: list[Activation] = []
    for text in given:
        name = known.get(text.casefold())
        if name is None:
            raise ModelRefusal(f"its activation {text[:20]} has no block")
        settings = {
            key: waiting[key].pop(0)
            for key, takes in (("alpha", _OF_ALPHA), ("beta", _OF_BETA))
            if name in takes and waiting[key]
        }
        found.append(_activation(name, settings))
    return found


def _activation(name: str, settings: dict[str, Any]) -> Activation:
    if name in ("Affine", "ScaledTanh"):
        alpha, beta = settings.get("alpha", 1.0), settings.get("beta", 1.0)

        def scaled(x: Tensor) -> Tensor:
            if name == "Affine":
                return _plus(_times(x, number(alpha, x)), number(beta, x))
            return _times(made("Tanh", _times(x, number(beta, x))), number(alpha, x))

        return scaled
    found = find(name)
    assert found is not None
    return lambda x: found.function(x, **settings)


@dataclass(frozen=True)
class _Layer:
    """A layer with its weights as the file has them: all directions, and the states at the beginning."""

    kind: str
    w: Tensor
    r: Tensor
    b: Tensor | None
    lengths: Numbers | None
    h: Tensor | None
    c: Tensor | None = None
    p: Tensor | None = None

    def results(self, x: Tensor, settings: dict[str, Any]) -> Any:
        """Returns the states of all steps, and the last ones."""
        direction, is_batch_first = settings["direction"] or "forward", bool(settings["layout"])
        begins = [_turned(item) if is_batch_first else item for item in (self.h, self.c)]
        x = _turned(x) if is_batch_first else x
        count, batch = x.shape[:2]
        if count > MOST_STEPS:
            raise ModelRefusal(f"a recurrence of {count} steps is unrolled, and {MOST_STEPS} are the limit")
        if self.lengths is not None and (self.lengths != count).any():
            raise ModelRefusal("sequences of different lengths (sequence_lens) have no block")
        rows, zeros = [selected(x, 0, place) for place in range(count)], np.zeros((batch, self.r.shape[2]), x.dtype)
        sides = 2 if direction == "bidirectional" else 1
        outputs, ends, states = [], [], []
        for side, cell in enumerate(self._cells(sides, settings)):
            begin = [zeros if item is None else selected(item, 0, side) for item in begins]
            step = -1 if direction == "reverse" or side else 1
            made_rows, hidden, state = _run(_STEPS[self.kind], cell, rows[::step], begin[0], begin[1])
            outputs.append(made("Stack", *made_rows[::step], axis=0))
            ends.append(hidden)
            states.append(state)
        whole = made("Stack", *outputs, axis=1)
        last = [made("Stack", *items, axis=0) for items in ((ends, states) if self.kind == "LSTM" else (ends,))]
        if is_batch_first:
            return made("Transpose", whole, perm=[2, 0, 1, 3]), *(_turned(item) for item in last)
        return whole, *last

    def _cells(self, sides: int, settings: dict[str, Any]) -> Iterator[_Cell]:
        names, alphas, betas = (settings[f"activation{end}"] for end in ("s", "_alpha", "_beta"))
        activations = _activations(self.kind, sides, names, alphas, betas)
        width = len(activations) // sides
        for side in range(sides):
            bias, peephole = (None if item is None else selected(item, 0, side) for item in (self.b, self.p))
            yield _Cell(
                selected(self.w, 0, side),
                selected(self.r, 0, side),
                None if bias is None else made("Split", bias, num_or_size_splits=2, axis=0),
                None if peephole is None else made("Split", peephole, num_or_size_splits=3, axis=0),
                activations[side * width : (side + 1) * width],
                settings["clip"],
                bool(settings.get("linear_before_reset")),
                bool(settings.get("input_forget")),
            )


def _turned(x: Any) -> Any:  # Any: a tensor, or None
    """Returns a tensor with its batch on the second axis in place of the first, or the other way round."""
    return None if x is None else made("Transpose", x, perm=[1, 0, 2])


def _run(step: Any, cell: _Cell, rows: Sequence[Tensor], h: Tensor, c: Tensor) -> tuple[list[Tensor], Tensor, Tensor]:
    """Returns the states after each step, and both last ones."""
    found: list[Tensor] = []
    for row in rows:
        given = _product(row, cell.of_input)
        h, after = step(cell, given if cell.biases is None else _plus(given, cell.biases[0]), h, c)
        c = c if after is None else after
        found.append(h)
    return found, h, c


@operator("LSTM")
def _lstm_layer(
    x: Tensor, w: Tensor, r: Tensor, b: Tensor | None = None, lengths: Numbers | None = None, h: Tensor | None = None,
    c: Tensor | None = None, p: Tensor | None = None, *, hidden_size: int = 0, direction: str = "forward",
    activations: list[str] | None = None, activation_alpha: list[float] | None = None,
    activation_beta: list[float] | None = None, clip: float | None = None, input_forget: int = 0, layout: int = 0,
    output_sequence: int = 0,
) -> Any:  # fmt: skip
    settings = {
        "activations": activations, "activation_alpha": activation_alpha, "activation_beta": activation_beta,
        "direction": direction, "clip": clip, "input_forget": input_forget, "layout": layout,
    }  # fmt: skip
    return _Layer("LSTM", w, r, b, lengths, h, c, p).results(x, settings)


@operator("GRU")
def _gru_layer(
    x: Tensor, w: Tensor, r: Tensor, b: Tensor | None = None, lengths: Numbers | None = None, h: Tensor | None = None,
    *, hidden_size: int = 0, direction: str = "forward", activations: list[str] | None = None,
    activation_alpha: list[float] | None = None, activation_beta: list[float] | None = None, clip: float | None = None,
    linear_before_reset: int = 0, layout: int = 0, output_sequence: int = 0,
) -> Any:  # fmt: skip
    settings = {
        "activations": activations, "activation_alpha": activation_alpha, "activation_beta": activation_beta,
        "direction": direction, "clip": clip, "linear_before_reset": linear_before_reset, "layout": layout,
    }  # fmt: skip
    return _Layer("GRU", w, r, b, lengths, h).results(x, settings)


@operator("RNN")
def _rnn_layer(
    x: Tensor, w: Tensor, r: Tensor, b: Tensor | None = None, lengths: Numbers | None = None, h: Tensor | None = None,
    *, hidden_size: int = 0, direction: str = "forward", activations: list[str] | None = None,
    activation_alpha: list[float] | None = None, activation_beta: list[float] | None = None, clip: float | None = None,
    layout: int = 0, output_sequence: int = 0,
) -> Any:  # fmt: skip
    settings = {
        "activations": activations, "activation_alpha": activation_alpha, "activation_beta": activation_beta,
        "direction": direction, "clip": clip, "layout": layout,
    }  # fmt: skip
    return _Layer("RNN", w, r, b, lengths, h).results(x, settings)
