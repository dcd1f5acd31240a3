"""The types over which the contract's tests run, their samples, and their tolerance."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType, Role
from gradwire.engine.blocktypes.library import library
from tests.blocks.samplers.samples import dtypes_of
from tests.sweeps import a_third_of

_SAMPLERS = sorted((Path(__file__).parents[1] / "samplers").glob("*samplers.py"))
assert len(_SAMPLERS) > 5, "the samplers are not where this module looks"
for _file in _SAMPLERS:
    importlib.import_module(f"tests.blocks.samplers.{_file.stem}")  # registers samplers

REPLACED = {Role.GRADIENTS, Role.PAGE, Role.PAGE_INPUT, Role.PAGE_OUTPUT}
TYPES = [item for item in library if item.role not in REPLACED]
WITH_RULE = [item for item in TYPES if item.rule is not None]
OF_FLOATS = [item for item in TYPES if np.dtype(np.float64) in dtypes_of(item)]

SEEDS = st.integers(0, 2**32 - 1)

every_type = pytest.mark.parametrize("block_type", TYPES, ids=lambda item: item.name)
every_rule = pytest.mark.parametrize("block_type", a_third_of(WITH_RULE), ids=lambda item: item.name)
every_type_of_floats = pytest.mark.parametrize("block_type", OF_FLOATS, ids=lambda item: item.name)


def in_one_test(
    types: Sequence[BlockType],
) -> Callable[[Callable[[BlockType], None]], Callable[[Sequence[BlockType]], None]]:
    """Makes one test of a cheap law, which names all types that break it: a test for each costs more than the law."""

    def test_of(law: Callable[[BlockType], None]) -> Callable[[Sequence[BlockType]], None]:
        def test(types: Sequence[BlockType]) -> None:
            failures = {}
            for block_type in types:
                try:
                    law(block_type)
                except AssertionError as error:
                    failures[block_type.name] = "\n".join([str(error), *getattr(error, "__notes__", ())])
                except BaseException as error:
                    error.add_note(block_type.name)
                    raise
            assert failures == {}, failures

        test.__name__, test.__doc__ = law.__name__, law.__doc__
        # The name lets `-k "Square or types"` choose it.
        return pytest.mark.parametrize("types", [pytest.param(types, id="types")])(test)

    return test_of


in_one_test_of_all = in_one_test(list(library))


class _Simplest(Random):
    """Chooses the first and lowest of everything: scalars or nothing at all, no optional parts."""

    def random(self) -> float:
        return 0.0


def for_samples(draw: Callable[[Random], Any], check: Callable[[Any], None], count: int = 5) -> None:
    """Checks `count` samples, the same ones in every run: the simplest, then those of the next seeds."""
    for seed in range(count):
        _check_seed(draw, check, seed)


def for_drawn_samples(draw: Callable[[Random], Any], check: Callable[[Any], None], count: int = 8) -> None:
    """Checks `count` samples whose seeds Hypothesis chooses, which are wider apart."""
    for seed in drawn_seeds(count):
        _check_seed(draw, check, seed)


@cache
def drawn_seeds(count: int) -> list[int]:
    """Returns seeds that Hypothesis draws, the same ones in every run and for every type.

    Hypothesis draws them once: it takes longer to draw a seed than to check a sample.
    """
    seeds: list[int] = []

    @settings(derandomize=True, database=None, max_examples=count)
    @given(SEEDS)
    def draw_seed(seed: int) -> None:
        seeds.append(seed)

    draw_seed()
    assert len(set(seeds)) == count
    return seeds


def _check_seed(draw: Callable[[Random], Any], check: Callable[[Any], None], seed: int) -> None:
    sample = draw(Random(seed) if seed else _Simplest())
    try:
        check(sample)
    except BaseException as error:
        error.add_note(f"sample of seed {seed}: {sample}")
        raise


def assert_close(found: Array, expected: Array) -> None:
    """Returns the same numbers up to the order of computation.

    Tolerance: sums of some hundred terms in another order differ by less than 5,000 units in the last place of the
    greatest number in float64; float32 and float16 get ten to a hundred units, as their sums here are short.
    """
    if found.dtype.kind != "f":
        np.testing.assert_array_equal(found, expected)
        return
    room = {"float64": 1e-12, "float32": 1e-5, "float16": 1e-2}[found.dtype.name]
    finite = np.abs(expected[np.isfinite(expected)]).max(initial=0)
    np.testing.assert_allclose(found, expected, rtol=room, atol=room * float(finite))
