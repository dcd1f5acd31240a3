"""Names in the charts of a training: told apart, and beside each other where they would overlap."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.features.training.chart import apart
from gradwire.app.features.training.short_names import short_names

PATHS = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map("/".join), unique=True, max_size=8)


def test_names_of_two_layers_are_told_apart_by_their_pages() -> None:
    assert short_names(["main/Dense/kernel", "main/Dense_1/kernel", "main/gain"]) == {
        "main/Dense/kernel": "Dense/kernel",
        "main/Dense_1/kernel": "Dense_1/kernel",
        "main/gain": "gain",
    }


@given(PATHS)
def test_each_path_ends_in_its_name_which_no_other_has(paths: list[str]) -> None:
    names = short_names(paths)
    assert len(set(names.values())) == len(paths)
    assert all(f"/{path}".endswith(f"/{name}") for path, name in names.items())


@given(st.lists(st.floats(-50, 250), max_size=30), st.floats(5, 20))
def test_names_never_overlap_nor_leave_the_room(tops: list[float], high: float) -> None:
    placed = [top for top in apart(tops, high, 0, 200) if top is not None]
    assert len(placed) == min(len(tops), int(200 // high))
    assert all(top >= -1e-9 and top + high <= 200 + 1e-9 for top in placed)
    ordered = sorted(placed)
    assert all(b - a >= high - 1e-9 for a, b in pairwise(ordered))


def test_names_that_have_room_stay_where_their_lines_end() -> None:
    assert apart([120, 30], 13, 0, 200) == [120, 30]
