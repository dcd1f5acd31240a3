"""Perceptually uniform colour ramps."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtGui import QColor


def ramp_table(stops: list[QColor], steps: int) -> list[QColor]:
    """Returns evenly spaced colours along the stops, interpolated in OKLab."""
    labs = np.array([_to_oklab(item) for item in stops])
    at = np.linspace(0, len(stops) - 1, steps)
    mixed = np.column_stack([np.interp(at, np.arange(len(stops)), labs[:, axis]) for axis in range(3)])
    return [_from_oklab(row) for row in mixed]


# Björn Ottosson, "A perceptual color space for image processing", 2020: linear sRGB to LMS, and the cube roots to Lab.
_TO_LMS = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def _to_oklab(color: QColor) -> np.ndarray[Any, np.dtype[np.float64]]:
    rgb = np.array([color.redF(), color.greenF(), color.blueF()], float)
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return _TO_LAB @ np.cbrt(_TO_LMS @ linear)


def _from_oklab(lab: np.ndarray[Any, np.dtype[np.float64]]) -> QColor:
    linear = np.clip(np.linalg.solve(_TO_LMS, np.linalg.solve(_TO_LAB, lab) ** 3), 0, 1)
    rgb = np.where(linear <= 0.0031308, linear * 12.92, 1.055 * linear ** (1 / 2.4) - 0.055)
    return QColor.fromRgbF(*(float(item) for item in np.clip(rgb, 0, 1)))
