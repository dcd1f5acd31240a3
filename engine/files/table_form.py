"""How a table is written: its separator, its decimal sign, and whether its first row has the names; from all rows."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS, size_text
from gradwire.engine.base.reading_time import in_time
from gradwire.engine.blocktypes.parameters import SEPARATORS
from gradwire.engine.files.data_kinds import DataOptions
from gradwire.engine.files.table_cells import DecimalSigns, is_number
from gradwire.engine.files.table_text import BLANKS, TableText, cells_of, width_of

MOST_COLUMNS = 10_000
_AUTO = "auto"
# Which separator gives more numbers, and whether the first row is one of texts, are judged by so many rows.
JUDGED, _COMPARED = 100, 10_000


class Form(NamedTuple):
    """How a table is written. `names` are those of all its columns, by number where nothing names them.

    They stand in the first row (`row`), in a head or comment above it (`head`), or nowhere (`""`); `counts` is true if
    the first row, taken for numbers, counts the columns.
    """

    names: tuple[str, ...]
    named_in: str
    separator: str
    decimal: str
    counts: bool = False


def form_of(text: TableText, options: DataOptions, most: int | None = None) -> Form:
    """Returns how a table is written; what the options leave open is decided from all of its rows.

    With `most` so many decide about the separator: enough where reading by it finds numbers alone, as many in each row.

    Raises: FileError if its rows do not agree, or its decimal sign cannot be known.
    """
    _check_size(text, 2)
    first = next(text.rows(), None)
    if first is None:
        raise FileError(f"{text.name} has no rows.")
    separator = options.separator if options.separator != _AUTO else separator_of(text, most)
    heading, width = first_cells(text, first, separator), _body_width(text, separator)
    _check_size(text, max(width, len(heading)))
    named_in, names = _header(text, heading, width, separator, options.header)
    if len(names) < 2:
        raise FileError(f"{text.name} has one column; set separator to the sign between its columns.")
    if len(names) > MOST_COLUMNS:
        raise FileError(f"{text.name} has {len(names):,} columns, above {MOST_COLUMNS:,}.")
    counts = (
        not named_in
        and len(names) > 2
        and heading in [[str(at + start) for at in range(len(names))] for start in (0, 1)]
    )
    form = Form(names, named_in, separator, ".", counts and options.header == _AUTO)
    decimal = options.decimal if options.decimal != _AUTO else _decimal_of(text, form)
    return form._replace(decimal=decimal)


def body_of(text: TableText, form: Form) -> Iterator[str]:
    """Yields the rows below the names."""
    return islice(text.rows(), 1 if form.named_in == "row" else 0, None)


def first_cells(text: TableText, row: str, separator: str) -> list[str]:
    """Returns the cells of a row without blanks around them.

    Raises: FileError if it has none, or one is too long.
    """
    try:
        cells = [cell.strip() for cell in in_time(cells_of(row, separator))]
    except csv.Error as error:
        raise FileError(f"{text.name} is no table, or is damaged.") from error
    if max(map(len, cells), default=0) > LIMITS.text_bytes:
        raise FileError(f"{text.name} has a cell of more than {size_text(LIMITS.text_bytes)}.")
    return cells


def separator_of(text: TableText, most: int | None = None) -> str:
    """Returns the sign that gives all rows the same number of cells, and of several the one that gives most numbers.

    Raises: FileError if no sign does.
    """
    first = next(text.rows(), "")
    # The first row may have one name less, or a separator more, than the rows below it.
    open_ = {sign: width_of(first, sign) for sign in SEPARATORS if sign == BLANKS or sign in first}
    below: dict[str, int] = {}
    for row in islice(text.rows(), 1, most):
        for sign in tuple(open_):
            width = width_of(row, sign)
            if width != below.setdefault(sign, width) or width < 2 or abs(width - open_[sign]) > 1:
                del open_[sign]
        # Where one remains, reading by it finds the row that does not agree.
        if len(open_) < 2:
            break
    widths = {sign: (open_[sign], below.get(sign, open_[sign])) for sign in open_}
    fitting = [sign for sign, (above, width) in widths.items() if width > 1 and abs(width - above) < 2]
    if not fitting:
        return _usual_separator(text)
    if len(fitting) == 1:
        return fitting[0]
    sample = list(islice(text.rows(), 1, 1 + JUDGED)) or [first]

    def merit(sign: str) -> tuple[bool, float]:
        return widths[sign][0] == widths[sign][1], _share_of_numbers(sample, sign)

    return max(fitting, key=merit)


def _usual_separator(text: TableText) -> str:
    """Returns the sign with which most rows agree; reading by it names the first row that does not."""
    sample = list(islice(text.rows(), _COMPARED))
    shares = {sign: Counter(width_of(row, sign) for row in sample) for sign in SEPARATORS}
    return max(SEPARATORS, key=lambda sign: max((n for width, n in shares[sign].items() if width > 1), default=0))


def _share_of_numbers(rows: list[str], separator: str) -> float:
    try:
        cells = [cell for row in rows for cell in cells_of(row, separator)]
    except csv.Error:
        return 0.0
    return sum(is_number(cell) or not cell.strip() for cell in in_time(cells)) / len(cells)


def _body_width(text: TableText, separator: str) -> int:
    """Returns the number of cells of the second row, 0 if there is none."""
    row = next(islice(text.rows(), 1, None), None)
    return 0 if row is None else width_of(row, separator)


def _check_size(text: TableText, width: int) -> None:
    if width <= MOST_COLUMNS and width * text.count_lines() * 8 > LIMITS.tensor_bytes:
        raise FileError(f"{text.name} holds an array above {size_text(LIMITS.tensor_bytes)}.")


def _header(text: TableText, first: list[str], width: int, separator: str, wanted: str) -> tuple[str, tuple[str, ...]]:
    """Returns where the names stand, and those of all columns."""
    if text.names and wanted != "no":
        return "head", _named(text, list(text.names))
    if wanted == "yes" or (wanted == _AUTO and _is_header(text, first, separator)):
        return "row", _named(text, _fitted(text, first, width, separator))
    above = first_cells(text, text.comment, separator) if text.comment and wanted == _AUTO else []
    if len(above) == len(first) == len(set(above)) and not any(map(is_number, above)):
        return "head", _named(text, above)
    return "", tuple(map(str, range(len(first))))


def _is_header(text: TableText, first: list[str], separator: str) -> bool:
    """Returns whether no cell of the first row is a number, and none stands in its column again, as a class would."""
    if any(map(is_number, first)) or not any(first):
        return False
    texts = [(at, cell) for at, cell in enumerate(first) if cell]
    known = {cell for _, cell in texts}
    for row in islice(text.rows(), 1, _COMPARED):
        cells = first_cells(text, row, separator)
        if not known.isdisjoint(cells) and any(at < len(cells) and cells[at] == cell for at, cell in texts):
            return False
    return True


def _fitted(text: TableText, names: list[str], width: int, separator: str) -> list[str]:
    """Returns as many names as the rows have cells: for separators at the end of all rows, or of the first alone.

    A table that R has written has row names in quotation marks that its first row does not name.
    """
    if len(names) == width + 1 and not names[-1]:
        return names[:-1]
    if len(names) == width - 1:
        row = next(islice(text.rows(), 1, None))
        if not first_cells(text, row, separator)[-1]:
            return [*names, ""]
        if row.startswith('"'):
            return ["", *names]
    return names


def _named(text: TableText, names: list[str]) -> tuple[str, ...]:
    """Returns names of all columns; one without a name has its number.

    Raises: FileError if two are the same.
    """
    found = tuple(name or str(at) for at, name in enumerate(names))
    if len(set(found)) < len(found):
        twice = next(name for name in found if found.count(name) > 1)
        raise FileError(f"{text.name} has two columns of the same name, {twice[:40]}; rename one.")
    return found


def _decimal_of(text: TableText, form: Form) -> str:
    """Returns the decimal sign of a table, which is a point unless its cells say otherwise.

    Raises: FileError if they contradict each other, or could mean either.
    """
    if not text.has(",") or (form.separator == "," and not text.has_quotes):
        return "."
    signs = _signs_in(body_of(text, form), form.separator, text.has("."))
    both = signs.comma and signs.point
    if both:
        raise FileError(
            f'{text.name} has "{signs.comma}" and "{signs.point}" as numbers; write all with one decimal sign.'
        )
    if signs.comma or (signs.unsure and not signs.point and form.separator == ";"):
        return ","
    if signs.unsure and not signs.point:
        raise FileError(
            f'{text.name} has "{signs.unsure}"; set decimal to "." if its comma groups thousands, else to ",".'
        )
    return "."


def _signs_in(rows: Iterable[str], separator: str, has_points: bool) -> DecimalSigns:
    """Returns what the cells say, up to the one that decides: a comma, and a point where there is any."""
    signs = DecimalSigns()
    for row in rows:
        if signs.comma and (signs.point or not has_points):
            break
        if "," in row or "." in row:
            try:
                for cell in in_time(cells_of(row, separator)):
                    if "," in cell or "." in cell:
                        signs.take(cell)
            except csv.Error:
                continue
    return signs
