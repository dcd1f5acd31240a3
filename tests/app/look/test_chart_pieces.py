"""A chart draws what was measured and nothing else: lines between neighbours, marks where a number stands alone."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.live.readings import round_log
from gradwire.app.live.readings.round_log import Series
from gradwire.app.look.chart_pieces import pieces_of

ROUNDS = st.sets(st.integers(0, 300), min_size=1, max_size=120).map(sorted)
NUMBERS = st.sampled_from([1.0, -2.0, 0.0, 1e-300, np.nan, np.inf])


@given(ROUNDS, st.data())
def test_lines_join_neighbours_and_all_numbers_are_drawn_once(rounds: list[int], data: st.DataObject) -> None:
    numbers = data.draw(st.lists(NUMBERS, min_size=len(rounds), max_size=len(rounds)))
    pieces = pieces_of(np.array(rounds), np.array(numbers))
    drawn = [
        pair for line in (*pieces.lines, pieces.marks) for pair in zip(*(item.tolist() for item in line), strict=True)
    ]
    assert sorted(drawn) == [pair for pair in zip(rounds, numbers, strict=True) if np.isfinite(pair[1])]
    for x, _ in pieces.lines:
        assert x.size > 1
        assert (np.diff(x) == 1).all()
    alone, finite = (
        set(pieces.marks[0].tolist()),
        {n for n, item in zip(rounds, numbers, strict=True) if np.isfinite(item)},
    )
    assert alone == {n for n in finite if not finite & {n - 1, n + 1}}


@given(ROUNDS, st.integers(1, 40))
def test_a_full_series_joins_no_rounds_that_were_not_logged(rounds: list[int], piece: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(round_log, "MOST", 24)
        series = Series()
        for start in range(0, len(rounds), piece):
            part = rounds[start : start + piece]
            series.add(part, [float(n * 7 % 11) for n in part])
    logged, kept = set(rounds), series.rounds.tolist()
    expected = [set(range(a, b)) <= logged for a, b in itertools.pairwise(kept)]
    assert series.are_joined.tolist()[1:] == expected
