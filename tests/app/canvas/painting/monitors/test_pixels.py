"""Images on a block pixel by pixel: their colours, their rows, and what is written below each."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QImage

from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.monitors.pictures import Heat, Images
from gradwire.app.canvas.painting.monitors.pixels import draw_images, draw_matrix, image_of
from gradwire.app.look.theme import theme
from tests.app.canvas.pages import painted, pixels
from tests.app.strokes import Stroke, placed, strokes

pytestmark = pytest.mark.usefixtures("qapp")
LOOK = Look(theme("dark"))


def colors(image: QImage) -> list[list[tuple[int, int, int, int]]]:
    return [
        [image.pixelColor(x, y).getRgb() for x in range(image.width())]  # type: ignore[misc]
        for y in range(image.height())
    ]


def test_an_image_has_its_colours_row_by_row_rounded_and_within_their_range() -> None:
    given = np.array([[(1.4, 1.6, 255, 255), (-7, 300, 0, 255), (9, 8, 7, 255)], [(0, 1, 2, 255)] * 3])
    assert colors(image_of(given)) == [
        [(1, 2, 255, 255), (0, 255, 0, 255), (9, 8, 7, 255)],
        [(0, 1, 2, 255)] * 3,
    ]


@pytest.mark.parametrize("channels", [1, 3])
def test_pixels_from_0_to_1_are_shown_without_a_blur(channels: int) -> None:
    """Two pixels across and one down, 24 px each: 1 is white, and the other one is grey or has its colours."""
    shown = Images(np.array([[[[1.0] * channels, [0.2, 0.4, 0.6][:channels]]]]))
    found = pixels(
        painted(QSize(54, 40), lambda painter: draw_images(painter, LOOK, QRectF(0, 0, 54, 30), shown, True))
    )
    assert (found[4:26, 4:26, :3] == 255).all()
    # Blue comes first in memory.
    assert (found[4:26, 28:50, :3] == ([51] * 3 if channels == 1 else [153, 102, 51])).all()
    assert not found[:2, :, :3].any() and not found[28:, :, :3].any()


def images(
    count: int, box: QRectF, labels: tuple[str, ...] = (), size: tuple[int, int] = (8, 8), **how: object
) -> list[Stroke]:
    shown, look = Images(np.zeros((count, *size, 1)), labels), dataclasses.replace(LOOK, **how)
    return strokes(lambda painter: draw_images(painter, look, box, shown, bool(labels)))


def test_the_last_row_may_have_fewer() -> None:
    """Five in three columns: 3 px around each."""
    found = placed(images(5, QRectF(10, 20, 99, 67)), "image")
    assert found == [
        (13, 23, 29, 29), (45, 23, 29, 29), (77, 23, 29, 29),
        (13, 55, 29, 29), (45, 55, 29, 29),
    ]  # fmt: skip


@pytest.mark.parametrize(("size", "each"), [((4, 8), (50, 25)), ((8, 4), (26.5, 53))])
def test_images_keep_their_shape(size: tuple[int, int], each: tuple[float, float]) -> None:
    """Wide ones stand above each other, tall ones side by side."""
    box = QRectF(0, 0, 56, 59) if size == (4, 8) else QRectF(0, 0, 62, 59)
    found = placed(images(2, box, size=size), "image")
    assert [at[2:] for at in found] == [each, each]
    way = (found[1][0] - found[0][0], found[1][1] - found[0][1])
    assert way == ((0, 28) if size == (4, 8) else (29.5, 0))


def test_below_each_image_is_its_label_as_tall_as_can_be_read() -> None:
    """13 px at 100 %; at 50 %, a text of 10 px is 19 px tall, and its row grows alike."""
    for scale, grown in ((1.0, 1.0), (0.5, 1.9)):
        found = images(4, QRectF(0, 0, 109, 109 + 26 * grown), ("a", "b", "c", "d"), scale=scale)
        row = 50 + 13 * grown + 3
        assert placed(found, "image") == [
            (3, 3, 50, 50), (56, 3, 50, 50), (3, round(3 + row, 2), 50, 50), (56, round(3 + row, 2), 50, 50)
        ]  # fmt: skip
        words = [(item.text, *item.at[:2], item.at[3]) for item in found if item.kind == "text"]
        assert words == [
            (name, left, pytest.approx(top), pytest.approx(13 * grown))
            for name, left, top in (("a", 1.5, 53), ("b", 54.5, 53), ("c", 1.5, 53 + row), ("d", 54.5, 53 + row))
        ]


def test_an_image_of_26_px_is_recognized_and_a_smaller_one_gives_way() -> None:
    """Four in a row of 26 px each just fit; in a px less there are three, larger ones."""
    assert placed(images(4, QRectF(0, 0, 119, 32)), "image") == [(3 + 29 * n, 3, 26, 26) for n in range(4)]
    fewer = placed(images(4, QRectF(0, 0, 118, 32)), "image")
    assert [at[0] for at in fewer] == pytest.approx([3, 41.33, 79.67], abs=0.01)
    assert all(at[2:] == (35.33, 35.33) for at in fewer)


def test_there_is_always_one_image() -> None:
    assert placed(images(3, QRectF(0, 0, 20, 9)), "image") == [(3, 3, 14, 14)]


def test_a_large_matrix_is_an_image_without_a_blur() -> None:
    """One row of 200 cells over 400 px: each is 2 px wide and has its colour at full strength."""
    cells = np.where(np.arange(200) % 2, 1.0, -1.0)[None]
    found = pixels(
        painted(QSize(408, 20), lambda painter: draw_matrix(painter, LOOK, QRectF(0, 0, 408, 20), Heat(cells, 1, 200)))
    )
    ours = {tuple(color.getRgb()[2::-1]) for color in (LOOK.theme.diverging(1.0), LOOK.theme.diverging(-1.0))}
    assert set(map(tuple, found[10, 4:404, :3].tolist())) == ours
    assert not found[10, :4, :3].any() and not found[3, :, :3].any() and found[4, 5, :3].any()
