"""The last saved versions of each file, in the state folder, so that the user can restore overwritten ones."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from gradwire.app.base.state_folder import private_folder, reason_of, state_folder, time_of
from gradwire.app.base.translation import tr
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.files.beside.copies import copy_beside
from gradwire.engine.files.beside.names import SUFFIX, names_in
from gradwire.engine.files.beside.writing import remove_unnamed, write_beside
from gradwire.engine.files.disk import read_file, write_file
from gradwire.engine.graph.graph import Graph

KEPT = 10
# The limit for all files together; the newest version of each file always stays. Units: bytes.
LARGEST_SUM = 2**29
_WHEN = "%Y%m%dT%H%M%S.%f"


@dataclass(frozen=True)
class Version:
    """One version: its file, the time of writing, and its size in bytes."""

    file: Path
    written: datetime
    size: int


class Backups:
    """The store of versions, which finds them by the path of the original file."""

    def __init__(self, state: Path | None = None, largest_sum: int = LARGEST_SUM) -> None:
        """Uses the user's state folder unless another one is given."""
        self._state, self._largest_sum = state, largest_sum

    @property
    def _folder(self) -> Path:
        return (self._state or state_folder()) / "versions"

    def keep_file(self, path: Path) -> None:
        """Keeps the current content of a file, unless there is no file or its newest version is the same.

        Raises: FileError if it cannot be read or kept, or is larger than a graph may be.
        """
        if os.path.exists(path):
            content, stamp = read_file(path)
            if stamp.size > LIMITS.file_bytes:
                raise FileError(tr("{name} is larger than a graph may be: no copy of it was kept.", name=path.name))
            with self._folder_for(path) as folder:
                self._add(folder, copy_beside(content, Path(os.path.realpath(path)).parent, folder), stamp.modified)

    def keep_graph(self, path: Path, graph: Graph) -> None:
        """Keeps a graph as a version of a file. Raises: FileError if that is not possible."""
        now = round(datetime.now().timestamp() * 1e9)
        with self._folder_for(path) as folder:
            write_beside(graph, folder / path.name, lambda content: self._add(folder, content, now), by_content=True)

    def versions(self, path: Path) -> list[Version]:
        """Returns the versions of a file, newest first."""
        found = []
        with contextlib.suppress(OSError):
            for file in reversed(_files(self._folder_of(path))):
                with contextlib.suppress(OSError):  # it is gone by now
                    status = file.stat()
                    found.append(Version(file, time_of(status), status.st_size))
        return found

    @contextlib.contextmanager
    def _folder_for(self, path: Path) -> Iterator[Path]:
        """Yields the folder of a file's versions. Raises: FileError for what the disk refuses meanwhile."""
        folder = self._folder_of(path)
        try:
            yield private_folder(folder)
        except OSError as error:
            reason = reason_of(error)
            raise FileError(tr("{path} cannot be written: {reason}.", path=folder, reason=reason)) from error

    def _add(self, folder: Path, content: bytes, written: int) -> None:
        digest = hashlib.blake2b(content, digest_size=16).hexdigest()
        name = f"{_next_moment(folder).strftime(_WHEN)}_{digest}.graph"
        same = next(iter(folder.glob(f"*_{digest}.graph")), None)
        if same is not None:
            same.replace(folder / name)
        else:
            write_file(folder / name, content)
        os.utime(folder / name, ns=(written, written))
        self._limit(folder)

    def _limit(self, folder: Path) -> None:
        """Removes the oldest versions of one file, and of all files if they take too much room."""
        for file in _files(folder)[:-KEPT]:
            _discard(file)
        folders = list(self._folder.iterdir())
        taken = sum(file.stat().st_size for each in folders for file in (*_files(each), *each.glob(f"*{SUFFIX}")))
        older = [file for each in folders for file in _files(each)[:-1]]
        for file in sorted(older, key=lambda file: file.name):
            if taken <= self._largest_sum:
                return
            taken -= _discard(file)

    def _folder_of(self, path: Path) -> Path:
        name = os.path.normcase(os.path.realpath(path))
        return self._folder / hashlib.sha256(os.fsencode(name)).hexdigest()[:32]


def _discard(file: Path) -> int:
    """Removes a version, and weights that no other one has; returns how many bytes are free now."""
    names = names_in(read_file(file)[0]) if any(file.parent.glob(f"*{SUFFIX}")) else {}
    sizes = {name: (file.parent / name).stat().st_size for name in names if (file.parent / name).exists()}
    size = file.stat().st_size
    file.unlink(missing_ok=True)
    remove_unnamed(file.parent, names)
    return size + sum(freed for name, freed in sizes.items() if not (file.parent / name).exists())


def _next_moment(folder: Path) -> datetime:
    """Returns the time, but one after that of all versions in a folder: a clock may have gone back."""
    now = datetime.now(UTC)
    newest = max((file.name.partition("_")[0] for file in folder.glob("*.graph")), default="")
    with contextlib.suppress(ValueError, OverflowError):  # a name of somebody else, or the end of time
        return max(now, datetime.strptime(newest, _WHEN).replace(tzinfo=UTC) + timedelta(microseconds=1))
    return now


def _files(folder: Path) -> list[Path]:
    """Returns the versions in a folder, oldest first; anything else of such a name is left alone."""
    return sorted(file for file in folder.glob("*.graph") if file.is_file())
