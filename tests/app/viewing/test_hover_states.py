"""The look of hovered items: border, own wires on top, the port's ring."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage

from gradwire.app.canvas.geometry.target import Target
from gradwire.app.look.theme import theme
from gradwire.engine.graph.graph import Port
from tests.app.canvas.pages import pixels
from tests.app.window.driver import Driver
from tests.sweeps import a_third_of


def differ(one: QImage, other: QImage) -> bool:
    """Returns whether two pictures differ by more than the rounding of colours at painted borders."""
    return int(np.abs(pixels(one).astype(int) - pixels(other)).max()) > 2


def shown(user: Driver) -> QImage:
    image = QImage(user.canvas.size(), QImage.Format.Format_ARGB32_Premultiplied)
    user.canvas.render(image)
    return image


def test_the_look_knows_what_is_under_the_pointer(here: Driver) -> None:
    here.hand.enter(here.points.body("e"))
    assert here.canvas.page_look.now().hovered.block == "e"
    wire = here.wire("s.x")
    here.hand.enter(here.points.on_wire(wire))
    assert here.canvas.page_look.now().hovered.wire == wire
    here.hand.enter(here.points.output("e.y"))
    assert here.canvas.page_look.now().hovered.port == (Port("e", "y"), False)
    here.hand.enter(here.points.empty())
    look = here.canvas.page_look.now()
    assert look.hovered == Target()


def test_a_hovered_block_has_a_strong_border(here: Driver) -> None:
    here.canvas.viewport.zoom_to(1.0)
    here.hand.enter(here.points.body("e"))
    rect = here.canvas.camera.rect_to_view(here.canvas.mirror.rect("e"))
    seen = shown(here).pixelColor(round(rect.left()), round(rect.center().y()) + 20)
    border = theme("dark").color("border.strong")
    assert max(abs(a - b) for a, b in zip(seen.getRgb(), border.getRgb(), strict=True)) < 70


@pytest.mark.parametrize("name", a_third_of(["e", "wire", "port"]))
def test_painting_only_the_part_that_changes_is_the_same_as_painting_all(here: Driver, name: str) -> None:
    place = {
        "e": here.points.body("e"),
        "wire": here.points.on_wire(here.wire("s.x")),
        "port": here.points.output("e.y"),
    }[name]
    here.hand.enter(here.points.empty())
    before = shown(here)
    here.hand.enter(place)
    partly = shown(here)
    assert differ(partly, before)
    here.canvas.painted.repaint()
    assert not differ(partly, shown(here))
    here.hand.enter(here.points.empty())
    assert not differ(shown(here), before)
