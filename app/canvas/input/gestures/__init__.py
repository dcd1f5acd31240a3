"""Gestures of the mouse: one small state machine for each, ending in at most one edit.

The canvas and the rest of `input` enter; they need only the names that stand below.
The way in is `gesture.Gesture`, the base of them all.
"""

from gradwire.app.canvas.input.gestures.choose import BoxSelect, Lasso
from gradwire.app.canvas.input.gestures.copying import Copy
from gradwire.app.canvas.input.gestures.draw_wire import DrawWire
from gradwire.app.canvas.input.gestures.gesture import Gesture, cursor_of
from gradwire.app.canvas.input.gestures.knife import Knife
from gradwire.app.canvas.input.gestures.move import Move
from gradwire.app.canvas.input.gestures.pan import Pan
from gradwire.app.canvas.input.gestures.place import Place, place_under
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer
from gradwire.app.canvas.input.gestures.resize import Resize
from gradwire.app.canvas.input.gestures.scrub import Scrub

__all__ = [
    "BoxSelect",
    "Copy",
    "DrawWire",
    "Gesture",
    "Knife",
    "Lasso",
    "Modifiers",
    "Move",
    "Pan",
    "Place",
    "Pointer",
    "Resize",
    "Scrub",
    "cursor_of",
    "place_under",
]
