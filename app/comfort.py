"""What makes the window easier to see and bear: contrast, motion, the size of texts, how wires run. Remembered."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from app.look.appearance import Contrast
from app.look.motion import set_moves
from app.look.system import wants_less_motion

if TYPE_CHECKING:
    from app.main_window import MainWindow

KEYS = ("text_scale", "contrast", "motion", "wires")
TEXT_SIZES = (90, 100, 110, 125, 150)
CONTRASTS = ("system", "on", "off")
MOTIONS = ("system", "reduced", "full")
WIRES = ("corners", "curves")


def text_size(window: MainWindow) -> int:
    """The size of texts around the canvas, in per cent, from 90 to 150."""
    text = window.settings.text("text_scale", "100")
    return min(max(int(text), TEXT_SIZES[0]), TEXT_SIZES[-1]) if text.isdecimal() else 100


def contrast(window: MainWindow) -> str:
    """What was chosen for contrast: `system`, `on` or `off`."""
    found = window.settings.text("contrast", "system")
    return found if found in CONTRASTS else "system"


def motion(window: MainWindow) -> str:
    """What was chosen for motion: `system`, `reduced` or `full`."""
    found = window.settings.text("motion", "system")
    return found if found in MOTIONS else "system"


def wires(window: MainWindow) -> str:
    """What was chosen for how wires run: `corners` or `curves`."""
    found = window.settings.text("wires", "corners")
    return found if found in WIRES else "corners"


def take(window: MainWindow, key: str) -> None:
    """Makes true what has been chosen anew, if the setting is one of these."""
    if key in KEYS:
        apply(window)
        if key == "text_scale":
            window.docking.give_sizes(text_size(window) / 100)
        window.refresh()


def wear(window: MainWindow) -> None:
    """Puts on what is remembered of looks, which an empty window has too."""
    window.appearance.choose_contrast(cast(Contrast, contrast(window)))
    window.appearance.set_text_scale(text_size(window) / 100)
    window.appearance.choose_curves(wires(window) == "curves")


def apply(window: MainWindow) -> None:
    """Makes true what is remembered."""
    wear(window)
    window.texts.set_scale(text_size(window) / 100)
    chosen = motion(window)
    is_reduced = chosen == "reduced" or (chosen == "system" and wants_less_motion())
    set_moves(False if is_reduced else True if chosen == "full" else None)
