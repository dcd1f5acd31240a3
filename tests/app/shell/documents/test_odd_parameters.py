"""A file with parameters of any kind is shown, inspected and set right in the window."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu

from gradwire.app.canvas.painting.picture import with_places
from gradwire.app.live.selection import Selection
from gradwire.app.start.main_window import MainWindow
from gradwire.engine.files.files import loads
from tests.app.window.driver import Driver
from tests.engine.autodiff.test_odd_parameters import KINDS

# One block for each kind of editor, and for each field on the canvas itself.
BLOCKS = {"Cast": "dtype", "Softplus": "features", "Page": "page", "PageInput": "name", "Gradients": "stop_gradients"}
BLOCKS |= {"ReduceMax": "keepdims", "Loss": "reduction", "Input": "value", "Reshape": "shape", "LeakyRelu": "alpha"}


def text_with(value: object) -> str:
    blocks = [{"id": name, "type": name, "parameters": {parameter: value}} for name, parameter in BLOCKS.items()]
    head = {"format": "gradwire.graph", "version": [1, 0], "conventions": "tf-2.21"}
    return json.dumps(head | {"pages": [{"name": "main", "blocks": blocks, "wires": []}]})


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_blocks_with_odd_parameters_are_shown_and_inspected(one_window: MainWindow, user: Driver, kind: str) -> None:
    one_window.parts.document.show(with_places(loads(text_with(KINDS[kind])).graph))
    canvas = one_window.parts.canvas
    for name in BLOCKS:
        one_window.session.select(Selection(frozenset([name])))
        QApplication.processEvents()
        canvas.grab()
        canvas.setFocus()
        user.qtbot.keyClick(canvas, Qt.Key.Key_T)
        for menu in canvas.findChildren(QMenu, "choice_menu"):
            menu.close()
    # All of them have a problem where the value does not fit, and none is a fault of ours.
    assert not [problem for problem in one_window.session.problems if problem.code == "fault"]
    assert "main/Page" in {problem.at for problem in one_window.session.problems}
