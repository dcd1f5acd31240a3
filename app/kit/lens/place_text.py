"""The names of places in the tables of lenses."""

from __future__ import annotations

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.graph.paths import name_in_rounds


def place_text(place: PortName | Link) -> str:
    """Returns a port or wire by the names on the canvas: `x.y`, `x → e.x`."""
    if isinstance(place, Link):
        return f"{_short(place.source.path)} → {_short(place.target.path)}.{plain(place.target.port)}"
    return f"{_short(place.path)}.{plain(place.port)}"


def _short(path: str) -> str:
    return name_in_rounds(path)
