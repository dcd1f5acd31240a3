"""Whole random numbers, random order and random classes, each a function of its seed; none has a gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.blocks.control import StopGradient
from gradwire.blocks.indexing import Gather
from gradwire.blocks.random import check_request, embedded
from gradwire.blocks.support.noise import Every, drawn_by_step, generator_of
from gradwire.engine.base.errors import ParameterError, ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec
from gradwire.engine.blocktypes.block_type import ANY, FLOAT, UNSHARED, Role, block
from gradwire.engine.blocktypes.draw import Parameters
from gradwire.engine.blocktypes.parameters import IntList
from gradwire.engine.blocktypes.spelling import Spelling, documented
from gradwire.engine.export.program_text import array_text

IntName = Literal["int64", "int32"]


def _whole(*, shape: tuple[int, ...], minval: int, maxval: int, seed: int, every: str, dtype: str) -> TensorSpec:
    check_request(seed, shape)
    limits = np.iinfo(dtype)
    if not limits.min <= minval < maxval <= limits.max + 1:
        raise ParameterError(f"minval {minval} must be below maxval {maxval}, and both must fit into {dtype}")
    return TensorSpec(shape, DTYPES[dtype])


def _whole_numbers(shape: tuple[int, ...], rng: np.random.Generator, given: Parameters) -> Array:
    return np.asarray(rng.integers(given["minval"], given["maxval"], shape, given["dtype"]))


def _embedding(framework: str, line: str) -> Callable[..., str]:
    @documented(line)
    def write(shape: tuple[int, ...], seed: int, every: str, **given: Any) -> str:
        if framework == "numpy" and every == "run":
            return line.format(shape=shape, seed=seed, **(given | {"dtype": repr(given["dtype"])}))
        return embedded(framework, _whole_numbers(shape, generator_of(seed, every), given))

    return write


def _in_order(template: str, line: str) -> Callable[..., str]:
    """Spells the order itself, which other generators would draw differently."""

    @documented(line)
    def write(x: str, seed: int, every: str, specs: Sequence[TensorSpec]) -> str:
        if specs[0].ndim == 0:
            return x
        return template.format(x=x, order=array_text(generator_of(seed, every).permutation(specs[0].shape[0])))

    return write


def _other_numbers(line: str) -> Callable[..., str]:
    """Returns no line: another generator draws other numbers."""

    @documented(line)
    def write(**_: object) -> str:
        return ""

    return write


@block(
    "Random",
    differentiable="never",
    infer=_whole,
    role=Role.SOURCE,
    formula=r"y \sim U\{a, \ldots, b - 1\}",
    gradient_formula=NO_GRADIENT,
    source="tf.random.uniform of whole numbers",
    spelling=Spelling(
        _embedding("numpy", "np.random.default_rng({seed}).integers({minval}, {maxval}, {shape}, {dtype})"),
        _embedding("tensorflow", "tf.random.stateless_uniform({shape}, [{seed}, 0], {minval}, {maxval}, {dtype})"),
        _embedding("torch", "torch.randint({minval}, {maxval}, {shape}, dtype=torch.{dtype!s})"),
        _embedding("jax", "jax.random.randint(jax.random.key({seed}), {shape}, {minval}, {maxval}, {dtype})"),
    ),
    draw=drawn_by_step(_whole_numbers),
)
def RandomUniformInt(
    *,
    shape: IntList,
    minval: int = 0,
    maxval: int,
    seed: int = 0,
    every: Every = "run",
    dtype: IntName = "int64",
) -> Array:
    """Whole random numbers from `minval` up to and without `maxval`, all equally likely.

    With `every` step, training draws anew in each step.
    """
    return _whole_numbers(shape, generator_of(seed, every), {"minval": minval, "maxval": maxval, "dtype": dtype})


def _order(shape: tuple[int, ...], rng: np.random.Generator, _: Parameters) -> Array:
    return rng.permutation(shape[0])


def _order_spec(outputs: Sequence[TensorSpec], _: Parameters) -> Sequence[TensorSpec]:
    return [TensorSpec(outputs[0].shape[:1] or (1,), np.dtype(np.int64))]


def _in_drawn_order(numbers: Sequence[Any], x: Any, **_: object) -> Sequence[Any]:
    return [StopGradient(Gather(x, numbers[0]) if x.ndim else x)]


def _shuffled(x: TensorSpec, *, seed: int, every: str) -> TensorSpec:
    check_request(seed)
    return x


@block(
    "Random",
    differentiable="cut",
    infer=_shuffled,
    accepts=ANY,
    formula=r"y_i = x_{\pi(i)}",
    gradient_formula=r"\text{none, as in TensorFlow}",
    source="tf.random.shuffle",
    spelling=Spelling(
        _in_order("{x}[{order}]", "{x}[np.random.default_rng({seed}).permutation(len({x}))]"),
        _in_order("tf.gather({x}, {order})", "tf.random.experimental.stateless_shuffle({x}, [{seed}, 0])"),
        _in_order("{x}[{order}]", "{x}[torch.randperm(len({x}))]"),
        _in_order("{x}[{order}]", "jax.random.permutation(jax.random.key({seed}), {x})"),
    ),
    draw=drawn_by_step(_order, _in_drawn_order, _order_spec),
)
def RandomShuffle(x: Array, *, seed: int = 0, every: Every = "run") -> Array:
    """The rows of a tensor, along its first axis, in random order.

    No gradient passes, as in TensorFlow: to differentiate, pick the rows with Gather by shuffled indices.
    With `every` step, training shuffles anew in each step.
    """
    return x[generator_of(seed, every).permutation(len(x))] if x.ndim else x


def _at_places(logits: TensorSpec, places: TensorSpec, *, dtype: str) -> TensorSpec:
    if logits.ndim != 2 or logits.shape[1] == 0 or places.ndim != 2 or places.shape[0] != logits.shape[0]:
        raise ShapeError(f"logits {list(logits.shape)} and places {list(places.shape)} must have the same rows")
    return TensorSpec(places.shape, DTYPES[dtype])


@block(
    "Gradient parts",
    differentiable="never",
    accepts={"logits": FLOAT, "places": UNSHARED},
    infer=_at_places,
    formula=r"y_i = |\{k : \sum_{j \le k} p_j \le u_i\}|,\quad p = \mathrm{softmax}(x)",
    gradient_formula=NO_GRADIENT,
)
def ClassesAtPlaces(logits: Array, places: Array, *, dtype: IntName = "int64") -> Array:
    """Classes that lie at some places from 0 to 1, where each class takes up as much as its probability."""
    is_possible = np.isfinite(logits)
    if not is_possible.any(axis=1).all():
        raise ValueProblem(f"row {int(np.argmin(is_possible.any(axis=1)))} of logits has no finite number")
    wide = np.where(is_possible, logits, -np.inf).astype(np.float64)
    sums = np.cumsum(np.exp(wide - np.max(wide, axis=1, keepdims=True)), axis=1)
    drawn = np.empty(places.shape, DTYPES[dtype])
    for row, total, place in zip(drawn, sums, places, strict=True):
        row[:] = np.searchsorted(total / total[-1], place, side="right")
    return drawn


def _places(shape: tuple[int, ...], rng: np.random.Generator, _: Parameters) -> Array:
    return rng.random(shape)


def _place_spec(outputs: Sequence[TensorSpec], _: Parameters) -> Sequence[TensorSpec]:
    return [TensorSpec(outputs[0].shape, np.dtype(np.float64))]


def _at_drawn_places(numbers: Sequence[Any], logits: Any, *, dtype: str, **_: object) -> Sequence[Any]:
    return [ClassesAtPlaces(logits, numbers[0], dtype=dtype)]


def _sampled(logits: TensorSpec, *, num_samples: int, seed: int, every: str, dtype: str) -> TensorSpec:
    check_request(seed)
    if logits.ndim != 2 or logits.shape[1] == 0:
        raise ShapeError(f"logits {list(logits.shape)} must have two axes, batch and classes, and at least one class")
    if num_samples < 0:
        raise ParameterError(f"num_samples must be at least 0, not {num_samples}")
    return TensorSpec((logits.shape[0], num_samples), DTYPES[dtype])


@block(
    "Random",
    differentiable="never",
    infer=_sampled,
    formula=r"P(y_i = k) = e^{x_k} / \textstyle\sum_j e^{x_j}",
    gradient_formula=NO_GRADIENT,
    source="tf.random.categorical",
    spelling=Spelling(
        tensorflow=_other_numbers("tf.random.stateless_categorical({logits}, {num_samples}, [{seed}, 0], {dtype})"),
        torch=_other_numbers("torch.multinomial(torch.softmax({logits}, -1), {num_samples}, replacement=True)"),
    ),
    draw=drawn_by_step(_places, _at_drawn_places, _place_spec, kind="uniform"),
)
def RandomCategorical(
    logits: Array, *, num_samples: int, seed: int = 0, every: Every = "run", dtype: IntName = "int64"
) -> Array:
    """Random classes for each row of logits, drawn with the probabilities of their softmax.

    A class whose logit is infinite or NaN is never drawn; a row of nothing else is an error. With `every` step,
    training draws anew in each step.
    """
    places = generator_of(seed, every).random((len(logits), num_samples))
    return np.asarray(ClassesAtPlaces.function(logits, places, dtype=dtype))
