"""The dialog of a model that is read: its two faces, what it asks, and what is answered."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.models.busy_bar import BusyBar
from gradwire.app.features.models.import_dialog import ImportDialog, _axes_text
from gradwire.app.features.models.reading_process import Choices
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.look.motion import set_moves
from gradwire.interop.models.inputs import FreeSize
from tests.app.drawn_shapes import room_of

BATCH = FreeSize("batch", 2, (("x", 0), ("labels", 1)))
LENGTH = FreeSize("length", 7, (("x", 1),))


@pytest.fixture
def dialog(qtbot: QtBot) -> ImportDialog:
    parent = QWidget()
    qtbot.addWidget(parent)
    return ImportDialog("model.onnx", parent)


@pytest.mark.parametrize("count", [1, 3, 4, 9])
def test_three_axes_of_a_size_are_named(count: int) -> None:
    found = _axes_text(FreeSize("n", 2, tuple((f"x{n}", n) for n in range(count))))
    assert found == ", ".join(f"x{n} axis {n}" for n in range(min(count, 3))) + (" …" if count > 3 else "")


def test_it_says_what_is_read_and_can_be_stopped(dialog: ImportDialog) -> None:
    stopped: list[bool] = []
    dialog.rejected.connect(lambda: stopped.append(True))
    dialog.wait()
    sentence, stop = dialog.findChild(QLabel, "import_sentence"), dialog.findChild(QPushButton, "import_stop")
    assert isinstance(sentence, QLabel) and isinstance(stop, QPushButton)
    assert sentence.text() == "Reading model.onnx …" and sentence.isVisible() and dialog.minimumWidth() == 420
    stop.click()
    assert stopped == [True] and not dialog.isVisible()


def test_it_asks_for_sizes_and_numbers(dialog: ImportDialog) -> None:
    chosen: list[Choices] = []
    dialog.chosen.connect(chosen.append)
    dialog.wait()
    dialog.ask([BATCH, LENGTH])
    sizes = [dialog.findChild(QSpinBox, f"size_{name}") for name in ("batch", "length")]
    seed, fill = dialog.findChild(QSpinBox, "import_seed"), dialog.findChild(ChoiceBox, "import_fill")
    assert isinstance(seed, QSpinBox) and isinstance(fill, ChoiceBox)
    assert [(field.minimum(), field.value(), field.maximum()) for field in sizes if field is not None] == [
        (1, 2, 1_000_000), (1, 7, 1_000_000),
    ]  # fmt: skip
    assert (seed.minimum(), seed.value(), seed.maximum(), seed.isEnabled()) == (0, 0, 2**31 - 1, True)
    assert [fill.itemText(row) for row in range(fill.count())] == ["Random numbers", "Zeros", "Ones"]
    assert dialog._faces.currentIndex() == 1 and seed.isVisible()
    words = [label.text() for label in dialog.findChildren(QLabel) if label.isVisible()]
    assert {"model.onnx leaves sizes open:", "x axis 0, labels axis 1", "x axis 1"} <= set(words)
    take = dialog.findChild(QPushButton, "import_take")
    assert isinstance(take, QPushButton) and take.isDefault()
    seed.setValue(5)
    for row, number, is_random in ((0, None, True), (1, 0.0, False), (2, 1.0, False)):
        fill.setCurrentIndex(row)
        take.click()
        assert chosen[-1] == Choices({"batch": 2, "length": 7}, 5, number) and seed.isEnabled() is is_random
    layouts = [face.layout() for face in (dialog._faces.widget(0), dialog._faces.widget(1))]
    assert [room_of(layout) for layout in layouts] == ["20 · 12", "20 · 12"]
    dialog.wait()
    assert dialog._faces.currentIndex() == 0


@pytest.mark.parametrize("moves", [True, False])
def test_the_bar_moves_while_it_is_seen_if_anything_does(qtbot: QtBot, moves: bool) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    bar = BusyBar(parent)
    set_moves(moves)
    try:
        parent.show()
        assert (bar._timer.isActive(), bar._timer.interval()) == (moves, 40)
        parent.hide()
        assert not bar._timer.isActive()
    finally:
        set_moves(None)
