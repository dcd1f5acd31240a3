"""Bookmarks 1 to 9 of a document: places on its pages, stored under the path of its file."""

from __future__ import annotations

from pathlib import Path

from gradwire.app.base.settings import Settings
from gradwire.app.canvas.overlays.view_history import Place, ViewHistory, as_list, from_list
from gradwire.app.live.session import Session

KEY, FILES_KEPT = "bookmarks", 100
NUMBERS = range(1, 10)


class Bookmarks:
    """The bookmarks of the document shown. They belong neither to the graph nor to its history."""

    def __init__(self, places: ViewHistory, settings: Settings) -> None:
        self._places, self._settings = places, settings
        self._session: Session | None = None
        self._found: dict[int, Place] = {}

    def of(self, session: Session) -> dict[int, Place]:
        """Returns the bookmarks of a document by number."""
        if session is not self._session:
            self._session = session
            self._found = self._read(session.document.path)
        return self._found

    def set(self, session: Session, number: int) -> None:
        """Sets a bookmark at the current view of the canvas."""
        self.of(session)[number] = self._places.here()
        self.write(session)

    def go(self, session: Session, number: int) -> bool:
        """Goes to a bookmark and returns whether it exists and its page too."""
        place = self.of(session).get(number)
        if place is None or not session.graph.has_page(place.page):
            return False
        self._places.go_to(place)
        return True

    def write(self, session: Session) -> None:
        """Stores the bookmarks under the path of the document's file, once it has one."""
        path, found = session.document.path, self.of(session)
        if path is None or not found:
            return
        known = {name: item for name, item in self._settings.table(KEY).items() if name != str(path)}
        known[str(path)] = {str(number): as_list(place) for number, place in found.items()}
        newest = dict(list(known.items())[-FILES_KEPT:])
        self._settings.set_table(KEY, newest)

    def _read(self, path: Path | None) -> dict[int, Place]:
        listed = self._settings.table(KEY).get(str(path)) if path is not None else None
        if not isinstance(listed, dict):
            return {}
        places = {number: from_list(listed.get(str(number))) for number in NUMBERS}
        return {number: place for number, place in places.items() if place is not None}
