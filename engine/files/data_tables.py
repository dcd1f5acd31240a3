"""Tables as text (CSV, TSV, ARFF): columns of numbers or categories, and columns of labels."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

import numpy as np

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS, size_text
from gradwire.engine.base.reading_time import check_time
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.files.data_kinds import DataOptions
from gradwire.engine.files.data_notes import Note, listed, note_on_columns, note_on_rows, notes_on_form
from gradwire.engine.files.table_cells import MOST_CLASSES, Column
from gradwire.engine.files.table_form import JUDGED, MOST_COLUMNS, Form, body_of, first_cells, form_of, separator_of
from gradwire.engine.files.table_text import BLANKS, TableText, cells_of

# A table with texts takes ten times as long as one with numbers alone.
_CELLS_AT_ONCE, _MOST_CELLS = 100_000, 2**24
# Names of columns that number the rows, in small letters, besides those that end with id.
_COUNTING = frozenset(("#", "idx", "index", "no", "no.", "nr", "nr.", "row", "rownames", "sno", "unnamed: 0"))
_IDENTIFIER = re.compile(r"(?i:id)|.*[a-z0-9](?:Id|ID)|.*[ _.-](?i:id)")
_USUAL_LABELS = frozenset(("class", "label", "labels", "target", "y"))


class Table(NamedTuple):
    """Numbers [rows, columns], labels [rows] as numbers or indices of classes, or [rows, labels] of several columns.

    `notes` say how it was read.
    """

    numbers: Array
    labels: Array
    notes: tuple[Note, ...]


class _Chosen(NamedTuple):
    """Places of the columns that x and y take, and notes about this choice."""

    features: list[int]
    labels: list[int]
    notes: list[Note]


def read_table(content: bytes, options: DataOptions, name: str) -> Table:
    """Returns a table; NaN is where a number is missing.

    The labels are the column of that name or number, else the last one.
    Raises: FileError if it is no table of numbers.
    """
    text = TableText(content, name)
    form, columns, empty_rows = _read(text, options)
    if not len(columns[0].numbers()):
        raise FileError(f"{name} has no rows.")
    chosen = _chosen(form, columns, options, name)
    numbers, spread = _inputs(form, columns, chosen.features, options, name)
    labels, classes = _targets(form, columns, chosen.labels, options, name)
    used = [form.names[at] for at in chosen.features]
    heading = [note_on_rows(name, len(labels))]
    heading += [Note(f"x has {len(used):,} of {len(form.names):,} columns: {listed(used)}"), *spread]
    heading += [note_on_columns([form.names[at] for at in chosen.labels], classes)]
    gone = [Note(f"empty rows left out: {empty_rows:,}")] if empty_rows else []
    return Table(numbers, labels, (*heading, *notes_on_form(form), *chosen.notes, *gone))


def _read(text: TableText, options: DataOptions) -> tuple[Form, list[Column], int]:
    """Returns how a table is written, all of its columns, and how many of its rows hold nothing."""
    if not text.has_quotes:
        form = form_of(text, options, JUDGED)
        values = _plain(text, form)
        if values is not None:
            return form, [Column(form.decimal, values[:, at]) for at in range(len(form.names))], 0
    form = form_of(text, options)
    if len(form.names) * text.count_lines() > _MOST_CELLS:
        raise FileError(
            f"{text.name} has texts and more than {_MOST_CELLS:,} cells; keep numbers alone, or fewer rows."
        )
    return form, *_columns(text, form)


def _columns(text: TableText, form: Form) -> tuple[list[Column], int]:
    """Returns the columns of a table of numbers and texts, and how many of its rows hold nothing."""
    columns, row, empty = [Column(form.decimal) for _ in form.names], 1, 0
    cells, at_once = _cells(text, form), max(1, _CELLS_AT_ONCE // len(form.names))
    while part := list(islice(cells, at_once)):
        check_time()
        filled = [item for item in part if any(item)]
        for column, found in zip(columns, zip(*filled, strict=True), strict=False):
            column.add(found, row)
        row, empty = row + len(filled), empty + len(part) - len(filled)
    return columns, empty


def _cells(text: TableText, form: Form) -> Iterator[list[str]]:
    """Yields the cells of each row below the names.

    Raises: FileError for a row with more or fewer than there are columns.
    """
    width = len(form.names)
    try:
        for number, row in enumerate(body_of(text, form), 1):
            cells = cells_of(row, form.separator)
            if len(cells) != width:
                raise FileError(
                    f"{text.name} has {len(cells):,} instead of {width:,} cells in row {number:,}; "
                    "mend it, or set separator."
                )
            yield cells
    except csv.Error as error:
        raise FileError(f"{text.name} is no table, or is damaged.") from error


def _plain(text: TableText, form: Form) -> Array | None:
    """Returns a table of numbers alone, or None: NumPy reads a million rows in half a second."""
    rows: Iterator[str] = body_of(text, form)
    if form.decimal == ",":
        if text.has("."):
            return None
        rows = (row.replace(",", ".") for row in rows)
    first = next(rows, None)
    if first is None:
        return np.zeros((0, len(form.names)))
    try:
        separator = None if form.separator == BLANKS else form.separator
        found = np.loadtxt(_with_first(first, rows), delimiter=separator, ndmin=2, comments=None, encoding="utf-8")
    except ValueError:
        return None
    return found if found.shape[1] == len(form.names) else None


def _with_first(first: str, rows: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rows


def _chosen(form: Form, columns: Sequence[Column], options: DataOptions, name: str) -> _Chosen:
    """Returns the columns of x and y.

    Raises: FileError if there is no such column, or one is both.
    """
    names = form.names
    features = [_place(names, item, name) for item in options.columns]
    labels = [_place(names, item, name) for item in options.labels]
    if twice := set(features) & set(labels):
        raise FileError(f"{name} has the column {names[min(twice)]} both in columns and as label; it is one of them.")
    gone = [at for at, column in enumerate(columns) if column.is_empty and not _is_filled(form, at, options)]
    full = [at for at in range(len(columns)) if at not in (*gone, *features, *labels)]
    notes = [Note(f"empty columns left out: {len(gone):,}")] if gone else []
    if not labels:
        if not full:
            raise FileError(f"{name} has no column left for y; name one as label.")
        labels = [full.pop()]
        better = [names[at] for at in full if names[at].lower() in _USUAL_LABELS]
        if better and names[labels[0]].lower() not in _USUAL_LABELS:
            notes.append(Note(f"y may rather be {better[0]}: set label"))
    if not features:
        features, counting = _without_identifiers(full, form, columns)
        notes += counting
    if not features:
        raise FileError(f"{name} has no column left for x.")
    return _Chosen(features, labels, notes)


def _is_filled(form: Form, at: int, options: DataOptions) -> bool:
    """Returns whether a column that holds nothing stays: it has a name, and missing numbers become some."""
    return options.missing != "refuse" and bool(form.named_in) and form.names[at] != str(at)


def _place(names: Sequence[str], wanted: str, name: str) -> int:
    """Returns the place of a column by its name, else by its number from 0."""
    if wanted in names:
        return names.index(wanted)
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 6 and int(wanted) < len(names):
        return int(wanted)
    raise FileError(f"{name} has no column {wanted[:40]}; there are {', '.join(names[:8])}.")


def _without_identifiers(places: list[int], form: Form, columns: Sequence[Column]) -> tuple[list[int], list[Note]]:
    """Returns the columns whose numbers say more than which row it is, and what became of the others.

    A column that merely counts may be meant: it goes only if its name, too, says that it numbers the rows.
    """
    counting = [at for at in places if _counts(columns[at])]
    named = [at for at in places if _is_identifier(form, at, at in counting, columns[at])]
    named = named if len(named) < len(places) else []
    notes = [Note(f"left out: {form.names[at]}, which numbers the rows") for at in named]
    others = len(places) - len(named) > 1
    kept = [form.names[at] for at in counting if others and at not in named and len(columns[at].numbers()) > 2]
    notes += [Note(f"{item} counts the rows: name the other columns if it is no feature") for item in kept]
    return [at for at in places if at not in named], notes


def _is_identifier(form: Form, at: int, counts: bool, column: Column) -> bool:
    """Returns whether name and numbers of a column say that it numbers the rows."""
    name = form.names[at]
    if counts and (name.lower() in _COUNTING or (form.named_in == "row" and name == str(at))):
        return True
    return _IDENTIFIER.fullmatch(name) is not None and (counts or _differs(column))


def _counts(column: Column) -> bool:
    """Returns whether a column goes up by one from row to row."""
    if column.is_text or column.is_empty:
        return False
    numbers = column.numbers()
    return len(numbers) > 1 and bool(numbers[1] == numbers[0] + 1 and (numbers[1:] == numbers[:-1] + 1).all())


def _differs(column: Column) -> bool:
    """Returns whether each row has another whole number."""
    numbers = np.zeros(0) if column.is_text else column.numbers()
    return len(numbers) > 1 and bool((numbers == np.rint(numbers)).all()) and len(np.unique(numbers)) == len(numbers)


def _inputs(
    form: Form, columns: Sequence[Column], places: list[int], options: DataOptions, name: str
) -> tuple[Array, list[Note]]:
    """Returns numbers [rows, columns], with a column for each text of a category, and notes about these.

    Raises: FileError if texts are not wanted, or too many.
    """
    texts = [at for at in places if columns[at].is_text]
    for at in texts:
        _check_numbers(form, columns[at], at, name)
    if texts and options.text != "one_hot":
        (row, cell), known = columns[texts[0]].text or (0, ""), listed([form.names[at] for at in texts])
        raise FileError(
            f'{name} has texts in {known}, such as "{cell[:40]}" in row {row:,}; '
            "choose columns, or set text to one_hot."
        )
    parts = [_one_hot(form, columns[at], at, name) if at in texts else columns[at].numbers()[:, None] for at in places]
    width, rows = sum(part.shape[1] for part in parts), len(parts[0])
    if width > MOST_COLUMNS or width * rows * 8 > LIMITS.tensor_bytes:
        raise FileError(f"{name} holds an array above {size_text(LIMITS.tensor_bytes)}.")
    spread = [Note(f"one hot: {form.names[at]}, {parts[places.index(at)].shape[1]} texts") for at in texts]
    return np.concatenate(parts, axis=1, dtype=np.float64), spread


def _one_hot(form: Form, column: Column, at: int, name: str) -> Array:
    found = column.classes()
    if found is None:
        raise FileError(
            f"{name} has more than {MOST_CLASSES} different texts in {form.names[at]}; leave it out by columns."
        )
    codes, texts = found
    return np.where(codes[:, None] < 0, np.nan, np.float32(codes[:, None] == np.arange(len(texts))))


def _check_numbers(form: Form, column: Column, at: int, name: str) -> None:
    """Raises: FileError if a text is a number in other signs, or a name in a row that was taken for numbers."""
    if column.alike is not None:
        row, cell = column.alike
        raise FileError(
            f'{name} has "{cell[:40]}" in row {row:,} of {form.names[at]}; write it as a plain number, such as 1000.5.'
        )
    if column.text is not None and column.text[0] == column.texts == 1 and not form.named_in and column.has_numbers:
        raise FileError(
            f'{name} has the text "{column.text[1][:40]}" above numbers; set header to yes if its row has names.'
        )


def _targets(
    form: Form, columns: Sequence[Column], places: list[int], options: DataOptions, name: str
) -> tuple[Array, tuple[str, ...]]:
    """Returns labels [rows] and the texts of their classes; of a list of labels [rows, labels].

    Raises: FileError if a label is missing.
    """
    found = [_labels(form, columns[at], at, name) for at in places]
    if isinstance(options.label, str):
        return found[0]
    return np.stack([numbers for numbers, _ in found], axis=1).astype(np.float64), ()


def _labels(form: Form, column: Column, at: int, name: str) -> tuple[Array, tuple[str, ...]]:
    numbers, texts = column.numbers(), tuple[str, ...]()
    if column.is_text:
        _check_numbers(form, column, at, name)
        found = column.classes()
        if found is None:
            raise FileError(
                f"{name} has more than {MOST_CLASSES} different texts in {form.names[at]}; name another label."
            )
        numbers, texts = found
    missing = numbers < 0 if texts else np.isnan(numbers)
    if missing.any():
        raise FileError(f"{name} has no label in row {int(missing.argmax()) + 1:,}.")
    return numbers, texts


def labels_of(texts: list[str], name: str) -> Array:
    """Returns labels as numbers, or as indices of the different texts in their order.

    Raises: FileError if there are too many.
    """
    column = Column(".")
    column.add(texts, 1)
    return _labels(Form((name,), "row", ",", "."), column, 0, name)[0]


def read_names(content: bytes, name: str) -> dict[str, str]:
    """Returns the last column of a table by its first one; a heading is a row like others.

    Raises: FileError if it is no table, or has a name twice.
    """
    found: dict[str, str] = {}
    text = TableText(content, name)
    separator = separator_of(text)
    for number, row in enumerate(text.rows(), 1):
        cells = first_cells(text, row, separator)
        if len(cells) < 2:
            raise FileError(f"{name} has {len(cells)} fields in row {number:,}, not a file and its label.")
        if cells[0] in found:
            raise FileError(f"{name} has two rows for {plain(cells[0])}.")
        found[cells[0]] = cells[-1]
    return found
