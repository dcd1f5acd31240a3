"""Strict JSON with exact positions: rejects what the format forbids; `json_places` finds values in the text."""

from __future__ import annotations

import itertools
import json
import math
import re
from typing import Any

import numpy as np

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS, Limits, size_text
from gradwire.engine.base.reading_time import check_time, in_time
from gradwire.engine.base.schema import JsonFault as JsonFault
from gradwire.engine.base.schema import Path as Path
from gradwire.engine.base.schema import shown as shown
from gradwire.engine.files.json_places import BLANKS, Outline, fault_at, string_of, too_deep

_LARGEST = int(np.finfo(np.float64).max)
# Possessive quantifiers, and an optional closing quote: no text can cause backtracking.
_WORD = r'[^\s\[\]{}:,"]'
_TOKEN = re.compile(rf'"[^"\\]*+(?:\\.[^"\\]*+)*+"?+|[\[\]{{}}:,]|{_WORD}++', re.DOTALL)
# Tokens that need no closer look, one after the other: texts without halves of surrogate pairs, numbers far below
# 1.8e308, other words. One match passes over millions of them. What fails last must fail at its first character: until
# 3.11.5 Python forgot to go back behind a possessive repetition.
_HEX = "[0-9a-fA-F]"
_PAIR = rf"\\u[dD][89abAB]{_HEX}{{2}}\\u[dD][c-fC-F]{_HEX}{{2}}"
_WHOLE_TEXT = rf'"(?:\\[^u]|\\u(?![dD][89a-fA-F])|{_PAIR}|[^"\\\ud800-\udfff]++)*+(?:"|\Z)'
_BEHIND_POINT = r"(?:\.[0-9]++|(?!\.))"
_SMALL = (
    rf"-?(?:[0-9]{{1,308}}+{_BEHIND_POINT}(?:[eE]-[0-9]++|(?![eE]))|[0-9]{{1,8}}+{_BEHIND_POINT}[eE]\+?[0-9]{{1,2}}+)"
)
_PLAIN_TOKENS = re.compile(
    rf'(?:{_WHOLE_TEXT}|{_SMALL}(?!{_WORD})|[^-0-9NI\s\[\]{{}}:,"]{_WORD}*+|[\s\[\]{{}}:,]++)*+', re.DOTALL
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_MAYBE_SURROGATE = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")
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
    deep = too_deep(text, limits.nesting)
    if deep is None:
        _refuse_too_many(text, limits)
    whole, objects, value = text[:deep], _Objects(), None
    try:
        value = objects.decode(whole)
    except json.JSONDecodeError as error:
        if deep is None or error.pos < len(whole.rstrip(BLANKS)):
            raise _syntax_fault(error) from None
        raise fault_at(text, deep, f"Lists and objects are nested deeper than {limits.nesting} levels here.") from None
    except _Refused:
        objects.are_refused = True
    check_time()
    # Behind the exception, which holds all that was read.
    if objects.are_refused or _may_have_half_a_pair(whole):
        _refuse_first(whole, objects)
    return value


def _refuse_too_many(text: str, limits: Limits) -> None:
    """Raises: FileError, with the place, for more values than can be read in seconds; brackets in texts count too."""
    limited = ("[{", limits.lists, "lists and objects"), (",", limits.values, "values"), (":", limits.keys, "keys")
    for marks, most, what in limited:
        if sum(map(text.count, marks)) > most:
            offset = next(itertools.islice(re.finditer(f"[{re.escape(marks)}]", text), most, None)).start()
            raise fault_at(text, offset, f"The file has more than {most:,} {what}; that is the most that opens.")


class _Objects:
    """Decoder that counts the objects that it has read to their ends; it goes through a text from left to right."""

    def __init__(self) -> None:
        self.closed, self.has_repeated, self.are_refused = 0, False, False
        self.decode = json.JSONDecoder(
            object_pairs_hook=self._close, parse_int=_integer, parse_float=_real, parse_constant=_constant
        ).decode

    def _close(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        self.closed += 1
        record = dict(pairs)
        if len(record) != len(pairs):
            self.has_repeated = True
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


def _is_beyond_float64(digits: str) -> bool:
    # The length check comes first: int() takes quadratic time for a million digits.
    if len(digits) < 309:
        return False
    return len(digits) > 310 or abs(int(digits)) > _LARGEST


def is_nested_deeper(text: str, levels: int) -> bool:
    """Returns whether lists and objects are nested deeper, without recursion; exact up to the first mistake."""
    return too_deep(text, levels) is not None


def _syntax_fault(error: json.JSONDecodeError) -> FileError:
    """Returns the decoder's fault; a comma before a closing bracket is named itself, as in Python 3.13 and later."""
    before = error.doc[: error.pos].rstrip(BLANKS)
    if before.endswith(",") and error.doc[error.pos : error.pos + 1] in ("]", "}"):
        return fault_at(error.doc, len(before) - 1, _TRAILING_COMMA)
    return fault_at(error.doc, error.pos, _sentence(error))


def _sentence(error: json.JSONDecodeError) -> str:
    if error.pos >= len(error.doc.rstrip(BLANKS)):
        return "The text ends too early: something is missing here."
    if error.doc[error.pos] == "\0":
        return "Here stands NUL, which no text has: the file is damaged, or not in UTF-8."
    if _CONFLICT.match(error.doc, error.pos):
        return "Here stands a mark of a merge that was not finished; choose one of the two versions."
    return _SENTENCES.get(error.msg, "This is not JSON.")


def _may_have_half_a_pair(text: str) -> bool:
    # Most texts are plain ASCII, which is known without a search: it would take a third of the time of reading.
    return ("\\u" in text or not text.isascii()) and _MAYBE_SURROGATE.search(text) is not None


def _refuse_first(text: str, objects: _Objects) -> None:
    """Raises: FileError, with the place, for the first mistake of strictness in a text without one of grammar before.

    A key that occurs twice is a mistake where its object ends.
    """
    end = Outline(text).repeated_key(objects.closed) if objects.has_repeated else len(text)
    if (odd := _first_odd_token(text, end)) is not None:
        raise fault_at(text, *odd)
    if objects.has_repeated:
        key = string_of(_TOKEN.match(text, end).group())  # type: ignore[union-attr]  # a key stands there
        raise fault_at(text, end, f"The key {shown(key)} occurs twice in one object.")
    if objects.are_refused:
        _refuse_grammar(text)


def _refuse_grammar(text: str) -> None:
    """Raises: FileError, with the place, for a number with signs behind it, before which the decoder has refused it."""
    try:
        json.JSONDecoder(parse_int=str, parse_float=str, parse_constant=str).decode(text)
    except json.JSONDecodeError as error:
        raise _syntax_fault(error) from None


def _first_odd_token(text: str, end: int) -> tuple[int, str] | None:
    """Returns offset and sentence of the first text or number that the decoder accepts but strict JSON forbids."""
    at = 0
    for _ in in_time(itertools.count()):
        at = _PLAIN_TOKENS.match(text, at, end).end()  # type: ignore[union-attr]  # it also matches the empty string
        token = _TOKEN.match(text, at, end)
        if token is None:
            break
        sentence = _string_fault(token.group()) if token.group().startswith('"') else _number_fault(token.group())
        if sentence:
            return at, sentence
        at = token.end()
    return None


def _string_fault(token: str) -> str | None:
    return "This text holds one half of a surrogate pair." if _SURROGATE.search(string_of(token)) else None


def _number_fault(token: str) -> str | None:
    if token in _CONSTANTS:
        return f"{token} is not JSON; in a tensor, write it as text."
    try:
        is_beyond = _is_beyond_float64(token) if token.lstrip("-").isdecimal() else math.isinf(float(token))
    except ValueError:
        return None
    return f"The number {token if len(token) <= 20 else token[:17] + '...'} is beyond 1.8e308." if is_beyond else None
