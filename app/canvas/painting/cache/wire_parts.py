"""Wires on whole device pixels, taken apart into straight pieces and bends."""

from __future__ import annotations

import numpy as np

from gradwire.app.canvas.geometry.routing import Rows

LEVEL, UPRIGHT, BEND = range(3)


def wire_parts(points: Rows, radius: int, halves: Rows, view: Rows) -> Rows:
    """Returns the visible parts of wires as wire, kind, x, y, size, and for bends the directions of their arms.

    Of a piece x, y is the upper or left end and size the length; of a bend they are its corner and its radius, and
    its arms lead right or left (1 or -1) and down or up. The parts of a wire follow each other.
    Shapes: `points` (wires, 6, 2), `halves` (wires,), half the width of each; `view` left, top, right, bottom; (n, 7).
    Units: device pixels.
    """
    steps = np.diff(points, axis=1)
    lengths, units = np.abs(steps).sum(axis=2), np.sign(steps)
    radii = np.minimum(np.minimum(lengths[:, :-1], lengths[:, 1:]) // 2, radius)
    none = np.zeros((len(points), 1), radii.dtype)
    before, after = np.concatenate([none, radii], axis=1), np.concatenate([radii, none], axis=1)
    starts, ends = points[:, :-1] + units * before[..., None], points[:, 1:] - units * after[..., None]
    pieces = _pieces(np.minimum(starts, ends), np.maximum(starts, ends), halves, view)
    found = np.concatenate([pieces, _bends(points, units, radii, view, radius + halves)])
    return found[np.argsort(found[:, 0], kind="stable")]


def _pieces(low: Rows, high: Rows, halves: Rows, view: Rows) -> Rows:
    is_level = high[..., 1] == low[..., 1]
    wide = np.where(np.stack([is_level, ~is_level], axis=2), 0, halves[:, None, None])
    # A jog of one pixel is a step in a level piece.
    is_there = (high - low).sum(axis=2) > np.where(is_level, 0, 1)
    seen = is_there & ((low - wide < view[2:]) & (high + wide > view[:2])).all(axis=2)
    wires, places = np.nonzero(seen)
    low, high, is_level = low[wires, places], high[wires, places], is_level[wires, places]
    wide = halves[wires, None]
    low, high = np.maximum(low, view[:2] - wide), np.minimum(high, view[2:] + wide)
    none = np.zeros(len(wires), low.dtype)
    kinds = np.where(is_level, LEVEL, UPRIGHT)
    return np.column_stack([wires, kinds, low, (high - low).max(axis=1, initial=0), none, none])


def _bends(points: Rows, units: Rows, radii: Rows, view: Rows, reach: Rows) -> Rows:
    corners, pad = points[:, 1:-1], reach[:, None, None]
    seen = ((corners >= view[:2] - pad) & (corners <= view[2:] + pad)).all(axis=2)
    wires, places = np.nonzero((radii > 0) & seen)
    arms = units[wires, places + 1] - units[wires, places]
    kinds = np.full(len(wires), BEND)
    return np.column_stack([wires, kinds, corners[wires, places], radii[wires, places], arms])
