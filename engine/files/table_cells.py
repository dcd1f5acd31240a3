"""Cells of a table: which are numbers, which are missing, which are texts, and columns made of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from gradwire.engine.base.tensor_spec import Array

MOST_CLASSES = 100
NOTHING = frozenset(("", "na", "n/a", "nan", "-nan", "null", "none", "?", "<na>", "#n/a"))
# A number as NumPy reads it: no digits of other scripts, no 1_000.
_PLAIN = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[+-]?inf(?:inity)?", re.ASCII | re.IGNORECASE)
_GROUPED = {
    ".": re.compile(r"[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?", re.ASCII),
    ",": re.compile(r"[+-]?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?", re.ASCII),
}
# 1_000, 12.5 %, $3, 1 000: numbers to somebody, and in no column of categories.
_LIKE_NUMBER = re.compile(r"[-+]?[$€£]?\s?\d[\d_.,'\u00a0\u202f ]*\s?[%€$£]?", re.ASCII)
_UNSURE = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}", re.ASCII)


def number_of(cell: str, decimal: str) -> float | None:
    """Returns the number in a cell, NaN if it says that there is none; None if it holds a text."""
    text = cell.strip()
    if text.lower() in NOTHING:
        return float("nan")
    if "," in text or decimal == ",":
        group = "," if decimal == "." else "."
        if _GROUPED[decimal].fullmatch(text):
            text = text.replace(group, "")
        elif group in text:
            return None
        text = text.replace(",", ".")
    return float(text) if _PLAIN.fullmatch(text) else None


def is_number(cell: str) -> bool:
    """Returns whether a cell holds a number, with a point or a comma."""
    return any(number_of(cell, decimal) is not None for decimal in ".,") and cell.strip().lower() not in NOTHING


def is_like_number(text: str) -> bool:
    """Returns whether a text that is no number would be one to its reader."""
    return _LIKE_NUMBER.fullmatch(text) is not None


class DecimalSigns:
    """What the cells of a table say about their decimal sign; each fact is the first cell that says it."""

    def __init__(self) -> None:
        self.comma = self.point = self.unsure = ""

    def take(self, cell: str) -> None:
        """Takes another cell into account."""
        cell = cell.strip()
        if "," not in cell:
            is_plain = "." in cell and _PLAIN.fullmatch(cell) and not _GROUPED[","].fullmatch(cell)
            self.point = self.point or (cell if is_plain else "")
        elif _UNSURE.fullmatch(cell):
            self.unsure = self.unsure or cell
        elif number_of(cell, ",") is not None:
            self.comma = self.comma or cell
        elif number_of(cell, ".") is not None:
            self.point = self.point or cell


class Column:
    """One column while it is read: its numbers, and its texts as long as they can be classes.

    `text` is the first text with its row, `alike` the first that would be a number to its reader, `texts` their number.
    Rows count from 1.
    """

    def __init__(self, decimal: str, numbers: Array | None = None) -> None:
        self.text: tuple[int, str] | None = None
        self.alike: tuple[int, str] | None = None
        self.texts, self.is_empty = 0, numbers is None
        self._decimal, self._numbers = decimal, [np.zeros(0)] if numbers is None else [numbers]
        # The place of each text among the texts so far, by how it is written: " a" and "a" have the same.
        self._places: dict[str, int] = {}
        self._texts: list[str] = []
        self._codes: list[Array] | None = [] if numbers is None else None

    @property
    def is_text(self) -> bool:
        """True if a cell is neither a number nor missing."""
        return self.text is not None

    @property
    def has_numbers(self) -> bool:
        """True if a cell holds a number."""
        return not bool(np.isnan(self.numbers()).all())

    def add(self, cells: Sequence[str], row: int) -> None:
        """Takes the cells of the next rows, of which the first is `row`."""
        self.is_empty = self.is_empty and not any(map(str.strip, cells))
        joined = "".join(cells)
        try:
            if self._decimal != "." or "_" in joined or not joined.isascii():
                raise ValueError(joined[:1])
            self._numbers.append(np.array(list(map(float, cells))))
        except ValueError:
            self._numbers.append(self._mixed(cells, row))
        if self._codes is not None:
            self._take_texts(cells, self._codes)

    def numbers(self) -> Array:
        """Returns its numbers, NaN where one is missing."""
        self._numbers = [np.concatenate(self._numbers)] if len(self._numbers) > 1 else self._numbers
        return self._numbers[0]

    def classes(self) -> tuple[Array, tuple[str, ...]] | None:
        """Returns the place of each cell among the texts in their order, -1 where it is missing; None for too many."""
        if self._codes is None:
            return None
        texts = tuple(sorted(self._texts))
        order = np.array([*map(texts.index, self._texts), -1], np.int64)
        return order[np.concatenate([np.zeros(0, np.int32), *self._codes])], texts

    def _mixed(self, cells: Sequence[str], row: int) -> Array:
        """Returns the numbers of cells of which some may be texts; each spelling is looked at once."""
        known = {cell: number_of(cell, self._decimal) for cell in set(cells)}
        texts = {cell for cell, number in known.items() if number is None}
        alike = {cell for cell in texts if is_like_number(cell.strip())}
        self.texts += sum(map(texts.__contains__, cells))
        self.text = self.text or _first_of(texts, cells, row)
        self.alike = self.alike or _first_of(alike, cells, row)
        return np.array([known[cell] for cell in cells], np.float64)  # None becomes NaN

    def _take_texts(self, cells: Sequence[str], codes: list[Array]) -> None:
        """Notes which text each cell has; gives up once there are too many for classes."""
        for cell in set(cells) - self._places.keys():
            text = cell.strip()
            if text.lower() not in NOTHING and text not in self._texts:
                self._texts.append(text)
            self._places[cell] = -1 if text.lower() in NOTHING else self._texts.index(text)
            if len(self._texts) > MOST_CLASSES:
                self._codes = None
                return
        codes.append(np.array([self._places[cell] for cell in cells], np.int32))


def _first_of(wanted: set[str], cells: Sequence[str], row: int) -> tuple[int, str] | None:
    """Returns the row and the text of the first of some cells, where `row` is that of the first cell."""
    return next(((row + at, cell.strip()) for at, cell in enumerate(cells) if cell in wanted), None) if wanted else None
