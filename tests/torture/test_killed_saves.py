"""Processes that die while they save, or save one file at once: the file is the old or the new one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.systems.marks import needs_forks
from tests.torture.support.counts import count
from tests.torture.support.running import report_of

pytestmark = [needs_forks, pytest.mark.long]


@pytest.mark.parametrize(
    ("size", "rounds"), [(2_000, count(30, 500)), (2_000_000, count(6, 500)), (20_000_000, count(2, 500))]
)
def test_a_file_whose_writer_is_killed_is_the_old_one_or_the_new_one(
    tmp_path: Path, size: int, rounds: int, record_property: Callable[[str, object], None]
) -> None:
    found = report_of("killed", tmp_path, size, rounds)
    record_property("figure", found)
    print(f"figure: killed while saving {found['bytes']:,} bytes: {found}")
    assert found.get("old", 0) + found.get("new", 0) == rounds
    assert "else" not in found
    # The next writer removes the leftovers of the one before.
    assert found["most litter"] <= 1
    assert found["left"] == []


def test_a_writer_that_dies_at_any_call_of_the_system_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    found = report_of("stopped", tmp_path)
    print(f"figure: died at each of {found['calls']} calls: {found}")
    assert "else" not in found
    assert found["calls"] > 8
    # Twice for every call, before and after it, and once to the end.
    assert found["old"] + found["new"] == 2 * found["calls"] + 1
    assert min(found["old"], found["new"]) >= 2
    assert found["litter after the next save"] == 0
    assert found["left"] == []


def test_of_two_that_save_at_once_one_wins_whole_and_the_other_is_told(tmp_path: Path) -> None:
    rounds = count(15, 200)
    found = report_of("two", tmp_path, rounds, 1)
    print(f"figure: two savers, {rounds} rounds: {found}")
    assert found == {"statuses [0, 3]": rounds, "one of those that say so": rounds, "left": 0}


def test_of_two_that_overwrite_whatever_is_there_one_wins_whole(tmp_path: Path) -> None:
    rounds = count(15, 200)
    found = report_of("two", tmp_path, rounds, 0)
    assert found == {"statuses [0, 0]": rounds, "one of those that say so": rounds, "left": 0}
