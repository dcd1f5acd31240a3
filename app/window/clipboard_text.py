"""Texts for copy and paste: a graph, a number or list, a table of numbers. Without Qt."""

from __future__ import annotations

import csv
import io
import re

import numpy as np

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.live import carrying
from gradwire.app.live.selection import Selection
from gradwire.app.panels.palette.block_search import constant_from
from gradwire.engine.base.errors import EditError, FileError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.edits.edits import Fragment
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.graph import Block, Graph, Page
from gradwire.engine.graph.lookup import free_name

CLIPBOARD_PAGE = "clipboard"
# NumPy prints spaces instead of the commas of lists.
_BETWEEN_NUMBERS = re.compile(r"(?<=[\d.\]fn])\s+(?=[-+\d.\[in])")
# This pattern covers most cells; other spellings of numbers take longer to recognise.
_PLAIN_NUMBER = re.compile(r"-?[0-9]{1,300}(\.[0-9]*)?(e-?[0-9]{1,3})?", re.IGNORECASE)
_FROM_NUMPY = re.compile(r"(?:np\.|numpy\.)?array\((.*?)(?:,\s*dtype=[\w.]+)?\)", re.DOTALL)


def copied_text(graph: Graph, page: str, chosen: Selection) -> str:
    """Returns the selection on a page as the text of a `.graph` file, with the pages that its blocks use."""
    fragment = carrying.copied(graph, page, chosen)
    name = free_name(CLIPBOARD_PAGE, [item.name for item in fragment.pages])
    copied = Page(
        name,
        {block.id: block for block in fragment.blocks},
        {wire.target: wire for wire in fragment.wires},
        frames=fragment.frames,
        notes=fragment.notes,
    )
    return dumps(Graph((copied, *fragment.pages)))


def pasted_fragment(text: str) -> Fragment:
    """Returns the fragment of a text: a graph's pages, a Constant, or an Input with a table.

    Raises: EditError that says what is wrong with the text.
    """
    plain = text.strip("\ufeff\0 \t\r\n")
    if not plain:
        raise EditError(tr("The clipboard holds no text."))
    if len(text) > LIMITS.file_bytes:
        raise EditError(tr("The clipboard has more text than a file may have; open it as a file."))
    if plain.startswith("{"):
        return _graph(text)
    value = _list(plain)
    return _source("Constant", value) if value is not None else _source("Input", _table(text.strip("\ufeff\0\r\n")))


def _graph(text: str) -> Fragment:
    try:
        loaded = loads(text)
    except FileError as error:
        reason = tr_sentence(error.message)
        if not error.line:
            raise EditError(tr("The clipboard holds no blocks. {reason}", reason=reason)) from error
        sentence = tr(
            "The clipboard holds no blocks. Line {line}, column {column}: {reason}",
            line=error.line,
            column=error.column,
            reason=reason,
        )
        raise EditError(sentence) from error
    if loaded.unknown_needs:
        needs = ", ".join(loaded.unknown_needs)
        raise EditError(tr("The blocks on the clipboard need {needs}, which this version does not have.", needs=needs))
    page, *others = loaded.graph.pages or (Page(CLIPBOARD_PAGE),)
    if not page.blocks and not page.notes and not page.frames:
        raise EditError(tr("The clipboard holds a graph whose first page has no blocks."))
    wires = (wire for wire in page.wires.values() if {wire.source.block, wire.target.block} <= page.blocks.keys())
    return Fragment(tuple(page.blocks.values()), tuple(wires), page.frames, page.notes, tuple(others))


def _source(type_name: str, value: Array) -> Fragment:
    value.setflags(write=False)
    return Fragment((Block(type_name, type_name, at=(0, 0), parameters={"value": value}),))


def _list(text: str) -> Array | None:
    """Returns the array of a text with a number, a list or NumPy's output; None for other text."""
    found = _FROM_NUMPY.fullmatch(text)
    inner = found[1] if found else text
    is_list = inner.lstrip().startswith("[")
    if not is_list and not re.fullmatch(r"\S+", inner):
        return None
    value = constant_from(_BETWEEN_NUMBERS.sub(", ", inner) if is_list and "," not in inner else inner)
    return value if value is not None and value.ndim <= LIMITS.rank else None


def _table(text: str) -> Array:
    """Returns the matrix of lines of numbers, or a vector for one row or column.

    It skips a first line of names.
    Raises: EditError with row and column of the first cell that is no number.
    """
    rows = _cells(text)
    if len(rows) > 1 and all(_number(cell) is None for cell in rows[0]):
        rows = rows[1:]
    if "[" in text or all(_number(cell) is None for row in rows[:2] for cell in row):
        raise EditError(
            tr("The clipboard holds neither blocks nor numbers; copy blocks, a number, a list or a table of numbers.")
        )
    values = np.array([_row(row, place, len(rows[0])) for place, row in enumerate(rows, start=1)])
    return values.reshape(-1) if 1 in values.shape else values


def _cells(text: str) -> list[list[str]]:
    lines = [line for line in text.splitlines() if line.strip()]
    separator = next((mark for mark in "\t;," if any(mark in line for line in lines)), None)
    if separator is None:
        return [line.split() for line in lines]
    try:
        found = list(csv.reader(io.StringIO("\n".join(lines)), delimiter=separator))
    except csv.Error as error:
        raise EditError(tr("A cell of the table on the clipboard is too long or breaks its line.")) from error
    rows = [[cell.strip() for cell in row] for row in found]
    has_points = any("." in cell for row in rows for cell in row)
    if separator != "," and not has_points:
        # In many countries a spreadsheet writes 0,5.
        rows = [[cell.replace(",", ".") for cell in row] for row in rows]
    return rows


def _row(row: list[str], place: int, width: int) -> list[float]:
    if len(row) != width:
        found = tr("row {row} has {count} cells, the first row {width}", row=place, count=len(row), width=width)
        raise EditError(tr("The table on the clipboard is not a rectangle: {found}.", found=found))
    numbers = []
    for column, cell in enumerate(row, start=1):
        number = _number(cell)
        if number is None:
            raise EditError(
                tr('Row {row}, column {column} of the table on the clipboard is "{cell}", which is no number.',
                   row=place, column=column, cell=cell[:40])
            )  # fmt: skip
        numbers.append(number)
    return numbers


def _number(cell: str) -> float | None:
    if _PLAIN_NUMBER.fullmatch(cell):
        return float(cell)
    value = constant_from(cell) if cell else None
    return None if value is None or value.ndim else float(value)
