"""A tensor shown as an image: height by width, with 1, 3 or 4 channels or none."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.values.pointed_picture import PointedPicture
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import fmt_list, shape_text
from gradwire.engine.base.tensor_spec import Array

HEIGHT = 200
CHANNELS = (1, 3, 4)
PIXELS_AT_MOST = 1024
_Bytes = np.ndarray[Any, np.dtype[np.uint8]]


class ImagePicture(PointedPicture):
    """An image scaled to fit, with square pixels."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, "value_image", HEIGHT)
        self._array: Array | None = None
        self.image = QImage()

    def show_image(self, array: Array | None) -> None:
        """Shows a tensor that is an image; None shows nothing."""
        is_image = array is not None and is_image_shape(array.shape)
        self._array = array if is_image else None
        self.image = QImage() if self._array is None else _image_of(self._array)
        shape = tr("unknown") if self._array is None else shape_text(self._array.shape)
        self.setAccessibleName(tr("Image {shape}", shape=shape))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the image; small images are enlarged without smoothing, as each pixel is a number."""
        with QPainter(self) as painter:
            if self.image.isNull():
                self.say_nothing(painter)
                return
            box = self._box()
            is_small = box.width() >= self.image.width()
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, not is_small)
            painter.drawImage(box, self.image)

    def _box(self) -> QRectF:
        scale = min(self.width() / self.image.width(), self.height() / self.image.height())
        width, height = self.image.width() * scale, self.image.height() * scale
        return QRectF((self.width() - width) / 2, (self.height() - height) / 2, width, height)

    def text_at(self, at: QPointF) -> str:
        """Returns row, column and numbers of the pixel at a point, "" if there is none."""
        if self._array is None:
            return ""
        box, (rows, columns) = self._box(), self._array.shape[:2]
        if not box.contains(at):
            return ""
        row = min(int((at.y() - box.top()) / box.height() * rows), rows - 1)
        column = min(int((at.x() - box.left()) / box.width() * columns), columns - 1)
        numbers = [float(item) for item in np.atleast_1d(self._array[row, column])]
        return f"[{row}, {column}] {fmt_list(numbers)}"


def is_image_shape(shape: tuple[int, ...]) -> bool:
    """Returns whether a shape is that of an image: [H×W], or with 1, 3 or 4 channels at the end."""
    return 0 not in shape and (len(shape) == 2 or (len(shape) == 3 and shape[-1] in CHANNELS))


def axes_of_image(shape: tuple[int, ...]) -> int:
    """Returns how many of the last axes form one image: 3 with channels, else 2."""
    return 3 if len(shape) > 2 and shape[-1] in CHANNELS else 2


def image_bytes(array: Array) -> _Bytes:
    """Returns an image as bytes from 0 to 255; numbers outside are clipped, NaN becomes black.

    Whole numbers stay. Floats and booleans are scaled from 0..1, unless an element is larger than 1.
    """
    numbers = np.nan_to_num(array.astype(np.float64), nan=0.0)
    is_share = array.dtype.kind == "b" or (array.dtype.kind == "f" and bool((numbers <= 1).all()))
    return np.rint(np.clip(numbers * (255 if is_share else 1), 0, 255)).astype(np.uint8)


def _image_of(array: Array) -> QImage:
    step = max(1, -(-max(array.shape) // PIXELS_AT_MOST))
    small = image_bytes(array[::step, ::step])
    channels = 1 if small.ndim == 2 else small.shape[2]
    formats = {1: QImage.Format.Format_Grayscale8, 3: QImage.Format.Format_RGB888, 4: QImage.Format.Format_RGBA8888}
    height, width = small.shape[:2]
    picture = QImage(small.tobytes(), width, height, width * channels, formats[channels])
    # Copied, because the image does not own the bytes above, which end with this function.
    return picture.copy()
