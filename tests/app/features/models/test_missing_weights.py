"""A graph whose weights are missing, in the window: the rest works, and nothing of it is lost."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication

from gradwire.app.live.selection import Selection
from gradwire.engine.edits.edits import move_blocks
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.app.window.driver import Driver

LARGE = np.linspace(0, 1, 150_000)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A graph whose file of weights has gone."""
    blocks = {
        "w": Block("w", "Variable", at=(0, 0), parameters={"value": LARGE}),
        "x": Block("x", "Input", at=(0, 200), parameters={"value": np.ones(3)}),
        "loss": Block("loss", "Loss", at=(300, 0)),
        "rest": Block("rest", "Loss", at=(300, 200)),
    }
    wires = [Wire(Port("w", "y"), Port("loss", "x")), Wire(Port("x", "y"), Port("rest", "x"))]
    path = tmp_path / "m.graph"
    save(Graph((Page("main", blocks, {wire.target: wire for wire in wires}),), loss="main/rest"), path)
    (tmp_path / "m.weights").rename(tmp_path / "elsewhere.weights")
    return path


def test_the_rest_is_computed_and_the_block_says_what_is_missing(user: Driver, file: Path) -> None:
    assert user.window.parts.documents.opening.show_file(file)
    user.settle()
    (problem,) = [item for item in user.session.problems if item.code == "weights"]
    assert problem.at == "main/w" and "m.weights" in problem.message
    assert user.session.results is not None
    user.session.select(Selection(frozenset({"w"})))
    user.window.parts.panels.overlay.open()
    user.settle()


def test_copies_edits_and_undo_keep_the_place_of_the_numbers(user: Driver, file: Path) -> None:
    text = file.read_text()
    assert user.window.parts.documents.opening.show_file(file)
    user.settle()
    session = user.session
    session.apply("Move", move_blocks, "main", {"w": (50, 60)})
    user.settle()
    session.select(Selection(frozenset({"w"})))
    user.settle()
    user.trigger("copy")
    assert json.loads(QGuiApplication.clipboard().text())["pages"][0]["blocks"][0]["id"] == "w"
    user.trigger("paste")
    user.settle()
    assert len(session.page.blocks) == 5
    session.undo()
    session.undo()
    user.trigger("save")
    assert file.read_text() == text
    assert user.window.parts.documents.saving.save_to(file.with_name("copy.graph"))
    (file.parent / "elsewhere.weights").rename(file.parent / "m.weights")
    for path in (file, file.with_name("copy.graph")):
        assert np.array_equal(load(path).graph.block("main/w").parameters["value"], LARGE)
