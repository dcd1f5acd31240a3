"""Valid calls of every block type, drawn from a seed: inputs and parameters.

Hypothesis may choose the seed, but not each number: its bookkeeping of every choice took ten times as long as blocks.

A type without a sampler of its own gets what its ports and kinds of parameters suggest: `derived`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import DTYPES, Array, Shape, spec_of
from gradwire.engine.blocktypes.block_type import BlockType, Dtypes
from gradwire.engine.blocktypes.parameters import Parameter

GRID = 4096


@dataclass(frozen=True)
class Sample:
    """One valid call of a block type; `seed` is for whatever random numbers a test needs besides."""

    inputs: tuple[Array | None, ...]
    parameters: dict[str, Any]
    seed: int


class Range(NamedTuple):
    """Magnitudes of floating-point inputs, and whether both signs occur."""

    low: float = 0.3
    high: float = 2.5
    signed: bool = True


@dataclass
class Maker:
    """Draws shapes, axes and values for one sample; no floating-point magnitude comes twice, so nothing ties.

    The default magnitudes stay away from 0, from whole numbers and from halves by at least ten steps of a central
    difference: there the blocks have their kinks, poles and jumps.
    """

    random: Random
    dtype: np.dtype[Any]
    smallest: int = 1
    rng: np.random.Generator = field(init=False)
    seed: int = field(init=False)

    def __post_init__(self) -> None:
        self.seed = self.random.randint(0, 2**16)
        self.cells, state = shuffled(self.seed)
        self.used = 0
        bits = np.random.PCG64(0)
        bits.state = state
        self.rng = np.random.Generator(bits)

    def choose(self, *choices: Any) -> Any:
        """Returns one of the choices."""
        return self.random.choice(choices)

    def size(self, low: int | None = None, high: int = 3) -> int:
        """Returns a size between `low` (default: the smallest allowed) and `high`."""
        return self.random.randint(self.smallest if low is None else low, high)

    def shape(self, min_rank: int = 0, max_rank: int = 4) -> Shape:
        """Returns a shape of sizes from the smallest allowed to 3."""
        return tuple(self.size() for _ in range(self.random.randint(min_rank, max_rank)))

    def part_of(self, shape: Shape) -> Shape:
        """Returns a shape that broadcasts to `shape`: leading axes cut off, some sizes replaced by 1."""
        rest = shape[self.random.randint(0, len(shape)) :]
        return tuple(self.choose(size, 1) for size in rest)

    def axis(self, rank: int) -> int:
        """Returns an axis of a tensor of this rank, counted from either end."""
        return self.random.randint(-rank, rank - 1)

    def axes(self, rank: int) -> int | tuple[int, ...] | None:
        """Returns everything, one axis or several."""
        several = [axis - rank * (axis % 2) for axis in range(rank)]
        options = [None, tuple(self.random.sample(several, self.random.randint(0, rank)))]
        options += [self.axis(rank)] if rank else []
        return self.choose(*options)

    def floats(self, shape: Shape, *limits: Any, dtype: np.dtype[Any] | None = None) -> Array:
        """Returns floating-point numbers in the given `Range`, no magnitude twice."""
        low, high, signed = Range(*limits)
        count = math.prod(shape)
        self.used += count
        assert self.used <= GRID, "there are not so many different magnitudes"
        magnitudes = low + (high - low) * (self.cells[self.used - count : self.used] + 0.5) / GRID
        signs = self.rng.choice([-1.0, 1.0], count) if signed else 1.0
        return np.array(magnitudes * signs).reshape(shape).astype(dtype or self.dtype)

    def integers(self, shape: Shape, low: int, high: int, dtype: str | np.dtype[Any] = "int32") -> Array:
        """Returns whole numbers from `low` up to and without `high`."""
        return self.rng.integers(low, high, shape).astype(dtype)

    def values(self, shape: Shape, *limits: Any, dtype: np.dtype[Any] | None = None) -> Array:
        """Numbers of the sample's dtype: in the `Range` if floating point, else small, nonzero if it excludes zero."""
        dtype = dtype or self.dtype
        if dtype.kind == "f":
            return self.floats(shape, *limits, dtype=dtype)
        if dtype.kind == "b":
            return self.rng.integers(0, 2, shape).astype(bool)
        return self.integers(shape, 1 if limits or dtype.kind == "u" else -4, 5, dtype)

    def indices(self, shape: Shape, count: int) -> Array:
        """Returns whole numbers that can index `count` things, as int32 or int64."""
        return self.integers(shape, 0, count, self.choose("int32", "int64"))

    def sample(self, *inputs: Array | None, **parameters: Any) -> Sample:
        """Returns the finished sample."""
        return Sample(inputs, parameters, self.seed)


@cache
def shuffled(seed: int) -> tuple[Array, Any]:
    """Returns the cells of the grid in random order, and the generator's state after that: shuffling takes long."""
    rng = np.random.default_rng(seed)
    return rng.permutation(GRID), rng.bit_generator.state


Sampler = Callable[[Maker], Sample]
SAMPLERS: dict[str, Sampler] = {}
RANGES: dict[str, dict[str, Range]] = {}


def sampler(*names: str) -> Callable[[Sampler], Sampler]:
    """Registers a sampler for the block types of these names."""

    def register(function: Sampler) -> Sampler:
        SAMPLERS.update(dict.fromkeys(names, function))
        return function

    return register


def dtypes_of(block_type: BlockType) -> list[np.dtype[Any]]:
    """Returns the dtypes that the shared ports of a type take; without shared ports those of its first port."""
    ports = [port.accepts for port in block_type.inputs if port.accepts.shared]
    ports = ports or [port.accepts for port in block_type.inputs[:1]]
    return [dtype for dtype in DTYPES.values() if all(port.accepts(dtype) for port in ports)]


def samples(block_type: BlockType, dtype: str | None = None, smallest: int = 1) -> Callable[[Random], Sample]:
    """Returns valid calls of a block type, in the given dtype or in all that it takes; `smallest` is 0 or 1."""
    accepted = dtypes_of(block_type)
    choices = [item for item in accepted if item.name == dtype] if dtype else accepted
    make = SAMPLERS.get(block_type.name)

    def drawn(random: Random) -> Sample:
        maker = Maker(random, random.choice(choices), smallest)
        return make(maker) if make else checked(derived(maker, block_type), block_type)

    return drawn


def derived(maker: Maker, block_type: BlockType) -> Sample:
    """Returns a sample by ports and parameters: shapes that broadcast, and for a variadic port one shape for all."""
    needs_axis = any(item.name == "axis" and item.kind.name == "integer" for item in block_type.parameters.values())
    shape = maker.shape(min_rank=1 if needs_axis else 0)
    ranges = RANGES.get(block_type.name, {})
    inputs: list[Array | None] = []
    for index, port in enumerate(block_type.inputs):
        for _ in range(maker.size(1, 3) if port.variadic else 1):
            own = shape if index == 0 or port.variadic else maker.part_of(shape)
            skipped = port.optional and maker.choose(True, False)
            limits = ranges.get(port.name, ())
            inputs.append(None if skipped else maker.values(own, *limits, dtype=dtype_at(port.accepts, maker)))
    parameters = {name: derived_parameter(maker, item, len(shape)) for name, item in block_type.parameters.items()}
    return maker.sample(*inputs, **parameters)


def checked(sample: Sample, block_type: BlockType) -> Sample:
    """Returns the sample.

    Raises: LookupError if the type does not take it; then the type needs a sampler of its own.
    """
    try:
        specs = [None if array is None else spec_of(array) for array in sample.inputs]
        block_type.infer_outputs(specs, block_type.normalize(sample.parameters))
    except BlockError as error:
        where = "it needs a sampler in tests/blocks/samplers/samplers.py"
        raise LookupError(f"{block_type.name} refuses what its ports suggest ({error}): {where}") from error
    return sample


def dtype_at(accepts: Dtypes, maker: Maker) -> np.dtype[Any]:
    """Returns the sample's dtype where the port takes it, else the first that it takes."""
    if accepts.accepts(maker.dtype):
        return maker.dtype
    return next(dtype for dtype in map(np.dtype, ("float64", "int32", "bool")) if accepts.accepts(dtype))


def derived_parameter(maker: Maker, parameter: Parameter, rank: int) -> Any:
    """Returns a parameter's value from its kind, or its default.

    Raises: LookupError if neither gives one; then the type needs a sampler of its own.
    """
    kind = parameter.kind.name
    if kind == "axes":
        return maker.axes(rank)
    if kind == "boolean":
        return maker.choose(True, False)
    if kind in ("choice", "dtype"):
        return maker.choose(*(parameter.kind.choices or ("float16", "float32", "float64", "int32", "bool")))
    if kind == "integer" and parameter.name == "axis":
        return maker.axis(rank)
    if not parameter.is_required:
        return parameter.default
    if kind == "tensor":
        return maker.values(maker.shape())
    raise LookupError(f"parameter {parameter.name} of kind {kind} needs a sampler in tests/blocks/samplers/samplers.py")
