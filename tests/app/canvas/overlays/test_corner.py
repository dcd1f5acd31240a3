"""The corner of a canvas: where minimap, legend and marks stand, when they are there, and what the legend draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.view.camera import Camera, fitted
from gradwire.app.canvas.overlays import corner as corner_module
from gradwire.app.canvas.overlays.cards.card import columns
from gradwire.app.canvas.overlays.cards.card_facts import Row
from gradwire.app.canvas.overlays.corner import Corner
from gradwire.app.canvas.overlays.edge_arrows import EdgeArrows, Side
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.motion import set_moves
from tests.app.canvas.pages import chain
from tests.app.strokes import Stroke, Strokes, placed, texts


@pytest.fixture
def canvas(qtbot: QtBot) -> Iterator[Canvas]:
    """A canvas of 800 by 500 px, at 100 % on a chain of four blocks 240 px apart."""
    session = Session(chain(1.0, 2.0), InlineEvaluator)
    made = Canvas(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(800, 500)
    made.show()
    made.viewport.look_with(Camera(1.0, 40, 60))
    set_moves(False)
    yield made
    set_moves(None)
    session.close()


@pytest.fixture
def corner(canvas: Canvas, tmp_path: Path) -> Corner:
    return Corner(canvas, canvas.page_look.appearance, Settings(tmp_path / "s.ini"), lambda: 0)


def test_all_stand_above_each_other_at_the_left(corner: Corner, canvas: Canvas) -> None:
    """14 px from the left, 8 from the bottom and between."""
    button, legend, minimap = corner.button, corner.legend, corner.minimap
    assert (button.x(), button.height(), button.y()) == (14, 26, 500 - 8 - 26)
    assert (minimap.x(), minimap.y() + minimap.height() + 8) == (14, button.y())
    assert not legend.isVisible()
    corner.turn_legend()
    assert legend.isVisible() and (legend.width(), legend.height()) == (396, 48)
    assert (legend.x(), legend.y() + 48 + 8) == (14, button.y())
    assert minimap.y() + minimap.height() + 8 == legend.y()
    assert canvas.viewport.covered == button.geometry()
    corner.turn_legend()
    assert not legend.isVisible()


def test_above_blocks_in_both_lower_corners_the_legend_is_at_the_top(corner: Corner, canvas: Canvas) -> None:
    corner.turn_legend()
    canvas.viewport.look_with(Camera(1.0, 40, 430))
    corner.place()
    button, legend, minimap = corner.button, corner.legend, corner.minimap
    assert (button.pos(), legend.pos()) == (QPoint(14, 8), QPoint(14, 8 + 26 + 8))
    assert minimap.geometry().bottom() + 1 == 500 - 8
    canvas.viewport.look_with(Camera(1.0, 280, 430))
    corner.place()
    assert button.pos() == QPoint(14, 500 - 8 - 26) and legend.y() + 48 + 8 == button.y()


def test_whether_the_legend_is_open_is_kept(corner: Corner, canvas: Canvas, tmp_path: Path) -> None:
    for is_open in (True, False):
        corner.turn_legend()
        settings = Settings(tmp_path / "s.ini")
        assert Corner(canvas, canvas.page_look.appearance, settings, lambda: 0).is_unfolded is is_open


@pytest.mark.parametrize(
    ("width", "height", "is_there"), [(601, 301, True), (600, 301, False), (601, 300, False), (800, 500, True)]
)
def test_a_small_canvas_has_no_corner(corner: Corner, canvas: Canvas, width: int, height: int, is_there: bool) -> None:
    canvas.resize(width, height)
    corner.place()
    assert corner.button.isVisible() is is_there
    assert canvas.viewport.covered == (corner.button.geometry() if is_there else QRect())


def test_the_minimap_comes_where_a_part_is_out_of_view(corner: Corner, canvas: Canvas) -> None:
    assert corner.minimap.isVisible()
    canvas.viewport.look_with(fitted(canvas.mirror.block_bounds(), canvas.size().toSizeF()))
    assert not corner.minimap.isVisible() and corner.button.isVisible()
    corner.set_shown(False)
    assert not corner.button.isVisible()


def test_nothing_is_there_while_something_is_dragged(corner: Corner, canvas: Canvas) -> None:
    canvas.gestures.active_changed.emit(True)
    assert not corner.button.isVisible() and not corner.minimap.isVisible()
    canvas.gestures.active_changed.emit(False)
    assert corner.button.isVisible()


def test_the_round_stands_beside_the_button_or_in_its_place(canvas: Canvas, tmp_path: Path) -> None:
    rounds = 1234
    corner = Corner(canvas, canvas.page_look.appearance, Settings(tmp_path / "s.ini"), lambda: rounds)
    mark = corner.round_mark
    assert (mark.text, mark.x(), mark.height()) == ("Round 1,234", 14 + corner.button.width() + 8, 26)
    assert mark.y() == 500 - 8 - 26
    canvas.resize(500, 500)
    corner.place()
    assert mark.x() == 14 and mark.isVisible()
    rounds = 0
    corner.place()
    assert mark.text == "" and not mark.isVisible()


# The minimap


def test_the_frame_of_the_minimap_is_the_view_on_the_page(corner: Corner, canvas: Canvas) -> None:
    minimap, mirror = corner.minimap, canvas.mirror
    blocks, frame = mirror.block_bounds(), minimap.frame()
    assert QRectF(minimap.rect()).adjusted(3, 3, -3, -3).contains(frame)
    # A twelfth in all more than the page fits between margins of 6 px.
    camera = minimap._camera()
    inner = camera.rect_to_view(blocks)
    assert inner.center().x() == pytest.approx(minimap.width() / 2, abs=1)
    assert inner.center().y() == pytest.approx(minimap.height() / 2, abs=1)
    room = minimap.width() - 12
    margin = min(24, room / 8, (minimap.height() - 12) / 8)
    assert camera.scale == pytest.approx((room - 2 * margin) / (blocks.width() * 1.12))
    seen = canvas.viewport.seen
    assert frame.left() == pytest.approx(max(camera.to_view(seen.topLeft()).x(), 3))


def test_a_click_and_a_drag_on_the_minimap_go_there(corner: Corner, canvas: Canvas, qtbot: QtBot) -> None:
    minimap = corner.minimap
    loss = canvas.mirror.rect("loss").center()
    at = minimap._camera().to_view(loss).toPoint()
    qtbot.mouseClick(minimap, Qt.MouseButton.LeftButton, pos=at)
    assert (canvas.viewport.seen.center() - loss).manhattanLength() < 20
    qtbot.mouseMove(minimap, QPoint(5, 5))
    assert (canvas.viewport.seen.center() - loss).manhattanLength() < 20
    qtbot.mousePress(minimap, Qt.MouseButton.LeftButton, pos=at)
    qtbot.mouseRelease(minimap, Qt.MouseButton.LeftButton, pos=at)


# The legend


@pytest.fixture
def noted(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], object]], list[Stroke]]:
    """What is drawn by painters with smooth edges."""

    def strokes_of(paint: Callable[[], object]) -> list[Stroke]:
        found: list[Stroke] = []

        @contextmanager
        def noting(_: object) -> Iterator[Strokes]:
            painter = Strokes(QImage(500, 100, QImage.Format.Format_RGB32))
            try:
                yield painter
            finally:
                painter.end()
                found.extend(painter.found)

        monkeypatch.setattr(corner_module, "smooth", noting)
        paint()
        return found

    return strokes_of


def test_the_button_has_the_ramp_between_its_ends(corner: Corner, canvas: Canvas, noted: Any) -> None:
    found = noted(lambda: corner.button._painted(1.0))
    name, low, high = [item for item in found if item.kind == "text"]
    (ramp,) = placed(found, "polygon")
    assert (name.text, name.at[0]) == ("∂L", 30)
    # Before it stands an eye of 14 px, 10 px from the edge. 9 px are between texts, 6 and 3 beside the ramp, which is
    # 48 px wide and 8 high.
    assert low.at[0] == 30 + (name.at[2] - 2) + 9
    assert ramp[0] == low.at[0] + (low.at[2] - 2) + 6 and ramp[2] == 48
    assert ramp[1] + ramp[3] / 2 == 13
    assert high.at[0] == ramp[0] + 48 + 6
    advance = sum(item.at[2] - 2 for item in (name, low, high))
    assert corner.button.width() == advance + 48 + 61


def test_the_legend_has_a_ramp_with_its_range_and_an_entry_a_status(corner: Corner, canvas: Canvas, noted: Any) -> None:
    found = noted(lambda: corner.legend.paintEvent(None))  # type: ignore[arg-type]  # it looks at no event
    assert texts(found)[:1] == ["∂L"] and texts(found)[2] == "log"
    assert len(texts(found)) == 4 + 4
    (ramp,) = placed(found, "polygon")
    assert (ramp[0], ramp[2], ramp[1] + ramp[3] / 2) == (46, 124, 14)
    # Each entry is 53 px wide, from 180 on, its lines 4 px from its sides and its gap of 4.
    ends = {(left, right) for left, _, right, _ in placed(found, "line")}
    assert ends == {(184 + 53 * place, 225 + 53 * place) for place in range(4)}
    boxes = [item.at for item in found if item.kind == "text"][4:]
    assert boxes == [(178 + 53 * place, 25, 53, 16) for place in range(4)]
    canvas.page_look.set_range((1.0, 4.0))
    assert "fixed" in texts(noted(lambda: corner.legend.paintEvent(None)))  # type: ignore[arg-type]


@pytest.mark.parametrize("overlay", Overlay)
def test_where_wires_have_no_width_the_ramp_is_a_thin_line(
    corner: Corner, canvas: Canvas, noted: Any, overlay: Overlay
) -> None:
    canvas.page_look.set_overlay(overlay)
    found = noted(lambda: corner.legend.paintEvent(None))  # type: ignore[arg-type]  # it looks at no event
    if overlay in (Overlay.OFF, Overlay.LABELS):
        assert placed(found, "rect") == [(46, 13, 124, 2)]
    else:
        assert placed(found, "rect") == [] and len(placed(found, "polygon")) == 1


def test_the_ramp_begins_as_high_as_the_smallest_magnitude(corner: Corner, canvas: Canvas, noted: Any) -> None:
    ((_, top, _, high),) = placed(noted(lambda: corner.legend.paintEvent(None)), "polygon")  # type: ignore[arg-type]
    assert (top, high) == (10, 8)


def test_the_menu_keeps_the_range_of_the_page_or_a_fixed_one(corner: Corner, canvas: Canvas) -> None:
    mirror = canvas.mirror
    texts_of = [action.text() for action in corner.legend.range_menu().actions()]
    assert texts_of[:3] == ["Range of the page", "Keep this range", ""]
    assert texts_of[3:] == ["0.01 … 1", "1e−4 … 1", "1e−6 … 1", "0.001 … 1000", "1 … 1e6"]

    def checked() -> list[str]:
        return [action.text() for action in corner.legend.range_menu().actions() if action.isChecked()]

    assert checked() == ["Range of the page"]
    shown = mirror.range
    for place, chosen in ((1, shown), (4, (1.0, 4.0)), (0, None)):
        corner.legend.range_menu().actions()[place].trigger()
        assert mirror.fixed_range == chosen
        assert texts_of[place] in checked()


# Marks at the edges, and cards


@pytest.mark.parametrize(
    ("side", "place"),
    [
        (Side.LEFT, lambda _: (6, 238)),
        (Side.RIGHT, lambda wide: (800 - wide - 6, 238)),
        (Side.TOP, lambda wide: (round((800 - wide) / 2), 6)),
        (Side.BOTTOM, lambda wide: (round((800 - wide) / 2), 500 - 24 - 6)),
    ],
)
def test_a_mark_stands_in_the_middle_of_its_edge(
    canvas: Canvas, side: Side, place: Callable[[int], tuple[int, int]]
) -> None:
    arrows = EdgeArrows(canvas, canvas.page_look.appearance)
    across, down = side.value[:2]
    canvas.viewport.look_with(Camera(1.0, 3000 * -across or 40, 3000 * -down or 60))
    canvas.viewport.look_with(Camera(1.0, 40 + 3000 * across, 60 + 3000 * down))
    button = arrows.buttons[side]
    assert button.isVisible() and button.height() == 24
    assert button.text() in ("4 →", f"{side.value[2]} 4")
    assert (button.x(), button.y()) == place(button.width())
    before = canvas.viewport.camera
    button.click()
    after = canvas.viewport.camera
    # Four fifths of the view: what was at the edge stays in sight.
    assert (before.x - after.x, before.y - after.y) == (640 * across, 400 * down)


def test_labels_of_a_card_are_shortened_before_numbers_are() -> None:
    rows = [Row("value", ("1.25", "2")), Row("a very long label of a row, longer than any", ("3",))]
    label, cell = columns(rows, 1000)
    assert label == 96
    assert columns([Row("", ("1", "2"))], 1000)[0] == 8
    narrow, squeezed = columns(rows, 100)
    assert narrow == max(100 - 2 * cell, 56)
    assert squeezed == min(cell, (100 - narrow) / 2)
    assert columns([], 100) == (8, 8)
    assert columns([Row("", ("1",))], 100)[1] == 8
