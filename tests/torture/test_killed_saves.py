"""Processes that die while they save, or save one file at once: the file is the old or the new one."""

from __future__ import annotations

import itertools
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Block, Graph, Page
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


def weighty(number: int) -> Graph:
    """A graph with weights beside its file, which can be told from those of other numbers."""
    value = np.arange(150_000) + float(number)
    return Graph((Page("main", {"w": Block("w", "Variable", parameters={"value": value})}),))


def save_for_ever(path: Path, first: int) -> None:
    """Saves one graph after the other until the process is killed."""
    try:
        for number in itertools.count(first):
            save(weighty(number), path)
    finally:
        os._exit(1)


def test_a_graph_whose_writer_is_killed_has_its_own_weights(tmp_path: Path) -> None:
    path, moments, seen = tmp_path / "m.graph", random.Random(3), set[int]()
    save(weighty(0), path)
    for _ in range(count(20, 500)):
        writer = os.fork()
        if not writer:
            save_for_ever(path, max(seen, default=0) + 1)
        time.sleep(moments.uniform(0.01, 0.15))
        os.kill(writer, signal.SIGKILL)
        os.waitpid(writer, 0)
        found = load(path).graph
        value = found.block("main/w").parameters["value"]
        assert isinstance(value, np.ndarray), getattr(value, "reason", value)
        assert found == weighty(int(value[0]))
        seen.add(int(value[0]))
    assert len(seen) > 5
    save(weighty(1), path)
    # One that was killed between its last two steps may leave the usual name.
    assert len(list(tmp_path.iterdir())) <= 3
