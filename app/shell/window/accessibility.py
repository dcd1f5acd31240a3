"""Looks of the window that the settings keep: theme, contrast, motion, text size and shape of wires."""

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
# What can be chosen, with the English words of the command for it; the first choice is the usual one.
CHOICES = {
    "theme": {"system": "System default", "dark": "Dark", "light": "Light"},
    "contrast": {"system": "Contrast: system default", "on": "High contrast", "off": "Standard contrast"},
    "motion": {"system": "Motion: system default", "reduced": "Reduced motion", "full": "Full motion"},
    "wires": {"corners": "Wires with corners", "curves": "Curved wires"},
}


def text_size(settings: Settings) -> int:
    """Returns the size of texts in per cent, from 90 to 200."""
    text = settings.text("text_scale", "100")
    return min(max(int(text), TEXT_SIZES[0]), TEXT_SIZES[-1]) if text.isdecimal() else 100


def chosen(settings: Settings, key: str) -> str:
    """Returns the choice for one of the keys, the usual one if the settings have none that there is."""
    if key == "text_scale":
        return str(text_size(settings))
    found = settings.text(key)
    return found if found in CHOICES[key] else next(iter(CHOICES[key]))


def theme(settings: Settings) -> Choice:
    """Returns the choice of a theme."""
    return cast(Choice, chosen(settings, "theme"))


def wear(settings: Settings, appearance: Appearance) -> None:
    """Applies the stored looks, which an empty window has too."""
    appearance.choose_contrast(cast(Contrast, chosen(settings, "contrast")))
    appearance.set_text_scale(text_size(settings) / 100)
    appearance.choose_curves(chosen(settings, "wires") == "curves")


def apply(settings: Settings, appearance: Appearance, texts: PanelTexts) -> None:
    """Applies all stored settings."""
    wear(settings, appearance)
    texts.set_scale(text_size(settings) / 100)
    motion = chosen(settings, "motion")
    is_reduced = motion == "reduced" or (motion == "system" and wants_less_motion())
    set_moves(False if is_reduced else True if motion == "full" else None)
