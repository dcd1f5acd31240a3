"""Random noise. Each block is a function of its seed: the same seed gives the same numbers in every run.

In training a block may draw anew in each step, as a function of the seed and the place in the training.

Where numbers are noise that is scaled and moved, gradients reach the scale and the place; the noise itself has none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from gradwire.blocks.comparison import ZerosLike
from gradwire.blocks.support.noise import Every, Noise, drawn_by_step, generator_of
from gradwire.engine.base.errors import ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec, broadcast_shapes
from gradwire.engine.blocktypes.block_type import Declaration, block
from gradwire.engine.blocktypes.draw import Parameters
from gradwire.engine.blocktypes.parameters import IntList
from gradwire.engine.blocktypes.spelling import Spelling, documented
from gradwire.engine.export.program_text import array_text

FloatName = Literal["float64", "float32", "float16"]


def check_request(seed: int, shape: tuple[int, ...] = ()) -> None:
    """Raises: ParameterError for a negative seed or size."""
    if seed < 0:
        raise ParameterError(f"seed must be at least 0, not {seed}")
    if any(size < 0 for size in shape):
        raise ParameterError(f"shape must have sizes of at least 0, not {list(shape)}")


def _drawn(
    first: TensorSpec | None, second: TensorSpec | None, *, shape: tuple[int, ...], seed: int, every: str, dtype: str
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


WRAPS = {"numpy": "{}", "tensorflow": "tf.constant({})", "torch": "torch.tensor({})", "jax": "jnp.array({})"}


def embedded(framework: str, numbers: Array) -> str:
    """Numbers drawn here as a tensor of another framework, whose own generator would give others."""
    return WRAPS[framework].format(array_text(numbers))


def _scaled(ports: tuple[str, str], draw: Noise, lines: Mapping[str, str]) -> Spelling:
    """Returns the spelling of noise that the second port scales and the first port moves.

    `lines` draws the noise in each framework, for the help; a program for another framework than NumPy holds numbers.
    """
    return Spelling(**{name: _scaled_in(name, ports, draw, line) for name, line in lines.items()})


def _scaled_in(framework: str, ports: tuple[str, str], draw: Noise, line: str) -> Callable[..., str]:
    @documented(f"{{{ports[0]}}} + {{{ports[1]}}} * {line}")
    def write(
        *,
        shape: tuple[int, ...],
        seed: int,
        dtype: str,
        every: str,
        specs: Sequence[TensorSpec | None],
        **sources: str | None,
    ) -> str:
        kind = next((spec.dtype.name for spec in specs if spec is not None), dtype)
        if framework == "numpy" and every == "run":
            text = line.format(shape=shape, seed=seed, dtype=repr(kind)).removesuffix(".astype('float64')")
        else:
            text = embedded(framework, draw(shape, generator_of(seed, every), {}).astype(kind))
        place, scale = (sources[port] for port in ports)
        text = f"{scale} * {text}" if scale else text
        return f"{place} + {text}" if place else text

    return write


def normal(formula: str, source: str, draw: Noise, kind: str = "", **lines: str) -> Declaration:
    """Returns the declaration of both kinds of normal noise."""
    return block(
        "Random",
        infer=_drawn,
        formula=formula,
        gradient_formula=r"\bar\mu = \bar y,\quad \bar\sigma = \epsilon\,\bar y",
        source=source,
        spelling=_scaled(("mean", "stddev"), draw, lines),
        draw=drawn_by_step(draw, _moved_numbers, kind=kind),
    )


def _moved(noise: Array, mean: Array | None, stddev: Array | None, dtype: str) -> Array:
    y = np.asarray(noise, _dtype_of(mean, stddev, dtype))
    y = y if stddev is None else y * stddev
    return y if mean is None else y + mean


def _moved_numbers(numbers: Sequence[Any], mean: Any, stddev: Any, **_: object) -> Sequence[Any]:
    y = numbers[0] if stddev is None else numbers[0] * stddev
    return [y if mean is None else y + mean]


def _reparameterized(g: Any, mean: Any, stddev: Any, noise: Any) -> Any:
    return None if mean is None else g, None if stddev is None else g * noise


def _normal_noise(shape: tuple[int, ...], rng: np.random.Generator, _: Parameters) -> Array:
    return rng.standard_normal(shape)


@normal(
    r"y = \mu + \sigma\,\epsilon,\quad \epsilon \sim N(0, 1)",
    "tf.random.normal; gradients as in Kingma and Welling, 2014",
    _normal_noise,
    "normal",
    numpy="np.random.default_rng({seed}).standard_normal({shape}).astype({dtype})",
    tensorflow="tf.random.stateless_normal({shape}, [{seed}, 0], dtype={dtype})",
    torch="torch.randn({shape}, dtype={dtype}, generator=torch.Generator().manual_seed({seed}))",
    jax="jax.random.normal(jax.random.key({seed}), {shape}, {dtype})",
)
def RandomNormal(
    mean: Array | None = None,
    stddev: Array | None = None,
    *,
    shape: IntList,
    seed: int = 0,
    every: Every = "run",
    dtype: FloatName = "float64",
) -> Array:
    """Normal random numbers; mean (0) and standard deviation (1) may be connected and are repeated to shape.

    The same seed gives the same noise. Gradients flow to the mean and, times the noise, to the standard deviation.
    The dtype is that of what is connected; `dtype` counts if nothing is. With `every` step, training draws anew in each
    step, by seeds, path, step, repetition and round.
    """
    return _moved(_normal_noise(shape, generator_of(seed, every), {}), mean, stddev, dtype)


@RandomNormal.gradient
def random_normal_gradient(g: Any, mean: Any, stddev: Any, y: Any, **how: Any) -> Any:
    return _reparameterized(g, mean, stddev, RandomNormal(ZerosLike(g), **how))


def _truncated_noise(shape: tuple[int, ...], rng: np.random.Generator, _: Parameters) -> Array:
    from scipy.special import ndtr, ndtri

    below = ndtr(-2)
    noise: Array = ndtri(below + (1 - 2 * below) * rng.random(shape))
    return np.clip(noise, -2, 2)


@normal(
    r"y = \mu + \sigma\,\epsilon,\quad \epsilon \sim N(0, 1) \text{ given } |\epsilon| \le 2",
    "tf.random.truncated_normal",
    _truncated_noise,
    numpy="scipy.special.ndtri(scipy.special.ndtr(-2) + (1 - 2 * scipy.special.ndtr(-2))"
    " * np.random.default_rng({seed}).random({shape})).astype({dtype})",
    tensorflow="tf.random.stateless_truncated_normal({shape}, [{seed}, 0], dtype={dtype})",
    torch="torch.nn.init.trunc_normal_(torch.empty({shape}, dtype={dtype}), a=-2, b=2)",
    jax="jax.random.truncated_normal(jax.random.key({seed}), -2, 2, {shape}, {dtype})",
)
def TruncatedNormal(
    mean: Array | None = None,
    stddev: Array | None = None,
    *,
    shape: IntList,
    seed: int = 0,
    every: Every = "run",
    dtype: FloatName = "float64",
) -> Array:
    """Normal random numbers none of which is further from the mean than two standard deviations.

    Their own standard deviation is therefore 0.88 of `stddev`. Mean (0) and stddev (1) may be connected and receive
    gradients as in RandomNormal; `every` is as there.
    """
    return _moved(_truncated_noise(shape, generator_of(seed, every), {}), mean, stddev, dtype)


@TruncatedNormal.gradient
def truncated_normal_gradient(g: Any, mean: Any, stddev: Any, y: Any, **how: Any) -> Any:
    return _reparameterized(g, mean, stddev, TruncatedNormal(ZerosLike(g), **how))


def _uniform_noise(shape: tuple[int, ...], rng: np.random.Generator, _: Parameters) -> Array:
    return rng.random(shape)


def _share_below_1(shape: tuple[int, ...], rng: np.random.Generator, given: Parameters) -> Array:
    # Rounding may reach 1, which is not part of the range.
    return np.minimum(_uniform_noise(shape, rng, given), float(np.nextafter(DTYPES[given["dtype"]].type(1), 0)))


def _between_bounds(numbers: Sequence[Any], minval: Any, maxval: Any, **_: object) -> Sequence[Any]:
    if minval is None:
        return [numbers[0] if maxval is None else numbers[0] * maxval]
    return [minval + (1 - minval if maxval is None else maxval - minval) * numbers[0]]


def _between(lines: Mapping[str, str]) -> Spelling:
    """Returns the spelling of noise from 0 to 1, stretched to the range between two ports."""
    return Spelling(**{name: _between_in(name, line) for name, line in lines.items()})


def _between_in(framework: str, line: str) -> Callable[..., str]:
    write = _scaled_in(framework, ("minval", "scale"), _uniform_noise, line)

    @documented(f"{{minval}} + ({{maxval}} - {{minval}}) * {line}")
    def write_between(*, minval: str | None, maxval: str | None, specs: Sequence[TensorSpec | None], **how: Any) -> str:
        if minval is None:
            return write(minval=None, scale=maxval, specs=specs, **how)
        return write(minval=minval, scale=f"({maxval or 1} - {minval})", specs=specs, **how)

    return write_between


@block(
    "Random",
    infer=_drawn,
    formula=r"y = a + (b - a)\,u,\quad u \sim U[0, 1)",
    gradient_formula=r"\bar a = (1 - u)\,\bar y,\quad \bar b = u\,\bar y",
    source="tf.random.uniform",
    spelling=_between(
        {
            "numpy": "np.random.default_rng({seed}).random({shape}).astype({dtype})",
            "tensorflow": "tf.random.stateless_uniform({shape}, [{seed}, 0], dtype={dtype})",
            "torch": "torch.rand({shape}, dtype={dtype}, generator=torch.Generator().manual_seed({seed}))",
            "jax": "jax.random.uniform(jax.random.key({seed}), {shape}, {dtype})",
        }
    ),
    draw=drawn_by_step(_share_below_1, _between_bounds, kind="uniform"),
)
def RandomUniform(
    minval: Array | None = None,
    maxval: Array | None = None,
    *,
    shape: IntList,
    seed: int = 0,
    every: Every = "run",
    dtype: FloatName = "float64",
) -> Array:
    """Random numbers from `minval` (0) up to and without `maxval` (1), all equally likely.

    The bounds may be connected; each receives the gradient in the share in which it makes up a number. The dtype is
    that of what is connected; `dtype` counts if nothing is. `every` is as in RandomNormal.
    """
    kind = _dtype_of(minval, maxval, dtype)
    low, high = (np.asarray(0 if minval is None else minval), np.asarray(1 if maxval is None else maxval))
    share = _uniform_noise(shape, generator_of(seed, every), {})
    y = np.asarray(low + (high.astype(np.float64) - low) * share, kind)
    # Rounding may reach the upper bound, which is not part of the range.
    return np.where(y == high, np.nextafter(high.astype(kind), low.astype(kind)), y)


@RandomUniform.gradient
def random_uniform_gradient(g: Any, minval: Any, maxval: Any, y: Any, **how: Any) -> Any:
    share = RandomUniform(ZerosLike(g), **how)
    return None if minval is None else g * (1 - share), None if maxval is None else g * share
