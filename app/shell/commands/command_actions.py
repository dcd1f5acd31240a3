"""The actions of all commands of one window: what is possible now, what is on, with which keys and icons."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.app.look.theme import Theme
from gradwire.app.shell.commands.command import Command, Question
from gradwire.app.shell.commands.commands import COMMANDS, make_action, set_icon, set_keys
from gradwire.app.shell.commands.explained import shows_zero
from gradwire.app.shell.commands.window_parts import WindowParts


class CommandActions:
    """One action for each command, by its id."""

    def __init__(self, window: WindowParts) -> None:
        self._window = window
        self.by_id = window.actions_by_id
        self.by_id.update((command.id, make_action(command, window)) for command in COMMANDS)
        for command in COMMANDS:
            (window.canvas if command.on_canvas else window.frame).addAction(self.by_id[command.id])
        # Most commands share their question; each question is asked once.
        self._alike: dict[tuple[Question | None, bool], list[Command]] = {}
        for command in COMMANDS:
            self._alike.setdefault((command.is_possible, command.is_global), []).append(command)

    def refresh(self) -> None:
        """Shows what is possible and what is on."""
        for commands in self._alike.values():
            can_run = commands[0].can_run(self._window)
            for command in commands:
                self.by_id[command.id].setEnabled(can_run)
        for command in COMMANDS:
            if command.is_on is not None:
                self.by_id[command.id].setChecked(command.is_checked(self._window))
        document = self._window.session.document
        undo, redo = document.undo_text, document.redo_text
        self.by_id["undo"].setText(tr("Undo {edit}", edit=undo) if undo else tr("Undo"))
        self.by_id["redo"].setText(tr("Redo {edit}", edit=redo) if redo else tr("Redo"))

        # The question as one would ask it of what is selected.
        is_zero = self._window.has_document and shows_zero(self._window.session)
        self.by_id["why"].setText(tr("Why is this gradient zero?") if is_zero else tr("Why this gradient?"))

    def show_keys(self) -> None:
        """Takes over the keys."""
        for command in COMMANDS:
            set_keys(self.by_id[command.id], command, self._window.keys)

    def restyle(self, theme: Theme) -> None:
        """Takes over the icons of a theme."""
        for command in COMMANDS:
            set_icon(self.by_id[command.id], command, theme, round(16 * self._window.frame.appearance.text_scale))
