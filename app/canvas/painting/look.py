"""How a page is to be drawn: theme, zoom, overlay, and what is selected, hovered or dimmed."""

from __future__ import annotations

import enum
import functools
from dataclasses import dataclass

from gradwire.app.live.readings.comparison import Comparison
from gradwire.app.live.session import NOTHING, Selection
from gradwire.app.look.theme import Theme
from gradwire.engine.graph.graph import Port, Wire

# Smaller text on the screen is hidden. Units: px.
DIMMED, SMALLEST_TEXT = 0.40, 8.5


class Overlay(enum.StrEnum):
    """How gradients are shown on the wires."""

    OFF = "off"
    LABELS = "labels"
    MAGNITUDE = "magnitude"
    SIGN = "sign"


class Level(enum.IntEnum):
    """How much detail a zoom allows."""

    MAP = 0
    SHAPE = 1
    COMPACT = 2
    FULL = 3
    DETAIL = 4


_BELOW = ((0.25, Level.MAP), (0.5, Level.SHAPE), (0.75, Level.COMPACT), (1.5, Level.FULL))


def level_at(scale: float) -> Level:
    """Returns the level of detail at a zoom."""
    return next((level for below, level in _BELOW if scale < below), Level.DETAIL)


@dataclass(frozen=True)
class Look:
    """Everything that decides how a page looks besides the page itself.

    `comparison` puts the gradients of another state of the stops beside the others. `has_grid` is off in exported
    pictures.
    Where `lit` is not None, all but it is drawn with the opacity `rest`, and left out where that is 0.
    """

    theme: Theme
    scale: float = 1.0
    overlay: Overlay = Overlay.MAGNITUDE
    is_stale: bool = False
    comparison: Comparison | None = None
    has_grid: bool = True
    selection: Selection = NOTHING
    hovered_block: str | None = None
    hovered_wire: Wire | None = None
    hot_port: tuple[Port, bool] | None = None
    lit: Selection | None = None
    rest: float = DIMMED

    def shows(self, px: float) -> bool:
        """Returns whether text of a size at 100 % is large enough to be read."""
        return self.scale * px >= SMALLEST_TEXT

    @functools.cached_property
    def level(self) -> Level:
        """The level of detail."""
        return level_at(self.scale)
