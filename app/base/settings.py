"""The settings that persist between starts: recent files, the theme, the layout of panels."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from PySide6.QtCore import QByteArray, QObject, QSettings, QStandardPaths, Signal

from gradwire.engine.base.processes.own_records import OddRecordError, put_aside, read_record

RECENT_KEPT = 12


class RecentFile(NamedTuple):
    """A file that was opened or saved, and the time of that."""

    path: Path
    opened: datetime


class Settings(QObject):
    """A small INI file, by default the user's. `changed(str)` carries the key of a changed value.

    A file that cannot be settings is put `aside` first, and the settings are those of a first start. They `are_new` at
    a first start only: any setting that was stored before says that there was one.
    """

    changed = Signal(str)

    def __init__(self, path: Path | None = None) -> None:
        super().__init__()
        if path is None:
            folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericConfigLocation)
            path = Path(folder) / "gradwire" / "gradwire.ini"
        self.aside = _aside_if_odd(path)
        self._store = QSettings(str(path), QSettings.Format.IniFormat)
        self.are_new = not self._store.allKeys()

    def text(self, key: str, default: str = "") -> str:
        """Returns a text, or the default."""
        return str(self._store.value(key, default))

    def set_text(self, key: str, value: str) -> None:
        """Stores a text."""
        is_new = self._store.value(key) != value
        self._store.setValue(key, value)
        if is_new:
            self.changed.emit(key)

    def flag(self, key: str, default: bool = False) -> bool:
        """Returns whether a flag is on."""
        return self.text(key, "true" if default else "false") == "true"

    def set_flag(self, key: str, value: bool) -> None:
        """Stores whether a flag is on."""
        self.set_text(key, "true" if value else "false")

    def number(self, key: str, default: int) -> int:
        """Returns a whole number, or the default."""
        try:
            return int(self.text(key, str(default)))
        except ValueError:  # written by hand, or damaged
            return default

    def table(self, key: str) -> dict[str, Any]:  # Any: JSON
        """Returns values by name; empty at first, and if the text is damaged."""
        try:
            found = json.loads(self.text(key, "{}"))
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def set_table(self, key: str, values: dict[str, Any]) -> None:
        """Stores values by name."""
        self.set_text(key, json.dumps(values))

    def count(self, key: str, name: str) -> int:
        """Counts one more use of an item and returns the number of its uses."""
        uses = self.uses(key)
        uses[name] = uses.get(name, 0) + 1
        self.set_table(key, uses)
        return uses[name]

    def uses(self, key: str) -> dict[str, int]:
        """Returns the number of uses of each item."""
        return {name: count for name, count in self.table(key).items() if isinstance(count, int)}

    def state(self, key: str) -> QByteArray:
        """Returns the layout of a window's panels; empty at first."""
        found = self._store.value(key)
        return found if isinstance(found, QByteArray) else QByteArray()

    def set_state(self, key: str, value: QByteArray) -> None:
        """Stores the layout of a window's panels."""
        self._store.setValue(key, value)

    def recent(self) -> list[RecentFile]:
        """Returns the files opened last, newest first."""
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
        if len(str(first.path).splitlines()) > 1:
            return  # a path with a line break would break the list, which has one path a line
        others = [item for item in self.recent() if item.path != first.path]
        self._set_recent([first, *others][:RECENT_KEPT])

    def forget_recent(self, path: Path | None = None) -> None:
        """Removes one file from the list, or all of them."""
        self._set_recent([] if path is None else [item for item in self.recent() if item.path != path])

    def sync(self) -> None:
        """Writes everything to disk now."""
        self._store.sync()

    def _set_recent(self, files: list[RecentFile]) -> None:
        self.set_text("recent", "\n".join(f"{item.opened.isoformat(timespec='minutes')} {item.path}" for item in files))


def _aside_if_odd(path: Path) -> tuple[Path, ...]:
    try:
        read_record(path)
    except OddRecordError:
        moved = put_aside(path, path.parent / "put-aside")
        return () if moved is None else (moved,)
    except OSError:
        pass
    return ()
