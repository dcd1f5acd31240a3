"""The edge between a command and whoever reads it: all that is printed is made harmless here, once.

Texts of files reach a terminal, a log or the commands of a code host. No character of theirs moves a cursor, changes a
colour, begins a line or a workflow command; what the program sends itself goes through `sent`, which no file can forge.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from typing import Any, TextIO, cast

from gradwire.engine.base.untrusted_text import harmless, one_line

# What stands between these marks is ours. No file knows the number, which is another one in each process.
_BEGIN, _END = f"\ufdd0{os.urandom(8).hex()}", "\ufdd1"
_SENT = re.compile(f"{_BEGIN}(.*?){_END}", re.DOTALL)
_ORDINARY = re.compile(r"[\t\n -~]*")
# Commands of GitHub's runner: the first kind begins a line, the second stands anywhere in it.
_COMMAND, _OLD_COMMAND = re.compile(r"^([^\S\n]*):(?=:)", re.MULTILINE), re.compile(r"##+(?=\[)")


def sent(text: str) -> str:
    """Returns a text of our own, such as a colour, so that it passes the edge as it is."""
    return f"{_BEGIN}{text}{_END}"


def say(line: str = "", stream: TextIO | None = None) -> None:
    """Prints one line, whatever line breaks its text has; to standard output without a stream."""
    parts = _SENT.split(line)
    parts[::2] = map(one_line, parts[::2])
    parts[1::2] = map(sent, parts[1::2])
    say_text("".join(parts), stream)


def say_text(text: str, stream: TextIO | None = None) -> None:
    """Prints a text of several lines that are ours: a table, a document, a program."""
    safe(sys.stdout if stream is None else stream).write(f"{text}\n")


def safe(stream: TextIO) -> TextIO:
    """Returns a stream whose every text is harmless, the same one if it is that already."""
    is_safe = isinstance(stream, _SafeStream)
    return stream if is_safe else cast(TextIO, _SafeStream(stream))  # it has all that the other has


@contextlib.contextmanager
def safe_streams() -> Iterator[None]:
    """Makes standard output and error output safe, also for texts that others print."""
    before = sys.stdout, sys.stderr
    # A program without a console has neither.
    sys.stdout, sys.stderr = (safe(stream) if stream is not None else stream for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


class _SafeStream:
    """Text stream that makes harmless what is written, and else is the one behind it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream, self._begins_line = stream, True

    def write(self, text: str) -> int:
        """Writes a text."""
        parts = _SENT.split(text) if _BEGIN in text else [text]
        for number, part in enumerate(parts):
            if part:
                self._stream.write(part if number % 2 else self._made_harmless(part))
                self._begins_line = part.endswith("\n")
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Writes texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:  # Any: whatever the stream has
        return getattr(self._stream, name)

    def _made_harmless(self, text: str) -> str:
        if not _ORDINARY.fullmatch(text):
            text = harmless(text)
        if "::" in text:
            # The pattern takes the first line for the beginning of one, which it need not be.
            head, found, rest = ("", "", text) if self._begins_line else text.partition("\n")
            text = head + found + _COMMAND.sub(r"\1[U+003A]", rest)
        return _OLD_COMMAND.sub(lambda found: "[U+0023]" * len(found[0]), text)
