"""Statistics of arrays in an arena agree with exact sums and with NumPy, and both executors give the same bits."""

from __future__ import annotations

import functools
import math
import operator
from array import array as numbers
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.base.array_statistics import COLUMNS, KINDS, survey_of
from gradwire.engine.base.lane_sums import FEW, LANES, PIECE
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.executors import chosen, numpy_program
from gradwire.engine.executors.arena import Arena
from gradwire.engine.executors.arena_survey import Look

# Both where there are two of them.
LOOKS: list[Look] = list({id(look): look for look in (chosen.survey, numpy_program.survey)}.values())
# The unit roundoff of float64.
ROUNDOFF = 2.0**-53
EDGES = (2, LANES, FEW, PIECE, 2 * PIECE, 3 * PIECE, 2**15)
SIZES = [size + more for size in EDGES for more in (-1, 0, 1)] + [100_000]
SPECIAL = [0.0, -0.0, 5e-324, -5e-324, 2.3e-308, 1.7e308, -1.7e308, math.inf, -math.inf, math.nan]
ANY = st.sampled_from(SPECIAL) | st.floats()


def looked_at(array: Array, look: Look, repeats: int = 1) -> dict[str, float]:
    """Returns the statistics of a vector by one executor."""
    memory, found = np.zeros(array.nbytes + 64, np.uint8), np.full((1, len(COLUMNS)), np.nan)
    memory[: array.nbytes] = array.view(np.uint8)
    kind = numbers("q", [array.size, KINDS.index(array.dtype), repeats])
    look(memory, np.zeros(1, np.intp), numbers("q", [0]), numbers("q", [0]), kind, found)
    return dict(zip(COLUMNS, found[0].tolist(), strict=True))


def filled(size: int, scale: float = 1.0) -> Array:
    choose = np.random.default_rng(size)
    return choose.normal(size=size) * 10.0 ** choose.integers(-8, 8, size) * scale


def bound(size: int) -> float:
    """Returns the largest error of a sum, relative to the sum of the magnitudes: one roundoff an addition in a row."""
    pieces = -(-size // PIECE)
    return ROUNDOFF * 1.01 * (FEW if size <= FEW else PIECE / LANES + math.log2(LANES) + math.ceil(math.log2(pieces)))


@pytest.fixture(params=LOOKS, ids=["chosen", "bound"][: len(LOOKS)])
def look(request: pytest.FixtureRequest) -> Look:
    found: Look = request.param
    return found


@pytest.mark.parametrize("size", SIZES)
def test_sum_and_norm_are_as_exact_as_promised(size: int, look: Look) -> None:
    array = filled(size)
    found = looked_at(array, look)
    assert abs(found["total"] - math.fsum(array)) <= bound(size) * math.fsum(np.abs(array))
    # A root halves relative errors; each square and the root round once more.
    assert found["norm"] == pytest.approx(math.sqrt(math.fsum(array * array)), rel=bound(size) + 2 * ROUNDOFF, abs=0)


@pytest.mark.parametrize("size", [size for size in SIZES if size > 1])
def test_terms_that_cancel_leave_only_the_rounding_that_is_promised(size: int, look: Look) -> None:
    half = filled(size // 2)
    array = np.concatenate([half, -half[::-1], [1e-9] * (size % 2)])
    assert abs(looked_at(array, look)["total"] - math.fsum(array)) <= bound(size) * math.fsum(np.abs(array))


def test_the_error_of_a_sum_is_no_larger_than_that_of_pairwise_summation(look: Look) -> None:
    errors, others = [], []
    for seed in range(20):
        array = np.random.default_rng(seed).normal(size=100_000) + 1
        exact = math.fsum(array)
        errors.append(abs(looked_at(array, look)["total"] - exact))
        others.append(abs(float(array.sum()) - exact))
    # Both are about one rounding of the sum.
    assert np.mean(errors) <= 4 * max(np.mean(others), 100_000 * ROUNDOFF)


def sum_in_order(terms: list[float]) -> float:
    """Adds Python's numbers in the order that `lane_sums` describes."""
    if len(terms) <= FEW:
        return running_sum(terms)
    pieces = [terms[start : start + PIECE] for start in range(0, len(terms), PIECE)]
    lanes = [sum_in_pairs([running_sum(piece[lane::LANES]) for piece in pieces]) for lane in range(LANES)]
    while len(lanes) > 1:
        half = len(lanes) // 2
        lanes = [one + other for one, other in zip(lanes[:half], lanes[half:], strict=True)]
    return lanes[0]


def running_sum(terms: list[float]) -> float:
    # The `sum` of later versions of Python compensates for rounding.
    return functools.reduce(operator.add, terms, 0.0)


def sum_in_pairs(terms: list[float]) -> float:
    while len(terms) > 1:
        terms = [running_sum(terms[place : place + 2]) for place in range(0, len(terms), 2)]
    return terms[0]


@pytest.mark.parametrize("size", SIZES)
def test_sums_have_the_bits_of_their_order_on_every_machine(size: int, look: Look) -> None:
    array = filled(size)
    found = looked_at(array, look)
    assert found["total"] == sum_in_order(array.tolist())
    assert found["norm"] == math.sqrt(sum_in_order((array * array).tolist()))


@pytest.mark.parametrize("dtype", KINDS, ids=str)
@pytest.mark.parametrize("size", SIZES)
def test_what_numbers_are_like_is_what_numpy_says(size: int, dtype: np.dtype[np.generic], look: Look) -> None:
    with np.errstate(all="ignore"):
        array = filled(size).astype(dtype)
    if dtype.kind == "f":
        array[::7], array[3::50], array[5::70], array[6::80] = 0, np.nan, np.inf, -np.inf
    check(array, looked_at(array, look))


def check(array: Array, found: dict[str, float]) -> None:
    """Compares exact statistics with NumPy's."""
    wide = array.astype(np.float64)
    finite = wide[np.isfinite(wide)]
    assert (found["nan"], found["infinite"]) == (np.isnan(wide).sum(), np.isinf(wide).sum())
    np.testing.assert_equal(found["least"], np.abs(wide).min())
    np.testing.assert_equal(found["largest"], np.abs(wide).max())
    assert (found["low"], found["high"]) == ((finite.min(), finite.max()) if finite.size else (0, 0))
    assert not any(math.copysign(1, number) < 0 for number in found.values() if number == 0)


@given(
    st.sampled_from(["f4", "f8"])
    .flatmap(lambda kind: arrays(kind, st.integers(1, 600), elements=ANY if kind == "f8" else st.floats(width=32)))
    .filter(lambda array: array.size > 0),
    st.sampled_from([1, 3, 1000]),
)
def test_executors_agree_to_the_last_bit(array: Array, repeats: int) -> None:
    rows = [looked_at(array, look, repeats) for look in LOOKS]
    for row in rows:
        np.testing.assert_equal(row, rows[0])
    check(array, looked_at(array, LOOKS[0]))


@given(arrays("f8", st.integers(1, 600), elements=st.floats(-1, 1)), st.integers(-500, 500))
def test_a_power_of_two_scales_a_norm_and_changes_no_digit(array: Array, exponent: int) -> None:
    # A scaled number keeps all its digits only above the subnormal ones.
    array = np.where(np.abs(array) < 2.0**-60, 0, array)
    for look in LOOKS:
        norm = looked_at(array, look)["norm"]
        assert looked_at(np.ldexp(array, exponent), look)["norm"] == math.ldexp(norm, exponent)


@pytest.mark.parametrize("size", [1, FEW, FEW + 1, PIECE, PIECE + 1, 70_000])
@pytest.mark.parametrize("scale", [1e300, 1e-300, 5e-324])
def test_norms_of_huge_and_tiny_numbers_neither_overflow_nor_vanish(scale: float, size: int, look: Look) -> None:
    norm = looked_at(np.full(size, scale), look)["norm"]
    # A subnormal number has few digits.
    assert norm == pytest.approx(scale * math.sqrt(size), rel=1e-14, abs=5e-324)


@pytest.mark.parametrize("size", [1, 5, 16, 33, 257, 5_000])
def test_the_least_integer_has_a_magnitude_that_is_no_integer_of_its_dtype(size: int, look: Look) -> None:
    array = np.full(size, np.iinfo(np.int32).min, np.int32)
    found = looked_at(array, look)
    assert (found["least"], found["largest"], found["low"]) == (2.0**31, 2.0**31, -(2.0**31))


def views() -> Iterator[Array]:
    """Yields the arrays of blocks that return views, over numbers of which some are not finite."""
    for dtype in ("float32", "float64", "int64", "bool"):
        values = filled(2 * 150 * 7).reshape(2, 150, 7)
        if dtype.startswith("float"):
            values[0, 0, 0], values[1, 3, 2] = np.inf, np.nan
        x = constant(values.astype(dtype))
        yield library["Transpose"](x, perm=(2, 0, 1))
        yield library["Slice"](x, begin=(0, 1, 1), size=(2, 100, 3))
        yield library["Slice"](x, begin=(1, 0, 0), size=(1, 150, 7))
        yield library["Reverse"](x, axis=[1])
        yield library["BroadcastTo"](library["Slice"](x, begin=(0, 0, 0), size=(2, 1, 7)), shape=(2, 150, 7))
        yield library["Slice"](x, begin=(0, 0, 0), size=(0, 2, 3))


def test_views_have_the_statistics_of_their_copies(executor: str) -> None:
    plan = make_plan(list(views()))
    found, computed = Arena(plan).survey(), run(plan).values
    copies = survey_of([np.array(array, order="C") for array in computed if array is not None])
    for name in COLUMNS:
        # The order of sums follows the memory.
        is_sum = name in ("total", "norm")
        allowed = 1e-12 * copies["largest"] if is_sum else 0
        far = ~np.isclose(found[name], copies[name], rtol=1e-12 * is_sum, atol=0, equal_nan=True)
        with np.errstate(all="ignore"):
            far &= ~(np.abs(found[name] - copies[name]) <= allowed)
        assert not far.any(), (name, executor)


def test_an_array_of_nothing_has_no_least(executor: str) -> None:
    plan = make_plan([library["Negative"](constant(np.zeros((3, 0))))])
    row = Arena(plan).survey()[-1].item()
    assert row == (0, 0, math.inf, 0, 0, 0, 0, 0)


def test_a_first_survey_and_the_next_ones_have_the_same_bits(executor: str) -> None:
    x = constant(filled(3_000))
    plan = make_plan([library["Square"](x)])
    laid = Arena(plan)
    first, slot = laid.survey().copy(), plan.slots[x]
    laid.run({slot: np.array(laid.results.values[slot])})
    assert laid.survey().tobytes() == first.tobytes() == survey_of(run(plan).values).tobytes()
