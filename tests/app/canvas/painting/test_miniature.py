"""A page very small."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSize

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.miniature import draw_miniature
from gradwire.app.look.theme import Theme, theme
from gradwire.engine.graph.graph import Graph
from tests.app.canvas.pages import EXAMPLE_NAMES, chain, example, mirror_of, painted, pixels, with_block

pytestmark = pytest.mark.usefixtures("qapp")

BOTH = pytest.mark.parametrize("dress", [theme("dark"), theme("light")], ids=["dark", "light"])


def ink(mirror: Mirror, dress: Theme, box: QRectF) -> np.ndarray:
    """Returns the mask of pixels in which a miniature differs from the canvas. Shapes: (160, 280)."""
    ground = dress.color("bg.canvas")
    image = painted(QSize(280, 160), lambda painter: draw_miniature(painter, mirror, Look(dress), box), ground.name())
    found: np.ndarray = (pixels(image)[..., 2::-1] != np.array(ground.getRgb()[:3])).any(axis=2)
    return found


@BOTH
@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_an_example_fills_its_box_and_stays_in_it(name: str, dress: Theme) -> None:
    found = ink(mirror_of(example(name)), dress, QRectF(20, 20, 240, 120))
    assert found[20:140, 20:260].sum() > 9 * 24 * 20 / 2
    found[20:140, 20:260] = False
    assert not found.any()


def test_a_page_without_blocks_says_that_it_is_empty() -> None:
    found = ink(mirror_of(Graph()), theme("dark"), QRectF(0, 0, 280, 160))
    assert found.any() and not found[:60].any() and not found[100:].any()


def test_one_block_stands_in_the_middle() -> None:
    found = ink(mirror_of(with_block(Graph(), "e", "Exp", (900, -400))), theme("dark"), QRectF(0, 0, 280, 160))
    rows, columns = np.nonzero(found)
    assert abs(rows.mean() - 80) < 2 and abs(columns.mean() - 140) < 2


def test_blocks_keep_their_order_from_left_to_right() -> None:
    found = ink(mirror_of(chain()), theme("light"), QRectF(0, 0, 280, 160))
    heights = found.sum(axis=0)
    tall = np.flatnonzero(heights >= 18)
    assert len(np.flatnonzero(np.diff(tall) > 4)) == 3


def test_many_blocks_can_be_drawn() -> None:
    graph = Graph()
    for number in range(61):
        graph = with_block(graph, f"e{number}", "Exp", (240 * (number % 8), 120 * (number // 8)))
    mirror = mirror_of(graph)
    assert ink(mirror, theme("dark"), QRectF(0, 0, 280, 160)).any()
