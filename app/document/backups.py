"""The versions of each file that were saved last, in the state folder: what is written over can be had back."""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from app.state_folder import private_folder, reason_of, state_folder
from app.words import tr
from engine.disk import read_file, write_file
from engine.errors import FileError
from engine.limits import LIMITS

KEPT = 10
# Of all files together; the newest version of each stays in any case. Units: bytes.
LARGEST_SUM = 2**29
_WHEN = "%Y%m%dT%H%M%S.%f"


@dataclass(frozen=True)
class Version:
    """One version: where it lies, when it was written, and its size in bytes."""

    file: Path
    written: datetime
    size: int


class Backups:
    """Files go in whole and are found by the path of the file that they are versions of."""

    def __init__(self, state: Path | None = None, largest_sum: int = LARGEST_SUM) -> None:
        """In the state folder of the user, if no other is named."""
        self._state, self._largest_sum = state, largest_sum

    @property
    def _folder(self) -> Path:
        return (self._state or state_folder()) / "versions"

    def keep_file(self, path: Path) -> None:
        """Keeps what a file holds now; nothing if there is none, or its newest version is the same.

        Raises: FileError if it cannot be read or kept; a file above the limit of what can be opened is not.
        """
        if path.exists():
            content, stamp = read_file(path)
            if stamp.size > LIMITS.file_bytes:
                raise FileError(tr("{name} is larger than a graph may be: no copy of it was kept.", name=path.name))
            self._keep(path, content, stamp.modified)

    def keep(self, path: Path, content: bytes) -> None:
        """Keeps a content as a version of a file. Raises: FileError if that is not possible."""
        self._keep(path, content, round(datetime.now().timestamp() * 1e9))

    def versions(self, path: Path) -> list[Version]:
        """The versions of a file, the one that was kept last first."""
        found = []
        with contextlib.suppress(OSError):
            for file in sorted(self._folder_of(path).glob("*.graph"), reverse=True):
                status = file.stat()
                found.append(Version(file, datetime.fromtimestamp(status.st_mtime), status.st_size))
        return found

    def _keep(self, path: Path, content: bytes, written: int) -> None:
        folder, digest = self._folder_of(path), hashlib.blake2b(content, digest_size=16).hexdigest()
        name = f"{datetime.now(UTC).strftime(_WHEN)}_{digest}.graph"
        try:
            private_folder(folder)
            same = next(iter(folder.glob(f"*_{digest}.graph")), None)
            if same is not None:
                same.replace(folder / name)
            else:
                write_file(folder / name, content)
            os.utime(folder / name, ns=(written, written))
            self._limit(folder)
        except OSError as error:
            reason = reason_of(error)
            raise FileError(tr("{path} cannot be written: {reason}.", path=folder, reason=reason)) from error

    def _limit(self, folder: Path) -> None:
        """Removes the oldest versions of one file, and of all files if they take too much room."""
        for file in sorted(folder.glob("*.graph"))[:-KEPT]:
            file.unlink(missing_ok=True)
        older = [file for each in self._folder.iterdir() for file in sorted(each.glob("*.graph"))[:-1]]
        files = [file for each in self._folder.iterdir() for file in each.glob("*.graph")]
        taken = sum(file.stat().st_size for file in files)
        for file in sorted(older, key=lambda file: file.name):
            if taken <= self._largest_sum:
                return
            taken -= file.stat().st_size
            file.unlink(missing_ok=True)

    def _folder_of(self, path: Path) -> Path:
        name = os.path.normcase(os.path.realpath(path))
        return self._folder / hashlib.sha256(os.fsencode(name)).hexdigest()[:32]
