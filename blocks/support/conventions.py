"""Conventions of TensorFlow, PyTorch and JAX for points without a derivative, with their numbers.

TensorFlow's answer is the block's own rule; the other two are told only where they differ from it.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gradwire.blocks.activations import SELU_ALPHA, SELU_SCALE
from gradwire.blocks.equal_places import SpreadToEqual, SumAtEqual
from gradwire.blocks.losses import SoftmaxCrossEntropyWithLogits
from gradwire.blocks.norms import is_sum_of_squares
from gradwire.blocks.pooling import max_pool_gradient
from gradwire.blocks.reduce import keep_axes
from gradwire.blocks.scan import Cumprod
from gradwire.blocks.scatter import TensorScatterNdUpdate
from gradwire.blocks.support.layouts import layout_of, move_back, move_last
from gradwire.blocks.zero_safe import Xdivy, Xlog1py, Xlogy
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.operation import Operation
from gradwire.engine.blocktypes.primitives import SumTo

FRAMEWORKS = ("TensorFlow 2.21", "PyTorch 2.13", "JAX 0.10")

# One for each input, in the order of the ports. Any: an array, or None where no gradient flows.
Gradients = Sequence[Any]
# One for each input: which elements stand there. Any: an array of bool, or None for an input that never does.
Masks = Sequence[Any]
# (own, g, *inputs, *outputs, **parameters), `own` being the gradients of the block's own rule.
Deviation = Callable[..., Gradients]


@dataclass(frozen=True)
class Rule:
    """The choice of a framework, as a sentence; `deviation` gives its gradients where they are not TensorFlow's."""

    sentence: str
    deviation: Deviation | None = None


@dataclass(frozen=True)
class Convention:
    """A point at which a derivative is a choice, the blocks concerned, and what is chosen.

    `places` tells from `(*inputs, *outputs, **parameters)` which elements of each input stand there, as masks;
    None stands for an input that never does. `rules` has one rule for each of `FRAMEWORKS`. `is_everywhere` says that
    the values do not matter, `is_of_second_order` that only a gradient of a gradient depends on the choice.
    """

    point: str
    types: tuple[str, ...]
    places: Callable[..., Masks]
    rules: tuple[Rule, Rule, Rule]
    is_everywhere: bool = False
    is_of_second_order: bool = False

    def explains(self, framework: int, inputs: Sequence[Array], outputs: Sequence[Array], **parameters: Any) -> bool:
        """Returns whether elements stand there, and one of `FRAMEWORKS`, by its place, chooses otherwise there."""
        if self.is_everywhere or self.rules[framework].sentence == self.rules[0].sentence:
            return False
        return any(mask is not None and bool(mask.any()) for mask in self.places(*inputs, *outputs, **parameters))


def gradients_of(
    convention: Convention,
    block_type: Operation,
    g: Sequence[Array],
    inputs: Sequence[Array],
    outputs: Sequence[Array],
    parameters: Mapping[str, Any],
) -> tuple[Gradients, ...]:
    """Returns the gradient that each of `FRAMEWORKS` sends back to each input for `g` at the outputs."""
    with np.errstate(all="ignore"):
        arriving = g[0] if len(outputs) == 1 else tuple(g)
        own = _own_gradients(block_type, arriving, inputs, outputs, parameters)
        found = []
        for rule in convention.rules:
            parts = own
            if rule.deviation is not None:
                parts = rule.deviation(own, arriving, *inputs, *outputs, **parameters)
            found.append([_summed(part, item) for part, item in zip(parts, inputs, strict=True)])
    return tuple(found)


def _own_gradients(
    block_type: Operation, g: Any, inputs: Sequence[Array], outputs: Sequence[Array], parameters: Mapping[str, Any]
) -> Gradients:
    is_passed = any(output.dtype.kind == "f" for output in outputs)
    if block_type.rule is None or not is_passed:
        return [None] * len(inputs)
    found = block_type.rule(g, *inputs, *outputs, **parameters)
    return list(found) if isinstance(found, tuple) else [found]


def _summed(part: Array | None, to: Array) -> Array | None:
    if part is None or to.dtype.kind != "f":
        return None
    summed: Array = SumTo(np.asarray(part), shape=to.shape)
    return summed


# Which elements stand there


def _everywhere(x: Array, *_: Array, **__: object) -> Masks:
    return [np.ones(x.shape, bool)]


def _first_of(inputs: int) -> Callable[..., Masks]:
    return lambda x, *_, **__: [np.ones(x.shape, bool), *[None] * (inputs - 1)]


def _to_whole_numbers(x: Array, y: Array, **_: object) -> Masks:
    return [np.full(x.shape, x.dtype.kind == "f" and y.dtype.kind != "f")]


def _at_zero(x: Array, *_: Array, **__: object) -> Masks:
    return [x == 0]


def _at_zero_or_six(x: Array, *_: Array, **__: object) -> Masks:
    return [(x == 0) | (x == 6)]


def _shared_extremes(x: Array, y: Array, *, axis: Any, keepdims: bool) -> Masks:
    hit = x == keep_axes(y, x, axis, keepdims)
    return [hit & (np.sum(hit, axis=axis, keepdims=True) > 1)]


def _equal_pairs(x: Array, y: Array, z: Array) -> Masks:
    return [_reduced(x == y, x), _reduced(x == y, y)]


def _at_bounds(x: Array, low: Array, high: Array, y: Array) -> Masks:
    at_low, at_high = x == low, x == high
    return [at_low | at_high, _reduced(at_low, low), _reduced(at_high, high)]


def _reduced(mask: Array, to: Array) -> Array:
    return SumTo(mask.astype(np.int64), shape=to.shape) > 0


def _zero_vectors(x: Array, y: Array, *, axis: Any, keepdims: bool, ord: Any = "euclidean") -> Masks:
    is_zero = keep_axes(y, x, axis, keepdims) == 0
    return [np.broadcast_to(is_zero & is_sum_of_squares(ord, axis), x.shape)]


def _zero_divisors(x: Array, y: Array, z: Array) -> Masks:
    by_zero = np.broadcast_to(y == 0, z.shape)
    return [_reduced(by_zero, x), y == 0]


def _equal_in_windows(input: Array, y: Array, *, data_format: str, **how: Any) -> Masks:
    layout = layout_of(input.ndim - 2, data_format)
    image, maxima = move_last(input, layout), move_last(y, layout)
    how = layout.plain(dilations=1, **how)
    counts = SumAtEqual(np.ones_like(image), image, maxima, **how)
    hit = SpreadToEqual((counts > 1).astype(image.dtype), image, maxima, **how) > 0
    return [move_back(hit, layout)]


def _at_origin(x: Array, y: Array, z: Array) -> Masks:
    hit = (x == 0) & (y == 0)
    return [_reduced(hit, x), _reduced(hit, y)]


def _zero_to_zero_or_below(x: Array, y: Array, z: Array) -> Masks:
    return [_reduced((x == 0) & (y == 0), x), _reduced(np.broadcast_to(x < 0, z.shape), y)]


def _constant_vectors(x: Array, y: Array, *, axis: Any, keepdims: bool) -> Masks:
    return [np.broadcast_to(keep_axes(y, x, axis, keepdims) == 0, x.shape)]


def _equal_among_top(x: Array, values: Array, indices: Array, **_: object) -> Masks:
    hit = x[..., None, :] == values[..., :, None]
    return [(hit & (hit.sum(axis=-1, keepdims=True) > 1)).any(axis=-2)]


# Where PyTorch or JAX differ


def _zeros(own: Gradients, g: Any, x: Array, *_: Any, **__: object) -> Gradients:
    return [np.zeros_like(x)]


def _halves_of_equals(own: Gradients, g: Array, x: Array, y: Array, z: Array) -> Gradients:
    return [np.where(x == y, g / 2, part) for part in own]


def _one_at_zero(own: Gradients, g: Array, x: Array, *_: Any, **__: object) -> Gradients:
    return [np.where(x == 0, g, own[0])]


def _halves_at_bounds(own: Gradients, g: Array, x: Array, low: Array, high: Array, y: Array) -> Gradients:
    """Returns the gradients of the minimum of a maximum, each of which gives its equals half."""
    raised = np.maximum(x, low)
    inner = np.where(raised < high, g, np.where(raised == high, g / 2, 0))
    of_x = np.where(x > low, inner, np.where(x == low, inner / 2, 0))
    return [of_x, inner - of_x, g - inner]


def _nothing_for_zero_vectors(own: Gradients, g: Array, x: Array, y: Array, **how: Any) -> Gradients:
    is_zero = _zero_vectors(x, y, **how)[0]
    return [np.where(is_zero, 0, own[0])]


def _zero_times_infinity(own: Gradients, g: Array, x: Array, y: Array) -> Gradients:
    return [np.where(x == 0, g * np.inf, own[0])]


def _zero_vector_divided(
    own: Gradients, g: Array, x: Array, y: Array, *, axis: Any, keepdims: bool, ord: Any = "euclidean"
) -> Gradients:
    divided = x * (keep_axes(g, x, axis, keepdims) / keep_axes(y, x, axis, keepdims))
    return [np.where(_zero_vectors(x, y, axis=axis, keepdims=keepdims, ord=ord)[0], divided, own[0])]


def _slope_of_left_side(own: Gradients, g: Array, x: Array, *_: Any) -> Gradients:
    return [np.where(x == 0, g * SELU_SCALE * SELU_ALPHA, own[0])]


def _zeros_at_origin(own: Gradients, g: Array, x: Array, y: Array, z: Array) -> Gradients:
    return [np.where((x == 0) & (y == 0), 0, part) for part in own]


def _powers_in_jax(own: Gradients, g: Array, x: Array, y: Array, z: Array) -> Gradients:
    return [own[0], np.where(x < 0, np.nan, own[1])]


def _powers_in_torch(own: Gradients, g: Array, x: Array, y: Array, z: Array) -> Gradients:
    return [np.where((x == 0) & (y == 0), 0, own[0]), np.where(x < 0, np.nan, own[1])]


def _of_constant_vectors(number: float) -> Deviation:
    def deviate(own: Gradients, g: Array, x: Array, y: Array, **how: Any) -> Gradients:
        return [np.where(_constant_vectors(x, y, **how)[0], number, own[0])]

    return deviate


def _first_in_window(own: Gradients, g: Array, input: Array, y: Array, **how: Any) -> Gradients:
    return [max_pool_gradient(g, input, y, **how)]


def _derivative(own: Gradients, g: Any, *arrays: Any, of: Operation, **parameters: Any) -> Gradients:
    """Returns the declared derivative of a type whose rule deviates from it."""
    assert of.deviation is not None
    found = of.deviation.derivative(g, *arrays, **parameters)
    return list(found) if isinstance(found, tuple | list) else [found]


def _deviating(point: str, block_type: Operation, sentence: str, gives: tuple[bool, bool]) -> Convention:
    """Returns the convention of a type whose rule is not the derivative; `gives`: whether PyTorch and JAX give that."""

    def places(*arrays: Array, **parameters: Any) -> Masks:
        inputs = arrays[: len(arrays) - len(block_type.outputs)]
        g = np.ones_like(arrays[-1])
        own = _own_gradients(block_type, g, inputs, arrays[len(inputs) :], parameters)
        with np.errstate(all="ignore"):
            true = _derivative(own, g, *arrays, of=block_type, **parameters)
        pairs = zip(own, true, inputs, strict=True)
        return [None if a is None else _reduced(np.asarray(~np.isclose(a, b)), x) for a, b, x in pairs]

    same, given = Rule(sentence), Rule("The derivative.", functools.partial(_derivative, of=block_type))
    in_torch, in_jax = (given if is_given else same for is_given in gives)
    return Convention(point, (block_type.name,), places, (same, in_torch, in_jax))


def _same(sentence: str) -> tuple[Rule, Rule, Rule]:
    return Rule(sentence), Rule(sentence), Rule(sentence)


_NO_GRADIENT = "Gives no gradient at all (None); Gradwire shows 0 and says why."
_ZEROS = "Gives a gradient of 0."
_FLAT = (Rule(_NO_GRADIENT), Rule(_ZEROS, _zeros), Rule(_ZEROS, _zeros))
_WHOLE = (Rule(_NO_GRADIENT), Rule("Gives no gradient at all: whole numbers have none."), Rule(_ZEROS, _zeros))
_FIRST_INPUT = Rule("The first input receives the whole gradient.")
_HALVES = Rule("Each of the two inputs receives half of the gradient.", _halves_of_equals)
_FIRST = Rule("The first of the equal elements receives the whole gradient.")
_FIRST_OF_WINDOW = Rule("The first of the equal elements receives the whole gradient.", _first_in_window)
_NOTHING = Rule("The gradient is 0.")
_AT_BOUND = Rule("The element receives the whole gradient.")
_INFINITE = "The gradient is infinite; NaN where the incoming gradient is 0 (0 times infinity)."
_LENGTH = Rule("The gradient is NaN (0 divided by the length 0).")
_WHOLE_TWICE = Rule("It has all its terms.")
_WITHOUT_LABELS = Rule("The gradient of the logits does not depend on the labels; in Gradwire it does.")
_ANY_LABELS = Rule("It has all its terms, also for labels that do not add up to 1.")
_WITHOUT_MEAN = (
    Rule("The variance treats its mean as a constant, so terms are missing; Gradwire includes all of them."),
    _WHOLE_TWICE,
    _WHOLE_TWICE,
)
_NO_NUMBER = Rule("The gradient is NaN.")
_NO_LENGTH = Rule("The gradient of a vector of zeros is 0.", _nothing_for_zero_vectors)

CONVENTIONS = (
    Convention(
        "Equal extremes",
        ("ReduceMax", "ReduceMin"),
        _shared_extremes,
        _same("The equal elements share the gradient evenly."),
    ),
    Convention(
        "Equal elements by place",
        ("TopK",),
        _equal_among_top,
        (
            _FIRST,
            Rule("torch.topk may choose any of the equal elements; torch.sort with stable=True chooses the first."),
            _FIRST,
        ),
    ),
    Convention("Equal elements in a window", ("MaxPool1D", "MaxPool2D"), _equal_in_windows, (_FIRST, _FIRST, _FIRST)),
    Convention(
        "Equal elements in a window",
        ("MaxPool3D",),
        _equal_in_windows,
        (Rule("Each of the equal elements receives the whole gradient."), _FIRST_OF_WINDOW, _FIRST_OF_WINDOW),
    ),
    Convention("Equal inputs", ("Maximum", "Minimum"), _equal_pairs, (_FIRST_INPUT, _HALVES, _HALVES)),
    Convention("Kink at 0", ("Relu",), _at_zero, (_NOTHING, _NOTHING, _NOTHING)),
    Convention(
        "Kinks at 0 and 6",
        ("Relu6",),
        _at_zero_or_six,
        (_NOTHING, _NOTHING, _NOTHING),
    ),
    Convention(
        "Kink at 0",
        ("Selu",),
        _at_zero,
        (
            Rule("The slope of the right side, 1.0507."),
            Rule("The slope of the left side, 1.7581.", _slope_of_left_side),
            Rule("The slope of the left side, 1.7581.", _slope_of_left_side),
        ),
    ),
    Convention(
        "Kink at 0",
        ("LeakyRelu",),
        _at_zero,
        (
            Rule("The slope of the left side, alpha."),
            Rule("The slope of the left side, alpha."),
            Rule("The slope of the right side, 1.", _one_at_zero),
        ),
    ),
    Convention("Jump at 0", ("Sign",), _at_zero, (_NOTHING, _NOTHING, _NOTHING)),
    Convention(
        "Kink at 0", ("Abs",), _at_zero, (_NOTHING, _NOTHING, Rule("The slope of the right side, 1.", _one_at_zero))
    ),
    Convention(
        "At a bound",
        ("ClipByValue",),
        _at_bounds,
        (
            _AT_BOUND,
            Rule("The element receives the whole gradient (torch.clamp; from 2.14 on half of it or 0)."),
            Rule("Half of the gradient passes; the bound receives the other half.", _halves_at_bounds),
        ),
    ),
    Convention(
        "Root of 0",
        ("Sqrt",),
        _at_zero,
        (
            Rule("The gradient is infinite; 0 where the incoming gradient is 0."),
            Rule(_INFINITE, _zero_times_infinity),
            Rule(_INFINITE, _zero_times_infinity),
        ),
    ),
    Convention("Logarithm of 0", ("Log",), _at_zero, _same(_INFINITE)),
    Convention(
        "Division by 0",
        ("Divide",),
        _zero_divisors,
        _same("The gradient of x is infinite, and that of y is NaN where x is 0."),
    ),
    Convention(
        "Length of zeros",
        ("Norm",),
        _zero_vectors,
        (
            Rule("The gradient is NaN (0 times infinity); 0 where the incoming gradient is 0."),
            _NO_LENGTH,
            Rule("The gradient is NaN (0 divided by the length 0).", _zero_vector_divided),
        ),
    ),
    Convention("Length of zeros", ("ReduceEuclideanNorm",), _zero_vectors, (_LENGTH, _NO_LENGTH, _LENGTH)),
    Convention(
        "Product with zeros", ("ReduceProd",), _at_zero, _same("Each element receives the product of the others.")
    ),
    _deviating(
        "Running product with zeros", Cumprod, "The gradient of a zero is 0: the rule divides by it.", (True, True)
    ),
    _deviating(
        "A place written twice",
        TensorScatterNdUpdate,
        "Each update of the place receives the gradient of the last one.",
        (False, True),
    ),
    _deviating(
        "Labels that do not add up to 1",
        SoftmaxCrossEntropyWithLogits,
        "The rule assumes labels that add up to 1.",
        (True, True),
    ),
    *(
        _deviating("A factor of 0", kind, "x receives 0 where it is 0.", (True, True))
        for kind in (Xdivy, Xlogy, Xlog1py)
    ),
    Convention(
        "Angle at the origin",
        ("Atan2",),
        _at_origin,
        (_NO_NUMBER, Rule("Gives a gradient of 0 (before 2.10 NaN).", _zeros_at_origin), _NO_NUMBER),
    ),
    Convention(
        "Power of 0 or of a base below 0",
        ("Pow",),
        _zero_to_zero_or_below,
        (
            Rule("For 0 to the power of 0, the base receives NaN. Below a base of 0, the exponent receives 0."),
            Rule(
                "For 0 to the power of 0, the base receives 0. Below a base of 0, the exponent receives NaN.",
                _powers_in_torch,
            ),
            Rule(
                "For 0 to the power of 0, the base receives NaN. Below a base of 0, the exponent receives NaN.",
                _powers_in_jax,
            ),
        ),
    ),
    Convention(
        "Deviation of equal elements",
        ("ReduceStd",),
        _constant_vectors,
        (
            Rule("The gradient is NaN (0 times infinity); 0 where the incoming gradient is 0."),
            Rule(_ZEROS, _of_constant_vectors(0)),
            Rule("The gradient is NaN for every incoming gradient.", _of_constant_vectors(math.nan)),
        ),
    ),
    Convention("No slope", ("Floor", "Round", "Ceil", "Rint"), _everywhere, _FLAT, True),
    Convention("No slope", ("ArgMax", "ArgMin"), _everywhere, _WHOLE, True),
    Convention("To whole numbers", ("Cast",), _to_whole_numbers, _WHOLE, True),
    Convention(
        "A stopped gradient",
        ("StopGradient",),
        _everywhere,
        (
            Rule(_NO_GRADIENT),
            Rule("Gives no gradient at all (detach: None, or an error)."),
            Rule(_ZEROS, _zeros),
        ),
        True,
    ),
    Convention("Gradient of a gradient", ("Moments",), _first_of(1), _WITHOUT_MEAN, True, True),
    Convention("Gradient of a gradient", ("LayerNormalization",), _first_of(3), _WITHOUT_MEAN, True, True),
    Convention(
        "Gradient of a gradient",
        ("SoftmaxCrossEntropyWithLogits",),
        _first_of(2),
        (_WITHOUT_LABELS, _ANY_LABELS, _ANY_LABELS),
        True,
        True,
    ),
)


def conventions_of(type_name: str) -> list[Convention]:
    """Returns the conventions for a block type."""
    return [convention for convention in CONVENTIONS if type_name in convention.types]
