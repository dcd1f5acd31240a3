"""A broken file opens: the window reports its defects with their lines; one edit fixes one or all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QListView, QMessageBox, QToolButton

from gradwire.app.features.problems.problem_list import ROW, ProblemList
from gradwire.app.features.problems.problem_rows import Row
from gradwire.app.shell.documents.unreadable import unreadable_sentence
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.files import dumps, load
from gradwire.engine.graph.graph import Graph
from tests.app.window.driver import LEFT, Driver

pytestmark = pytest.mark.long

HEAD = (
    '{\n"format": "gradwire.graph", "version": [1, 0], "needs": [], "conventions": "tf-2.21", "loss": null,\n"pages": ['
)
VALUE = '{"dtype": "float64", "shape": [], "data": [1]}'
BLOCKS = f"""{{"name": "main", "blocks": [
{{"id": "add", "type": "Add", "at": [160, 0]}},
{{"id": "e", "type": "Exp", "at": [320, 0]}},
{{"id": "e", "type": "Exp", "at": [320, 160]}},
{{"id": "loss", "type": "Loss", "at": [480, 0]}},
{{"id": "x", "type": "Input", "at": [0, 0], "parameters": {{"value": {VALUE}}}}}
], "wires": [
["x.z", "add.x"],
["e.y", "add.y"],
["add.z", "e.x"],
["e.y", "loss.x"],
["x.y", "loss.x"],
["nobody.y", "e_1.x"]
]}}]}}
"""
CIRCLE = "The wires run in a circle: add -> e -> add."
SECOND = "The wire from x.y to loss.x is not connected: another wire is already connected to loss.x."
UNLIKE = "The wire from x.z to add.x is not connected: Input x has no output z."
NOBODY = "The wire from nobody.y to e_1.x is not connected: there is no block nobody."
TWICE = 'Page "main" has two blocks "e"; the later one is now "e_1".'


@pytest.fixture
def broken(user: Driver, tmp_path: Path) -> Driver:
    path = tmp_path / "broken.graph"
    path.write_text(f"{HEAD}\n{BLOCKS}", "utf-8")
    user.open(path)
    user.qtbot.waitUntil(lambda: bool(rows(user)))
    return user


def rows(user: Driver) -> dict[str, Row]:
    model = user.child(QListView, "problems_list").model()
    found = [model.index(number, 0).data(ROW) for number in range(model.rowCount())]
    return {row.sentence: row for row in found if row.line}


def fix(user: Driver, sentence: str) -> None:
    user.qtbot.waitUntil(lambda: sentence in rows(user) and rows(user)[sentence].fix is not None)
    listed = user.child(ProblemList, "problems_list")
    index = listed.model().index([row.sentence for row in listed.model().rows].index(sentence), 0)
    QTest.mouseClick(listed.viewport(), LEFT, pos=listed.fix_place(index).center())
    user.settle()


def said(user: Driver) -> str:
    """What the status line says."""
    user.settle()
    return user.window.parts.layout.status.sentence.text


def test_what_is_broken_is_listed_with_its_block_and_line(broken: Driver) -> None:
    assert {sentence: (row.at, row.line) for sentence, row in rows(broken).items()} == {
        UNLIKE: ("main/add", 11),
        CIRCLE: ("main/add", 5),
        SECOND: ("main/loss", 15),
        NOBODY: ("main/e_1", 16),
        TWICE: ("main/e_1", 7),
    }
    assert rows(broken)[UNLIKE].place == "main / add, line 11"
    assert said(broken).startswith("5 problems in this file")


def test_each_fix_is_one_edit_that_can_be_undone(broken: Driver) -> None:
    before = broken.graph
    for sentence in (UNLIKE, CIRCLE, SECOND, NOBODY):
        fix(broken, sentence)
        broken.qtbot.waitUntil(lambda: sentence not in rows(broken))  # noqa: B023
        broken.undo()
        assert broken.graph is before
        broken.settle()


def test_all_is_fixed_at_once_and_undone_at_once(broken: Driver) -> None:
    before = broken.graph
    assert broken.child(QToolButton, "status_action").text() == "Show"
    QTest.mouseClick(broken.child(QToolButton, "status_action_1"), LEFT)
    broken.settle()
    assert broken.undo_text() == "Fix all"
    assert broken.wires() == {"x.y > add.x", "add.z > e.x", "e.y > loss.x"}
    broken.qtbot.waitUntil(lambda: list(rows(broken)) == [TWICE])
    assert said(broken).startswith("1 problem in this file")
    assert not broken.child(QToolButton, "status_action_1").isVisible()
    broken.undo()
    assert broken.graph is before


def test_saving_ends_what_was_said_of_the_file(broken: Driver) -> None:
    broken.trigger("save")
    # An error is left, which is no matter of the file.
    assert "in this file" not in said(broken) and broken.window.parts.layout.status.sentence.token == "error"
    broken.qtbot.waitUntil(lambda: not rows(broken))
    path = broken.session.document.path
    assert path is not None
    assert load(path).notices == ()


def test_show_leads_to_the_list_and_is_enough_where_nothing_can_be_mended(user: Driver, tmp_path: Path) -> None:
    twice = json.loads(f"{HEAD}\n{BLOCKS}")
    twice["pages"][0]["wires"] = []
    (tmp_path / "twice.graph").write_text(json.dumps(twice), "utf-8")
    user.open(tmp_path / "twice.graph")
    assert said(user).startswith("1 problem in this file")
    QTest.mouseClick(user.child(QToolButton, "status_action"), LEFT)
    user.settle()
    assert user.child(QListView, "problems_list").hasFocus()
    assert not said(user).startswith("1 thing")


def test_a_file_without_pages_opens_with_an_empty_one(user: Driver, tmp_path: Path) -> None:
    path = tmp_path / "none.graph"
    path.write_text(dumps(Graph(())), "utf-8")
    user.open(path)
    assert user.page.name == "main"
    assert user.session.document.is_saved
    user.add("Exp", user.points.empty())
    user.trigger("save")
    assert list(load(path).graph.page("main").blocks) == ["Exp"]


def refused(user: Driver, path: Path, press: str = "") -> str:
    """Opens a file that cannot be read; returns the dialog's text and the names of its buttons."""
    said: list[str] = []

    def answer() -> None:
        (box,) = [item for item in QApplication.topLevelWidgets() if isinstance(item, QMessageBox) and item.isVisible()]
        said.append(" | ".join([box.informativeText(), *(button.text() for button in box.buttons())]))
        next(button for button in box.buttons() if not press or button.text() == press).click()

    QTimer.singleShot(0, user.window, answer)
    assert not user.window.parts.documents.opening.open(path)
    return said[0]


def test_a_file_cut_short_is_refused_with_its_line_and_the_line_itself(user: Driver, tmp_path: Path) -> None:
    path = tmp_path / "cut.graph"
    path.write_text(f"{HEAD}\n{BLOCKS}"[:220], "utf-8")
    said = refused(user, path)
    assert said.startswith("cut.graph, line 6, column ")
    assert "▸" in said
    assert "Versions" not in said


def test_kept_versions_of_a_file_that_cannot_be_read_are_offered(user: Driver, tmp_path: Path) -> None:
    path = tmp_path / "lost.graph"
    path.write_text(f"{HEAD}\n{BLOCKS}", "utf-8")
    user.window.parts.documents.saving.backups.keep_file(path)
    path.write_bytes(bytes(4096))
    assert "Here stands NUL" in refused(user, path, "Open its last version")
    assert user.page.blocks and "lost of " in user.window.parts.document.name


FOREIGN = {
    "a picture": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "a ZIP archive": b"PK\x03\x04\x14\0\xff\xfe",
    "a PDF document": b"%PDF-1.7\n%\xe2\xe3",
    "an ONNX model": b"\x08\x07\x12\x07pytorch\x1a\x031.9:\xff",
    "a compressed file": b"\x1f\x8b\x08\0\xff",
    "an HDF5 file": b"\x89HDF\r\n\x1a\n",
    "an array of NumPy": b"\x93NUMPY\x01\0v\0{'descr'",
    "empty": b"\n",
    "a binary file": b"\x7fELF\2\0\xff",
    "a text": "Dear reader, näher {so}.\n".encode(),
}


@pytest.mark.parametrize("kind", FOREIGN)
def test_a_wrong_file_is_called_what_it_is(user: Driver, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_bytes(FOREIGN[kind])
    assert refused(user, path).startswith(f'"bad.txt" is not a Gradwire graph. It is {kind}. |')


def test_the_last_version_of_a_file_that_something_else_has_replaced_is_offered(user: Driver, tmp_path: Path) -> None:
    path = tmp_path / "lost.graph"
    path.write_text(f"{HEAD}\n{BLOCKS}", "utf-8")
    user.window.parts.documents.saving.backups.keep_file(path)
    path.write_bytes(FOREIGN["a picture"])
    assert "It is a picture." in refused(user, path, "Open its last version")
    assert user.page.blocks and "lost of " in user.window.parts.document.name


def test_the_sentence_names_the_place_as_the_format_says() -> None:
    error = FileError("A value is expected here.", 25009, 28, '"at": [▸, 5]')
    assert unreadable_sentence("model.graph", error) == (
        'model.graph, line 25009, column 28: A value is expected here.\n\n"at": [▸, 5]'
    )
    assert unreadable_sentence("a.graph", FileError("It is too large.")) == "a.graph: It is too large."


def test_a_thousand_defects_are_counted_and_a_hundred_listed(user: Driver, tmp_path: Path) -> None:
    wires = ",\n".join(f'["nobody.y", "add.p{number}"]' for number in range(1000))
    blocks = '{"id": "add", "type": "Add", "at": [160, 0]}'
    path = tmp_path / "many.graph"
    path.write_text(f'{HEAD}{{"name": "main", "blocks": [{blocks}], "wires": [{wires}]}}]}}', "utf-8")
    user.open(path)
    user.qtbot.waitUntil(lambda: len(rows(user)) == 100)
    session = user.window.session
    user.qtbot.waitUntil(lambda: session.runs.are_current)
    assert [problem.message for problem in session.problems if problem.code == "more"] == [
        "Further problems that are not listed: 902."
    ]
    assert said(user).startswith("At least 100 problems in this file")
