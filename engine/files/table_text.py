"""The text of a table, row by row: comments, line ends, quotation marks and the head of an ARFF file understood."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from functools import cached_property
from itertools import repeat

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import KIB, MIB, size_text
from gradwire.engine.base.reading_time import in_time

BLANKS = " "
_HEAD = 64 * KIB
_UTF_16 = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_EMPTY_LINE = re.compile(rb"^[ \t]*$", re.MULTILINE)
_ARFF = re.compile(rb"(?:[ \t]*(?:%[^\n]*)?\n)*[ \t]*@relation\b", re.IGNORECASE)
_ARFF_DATA = re.compile(rb"^[ \t]*@data[ \t]*$", re.IGNORECASE | re.MULTILINE)
_ARFF_NAME = re.compile(rb"^[ \t]*@attribute[ \t]+(?:'([^'\n]*)'|\"([^\"\n]*)\"|(\S+))", re.IGNORECASE | re.MULTILINE)


class TableText:
    """Rows of a table as text. `names` are the columns that the head of an ARFF file names, `comment` the last comment
    above the first row.

    Raises: FileError if it is no text.
    """

    def __init__(self, content: bytes, name: str) -> None:
        self.name, self.names, self.comment = name, tuple[str, ...](), ""
        self._content, self._sign = _one_encoding(content, name), "#"
        _check_lines(self._content, name)
        if _ARFF.match(self._content, 0, _HEAD):
            self._take_head()

    @cached_property
    def _is_bare(self) -> bool:
        """True if each line is a row."""
        return not (self.has_quotes or self.has(self._sign) or _EMPTY_LINE.search(self._content))

    @property
    def has_quotes(self) -> bool:
        """True if a cell may stand between quotation marks."""
        return b'"' in self._content or (self.is_arff and b"'" in self._content)

    @property
    def is_arff(self) -> bool:
        """True for the format of Weka, which names its columns in a head."""
        return self._sign == "%"

    def has(self, sign: str) -> bool:
        """Returns whether a sign occurs anywhere."""
        return sign.encode() in self._content

    def count_lines(self) -> int:
        """Returns how many rows there are at most."""
        return self._content.count(b"\n") + 1

    def rows(self) -> Iterator[str]:
        """Returns each row; one whose cell holds line ends is one row.

        Raises: FileError for a row that is too long, no text in UTF-8, or with a quotation mark that is not closed.
        """
        if self._is_bare:
            return self._all_lines()
        return self._joined_lines() if self.has_quotes else self._lines()

    def _joined_lines(self) -> Iterator[str]:
        """Yields each row of a table whose cells may stand between quotation marks."""
        parts: list[str] = []
        is_open, size = False, 0
        for line in self._lines():
            parts.append(line)
            is_open, size = is_open != bool(line.count('"') % 2), size + len(line) + 1
            if not is_open:
                yield "\n".join(parts)
                parts, size = [], 0
            elif size > MIB:
                break
        if parts:
            raise FileError(
                f"{self.name} has a quotation mark without its partner in the row that begins with {parts[0][:20]}."
            )

    def _lines(self) -> Iterator[str]:
        """Yields each line that is neither empty nor a comment."""
        is_first, sign = True, self._sign
        for line in self._all_lines():
            bare = line.strip()
            if bare.startswith(sign):
                self.comment = bare[1:].strip() if is_first else self.comment
            elif bare:
                is_first = False
                yield line.replace("'", '"') if self.is_arff else line

    def _all_lines(self) -> Iterator[str]:
        with io.TextIOWrapper(io.BytesIO(self._content), "utf-8", newline="\n") as stream:
            try:
                yield from in_time(map(str.rstrip, stream, repeat("\n")))
            except UnicodeDecodeError as error:
                raise FileError(f"{self.name} is no text in UTF-8; save it in UTF-8.") from error

    def _take_head(self) -> None:
        data = _ARFF_DATA.search(self._content[:MIB])
        if data is None:
            raise FileError(f"{self.name} has the head of an ARFF file, but no line @data.")
        found = _ARFF_NAME.findall(self._content[: data.start()])
        self.names = tuple("".join(part.decode("utf-8", "replace") for part in parts) for parts in found)
        self._content, self._sign = self._content[data.end() :], "%"


def cells_of(row: str, separator: str) -> list[str]:
    """Returns the cells of a row, with blanks around them as they are; for `BLANKS`, what stands between runs of them.

    Raises: csv.Error if a quotation mark stands where none may.
    """
    if '"' not in row:
        return row.split() if separator == BLANKS else row.split(separator)
    row = row.replace("\t", " ").strip() if separator == BLANKS else row
    return next(csv.reader([row], delimiter=separator, skipinitialspace=True, strict=True))


def width_of(row: str, separator: str) -> int:
    """Returns the number of cells of a row, 0 if its quotation marks make no cells."""
    if '"' not in row:
        return len(row.split()) if separator == BLANKS else row.count(separator) + 1
    try:
        return len(cells_of(row, separator))
    except csv.Error:
        return 0


def _one_encoding(content: bytes, name: str) -> bytes:
    """Returns a text in UTF-8 whose lines end with a line feed, however old or foreign the program that wrote it."""
    try:
        for mark, encoding in _UTF_16:
            if content.startswith(mark):
                content = content[2:].decode(encoding).encode()
    except UnicodeDecodeError as error:
        raise FileError(f"{name} is no table, or is damaged.") from error
    content = content.removeprefix(b"\xef\xbb\xbf")
    if b"\0" in content:
        raise FileError(f"{name} is no table, or is damaged.")
    content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in content else content
    return content.rstrip(b"\n")


def _check_lines(content: bytes, name: str) -> None:
    """Raises: FileError if a line is too long; it looks at the last line end of each mebibyte alone."""
    start = 0
    while len(content) - start > MIB:
        end = content.rfind(b"\n", start, start + MIB + 1)
        if end < 0:
            raise FileError(f"{name} has a line of more than {size_text(MIB)}.")
        start = end + 1
