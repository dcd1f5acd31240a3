"""The drag that changes a number, by its slider or sideways over it."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt

from gradwire.app.canvas.geometry.shapes import Body
from gradwire.app.canvas.input.gestures.gesture import Gesture
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.gestures.number_edit import NumberEdit
from gradwire.app.canvas.input.gestures.pointer import Modifiers, Pointer

SCRUB_PX = 4.0


class Scrub(Gesture):
    """A drag of one number of an Input: by its slider, or sideways over the number itself."""

    scrolls = False

    def __init__(self, canvas: GestureHost, start: Pointer, block_id: str, index: int, by_slider: bool) -> None:
        super().__init__(canvas, start)
        self._block, self._index, self._by_slider = block_id, index, by_slider
        value = canvas.session.page.blocks[block_id].parameters["value"]
        assert isinstance(value, np.ndarray)
        self._before = value
        self._number = float(value.reshape(-1)[index])
        self._is_integer = value.dtype.kind in "iu"
        self._range = canvas.mirror.slider_range(block_id)
        self._last = start.view
        self._edit = NumberEdit(canvas.session, block_id, index)
        self._edit.begin()
        self.cursor = Qt.CursorShape.PointingHandCursor if by_slider else Qt.CursorShape.SizeHorCursor
        if by_slider:
            self.move(start)

    def move(self, pointer: Pointer) -> None:
        """Sets the number at once; all steps of one drag are one entry in the history."""
        number = self._by_place(pointer) if self._by_slider else self._by_way(pointer)
        if number != self._number or not self._edit.has_changed:
            self._number = number
            self._edit.set(self._before, number)

    def finish(self, pointer: Pointer) -> None:
        """The number stays; nothing is predicted any longer."""
        self._edit.end()

    def cancel(self) -> None:
        """The number is what it was."""
        self._edit.cancel()

    def _by_place(self, pointer: Pointer) -> float:
        """Returns the number that belongs to the place of the knob, rounded to what a px can tell."""
        mirror = self.canvas.mirror
        shape, corner = mirror.shapes[mirror.rows[self._block]], mirror.rect(self._block).topLeft()
        track, at = shape.slider_track(self._index), pointer.scene - corner
        if shape.body is Body.SLIDER:
            share = (at.x() - track.left()) / track.width()
        else:
            share = (track.bottom() - at.y()) / track.height()
        low, high = self._range
        step = round_step((high - low) / 100)
        number = low + min(max(share, 0.0), 1.0) * (high - low)
        if pointer.has(Modifiers.ControlModifier):
            step = round_step((high - low) / 10)
        elif pointer.has(Modifiers.ShiftModifier):
            step /= 10
        return float(f"{min(max(round(number / step) * step, low), high):.12g}")

    def _by_way(self, pointer: Pointer) -> float:
        """Returns a step for every 4 px sideways: Shift a tenth, Ctrl ten."""
        steps = (pointer.view.x() - self._last.x()) / SCRUB_PX
        if abs(steps) < 1:
            return self._number
        self._last = pointer.view
        low, high = self._range
        step = 1.0 if self._is_integer else round_step((high - low) / 100)
        step *= 0.1 if pointer.has(Modifiers.ShiftModifier) else 10 if pointer.has(Modifiers.ControlModifier) else 1
        number = self._number + round(steps) * step
        if pointer.has(Modifiers.ControlModifier):
            number = round(number / step) * step
        return float(f"{number:.12g}")


def round_step(step: float) -> float:
    """Returns the nearest of 1, 2, 5 times a power of ten that is not above."""
    exponent = 10.0 ** np.floor(np.log10(step))
    return float(next(item * exponent for item in (5, 2, 1) if item * exponent <= step * (1 + 1e-9)))
