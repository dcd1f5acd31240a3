"""The corner of a canvas: where minimap, legend and marks stand, when they are there, and what the legend draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.geometry.view.camera import Camera, fitted
from gradwire.app.canvas.overlays import corner as corner_module
from gradwire.app.canvas.overlays.cards.card import columns
from gradwire.app.canvas.overlays.cards.card_facts import Row
from gradwire.app.canvas.overlays.corner import Corner
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.motion import set_moves
from gradwire.engine.edits import edits
from tests.app.canvas.pages import chain
from tests.app.strokes import Stroke, Strokes, placed


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
def corner(canvas: Canvas, monkeypatch: pytest.MonkeyPatch) -> Corner:
    """The corner of a page that counts as one of many blocks."""
    monkeypatch.setattr(corner_module, "MANY", 4)
    return Corner(canvas, canvas.page_look.appearance, lambda: 0)


def test_all_stand_above_each_other_at_the_left(corner: Corner, canvas: Canvas) -> None:
    """14 px from the left, 8 from the bottom and between."""
    button, minimap = corner.button, corner.minimap
    assert (button.x(), button.height(), button.y()) == (14, 26, 500 - 8 - 26)
    assert (minimap.x(), minimap.y() + minimap.height() + 8) == (14, button.y())
    assert canvas.viewport.covered == button.geometry()


def test_above_blocks_in_both_lower_corners_the_legend_is_at_the_top(corner: Corner, canvas: Canvas) -> None:
    canvas.viewport.look_with(Camera(1.0, 40, 430))
    corner.place()
    button, minimap = corner.button, corner.minimap
    assert button.pos() == QPoint(14, 8)
    assert minimap.pos() == QPoint(14, 8 + 26 + 8)
    canvas.viewport.look_with(Camera(1.0, 280, 430))
    corner.place()
    assert button.pos() == QPoint(14, 500 - 8 - 26)


@pytest.mark.parametrize(
    ("width", "height", "is_there"), [(601, 301, True), (600, 301, False), (601, 300, False), (800, 500, True)]
)
def test_a_small_canvas_has_no_corner(corner: Corner, canvas: Canvas, width: int, height: int, is_there: bool) -> None:
    canvas.resize(width, height)
    corner.place()
    assert corner.button.isVisible() is is_there
    assert canvas.viewport.covered == (QRect(QPoint(14, height - 34), corner.button.size()) if is_there else QRect())


def test_the_minimap_comes_where_a_part_is_out_of_view(corner: Corner, canvas: Canvas) -> None:
    assert corner.minimap.isVisible()
    canvas.viewport.look_with(fitted(canvas.mirror.block_bounds(), canvas.size().toSizeF()))
    assert not corner.minimap.isVisible() and corner.button.isVisible()
    corner.set_shown(False)
    assert not corner.button.isVisible()


def test_on_a_page_of_few_blocks_the_minimap_comes_where_none_is_in_view(
    corner: Corner, canvas: Canvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(corner_module, "MANY", 5)
    corner.place()
    assert not corner.minimap.isVisible()
    canvas.viewport.look_with(Camera(1.0, -5000, 60))
    corner.place()
    assert corner.minimap.isVisible()


def test_a_corner_is_free_if_the_minimap_covers_nothing_there_either(corner: Corner, canvas: Canvas) -> None:
    button, minimap = corner.button, corner.minimap
    # The lowest 34 px are free, the minimap above them is not: on the right both are.
    x, (y, height) = canvas.mirror.rects[:, 0].min(), canvas.mirror.rects[0, [1, 3]]
    for left in (40, -200 - 240):
        canvas.viewport.look_with(Camera(1.0, left - x, 420 - y - height / 2))
        corner.place()
        under = canvas.camera.rect_to_scene(QRectF(minimap.geometry() | button.geometry()))
        assert not len(canvas.mirror.visible_blocks(under, 0))


def test_nothing_is_there_while_something_is_dragged(corner: Corner, canvas: Canvas) -> None:
    canvas.gestures.active_changed.emit(True)
    assert not corner.button.isVisible() and not corner.minimap.isVisible()
    canvas.gestures.active_changed.emit(False)
    assert corner.button.isVisible()


def test_the_round_stands_beside_the_button_or_in_its_place(canvas: Canvas) -> None:
    rounds = 1234
    corner = Corner(canvas, canvas.page_look.appearance, lambda: rounds)
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


@pytest.mark.parametrize("overlay", Overlay)
def test_where_wires_have_no_width_the_ramp_is_a_thin_line(
    corner: Corner, canvas: Canvas, noted: Any, overlay: Overlay
) -> None:
    canvas.page_look.set_overlay(overlay)
    found = noted(lambda: corner.button._painted(1.0))
    is_thin = overlay in (Overlay.OFF, Overlay.LABELS)
    assert (len(placed(found, "rect")), len(placed(found, "polygon"))) == ((1, 0) if is_thin else (0, 1))


def test_a_press_turns_the_gradients_off_and_shows_them_as_before(corner: Corner, canvas: Canvas) -> None:
    canvas.page_look.set_overlay(Overlay.SIGN)
    for overlay in (Overlay.OFF, Overlay.SIGN, Overlay.OFF):
        corner.button.click()
        assert canvas.page_look.overlay is overlay


def test_the_menu_chooses_sizes_or_signs_and_the_bars_of_blocks(corner: Corner, canvas: Canvas) -> None:
    assert [action.text() for action in corner.button.menu().actions()][:3] == ["Sizes", "Signs", "By block"]
    for place, chosen in ((1, Overlay.SIGN), (0, Overlay.MAGNITUDE)):
        corner.button.menu().actions()[place].trigger()
        assert canvas.page_look.overlay is chosen
    for is_on in (True, False):
        corner.button.menu().actions()[2].trigger()
        assert canvas.page_look.is_by_block is is_on is corner.button.menu().actions()[2].isChecked()


def test_the_menu_keeps_the_range_of_the_page_or_a_fixed_one(corner: Corner, canvas: Canvas) -> None:
    mirror = canvas.mirror
    texts_of = [action.text() for action in corner.button.menu().actions()][4:]
    assert texts_of[:2] == ["Range of the page", "Keep this range"]
    assert texts_of[2:7] == ["0.01 … 1", "1e−4 … 1", "1e−6 … 1", "0.001 … 1000", "1 … 1e6"]

    def checked() -> list[str]:
        return [action.text() for action in corner.button.menu().actions()[4:] if action.isChecked()]

    assert checked() == ["Range of the page"]
    shown = mirror.range
    for place, chosen in ((1, shown), (3, (1.0, 4.0)), (0, None)):
        corner.button.menu().actions()[4 + place].trigger()
        assert mirror.fixed_range == chosen
        assert texts_of[place] in checked()


# Cards


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


def test_before_a_loss_no_legend_tells_of_gradients(canvas: Canvas, corner: Corner) -> None:
    assert not corner.button.isHidden()
    canvas.session.apply("Delete", edits.remove_blocks, "main", "loss")
    corner.place()
    assert corner.button.isHidden()
    canvas.session.undo()
    corner.place()
    assert not corner.button.isHidden()
