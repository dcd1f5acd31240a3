"""The command box, which finds every command and place by a few letters of its name."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QSize

from gradwire.app.base.translation import tr
from gradwire.app.kit.search.entries import Entry
from gradwire.app.kit.search.ranking import matches, ranked
from gradwire.app.kit.search.search_frame import Found, ListPopup
from gradwire.app.shell.commands.box_entries import all_entries, at_first, block_types, nearest_entries
from gradwire.app.shell.commands.window_parts import WindowParts

SIZE = QSize(560, 420)
USES = "box_uses"
_TOP = 46


class CommandBox(ListPopup):
    """A popup in the middle below the menu bar, which remembers frequent choices."""

    def __init__(self, window: WindowParts) -> None:
        hint, says = tr("Search commands, blocks and files"), tr("Found commands, blocks and files")
        super().__init__(window.frame.appearance, "command", hint, says, SIZE, window.frame.widget)
        self._window = window
        self._entries: list[Entry] = []

    def open_box(self) -> None:
        """Opens with all current entries."""
        self._entries = all_entries(self._window)
        frame = self._window.frame.widget
        self.open_with_corner(frame.mapToGlobal(QPoint((frame.width() - SIZE.width()) // 2, _TOP)))

    def found(self, query: str) -> Found:
        """Returns the matching entries, best first; or similar ones with a sentence that nothing matches."""
        name, uses = query.strip(), self._window.frame.settings.uses(USES)
        if not name:
            return at_first(self._entries, uses), ""
        rows = ranked([*matches(self._entries, query), *block_types(self._window, query)], uses)
        if rows:
            return rows, ""
        near = nearest_entries(self._entries, query)
        if near:
            return near, tr('No entry is called "{name}". Similar names:', name=name)
        return near, tr('No entry is called "{name}". Try a word of a menu, a block or a file.', name=name)

    def take(self, entry: Entry) -> None:
        """Counts an entry that is possible and carries it out."""
        if entry.is_possible:
            self._window.frame.settings.count(USES, entry.id)
        super().take(entry)
