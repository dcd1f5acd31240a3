"""Rows that stay while others come and go."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.canvas.geometry.kept_rows import KeptRows

NAMES = st.lists(st.sampled_from("abcdef"), unique=True)


@given(NAMES, NAMES)
def test_each_row_is_followed_both_ways(old: Sequence[str], new: Sequence[str]) -> None:
    kept = KeptRows(old, new)
    assert kept.before.tolist() == [old.index(name) if name in old else -1 for name in new]
    assert kept.now.tolist() == [new.index(name) if name in new else -1 for name in old] + [-1]
    assert kept.new.tolist() == [row for row, name in enumerate(new) if name not in old]
    column = np.arange(1.0, 2 * len(old) + 1).reshape(-1, 2)
    expected = [column[old.index(name)].tolist() if name in old else [0, 0] for name in new]
    assert kept.carried(column).tolist() == expected
