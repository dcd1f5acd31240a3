"""Records that the program writes for itself: read one by one, and put aside where they cannot be what it wrote.

A record is a small text file. Whatever damaged it must not keep the program, or other records, from being read.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path

# Units: bytes.
LARGEST = 2**20
_READ = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class OddRecordError(Exception):
    """Record that the program cannot have written, or may not read."""


def read_record(path: Path) -> str:
    """Returns the text of a record, "" if there is none.

    Raises: OddRecordError for anything but a small text file; OSError if the system fails to read it.
    """
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            raise OddRecordError("it is not an ordinary file")
        descriptor = os.open(path, _READ)
    except FileNotFoundError:
        return ""
    except PermissionError as error:
        raise OddRecordError("it may not be read") from error
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OddRecordError("its links lead in a circle") from error
        raise
    with os.fdopen(descriptor, "rb") as file:
        content = file.read(LARGEST + 1)
    if len(content) > LARGEST:
        raise OddRecordError("it is too large")
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise OddRecordError("it is not UTF-8") from error
    if "\0" in text:
        raise OddRecordError("it holds NUL")
    return text


def read_table(path: Path) -> Mapping[str, object] | None:
    """Returns the JSON object of a record, None if there is no record.

    Raises: OddRecordError if it is anything else; OSError if the system fails to read it.
    """
    text = read_record(path)
    if not text and not path.exists():
        return None
    try:
        found = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise OddRecordError("it is not JSON") from error
    if not isinstance(found, dict):
        raise OddRecordError("it is no JSON object")
    return found


def put_aside(path: Path, folder: Path) -> Path | None:
    """Moves a record into a folder for odd ones and returns its new path, None if that is not possible."""
    try:
        folder.mkdir(0o700, parents=True, exist_ok=True)
        target = next(name for name in _names(path, folder) if not os.path.lexists(name))
        return path.rename(target)
    except OSError:
        return None


def _names(path: Path, folder: Path) -> list[Path]:
    numbered = [folder / f"{path.name}.{number}" for number in range(1, 1000)]
    return [folder / path.name, *numbered, folder / f"{path.name}.{os.getpid()}"]


def _refuse(name: str) -> object:
    raise ValueError(f"{name} is not JSON")
