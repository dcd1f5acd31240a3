"""Guards: a recording that assumes something about numbers gives way to a call where they break it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression, constant
from gradwire.engine.blocktypes.library import library
from gradwire.engine.blocktypes.plan import make_plan, run
from gradwire.engine.executors.arena import Arena

TABLE = np.arange(12.0).reshape(4, 3)


class Rerun:
    """Plan of one block with a source that changes, and what is computed from the block."""

    def __init__(self, kind: str, source: Array, *others: Array, **parameters: object) -> None:
        self._source = constant(source)
        inputs = [constant(item) for item in others]
        self.result: Expression = library[kind](*inputs, self._source, **parameters)
        plan = make_plan([self.result, library["Negative"](self.result)])
        self.arena = Arena(plan)
        self._slots = plan.slots

    def __call__(self, source: Array) -> Array:
        self.arena.run({self._slots[self._source]: source})
        found = self.arena.results[self.result]
        assert found is not None
        return found.copy()

    @property
    def source_slot(self) -> int:
        return self._slots[self._source]


@pytest.mark.parametrize("wrong", [-1, 4, 2**31, -(2**63), 2**63 - 1])
def test_a_wrong_index_is_the_error_of_the_block_and_a_right_one_works_again(wrong: int, executor: str) -> None:
    rerun = Rerun("Gather", np.array([0, 1]), TABLE, axis=0)
    assert np.array_equal(rerun(np.array([3, 2])), TABLE[[3, 2]])
    with pytest.raises(BlockError, match=f"index {wrong} must be from 0 to 3"):
        rerun(np.array([0, wrong]))
    assert np.array_equal(rerun(np.array([1, 1])), TABLE[[1, 1]])


def test_a_label_outside_of_the_classes_is_the_error_of_the_block(executor: str) -> None:
    labels, logits = constant(np.array([0, 1])), constant(np.zeros((2, 3)))
    plan = make_plan([library["SparseSoftmaxCrossEntropyWithLogits"](labels, logits)])
    arena = Arena(plan)
    with pytest.raises(BlockError, match="label 3 is not one of the 3 classes"):
        arena.run({plan.slots[labels]: np.array([3, 1])})


# At the first one float32 and int32 part; the others have no integer at all.
@pytest.mark.parametrize("far", [2.0**31, -(2.0**40), np.inf, np.nan])
def test_numbers_that_no_integer_holds_become_what_numpy_makes_of_them(far: float, executor: str) -> None:
    rerun = Rerun("Cast", np.array([1.5, -2.5]), dtype="int32")
    assert rerun(np.array([7.9, -7.9])).tolist() == [7, -7]
    numbers = np.array([far, 3.0])
    with np.errstate(invalid="ignore"):
        assert np.array_equal(rerun(numbers), numbers.astype(np.int32))
    assert rerun(np.array([2.0, 1.0])).tolist() == [2, 1]


@given(arrays.arrays(np.int64, (5,), elements=st.integers(-3, 6)))
def test_a_trial_of_indices_leaves_no_trace(indices: Array) -> None:
    rerun = Rerun("Gather", np.array([0, 1, 2, 3, 0]), TABLE, axis=0)
    before = rerun(np.array([3, 3, 1, 0, 2]))
    trial = rerun.arena.trial(rerun.source_slot)
    trial.array[...] = indices
    if np.all((indices >= 0) & (indices < 4)):
        trial.run()
        found = rerun.arena.results[rerun.result]
        assert found is not None
        assert np.array_equal(found, TABLE[indices])
    else:
        with pytest.raises(BlockError):
            trial.run()
    trial.restore()
    found = rerun.arena.results[rerun.result]
    assert found is not None
    assert np.array_equal(found, before)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=9), st.integers(0, 2**32 - 1))
def test_gradients_of_rows_add_up_in_their_order(indices: list[int], seed: int) -> None:
    updates = np.random.default_rng(seed).normal(size=(len(indices), 3)) * 1e8
    places = np.array(indices)
    plan = make_plan([library["ScatterGradient"](constant(updates), constant(places), shape=(4, 3), axis=0)])
    expected = np.zeros((4, 3))
    for row, update in zip(indices, updates, strict=True):
        expected[row] += update
    found = Arena(plan).results.values[-1]
    assert found is not None
    assert found.tobytes() == expected.tobytes()
    plain = run(plan).values[-1]
    assert plain is not None
    assert plain.tobytes() == expected.tobytes()
