"""Running totals along an axis: each result combines the elements up to its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from gradwire.blocks.comparison import Equal, Where
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec, normalize_axis
from gradwire.engine.blocktypes.block_type import FLOAT, NUMBER, Declaration, Dtypes, Observation, block
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.parameters import Axis
from gradwire.engine.blocktypes.spelling import Spelling, call, documented


def along_axis(*inputs: TensorSpec, axis: int, **_: object) -> TensorSpec:
    """Infers the spec of blocks that change neither shape nor dtype; all inputs have the same.

    Raises: ShapeError if they have not, or if the axis is not there.
    """
    normalize_axis(axis, inputs[0].ndim)
    if len(set(inputs)) > 1:
        raise ShapeError(f"inputs of shapes {' and '.join(str(list(item.shape)) for item in inputs)} do not fit")
    return inputs[0]


def _accumulated(combine: np.ufunc, x: Array, empty: float, axis: int, exclusive: bool, reverse: bool) -> Array:
    """Returns the running totals of `combine`; `empty` is the total of nothing, with which exclusive ones start."""
    rows = np.moveaxis(x, axis, 0)
    rows = rows[::-1] if reverse else rows
    if exclusive:
        rows = np.concatenate([np.full_like(rows[:1], empty), rows[:-1]])
    totals = combine.accumulate(rows, axis=0, dtype=x.dtype)
    return np.moveaxis(totals[::-1] if reverse else totals, 0, axis)


def _in_tensorflow(function: str) -> Callable[..., str]:
    @documented(f"{function}({{x}}, axis={{axis}}, exclusive={{exclusive}}, reverse={{reverse}})")
    def write(x: str, axis: int, exclusive: bool, reverse: bool) -> str:
        return call(function, x, axis=axis, exclusive=exclusive, reverse=reverse)

    return write


class _Wording(NamedTuple):
    """The words of a library for running totals; `{0}` is a tensor, `{1}` the axis, `{2}` how many elements stay.

    `function` only runs forwards. `start` gives the first elements, `rest` all but the last. `dtype` says that integers
    keep theirs, and `stop` cuts gradients.
    """

    function: str
    axis: str = "axis"
    flip: str = "np.flip({0}, {1})"
    join: str = "np.concatenate"
    start: str = ""
    rest: str = ""
    dtype: str = ", dtype='{0}'"
    stop: str = ""


_TORCH = _Wording(
    "torch.",
    "dim",
    "torch.flip({0}, ({1},))",
    "torch.cat",
    "{0}.narrow({1}, 0, 1)",
    "{0}.narrow({1}, 0, {2})",
    ", dtype=torch.{0}",
    "torch.where({0} == 0, {0}.detach(), {0})",
)
_JAX = _Wording(
    "jax.lax.",
    "axis",
    "jnp.flip({0}, {1})",
    "jnp.concatenate",
    "jax.lax.slice_in_dim({0}, 0, 1, axis={1})",
    "jax.lax.slice_in_dim({0}, 0, {2}, axis={1})",
    "",
    "jnp.where({0} == 0, jax.lax.stop_gradient({0}), {0})",
)


def _turned(wording: _Wording, name: str) -> Callable[..., str]:
    """Spells running totals that only run forwards, between two flips if need be.

    Exclusive sums and products shift their elements by one. As TensorFlow divides by the elements of a product, nothing
    flows to a zero there.
    """
    function = f"{wording.function}{name}"

    @documented(f"{function}({{x}}, {wording.axis}={{axis}})")
    def write(x: str, axis: int, exclusive: bool, reverse: bool, specs: Sequence[TensorSpec]) -> str:
        spec, first = specs[0], {"cumsum": "zeros_like", "cumprod": "ones_like"}.get(name)
        place = axis % max(spec.ndim, 1)
        if exclusive and (not (first and wording.start) or not spec.shape[place]):
            return ""
        rows = wording.stop.format(x) if wording.stop and name == "cumprod" and spec.is_differentiable else x
        rows = wording.flip.format(rows, place) if reverse else rows
        if exclusive:
            start, rest = (text.format(rows, place, spec.shape[place] - 1) for text in (wording.start, wording.rest))
            module = wording.join.partition(".")[0]
            rows = f"{wording.join}([{module}.{first}({start}), {rest}], {place})"
        more = "" if spec.is_differentiable else wording.dtype.format(spec.dtype.name)
        totals = f"{function}({rows}, {wording.axis}={place}{more})"
        return wording.flip.format(totals, place) if reverse else totals

    return write


def scan(
    formula: str,
    gradient_formula: str,
    name: str,
    *,
    numpy: str,
    torch: str,
    accepts: Dtypes = NUMBER,
    note: str = "",
    **more: Any,
) -> Declaration:
    """Returns the declaration that running totals share; `name` is TensorFlow's, and `more` as `block` takes it.

    `note` says what is another gradient in PyTorch and JAX.
    """
    jax = name.replace("cumulative_", "cum")
    return block(
        "Scan and sort",
        infer=along_axis,
        accepts=accepts,
        formula=formula,
        gradient_formula=gradient_formula,
        source=f"tf.math.{name}",
        spelling=Spelling(
            _turned(_Wording("np."), numpy),
            _in_tensorflow(f"tf.math.{name}"),
            _turned(_TORCH, torch),
            _turned(_JAX, jax),
        ).noted(note, *(("torch", "jax") if note else ())),
        **more,
    )


@scan(
    r"y_j = \textstyle\sum_{i \le j} x_i",
    r"\bar x_i = \textstyle\sum_{j \ge i} \bar y_j",
    "cumsum",
    numpy="cumsum",
    torch="cumsum",
    sums_products=True,
)
def Cumsum(x: Array, *, axis: Axis = 0, exclusive: bool = False, reverse: bool = False) -> Array:
    """The running sum along `axis`.

    With `exclusive` each sum leaves out its own element and starts with 0; with `reverse` it runs from the end.
    Infinity and NaN stay in all sums that follow.
    """
    return _accumulated(np.add, x, 0, axis, exclusive, reverse)


@Cumsum.gradient
def cumsum_gradient(g: Any, x: Any, y: Any, *, axis: int, exclusive: bool, reverse: bool) -> Any:
    return Cumsum(g, axis=axis, exclusive=exclusive, reverse=not reverse)


@scan(
    r"y_j = \textstyle\prod_{i \le j} x_i",
    r"\bar x_i = \textstyle\sum_{j \ge i} \bar y_j y_j / x_i",
    "cumprod",
    numpy="cumprod",
    torch="cumprod",
    note="an element of 0 receives the derivative, in Gradwire 0",
    zero_cause=Cause.ZERO_FACTOR,
)
def Cumprod(x: Array, *, axis: Axis = 0, exclusive: bool = False, reverse: bool = False) -> Array:
    """The running product along `axis`.

    With `exclusive` each product leaves out its own element and starts with 1; with `reverse` it runs from the end.
    The gradient divides by x, as in TensorFlow: at a zero it is 0, though a change there changes all that follows,
    and NaN or infinity in a later product makes it NaN.
    """
    return _accumulated(np.multiply, x, 1, axis, exclusive, reverse)


@Cumprod.gradient
def cumprod_gradient(g: Any, x: Any, y: Any, *, axis: int, exclusive: bool, reverse: bool) -> Any:
    sums = Cumsum(g * y, axis=axis, exclusive=exclusive, reverse=not reverse)
    is_zero = Equal(x, 0)
    return Where(is_zero, 0, sums / Where(is_zero, 1, x))


def _divides(*_: Array, **__: object) -> Observation:
    return Observation("not_the_derivative", "divides by its elements, so a 0 receives 0")


@Cumprod.deviates(_divides, "PyTorch and JAX give the derivative.")
def cumprod_derivative(g: Array, x: Array, y: Array, *, axis: int, **how: bool) -> Array:
    """Returns the derivatives at zeros too: each product grows by as much as its zero does.

    Cost: one running product for each place along the axis that has a zero.
    """
    found = np.array(cumprod_gradient(g, x, y, axis=axis, **how))
    for place in np.unique(np.nonzero(np.moveaxis(x == 0, axis, 0))[0]):
        one, none = np.moveaxis(x, axis, 0).copy(), np.moveaxis(x, axis, 0).copy()
        one[place], none[place] = 1, 0
        grown = [Cumprod.function(np.moveaxis(item, 0, axis), axis=axis, **how) for item in (one, none)]
        slope, is_zero = (g * (grown[0] - grown[1])).sum(axis=axis), np.take(x, place, axis) == 0
        line = np.moveaxis(found, axis, 0)
        line[place] = np.where(is_zero, slope, line[place])
    return found


@scan(
    r"y_j = \ln \textstyle\sum_{i \le j} e^{x_i}",
    r"\bar x_i = \textstyle\sum_{j \ge i} \bar y_j\, e^{x_i - y_j}",
    "cumulative_logsumexp",
    numpy="logaddexp.accumulate",
    torch="logcumsumexp",
    accepts=FLOAT,
    max_slope=1.0,
)
def CumulativeLogsumexp(x: Array, *, axis: Axis = 0, exclusive: bool = False, reverse: bool = False) -> Array:
    """The logarithm of the running sum of exponentials along `axis`, without overflow.

    With `exclusive` each sum leaves out its own element and starts with the logarithm of 0, minus infinity; with
    `reverse` it runs from the end. NaN stays in all sums that follow (TensorFlow forgets some) and passes no gradient;
    infinity twice is infinity (in TensorFlow NaN). An element that is infinite, or minus infinity with nothing finite
    before it, has gradient NaN, as in TensorFlow, but 0 where no sum counts it. In float16 the last digit may differ
    from TensorFlow's, which rounds at other places.
    """
    return _accumulated(np.logaddexp, x, -np.inf, axis, exclusive, reverse)


@CumulativeLogsumexp.gradient
def cumulative_logsumexp_gradient(g: Any, x: Any, y: Any, *, axis: int, exclusive: bool, reverse: bool) -> Any:
    return CumsumOfExponentials(g, x, y, axis=axis, exclusive=exclusive, reverse=not reverse)


def _logarithms(v: Array, y: Array) -> Array:
    """Returns the logarithms of the positive terms v / exp(y); the others are nearly nothing, NaN is nothing."""
    logarithms = np.where(v > 0, np.log(np.abs(v)), np.finfo(v.dtype).min) - y
    return np.where(np.isnan(logarithms), -np.inf, logarithms)


@block(
    "Gradient parts",
    infer=along_axis,
    formula=r"z_j = \textstyle\sum_{i \le j} v_i\, e^{x_j - y_i}",
    gradient_formula=r"\bar v_i = \textstyle\sum_{j \ge i} \bar z_j\, e^{x_j - y_i},\quad \bar x = z \bar z,"
    r"\quad \bar y = -v \bar v",
    outputs=("z",),
)
def CumsumOfExponentials(
    v: Array, x: Array, y: Array, *, axis: Axis = 0, exclusive: bool = False, reverse: bool = False
) -> Array:
    """The derivative of CumulativeLogsumexp: a running sum of terms with large exponents, added up as logarithms.

    Positive and negative terms are added up apart. A term that is NaN is left out, as in TensorFlow.
    """
    # float16 has too few digits for exponents.
    wide = np.promote_types(v.dtype, np.float32)
    z = np.zeros_like(v, wide, order="C")
    for sign in (1, -1):
        logarithms = _logarithms((sign * v).astype(wide), y.astype(wide))
        sums = _accumulated(np.logaddexp, logarithms, -np.inf, axis, exclusive, reverse)
        z += sign * np.exp(sums + x.astype(wide))
    if exclusive:
        # No terms at all are 0 even beside an infinite factor: so begins the derivative of this derivative.
        np.moveaxis(z, axis, 0)[-1 if reverse else 0 : None if reverse else 1] = 0
    return z.astype(v.dtype)


@CumsumOfExponentials.gradient
def cumsum_of_exponentials_gradient(
    g: Any, v: Any, x: Any, y: Any, z: Any, *, axis: int, exclusive: bool, reverse: bool
) -> Any:
    back = CumsumOfExponentials(g, -y, -x, axis=axis, exclusive=exclusive, reverse=not reverse)
    return back, g * z, -(v * back)
