"""Places of values in JSON texts, found from an outline of brackets, commas and colons that NumPy makes.

Cost: linear in the text, 10 ms for a mebibyte, however many values lie before the one that is sought.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.reading_time import check_time, in_time
from gradwire.engine.base.schema import Path
from gradwire.engine.base.tensor_spec import Array

BLANKS = " \t\n\r"
_SPACE = re.compile(r"[ \t\n\r]*")
_CHUNK = 2**20
# Characters of the faulty line that a message shows before and after the place, and the mark at the place.
_EXCERPT = 40
MARK = "▸"


def _table(signs: str) -> Array:
    return np.array([chr(code) in signs for code in range(256)])


_STEPS = np.array([(chr(code) in "[{") - (chr(code) in "]}") for code in range(256)], dtype=np.int8)
_CLOSING = _table("]}")
# Signs beside quotation marks: most texts have few of them, and the fewer are looked at, the better.
_BRACKETS, _ALL = _table('"[]{}'), _table('"[]{},:')


class _Signs(NamedTuple):
    """Signs outside texts in one part of a JSON text: their offsets, their codes, and the nesting behind each."""

    offsets: Array
    codes: Array
    depths: Array


def _signs(text: str, wanted: Array) -> Iterator[_Signs]:
    """Yields the wanted signs, a mebibyte at a time; exact up to the first mistake in the text."""
    if "\\" in text:
        # As long as before, so that offsets stay.
        text = text.replace("\\\\", "__").replace('\\"', "__")
    depth = is_inside = 0
    for start in range(0, len(text), _CHUNK):
        check_time()
        codes = np.frombuffer(text[start : start + _CHUNK].encode("ascii", "replace"), dtype=np.uint8)
        offsets = np.flatnonzero(wanted[codes])
        if not len(offsets):
            continue
        codes = codes[offsets]
        inside = (np.cumsum(codes == ord('"'), dtype=np.uint8) + np.uint8(is_inside)) & 1
        is_inside = int(inside[-1])
        is_sign = (inside == 0) & (codes != ord('"'))
        offsets, codes = offsets[is_sign], codes[is_sign]
        depths = depth + np.cumsum(_STEPS[codes], dtype=np.int32)
        depth = int(depths[-1]) if len(depths) else depth
        yield _Signs((offsets + start).astype(np.int32), codes, depths)


def too_deep(text: str, levels: int) -> int | None:
    """Returns the offset of the first list or object below so many levels, without recursion; None if there is none.

    Exact up to the first mistake.
    """
    for signs in _signs(text, _BRACKETS):
        is_deep = signs.depths > levels
        if is_deep.any():
            return int(signs.offsets[is_deep.argmax()])
    return None


class Outline:
    """Brackets, commas and colons of a valid JSON text, and the level of the list or object to which each belongs."""

    def __init__(self, text: str) -> None:
        self._text = text
        # A valid text is nested so little that its levels fit into bytes.
        parts = [
            (part.offsets, part.codes, (part.depths + _CLOSING[part.codes]).astype(np.int8))
            for part in _signs(text, _ALL)
        ]
        nothing = np.zeros(0, np.int32), np.zeros(0, np.uint8), np.zeros(0, np.int8)
        self._offsets, self._codes, self._levels = map(np.concatenate, zip(nothing, *parts, strict=True))

    def value_at(self, path: Path) -> int:
        """Returns the offset of the value at a path; else that of its last parent."""
        offset = skip_space(self._text, 0)
        for step in path:
            found = self._child(offset, step)
            if found is None:
                break
            offset = found
        return offset

    def items_at(self, path: Path) -> list[int]:
        """Returns the offsets of all items of the list at a path."""
        marks = self._marks(self.value_at(path))
        return [] if self._is_empty(marks) else [skip_space(self._text, mark + 1) for mark in marks[:-1].tolist()]

    def repeated_key(self, number: int) -> int:
        """Returns the offset of the first key that occurs twice in the object which is closed as the `number`-th."""
        end = np.flatnonzero(self._codes == ord("}"))[number - 1]
        opened = (self._codes[:end] == ord("{")) & (self._levels[:end] == self._levels[end])
        names = set[str]()
        for start, colon in self._keys(self._marks(int(self._offsets[np.flatnonzero(opened)[-1]]))):
            key = self._text[start:colon].strip(BLANKS)
            name = string_of(key) if "\\" in key else key[1:-1]
            if name in names:
                break
            names.add(name)
        return skip_space(self._text, start)

    def _marks(self, offset: int) -> Array:
        """Returns the offsets of all signs of the list or object at `offset`, from bracket to bracket; else none."""
        first = int(np.searchsorted(self._offsets, offset))
        if self._text[offset : offset + 1] not in ("[", "{"):
            return self._offsets[:0]
        is_own = self._levels[first:] == self._levels[first]
        end = int(_CLOSING[self._codes[first:][is_own]].argmax())
        marks: Array = self._offsets[first:][is_own][: end + 1]
        return marks

    def _is_empty(self, marks: Array) -> bool:
        return len(marks) < 2 or (len(marks) == 2 and skip_space(self._text, int(marks[0]) + 1) == marks[1])

    def _child(self, offset: int, step: str | int) -> int | None:
        marks = self._marks(offset)
        if self._is_empty(marks):
            return None
        if self._text[offset] == "[":
            is_there = isinstance(step, int) and 0 <= step < len(marks) - 1
            return skip_space(self._text, int(marks[step]) + 1) if is_there else None
        written = json.dumps(step, ensure_ascii=False)
        for start, colon in self._keys(marks):
            key = self._text[start:colon].strip(BLANKS)
            if key == written or ("\\" in key and string_of(key) == step):
                return skip_space(self._text, colon + 1)
        return None

    @staticmethod
    def _keys(marks: Array) -> Iterator[tuple[int, int]]:
        """Yields where each key of an object begins, blanks included, and its colon."""
        pairs = marks[: len(marks) // 2 * 2].reshape(-1, 2)
        for part in range(0, len(pairs), _CHUNK):
            for start, colon in in_time(pairs[part : part + _CHUNK].tolist()):
                yield start + 1, colon


def locate(text: str, path: Path) -> tuple[int, int]:
    """Returns line and column, from 1, of the value at `path` in a valid JSON text.

    If there is none, they are those of the last value on the path.
    """
    return place(text, offset_of(text, path))


def offset_of(text: str, path: Path) -> int:
    """Returns the offset of the value at `path` in a valid JSON text; else that of its last parent."""
    return Outline(text).value_at(path)


def locate_items(text: str, path: Path) -> list[tuple[int, int]]:
    """Returns line and column of every item of the list at `path` in a valid JSON text, in one pass."""
    places, line, before = [], 1, 0
    for start in Outline(text).items_at(path):
        line, before = line + text.count("\n", before, start), start
        places.append((line, start - text.rfind("\n", 0, start)))
    return places


def place(text: str, offset: int) -> tuple[int, int]:
    """Returns line and column, from 1, of the character at `offset`."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


def fault_at(text: str, offset: int, sentence: str) -> FileError:
    """Returns an error with a sentence about the character at `offset`."""
    start = max(text.rfind("\n", 0, offset) + 1, offset - _EXCERPT)
    end = text.find("\n", offset, offset + _EXCERPT)
    line = f"{text[start:offset]}{MARK}{text[offset : end if end >= 0 else offset + _EXCERPT]}".strip()
    excerpt = "".join(char if char.isprintable() else "\ufffd" for char in line)
    return FileError(sentence, *place(text, offset), excerpt)


def skip_space(text: str, offset: int) -> int:
    """Returns the offset of the next character that is not blank."""
    return _SPACE.match(text, offset).end()  # type: ignore[union-attr]  # the pattern also matches the empty string


def string_of(token: str) -> str:
    """Returns the text that a token in quotation marks stands for; one that is damaged, as it is."""
    try:
        return str(json.loads(token))
    except ValueError:
        return token
