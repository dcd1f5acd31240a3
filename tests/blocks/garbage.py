"""Hypothesis strategies of calls that may not fit: any shapes, dtypes and parameters of the right kind."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from engine.block_type import BlockType
from engine.parameters import Parameter
from engine.tensor_spec import DTYPES, Array
from tests.blocks.samples import Maker, samples

SMALL = st.integers(-3, 4)
LISTS = st.lists(SMALL, max_size=4).map(tuple)
PAIRS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=4).map(tuple)

OF_KIND: dict[str, st.SearchStrategy[Any]] = {
    "axes": st.one_of(st.none(), SMALL, LISTS),
    "sizes": st.one_of(SMALL, LISTS),
    "integers": LISTS,
    "numbers": LISTS,
    "integer": SMALL,
    "number": st.sampled_from([-1.0, 0.0, 0.5, 2.0]),
    "boolean": st.booleans(),
    "dtype": st.sampled_from(sorted(DTYPES)),
    "padding": st.one_of(st.sampled_from(["SAME", "VALID"]), PAIRS),
    "pairs": PAIRS,
    "text": st.sampled_from(["", "some text", "ij,jk->ik", "ii"]),
    "ports": st.just(()),
    "page": st.just("main"),
}


@st.composite
def arguments_of_any_kind(draw: Any, block_type: BlockType) -> tuple[list[Array | None], dict[str, Any]]:
    """Inputs and parameters; mostly of one dtype, so that shapes and parameters get a chance to be wrong too."""
    usual = DTYPES[draw(st.sampled_from(["float64", "float32", "int32"]))]
    maker = Maker(draw, usual, smallest=0)
    shape = maker.shape()
    arrays: list[Array | None] = []
    for port in block_type.inputs:
        for _ in range(maker.size(0, 3) if port.variadic else 1):
            fitting = [usual, *(item for item in DTYPES.values() if port.accepts.accepts(item))]
            dtype = next(item for item in fitting if port.accepts.accepts(item))
            dtype = DTYPES[maker.choose(*sorted(DTYPES))] if draw(st.integers(0, 9)) == 9 else dtype
            own = maker.choose(shape, shape, maker.part_of(shape), maker.shape())
            missing = port.optional and maker.choose(True, False)
            arrays.append(None if missing else maker.values(own, dtype=np.dtype(dtype)))
    return arrays, draw(parameters_of_any_kind(block_type))


@st.composite
def nearly_valid_arguments(draw: Any, block_type: BlockType) -> tuple[list[Array | None], dict[str, Any]]:
    """A valid call in which one input or one parameter was changed."""
    sample = draw(samples(block_type, smallest=draw(st.integers(0, 1))))
    arrays, parameters = list(sample.inputs), dict(sample.parameters)
    places = [index for index, array in enumerate(arrays) if array is not None]
    names = list(block_type.parameters)
    if names and (not places or draw(st.booleans())):
        name = draw(st.sampled_from(names))
        parameters[name] = draw(value_of_kind(block_type.parameters[name]))
    elif places:
        index = draw(st.sampled_from(places))
        arrays[index] = draw(changed(arrays[index]))
    return arrays, parameters


def changed(array: Array) -> st.SearchStrategy[Array]:
    """The array with another shape, another dtype, or whole numbers around zero."""
    others = [array[None], array.astype(np.int32), array.astype(np.float32), array.astype(bool), -array.astype(int)]
    if array.ndim:
        others += [array[0]] if array.shape[0] else []
        others += [array[:0], array[..., :1], array.repeat(2, axis=-1), array.repeat(2, axis=0)]
    return st.sampled_from(others)


@st.composite
def parameters_of_any_kind(draw: Any, block_type: BlockType) -> dict[str, Any]:
    """Some of the parameters, the required ones mostly, each of its kind."""
    chosen = {}
    for name, parameter in block_type.parameters.items():
        if draw(st.integers(0, 9)) < (9 if parameter.is_required else 5):
            chosen[name] = draw(value_of_kind(parameter))
    return chosen


def value_of_kind(parameter: Parameter) -> st.SearchStrategy[Any]:
    """A value that the parameter's kind knows, though the block need not."""
    if parameter.kind.choices:
        return st.sampled_from(parameter.kind.choices)
    if parameter.kind.name == "tensor":
        return st.sampled_from([np.zeros(()), np.arange(3.0), np.ones((2, 2), np.float32), np.zeros(0, np.int32)])
    return OF_KIND[parameter.kind.name]
