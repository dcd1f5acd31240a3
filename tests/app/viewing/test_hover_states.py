"""What is under the pointer looks another (DESIGN, section 3): border, own wires on top, the port's ring."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtGui import QImage

from app.look.theme import theme
from engine.graph import Port
from tests.app.canvas.pages import pixels
from tests.app.window.driver import Driver


def differ(one: QImage, other: QImage) -> bool:
    """Whether two pictures differ by more than the rounding of colours at a border of what is painted."""
    return int(np.abs(pixels(one).astype(int) - pixels(other)).max()) > 2


def shown(user: Driver) -> QImage:
    image = QImage(user.canvas.size(), QImage.Format.Format_ARGB32_Premultiplied)
    user.canvas.render(image)
    return image


def test_the_look_knows_what_is_under_the_pointer(here: Driver) -> None:
    here.enter(here.body("e"))
    assert here.canvas.look().hovered_block == "e"
    wire = here.wire("s.x")
    here.enter(here.on_wire(wire))
    assert here.canvas.look().hovered_wire == wire
    here.enter(here.output("e.y"))
    assert here.canvas.look().hot_port == (Port("e", "y"), False)
    here.enter(here.empty())
    look = here.canvas.look()
    assert look.hovered_block is look.hovered_wire is look.hot_port is None


def test_a_hovered_block_has_a_strong_border(here: Driver) -> None:
    here.canvas.zoom_to(1.0)
    here.enter(here.body("e"))
    rect = here.canvas.camera.rect_to_view(here.canvas.mirror.rect("e"))
    seen = shown(here).pixelColor(round(rect.left()), round(rect.center().y()) + 20)
    border = theme("dark").color("border.strong")
    assert max(abs(a - b) for a, b in zip(seen.getRgb(), border.getRgb(), strict=True)) < 70


@pytest.mark.parametrize("name", ["e", "wire", "port"])
def test_painting_only_the_part_that_changes_is_the_same_as_painting_all(here: Driver, name: str) -> None:
    place = {"e": here.body("e"), "wire": here.on_wire(here.wire("s.x")), "port": here.output("e.y")}[name]
    here.enter(here.empty())
    before = shown(here)
    here.enter(place)
    partly = shown(here)
    assert differ(partly, before)
    here.canvas.repaint_page()
    assert not differ(partly, shown(here))
    here.enter(here.empty())
    assert not differ(shown(here), before)
