"""The cache between two distant pictures of a page changes neither of them."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage, QPainter

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.far_painter import draw_far
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.wires.far_wires import FarWires
from gradwire.app.canvas.painting.wires.wire_strokes import draw_in_groups
from gradwire.app.live.session import Selection
from gradwire.app.look.theme import theme
from tests.app.canvas.pages import EXAMPLE_NAMES, example, mirror_of, painted, pixels
from tests.engine.cause_graphs import x

pytestmark = pytest.mark.usefixtures("qapp")

DARK = theme("dark")


def picture(mirror: Mirror, wires: np.ndarray, scale: float, known: FarWires | None, chosen: Selection) -> np.ndarray:
    def paint(painter: QPainter) -> None:
        painter.translate(40, 40)
        painter.scale(scale, scale)
        look = Look(DARK, scale, selection=chosen)
        draw_far(painter, mirror, look, np.arange(len(mirror.ids)), wires, known)

    return pixels(painted(QSize(400, 240), paint))


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_kept_rectangles_are_those_of_what_is_drawn(name: str) -> None:
    mirror, known = mirror_of(example(name)), FarWires()
    every = np.arange(len(mirror.wires))
    chosen = Selection(wires=frozenset(mirror.wires[:2]))

    def compare(wires: np.ndarray, scale: float, chosen: Selection) -> None:
        kept = picture(mirror, wires, scale, known, chosen)
        assert np.array_equal(kept, picture(mirror, wires, scale, None, chosen))

    compare(every, 0.2, Selection())
    compare(every, 0.2, chosen)
    compare(every[1::2], 0.2, chosen)
    compare(every[:0], 0.2, chosen)
    compare(every, 0.1, chosen)
    mirror.wire_norm = mirror.wire_norm[::-1].copy()
    compare(every, 0.1, chosen)
    mirror.moved(frozenset(mirror.ids[:2]), 90, -60)
    compare(every, 0.1, chosen)


@pytest.mark.parametrize("scale", [0.26, 0.32, 0.4, 0.48])
def test_a_wire_of_zeros_is_seen_from_any_distance(scale: float) -> None:
    mirror = mirror_of(x([1.0, 2.0]).then("s", "Sign").loss())
    image = QImage(400, 200, QImage.Format.Format_RGB32)
    image.fill(0)
    with QPainter(image) as painter:
        painter.scale(scale, scale)
        rows = np.array([mirror.wire_rows[wire] for wire in mirror.wires if str(wire.target) == "s.x"])
        draw_in_groups(painter, mirror, Look(theme("dark"), scale), QRectF(-9999, -9999, 19999, 19999), rows, {})
    line = theme("dark").color("wire.zero").rgb() & 0xFFFFFF
    seen = np.frombuffer(image.constBits(), np.uint32) & 0xFFFFFF
    assert (seen == line).any()


@pytest.mark.parametrize("ratio", [1, 2])
def test_from_afar_blocks_are_whole_px_in_their_colours_and_wires_2_px_wide(ratio: int) -> None:
    """At a fifth, each block of 144 px has 29 of them; a wire between two of them is a level line."""
    mirror = mirror_of(example(EXAMPLE_NAMES[0]))
    scale, look = 0.2, Look(DARK, 0.2)

    def paint(painter: QPainter) -> None:
        painter.translate(40, 40)
        painter.scale(scale, scale)
        draw_far(painter, mirror, look, np.arange(len(mirror.ids)), np.arange(len(mirror.wires)))

    image = QImage(400 * ratio, 240 * ratio, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(ratio)
    image.fill(0)
    with QPainter(image) as painter:
        paint(painter)
    for row, (left, top, width, height) in enumerate(mirror.rects.tolist()):
        x, y = (40 + scale * left) * ratio, (40 + scale * top) * ratio
        seen = image.pixelColor(round(x + scale * width * ratio / 2), round(y + scale * height * ratio / 2))
        if seen != DARK.color("error"):
            assert seen == DARK.color(mirror.tokens[mirror.token_codes[row]])
        assert image.pixelColor(round(x) - 3 * ratio, round(y) + 1) != seen
    wire = next(row for row, way in enumerate(mirror.points) if way[0, 1] == way[-1, 1] and way[-1, 0] - way[0, 0] > 60)
    middle = mirror.points[wire, 0] * 0.5 + mirror.points[wire, -1] * 0.5
    x, y = (round(float(number * scale + 40) * ratio) for number in middle)
    column = [image.pixel(x, y + step) & 0xFFFFFF for step in range(-4 * ratio, 4 * ratio + 1)]
    assert sum(map(bool, column)) == 2 * ratio


def test_a_wire_without_a_way_for_the_gradient_is_dashed_from_afar() -> None:
    """Of a wire of integers fewer px are painted than of its whole length, of any other all."""
    mirror = mirror_of(x([1.0, 2.0]).then("s", "Sign").then("e", "Exp").loss())
    every = np.arange(len(mirror.wires))
    shares = {}
    for row, wire in enumerate(mirror.wires):
        found = picture(mirror, every[[row]], 0.25, None, Selection())
        blank = picture(mirror, every[:0], 0.25, None, Selection())
        painted_px = (found != blank).any(axis=2).sum()
        length = np.abs(np.diff(mirror.points[row], axis=0)).sum() * 0.25
        shares[str(wire.target)] = painted_px / (2 * length)
    assert min(shares.values()) > 0.2 and max(shares.values()) < 1.6
