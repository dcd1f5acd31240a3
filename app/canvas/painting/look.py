"""How a page is to be drawn: theme, zoom, overlay, and what is selected, hovered or dimmed."""

from __future__ import annotations

import enum
import functools
from dataclasses import dataclass

from gradwire.app.canvas.geometry.target import NO_TARGET, Target
from gradwire.app.live.readings.comparison import Comparison
from gradwire.app.live.session import NOTHING, Selection
from gradwire.app.look.theme import Theme

# No text is smaller on the screen. Units: px.
DIMMED, SMALLEST_TEXT = 0.40, 9.5


class Overlay(enum.StrEnum):
    """How gradients are shown on the wires."""

    OFF = "off"
    LABELS = "labels"
    MAGNITUDE = "magnitude"
    SIGN = "sign"


class Level(enum.IntEnum):
    """How much detail of a block a zoom allows; texts have a size on the screen.

    `SHAPE` has icons with names below, `COMPACT` a value too, and from `FULL` on all stands inside.
    """

    SHAPE = 0
    COMPACT = 1
    FULL = 2
    DETAIL = 3


# Blocks are 144 px wide: their width on the screen is below 58, 100 and 220 px.
_BELOW = ((0.4, Level.SHAPE), (0.7, Level.COMPACT), (1.53, Level.FULL))


def level_at(scale: float) -> Level:
    """Returns the level of detail at a zoom."""
    return next((level for below, level in _BELOW if scale < below), Level.DETAIL)


@dataclass(frozen=True)
class Look:
    """Everything that decides how a page looks besides the page itself.

    `scale` is the zoom and `text_scale` the size of texts, 1 at 100 %; from 100 % on, texts have a size on the screen.
    `comparison` puts the gradients of another state of the stops beside the others. `has_grid` is off in exported
    pictures, `has_notes` where notes are said elsewhere.
    Where `lit` is not None, all but it is drawn with the opacity `rest`, and left out where that is 0.
    """

    theme: Theme
    scale: float = 1.0
    text_scale: float = 1.0
    overlay: Overlay = Overlay.MAGNITUDE
    is_stale: bool = False
    comparison: Comparison | None = None
    has_grid: bool = True
    has_notes: bool = True
    selection: Selection = NOTHING
    hovered: Target = NO_TARGET
    lit: Selection | None = None
    rest: float = DIMMED

    def growth(self, px: float) -> float:
        """Returns how much larger a text of a size at 100 % is drawn, so that it can be read on the screen."""
        return max(1.0, SMALLEST_TEXT / (self.reading_scale * px))

    @functools.cached_property
    def reading_scale(self) -> float:
        """The zoom beside the size of texts: what has room for texts at it has room for them at a zoom of 1 to 1."""
        return self.scale / self.text_scale

    @functools.cached_property
    def level(self) -> Level:
        """The level of detail."""
        return level_at(self.reading_scale)
