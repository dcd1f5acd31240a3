"""The names of places in the tables of lenses."""

from __future__ import annotations

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.graph.paths import name_in_rounds


def place_text(place: PortName | Link) -> str:
    """Returns a port or wire by the names on the canvas: `x.y`, `x → e.x`."""
    if isinstance(place, Link):
        return f"{name_in_rounds(place.source.path)} → {name_in_rounds(place.target.path)}.{plain(place.target.port)}"
    return f"{name_in_rounds(place.path)}.{plain(place.port)}"
