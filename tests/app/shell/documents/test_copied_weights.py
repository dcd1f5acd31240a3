"""Copies of unsaved graphs with large tensors: their weights go where they go."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import gradwire.blocks  # noqa: F401  # it fills the library
from gradwire.app.base.run_folder import RunFolder
from gradwire.app.shell.documents.recovery_files import Copy, abandoned, claim, copy_file, discard, write_origin
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Block, Graph, Page

GRAPH = Graph((Page("main", {"w": Block("w", "Variable", parameters={"value": np.linspace(0, 1, 200_000)})}),))


def left_behind(state: Path, count: int) -> list[Copy]:
    """Copies of one graph in the folder of a program that has ended."""
    folder = RunFolder(state)
    for _ in range(count):
        file = copy_file(folder.path, folder.next_number())
        save(GRAPH, file, by_content=True)
        write_origin(file, "w", None)
    folder.leave()
    return abandoned(RunFolder(state))


def weights(folder: Path) -> int:
    return len(list(folder.glob("*.weights")))


def test_a_claimed_copy_takes_its_weights_along_and_leaves_those_of_others(tmp_path: Path) -> None:
    mine = RunFolder(tmp_path)
    first, second = left_behind(tmp_path, 2)
    assert weights(first.file.parent) == 1
    for copy in (first, second):
        file = claim(copy, mine)
        assert file is not None
        assert load(file).graph == GRAPH
    assert (weights(first.file.parent), weights(mine.path)) == (0, 1)
    mine.leave()


def test_who_comes_too_late_leaves_no_weights(tmp_path: Path) -> None:
    mine, other = RunFolder(tmp_path), RunFolder(tmp_path)
    (copy,) = left_behind(tmp_path, 1)
    file = claim(copy, mine)
    assert claim(copy, other) is None
    assert file is not None and load(file).graph == GRAPH
    assert weights(other.path) == 0
    mine.leave()
    other.leave()


def test_the_last_copy_that_is_discarded_takes_its_weights_along(tmp_path: Path) -> None:
    first, second = left_behind(tmp_path, 2)
    discard(first.file)
    assert load(second.file).graph == GRAPH
    discard(second.file)
    assert weights(first.file.parent) == 0
