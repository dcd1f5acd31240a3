"""Draws the masters of the set `glyphs`: the digits of the fonts in assets/fonts, in 32 x 32 pixels.

python -m scripts.draw_glyphs
"""

from __future__ import annotations

import base64
import json
import sys
import zlib

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QRawFont, QTransform

from gradwire import HOME
from gradwire.engine.base.tensor_spec import Array

PIXELS, HEIGHT = 32, 24
# Weights for training, and those that only the test part has.
TRAINED = ("Inter-Regular.otf", "Inter-Medium.otf", "JetBrainsMono-Medium.ttf", "JetBrainsMono-SemiBold.ttf")
HELD_BACK = ("Inter-SemiBold.otf", "JetBrainsMono-Regular.ttf")
WIDTHS = (1.0, 0.8)
TARGET = HOME / "assets" / "data" / "glyphs.json"


def master(font: str, digit: int, width: float) -> Array:
    """Returns a digit in the middle of its square, 24 pixels high.

    Shapes: [32, 32], uint8. Raises: OSError if the font cannot be read.
    """
    raw = QRawFont(str(HOME / "assets" / "fonts" / font), 100.0)
    if not raw.isValid():
        raise OSError(f"{font} cannot be read")
    path = raw.pathForGlyph(raw.glyphIndexesForString(str(digit))[0])
    box: QRectF = path.boundingRect()
    scale = HEIGHT / box.height()
    move = QTransform().translate(PIXELS / 2, PIXELS / 2).scale(scale * width, scale)
    path = move.translate(-box.center().x(), -box.center().y()).map(path)
    image = QImage(PIXELS, PIXELS, QImage.Format.Format_Grayscale8)
    image.fill(0)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillPath(path, QColor("white"))
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(PIXELS, image.bytesPerLine())[:, :PIXELS].copy()


def masters(fonts: tuple[str, ...]) -> Array:
    """Returns the masters of some fonts.

    Shapes: [10, fonts times widths, 32, 32], uint8.
    """
    return np.stack([[master(font, digit, width) for font in fonts for width in WIDTHS] for digit in range(10)])


def packed(array: Array) -> list[str]:
    """Returns the bytes of an array as lines of base85."""
    text = base64.b85encode(zlib.compress(array.tobytes(), 9)).decode()
    return [text[start : start + 100] for start in range(0, len(text), 100)]


def main() -> None:
    """Writes the file of the masters."""
    application = QGuiApplication.instance() or QGuiApplication(["draw_glyphs", "-platform", "offscreen"])
    drawn = {"x": masters(TRAINED), "test": masters(HELD_BACK)}
    record = {"encoding": "bytes in rows, zlib, base85"}
    record |= {f"{name}_shape": list(array.shape) for name, array in drawn.items()}
    record |= {name: packed(array) for name, array in drawn.items()}
    TARGET.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    del application


if __name__ == "__main__":
    sys.exit(main())
