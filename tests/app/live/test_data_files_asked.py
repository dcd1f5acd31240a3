"""Files of examples that blocks name: which are asked for, what they become, and what is said of them."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from gradwire.app.live.data_files import DataFiles
from gradwire.app.live.questions.data_question import DataQuestion
from gradwire.app.live.questions.questions import Question, Reply, TensorName
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.problems import Problem
from gradwire.engine.edits import edits
from gradwire.engine.files.allowed_folders import AllowedFolders
from gradwire.engine.files.data_files import Examples
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Block, Graph, Page

DIGEST = hashlib.sha256(b"").hexdigest()
FOUND = Examples(np.ones((2, 3)), np.zeros(2), DIGEST, held=1)


def data(name: str, file: str, **also: object) -> Block:
    return Block(name, "Data", parameters={"set": "file", "file": file, "labels": "value", **also})


def pages(*blocks: Block, beside: tuple[Block, ...] = ()) -> Graph:
    spare = Page("spare", {block.id: block for block in beside})
    return Graph(pages=(Page("main", {block.id: block for block in blocks}), spare))


class Scene:
    """The files of a document in a folder, what is asked, and how often something has changed."""

    def __init__(self, folder: Path, graph: Graph, path: Path | None = None, is_asked: bool = True) -> None:
        self.asked, self.changes, self.parent = list[Question](), 0, QObject()
        self.allowed = AllowedFolders(folder / "allowed.json") if is_asked else None
        self.document = Document(graph, path)
        self.files = DataFiles(self.document, self.asked.append, self.allowed, self.parent)
        self.files.changed.connect(self._note)

    def _note(self) -> None:
        self.changes += 1

    def answer(self, answer: object) -> list[bool]:
        """Answers all that is asked, and returns what each answer changes."""
        asked = list(self.asked)
        self.asked.clear()
        return [self.files.take(Reply(question, 1, answer)) for question in asked]


A, B, A_TOO = data("a", "a.csv"), data("b", "b.csv"), data("a_too", "a.csv")


def opened(folder: Path, graph: Graph) -> Scene:
    """Returns the files of a document in a folder that is allowed, all read as `FOUND`."""
    scene = Scene(folder, graph, folder / "x.graph")
    scene.files.allow(always=False)
    scene.answer(FOUND)
    scene.changes = 0
    return scene


def test_each_file_is_asked_for_once_and_again_only_where_no_answer_came(tmp_path: Path, qtbot: QtBot) -> None:
    scene = Scene(tmp_path, pages(A, B, A_TOO, Block("x", "Input")), tmp_path / "x.graph")
    scene.files.look()
    assert scene.asked == [] and [item.file for item in scene.files.waiting] == ["a.csv", "b.csv", "a.csv"]
    assert scene.files.allow(always=False) == "" and scene.changes == 1
    assert [question.file for question in scene.asked if isinstance(question, DataQuestion)] == ["a.csv", "b.csv"]
    scene.files.look()
    assert len(scene.asked) == 2 and scene.files.waiting == ()
    assert scene.answer(None) == [False, False] and scene.changes == 1
    scene.files.look()
    assert len(scene.asked) == 2
    assert scene.answer(FOUND) == [True, True] and scene.changes == 3
    scene.files.look()
    assert scene.asked == []
    assert not scene.files.take(Reply(TensorName(PortName("main/a", "x")), 1, FOUND)) and scene.changes == 3


def test_without_a_file_or_a_folder_nothing_is_asked(tmp_path: Path, qtbot: QtBot) -> None:
    plain = Scene(tmp_path, pages(Block("x", "Input")), tmp_path / "x.graph")
    plain.files.allow(always=False)
    nowhere, unasked = Scene(tmp_path, pages(A)), Scene(tmp_path, pages(A), tmp_path / "x.graph", is_asked=False)
    for scene in (nowhere, unasked):
        assert (scene.files.waiting, scene.files.allow(always=True), scene.files.content("main/a")) == ((), "", None)
    assert plain.asked == nowhere.asked == unasked.asked == []
    assert nowhere.files.folder is None and unasked.files.folder == tmp_path
    assert nowhere.files.filled(nowhere.document.graph) is nowhere.document.graph


def test_the_folder_of_a_chosen_file_is_lent_until_there_is_a_file_of_its_own(tmp_path: Path, qtbot: QtBot) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    scene = Scene(tmp_path, pages(A))
    scene.files.lend(first, "main/a")
    scene.files.lend(second, "main/a")
    assert scene.files.lent == scene.files.folder == second
    # Another block reads from the folder that was lent.
    scene.files.lend(first, "main/b")
    assert scene.files.lent == second
    scene.document.apply("", lambda _: pages(A, B))
    scene.files.lend(first, "main/a")
    assert scene.files.lent == second
    scene.document.path = first / "x.graph"
    assert scene.files.lent is None and scene.files.folder == first
    fresh = Scene(tmp_path, pages(A, B))
    fresh.files.lend(first, "main/b")
    assert fresh.files.lent == first


def test_only_blocks_with_a_file_receive_its_content_and_each_once(tmp_path: Path, qtbot: QtBot) -> None:
    graph = pages(A, Block("x", "Input"), beside=(Block("y", "Input"),))
    scene = opened(tmp_path, graph)
    filled = scene.files.filled(graph)
    given = filled.block("main/a").parameters
    assert given["inputs"] is FOUND.inputs and given["targets"] is FOUND.targets and given["held"] == 1
    assert given["file"] == "a.csv" and "inputs" not in graph.block("main/a").parameters
    assert filled.block("main/x") is graph.block("main/x") and filled.pages[1] is graph.pages[1]
    again = scene.files.filled(graph)
    assert again.pages[0] is filled.pages[0]
    # Another edit of the page leaves the block as it was filled.
    added, _ = edits.add_block(graph, "main", "Exp", id="e")
    assert scene.files.filled(added).block("main/a") is filled.block("main/a")
    named = edits.set_parameter(graph, "main", "a", "batch", 1)
    assert scene.files.filled(named).block("main/a").parameters["batch"] == 1
    none = pages(Block("x", "Input"))
    assert scene.files.filled(none) is none


def test_other_content_takes_the_place_of_the_one_before(tmp_path: Path, qtbot: QtBot) -> None:
    graph = pages(A)
    scene = opened(tmp_path, graph)
    scene.files.filled(graph)
    question = DataQuestion(tmp_path, "a.csv", scene.files._wanted(graph)[0].options)
    other = Examples(np.full((1, 3), 7.0), np.zeros(1), "0" * 64)
    assert scene.files.take(Reply(question, 2, other))
    assert scene.files.filled(graph).block("main/a").parameters["inputs"] is other.inputs
    assert not scene.files.take(Reply(question, 3, "No."))
    assert scene.files.filled(graph) is graph and scene.files.faults == ("No.",)


def test_what_was_refused_is_said_once_and_tried_again(tmp_path: Path, qtbot: QtBot) -> None:
    scene = Scene(tmp_path, pages(A, B, A_TOO), tmp_path / "x.graph")
    scene.files.allow(always=False)
    scene.files.take(Reply(scene.asked[0], 1, "No."))
    scene.files.take(Reply(scene.asked[1], 1, FOUND))
    assert scene.files.faults == ("No.",) and scene.files.waiting == ()
    assert [scene.files.content(f"main/{name}") for name in ("a", "b", "c")] == ["No.", FOUND, None]
    changes = scene.changes
    scene.asked.clear()
    scene.files.try_again()
    assert [question.file for question in scene.asked if isinstance(question, DataQuestion)] == ["a.csv"]
    assert scene.changes == changes + 1 and scene.files.faults == ()


@pytest.mark.parametrize(
    ("problem", "is_told"),
    [
        (Problem("error", "main/a", "parameter", "Empty."), True),
        (Problem("warning", "main/a", "parameter", "Empty."), False),
        (Problem("error", "main/a", "shape", "Empty."), False),
        (Problem("error", "main/b", "parameter", "Empty."), False),
        (Problem("error", "main/none", "parameter", "Empty."), False),
    ],
)
def test_a_refusal_is_the_problem_of_its_block(tmp_path: Path, qtbot: QtBot, problem: Problem, is_told: bool) -> None:
    scene = Scene(tmp_path, pages(A, B), tmp_path / "x.graph")
    scene.files.allow(always=False)
    scene.files.take(Reply(scene.asked[0], 1, "No."))
    scene.files.take(Reply(scene.asked[1], 1, FOUND))
    found = scene.files.told(problem)
    assert found.message == ("No." if is_told else "Empty.")
    assert (found.at, found.code, found.severity) == (problem.at, problem.code, problem.severity)


def test_news_are_what_was_allowed_and_read_until_somebody_sees_it(tmp_path: Path, qtbot: QtBot) -> None:
    scene = Scene(tmp_path, pages(A, B), tmp_path / "x.graph")
    assert scene.files.news == ()
    scene.files.allow(always=False)
    scene.files.take(Reply(scene.asked[0], 1, FOUND))
    scene.files.take(Reply(scene.asked[1], 1, "No."))
    assert [(item.block, content) for item, content in scene.files.news] == [("main/a", FOUND)]
    changes = scene.changes
    scene.files.see()
    assert scene.files.news == () and scene.changes == changes + 1
    # What comes without anybody's doing is no news.
    scene.document.apply("", lambda _: pages(A, B, data("c", "c.csv")))
    scene.files.look()
    scene.files.take(Reply(scene.asked[-1], 1, FOUND))
    assert scene.files.news == ()


@pytest.mark.parametrize(
    ("written", "differs"), [("", False), (DIGEST, False), (DIGEST.upper(), False), ("0" * 64, True)]
)
def test_a_file_differs_from_that_of_the_graph_by_its_sum(
    tmp_path: Path, qtbot: QtBot, written: str, differs: bool
) -> None:
    scene = opened(tmp_path, pages(data("a", "a.csv", sha256=written), B))
    assert [item.block for item in scene.files.differing] == ["main/a"] * differs
    accepted = scene.files.accepted(scene.document.graph)
    assert accepted.block("main/a").parameters["sha256"] == (DIGEST if differs else written)
    assert "sha256" not in accepted.block("main/b").parameters


def test_what_was_not_read_does_not_differ(tmp_path: Path, qtbot: QtBot) -> None:
    scene = Scene(tmp_path, pages(data("a", "a.csv", sha256="0" * 64)), tmp_path / "x.graph")
    assert scene.files.differing == ()
    scene.files.allow(always=False)
    scene.answer("No.")
    assert scene.files.differing == ()


def test_a_folder_is_read_from_although_it_cannot_be_noted_for_always(tmp_path: Path, qtbot: QtBot) -> None:
    (tmp_path / "allowed.json").mkdir()
    scene = Scene(tmp_path, pages(A), tmp_path / "x.graph")
    assert scene.files.allow(always=True) != ""
    assert len(scene.asked) == 1 and scene.files.waiting == () and scene.changes == 1
