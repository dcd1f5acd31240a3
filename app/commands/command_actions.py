"""The actions of all commands of one window: what is possible now, what is on, with which keys and icons."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.app.commands.commands import COMMANDS, make_action, set_icon, set_keys
from gradwire.app.commands.window_parts import WindowParts
from gradwire.app.look.theme import Theme


class CommandActions:
    """One action for each command, by its id."""

    def __init__(self, window: WindowParts) -> None:
        self._window = window
        self.by_id = window.actions_by_id
        self.by_id.update((command.id, make_action(command, window)) for command in COMMANDS)
        for command in COMMANDS:
            (window.canvas if command.on_canvas else window.frame).addAction(self.by_id[command.id])

    def refresh(self) -> None:
        """Shows what is possible and what is on."""
        for command in COMMANDS:
            action = self.by_id[command.id]
            action.setEnabled(command.is_possible is None or command.is_possible(self._window))
            if command.is_on is not None:
                action.setChecked(command.is_on(self._window))
        if self._window.has_document:
            document = self._window.session.document
            undo, redo = document.undo_text, document.redo_text
            self.by_id["undo"].setText(tr("Undo {edit}", edit=undo) if undo else tr("Undo"))
            self.by_id["redo"].setText(tr("Redo {edit}", edit=redo) if redo else tr("Redo"))

    def show_keys(self) -> None:
        """Takes over the keys."""
        for command in COMMANDS:
            set_keys(self.by_id[command.id], command, self._window.keys)

    def restyle(self, theme: Theme) -> None:
        """Takes over the icons of a theme."""
        for command in COMMANDS:
            set_icon(self.by_id[command.id], command, theme)
