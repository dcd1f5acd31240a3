"""Strict JSON with exact positions: rejects what the format forbids and locates values in the text."""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS, Limits, size_text
from gradwire.engine.base.schema import JsonFault as JsonFault
from gradwire.engine.base.schema import Path as Path
from gradwire.engine.base.schema import shown as shown

_LARGEST = int(np.finfo(np.float64).max)
# Possessive quantifiers, and an optional closing quote: no text can cause backtracking.
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+'
_TOKEN = re.compile(rf'{_STRING}|[\[\]{{}}:,]|[^\s\[\]{{}}:,"]++', re.DOTALL)
_STRING_OR_BRACKET = re.compile(rf"{_STRING}|[\[\]{{}}]", re.DOTALL)
_BLANKS = " \t\n\r"
_SPACE = re.compile(r"[ \t\n\r]*")
_COLON = re.compile(r"[ \t\n\r]*:")
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAYBE_SURROGATE = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")
_STEPS = np.array([(chr(code) in "[{") - (chr(code) in "]}") for code in range(256)], dtype=np.int8)
_BOUNDS = np.array([chr(code) in '"[]{}' for code in range(256)])
_CHUNK = 2**20
# Characters of the faulty line that a message shows before and after the place, and the mark at the place.
_EXCERPT = 40
MARK = "▸"
_OTHER_MARKS = (b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")
_CONFLICT = re.compile(r"^(<<<<<<<|=======|>>>>>>>)", re.MULTILINE)
_CONSTANTS = ("NaN", "Infinity", "-Infinity")
_TRAILING_COMMA = "The comma before a closing bracket is not allowed."
_SENTENCES = {
    "Expecting value": "A value is expected here.",
    "Expecting ',' delimiter": "A comma or a closing bracket is expected here.",
    "Expecting ':' delimiter": "A colon is expected here.",
    "Expecting property name enclosed in double quotes": "A key in double quotes is expected here.",
    "Illegal trailing comma before end of object": _TRAILING_COMMA,
    "Illegal trailing comma before end of array": _TRAILING_COMMA,
    "Unterminated string starting at": "This text has no closing quote.",
    "Invalid control character at": "Control characters must be written as escapes such as \\n.",
    "Invalid \\escape": "This escape does not exist.",
    "Invalid \\uXXXX escape": "After \\u four hexadecimal digits are expected.",
    "Extra data": "The text goes on after the end of the JSON value.",
}


class _Refused(ValueError):
    """Construct that the decoder met but strict JSON forbids; the scan for its place describes it."""


def decoded(source: str | bytes, limit: int) -> tuple[str, bool]:
    """Returns the text without its byte order mark, and whether it had one.

    Raises: FileError if it has more than `limit` bytes or is not UTF-8.
    """
    size = len(source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source)
    if size > limit:
        raise FileError(f"The file has {size_text(size)}; at most {size_text(limit)} can be opened.")
    if isinstance(source, bytes):
        if source.startswith(_OTHER_MARKS):
            raise FileError("This is text in UTF-16 or UTF-32; a file must be in UTF-8.", 1, 1)
        try:
            source = source.decode("utf-8")
        except UnicodeDecodeError as error:
            before = error.object[: error.start].decode("utf-8").removeprefix("\ufeff")
            raise fault_at(before, len(before), "This is not UTF-8 text.") from None
    return source.removeprefix("\ufeff"), source.startswith("\ufeff")


def parse(text: str, limits: Limits = LIMITS) -> object:
    """Parses a JSON text.

    Raises: FileError, with the place, for what is not JSON, for keys that occur twice, numbers that a float64 cannot
    hold, halves of surrogate pairs, lists and objects nested deeper than the limit, and more of them than it allows.
    """
    nesting = limits.nesting
    if is_nested_deeper(text, nesting):
        raise _first_fault(text, nesting)
    _refuse_too_many(text, limits)
    try:
        value: object = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _syntax_fault(error) from None
    except _Refused:
        raise _first_fault(text, nesting) from None
    # Most texts are plain ASCII, which is known without a search: it would take a third of the time of reading.
    may_have_surrogates = "\\u" in text or not text.isascii()
    if may_have_surrogates and _MAYBE_SURROGATE.search(text) and next(_faults(text, nesting), None):
        raise _first_fault(text, nesting)
    return value


def _refuse_too_many(text: str, limits: Limits) -> None:
    """Raises: FileError, with the place, for more values than can be read in seconds; brackets in texts count too."""
    for marks, most, what in (("[{", limits.lists, "lists and objects"), (",", limits.values, "values")):
        if sum(map(text.count, marks)) > most:
            offset = next(itertools.islice(re.finditer(f"[{re.escape(marks)}]", text), most, None)).start()
            raise fault_at(text, offset, f"The file has more than {most:,} {what}; that is the most that opens.")


def locate(text: str, path: Path) -> tuple[int, int]:
    """Returns line and column, from 1, of the value at `path` in a valid JSON text.

    If there is none, they are those of the last value on the path.
    """
    return place(text, offset_of(text, path))


def offset_of(text: str, path: Path) -> int:
    """Returns the offset of the value at `path` in a valid JSON text; else that of its last parent."""
    offset = _skip_space(text, 0)
    for step in path:
        found = next((start for name, start in _children(text, offset) if name == step), None)
        if found is None:
            break
        offset = found
    return offset


def locate_items(text: str, path: Path) -> list[tuple[int, int]]:
    """Returns line and column of every item of the list at `path` in a valid JSON text, in one pass."""
    offset = _skip_space(text, 0)
    for step in path:
        offset = next(start for name, start in _children(text, offset) if name == step)
    places, line, before = [], 1, 0
    for _, start in _children(text, offset):
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


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    record = dict(pairs)
    if len(record) != len(pairs):
        raise _Refused
    return record


def _integer(digits: str) -> int:
    if _is_beyond_float64(digits):
        raise _Refused
    return int(digits)


def _real(digits: str) -> float:
    value = float(digits)
    if math.isinf(value):
        raise _Refused
    return value


def _constant(_: str) -> Any:  # Any: it never returns
    raise _Refused


# Values that are skipped are not needed, but only the decoder of the library is fast.
_SKIPPER = json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)
_DECODER = json.JSONDecoder(object_pairs_hook=_unique, parse_int=_integer, parse_float=_real, parse_constant=_constant)


def _is_beyond_float64(digits: str) -> bool:
    # The length check comes first: int() takes quadratic time for a million digits.
    if len(digits) < 309:
        return False
    return len(digits) > 310 or abs(int(digits)) > _LARGEST


def is_nested_deeper(text: str, levels: int) -> bool:
    """Returns whether lists and objects are nested deeper, without recursion; exact up to the first mistake."""
    if "\\" in text:
        text = text.replace("\\\\", "").replace('\\"', "")
    depth = is_inside = 0
    for start in range(0, len(text), _CHUNK):
        codes = np.frombuffer(text[start : start + _CHUNK].encode("ascii", "replace"), dtype=np.uint8)
        # Only bounds of texts, lists and objects count, and most texts have few of them.
        codes = codes[_BOUNDS[codes]]
        if not len(codes):
            continue
        inside = (np.cumsum(codes == ord('"'), dtype=np.uint8) + np.uint8(is_inside)) & 1
        depths = depth + np.cumsum(_STEPS[codes] * (1 - inside).astype(np.int8), dtype=np.int32)
        if depths.max() > levels:
            return True
        depth, is_inside = int(depths[-1]), int(inside[-1])
    return False


def _syntax_fault(error: json.JSONDecodeError) -> FileError:
    """Returns the decoder's fault; a comma before a closing bracket is named itself, as in Python 3.13 and later."""
    before = error.doc[: error.pos].rstrip(_BLANKS)
    if before.endswith(",") and error.doc[error.pos : error.pos + 1] in ("]", "}"):
        return fault_at(error.doc, len(before) - 1, _TRAILING_COMMA)
    return fault_at(error.doc, error.pos, _sentence(error))


def _sentence(error: json.JSONDecodeError) -> str:
    if error.pos >= len(error.doc.rstrip(_BLANKS)):
        return "The text ends too early: something is missing here."
    if error.doc[error.pos] == "\0":
        return "Here stands NUL, which no text has: the file is damaged, or not in UTF-8."
    if _CONFLICT.match(error.doc, error.pos):
        return "Here stands a mark of a merge that was not finished; choose one of the two versions."
    return _SENTENCES.get(error.msg, "This is not JSON.")


def _first_fault(text: str, nesting: int) -> FileError:
    """Returns the first mistake of a faulty text: of strictness, or an earlier one of grammar."""
    offset, sentence = next(_faults(text, nesting), (len(text), ""))
    try:
        _DECODER.decode(text[:offset])
    except json.JSONDecodeError as error:
        if not sentence or error.pos < len(text[:offset].rstrip(_BLANKS)):
            return _syntax_fault(error)
    except _Refused:  # The scan has already found this mistake.
        pass
    return fault_at(text, offset, sentence or "This is not JSON.")


def _faults(text: str, nesting: int) -> Iterator[tuple[int, str]]:
    """Yields offset and sentence of everything that the decoder accepts but strict JSON forbids, in order."""
    keys: list[set[str] | None] = []  # Keys of the objects around this token, None for a list.
    for match in _TOKEN.finditer(text):
        token, sentence = match.group(), None
        if token in "[{":
            keys.append(set() if token == "{" else None)
            if len(keys) > nesting:
                sentence = f"Lists and objects are nested deeper than {nesting} levels here."
        elif token in "]}":
            del keys[-1:]
        elif token[0] == '"':
            is_key = _COLON.match(text, match.end()) is not None
            sentence = _string_fault(_string_of(token), keys[-1] if keys and is_key else None)
        else:
            sentence = _number_fault(token)
        if sentence:
            yield match.start(), sentence


def _string_fault(string: str, keys: set[str] | None) -> str | None:
    if _SURROGATE.search(string):
        return "This text holds one half of a surrogate pair."
    if keys is None:
        return None
    if string in keys:
        return f"The key {shown(string)} occurs twice in one object."
    keys.add(string)
    return None


def _number_fault(token: str) -> str | None:
    if token in _CONSTANTS:
        return f"{token} is not JSON; in a tensor, write it as text."
    try:
        is_beyond = _is_beyond_float64(token) if token.lstrip("-").isdecimal() else math.isinf(float(token))
    except ValueError:
        return None
    return f"The number {token if len(token) <= 20 else token[:17] + '...'} is beyond 1.8e308." if is_beyond else None


def _string_of(token: str) -> str:
    try:
        return str(json.loads(token))
    except ValueError:
        return token


def _skip_space(text: str, offset: int) -> int:
    return _SPACE.match(text, offset).end()  # type: ignore[union-attr]  # the pattern also matches the empty string


def _children(text: str, offset: int) -> Iterator[tuple[str | int, int]]:
    """Yields key or index and offset of each value in the list or object at `offset`; nothing for other values."""
    is_object = text[offset : offset + 1] == "{"
    if not is_object and text[offset : offset + 1] != "[":
        return
    offset, index = _skip_space(text, offset + 1), 0
    while text[offset] not in "]}":
        name: str | int = index
        if is_object:
            end = _end_of_value(text, offset)
            name, offset = _string_of(text[offset:end]), _skip_space(text, _skip_space(text, end) + 1)
        yield name, offset
        offset, index = _skip_space(text, _end_of_value(text, offset)), index + 1
        if text[offset] == ",":
            offset = _skip_space(text, offset + 1)


def _end_of_value(text: str, offset: int) -> int:
    if text[offset] not in "[{":
        return _TOKEN.match(text, offset).end()  # type: ignore[union-attr]  # the text is valid JSON
    end: int = _SKIPPER.raw_decode(text, offset)[1]
    return end
