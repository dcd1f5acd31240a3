"""Every icon can be drawn in the requested colour; every block type and category has one."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QIcon

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.look.categories import category_look, color_token, icon_name
from gradwire.app.look.icons import draw_icon, icon, icon_pixmap, icon_source
from gradwire.app.look.theme import ASSETS, theme
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.library import library
from gradwire.interop.search.block_search import placeable_types
from tests.app.canvas.pages import painted, pixels
from tests.blocks.contract.contract import in_one_test

pytestmark = pytest.mark.usefixtures("qapp")

NAMES = sorted(path.stem for path in (ASSETS / "icons").glob("*.svg"))


def inked(name: str, color: str, px: int = 16, ratio: float = 1.0) -> np.ndarray:
    """Returns the mask of an icon's inked pixels. Shapes: (px * ratio, px * ratio)."""
    found: np.ndarray = pixels(icon_pixmap(name, color, px, ratio).toImage())[..., 3] > 0
    return found


def test_there_are_icons() -> None:
    assert NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_leaves_ink(name: str) -> None:
    # A line of 1.5 px across the icon already covers 16 px.
    assert inked(name, "#ff8800").sum() >= 10


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_has_the_colour_asked_for_and_no_other(name: str) -> None:
    image = icon_pixmap(name, "#ff8800", 16, 2.0).toImage()
    opaque = {
        image.pixelColor(x, y).getRgb()
        for x in range(image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).alpha() == 255
    }
    # Blending costs a step of 8 bits.
    assert all(np.abs(np.subtract(item, (255, 136, 0, 255))).max() <= 1 for item in opaque)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_a_pixmap_has_the_size_of_its_screen(ratio: float) -> None:
    made = icon_pixmap("add", "#ff8800", 16, ratio)
    assert (made.width(), made.height(), made.devicePixelRatio()) == (16 * ratio, 16 * ratio, ratio)


def test_an_icon_is_drawn_into_its_box_only() -> None:
    box = QRectF(8, 8, 16, 16)
    image = painted(QSize(32, 32), lambda painter: draw_icon(painter, "target", QColor("#ffffff"), box))
    found = pixels(image)[..., :3].any(axis=2)
    assert found[8:24, 8:24].any()
    found[7:25, 7:25] = False
    assert not found.any()


def test_an_icon_of_no_file_is_an_error() -> None:
    with pytest.raises(FileNotFoundError):
        icon_source("no such icon")


def test_a_disabled_icon_looks_different() -> None:
    made = icon(theme("dark"), "add")
    normal, disabled = (
        made.pixmap(QSize(16, 16), 1.0, mode).toImage() for mode in (QIcon.Mode.Normal, QIcon.Mode.Disabled)
    )
    assert not normal.isNull() and normal != disabled


@in_one_test(list(library))
def test_every_block_type_has_an_icon_and_a_colour(block_type: BlockType) -> None:
    assert icon_name(block_type) in NAMES
    assert theme("light").color(color_token(block_type)).isValid()


@pytest.mark.parametrize("category", sorted({item.category for item in placeable_types()}))
def test_every_category_has_an_icon_and_a_colour_of_its_own(category: str) -> None:
    token, name = category_look(category)
    assert name in NAMES and name != "help"
    assert token.startswith("cat.")


def test_an_unknown_type_has_an_icon_and_a_colour() -> None:
    assert icon_name(None) in NAMES
    assert theme("dark").color(color_token(None)).isValid()


@pytest.mark.parametrize(("px", "ratio"), [(16, 1.0), (16, 2.0), (24, 1.0)])
def test_an_icon_fills_its_square_from_corner_to_corner(px: int, ratio: float) -> None:
    """A plus is the same from all sides, and so is its place."""
    found = inked("add", "#ff8800", px, ratio)
    assert found.shape == (px * ratio, px * ratio) and found.any()
    for turned in (found[::-1], found[:, ::-1], found.T):
        assert np.array_equal(found, turned)
    assert icon_pixmap("add", "#ff8800", px).devicePixelRatio() == 1.0
