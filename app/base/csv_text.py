"""Comma-separated values for other programs, in which no cell is taken for a formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

# With these a spreadsheet begins a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Returns rows as comma-separated values; numbers stay numbers, and what looks like a formula becomes text."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(list(map(_defused, row)) for row in rows)
    return text.getvalue()


def _defused(cell: object) -> object:
    # An apostrophe marks text in all spreadsheets.
    is_formula = isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA) and not _is_number(cell)
    return f"'{cell}" if is_formula else cell


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
