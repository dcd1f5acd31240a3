"""The size of gradients on the scale of magnitudes of their page."""

from __future__ import annotations

import math

import numpy as np

from gradwire.app.canvas.geometry.page_arrays import PageArrays
from gradwire.app.canvas.geometry.routing import Points, Rows


def magnitude(arrays: PageArrays, row: int) -> float:
    """Returns how large the gradient of a wire is on the page's scale, from 0 to 1."""
    return position(arrays, float(arrays.wire_norm[row]))


def position(arrays: PageArrays, norm: float) -> float:
    """Returns how large a norm is on the page's scale, from 0 to 1."""
    if norm <= 0:
        return 0.0
    return min(max(1 - (math.log10(arrays.top) - math.log10(norm)) / arrays.span, 0.0), 1.0)


def magnitudes(arrays: PageArrays, rows: Rows) -> Points:
    """Returns the same for many wires at once. Shapes: (n,)."""
    norms = np.maximum(arrays.wire_norm[rows], 1e-300)
    return np.clip(1 - (np.log10(arrays.top) - np.log10(norms)) / arrays.span, 0, 1)
