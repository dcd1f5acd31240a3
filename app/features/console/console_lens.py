"""The console: a line for Python expressions about the newest run, and the answers."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtWidgets import QLabel, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.canvas.access.live_region import announce
from gradwire.app.features.console.console import Console
from gradwire.app.features.console.console_completion import names_of
from gradwire.app.features.console.console_line import ConsoleAnswer
from gradwire.app.features.console.console_log import ConsoleLog
from gradwire.app.features.console.console_prompt import ConsolePrompt
from gradwire.app.features.console.console_texts import PROMPT, answer_text
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import make_button, make_column, make_label, make_row, named

_SPOKEN = 300


class ConsoleLens(Lens):
    """The lines with their answers, and below them the prompt; users can stop a slow line."""

    tells_gradients = False

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(current, appearance, parent)
        current.of(Console).changed.connect(self.refresh_soon)
        # The prompt is created first: a lens gives the keyboard focus to its first widget.
        prompt = ConsolePrompt(lambda: names_of(self.session), self)
        self._prompt = named(prompt, "console_prompt", says=tr("A line of Python"))
        self._sign, self._slow = QLabel(PROMPT, self), QLabel(tr("No answer yet."), self)
        stop, clear = tr("Stop the evaluation, and start it again"), tr("Clear the console")
        self._stop = make_button(tr("Stop"), self._end, self, name="console_stop", words=stop)
        # A method: a lambda would hold the lens by a button that is no part of it, and both would stay for ever.
        self._clear = make_button(tr("Clear"), self._forget, name="console_clear", words=clear)
        self._log = named(ConsoleLog(appearance, self), "console_log", says=tr("Lines and answers"))
        self._help = make_label(parent=self, name="console_help", wraps=True)
        self.controls = QWidget()
        make_row(self._clear, inside=self.controls, margins=(0, 0, 4, 0))
        self._spoken: object = None
        self._lay_out()
        self._fit_fonts()
        self._prompt.entered.connect(self._run)
        self._prompt.choices_found.connect(lambda names: self.session.part(Console).offer(names))
        self._prompt.cancelled.connect(self._cancel)

    def refresh(self) -> None:
        """Shows the entries, and a help text until the user has typed a line."""
        console = self.session.part(Console)
        self._log.show_entries(list(console.entries))
        self._prompt.history = console.history
        self._clear.setEnabled(bool(console.entries))
        self._help.setVisible(not console.history)
        self._help.setText(self._help_text())
        for widget in (self._slow, self._stop):
            widget.setVisible(console.is_slow)
        newest = console.entries[-1] if console.entries else None
        if isinstance(newest, ConsoleAnswer) and newest is not self._spoken:
            announce(self._log, answer_text(newest)[:_SPOKEN], False)
        self._spoken = newest

    def changeEvent(self, event: QEvent) -> None:  # Qt's name
        """Fits the fonts, as the style sheet changes the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange and self.layout() is not None:
            self._fit_fonts()

    def _run(self, text: str) -> None:
        self.session.part(Console).run(text)
        self.refresh()
        self._log.go_to_end()

    def _forget(self) -> None:
        self.session.part(Console).clear()

    def _cancel(self) -> None:
        if self.session.part(Console).is_slow:
            self._end()

    def _end(self) -> None:
        self._prompt.setFocus(Qt.FocusReason.OtherFocusReason)
        self.session.part(Console).stop()

    def _help_text(self) -> str:
        results = self.session.results
        link = next(iter(results.wires.row_of), None) if results is not None else None
        source, target = ("main/x.y", "main/exp.x") if link is None else (str(link.source), str(link.target))
        return tr(
            'Type Python below, a line at a time: value("{source}") and grad("{source}") are the tensors of a '
            'port in the newest run, grad("{source}", "{target}") is the gradient of a wire, graph is the graph '
            "and np is NumPy. Tab completes names, Up recalls lines, Escape clears. Nothing typed here changes "
            "the graph.",
            source=source,
            target=target,
        )

    # Building

    def _lay_out(self) -> None:
        self._prompt.setPlaceholderText(tr("value(…), grad(…), graph, np"))
        row = make_row(self._sign, (self._prompt, 1), self._slow, self._stop)
        self._help.setContentsMargins(0, 6, 0, 0)
        make_column(self._help, (self._log, 1), row, inside=self, margins=(8, 0, 8, 6), spacing=4)

    def _fit_fonts(self) -> None:
        wanted = font("mono", 12 * self._appearance.text_scale)
        for widget in (self._prompt, self._sign, self._log):
            if widget.font() != wanted:
                widget.setFont(wanted)


FEATURE = Feature(
    "console", "Console", "Python that asks about the newest run", "terminal",
    ConsoleLens, ("Ctrl+`",), session_part=Console,
)  # fmt: skip
