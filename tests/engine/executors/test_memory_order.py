"""Views of arrays: recorded loops walk over them as NumPy does, since the rounding of sums depends on the order."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.executors.arena import Arena
from gradwire.engine.executors.ufunc_loops import Strided, contiguous, memory_order
from tests.sweeps import a_third_of

SEEDS = st.integers(0, 2**32 - 1)


def view(seed: int) -> Array:
    """Returns a view with axes in any order, some of them cut, reversed or repeated."""
    choose = random.Random(seed)
    shape = [choose.randint(1, 14) for _ in range(choose.randint(1, 4))]
    array = np.random.default_rng(seed).normal(size=shape).astype(choose.choice(["float32", "float64"]))
    array = array.transpose(choose.sample(range(array.ndim), array.ndim))
    cuts = [slice(None), slice(0, -1), slice(1, None), slice(None, None, -1), slice(None, None, 2)]
    array = array[tuple(choose.choice(cuts if size > 1 else cuts[:1]) for size in array.shape)]
    lead = choose.randint(2, 4)
    return np.broadcast_to(array, (lead, *array.shape)) if choose.random() < 0.2 else array


def place_of(array: Array) -> Strided:
    return Strided(0, 0, array.shape, array.strides, array.dtype)


@given(SEEDS, SEEDS)
def test_results_lie_in_memory_as_those_of_numpy(seed: int, other: int) -> None:
    x, y = view(seed), view(other)
    places = [place_of(x)] if x.shape != y.shape else [place_of(x), place_of(y)]
    found = np.exp(x) if len(places) == 1 else x + y
    strides = contiguous(found.shape, found.itemsize, memory_order(places, found.shape))
    wide = [axis for axis, size in enumerate(found.shape) if size > 1]
    assert [strides[axis] for axis in wide] == [found.strides[axis] for axis in wide]


def made(choose: random.Random, pool: list[Expression]) -> Expression:
    """Returns a block that moves, sums or combines expressions."""
    x, y = choose.choice(pool), choose.choice(pool)
    rank = len(x.shape)
    axis = choose.randrange(rank) if rank else 0
    blocks = {
        "Transpose": ([x], {"perm": choose.sample(range(rank), rank)}),
        "Reverse": ([x], {"axis": [axis]}),
        "Slice": ([x], {"begin": (0,) * rank, "size": [max(1, size - choose.randint(0, 1)) for size in x.shape]}),
        "BroadcastTo": ([x], {"shape": (choose.randint(1, 4), *x.shape)}),
        "Reshape": ([x], {"shape": (-1,)}),
        "Concat": ([x, x], {"axis": axis}),
        "Stack": ([x, x], {"axis": axis}),
        "Tanh": ([x], {}),
        "Add": ([x, y], {}),
        "MatMul": ([x, x], {"transpose_b": True}),
        "Cumsum": ([x], {"axis": axis}),
        "ReduceSum": ([x], {"axis": choose.sample(range(rank), choose.randint(0, rank))}),
        "ReduceMean": ([x], {"axis": [axis], "keepdims": True}),
        "ReduceProd": ([x], {"axis": choose.sample(range(rank), choose.randint(0, rank))}),
        "ReduceStd": ([x], {"axis": choose.sample(range(rank), choose.randint(0, rank))}),
        "ExpandDims": ([x], {"axis": axis}),
        "Softmax": ([x], {"axis": axis}),
        "LogSoftmax": ([x], {"axis": axis}),
        "LayerNormalization": ([x, np.ones(x.shape[-1:], x.dtype), np.ones(x.shape[-1:], x.dtype)], {}),
        "ArgMax": ([x], {"axis": axis}),
    }
    name = choose.choice(sorted(blocks))
    inputs, parameters = blocks[name]
    return library[name](*inputs, **parameters)  # type: ignore[no-any-return]  # of an expression


def graph(seed: int) -> Iterator[Expression]:
    """Yields expressions that are made of each other, none of them large."""
    choose = random.Random(seed)
    pool = [constant(np.random.default_rng(seed).normal(size=[choose.randint(1, 13) for _ in range(3)]))]
    for _ in range(30):
        try:
            found = made(choose, pool)
        except BlockError:  # It does not fit its inputs.
            continue
        if found.spec.size < 100_000 and found.dtype == np.float64:
            pool.append(found)
    yield from pool


@pytest.mark.parametrize("seed", a_third_of(range(40)))
def test_views_and_sums_have_the_bits_of_the_functions(seed: int, executor: str) -> None:
    plan = make_plan(graph(seed))
    found, expected = Arena(plan).results.values, run(plan).values
    names = {slot: expression.application.type.name for expression, slot in plan.slots.items()}
    faults = [slot for slot, array in enumerate(expected) if array is None or found[slot].tobytes() != array.tobytes()]
    assert not [names[slot] for slot in faults]


def sum_of_products(seed: int) -> Expression:
    """Returns an Einstein sum, or the contraction of axes, of tensors that lie in memory in any order."""
    choose = random.Random(seed)
    sizes = {letter: choose.randint(1, 9) for letter in "abcdef"}
    terms = [choose.sample(sorted(sizes), choose.randint(1, 4)) for _ in range(choose.randint(1, 3))]
    known = sorted({letter for term in terms for letter in term})
    inputs = [_turned([sizes[letter] for letter in term], choose) for term in terms]
    if choose.random() < 0.5:
        output = "".join(choose.sample(known, choose.randint(0, len(known))))
        return library["Einsum"](*inputs, equation=f"{','.join(map(''.join, terms))}->{output}")  # type: ignore[no-any-return]
    first, second = terms[0], choose.sample(terms[0], len(terms[0]))
    summed = choose.sample(first, choose.randint(0, len(first)))
    other = _turned([sizes[letter] for letter in second], choose)
    axes = [[own.index(letter) for letter in summed] for own in (first, second)]
    return library["Tensordot"](inputs[0], other, axes=axes)  # type: ignore[no-any-return]


def _turned(shape: list[int], choose: random.Random) -> Expression:
    order = choose.sample(range(len(shape)), len(shape))
    numbers = np.random.default_rng(choose.randrange(999)).normal(size=[shape[axis] for axis in order])
    return library["Transpose"](constant(numbers), perm=[order.index(axis) for axis in range(len(shape))])  # type: ignore[no-any-return]


def test_sums_of_products_have_the_bits_of_the_functions(executor: str) -> None:
    plan = make_plan(map(sum_of_products, range(300)))
    found, expected = Arena(plan).results.values, run(plan).values
    assert [item.tobytes() for item in found] == [item.tobytes() for item in expected]


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("size", [1, 2, 7, 8, 9, 127, 128, 129, 300])
def test_running_totals_have_the_bits_of_numpy(size: int, dtype: str, executor: str) -> None:
    x = (np.random.default_rng(size).normal(size=size) * 10).astype(dtype)
    totals, products = (library[kind](constant(x), axis=0) for kind in ("Cumsum", "Cumprod"))
    found = Arena(make_plan([totals, products])).results
    with np.errstate(over="ignore"):
        for expression, ufunc in ((totals, np.add), (products, np.multiply)):
            assert found[expression].tobytes() == ufunc.accumulate(x, dtype=x.dtype).tobytes()
