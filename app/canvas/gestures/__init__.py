"""One small state machine a gesture, one module a reason to drag."""

from app.canvas.gestures.choose import BoxSelect
from app.canvas.gestures.draw_wire import DrawWire
from app.canvas.gestures.gesture import Gesture, Pointer, cursor_of
from app.canvas.gestures.move import Move
from app.canvas.gestures.pan import Pan
from app.canvas.gestures.resize import Resize
from app.canvas.gestures.scrub import Scrub

__all__ = ["BoxSelect", "DrawWire", "Gesture", "Move", "Pan", "Pointer", "Resize", "Scrub", "cursor_of"]
