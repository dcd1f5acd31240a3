"""Parts of the inspector alone: counts of a page, parameters in common, files of a Data block, and read-only lines."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.features.inspector.data_file import DataBox, choose_file, data_text, name_in_folder, outside
from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.features.inspector.own_gradient_view import OwnGradientView
from gradwire.app.features.inspector.page_view import PageView
from gradwire.app.features.inspector.parameter_rows import row_name
from gradwire.app.features.inspector.read_field import ReadField
from gradwire.app.features.inspector.several_view import SeveralView, common_parameters
from gradwire.app.kit.controls.parameter_editors import MIXED
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.blocktypes.library import library
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Block, Graph, Note
from tests.app.canvas.pages import chain

DARK = Appearance("dark")


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    return made


def session_of(graph: Graph, qtbot: QtBot) -> Session:
    made = Session(graph, InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    return made


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    """x -> e -> s -> loss."""
    made = session_of(chain(1.0, 2.0), qtbot)
    yield made
    made.close()


@pytest.mark.parametrize(("names", "value"), [((), "no loss"), (("loss",), "9"), (("loss", "more"), "12")])
def test_the_loss_is_the_sum_of_all(names: tuple[str, ...], value: str, qtbot: QtBot) -> None:
    x = gw.Input(np.array(3.0), name="x")
    made = {"loss": gw.Square(x), "more": x}
    shown = session_of(gw.graph(*[gw.Loss(made[name], name=name) for name in names], x), qtbot)
    view = PageView(CurrentSession(shown), DARK)
    qtbot.addWidget(view)
    field = view.findChild(QLineEdit, "inspector_loss_value")
    assert isinstance(field, QLineEdit) and field.text() == value
    shown.close()


def test_the_first_line_of_the_first_note_says_what_a_page_is_for(session: Session, qtbot: QtBot) -> None:
    view = PageView(CurrentSession(session), DARK)
    qtbot.addWidget(view)
    summary = view.findChild(QLabel, "inspector_summary")
    assert isinstance(summary, QLabel) and summary.text() == ""
    page = session.page
    first, second = Note("a", "One line.\nAnother."), Note("b", "Second.")
    noted = dataclasses.replace(page, notes=(first, second))
    session.apply("Note", lambda graph: dataclasses.replace(graph, pages=(noted, *graph.pages[1:])))
    view.refresh()
    assert summary.text() == "One line."


@pytest.mark.parametrize(
    ("types", "names"),
    [
        ((), []),
        (("Nothing",), []),
        (("ReduceSum", "Nothing"), []),
        (("Nothing", "ReduceSum"), []),
        (("ReduceSum",), ["axis", "keepdims"]),
        (("ReduceSum", "ReduceMax"), ["axis", "keepdims"]),
        (("ReduceSum", "Exp"), []),
        (("Softmax", "ReduceSum"), []),
    ],
)
def test_common_parameters_are_of_one_name_and_kind(types: tuple[str, ...], names: list[str]) -> None:
    assert [item.name for item in common_parameters(types)] == names


def test_a_common_value_is_that_of_all_blocks(session: Session, qtbot: QtBot) -> None:
    """A block without a value has the default of its type."""

    def add(graph: Graph) -> Graph:
        for name, given in (("r", {}), ("t", {"keepdims": False}), ("u", {"keepdims": True})):
            graph, _ = edits.add_block(graph, "main", "ReduceSum", id=name, parameters=given)
        return graph

    session.apply("Add", add)
    (keepdims,) = [item for item in common_parameters(["ReduceSum"]) if item.name == "keepdims"]
    for names, value in ((("r",), False), (("r", "t"), False), (("u", "u"), True), (("r", "u"), MIXED)):
        view = SeveralView(CurrentSession(session), DARK, [session.page.blocks[name] for name in names])
        qtbot.addWidget(view)
        assert view._common(keepdims) is value
        view._ids = []
        assert view._common(keepdims) is MIXED


@pytest.mark.parametrize(
    ("name", "text"),
    [("dtype", "Type"), ("keepdims", "Keep dims"), ("start_value", "Start value"), ("axis", "Axis")],
)
def test_a_parameter_has_its_name_in_words(name: str, text: str) -> None:
    assert row_name(name) == text


# The file of a Data block


def lent(folder: Path | None, content: object, place: Path | None = None) -> SimpleNamespace:
    """What a box asks of a session: where files may be, and what was read."""
    data = SimpleNamespace(folder=folder, lent=place, content=lambda _: content)
    return SimpleNamespace(data=data, page_name="main", graph=Graph())


@pytest.mark.parametrize(
    ("parameters", "is_shown", "can_change"),
    [
        ({}, False, False),
        ({"set": "iris"}, False, False),
        ({"set": 1}, False, False),
        ({"set": "file"}, True, False),
        ({"set": "file", "file": "a.csv"}, True, True),
        ({"set": "file", "file": ""}, True, False),
        ({"set": "file", "file": "a.csv", "inputs": np.ones(2)}, False, True),
    ],
)
def test_only_a_block_that_reads_a_file_tells_of_it(
    parent: QWidget, parameters: dict[str, object], is_shown: bool, can_change: bool
) -> None:
    box = DataBox(parent, print, print)
    box.show_file(lent(None, None), Block("d", "Data", parameters=parameters))  # type: ignore[arg-type]
    change = box.findChild(QPushButton, "inspector_data_change")
    assert isinstance(change, QPushButton)
    assert (not box.isHidden(), change.isEnabled()) == (is_shown, can_change)


@pytest.mark.parametrize(
    ("file", "folder", "content", "said"),
    [
        ("", None, None, "No file yet."),
        ("a.csv", None, None, "Save the graph beside the file first, or browse."),
        ("a.csv", Path("/tmp"), None, "Not read yet."),
        ("a.csv", Path("/tmp"), "It cannot be read.", "It cannot be read."),
    ],
)
def test_a_file_is_read_or_it_says_why_not(
    parent: QWidget, file: str, folder: Path | None, content: object, said: str
) -> None:
    box = DataBox(parent, print, print)
    box.show_file(lent(folder, content), Block("d", "Data", parameters={"set": "file", "file": file}))  # type: ignore[arg-type]
    line = box.findChild(QLabel, "inspector_data_line")
    assert isinstance(line, QLabel) and line.text() == said
    assert data_text(None) == ""


def test_a_refusal_stands_there_until_it_is_over(parent: QWidget) -> None:
    box = DataBox(parent, print, print)
    refusal = box.findChild(QLabel, "inspector_data_refusal")
    assert isinstance(refusal, QLabel)
    for sentence in ("No.", ""):
        box.refuse(sentence)
        assert (refusal.text(), refusal.isHidden()) == (sentence, not sentence)


@pytest.mark.parametrize(
    ("path", "chosen", "name"),
    [
        (True, "data/a.csv", "data/a.csv"),
        (True, "../a.csv", None),
        (False, "data/a.csv", "a.csv"),
        (False, "../a.csv", "a.csv"),
    ],
)
def test_a_chosen_file_lies_in_the_folder_of_the_graph(
    tmp_path: Path, path: bool, chosen: str, name: str | None, qtbot: QtBot
) -> None:
    """A graph without a file borrows the folder of what is chosen."""
    folder = tmp_path / "graphs"
    (folder / "data").mkdir(parents=True)
    file = (folder / chosen).resolve()
    file.write_text("1,2\n")
    shown = Session(Graph(), InlineEvaluator, path=folder / "a.graph" if path else None)
    assert name_in_folder(shown, "main/d", file) == name
    assert outside(file) == "a.csv lies outside the folder of the graph; copy it there."
    shown.close()


def test_nothing_chosen_is_no_refusal(session: Session, parent: QWidget, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    module = "gradwire.app.features.inspector.data_file.QFileDialog.getOpenFileName"
    monkeypatch.setattr(module, lambda _, __, folder, kinds: asked.append(f"{folder} {kinds}") or ("", ""))
    assert choose_file(session, "d", parent) == ""
    assert asked[0].startswith(f"{Path.home()} Examples (*") and " *ubyte);;All files (*)" in asked[0]


# Lines that are read


def test_a_line_without_room_has_a_tip_with_all_of_it(parent: QWidget) -> None:
    field = ReadField("x", parent)
    parent.show()
    wide = field.fontMetrics().horizontalAdvance("a long name")
    field.setText("a long name")
    frame = 100 - field._room().width() if field.resize(100, 24) is None else 0
    for width, is_told in ((wide + frame, False), (wide + frame - 1, True), (wide + frame, False)):
        field.resize(width, 24)
        assert field._room().width() == width - frame
        assert ("a long name" in field.toolTip()) is is_told


def test_the_inspector_is_as_high_as_what_it_shows(session: Session, qtbot: QtBot) -> None:
    made = Inspector(CurrentSession(session), DARK)
    qtbot.addWidget(made)
    view = made._view
    assert view is not None and made.sizeHint() == QSize(320, 600)
    wanted = view.heightForWidth(298) if view.hasHeightForWidth() else view.sizeHint().height()
    assert made.content_height(298) == wanted > 100
    made._view = None
    assert made.content_height(298) == 0


def test_a_page_that_takes_part_in_no_gradient_has_no_such_section(session: Session, qtbot: QtBot) -> None:
    current = CurrentSession(session)
    holder = QWidget()
    qtbot.addWidget(holder)
    view = OwnGradientView(current, DARK, holder)
    view.refresh()
    assert view.isHidden()

    def add(graph: Graph) -> Graph:
        graph, _ = edits.add_page(graph, "used")
        return edits.add_block(graph, "used", "PageInput", id="a", parameters={"name": "a"})[0]

    session.apply("Add", add)
    session.view.show("used")
    view.refresh()
    assert not view.isHidden()
    choice, show, owner = (
        view.findChild(QWidget, f"inspector_{n}") for n in ("gradient_page", "show_gradient", "gradient_of")
    )
    assert isinstance(choice, QWidget) and isinstance(show, QWidget) and isinstance(owner, QWidget)
    assert (choice.isHidden(), show.isHidden(), owner.isHidden()) == (False, True, True)
    assert choice.height() == 24 and library.get("PageInput") is not None
