"""The starter blocks of an empty page: three blocks that a click makes real, only on an empty page."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from gradwire.app.canvas.painting.empty import starter_box
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Page
from tests.app.window.driver import Driver


def test_a_double_click_on_the_starter_blocks_builds_them_and_no_more(user: Driver) -> None:
    user.show(Graph((Page("main"),)))
    for share in (0.05, 0.5, 0.95):
        empty = user.graph
        box = starter_box()
        user.hand.double_click(QPointF(box.left() + share * box.width(), box.center().y()))
        assert len(user.page.blocks) == 3
        assert not user.popups.fields()
        user.undo()
        assert user.graph is empty


def test_a_page_with_a_frame_offers_no_starter_blocks(user: Driver) -> None:
    graph, name = edits.add_frame(Graph((Page("main"),)), "main", "Plan", at=(0, 0), size=(240, 120))
    user.show(graph)
    user.hand.click(user.canvas.mirror.frames[name].topLeft() + QPointF(30, 10))
    assert not user.page.blocks
    assert user.selection.frames == {name}
