"""Elements under the pointer, in a line and in an image; and the bytes of images."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.values.image_picture import ImagePicture, axes_of_image, image_bytes, is_image_shape
from gradwire.app.kit.values.line_plot import LinePlot
from gradwire.app.kit.values.value_parts import Part
from gradwire.app.look.appearance import Appearance


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    found = QWidget()
    qtbot.addWidget(found)
    return found


def move(widget: QWidget, x: float, y: float) -> None:
    place, none = QPointF(x, y), Qt.MouseButton.NoButton
    widget.mouseMoveEvent(  # type: ignore[attr-defined]  # both widgets have it
        QMouseEvent(QEvent.Type.MouseMove, place, place, none, none, Qt.KeyboardModifier.NoModifier)
    )


def test_a_line_tells_of_the_element_nearest_to_the_pointer(parent: QWidget) -> None:
    plot, told = LinePlot(Appearance("dark"), parent), list[str]()
    plot.pointed.connect(told.append)
    plot.resize(101, 128)
    move(plot, 50, 5)
    assert told == [""]  # there is no vector yet
    told.clear()
    plot.show_part(Part("y", np.array([1.0, 2.0, 4.0, 8.0, 16.0])))
    for x in (-9, 0, 12, 13, 50, 87, 88, 100, 999):
        move(plot, x, 5)
    assert told == ["[0] 1", "[0] 1", "[0] 1", "[1] 2", "[2] 4", "[3] 8", "[4] 16", "[4] 16", "[4] 16"]
    plot.leaveEvent(QEvent(QEvent.Type.Leave))
    assert told[-1] == ""


@pytest.mark.parametrize("size", [(400, 300), (150, 600), (600, 150), (300, 200)])
def test_an_image_tells_of_the_pixel_under_the_pointer(size: tuple[int, int], parent: QWidget) -> None:
    """Two rows of three pixels, as large as they fit, stand in the middle."""
    picture, told = ImagePicture(Appearance("dark"), parent), list[str]()
    picture.pointed.connect(told.append)
    picture.setFixedSize(*size)
    picture.show_image(np.arange(6.0).reshape(2, 3))
    side = min(size[0] / 3, size[1] / 2)
    left, top = size[0] / 2 - 1.5 * side, size[1] / 2 - side
    for row, column in np.ndindex(2, 3):
        for x, y in ((0.1, 0.1), (0.9, 0.9)):
            move(picture, left + (column + x) * side, top + (row + y) * side)
            assert told[-1] == f"[{row}, {column}] {3 * row + column}"
    for x, y in ((-0.1, 1), (3.1, 1), (1, -0.1), (1, 2.1)):
        move(picture, left + x * side, top + y * side)
        assert told[-1] == ""
    picture.show_image(None)
    move(picture, size[0] / 2, size[1] / 2)
    assert told[-1] == ""


@pytest.mark.parametrize(
    ("shape", "is_image", "axes"),
    [((2, 3), True, 2), ((2, 3, 1), True, 3), ((2, 3, 3), True, 3), ((2, 3, 4), True, 3), ((2, 3, 2), False, 2),
     ((3,), False, 2), ((0, 3), False, 2), ((5, 2, 3, 3), False, 3)],
)  # fmt: skip
def test_images_have_a_height_a_width_and_perhaps_channels(shape: tuple[int, ...], is_image: bool, axes: int) -> None:
    assert (is_image_shape(shape), axes_of_image(shape)) == (is_image, axes)


def test_shares_are_scaled_to_bytes_and_whole_numbers_are_not() -> None:
    for array, wanted in (
        (np.array([[0.0, 0.5, 1.0]]), [[0, 128, 255]]), (np.array([[0.0, 0.5, 2.0]]), [[0, 0, 2]]),
        (np.array([[-3.0, np.nan, 1.0]]), [[0, 0, 255]]), (np.array([[-3.0, 999.0, 1.0]]), [[0, 255, 1]]),
        (np.array([[True, False]]), [[255, 0]]), (np.array([[0, 1, 300]]), [[0, 1, 255]]),
        (np.array([[0, 1]]), [[0, 1]]), (np.array([[1, 2]], np.float32), [[1, 2]]),
    ):  # fmt: skip
        assert image_bytes(array).tolist() == wanted
