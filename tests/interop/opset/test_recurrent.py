"""Recurrent layers of ONNX beside the equations of its operators, in both directions, a step at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import topological_order
from gradwire.interop.models.limits import MOST_STEPS
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.opset.operators import find
from tests.interop.opset.test_bits import called

STEPS, BATCH, INPUTS, UNITS = 3, 2, 4, 5
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}


def sigmoid(x: Array) -> Array:
    return 1 / (1 + np.exp(-x))


def outputs_of(kind: str, *inputs: Array | None, **settings: Any) -> list[Array]:
    found = find(kind)
    assert found is not None
    return [np.asarray(item) for item in found([*inputs], settings, 20, 3 if kind == "LSTM" else 2)]


def drawn(kind: str, sides: int) -> dict[str, Array]:
    draw, gates = np.random.default_rng(7), GATES[kind] * UNITS
    sizes = {
        "x": (STEPS, BATCH, INPUTS), "w": (sides, gates, INPUTS), "r": (sides, gates, UNITS), "b": (sides, 2 * gates),
        "h": (sides, BATCH, UNITS), "c": (sides, BATCH, UNITS), "p": (sides, 3 * UNITS),
    }  # fmt: skip
    return {name: draw.normal(size=size) for name, size in sizes.items()}


def by_hand(kind: str, side: int, has: str, **how: Any) -> tuple[Array, Array, Array]:
    """Returns all states of one direction, and both last ones. Source: LSTM, GRU and RNN in ONNX's operators."""
    given = drawn(kind, 2)
    w, r, limit = given["w"][side], given["r"][side], how.get("clip", np.inf)
    zeros = np.zeros((BATCH, UNITS))
    b = given["b"][side] if "b" in has else np.zeros(2 * len(w))
    h, c = (given[name][side] if name in has else zeros for name in "hc")
    p = given["p"][side] if "p" in has else np.zeros(3 * UNITS)
    (pi, po, pf), (wb, rb), rows = np.split(p, 3), np.split(b, 2), []

    def act(function: Any, x: Array) -> Array:
        return np.asarray(function(np.clip(x, -limit, limit)))

    for x in given["x"][:: -1 if side else 1]:
        xs, hs = np.split(x @ w.T + wb, GATES[kind], axis=1), np.split(h @ r.T + rb, GATES[kind], axis=1)
        if kind == "LSTM":
            i = act(sigmoid, xs[0] + hs[0] + pi * c)
            f = 1 - i if how.get("input_forget") else act(sigmoid, xs[2] + hs[2] + pf * c)
            c = f * c + i * act(np.tanh, xs[3] + hs[3])
            h = act(sigmoid, xs[1] + hs[1] + po * c) * np.tanh(c)
        elif kind == "GRU":
            z, t = act(sigmoid, xs[0] + hs[0]), act(sigmoid, xs[1] + hs[1])
            last, bias = np.split(r, 3)[2], np.split(rb, 3)[2]
            kept = t * (h @ last.T + bias) if how.get("linear_before_reset") else (t * h) @ last.T + bias
            h = (1 - z) * act(np.tanh, xs[2] + kept) + z * h
        else:
            h = act(np.tanh, xs[0] + hs[0])
        rows.append(h)
    return np.stack(rows[:: -1 if side else 1]), h, c


@pytest.mark.parametrize(
    ("kind", "has", "settings"),
    [
        ("LSTM", "", {}), ("LSTM", "bhc", {}), ("LSTM", "bhcp", {}), ("LSTM", "hcp", {"clip": 0.3}),
        ("LSTM", "bhc", {"input_forget": 1}), ("GRU", "", {}), ("GRU", "bh", {}), ("GRU", "h", {"clip": 0.2}),
        ("GRU", "bh", {"linear_before_reset": 1}), ("GRU", "h", {"linear_before_reset": 1}), ("RNN", "bh", {}),
        ("RNN", "", {"clip": 0.4}),
    ],
)  # fmt: skip
def test_both_directions_are_their_equations(kind: str, has: str, settings: dict[str, Any]) -> None:
    given = drawn(kind, 2)
    names = ["b", None, "h", "c", "p"] if kind == "LSTM" else ["b", None, "h"]
    optional = [given[name] if name is not None and name in has else None for name in names]
    sides = [by_hand(kind, side, has, **settings) for side in (0, 1)]
    found = outputs_of(kind, given["x"], given["w"], given["r"], *optional, direction="bidirectional", **settings)
    wanted = [np.stack([item[place] for item in sides], axis=1 if place == 0 else 0) for place in range(3)]
    for one, other in zip(found, wanted, strict=False):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-9)
    # The batch may come first.
    turned = [
        None if item is None else item.swapaxes(0, 1) if place in (2, 3) else item
        for place, item in enumerate(optional)
    ]
    x = given["x"].swapaxes(0, 1)
    first = outputs_of(kind, x, given["w"], given["r"], *turned, direction="bidirectional", layout=1, **settings)
    np.testing.assert_allclose(first[0], wanted[0].transpose(2, 0, 1, 3), rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(first[1], wanted[1].swapaxes(0, 1), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("kind", GATES)
def test_each_direction_has_its_own_activations(kind: str) -> None:
    given, width = drawn(kind, 2), {"LSTM": 3, "GRU": 2, "RNN": 1}[kind]
    weights = (given["x"], given["w"], given["r"])
    both = outputs_of(kind, *weights, direction="bidirectional",
                      activations=["Tanh"] * width + ["Affine"] * width, activation_alpha=[0.5] * width,
                      activation_beta=[0.25] * width)[0]  # fmt: skip
    ahead, back = (
        outputs_of(kind, given["x"], given["w"][side : side + 1], given["r"][side : side + 1], **how)[0]
        for side, how in enumerate(
            (
                {"activations": ["Tanh"] * width},
                {"direction": "reverse", "activations": ["Affine"] * width, "activation_alpha": [0.5] * width,
                 "activation_beta": [0.25] * width},
            )
        )
    )  # fmt: skip
    np.testing.assert_allclose(both, np.concatenate([ahead, back], axis=1))


def test_the_steps_of_a_recurrence_have_a_limit_and_one_length() -> None:
    w, r = np.ones((1, 1, 1)), np.ones((1, 1, 1))
    with pytest.raises(ModelRefusal, match=f"{MOST_STEPS + 1} steps is unrolled"):
        outputs_of("RNN", np.zeros((MOST_STEPS + 1, 1, 1)), w, r)
    x = np.zeros((3, 2, 1))
    assert outputs_of("RNN", x, w, r, None, np.array([3, 3]))[0].shape == (3, 1, 2, 1)
    with pytest.raises(ModelRefusal, match="different lengths"):
        outputs_of("RNN", x, w, r, None, np.array([3, 2]))
    with pytest.raises(ModelRefusal, match="its activation Softmax has no block"):
        outputs_of("RNN", x, w, r, activations=["Softmax"])


def test_the_last_two_axes_are_resized_without_turning_the_picture() -> None:
    x = gw.Input(np.random.default_rng(2).normal(size=(2, 3, 4, 5)))
    resize = find("Resize")
    assert resize is not None
    for sizes, turns in (([2, 3, 4, 9], 0), ([2, 3, 7, 5], 0), ([2, 3, 7, 9], 0), ([2, 6, 4, 5], 2), ([4, 3, 4, 5], 2)):
        made = resize([x, None, None, np.array(sizes)], {"mode": "linear"}, 19, 1)
        names = [item.type.name for item in topological_order([made])]
        assert (names.count("Transpose"), made.shape) == (turns, tuple(sizes))


@pytest.mark.parametrize("axis", range(4))
def test_each_axis_is_resized_as_a_line(axis: int) -> None:
    x = np.random.default_rng(2).normal(size=(2, 3, 4, 5))
    scales = np.ones(4)
    scales[axis] = 2
    # Between middles of old elements, and the outermost ones beyond them.
    places = np.clip((np.arange(2 * x.shape[axis]) + 0.5) / 2 - 0.5, 0, x.shape[axis] - 1)
    wanted = np.apply_along_axis(lambda line: np.interp(places, np.arange(len(line)), line), axis, x)
    np.testing.assert_allclose(called("Resize", x, None, scales, mode="linear"), wanted, rtol=1e-6, atol=1e-9)
