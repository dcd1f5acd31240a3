"""Results that are kept up to a number of bytes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gradwire.blocks.support.recent import Recent


@given(st.lists(st.integers(1, 9)))
def test_results_are_those_of_the_function_and_fit_into_the_limit(keys: list[int]) -> None:
    recent = Recent(lambda key: "x" * key, len, limit=10)
    for key in keys:
        assert recent(key) == "x" * key
    assert len(recent) <= 4


def test_the_newest_are_not_made_again() -> None:
    made = []

    def make(key: int) -> str:
        made.append(key)
        return "x" * key

    recent = Recent(make, len, limit=10)
    for key in (3, 4, 3, 5, 3, 4, 20, 3):
        recent(key)
    # 5 pushes 4 out, which then pushes 5 out; 20 is kept alone, though it is above the limit.
    assert made == [3, 4, 5, 4, 20, 3]
