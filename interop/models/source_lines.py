"""Lines of source, as PyTorch notes them in the traces of its nodes."""

from __future__ import annotations

import re
from typing import Final

_SEPARATOR: Final = re.compile(r"[/\\\\]")
_FRAME: Final = re.compile(r'File "([^"\n]*)", line (\d+)(?:, in [^\n]*\n *([^\n]*))?')
_OF_PYTORCH: Final = re.compile(r"(?:^|(?:site|dist)-packages[/\\])torch[/\\]")
_INSTALLED: Final = re.compile(r"(?:site|dist)-packages[/\\]([^/\\]+?)(?:\.py)?(?:[/\\]|$)")
_MOST_OF_CODE: Final = 160


def is_of_pytorch(file: str) -> bool:
    """Returns whether a file belongs to PyTorch itself."""
    return _OF_PYTORCH.search(file) is not None


def package_of(file: str) -> str:
    """Returns the name of the installed package that a file belongs to, "" for a file of the user's own."""
    found = _INSTALLED.search(file)
    return "" if found is None else found[1]


def line_of(file: str, number: int | str) -> str:
    """Returns a line of source as it is written for people: `model.py:12`."""
    return f"{_SEPARATOR.split(file)[-1]}:{number}"


def innermost_line(trace: str) -> tuple[str, str]:
    """Returns the innermost line outside PyTorch, `model.py:12`, and what stands there; "" and "" if there is none."""
    frames = _FRAME.findall(trace)
    own = [frame for frame in frames if not is_of_pytorch(frame[0])] or frames
    if not own:
        return "", ""
    file, number, code = own[-1]
    return line_of(file, number), "".join(filter(str.isprintable, code))[:_MOST_OF_CODE]
