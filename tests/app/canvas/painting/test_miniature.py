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
from tests.app.canvas.pages import EXAMPLE_NAMES, chain, example, mirror_of, painted, pixels, wired, with_block
from tests.app.strokes import Stroke, placed, strokes

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


def drawn(mirror: Mirror, box: QRectF) -> list[Stroke]:
    return strokes(lambda painter: draw_miniature(painter, mirror, Look(theme("dark")), box))


def row_of(count: int, gap: int = 300) -> Mirror:
    graph = Graph()
    for number in range(count):
        graph = with_block(graph, f"e{number}", "Exp", (gap * number, 0))
    return mirror_of(graph)


def test_blocks_are_24_by_20_and_a_fifth_as_far_apart_as_on_the_page() -> None:
    found = drawn(row_of(2), QRectF(0, 0, 400, 200))
    # 300 px apart on the page, 66 here, around the middle.
    assert placed(found, "rounded") == [(155, 90, 24, 20), (221, 90, 24, 20)]
    stripes = placed(found, "fill")
    assert stripes == [(156, 90, 22, 2), (222, 90, 22, 2)]


def test_many_blocks_in_a_row_are_squeezed_and_shrink() -> None:
    found = placed(drawn(row_of(8), QRectF(0, 0, 280, 200)), "rounded")
    # Between margins of 12 px seven gaps of 12 leave 172 for eight blocks: nine tenths of their width.
    scale = (280 - 24 - 7 * 12) / (8 * 24)
    assert found[0][2:] == pytest.approx((24 * scale, 20 * scale), abs=0.02)
    assert found[0][0] == pytest.approx(12, abs=0.02)
    assert found[-1][0] + found[-1][2] == pytest.approx(268, abs=0.02)
    # Half of their size is the least.
    assert placed(drawn(row_of(30), QRectF(0, 0, 280, 200)), "rounded")[0][2:] == (12, 10)


def test_a_wire_ends_at_its_share_of_the_block() -> None:
    """Of two inputs the first is at a third of the height; the output is at its middle."""
    graph = with_block(with_block(Graph(), "c", "Constant", (0, 0), value=np.ones(2)), "a", "Add", (300, 0))
    for port in "xy":
        mirror = mirror_of(wired(graph, f"c.y > a.{port}"))
        (left, top, width, height), (right, other, _, _) = placed(drawn(mirror, QRectF(0, 0, 400, 200)), "rounded")
        x, y, across, down = placed(drawn(mirror, QRectF(0, 0, 400, 200)), "path")[0]
        assert (x, x + across) == (pytest.approx(left + width, abs=0.02), pytest.approx(right, abs=0.02))
        end = other + height * ("xy".index(port) + 1) / 3
        start = top + height / 2
        assert (y, y + down) == (pytest.approx(min(start, end), abs=0.02), pytest.approx(max(start, end), abs=0.02))


def test_a_stop_is_an_octagon_and_a_reroute_a_dot() -> None:
    graph = with_block(with_block(Graph(), "s", "StopGradient", (0, 0)), "r", "Reroute", (400, 0))
    found = drawn(mirror_of(graph), QRectF(0, 0, 400, 200))
    (stop,) = placed(found, "path")
    (dot,) = placed(found, "ellipse")
    assert stop[2:] == (24, 20) and dot[2:] == (4, 4)
