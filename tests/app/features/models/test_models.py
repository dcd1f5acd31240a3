"""Models of PyTorch in the window: read in a process, with what they leave open asked for, and shown unsaved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QLineEdit, QMessageBox, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot

from gradwire.app.features.models.importing import Importing
from gradwire.app.features.models.reading_process import Choices, answer
from gradwire.app.live.selection import Selection
from gradwire.engine.edits.edits import move_blocks
from gradwire.engine.files.files import save
from gradwire.interop.models.graphs import Model
from gradwire.interop.pt2.from_pt2 import from_pt2
from tests.app.window.driver import Driver
from tests.interop.onnx.test_from_onnx import layer
from tests.interop.pt2.recorded import Recorded

PATIENCE_MS = 20_000
MODELS, HOSTILE = Recorded("models"), Recorded("hostile")


@pytest.fixture
def begin(user: Driver, tmp_path: Path) -> Callable[[str], Importing]:
    """A function that begins to open a recorded model."""

    def open_model(name: str) -> Importing:
        path = tmp_path / f"{name}.pt2"
        path.write_bytes((MODELS if name in MODELS.names else HOSTILE).model(name))
        assert user.window.parts.documents.opening.open(path)
        return user.window.parts.documents.opening.importing

    return open_model


def dialog(user: Driver) -> QDialog | None:
    found = user.window.findChildren(QDialog, "import_dialog")
    return next((item for item in found if item.isVisible()), None)


def test_a_model_is_shown_unsaved_with_its_notices_and_lines(
    user: Driver, begin: Callable[[str], Importing], qtbot: QtBot
) -> None:
    begin("mlp")
    assert dialog(user) is not None
    qtbot.waitUntil(lambda: dialog(user) is None, timeout=PATIENCE_MS)
    user.settle()
    assert user.window.shown_title.startswith("mlp")
    assert user.window.has_changes and user.window.path is None
    said = [problem.message for problem in user.session.problems if problem.code == "import"]
    assert "Nobody gave x: its numbers are drawn with seed 0." in said
    block = next(item for item in user.session.page.blocks.values() if "origin" in item.extra)
    user.session.select(Selection(frozenset({block.id})))
    user.window.parts.panels.overlay.open()
    user.settle()
    shown = user.window.findChild(QLineEdit, "inspector_origin")
    assert shown is not None and shown.text() == block.extra["origin"]


def test_a_saved_model_says_again_how_it_came_in(user: Driver, tmp_path: Path) -> None:
    path = tmp_path / "kinks.graph"
    save(from_pt2(MODELS.model("kinks")), path)
    assert user.window.parts.documents.opening.open(path)
    user.settle()
    before = [problem.message for problem in user.session.problems if problem.code == "import"]
    assert any("of two equal numbers the first has the whole gradient here" in sentence for sentence in before)
    user.session.file.mark_saved(path)
    assert [problem.message for problem in user.session.problems if problem.code == "import"] == before


def test_the_same_model_comes_in_again_by_an_edit(
    user: Driver, begin: Callable[[str], Importing], qtbot: QtBot
) -> None:
    begin("mlp")
    qtbot.waitUntil(lambda: dialog(user) is None, timeout=PATIENCE_MS)
    user.settle()
    session, before = user.session, user.graph
    name = next(iter(before.page("main").blocks))
    session.apply("Move", move_blocks, "main", {name: (-500, -400)})
    moved = session.graph
    begin("mlp")
    qtbot.waitUntil(lambda: dialog(user) is None, timeout=PATIENCE_MS)
    user.settle()
    assert user.session is session
    assert session.graph == moved and session.graph is not moved
    session.undo()
    assert session.graph is moved


@pytest.mark.long
def test_free_sizes_and_fillings_are_asked_for(user: Driver, begin: Callable[[str], Importing], qtbot: QtBot) -> None:
    begin("regressor")

    def asked() -> QDialog | None:
        found = dialog(user)
        return found if found is not None and found.findChild(QComboBox, "import_fill") is not None else None

    qtbot.waitUntil(lambda: asked() is not None, timeout=PATIENCE_MS)
    shown = asked()
    assert shown is not None
    (size,) = [field for field in shown.findChildren(QSpinBox) if field.objectName().startswith("size_")]
    size.setValue(7)
    fill = shown.findChild(QComboBox, "import_fill")
    assert fill is not None
    fill.setCurrentIndex(fill.findText("Ones"))
    take = shown.findChild(QPushButton, "import_take")
    assert take is not None
    take.click()
    qtbot.waitUntil(lambda: dialog(user) is None, timeout=PATIENCE_MS)
    np.testing.assert_array_equal(
        user.graph.block("main/x").parameters["value"],
        np.ones((7, 3)),
    )


def test_a_model_that_is_stopped_changes_nothing(user: Driver, begin: Callable[[str], Importing]) -> None:
    graph = user.graph
    begin("mlp")
    shown = dialog(user)
    assert shown is not None
    stop = shown.findChild(QPushButton, "import_stop")
    assert stop is not None
    stop.click()
    assert dialog(user) is None
    user.settle()
    assert user.graph is graph


def test_a_model_that_cannot_come_in_is_one_sentence(
    user: Driver, begin: Callable[[str], Importing], qtbot: QtBot
) -> None:
    graph = user.graph

    def refused() -> None:
        begin("decomposed")
        qtbot.waitUntil(lambda: dialog(user) is None, timeout=PATIENCE_MS)

    said = user.popups.answer("error_dialog", QMessageBox.StandardButton.Ok, refused)
    assert "decomposed.pt2: it was decomposed before it was saved" in said
    assert user.graph is graph


def test_the_dialog_for_opening_shows_models(user: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    filters: list[str] = []

    def cancel(*given: object) -> tuple[str, str]:
        filters.append(str(given[-1]))
        return "", ""

    monkeypatch.setattr(QFileDialog, "getOpenFileName", cancel)
    user.trigger("open")
    assert all(ending in filters[0] for ending in ("*.pt2", "*.onnx", "*.graph"))


def test_a_model_of_onnx_is_read_by_the_same_process(tmp_path: Path) -> None:
    path = tmp_path / "layer.onnx"
    path.write_bytes(layer())
    asked = answer(path, None)
    assert isinstance(asked, list) and asked[0].symbol == "batch"
    read = answer(path, Choices({"batch": 4}, number=1.0))
    assert isinstance(read, Model)
    np.testing.assert_array_equal(read.graph.page("main").blocks["x"].parameters["value"], np.ones((4, 3)))


@pytest.mark.long
def test_a_model_of_onnx_is_shown_unsaved_with_the_names_of_its_nodes(
    user: Driver, tmp_path: Path, qtbot: QtBot
) -> None:
    path = tmp_path / "layer.onnx"
    path.write_bytes(layer())
    assert user.window.parts.documents.opening.open(path)
    qtbot.waitUntil(
        lambda: dialog(user) is not None and dialog(user).findChild(QPushButton, "import_take") is not None,
        timeout=PATIENCE_MS,
    )
    take = dialog(user).findChild(QPushButton, "import_take")
    assert take is not None
    take.click()
    qtbot.waitUntil(lambda: dialog(user) is None, timeout=PATIENCE_MS)
    user.settle()
    assert user.window.shown_title.startswith("layer") and user.window.path is None
    assert user.graph.block("main/Relu").extra["origin"] == "/Relu"
