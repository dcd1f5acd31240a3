"""Layers that are shown as one block: clicks, selections and keys open and close them, and the graph never changes."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QKeyEvent, QMouseEvent
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.access.sentences import block_sentence
from gradwire.app.canvas.access.text_recorder import TextRecorder
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.fold_norms import fold_norms
from gradwire.app.canvas.input.arrow_navigation import Place, Thing
from gradwire.app.canvas.painting.blocks.fold_painter import FoldPainter
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Port
from tests.app.canvas.pages import MAIN, deep

Held, Button = Qt.KeyboardModifier, Qt.MouseButton
GUILTY = 7


@pytest.fixture
def canvas(qtbot: QtBot) -> Iterator[Canvas]:
    found = Canvas(CurrentSession(Session(deep(12, GUILTY), InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(found)
    found.resize(1300, 700)
    found.viewport.fit_page()
    graph = found.session.graph
    yield found
    assert found.session.document.undo_text is not None or found.session.graph is graph
    found.session.close()


def folds(canvas: Canvas) -> list[str]:
    return [shape.title for name, shape in zip(canvas.mirror.ids, canvas.mirror.shapes, strict=True)
            if name in canvas.mirror.folds]  # fmt: skip


def at_layer(canvas: Canvas, number: int, fold: str = "w1") -> QPointF:
    """The point of the view at which the chart of a fold has a layer."""
    shown, corner = canvas.mirror.folds[fold], canvas.mirror.rect(fold).topLeft()
    share = (number - shown.first) / (len(shown.layers) - 1)
    plot = shown.plot
    return canvas.camera.to_view(corner + QPointF(plot.left() + share * plot.width(), plot.center().y()))


def click(canvas: Canvas, at: QPointF) -> None:
    for kind, which in (("press", QEvent.Type.MouseButtonPress), ("release", QEvent.Type.MouseButtonRelease)):
        held = Button.LeftButton if kind == "press" else Button.NoButton
        getattr(canvas.mouse, kind)(QMouseEvent(which, at, at, Button.LeftButton, held, Held.NoModifier))


def press(canvas: Canvas, key: Qt.Key) -> None:
    canvas.keys.press(QKeyEvent(QEvent.Type.KeyPress, key, Held.NoModifier))


def test_equal_layers_are_one_block_between_its_ports(canvas: Canvas) -> None:
    mirror = canvas.mirror
    assert folds(canvas) == ["Layer × 12"]
    assert sorted(mirror.ids) == ["loss", "s", "w1", "x"]
    assert [str(wire.source) + " > " + str(wire.target) for wire in mirror.wires] == [
        "x.y > m1.a", "t12.y > s.x", "s.y > loss.x",
    ]  # fmt: skip
    assert not mirror.broken
    assert mirror.rect("m5") == mirror.rect("w1")


def test_the_chart_has_the_gradients_of_the_layers_and_the_guilty_one(canvas: Canvas) -> None:
    norms = fold_norms(canvas.mirror, canvas.mirror.folds["w1"])
    read = [canvas.session.port(Port(f"t{number}", "y")) for number in range(1, 13)]
    assert norms.gradients.tolist() == [item.gradient.norm for item in read if item and item.gradient]
    assert norms.largest_step is not None
    assert norms.largest_step.layer == GUILTY - 1
    assert list(norms.weights) == ["w", "b"]


@pytest.mark.parametrize("layers", [9, 12, 18])
def test_no_text_of_a_fold_lies_on_another_and_the_largest_step_is_said(qtbot: QtBot, layers: int) -> None:
    page = QImage(1200, 900, QImage.Format.Format_ARGB32_Premultiplied)
    for guilty in range(1, layers + 1):
        canvas = Canvas(CurrentSession(Session(deep(layers, guilty), InlineEvaluator)), Appearance("dark"))
        qtbot.addWidget(canvas)
        (fold,) = canvas.mirror.folds.values()
        factor = fold_norms(canvas.mirror, fold).largest_step
        for zoom in (0.4, 0.5, 0.7, 1.0):
            with TextRecorder(page) as painter:
                painter.scale(zoom, zoom)
                look = dataclasses.replace(canvas.page_look.now(), scale=zoom)
                FoldPainter(painter, canvas.mirror, look, fold).draw()
                texts = painter.texts
            pairs = itertools.combinations(texts, 2)
            assert [(one.text, other.text) for one, other in pairs if one.rect.intersects(other.rect)] == [], zoom
            inside = QRectF(0, 0, fold.shape.width * zoom, fold.shape.height * zoom)
            assert all(inside.contains(item.rect) for item in texts), zoom
            assert factor is not None and any(factor.text in item.text for item in texts), zoom
        canvas.session.close()


def test_a_click_opens_the_layer_under_it_and_escape_closes_it(canvas: Canvas) -> None:
    click(canvas, at_layer(canvas, 5))
    assert folds(canvas) == ["Layer × 4", "Layer × 7"]
    assert {"w5", "m5", "b5", "a5", "t5"} <= set(canvas.mirror.ids)
    assert canvas.mirror.folds["w6"].first == 6
    press(canvas, Qt.Key.Key_Escape)
    assert folds(canvas) == ["Layer × 12"]


def test_a_double_click_opens_all_layers(canvas: Canvas) -> None:
    at = at_layer(canvas, 5)
    click(canvas, at)
    event = QMouseEvent(QEvent.Type.MouseButtonDblClick, at, at, Button.LeftButton, Button.LeftButton, Held.NoModifier)
    canvas.mouse.double_click(event)
    assert folds(canvas) == []
    assert len(canvas.mirror.ids) == len(canvas.session.page.blocks)


def test_what_is_selected_inside_is_shown_and_all_blocks_leave_the_fold_closed(canvas: Canvas) -> None:
    canvas.session.select(Selection(frozenset(canvas.session.page.blocks)))
    assert folds(canvas) == ["Layer × 12"]
    canvas.session.select(Selection(frozenset(["a1"])))
    assert folds(canvas) == ["Layer × 11"]
    wire = canvas.session.page.wires[Port("t9", "x")]
    canvas.session.select(Selection(wires=frozenset([wire])))
    assert wire in canvas.mirror.wire_rows


def test_keys_walk_past_a_fold_and_enter_opens_the_guilty_layer(canvas: Canvas) -> None:
    canvas.keyboard.go(Place(Thing("block", "x")))
    for _ in range(2):
        press(canvas, Qt.Key.Key_Right)
    assert canvas.keyboard.place is not None
    assert canvas.keyboard.place.thing.name == "w1"
    assert folds(canvas) == ["Layer × 12"]
    press(canvas, Qt.Key.Key_Return)
    assert f"m{GUILTY}" in canvas.mirror.ids


def test_a_fold_is_told_as_one_thing(canvas: Canvas) -> None:
    said = block_sentence(canvas.mirror, "w1", Selection())
    assert said.startswith("Layer × 12, gradient from ")
    assert f"across layer {GUILTY}" in said


def test_a_number_edited_inside_changes_the_chart_and_nothing_else(canvas: Canvas) -> None:
    places, before = canvas.mirror.rects, fold_norms(canvas.mirror, canvas.mirror.folds["w1"]).gradients
    value = canvas.session.page.blocks["w3"].parameters["value"]
    canvas.session.apply("Edit", edits.set_parameter, MAIN, "w3", "value", value * 2)  # type: ignore[operator]
    now = fold_norms(canvas.mirror, canvas.mirror.folds["w1"]).gradients
    assert (now[:2] != before[:2]).all()
    assert (canvas.mirror.rects == places).all()


def test_a_drag_moves_a_block_in_the_file_as_far_as_on_the_screen(canvas: Canvas) -> None:
    at, shown = canvas.session.page.blocks["loss"].at, canvas.mirror.rect("loss").topLeft()
    assert at is not None
    canvas.session.apply("Move", edits.move_blocks, MAIN, {"loss": (at[0] + 32, at[1] - 16)})
    assert canvas.mirror.rect("loss").topLeft() - shown == QPointF(32, -16)
    assert folds(canvas) == ["Layer × 12"]


def test_a_layer_that_differs_parts_the_fold(canvas: Canvas) -> None:
    canvas.session.apply("Edit", edits.disconnect, MAIN, Port("a6", "y"))
    assert folds(canvas) == ["Layer × 5", "Layer × 6"]
    canvas.session.undo()
    assert folds(canvas) == ["Layer × 12"]
