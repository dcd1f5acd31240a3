"""The recovery files of unsaved graphs: each has a second file that records its title and original."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from gradwire.app.base.run_folder import LOCK, Run, RunFolder, remove_folder, runs
from gradwire.app.base.state_folder import private_folder, time_of
from gradwire.engine.base.atomic_writes import replace_content
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.processes.own_records import OddRecordError, put_aside, read_table
from gradwire.engine.files.beside.copies import link_beside
from gradwire.engine.files.beside.names import names_in
from gradwire.engine.files.beside.writing import remove_unnamed
from gradwire.engine.files.disk import read_file

SUFFIX = ".graph"
# How long a graph is kept that was discarded.
KEPT_FOR = timedelta(days=7)


@dataclass(frozen=True)
class Copy:
    """One recovery file: its path, the time of writing, the title of the graph, and its original file."""

    file: Path
    written: datetime
    title: str
    original: Path | None
    # Whether the document's file is to keep the state of its training, which a copy always has.
    keeps_state: bool = True

    @property
    def name(self) -> str:
        """The name of the graph: that of its file, or its title without one."""
        return self.title if self.original is None else self.original.stem

    @property
    def saved(self) -> datetime | None:
        """The time of the original's last change; None without an original."""
        with contextlib.suppress(OSError):
            return None if self.original is None else time_of(self.original.stat())
        return None


def copy_file(folder: Path, number: int) -> Path:
    """Returns the path of the copy of the document with this number."""
    return folder / f"{number}{SUFFIX}"


def write_origin(file: Path, title: str, original: Path | None, keeps_state: bool = True) -> None:
    """Writes the record of a copy's title and original, and whether its file keeps its training. Raises: OSError."""
    source = None if original is None else os.fspath(original)
    record = {"title": title, "original": source, "keeps_state": keeps_state}
    replace_content(str(_origin_of(file)), json.dumps(record).encode("utf-8", "surrogatepass"))


def abandoned(folder: RunFolder) -> list[Copy]:
    """Returns the copies of programs that have ended, newest first, and removes folders without copies."""
    found: list[Copy] = []
    for run in runs(folder.state, alive=False):
        files = list(run.folder.glob(f"*{SUFFIX}"))
        found += [copy for file in files if (copy := _copy(file)) is not None]
        if not files:
            remove_folder(run.folder)
    return sorted(found, key=lambda copy: copy.written, reverse=True)


def discarded_file(folder: RunFolder) -> Path:
    """Returns a new path for a graph that is discarded. Raises: OSError."""
    return private_folder(_discards(folder)) / f"{secrets.token_hex(8)}{SUFFIX}"


def discarded(folder: RunFolder) -> list[Copy]:
    """Returns the graphs that were discarded within a week, newest first, and deletes older ones."""
    found = []
    for file in _discards(folder).glob(f"*{SUFFIX}"):
        copy = _copy(file)
        if copy is not None and datetime.now() - copy.written < KEPT_FOR:
            found.append(copy)
        else:
            with contextlib.suppress(OSError):
                discard(file)
    return sorted(found, key=lambda copy: copy.written, reverse=True)


def _discards(folder: RunFolder) -> Path:
    return folder.state / "discarded"


def put_odd_aside(folder: RunFolder) -> tuple[Path, ...]:
    """Puts aside what programs that have ended left and nobody can read; returns the new paths."""
    odd = [record for run in runs(folder.state, alive=False) for record in _odd_records(run)]
    moved = [put_aside(record, folder.aside) for record in odd]
    return tuple(path for path in moved if path is not None)


def _odd_records(run: Run) -> Iterator[Path]:
    """Yields the records of a program that cannot be read, and copies that are no files."""
    lock = run.folder.with_name(run.folder.name + LOCK)
    for record in (lock, *run.folder.glob("*.json")):
        try:
            read_table(record)
        except OddRecordError:
            yield record
        except OSError:  # gone by now, or the disk fails for a while
            continue
    for file in run.folder.glob(f"*{SUFFIX}"):
        if file.exists() and not file.is_file():
            yield file


def claim(copy: Copy, folder: RunFolder) -> Path | None:
    """Moves a copy to this process; returns None if another process was faster.

    Raises: OSError if it cannot be moved.
    """
    target = copy_file(folder.path, folder.next_number())
    names = _weights_of(copy.file)
    # Links go with the copy, so that no moment has it without its weights.
    link_beside(names, copy.file.parent, target.parent)
    # The record moves first: whoever moves the copy itself owns it.
    with contextlib.suppress(FileNotFoundError):
        _origin_of(copy.file).replace(_origin_of(target))
    try:
        copy.file.replace(target)
    except FileNotFoundError:
        _origin_of(target).unlink(missing_ok=True)
        remove_unnamed(target.parent, names)
        return None
    remove_unnamed(copy.file.parent, names)
    return target


def discard(file: Path) -> None:
    """Removes a copy. Raises: OSError if it cannot be removed."""
    names = _weights_of(file)
    file.unlink(missing_ok=True)
    _origin_of(file).unlink(missing_ok=True)
    remove_unnamed(file.parent, names)


def _weights_of(file: Path) -> Collection[str]:
    """Returns the files of weights that a copy names; none of a copy that cannot be read."""
    with contextlib.suppress(FileError):
        return names_in(read_file(file)[0]).keys()
    return ()


def _origin_of(file: Path) -> Path:
    return file.with_suffix(".json")


def _copy(file: Path) -> Copy | None:
    try:
        written = time_of(file.stat())
    except OSError:  # recovered by another process meanwhile
        return None
    try:
        record = read_table(_origin_of(file)) or {}
    except (OSError, OddRecordError):
        record = {}
    title, original = record.get("title"), record.get("original")
    keeps_state = record.get("keeps_state") is not False
    return Copy(file, written, title if isinstance(title, str) else "", _path(original), keeps_state)


def _path(name: object) -> Path | None:
    """Returns a path from a record, None if no file can have that name."""
    with contextlib.suppress(UnicodeEncodeError):
        if isinstance(name, str) and b"\0" not in os.fsencode(name):
            return Path(name)
    return None
