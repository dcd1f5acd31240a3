"""Rows of text in aligned columns, for terminals and for help."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, plain


def columns(rows: Iterable[Sequence[str]]) -> str:
    """Returns rows of text in aligned columns."""
    table = [[plain(cell, LONGEST_PARAGRAPH) for cell in row] for row in rows]
    widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
    lines = ("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in table)
    return "\n".join(line.rstrip() for line in lines)
