"""The zoom below which texts of a fixed size on the screen have no room between the blocks of a page."""

from __future__ import annotations

import pytest

from gradwire.app.canvas.geometry.view.readable_zoom import readable_zoom
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import mirror_of, wired, with_block


def spread(step: int) -> Graph:
    """Three blocks of 144 px in a row, so many px from one to the next."""
    graph = with_block(Graph(), "x", "Input", (0, 0))
    graph = with_block(graph, "e", "Exp", (step, 0))
    graph = with_block(graph, "loss", "Loss", (2 * step, 0))
    return wired(graph, "x.y > e.x", "e.y > loss.x")


@pytest.mark.parametrize(("step", "least"), [(600, 0.4), (274, 0.4), (224, 42 / 80), (180, 0.6)])
def test_narrow_gaps_need_a_nearer_view(step: int, least: float) -> None:
    assert readable_zoom(mirror_of(spread(step))) == pytest.approx(least)


def test_rows_close_together_need_a_nearer_view() -> None:
    graph = with_block(Graph(), "a", "Exp", (0, 0))
    height = mirror_of(graph).rect("a").height()
    far = mirror_of(with_block(graph, "b", "Exp", (0, round(height) + 100)))
    near = mirror_of(with_block(graph, "b", "Exp", (0, round(height) + 36)))
    assert readable_zoom(far) == 0.4
    assert readable_zoom(near) == pytest.approx(0.5)


def test_a_lone_block_needs_no_gap() -> None:
    assert readable_zoom(mirror_of(with_block(Graph(), "a", "Exp", (0, 0)))) == 0.4
