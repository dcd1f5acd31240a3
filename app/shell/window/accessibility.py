"""Accessibility settings of the window: contrast, motion, text size, shape of wires. Stored in the settings."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from gradwire.app.base.settings import Settings
from gradwire.app.look.appearance import Appearance, Choice, Contrast
from gradwire.app.look.motion import set_moves
from gradwire.app.look.system import wants_less_motion

if TYPE_CHECKING:
    from gradwire.app.shell.window.panel_texts import PanelTexts  # loads NumPy, for which an empty window does not wait

KEYS = ("text_scale", "contrast", "motion", "wires")
TEXT_SIZES = (90, 100, 110, 125, 150, 175, 200)
CONTRASTS = ("system", "on", "off")
MOTIONS = ("system", "reduced", "full")
WIRES = ("corners", "curves")


def text_size(settings: Settings) -> int:
    """Returns the size of texts in per cent, from 90 to 200."""
    text = settings.text("text_scale", "100")
    return min(max(int(text), TEXT_SIZES[0]), TEXT_SIZES[-1]) if text.isdecimal() else 100


def contrast(settings: Settings) -> str:
    """Returns the choice of contrast: `system`, `on` or `off`."""
    found = settings.text("contrast", "system")
    return found if found in CONTRASTS else "system"


def motion(settings: Settings) -> str:
    """Returns the choice of motion: `system`, `reduced` or `full`."""
    found = settings.text("motion", "system")
    return found if found in MOTIONS else "system"


def wires(settings: Settings) -> str:
    """Returns the choice of how wires run: `corners` or `curves`."""
    found = settings.text("wires", "corners")
    return found if found in WIRES else "corners"


def choose_theme(settings: Settings, appearance: Appearance, choice: Choice) -> None:
    """Chooses a theme and remembers it."""
    appearance.choose(choice)
    settings.set_text("theme", choice)


def wear(settings: Settings, appearance: Appearance) -> None:
    """Applies the stored looks, which an empty window has too."""
    appearance.choose_contrast(cast(Contrast, contrast(settings)))
    appearance.set_text_scale(text_size(settings) / 100)
    appearance.choose_curves(wires(settings) == "curves")


def apply(settings: Settings, appearance: Appearance, texts: PanelTexts) -> None:
    """Applies all stored settings."""
    wear(settings, appearance)
    texts.set_scale(text_size(settings) / 100)
    chosen = motion(settings)
    is_reduced = chosen == "reduced" or (chosen == "system" and wants_less_motion())
    set_moves(False if is_reduced else True if chosen == "full" else None)
