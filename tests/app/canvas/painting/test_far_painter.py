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
