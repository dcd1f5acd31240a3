"""Lines of the log without anything of the user's: no paths, no names, no numbers, no texts in quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import PurePath

# Time, level, process and room of a record, which the program writes itself.
_HEAD = re.compile(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} [A-Z]+ \d+ gradwire[\w.]*: )(.*)", re.ASCII)
_FRAME = re.compile(r'\s*File "(?P<file>[^"]*)", line (?P<line>\d+), in (?P<name>\S+)\s*', re.ASCII)
_KINDS = "Error|Exception|Warning|Interrupt|Exit|Iteration"
_RAISED = re.compile(rf"(?P<kind>[A-Za-z_][\w.]*(?:{_KINDS}))(?P<said>:.*)?", re.ASCII)
_CHAINS = (
    "Traceback (most recent call last):",
    "During handling of the above exception, another exception occurred:",
    "The above exception was the direct cause of the following exception:",
)
_SOURCE = re.compile(r"\s{4}")
# A path may hold spaces: up to the ending of a graph, else up to the next space.
_PATH = re.compile(r"(?:~|(?<!\w)/|(?<!\w)\\\\|\b[A-Za-z]:[\\/])(?:[^\n]*?\.graph\b|\S*)")
# A path inside the working folder, or a name with an ending.
_FILE = re.compile(r"[^\s<>]*[/\\][^\s<>]*|(?<![\w<])[\w-]+(?:\.[\w-]+)*\.[A-Za-z]\w{0,7}(?![\w>])")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'|“[^”]*”|„[^“]*“|`[^`]*`")
_NUMBER = re.compile(r"\d+(?:[.,_]\d+)*(?:[eE][-+]?\d+)?")


def redacted(lines: Iterable[str], home: str, root: str, files: Sequence[str] = (), names: Iterable[str] = ()) -> str:
    """Returns the lines of a log without anything of the user's.

    `home` is the user's folder, `root` that of the program's own code, `files` are the paths of the graphs that are
    open, and `names` those of their blocks and pages. Lines of code are left out: file and line number say which they
    are.
    """
    hide = _Hiding(home, root, files, names)
    return "\n".join(shown for line in lines if (shown := hide.line(line)) is not None)


class _Hiding:
    def __init__(self, home: str, root: str, files: Sequence[str], names: Iterable[str]) -> None:
        self._home, self._root = home.rstrip("/\\"), root.rstrip("/\\")
        self._files = {path: f"<file {_letter(index)}>.graph" for index, path in enumerate(files) if path}
        self._files |= {PurePath(path).name: shown for path, shown in self._files.items()}
        words = sorted({name for name in names if name}, key=len, reverse=True)
        self._names = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)") if words else None

    def line(self, line: str) -> str | None:
        """Returns a line, None for one of code."""
        match = _HEAD.fullmatch(line)
        head, message = match.groups() if match is not None else ("", line)
        if (frame := _FRAME.fullmatch(message)) is not None:
            return head + self._frame(frame)
        if (raised := _RAISED.fullmatch(message)) is not None:
            return f'{head}{raised["kind"]}: "…"' if raised["said"] else head + raised["kind"]
        # A line without a head that is nothing of a traceback goes on with what somebody wrote.
        is_own = match is not None or message in _CHAINS
        return head + self._message(message) if is_own and not _SOURCE.match(message) else None

    def _frame(self, frame: re.Match[str]) -> str:
        file = frame["file"]
        if not self._root or not file.startswith((f"{self._root}/", f"{self._root}\\")):
            return "  File <elsewhere>"
        place = file[len(self._root) + 1 :]
        return f"  File {place}, line {frame['line']}, in {frame['name']}"

    def _message(self, text: str) -> str:
        for path, shown in sorted(self._files.items(), key=lambda item: -len(item[0])):
            text = text.replace(path, shown)
        pieces = re.split(r"(<file [a-z]+>\.graph)", text)
        return "".join(piece if index % 2 else self._piece(piece) for index, piece in enumerate(pieces))

    def _piece(self, text: str) -> str:
        if self._home:
            text = text.replace(self._home, "~")
        text = _QUOTED.sub('"…"', text)
        text = _PATH.sub("<path>", text)
        text = _FILE.sub("<file>", text)
        if self._names is not None:
            text = self._names.sub("<name>", text)
        return _NUMBER.sub("#", text)


def _letter(index: int) -> str:
    """Returns a, b, … z, ba, bb, …: a digit would look like one of the user's numbers."""
    first, last = divmod(index, 26)
    return (_letter(first) if first else "") + chr(ord("a") + last)
