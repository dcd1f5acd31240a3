"""The line that fills a tensor: its fields, the words of its button, and what it asks for."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.tensor_edits import Fill
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.values.tensor_fill import FIELDS, FillLine


class _Line(FillLine):
    """A line that keeps what it asks for."""

    def __init__(self, parent: QWidget) -> None:
        self.fills, self.refusals = list[Fill](), list[str]()
        super().__init__(parent, self.fills.append, self.refusals.append)


@pytest.fixture
def line(qtbot: QtBot) -> _Line:
    parent = QWidget()
    qtbot.addWidget(parent)
    return _Line(parent)


def field(line: _Line, name: str) -> QLineEdit:
    found = line.findChild(QLineEdit, f"fill_{name}")
    assert isinstance(found, QLineEdit)
    return found


def choose(line: _Line, content: str) -> None:
    box = line.findChild(ChoiceBox, "fill_content")
    assert isinstance(box, ChoiceBox)
    box.setCurrentIndex(box.findData(content))
    box.activated.emit(box.currentIndex())


def asked(line: _Line) -> tuple[list[Fill], list[str]]:
    button = line.findChild(QPushButton, "fill")
    assert isinstance(button, QPushButton)
    button.click()
    return line.fills, line.refusals


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("zeros", {}),
        ("ones", {}),
        ("range", {"first": "from", "second": "step"}),
        ("normal", {"first": "mean", "second": "deviation", "seed": "seed"}),
    ],
)
def test_each_content_has_its_fields(line: _Line, content: str, names: dict[str, str]) -> None:
    choose(line, content)
    assert {name for name in FIELDS if not field(line, name).isHidden()} == names.keys()
    assert [field(line, name).accessibleName() for name in FIELDS] == [names.get(name, "") for name in FIELDS]
    shown = [
        label.text() for label in line.findChildren(QLabel) if not label.isHidden() and label.text() != "Fill with"
    ]
    assert shown == list(names.values())
    assert asked(line) == ([Fill(content, 0.0, 1.0, 0)], [])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("count", "text"), [(0, "Fill all"), (1, "Fill all"), (2, "Fill 2 cells"), (1500, "Fill 1,500 cells")]
)
def test_the_button_says_how_many_cells_it_fills(line: _Line, count: int, text: str) -> None:
    line.show_count(count)
    button = line.findChild(QPushButton, "fill")
    assert isinstance(button, QPushButton) and button.text() == text


@pytest.mark.parametrize(
    ("name", "text", "refusal"),
    [
        ("first", "a", '"a" is not a number to fill with.'),
        ("second", "", '"" is not a number to fill with.'),
        ("seed", "-1", '"-1" is no seed; write a whole number of at least 0.'),
        ("seed", "1.5", '"1.5" is no seed; write a whole number of at least 0.'),
    ],
)
def test_what_is_no_number_is_refused(line: _Line, name: str, text: str, refusal: str) -> None:
    choose(line, "normal")
    field(line, name).setText(text)
    assert asked(line) == ([], [refusal])


def test_numbers_are_those_of_their_fields(line: _Line) -> None:
    choose(line, "normal")
    for name, text in (("first", "-2.5"), ("second", "1e3"), ("seed", "7")):
        field(line, name).setText(text)
    assert asked(line) == ([Fill("normal", -2.5, 1000.0, 7)], [])
