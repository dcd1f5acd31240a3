"""The label of a wire is a target: a click on it selects the wire."""

from __future__ import annotations

from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.painting.labels.labels import Placed
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.page_labels import label_scale
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import theme
from gradwire.engine.graph.graph import Port, Wire
from tests.app.canvas.pages import drawn_page, example


def centre_of_gradient(placed: Placed, zoom: float) -> QPointF:
    left, top, right, bottom = placed.rects(label_scale(zoom))[-1]
    return QPointF((left + right) / 2, (top + bottom) / 2)


def test_a_click_on_a_label_selects_its_wire(qtbot: QtBot) -> None:
    canvas = Canvas(CurrentSession(Session(example("softmax_stable"), InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(canvas)
    canvas.resize(1366, 640)
    canvas.show()
    canvas.grab()
    zoom = canvas.camera.scale
    # Another painter of the same page at the same zoom puts the labels where the canvas has them.
    _, found = drawn_page(canvas.mirror, Look(theme("dark"), zoom))
    wire = Wire(Port("m", "y"), Port("stop", "x"))
    at = canvas.camera.to_view(centre_of_gradient(found[wire], zoom)).toPoint()
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    assert canvas.session.selection.wires == {wire}
    canvas.session.close()
