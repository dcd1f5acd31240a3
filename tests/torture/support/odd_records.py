"""Contents that the program never writes into its own records, and things that are no files at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

GIB = 2**30
TEXTS: dict[str, bytes] = {
    "nothing": b"",
    "NUL": bytes(4096),
    "NUL in a text": b'{"process": 1, "since": "\\u0000", "title": "a\\u0000", "original": "/a\\u0000b"}',
    "half a surrogate pair": b'{"process": 1, "since": "\\ud800", "title": "\\ud800", "original": "/\\ud800"}',
    "half a surrogate pair in bytes": b'{"title": "\xed\xa0\x80"}',
    "no UTF-8": b"\xff\xfe{\x00}\x00",
    "Infinity": b'{"process": Infinity, "since": -Infinity, "title": NaN, "original": Infinity}',
    "a number beyond all": b'{"process": 1e999, "since": 1e999, "title": 1e999}',
    "a number of many digits": b'{"process": ' + b"9" * 10_000 + b"}",
    "nested lists": b"[" * 200_000,
    "nested objects": b'{"a":' * 200_000,
    "a list": b"[1, 2]",
    "a word": b'"text"',
    "null": b"null",
    "other types": b'{"process": [1], "since": {"a": 1}, "title": [], "original": 5}',
    "a cut record": b'{"process": 12',
    "the year 99999": b'{"process": 1, "since": "99999-01-01T00:00:00", "title": "t", "original": null}',
    "a key twice": b'{"title": "a", "title": 1, "original": null}',
}


def _write(content: bytes) -> Callable[[Path], None]:
    return lambda path: path.write_bytes(content) and None


def _make_large(path: Path) -> None:
    with open(path, "wb") as file:
        file.truncate(2 * GIB)  # a hole, which takes no room on the disk


def _make_folder(path: Path) -> None:
    path.mkdir()
    (path / "inside").write_text("x")


def _make_unreadable(path: Path) -> None:
    path.write_text("{}")
    path.chmod(0)


def _make_link(path: Path) -> None:
    path.symlink_to(path.with_name("nowhere"))


MAKERS: dict[str, Callable[[Path], None]] = {name: _write(content) for name, content in TEXTS.items()}
MAKERS |= {"2 GiB": _make_large, "a folder": _make_folder, "unreadable": _make_unreadable}
MAKERS |= {"a broken link": _make_link, "a link to itself": lambda path: path.symlink_to(path)}
if hasattr(os, "mkfifo"):
    MAKERS["a pipe"] = os.mkfifo


def make_odd(path: Path, name: str) -> None:
    """Puts the odd thing of this name at a path, in place of what is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    MAKERS[name](path)
