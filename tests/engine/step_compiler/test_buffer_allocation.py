"""Buffer allocation: buffers exist while they are in use, and never overlap then."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.step_compiler.buffer_allocation import ALIGNMENT, place_buffers

moments = st.lists(st.lists(st.integers(0, 12), max_size=4), max_size=40)
sizes = st.lists(st.integers(0, 300), min_size=13, max_size=13)


@given(moments, sizes, st.sets(st.integers(0, 12)))
def test_buffers_that_are_in_use_at_one_moment_never_overlap(
    touched: list[list[int]], given_sizes: list[int], kept: set[int]
) -> None:
    known = dict(enumerate(given_sizes))
    offsets, top = place_buffers(touched, known, kept)
    used = {buffer: [at for at, group in enumerate(touched) if buffer in group] for buffer in offsets}
    lives = {
        buffer: (-1, len(touched)) if buffer in kept else (min(found), max(found)) for buffer, found in used.items()
    }
    for a in offsets:
        assert offsets[a] % ALIGNMENT == 0
        assert offsets[a] + known[a] <= top
        for b in offsets:
            meet = lives[a][0] <= lives[b][1] and lives[b][0] <= lives[a][1]
            apart = offsets[a] + known[a] <= offsets[b] or offsets[b] + known[b] <= offsets[a]
            assert a == b or not meet or apart


def test_a_chain_takes_the_room_of_two() -> None:
    chain = [[moment, moment + 1] for moment in range(100)]
    assert place_buffers(chain, dict.fromkeys(range(101), 640))[1] == 2 * 640


def test_a_large_buffer_takes_the_holes_of_several_small_ones() -> None:
    touched = [[0, 1, 2], [2], [3]]
    assert place_buffers(touched, {0: 64, 1: 64, 2: 64, 3: 192})[1] == 192


def test_what_is_kept_is_never_given_away() -> None:
    offsets, top = place_buffers([[0], [1], [2]], {0: 64, 1: 64, 2: 64}, kept={0})
    assert offsets[1] == offsets[2] != offsets[0]
    assert top == 128
