"""Pool of large arrays: what stays, what goes first, and how much memory each run holds, by hand."""

from __future__ import annotations

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.executors.array_owners import Owners
from gradwire.engine.executors.array_pool import ArrayPool


def of(size: int) -> Array:
    """Returns an array of so many bytes."""
    return np.zeros(size, np.uint8)


def test_the_least_recently_used_goes_first_and_the_last_one_stays() -> None:
    pool = ArrayPool(100)
    share = pool.share()
    for slot in range(3):
        share.put(slot, of(30), is_anchor=False)
    assert share.size == 90 and [slot in share for slot in range(3)] == [True] * 3
    assert share.get(0) is not None and share.get(7) is None
    share.put(3, of(10), is_anchor=False)
    assert share.size == 100 and 1 in share
    # One byte too many: 1 is the one that was not used for longest.
    share.put(4, of(1), is_anchor=False)
    assert [slot in share for slot in range(5)] == [True, False, True, True, True] and share.size == 71
    share.pass_by(4)
    share.pass_by(9)
    share.put(5, of(60), is_anchor=False)

    assert 4 not in share and 5 in share
    # An array larger than the budget is kept all the same, alone.
    share.put(6, of(1000), is_anchor=False)
    assert [slot in share for slot in range(7)] == [False] * 6 + [True]


def test_checkpoints_stay_until_another_run_begins() -> None:
    pool = ArrayPool(100)
    share = pool.share()
    assert not share.has_anchors and share.left == 100
    share.put(0, of(40), is_anchor=False)
    share.anchor(frozenset({0, 1}), 60)
    assert share.has_anchors and share.left == pool.left == 40
    share.put(1, of(20), is_anchor=True)
    share.put(2, of(30), is_anchor=False)
    share.put(3, of(50), is_anchor=False)
    assert [slot in share for slot in range(4)] == [True, True, False, True]
    other = pool.share()
    assert not share.has_anchors and other.left == 100
    other.put(0, of(90), is_anchor=False)
    assert [slot in share for slot in range(4)] == [False] * 4 and 0 in other


def test_a_part_of_a_larger_array_is_no_checkpoint() -> None:
    pool = ArrayPool(100)
    share, whole = pool.share(), of(60)
    share.anchor(frozenset({0, 1}), 60)
    share.put(0, whole[:30], is_anchor=True)
    assert share.weight(whole[:30]) == 60 and share.size == 60
    # All of one array is counted once, whoever views it.
    share.put(1, whole[:], is_anchor=True)
    assert share.size == 60
    share.put(2, of(41), is_anchor=False)
    assert 0 not in share and 1 in share and share.size == 101
    share.drop(1)
    assert share.size == 41 and 1 not in share
    share.drop(1)
    assert share.size == 41


def test_a_loose_array_that_may_stay_becomes_a_checkpoint() -> None:
    pool = ArrayPool(100)
    share, whole = pool.share(), of(50)
    share.put(0, of(30), is_anchor=False)
    share.put(1, whole[:10], is_anchor=False)
    share.anchor(frozenset({0, 1, 2}), 80)
    share.put(2, of(70), is_anchor=False)
    assert [slot in share for slot in range(3)] == [True, False, True]


def test_arrays_of_sources_weigh_nothing_until_the_run_ends() -> None:
    pool = ArrayPool(100)
    share, other, source = pool.share(), pool.share(), of(80)
    share.give(0, source)
    assert share.weight(source[5:]) == 0 == other.weight(source) and share.weight(of(3)) == 3
    # Another array of the same source takes its place.
    share.give(0, of(5))
    assert share.weight(source) == 80
    share.give(0, source)
    other.leave()
    assert share.weight(source) == 0
    share.leave()
    assert share.weight(source) == 80


def test_an_array_goes_over_to_another_run() -> None:
    pool = ArrayPool(100)
    share, other, array = pool.share(), pool.share(), of(40)
    share.put(3, array, is_anchor=False)
    other.take_over(5, share, 3)
    assert other.get(5) is array and 3 not in share and pool.owners.size == 40
    other.take_over(6, share, 3)
    assert 6 not in other
    share.put(5, of(20), is_anchor=False)
    other.drop_all()
    assert 5 in share and 5 not in other and pool.owners.size == 20


def test_memory_is_counted_by_what_owns_it() -> None:
    owners, whole = Owners(), of(64)
    owners.add((0, 0), whole.reshape(8, 8)[2:, ::2])
    owners.add((0, 1), whole)
    owners.add((1, 0), of(6))
    assert owners.size == 70
    owners.remove((0, 0))
    assert owners.size == 70
    owners.remove((0, 1))
    owners.remove((0, 1))
    assert owners.size == 6
    owners.give((1, 0), whole)
    owners.give((2, 0), whole[3:])
    owners.forget(1)
    assert owners.weight(whole) == 0
    owners.forget(2)
    assert owners.weight(whole) == 64
