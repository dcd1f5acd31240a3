"""The camera of a canvas: what it shows at first, how it pans, and what it tells before and after it moves."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRect, QSizeF
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.geometry.shown_page import ShownPage
from gradwire.app.canvas.geometry.view.camera import Camera
from gradwire.app.canvas.geometry.view.viewport import Viewport
from gradwire.app.live.process.evaluator import Evaluator
from gradwire.app.live.session import Session
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import example, wired, with_block


@pytest.fixture
def page() -> Iterator[ShownPage]:
    """A page of an example that nothing evaluates."""
    session = Session(example("softmax_stable"), Evaluator)
    shown = ShownPage(session, is_curved=False)
    shown.mirror.rebuild()
    yield shown
    session.close()


@pytest.fixture
def viewport(qtbot: QtBot, page: ShownPage) -> Viewport:
    """A viewport on a widget of 500 by 320 px that paints nothing."""
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(500, 320)
    return Viewport(widget, page)


def parent_of(viewport: Viewport) -> QWidget:
    widget = viewport.parent()
    assert isinstance(widget, QWidget)
    return widget


def long_chain(is_fed: bool) -> Graph:
    """Thirteen blocks far apart; if it is not fed, the input of the first one is missing."""
    graph = with_block(Graph(), "loss", "Loss", (12 * 700, 0))
    for number in range(12):
        graph = with_block(graph, f"e{number}", "Exp", (number * 700, 0))
    graph = wired(graph, *(f"e{number}.y > e{number + 1}.x" for number in range(11)), "e11.y > loss.x")
    return wired(with_block(graph, "x", "Input", (-700, 0), value=np.array(0.5)), "x.y > e0.x") if is_fed else graph


def test_the_first_size_fits_the_page_and_later_ones_do_not(viewport: Viewport) -> None:
    viewport.fit_first()
    assert viewport.camera == viewport.page_camera()
    viewport.pan(30, 20)
    moved = viewport.camera
    viewport.fit_first()
    assert viewport.camera == moved


def test_the_whole_page_is_seen_when_it_is_fitted(viewport: Viewport, page: ShownPage) -> None:
    parent_of(viewport).resize(800, 500)
    viewport.fit_page()
    assert viewport.seen.contains(page.mirror.bounds())


def test_the_page_stays_above_a_covered_corner(viewport: Viewport, page: ShownPage) -> None:
    viewport.covered = QRect(16, 250, 344, 46)
    bottom = viewport.whole_camera(viewport.smallest).rect_to_view(page.mirror.bounds()).bottom()
    assert bottom <= 250


def test_the_page_of_an_example_is_wholly_in_view_on_a_laptop(viewport: Viewport, page: ShownPage) -> None:
    parent_of(viewport).resize(1366, 606)
    viewport.fit_page()
    assert viewport.seen.contains(page.mirror.bounds())
    assert viewport.camera.scale >= 0.7


@pytest.mark.parametrize("size", [(1366, 606), (1366, 680)])
def test_with_large_texts_blocks_are_seen_larger_and_notes_give_way(
    viewport: Viewport, page: ShownPage, size: tuple[int, int]
) -> None:
    parent_of(viewport).resize(*size)
    viewport.text_scale = 1.5
    viewport.fit_page()
    assert viewport.seen.contains(page.mirror.block_bounds()) and page.mirror.notes
    assert not viewport.seen.contains(page.mirror.bounds()) and 0.6 < viewport.reading_scale <= 1


def test_large_texts_take_most_of_the_margin_before_blocks_become_smaller(viewport: Viewport, page: ShownPage) -> None:
    parent_of(viewport).resize(1366, 606)
    viewport.text_scale = 1.5
    viewport.fit_page()
    seen = viewport.camera.rect_to_view(page.mirror.block_bounds() | page.mirror.wire_bounds())
    assert 7 <= seen.top() <= 9


def test_a_small_page_is_seen_at_the_size_of_its_texts(viewport: Viewport, page: ShownPage) -> None:
    parent_of(viewport).resize(4000, 3000)
    for scale in (1.0, 1.5, 2.0):
        viewport.text_scale = scale
        viewport.fit_page()
        assert viewport.camera.scale == scale and viewport.reading_scale == 1


@pytest.mark.parametrize(("is_fed", "first"), [(True, "loss"), (False, "e0")])
def test_a_page_that_does_not_fit_stays_readable_and_starts_at_a_problem_or_the_loss(
    qtbot: QtBot, is_fed: bool, first: str
) -> None:
    session = Session(long_chain(is_fed), Evaluator)
    shown, widget = ShownPage(session, is_curved=False), QWidget()
    qtbot.addWidget(widget)
    shown.mirror.rebuild()
    widget.resize(800, 500)
    viewport = Viewport(widget, shown)
    least = 0.4 if len(shown.mirror.ids) > 40 else 0.27
    viewport.fit_page()
    assert viewport.camera.scale >= 0.4
    assert viewport.seen.contains(shown.mirror.rect(first))
    viewport.zoom_by(-20)
    assert viewport.destination.scale == viewport.whole_camera(viewport.smallest).scale == least
    session.close()


def test_a_pan_tells_the_camera_before_it_and_the_pixels_it_moved_by(viewport: Viewport) -> None:
    told, before = [], viewport.camera
    viewport.panned.connect(lambda *values: told.append(values))
    viewport.pan(-9, 5)
    assert told == [(before, -9, 5)]
    assert viewport.camera.to_view(QPointF()) - before.to_view(QPointF()) == QPointF(-9, 5)


def test_a_pan_by_nothing_tells_nothing(viewport: Viewport, qtbot: QtBot) -> None:
    with qtbot.assertNotEmitted(viewport.camera_changed):
        viewport.pan(0, 0)


def test_leaving_comes_before_the_camera_is_told_to_have_changed(viewport: Viewport) -> None:
    order: list[str] = []
    viewport.leaving.connect(lambda: order.append("leaving"))
    viewport.zoom_changed.connect(lambda _: order.append("zoom"))
    viewport.camera_changed.connect(lambda: order.append("camera"))
    viewport.look_with(viewport.camera.zoomed(0.5, QPointF(250, 160)))
    assert order == ["leaving", "zoom", "camera"]


def test_a_page_is_shown_again_as_it_was_left(viewport: Viewport, page: ShownPage) -> None:
    name = page.session.page_name
    viewport.pan(40, 30)
    left = viewport.camera
    viewport.camera = viewport.page_camera()
    viewport.show_page(name)
    assert viewport.camera == left


def test_another_document_begins_with_no_page_known(viewport: Viewport, page: ShownPage) -> None:
    viewport.pan(40, 30)
    viewport.begin_document()
    viewport.show_page(page.session.page_name)
    assert viewport.camera == viewport.page_camera()


@pytest.mark.parametrize(("width", "is_whole"), [(1400, True), (400, False)])
def test_something_new_comes_into_view_with_the_page_where_that_can_be_read(
    viewport: Viewport, page: ShownPage, width: int, is_whole: bool
) -> None:
    widget = viewport.parent()
    assert isinstance(widget, QWidget)
    widget.resize(width, 500)
    bounds = page.mirror.bounds()
    viewport.look_with(Camera(1.0).centred(bounds.topLeft(), QSizeF(width, 500)))
    new = page.mirror.rect("loss")
    viewport.follow(new)
    assert viewport.seen.contains(new)
    assert viewport.seen.contains(bounds) is is_whole
    seen = viewport.camera
    viewport.follow(new)
    assert viewport.camera == seen


def test_a_size_that_a_panel_changes_fits_no_other_document_anew(viewport: Viewport) -> None:
    parent_of(viewport).show()
    viewport.begin_document()
    viewport.fit_page()
    viewport.pan(40, 30)
    left = viewport.camera
    parent_of(viewport).resize(700, 320)
    viewport.fit_first()
    assert viewport.camera == left


def test_a_page_is_fitted_beside_a_column(viewport: Viewport, page: ShownPage) -> None:
    parent_of(viewport).resize(1366, 606)
    viewport.beside.setLeft(300)
    viewport.fit_page()
    assert viewport.camera.rect_to_view(page.mirror.bounds()).left() >= 300
