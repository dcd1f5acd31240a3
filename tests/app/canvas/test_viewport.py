"""The camera of a canvas: what it shows at first, how it pans, and what it tells before and after it moves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF, QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.geometry.shown_page import ShownPage
from gradwire.app.canvas.geometry.viewport import Viewport
from gradwire.app.live.process.evaluator import NoEvaluator
from gradwire.app.live.session import Session
from tests.app.canvas.pages import example


@pytest.fixture
def page() -> Iterator[ShownPage]:
    """A page of an example that nothing evaluates."""
    session = Session(example("softmax_stable"), NoEvaluator)
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


def test_the_first_size_fits_the_page_and_later_ones_do_not(viewport: Viewport) -> None:
    viewport.fit_first()
    assert viewport.camera == viewport.page_camera()
    viewport.pan(30, 20)
    moved = viewport.camera
    viewport.fit_first()
    assert viewport.camera == moved


def test_the_whole_page_is_seen_when_it_is_fitted(viewport: Viewport, page: ShownPage) -> None:
    viewport.fit_page()
    assert viewport.seen.contains(page.mirror.bounds())


def test_the_page_stays_above_a_covered_corner(viewport: Viewport, page: ShownPage) -> None:
    viewport.covered = QRect(16, 250, 344, 46)
    viewport.fit_page()
    bottom = viewport.camera.rect_to_view(page.mirror.bounds()).bottom()
    assert bottom <= 250


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
