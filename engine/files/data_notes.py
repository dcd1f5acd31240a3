"""Notes about how a file of examples was read; together they are one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gradwire.engine.files.table_form import Form
from gradwire.engine.files.table_text import BLANKS

_NAMES_SHOWN, _LONGEST_NAME = 6, 40


class Note(str):
    """A fact about how a file was read, without full stop; the window translates it."""


def line_of(notes: Iterable[str]) -> str:
    """Returns notes as one line."""
    return "; ".join(notes) + "."


def listed(names: Sequence[str]) -> str:
    """Returns some names for a sentence; of many, the first."""
    shown = [name[:_LONGEST_NAME] for name in names[:_NAMES_SHOWN]]
    return ", ".join([*shown, "..."] if len(names) > _NAMES_SHOWN else shown)


def notes_on_form(form: Form) -> list[Note]:
    """Returns where the names stand, and which signs separate cells and decimals."""
    named = {"row": Note("names in the first row"), "head": Note("names above the first row"), "": Note("no names")}
    signs = {"\t": Note("separated by tabs"), BLANKS: Note("separated by blanks")}
    decimal = Note("decimal point") if form.decimal == "." else Note("decimal comma")
    counts = [Note("the first row counts the columns: set header to yes if it names them")] * form.counts
    return [named[form.named_in], *counts, signs.get(form.separator, Note(f'separated by "{form.separator}"')), decimal]


def note_on_rows(name: str, count: int) -> Note:
    """Returns how many rows a file has."""
    return Note(f"Read {name}: 1 row" if count == 1 else f"Read {name}: {count:,} rows")


def note_on_columns(names: Sequence[str], classes: Sequence[str]) -> Note:
    """Returns which columns are the labels, and the classes of their texts."""
    if len(names) > 1:
        return Note(f"y is columns {listed(names)}")
    if classes:
        return Note(f"y is column {names[0][:_LONGEST_NAME]} with {len(classes)} classes ({listed(classes)})")
    return Note(f"y is column {names[0][:_LONGEST_NAME]}")
