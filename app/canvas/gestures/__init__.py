"""One small state machine a gesture, one module a reason to drag."""

from app.canvas.gestures.choose import BoxSelect, Lasso
from app.canvas.gestures.copying import Copy
from app.canvas.gestures.draw_wire import DrawWire
from app.canvas.gestures.gesture import Gesture, Modifiers, Pointer, cursor_of
from app.canvas.gestures.knife import Knife
from app.canvas.gestures.move import Move
from app.canvas.gestures.pan import Pan
from app.canvas.gestures.place import Place, place_under
from app.canvas.gestures.resize import Resize
from app.canvas.gestures.scrub import Scrub

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
