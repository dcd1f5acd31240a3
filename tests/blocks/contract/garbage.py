"""Calls that may not fit, drawn at random: any shapes, dtypes and parameters of the right kind."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import DTYPES, Array
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.parameters import Parameter
from tests.blocks.samplers.samples import Maker, samples

Call = tuple[list[Array | None], dict[str, Any]]
TENSORS = (np.zeros(()), np.arange(3.0), np.ones((2, 2), np.float32), np.zeros(0, np.int32))


def small(random: Random) -> int:
    return random.randint(-3, 4)


def few(random: Random) -> tuple[int, ...]:
    return tuple(small(random) for _ in range(random.randint(0, 4)))


def pairs(random: Random) -> tuple[tuple[int, int], ...]:
    return tuple((random.randint(0, 2), random.randint(0, 2)) for _ in range(random.randint(0, 4)))


def one_of(*choices: Any) -> Callable[[Random], Any]:
    return lambda random: random.choice(choices)


OF_KIND: dict[str, Callable[[Random], Any]] = {
    "axes": lambda random: random.choice([None, small(random), few(random)]),
    "sizes": lambda random: random.choice([small(random), few(random)]),
    "integers": few,
    "numbers": few,
    "integer": small,
    "number": one_of(-1.0, 0.0, 0.5, 2.0),
    "boolean": one_of(False, True),
    "dtype": one_of(*sorted(DTYPES)),
    "padding": lambda random: random.choice(["SAME", "VALID", pairs(random), pairs(random)]),
    "pairs": pairs,
    "names": one_of((), ("a",), ("a", "b")),
    "separator": one_of("auto", ";", "ab", ""),
    "name": one_of("", "y", "no such column", ("a", "b")),
    "text": one_of("", "some text", "ij,jk->ik", "ii"),
    "ports": one_of(()),
    "page": one_of("main"),
    "tensor": one_of(*TENSORS),
    "start": one_of({"kind": "he_normal", "seed": 3}, {"kind": "orthogonal"}, {"kind": "no such kind"}, {}),
}


def arguments_of_any_kind(block_type: BlockType, random: Random) -> Call:
    """Inputs and parameters; mostly of one dtype, so that shapes and parameters get a chance to be wrong too."""
    usual = DTYPES[random.choice(["float64", "float32", "int32"])]
    maker = Maker(random, usual, smallest=0)
    shape = maker.shape()
    arrays: list[Array | None] = []
    for port in block_type.inputs:
        for _ in range(maker.size(0, 3) if port.variadic else 1):
            fitting = [usual, *(item for item in DTYPES.values() if port.accepts.accepts(item))]
            dtype = next(item for item in fitting if port.accepts.accepts(item))
            dtype = DTYPES[maker.choose(*sorted(DTYPES))] if random.randint(0, 9) == 9 else dtype
            own = maker.choose(shape, shape, maker.part_of(shape), maker.shape())
            missing = port.optional and maker.choose(True, False)
            arrays.append(None if missing else maker.values(own, dtype=np.dtype(dtype)))
    return arrays, parameters_of_any_kind(block_type, random)


def nearly_valid_arguments(block_type: BlockType, random: Random) -> Call:
    """Returns a valid call in which one input or one parameter was changed."""
    sample = samples(block_type, smallest=random.randint(0, 1))(random)
    arrays, parameters = list(sample.inputs), dict(sample.parameters)
    places = [index for index, array in enumerate(arrays) if array is not None]
    names = list(block_type.parameters)
    if names and (not places or random.choice([False, True])):
        name = random.choice(names)
        parameters[name] = value_of_kind(block_type.parameters[name], random)
    elif places:
        index = random.choice(places)
        arrays[index] = changed(arrays[index], random)
    return arrays, parameters


def changed(array: Array, random: Random) -> Array:
    """Returns the array with another shape, another dtype, or whole numbers around zero."""
    # Numbers too large for the other dtype become some number of it, which is garbage enough.
    with np.errstate(invalid="ignore", over="ignore"):
        others = [array.astype(dtype) for dtype in (np.int32, np.float32, bool)] + [array[None], -array.astype(int)]
    if array.ndim:
        others += [array[0]] if array.shape[0] else []
        others += [array[:0], array[..., :1], array.repeat(2, axis=-1), array.repeat(2, axis=0)]
    return random.choice(others)


def parameters_of_any_kind(block_type: BlockType, random: Random) -> dict[str, Any]:
    """Returns some of the parameters, the required ones mostly, each of its kind."""
    chosen = {}
    for name, parameter in block_type.parameters.items():
        if random.randint(0, 9) < (9 if parameter.is_required else 5):
            chosen[name] = value_of_kind(parameter, random)
    return chosen


def value_of_kind(parameter: Parameter, random: Random) -> Any:
    """Returns a value that the parameter's kind knows, though the block need not."""
    if parameter.kind.choices:
        return random.choice(parameter.kind.choices)
    return OF_KIND[parameter.kind.name](random)
