"""The report of what can be read on a canvas, and what takes a text out of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QFontInfo, QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.canvas.access.legibility import Legibility, read_window, says_something, visible_part, wires_behind
from gradwire.app.canvas.access.text_owners import gap, is_name
from gradwire.app.canvas.access.text_recorder import TextRecorder
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.edits import edits
from gradwire.engine.files.files import load
from tests.app.canvas.pages import MAIN, chain, mirror_of


@pytest.fixture
def canvas(qtbot: QtBot) -> Iterator[Canvas]:
    """A canvas of 1250 by 300 px with a chain of four blocks at 100 %, far apart and evaluated."""
    places = {name: (number * 320, 0) for number, name in enumerate(("x", "e", "s", "loss"))}
    session = Session(edits.move_blocks(chain(2.0, 3.0), MAIN, places), InlineEvaluator)
    session.wait_for_pages()
    made = Canvas(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(1250, 300)
    made.show()
    made.viewport.look_with(Camera(1.0, 60, 80))
    made.grab()
    yield made
    session.close()


def read(canvas: Canvas) -> Legibility:
    return read_window(canvas, canvas)


def names(report: Legibility) -> set[object]:
    return {item.owner for item in report.labels if item.kind == "name"}


def test_a_chain_with_room_is_read_whole(canvas: Canvas) -> None:
    report = read(canvas)
    assert (report.blocks, report.wires, report.gradients, report.names) == (4, 3, 1, 1)
    assert (report.overlaps, report.behind, report.canvas) == (0, 0, 1)


def test_the_gradient_of_the_last_wire_is_the_seed(canvas: Canvas) -> None:
    wire = next(wire for wire in canvas.mirror.wires if wire.target.block == "loss")
    (text,) = [item.text for item in read(canvas).labels if item.owner == wire and item.kind == "gradient"]
    assert text.removeprefix("∂L").strip() == "1"


def test_a_text_is_where_the_picture_has_ink(canvas: Canvas) -> None:
    image = canvas.grab().toImage()
    report = read(canvas)
    assert report.labels
    for item in report.labels:
        box = item.rect.toAlignedRect()
        colors = {image.pixel(x, y) for x in range(box.left(), box.right()) for y in range(box.top(), box.bottom())}
        assert len(colors) > 5, f"{item.text} is not there"


def test_what_a_widget_covers_is_not_read_and_is_no_canvas(canvas: Canvas) -> None:
    cover = QWidget(canvas)
    cover.setGeometry(0, 0, 250, 300)
    cover.show()
    report = read(canvas)
    assert names(report) == {"e", "s", "loss"}
    assert (report.names, report.gradients) == (0.75, 1)
    assert report.canvas == pytest.approx(0.8)
    assert visible_part(canvas, canvas).boundingRect().left() == 250


def test_what_is_out_of_view_is_not_read(canvas: Canvas) -> None:
    canvas.viewport.look_with(Camera(1.0, -150, 80))
    assert names(read(canvas)) == {"e", "s", "loss"}
    # Now the first wire too, the label of which stands in its middle.
    canvas.viewport.look_with(Camera(1.0, -380, 80))
    canvas.grab()
    assert read(canvas).gradients == pytest.approx(2 / 3)


def test_a_name_on_another_block_is_not_read(canvas: Canvas) -> None:
    canvas.painted.show_moved(frozenset(["s"]), -320, 4)
    canvas.grab()
    report = read(canvas)
    assert report.overlaps > 0
    assert "e" not in names(report)


def test_a_wire_through_a_block_is_behind_it() -> None:
    mirror = mirror_of(chain())
    assert wires_behind(mirror) == 0
    box = mirror.rect("e")
    points = mirror.points.copy()
    row = next(row for row, wire in enumerate(mirror.wires) if wire.target.block == "loss")
    points[row] = box.center().toTuple()
    mirror.points = points
    assert wires_behind(mirror) == 1


def reading(*numbers: float) -> object:
    mirror = mirror_of(chain(*numbers))
    found = mirror.session.wire(next(wire for wire in mirror.wires if wire.source.block == "x"))
    assert found is not None
    return found.value


@pytest.mark.parametrize(
    ("text", "is_read"),
    [("0 blocked", True), ("no path", True), ("NaN 2 of 4", True), ("≈ 0", True), ("···", False), ("Softm…", False)],
)
def test_words_are_read_and_marks_are_not(text: str, is_read: bool) -> None:
    assert says_something(text, None) is is_read


@pytest.mark.parametrize(("text", "is_read"), [("2 3", True), ("2.04 3", True), ("2e−5 3", False), ("7 3", False)])
def test_numbers_have_two_digits_unless_they_are_exact(text: str, is_read: bool) -> None:
    assert says_something(text, reading(2.0, 3.0)) is is_read  # type: ignore[arg-type]


def test_a_shape_is_read_where_a_tensor_is_not_written_out() -> None:
    assert says_something("9 numbers", reading(*range(2, 11)))  # type: ignore[arg-type]
    assert not says_something("8 numbers", reading(*range(12, 21)))  # type: ignore[arg-type]


def test_a_recorded_text_has_its_size_on_the_device(qtbot: QtBot) -> None:
    image = QImage(200, 100, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(0)
    font = QFont()
    font.setPixelSize(24)
    painter = TextRecorder(image)
    with painter:
        painter.setFont(font)
        painter.translate(20, 10)
        painter.scale(0.5, 0.5)
        painter.drawText(QRectF(0, 0, 200, 80), 0, "H")
    (found,) = painter.texts
    assert found.px == pytest.approx(QFontInfo(font).pixelSize() / 2)
    alpha = np.frombuffer(bytes(image.constBits()), np.uint8).reshape(100, 200, 4)[..., 3]
    rows, columns = np.nonzero(alpha)
    ink = QRectF(columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1)
    assert found.rect.adjusted(-2, -2, 2, 2).contains(ink)


@pytest.mark.parametrize("scale", [0.5, 0.8, 1.0, 2.0])
def test_texts_on_the_canvas_are_as_large_as_the_program_has_them(canvas: Canvas, scale: float) -> None:
    appearance = canvas.page_look.appearance
    for text_scale in (1.5, 2.0, 1.0):
        appearance.set_text_scale(text_scale)
        canvas.viewport.look_with(Camera(scale, 20, 80))
        report = read(canvas)
        assert report.labels
        # Fonts have whole sizes.
        assert report.smallest >= 9.5 * text_scale - 0.5, text_scale
        assert report.overlaps == 0


def test_a_page_is_looked_at_more_closely_with_larger_texts(canvas: Canvas) -> None:
    canvas.resize(500, 300)
    usual = canvas.viewport.page_camera().scale
    canvas.page_look.appearance.set_text_scale(2.0)
    assert canvas.viewport.page_camera().scale > usual
    canvas.page_look.appearance.set_text_scale(1.0)
    assert canvas.viewport.page_camera().scale == usual


def test_texts_smaller_than_usual_stay_readable_on_the_canvas(canvas: Canvas) -> None:
    canvas.page_look.appearance.set_text_scale(0.9)
    assert read(canvas).smallest >= 9.5
    canvas.page_look.appearance.set_text_scale(1.0)


@pytest.mark.parametrize("name", ["tanh_chain_80", "sigmoid_chain_80"])
def test_a_page_of_eighty_blocks_is_read_on_a_laptop(name: str, qtbot: QtBot) -> None:
    session = Session(load(example_path(name)).graph, InlineEvaluator)
    session.wait_for_pages()
    made = Canvas(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    # The canvas of a window of 1366 x 768 px.
    made.resize(1366, 607)
    made.show()
    made.repaint()
    qtbot.waitUntil(lambda: made.painted.is_crisp)
    report = read(made)
    assert report.blocks == 82
    assert min(report.gradients, report.names, report.values) > 0.95
    assert report.overlaps == 0
    page, margin = made.mirror.bounds(), 24 / made.camera.scale
    room = made.camera.rect_to_view(page.adjusted(-margin, -margin, margin, margin))
    assert all(room.contains(item.rect) for item in report.labels if item.kind == "gradient")
    session.close()


@pytest.mark.parametrize(
    ("other", "distance"),
    [
        ((0, 0, 10, 10), 0), ((10, 0, 5, 10), 0), ((13, 0, 5, 10), 3), ((-9, 0, 5, 10), 4), ((0, 15, 10, 5), 5),
        ((0, -8, 10, 2), 6), ((13, 14, 5, 5), 5), ((-8, -14, 5, 10), 5), ((13, -9, 5, 5), 5), ((2, 3, 4, 5), 0),
    ],
)  # fmt: skip
def test_the_gap_of_two_rectangles_is_the_way_between_them(other: tuple[float, ...], distance: float) -> None:
    one, two = QRectF(0, 0, 10, 10), QRectF(*other)
    assert gap(one, two) == gap(two, one) == distance


@pytest.mark.parametrize(
    ("text", "title", "is_it"),
    [
        ("Exp", "Exp", True), ("Exp…", "Exp", False), ("ReduceMa…", "ReduceMax", True),
        ("ReduceM…", "ReduceMax", False), ("ReduceMa", "ReduceMax", False), ("ReduceMi…", "ReduceMax", False),
    ],
)  # fmt: skip
def test_a_shortened_name_keeps_8_letters(text: str, title: str, is_it: bool) -> None:
    assert is_name(text, title) is is_it
