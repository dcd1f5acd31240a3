"""The number below a field on the canvas: it is typed at the end, or stepped by the arrow keys."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
from PySide6.QtCore import QLocale

from gradwire.app.base.number_keys import whole_steps
from gradwire.app.base.translation import decimal, tr
from gradwire.app.canvas.geometry.shown_page import ShownPage
from gradwire.app.canvas.input.gestures.number_edit import NumberEdit
from gradwire.app.canvas.input.gestures.scrub import round_step
from gradwire.engine.base.number_text import read_number
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.graph.block_parameters import value_of
from gradwire.interop.typed.array_expressions import computed_number
from gradwire.interop.typed.exact_arrays import misfit
from gradwire.interop.typed.tensor_text import with_point


class NumberField:
    """One element of a block's value. All steps, and what is typed after them, are one entry in the history."""

    def __init__(self, page: ShownPage, block_id: str, index: int) -> None:
        self._page, self._block, self._index = page, block_id, index
        self._range = page.mirror.slider_range(block_id)
        self._edit = NumberEdit(page.session, block_id, index)

    @property
    def text(self) -> str:
        """The number as it is now."""
        value = self._value()
        return "" if value is None else f"{value.reshape(-1)[self._index].item():.12g}"

    def step(self, text: str, steps: Decimal) -> None:
        """Goes some steps on from what was typed; the loss is predicted from where that was."""
        number, value = self._read(text), self._value()
        if number is None or value is None:
            return
        low, high = self._range
        step = float(whole_steps(steps)) if value.dtype.kind in "iu" else float(steps) * round_step((high - low) / 100)
        self._edit.begin()
        # A step of 0.1 leaves 0.30000000000000004 behind; what is typed keeps all its digits.
        self._edit.set(value, float(f"{number + step:.12g}"))

    def accept(self, text: str) -> None:
        """Takes over what was typed; a number that is only shown keeps the digits that are not."""
        self._edit.end()
        number, value = None if text == self.text else self._read(text), self._value()
        if number is not None and value is not None:
            self._edit.set(value, number)

    def cancel(self) -> None:
        """The number is what it was."""
        self._edit.cancel()

    def _value(self) -> Array | None:
        """Returns the block's value; None if the block was taken away while the field was open."""
        block = self._page.session.page.blocks.get(self._block)
        return None if block is None else value_of(block)

    def _read(self, text: str) -> int | float | None:
        """Returns the number that was typed; None, and the reason is told, if it is none for the block."""
        session, value = self._page.session, self._value()
        if value is None:
            return None
        typed = with_point(text, QLocale().decimalPoint())
        number = read_number(typed)
        number = computed_number(typed) if number is None else number
        if number is None:
            session.refused.emit(
                tr('"{text}" is not a number; write one like {example}, -2 or 1e-3.', text=text, example=decimal("0.5"))
            )
            return None
        if misfit(np.asarray(number), value.dtype) is not None:
            session.refused.emit(self._misfit_text(text, value.dtype))
            return None
        return number

    def _misfit_text(self, text: str, dtype: np.dtype[Any]) -> str:
        if dtype.kind not in "iu":
            return tr("{block} is {dtype}, which cannot hold {text}.", block=self._block, dtype=dtype.name, text=text)
        words = tr("{block} needs whole numbers from {low} to {high}, not {text}.")
        return words.format(block=self._block, low=np.iinfo(dtype).min, high=np.iinfo(dtype).max, text=text)
