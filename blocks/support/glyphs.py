"""Images of digits without end: masters from the bundled fonts, each turned, scaled, sheared and moved at random.

Image i follows from the seed and i. All is + - * /, so every machine has the same bits.
"""

from __future__ import annotations

import json
from functools import cache

import numpy as np

from gradwire.blocks.support.shipped_sets import FOLDER, unpacked
from gradwire.engine.base.counter_random import Name, cosine, sine, uniforms
from gradwire.engine.base.tensor_spec import Array

SIDE, MASTER = 28, 32
# A digit of the usual scale is so many times smaller than its master: 19.2 of 28 pixels high.
_SHRUNK = 1.25
# Images that are made at once.
_CHUNK = 256
_CHANGES = ("master", "turn", "scale", "width", "shear", "right", "down")


@cache
def masters(name: str) -> Array:
    """Returns the masters for training (`x`) or for the test, from 0 to 1, with a frame of zeros.

    Shapes: [10, masters of a digit, 34, 34].
    """
    record = json.loads((FOLDER / "glyphs.json").read_text(encoding="utf-8"))
    drawn = unpacked(record[name]).reshape(record[f"{name}_shape"]) / 255.0
    return np.pad(drawn, ((0, 0), (0, 0), (1, 1), (1, 1)))


def glyphs(is_test: Array, noise: float, *names: Name) -> tuple[Array, Array]:
    """Returns images from 0 to 1, and their digits; `is_test` says which come from masters held back from training.

    Shapes: images [n, 28, 28, 1] in float32, digits [n] in int64.
    """
    count = len(is_test)
    changes = uniforms((count, len(_CHANGES)), *names, "change")
    digits = np.arange(count, dtype=np.int64) % 10
    images = np.empty((count, SIDE, SIDE, 1), np.float32)
    for start in range(0, count, _CHUNK):
        chunk = slice(start, min(start + _CHUNK, count))
        image = _images(digits[chunk], is_test[chunk], changes[chunk])
        if noise:
            # Numbers between -1 and 1 have a deviation of the root of a third.
            grain = 2 * uniforms(image.shape, *names, "noise", start) - 1
            image = np.minimum(np.maximum(image + noise * np.sqrt(3.0) * grain, 0.0), 1.0)
        images[chunk, :, :, 0] = image
    return images, digits


def _images(digits: Array, is_test: Array, changes: Array) -> Array:
    picked, turn, scale, width, shear, right, down = changes.T[:, :, None, None]
    turns = (2 * turn - 1) / 24
    size = _SHRUNK / (0.85 + 0.3 * scale)
    across = size / (0.85 + 0.3 * width)
    places = np.arange(SIDE) - (SIDE - 1) / 2
    x = places[None, None, :] - (6 * right - 3)
    y = places[None, :, None] - (6 * down - 3)
    c, s = cosine(turns), sine(turns)
    # From a pixel of the image back to its place in the master.
    u = (c * x + s * y) * across
    v = (c * y - s * x) * size
    u = u + (0.4 * shear - 0.2) * v
    trained, held = masters("x"), masters("test")
    found = np.empty(u.shape)
    for source, part in ((trained, ~is_test), (held, is_test)):
        number = (picked[part, 0, 0] * source.shape[1]).astype(np.int64)
        flat = source.reshape(-1)
        start = (digits[part] * source.shape[1] + number) * (MASTER + 2) ** 2
        found[part] = _sampled(flat, start[:, None, None], u[part], v[part])
    return found


def _sampled(flat: Array, start: Array, u: Array, v: Array) -> Array:
    """Returns the values at places around the middle of masters, by bilinear interpolation; 0 outside."""
    # The frame takes all that is outside.
    column = np.minimum(np.maximum(u + (MASTER + 1) / 2, 0.0), MASTER + 0.999)
    row = np.minimum(np.maximum(v + (MASTER + 1) / 2, 0.0), MASTER + 0.999)
    left, top = column.astype(np.int64), row.astype(np.int64)
    a, b = column - left, row - top
    first = start + top * (MASTER + 2) + left
    upper = flat[first] * (1 - a) + flat[first + 1] * a
    lower = flat[first + MASTER + 2] * (1 - a) + flat[first + MASTER + 3] * a
    return np.asarray(upper * (1 - b) + lower * b)
