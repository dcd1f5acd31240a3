"""The process that writes copies: every copy is the graph, whatever was sent before, and no piece is large."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from app.keeper import SLICE, Keeper, _pieces
from app.live.updates import update_between
from engine import edits, page_edits
from engine.files import dumps, load
from engine.graph import Graph
from tests.app.window.graphs import chain, number

Keep = Callable[[Graph, Path], str]


@pytest.fixture
def keeper(qtbot: QtBot) -> Iterator[Keeper]:
    made = Keeper()
    yield made
    made.close()
    made.deleteLater()


@pytest.fixture
def keep(keeper: Keeper, qtbot: QtBot) -> Keep:
    """Lets a copy be written; gives what is said of it."""

    def write(graph: Graph, target: Path) -> str:
        with qtbot.waitSignal(keeper.kept, timeout=60_000) as kept:
            keeper.keep(graph, target)
        return str(kept.args[0])

    return write


def many(count: int) -> Graph:
    """A graph of more blocks than go into one piece."""
    graph = Graph()
    for place in range(count):
        graph = edits.add_block(graph, "main", "Exp", at=(place * 10, 0))[0]
    return graph


def test_each_copy_is_the_graph(keep: Keep, tmp_path: Path) -> None:
    one, other = tmp_path / "1.graph", tmp_path / "2.graph"
    graph = chain()
    steps = [
        graph,
        many(450),
        number(),
        edits.set_parameter(number(), "main", "a", "value", np.arange(5000.0)),
        page_edits.add_page(number(), "second")[0],
        Graph(),
    ]
    for place, step in enumerate(steps):
        assert keep(step, (one, other)[place % 2]) == ""
        assert (one, other)[place % 2].read_text("utf-8") == dumps(step)
    assert load(other).graph == steps[-1]


def test_a_copy_that_cannot_be_written_is_told_and_the_next_one_is_written(keep: Keep, tmp_path: Path) -> None:
    assert "cannot be written" in keep(chain(), tmp_path / "no such folder" / "1.graph")
    assert keep(number(), tmp_path / "1.graph") == ""
    assert load(tmp_path / "1.graph").graph == number()


def test_a_process_that_was_killed_is_replaced_and_the_older_copy_stays(
    keep: Keep, keeper: Keeper, qtbot: QtBot, tmp_path: Path
) -> None:
    copy = tmp_path / "1.graph"
    keep(chain(), copy)
    with qtbot.waitSignal(keeper.kept, timeout=60_000) as told:
        keeper.keep(number(), copy)
        process = keeper.process_id
        assert process
        os.kill(process, signal.SIGKILL if os.name == "posix" else signal.SIGTERM)
    assert "has ended" in told.args[0] and load(copy).graph == chain()
    assert keep(number(), copy) == ""
    assert load(copy).graph == number()


def test_what_goes_through_the_pipe_at_once_is_small() -> None:
    graph = edits.set_parameter(number(), "main", "a", "value", np.zeros(100_000))
    pieces = list(_pieces("x", update_between(Graph(()), graph)))
    assert max(map(len, pieces)) <= SLICE
