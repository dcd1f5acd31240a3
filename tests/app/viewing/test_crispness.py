"""The canvas on high-resolution screens: drawn with all device pixels, not enlarged."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from tests.app.canvas.pages import pixels
from tests.app.window.driver import Driver

SIZE = QSize(600, 300)


def grabbed(user: Driver, ratio: float, monkeypatch: pytest.MonkeyPatch) -> QImage:
    """Returns the picture of the canvas on a screen with `ratio` device pixels a px."""
    canvas = user.canvas
    monkeypatch.setattr(canvas, "devicePixelRatioF", lambda: ratio)
    canvas.painted.repaint()
    image = QImage(SIZE * ratio, QImage.Format.Format_ARGB32_Premultiplied)
    image.setDevicePixelRatio(ratio)
    canvas.render(image)
    image.setDevicePixelRatio(1)
    return image


def sharpness(image: QImage) -> float:
    """Returns the mean square of the steps between neighbouring device pixels, which smoothing reduces."""
    gray = pixels(image)[..., :3].mean(axis=2)
    return float((np.diff(gray, axis=1) ** 2).mean() + (np.diff(gray, axis=0) ** 2).mean())


@pytest.mark.parametrize("ratio", [1.5, 2.0])
def test_text_and_lines_are_as_sharp_as_the_screen(here: Driver, ratio: float, monkeypatch: pytest.MonkeyPatch) -> None:
    here.canvas.viewport.zoom_to(1.0)
    mode = Qt.TransformationMode.SmoothTransformation
    enlarged = grabbed(here, 1.0, monkeypatch).scaled(SIZE * ratio, mode=mode)
    sharp = grabbed(here, ratio, monkeypatch)
    assert sharp.size() == enlarged.size()
    assert sharpness(sharp) > 1.35 * sharpness(enlarged)


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0])
def test_the_layers_have_every_device_pixel(here: Driver, ratio: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expects one painted pixel for each device pixel: the middle of a block's body keeps its colour."""
    image = grabbed(here, ratio, monkeypatch)
    canvas = here.canvas
    rect = canvas.camera.rect_to_view(canvas.mirror.rect("e"))
    colors = {
        image.pixelColor(round((rect.left() + dx) * ratio), round((rect.top() + 1.5) * ratio)).name()
        for dx in (60, 90, 120)
    }
    assert len(colors) == 1


def test_what_is_panned_at_a_broken_ratio_is_what_would_be_painted(
    here: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    grabbed(here, 1.5, monkeypatch)
    here.canvas.viewport.pan(7, 3)
    panned = grabbed(here, 1.5, monkeypatch)
    assert panned == grabbed(here, 1.5, monkeypatch)
