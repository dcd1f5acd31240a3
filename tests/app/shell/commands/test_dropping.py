"""Files that are dropped or named: what becomes of each is said before, and then it does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit

from gradwire.app.shell.commands.dropping import outcome
from gradwire.engine.files.files import save
from tests.app.window.driver import LEFT, Driver, Key
from tests.app.window.graphs import chain

NO_KEYS = Qt.KeyboardModifier.NoModifier
CONTENTS = {
    "a.graph": (b'{"format": "gradwire.graph"}', "Opens as a graph"),
    "b.graph": (b"hello", '"b.graph" is not a Gradwire graph. It is a text.'),
    "c.onnx": (b"", "Reads the model: c.onnx"),
    "d.PT2": (b"", "Reads the model: d.PT2"),
    "e.py": (b"y = relu(x)", "Reads the code: its formulas become blocks"),
    "f.npz": (b"", "Becomes a Data block with its examples"),
    "g.npy": (b"", "Becomes a block with its numbers"),
    "h.csv": (b"1,2", "Becomes a block with its numbers"),
    "i.png": (b"\x89PNG", '"i.png" is not a Gradwire graph. It is a picture.'),
    "j.exe": (b"\0\1", '"j.exe" is not a Gradwire graph. It is a binary file.'),
}


@pytest.mark.parametrize("name", CONTENTS)
def test_what_becomes_of_a_file_is_known_before(tmp_path: Path, name: str) -> None:
    content, expected = CONTENTS[name]
    (tmp_path / name).write_bytes(content)
    assert outcome(tmp_path / name) == expected


def test_a_folder_is_no_graph(tmp_path: Path) -> None:
    assert outcome(tmp_path).endswith("is not a Gradwire graph.")


def test_a_file_that_is_dragged_over_the_window_says_what_it_becomes_until_it_leaves(user: Driver) -> None:
    data, hint = QMimeData(), user.child(QLabel, "drop_hint")
    data.setUrls([QUrl.fromLocalFile("/net.onnx")])
    QApplication.sendEvent(user.window, QDragEnterEvent(QPoint(9, 9), Qt.DropAction.CopyAction, data, LEFT, NO_KEYS))
    assert hint.isVisible() and hint.text() == "Reads the model: net.onnx"
    assert user.window.rect().contains(hint.geometry())
    QApplication.sendEvent(user.window, QDragLeaveEvent())
    assert not hint.isVisible()


def test_code_and_examples_that_are_dropped_become_blocks(user: Driver, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("p = softmax(x - stop(max(x)))")
    np.savez(tmp_path / "b.npz", x=np.ones((3, 2)), y=np.ones(3))
    user.hand.drop_file(tmp_path / "a.py")
    assert "StopGradient" in {block.type for block in user.page.blocks.values()}
    user.hand.drop_file(tmp_path / "b.npz")
    assert "Data" in {block.type for block in user.page.blocks.values()}


def test_a_path_that_is_pasted_on_the_empty_page_opens_its_file(user: Driver, tmp_path: Path) -> None:
    save(chain(), tmp_path / "a.graph")
    QApplication.clipboard().setText(str(tmp_path / "a.graph"))
    user.child(QLineEdit, "start_field").paste()
    user.settle()
    QTest.keyClick(user.child(QLineEdit, "search_field"), Key.Key_Return)
    user.settle()
    assert user.graph == chain()


def test_a_path_that_leads_nowhere_is_said(user: Driver) -> None:
    user.child(QLineEdit, "start_field").setText("/nowhere/a.graph")
    user.settle()
    assert user.child(QLabel, "search_message").text() == 'There is no file "/nowhere/a.graph".'
