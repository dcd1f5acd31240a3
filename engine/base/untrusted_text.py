"""Sanitised texts of users: harmless in windows, pictures, terminals and messages.

Line breaks become `↵`; any other character that is invisible, or that moves its neighbours, becomes its code point in
brackets.
"""

from __future__ import annotations

import functools
import re
import unicodedata

LONGEST = 200
LONGEST_PARAGRAPH = 5_000
# More marks than any script puts on one letter would cover the lines around it.
_MARKS_AT_MOST = 6
# Joiners shape words of some scripts and combine pictures; between European letters they only hide.
_SHAPED = "[\u0300-\u1fff\u2100-\ufdff\ufe0e\ufe0f\U00010000-\U000dffff]"
_HIDDEN = (
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufdd0-\ufdef\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U00013430-\U00013438\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    f"|(?<!{_SHAPED})[\u200c\u200d]|[\u200c\u200d](?!{_SHAPED})"
)
_BREAK = re.compile("\r\n|[\n\r\v\f\x85\u2028\u2029]")
# Characters that belong to the letter before and may not begin the rest of a text.
_JOINED = re.compile("[\u200c\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]")
_NAME_WIDTH = len("[U+10FFFF]")


@functools.cache
def _hidden() -> re.Pattern[str]:
    """Returns the pattern of hidden characters; few programs meet one, and compiling it takes milliseconds."""
    return re.compile(_HIDDEN)


def plain(text: str, longest: int = LONGEST) -> str:
    """Returns a text as one harmless line that shows all of its characters, cut with an ellipsis.

    Units: `longest` in displayed characters.
    """
    if len(text) <= longest and text.isascii() and text.isprintable():
        return text
    # Nobody sees more of it: a text may have megabytes.
    head = text[: longest + 1]
    return _cut(_shown(_BREAK.sub("↵", head)), longest, len(text) > longest)


def one_line(text: str) -> str:
    """Returns a text with its line breaks as signs; nothing else is changed or cut."""
    return _BREAK.sub("↵", text)


def harmless(text: str) -> str:
    """Returns a text with its lines and tabs, and with all other hidden characters as `plain` shows them; never cut."""
    return "\n".join("\t".join(map(_shown, line.split("\t"))) for line in text.split("\n"))


def plain_lines(text: str, longest: int = LONGEST_PARAGRAPH) -> str:
    """Returns a text as `plain` does, but with its line breaks and tabs."""
    lines = _BREAK.sub("\n", text[: longest + 1]).split("\n")
    shown = "\n".join("\t".join(plain(part, longest) for part in line.split("\t")) for line in lines)
    return _cut(shown, longest, len(text) > longest)


def json_escaped(text: str) -> str:
    """Returns equivalent JSON text with all invisible characters escaped."""
    if text.isascii():
        return text.replace("\x7f", "\\u007f")
    return _hidden().sub(lambda found: "".join(map(_escape, _halves(ord(found[0])))), text)


def source_escaped(source: str) -> str:
    """Returns equivalent Python source with all invisible characters in its texts escaped."""
    if source.isascii():
        return source
    return "\n".join(_hidden().sub(lambda found: f"\\U{ord(found[0]):08x}", line) for line in source.split("\n"))


def _shown(text: str) -> str:
    return _bounded(_hidden().sub(_named, text))


def _named(found: re.Match[str]) -> str:
    return f"[U+{ord(found[0]):04X}]"


def _bounded(text: str) -> str:
    """Returns a text with a limited number of marks on each letter; an ellipsis replaces the others."""
    if text.isascii():
        return text
    kept, marks = [], 0
    for letter in text:
        marks = marks + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        if marks <= _MARKS_AT_MOST + 1:
            kept.append("…" if marks > _MARKS_AT_MOST else letter)
    return "".join(kept)


def _cut(text: str, longest: int, goes_on: bool) -> str:
    """Returns the beginning of a text; never splits a letter from its marks, nor a code point in brackets.

    `goes_on` marks a text that is cut already.
    """
    if len(text) <= longest and not goes_on:
        return text
    end = max(min(longest, len(text)) - 1, 0)
    opened = text.rfind("[U+", max(end - _NAME_WIDTH + 1, 0), end)
    if opened >= 0 and "]" not in text[opened:end]:
        end = opened
    while end > 0 and _is_joined(text, end):
        end -= 1
    return text[:end] + "…"


def _is_joined(text: str, at: int) -> bool:
    is_mark = unicodedata.category(text[at]) in ("Mn", "Me", "Mc") or _JOINED.match(text[at]) is not None
    return is_mark or text[at - 1] == "\u200d"


def _halves(code: int) -> list[int]:
    """Returns a code point as UTF-16 code units."""
    return [code] if code < 0x10000 else [0xD7C0 + (code >> 10), 0xDC00 + (code & 0x3FF)]


def _escape(code: int) -> str:
    return f"\\u{code:04x}"
