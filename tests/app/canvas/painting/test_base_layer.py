"""Painting in parts gives the pixels of painting at once."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QRegion
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.painting.blocks.block_painter import BlockPainter
from gradwire.app.canvas.painting.cache.base_layer import BaseLayer
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import Evaluator, InlineEvaluator
from gradwire.app.live.session import Selection, Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.edits import annotations, edits
from gradwire.engine.graph.graph import Block, Graph
from tests.app.canvas.pages import MAIN, chain, example, page_picture, pixels
from tests.sweeps import a_third_of

ZOOMS = (0.27, 0.4, 0.6, 1.0, 2.0)
PANS = ((-9, -5), (30, 0), (0, -41), (7, 13), (1, 1), (-3, 2))


class Scaled(Canvas):
    """A canvas on a screen with some device pixels a px."""

    ratio = 1.0

    def devicePixelRatioF(self) -> float:  # Qt's name
        return self.ratio


@pytest.fixture
def canvas(qtbot: QtBot) -> Iterator[Scaled]:
    session = Session(example("softmax_stable"), InlineEvaluator)
    made = Scaled(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    made.resize(500, 320)
    # What is hidden is told its size at every grab, and is painted as a whole for it.
    made.show()
    made.grab()
    yield made
    session.close()


def painted(canvas: Canvas) -> np.ndarray:
    canvas.grab()
    return pixels(page_picture(canvas))


def painted_at_once(canvas: Canvas) -> np.ndarray:
    canvas.painted.repaint()
    return painted(canvas)


def same(one: np.ndarray, other: np.ndarray, by: int = 1) -> bool:
    """Whether two pictures are the same, but for the last bit where a smooth line is cut by the edge of a part."""
    return one.shape == other.shape and int(np.abs(one.astype(np.int16) - other).max()) <= by


def look_closely(canvas: Canvas, zoom: float) -> None:
    canvas.viewport.zoom_to(zoom)
    canvas.viewport.centre_at(canvas.mirror.bounds().center())
    painted_at_once(canvas)


def share_of_ink(picture: np.ndarray) -> float:
    return float((picture != picture[0, 0]).any(axis=2).mean())


@pytest.mark.parametrize(("zoom", "ratio"), a_third_of([*((zoom, 1.5) for zoom in ZOOMS), (1.0, 1.0), (1.0, 2.0)]))
def test_panning_paints_strips_that_fit(canvas: Scaled, zoom: float, ratio: float) -> None:
    canvas.ratio = ratio
    look_closely(canvas, zoom)
    for dx, dy in PANS * 4:
        canvas.viewport.pan(dx, dy)
    found = painted(canvas)
    assert share_of_ink(found) > 0.005
    assert same(found, painted_at_once(canvas))


@pytest.mark.parametrize("zoom", a_third_of(ZOOMS))
def test_curves_are_painted_in_parts_as_at_once(canvas: Scaled, zoom: float) -> None:
    canvas.mirror.set_curved(True)
    look_closely(canvas, zoom)
    for dx, dy in PANS * 4:
        canvas.viewport.pan(dx, dy)
    found = painted(canvas)
    # The strokes of a curve are all smooth: that of each is cut, and the bits add up.
    assert same(found, painted_at_once(canvas), by=4)
    for wire in list(canvas.session.page.wires.values())[:4]:
        canvas.session.select(Selection(wires=frozenset([wire])))
        assert same(painted(canvas), painted_at_once(canvas), by=4)


@pytest.mark.parametrize("zoom", a_third_of(ZOOMS))
def test_selecting_repaints_only_what_changes(canvas: Scaled, zoom: float) -> None:
    look_closely(canvas, zoom)
    page = canvas.session.page
    before = painted(canvas)
    for chosen in (
        Selection(blocks=frozenset(list(page.blocks)[:2])),
        Selection(wires=frozenset(list(page.wires.values())[1:3])),
        Selection(),
    ):
        canvas.session.select(chosen)
        # Where an edge of a part cuts the bend of a wire, the smooth pixel there is painted twice.
        assert same(painted(canvas), painted_at_once(canvas), by=4)
    assert same(painted(canvas), before, by=4)


@pytest.mark.parametrize("zoom", a_third_of(ZOOMS))
def test_new_values_repaint_only_what_they_change(canvas: Scaled, zoom: float, qtbot: QtBot) -> None:
    look_closely(canvas, zoom)
    session = canvas.session
    value = session.page.blocks["x"].parameters["value"]
    for step in (0.1, 0.2, 0.7):
        before = painted(canvas)
        session.apply("Set x", edits.set_parameter, MAIN, "x", "value", value * (1 + step))
        qtbot.waitUntil(lambda: not session.scheduler.is_busy)
        found = painted(canvas)
        assert same(found, painted_at_once(canvas))
        assert zoom < 0.5 or not np.array_equal(found, before)


def test_a_slider_among_a_thousand_blocks_repaints_only_those_that_change(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = {f"c{n}": Block(f"c{n}", "Input", at=(240 * (n % 32), 200 + 160 * (n // 32))) for n in range(1000)}
    page = chain().page(MAIN)
    session = Session(Graph().with_page(dataclasses.replace(page, blocks={**page.blocks, **others})), InlineEvaluator)
    canvas = Scaled(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(canvas)
    canvas.resize(1600, 900)
    canvas.grab()
    look_closely(canvas, 1.0)
    canvas.viewport.centre_at(canvas.mirror.rect("e").center())
    painted_at_once(canvas)
    drawn: list[str] = []
    draw = BlockPainter.draw_body

    def counted(painter: BlockPainter, row: int) -> None:
        drawn.append(canvas.mirror.ids[row])
        draw(painter, row)

    monkeypatch.setattr(BlockPainter, "draw_body", counted)
    session.apply("Set x", edits.set_parameter, MAIN, "x", "value", np.array([1.5, 2.0, 3.0]))
    qtbot.waitUntil(lambda: not session.scheduler.is_busy)
    canvas.grab()
    assert len(canvas.mirror.visible_blocks(canvas.camera.rect_to_scene(QRectF(canvas.rect())))) > 10
    assert {"x", "e"} <= set(drawn) <= {"x", "e", "s", "loss"}
    session.close()


@pytest.fixture
def paints(monkeypatch: pytest.MonkeyPatch) -> list[QRegion]:
    """The parts of the page that have been painted, one for each frame."""
    found: list[QRegion] = []
    paint = BaseLayer.paint
    monkeypatch.setattr(BaseLayer, "paint", lambda layer, region: (found.append(region), paint(layer, region)))
    return found


def test_a_number_and_what_follows_from_it_are_painted_in_one_frame(
    canvas: Scaled, paints: list[QRegion], qtbot: QtBot
) -> None:
    look_closely(canvas, 1.0)
    qtbot.wait(50)
    for number in (1.5, 2.5, 3.5):
        paints.clear()
        canvas.session.apply("Set x", edits.set_parameter, MAIN, "x", "value", np.array([number, 2.0, 3.0]))
        qtbot.wait(50)
        assert len(paints) == 1


def test_a_number_whose_results_are_late_is_painted_without_them(paints: list[QRegion], qtbot: QtBot) -> None:
    session = Session(chain(), Evaluator)
    canvas = Scaled(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(canvas)
    canvas.resize(500, 320)
    canvas.show()
    look_closely(canvas, 1.0)
    canvas.viewport.centre_at(canvas.mirror.rect("x").center())
    qtbot.wait(50)
    paints.clear()
    session.apply("Set x", edits.set_parameter, MAIN, "x", "value", np.array([1.5, 2.0, 3.0]))
    qtbot.waitUntil(lambda: len(paints) == 1)
    area = canvas.camera.rect_to_view(canvas.mirror.rect("x"))
    assert paints[0].boundingRect().intersects(area.toRect())
    # Another frame in between shows it all the same.
    session.apply("Set x", edits.set_parameter, MAIN, "x", "value", np.array([7.0, 2.0, 3.0]))
    found = painted(canvas)
    qtbot.wait(50)
    assert same(found, painted_at_once(canvas))
    session.close()


def test_one_block_painted_anew_takes_no_other_change_along(canvas: Scaled, qtbot: QtBot) -> None:
    """A picture may come while results wait to be painted: what they change is still owed."""
    look_closely(canvas, 0.6)
    # The results are there, but nobody has asked for them to be painted yet.
    canvas.current.blockSignals(True)
    graph = canvas.session.graph
    canvas.session.apply("Set", edits.set_parameter, MAIN, "x", "value", np.array([3.0, -1.0, 0.5]))
    qtbot.waitUntil(lambda: canvas.session.runs.are_current)
    canvas.mirror.update(graph, canvas.session.graph)
    canvas.mirror.read_results()
    canvas.mirror.stamp(0)
    canvas.painted.repaint_rows([0], [])
    found = painted(canvas)
    assert same(found, painted_at_once(canvas))
    canvas.current.blockSignals(False)


def test_undoing_a_move_gives_the_picture_before(canvas: Scaled, qtbot: QtBot) -> None:
    look_closely(canvas, 1.0)
    session = canvas.session
    before = painted(canvas)
    name = next(iter(session.page.blocks))
    session.apply("Move", edits.move_blocks, MAIN, {name: (900, 700)})
    qtbot.waitUntil(lambda: not session.scheduler.is_busy)
    assert not np.array_equal(painted(canvas), before)
    session.undo()
    qtbot.waitUntil(lambda: not session.scheduler.is_busy)
    assert same(painted(canvas), painted_at_once(canvas))


@pytest.mark.long
@pytest.mark.parametrize("zoom", ZOOMS)
def test_a_moved_block_repaints_only_where_it_was_and_is(
    canvas: Scaled, zoom: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_closely(canvas, zoom)
    session = canvas.session
    parts: list[QRegion] = []
    paint = BaseLayer.paint
    monkeypatch.setattr(BaseLayer, "paint", lambda layer, region: (parts.append(region), paint(layer, region)))
    framed = {name for frame in session.page.frames for name in frame.blocks}
    for name in list(session.page.blocks)[::2]:
        x, y = session.page.blocks[name].at or (0, 0)
        for step in (
            lambda name=name, at=(x + 8, y - 24): session.apply("Move", edits.move_blocks, MAIN, {name: at}),
            session.undo,
            session.redo,
        ):
            parts.clear()
            step()
            found = painted(canvas)
            assert name in framed or zoom > 0.27 or parts[0].boundingRect() != canvas.rect()
            assert same(found, painted_at_once(canvas))


@pytest.mark.parametrize("zoom", [0.27, 1.0])
def test_what_changes_with_a_move_is_painted_too(canvas: Scaled, zoom: float) -> None:
    look_closely(canvas, zoom)
    session, (name, other, *_) = canvas.session, canvas.session.page.blocks
    session.apply("Frame", lambda graph: annotations.add_frame(graph, MAIN, "Both", [name, other])[0])
    painted(canvas)
    for step in (
        lambda: session.apply("Move", edits.move_blocks, MAIN, {name: (-300, 40)}),
        lambda: session.apply("Remove", edits.remove_blocks, MAIN, [other]),
        session.undo,
        session.undo,
    ):
        step()
        assert same(painted(canvas), painted_at_once(canvas))


def test_a_move_taken_back_while_others_are_dragged_is_painted(canvas: Scaled) -> None:
    look_closely(canvas, 0.6)
    session, (name, other, *_) = canvas.session, canvas.session.page.blocks
    session.apply("Move", edits.move_blocks, MAIN, {name: (60, 70)})
    canvas.painted.show_moved(frozenset([other]), 30, 20)
    painted(canvas)
    session.undo()
    painted(canvas)
    canvas.painted.show_moved(frozenset(), 0, 0)
    assert same(painted(canvas), painted_at_once(canvas))


def test_a_fraction_of_a_device_pixel_is_not_lost_in_a_pan(canvas: Scaled) -> None:
    canvas.ratio = 1.5
    look_closely(canvas, 1.0)
    start = canvas.camera.x
    for _ in range(30):
        canvas.viewport.pan(1, 0)
    assert canvas.camera.x - start == pytest.approx(30)
    assert canvas.camera.x * 1.5 == pytest.approx(round(canvas.camera.x * 1.5))


def test_after_a_zoom_the_page_becomes_crisp(canvas: Scaled, qtbot: QtBot) -> None:
    look_closely(canvas, 1.0)
    canvas.show()
    for step in (1.0, 1.0, -0.5):
        canvas.viewport.zoom_by(step)
        canvas.grab()
    qtbot.waitUntil(lambda: canvas.painted.is_crisp)
    assert same(painted(canvas), painted_at_once(canvas))


def test_an_empty_page_can_be_panned_and_zoomed(qtbot: QtBot) -> None:
    session = Session(Graph(), InlineEvaluator)
    made = Scaled(CurrentSession(session), Appearance("light"))
    qtbot.addWidget(made)
    made.resize(500, 320)
    painted(made)
    made.viewport.pan(20, 10)
    made.viewport.zoom_by(2)
    assert same(painted(made), painted_at_once(made))
    session.close()
