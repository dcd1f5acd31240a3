"""Places as the tables of lenses write them."""

from __future__ import annotations

from engine.expand import Link, PortName
from engine.plain_text import plain


def place_text(place: PortName | Link) -> str:
    """A port or wire by the names that the canvas shows: `x.y`, `x → e.x`."""
    if isinstance(place, Link):
        return f"{_short(place.source.path)} → {_short(place.target.path)}.{plain(place.target.port)}"
    return f"{_short(place.path)}.{plain(place.port)}"


def _short(path: str) -> str:
    return path.rpartition("/")[2]
