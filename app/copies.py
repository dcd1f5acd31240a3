"""The copies of unsaved graphs that programs leave behind: a graph, and beside it what it is a copy of."""

from __future__ import annotations

import contextlib
import json
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from app.run_folder import RunFolder, runs, sweep

SUFFIX = ".graph"


@dataclass(frozen=True)
class Copy:
    """One copy: its file, when it was written, what the graph was called, and the file it was opened from."""

    file: Path
    written: datetime
    title: str
    original: Path | None

    @property
    def name(self) -> str:
        """What the graph is called: as its file, or as it was without one."""
        return self.title if self.original is None else self.original.stem

    @property
    def saved(self) -> datetime | None:
        """When the original was written last; None where there is none."""
        with contextlib.suppress(OSError):
            return None if self.original is None else datetime.fromtimestamp(self.original.stat().st_mtime)
        return None


def copy_file(folder: Path, number: int) -> Path:
    """Where the copy of the document with this number lies."""
    return folder / f"{number}{SUFFIX}"


def write_origin(file: Path, title: str, original: Path | None) -> None:
    """Writes down what a copy is one of. Raises: OSError."""
    record = {"title": title, "original": None if original is None else os.fspath(original)}
    beside = _origin_of(file)
    fresh = beside.with_suffix(".new")
    fresh.write_text(json.dumps(record), "utf-8", errors="surrogatepass")
    fresh.replace(beside)


def abandoned(folder: RunFolder) -> list[Copy]:
    """The copies of programs that have ended, the newest first; folders with none are removed."""
    found = []
    for run in runs(folder.state, alive=False):
        copies = [copy for file in run.folder.glob(f"*{SUFFIX}") if (copy := _copy(file)) is not None]
        if not copies:
            sweep(run.folder)
        found += copies
    return sorted(found, key=lambda copy: copy.written, reverse=True)


def claim(copy: Copy, folder: RunFolder) -> Path | None:
    """Makes a copy that of a document of this process; None where another has been faster.

    Raises: OSError if it cannot be moved.
    """
    target = copy_file(folder.path, folder.next_number())
    # First what it is: the copy itself decides who has it.
    with contextlib.suppress(FileNotFoundError):
        _origin_of(copy.file).replace(_origin_of(target))
    try:
        copy.file.replace(target)
    except FileNotFoundError:
        _origin_of(target).unlink(missing_ok=True)
        return None
    return target


def discard(file: Path) -> None:
    """Removes a copy. Raises: OSError if it cannot be removed."""
    file.unlink(missing_ok=True)
    _origin_of(file).unlink(missing_ok=True)


def _origin_of(file: Path) -> Path:
    return file.with_suffix(".json")


def _copy(file: Path) -> Copy | None:
    try:
        written = datetime.fromtimestamp(file.stat().st_mtime)
    except OSError:  # recovered by another process meanwhile
        return None
    try:
        record = json.loads(_origin_of(file).read_text("utf-8", errors="surrogatepass"))
        title, original = record["title"], record["original"]
    except (OSError, ValueError, KeyError, TypeError):
        title = original = None
    path = Path(original) if isinstance(original, str) else None
    return Copy(file, written, title if isinstance(title, str) else "", path)
