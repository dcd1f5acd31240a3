"""What the program remembers between two starts: recent files, the theme, where the panels stood."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QByteArray, QSettings, QStandardPaths

RECENT_KEPT = 12


class RecentFile(NamedTuple):
    """A file that was opened or saved, and when."""

    path: Path
    opened: datetime


class Settings:
    """A small INI file; without a path that of the user."""

    def __init__(self, path: Path | None = None) -> None:
        if path is None:
            folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
            path = Path(folder) / "gradwire" / "gradwire.ini"
        self._store = QSettings(str(path), QSettings.Format.IniFormat)

    def text(self, key: str, default: str = "") -> str:
        """A text, or the default."""
        return str(self._store.value(key, default))

    def set_text(self, key: str, value: str) -> None:
        """Remembers a text."""
        self._store.setValue(key, value)

    def flag(self, key: str, default: bool = False) -> bool:
        """Whether something is on."""
        return self.text(key, "true" if default else "false") == "true"

    def set_flag(self, key: str, value: bool) -> None:
        """Remembers whether something is on."""
        self.set_text(key, "true" if value else "false")

    def state(self, key: str) -> QByteArray:
        """Where the panels of a window stood; empty at first."""
        found = self._store.value(key)
        return found if isinstance(found, QByteArray) else QByteArray()

    def set_state(self, key: str, value: QByteArray) -> None:
        """Remembers where the panels of a window stand."""
        self._store.setValue(key, value)

    def recent(self) -> list[RecentFile]:
        """The files opened last, newest first."""
        found = []
        for line in self.text("recent").splitlines():
            stamp, _, name = line.partition(" ")
            try:
                found.append(RecentFile(Path(name), datetime.fromisoformat(stamp)))
            except ValueError:  # written by hand, or damaged
                continue
        return found

    def add_recent(self, path: Path, now: datetime | None = None) -> None:
        """Puts a file first in the list."""
        first = RecentFile(path.absolute(), now or datetime.now())
        others = [item for item in self.recent() if item.path != first.path]
        self._set_recent([first, *others][:RECENT_KEPT])

    def forget_recent(self, path: Path | None = None) -> None:
        """Takes one file out of the list, or all of them."""
        self._set_recent([] if path is None else [item for item in self.recent() if item.path != path])

    def sync(self) -> None:
        """Writes everything to disk now."""
        self._store.sync()

    def _set_recent(self, files: list[RecentFile]) -> None:
        self.set_text("recent", "\n".join(f"{item.opened.isoformat(timespec='minutes')} {item.path}" for item in files))
