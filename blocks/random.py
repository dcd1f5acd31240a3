"""Random noise. Each block is a function of its seed: the same seed gives the same numbers in every run.

Where numbers are noise that is scaled and moved, gradients reach the scale and the place; the noise itself has none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from blocks.comparison import ZerosLike
from engine.block_type import Declaration, block
from engine.errors import ParameterError, ShapeError
from engine.parameters import IntList
from engine.spelling import Spelling
from engine.tensor_spec import DTYPES, Array, TensorSpec, broadcast_shapes

FloatName = Literal["float64", "float32", "float16"]


def check_request(seed: int, shape: tuple[int, ...] = ()) -> None:
    """Raises: ParameterError for a negative seed or size."""
    if seed < 0:
        raise ParameterError(f"seed must be at least 0, not {seed}")
    if any(size < 0 for size in shape):
        raise ParameterError(f"shape must have sizes of at least 0, not {list(shape)}")


def _drawn(
    first: TensorSpec | None, second: TensorSpec | None, *, shape: tuple[int, ...], seed: int, dtype: str
) -> TensorSpec:
    check_request(seed, shape)
    given = [item for item in (first, second) if item is not None]
    if broadcast_shapes((shape, *(item.shape for item in given))) != shape:
        found = " and ".join(str(list(item.shape)) for item in given)
        raise ShapeError(f"inputs of shape {found} cannot be repeated to the shape {list(shape)}")
    return TensorSpec(shape, given[0].dtype if given else DTYPES[dtype])


def _dtype_of(first: Array | None, second: Array | None, dtype: str) -> np.dtype[Any]:
    given = [item.dtype for item in (first, second) if item is not None]
    return given[0] if given else DTYPES[dtype]


def _scaled(noise: str, ports: tuple[str, str], dtypes: str = "{!r}") -> Callable[..., str]:
    """How noise is written that is multiplied by what is connected to the second port and moved by the first."""

    def write(*, shape: tuple[int, ...], seed: int, dtype: str, **sources: str | None) -> str:
        place, scale = (sources[port] for port in ports)
        given = place or scale
        kind = f"{given}.dtype" if given else dtypes.format(dtype)
        text = noise.format(shape=shape, seed=seed, dtype=kind).removesuffix(".astype('float64')")
        text = f"{scale} * {text}" if scale else text
        return f"{place} + {text}" if place else text

    write.__doc__ = f"{{{ports[0]}}} + {{{ports[1]}}} * {noise}"
    return write


def normal(formula: str, source: str, numpy: str, tensorflow: str, torch: str, jax: str) -> Declaration:
    """The declaration of both kinds of normal noise."""
    ports = ("mean", "stddev")
    return block(
        "Random",
        infer=_drawn,
        formula=formula,
        gradient_formula=r"\bar\mu = \bar y,\quad \bar\sigma = \epsilon\,\bar y",
        source=source,
        spelling=Spelling(
            _scaled(numpy, ports),
            _scaled(tensorflow, ports),
            _scaled(torch, ports, "torch.{}"),
            _scaled(jax, ports),
        ),
    )


def _moved(noise: Array, mean: Array | None, stddev: Array | None, dtype: str) -> Array:
    y = np.asarray(noise, _dtype_of(mean, stddev, dtype))
    y = y if stddev is None else y * stddev
    return y if mean is None else y + mean


def _reparameterized(g: Any, mean: Any, stddev: Any, noise: Any) -> Any:
    return None if mean is None else g, None if stddev is None else g * noise


@normal(
    r"y = \mu + \sigma\,\epsilon,\quad \epsilon \sim N(0, 1)",
    "tf.random.normal; gradients as in Kingma and Welling, 2014",
    "np.random.default_rng({seed}).standard_normal({shape}).astype({dtype})",
    "tf.random.stateless_normal({shape}, [{seed}, 0], dtype={dtype})",
    "torch.randn({shape}, dtype={dtype}, generator=torch.Generator().manual_seed({seed}))",
    "jax.random.normal(jax.random.key({seed}), {shape}, {dtype})",
)
def RandomNormal(
    mean: Array | None = None,
    stddev: Array | None = None,
    *,
    shape: IntList,
    seed: int = 0,
    dtype: FloatName = "float64",
) -> Array:
    """Normal random numbers of a mean (0) and a standard deviation (1) that may be connected and are repeated to shape.

    The same seed gives the same noise. Gradients flow to the mean and, times the noise, to the standard deviation.
    The dtype is that of what is connected; `dtype` counts if nothing is.
    """
    return _moved(np.random.default_rng(seed).standard_normal(shape), mean, stddev, dtype)


@RandomNormal.gradient
def random_normal_gradient(g: Any, mean: Any, stddev: Any, y: Any, **how: Any) -> Any:
    return _reparameterized(g, mean, stddev, RandomNormal(ZerosLike(g), **how))


def _truncated_noise(shape: tuple[int, ...], seed: int) -> Array:
    from scipy.special import ndtr, ndtri

    below = ndtr(-2)
    noise: Array = ndtri(below + (1 - 2 * below) * np.random.default_rng(seed).random(shape))
    return np.clip(noise, -2, 2)


@normal(
    r"y = \mu + \sigma\,\epsilon,\quad \epsilon \sim N(0, 1) \text{ given } |\epsilon| \le 2",
    "tf.random.truncated_normal",
    "scipy.special.ndtri(scipy.special.ndtr(-2) + (1 - 2 * scipy.special.ndtr(-2))"
    " * np.random.default_rng({seed}).random({shape})).astype({dtype})",
    "tf.random.stateless_truncated_normal({shape}, [{seed}, 0], dtype={dtype})",
    "torch.nn.init.trunc_normal_(torch.empty({shape}, dtype={dtype}), generator=torch.Generator().manual_seed({seed}))",
    "jax.random.truncated_normal(jax.random.key({seed}), -2, 2, {shape}, {dtype})",
)
def TruncatedNormal(
    mean: Array | None = None,
    stddev: Array | None = None,
    *,
    shape: IntList,
    seed: int = 0,
    dtype: FloatName = "float64",
) -> Array:
    """Normal random numbers none of which is further from the mean than two standard deviations.

    Their own standard deviation is therefore 0.88 of `stddev`. Mean (0) and stddev (1) may be connected and get
    gradients as in RandomNormal.
    """
    return _moved(_truncated_noise(shape, seed), mean, stddev, dtype)


@TruncatedNormal.gradient
def truncated_normal_gradient(g: Any, mean: Any, stddev: Any, y: Any, **how: Any) -> Any:
    return _reparameterized(g, mean, stddev, TruncatedNormal(ZerosLike(g), **how))


def _between(noise: str, dtypes: str = "{!r}") -> Callable[..., str]:
    """How noise from 0 to 1 is written that is stretched to the range between two ports."""
    write = _scaled(noise, ("minval", "scale"), dtypes)

    def write_between(*, minval: str | None, maxval: str | None, **how: Any) -> str:
        if minval is None:
            return write(minval=None, scale=maxval, **how)
        return write(minval=minval, scale=f"({maxval or 1} - {minval})", **how)

    write_between.__doc__ = f"{{minval}} + ({{maxval}} - {{minval}}) * {noise}"
    return write_between


@block(
    "Random",
    infer=_drawn,
    formula=r"y = a + (b - a)\,u,\quad u \sim U[0, 1)",
    gradient_formula=r"\bar a = (1 - u)\,\bar y,\quad \bar b = u\,\bar y",
    source="tf.random.uniform",
    spelling=Spelling(
        _between("np.random.default_rng({seed}).random({shape}).astype({dtype})"),
        _between("tf.random.stateless_uniform({shape}, [{seed}, 0], dtype={dtype})"),
        _between("torch.rand({shape}, dtype={dtype}, generator=torch.Generator().manual_seed({seed}))", "torch.{}"),
        _between("jax.random.uniform(jax.random.key({seed}), {shape}, {dtype})"),
    ),
)
def RandomUniform(
    minval: Array | None = None,
    maxval: Array | None = None,
    *,
    shape: IntList,
    seed: int = 0,
    dtype: FloatName = "float64",
) -> Array:
    """Random numbers from `minval` (0) up to and without `maxval` (1), all equally likely.

    The bounds may be connected; each gets the gradient in the share in which it makes up a number. The dtype is that
    of what is connected; `dtype` counts if nothing is.
    """
    kind = _dtype_of(minval, maxval, dtype)
    low, high = (np.asarray(0 if minval is None else minval), np.asarray(1 if maxval is None else maxval))
    share = np.random.default_rng(seed).random(shape)
    y = np.asarray(low + (high.astype(np.float64) - low) * share, kind)
    # Rounding may reach the upper bound, which is not part of the range.
    return np.where(y == high, np.nextafter(high.astype(kind), low.astype(kind)), y)


@RandomUniform.gradient
def random_uniform_gradient(g: Any, minval: Any, maxval: Any, y: Any, **how: Any) -> Any:
    share = RandomUniform(ZerosLike(g), **how)
    return None if minval is None else g * (1 - share), None if maxval is None else g * share
