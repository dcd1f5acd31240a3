"""Folders whose files of data may be read: once, as long as the program runs, or always."""

from __future__ import annotations

import json
import os
from pathlib import Path

from gradwire.engine.base.processes.own_records import OddRecordError, read_record
from gradwire.engine.files.disk import write_file

_MOST = 1_000


class AllowedFolders:
    """Folders that somebody allowed; those for always stand in a record, one JSON list of paths.

    A folder stands for the graphs that lie in it, not for those of folders inside it. A damaged record allows nothing.
    """

    def __init__(self, record: Path) -> None:
        self._record = record
        self._once: set[Path] = set()

    def allows(self, folder: str | os.PathLike[str]) -> bool:
        """Returns whether graphs in a folder may read the files of data that they name."""
        return _resolved(folder) in (*self._once, *self.always)

    @property
    def always(self) -> tuple[Path, ...]:
        """Folders that are allowed for always, in the order in which they were."""
        try:
            found = json.loads(read_record(self._record) or "[]")
        except (OddRecordError, OSError, ValueError, RecursionError):
            return ()
        is_list = isinstance(found, list) and all(isinstance(item, str) for item in found)
        return tuple(Path(item) for item in found if Path(item).is_absolute()) if is_list else ()

    def allow(self, folder: str | os.PathLike[str], always: bool = False) -> None:
        """Allows a folder, until the program ends or for always.

        Raises: FileError if the record cannot be written.
        """
        place = _resolved(folder)
        self._once.add(place)
        if always and place not in self.always:
            self._write((*self.always, place)[-_MOST:])

    def forbid_all(self) -> None:
        """Takes back all that was allowed, for once and for always.

        Raises: FileError if the record cannot be written.
        """
        self._once.clear()
        if self.always:
            self._write(())

    def _write(self, folders: tuple[Path, ...]) -> None:
        text = json.dumps([str(item) for item in folders], indent=1)
        write_file(self._record, f"{text}\n".encode())


def _resolved(folder: str | os.PathLike[str]) -> Path:
    return Path(folder).resolve()
