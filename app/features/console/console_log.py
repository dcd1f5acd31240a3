"""The entries of a console as selectable text; new entries leave the text above them unchanged."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCharFormat, QTextCursor, QTextOption
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gradwire.app.features.console.console import Entry
from gradwire.app.features.console.console_texts import Part, entry_parts
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import Theme

_KEEP = QTextCursor.MoveMode.KeepAnchor


class ConsoleLog(QPlainTextEdit):
    """A view of the entries that keeps showing the end if it was there."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        # The displayed entries, each with its number of lines.
        self._shown: list[tuple[Entry, int]] = []
        self.setUndoRedoEnabled(False)
        self.setTabChangesFocus(True)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        appearance.changed.connect(self._restyle)

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Shows the entries of a console: new ones follow, the oldest go, all others stay with their selection."""
        bar = self.verticalScrollBar()
        is_at_end = bar.value() == bar.maximum()
        kept = (row for row, (entry, _) in enumerate(self._shown) if entries and entry is entries[0])
        self._drop_first(next(kept, len(self._shown)))
        self._append(entries[len(self._shown) :])
        if is_at_end:
            self.go_to_end()

    def go_to_end(self) -> None:
        """Shows the newest entry."""
        self.verticalScrollBar().setValue(self.verticalScrollBar().maximum())

    def _append(self, entries: Sequence[Entry]) -> None:
        chosen = self.textCursor()
        anchor, position = chosen.anchor(), chosen.position()
        for entry in entries:
            parts = entry_parts(entry)
            for part in parts:
                self._write(part)
            self._shown.append((entry, sum(part.text.count("\n") + 1 for part in parts)))
        if anchor != position:
            # A selection up to the end would have grown. Restoring it scrolls, so the scroll bar is reset.
            seen = self.verticalScrollBar().value()
            chosen.setPosition(anchor)
            chosen.setPosition(position, _KEEP)
            self.setTextCursor(chosen)
            self.verticalScrollBar().setValue(seen)

    def _restyle(self, _: Theme) -> None:
        entries = [entry for entry, _ in self._shown]
        self._drop_first(len(entries))
        self.show_entries(entries)

    def _drop_first(self, count: int) -> None:
        lines = sum(size for _, size in self._shown[:count])
        del self._shown[:count]
        if not self._shown:
            self.clear()
        elif lines:
            cursor = QTextCursor(self.document())
            cursor.movePosition(QTextCursor.MoveOperation.NextBlock, _KEEP, lines)
            cursor.removeSelectedText()

    def _write(self, part: Part) -> None:
        look = QTextCharFormat()
        look.setForeground(self._appearance.theme.color(part.token))
        cursor = QTextCursor(self.document())
        cursor.movePosition(QTextCursor.MoveOperation.End)
        if not self.document().isEmpty():
            cursor.insertBlock()
        cursor.insertText(part.text, look)
