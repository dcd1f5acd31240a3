"""The line below a page that is presented: what is seen, in bold, and what goes on or is asked, in grey."""

from __future__ import annotations

import re
from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_texts import cell_of, lines_of
from gradwire.app.kit.controls.form_parts import ElidedLabel
from gradwire.app.kit.session_widget import SessionWidget
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import make_label, make_row, named
from gradwire.engine.base.untrusted_text import plain

# It is for the back rows of a room, whatever the size of texts. Units: px.
HEIGHT, EDGE, TEXT, COUNT, KEY = 84, 48, 20, 14, 32
# A talk of more parts has only their number.
DOTS = 16
# The keys that answer a question, and the signs that they stand for.
ANSWERS = {Qt.Key.Key_1: -1, Qt.Key.Key_2: 0, Qt.Key.Key_3: 1}


class Said(NamedTuple):
    """What the line says: what is seen, what is asked, and how far a talk has come."""

    seen: str = ""
    asked: str = ""
    at: int = 0
    of: int = 0


class CaptionLine(SessionWidget):
    """The caption of a step, or of the page's notes one after the other; hidden where there is neither."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(current, appearance, parent, "caption", look="panel", filled=True, own_sizes=True)
        self.setFixedHeight(HEIGHT)
        self.is_on, self._note = False, 0
        self._seen = named(ElidedLabel("caption_seen", self), font=font("ui", TEXT, 600))
        self._asked = make_label("", self, name="caption_asked", font=font("ui", TEXT), wraps=True)
        self._key = make_label(tr("Space"), self, name="caption_key", font=font("mono", COUNT))
        self._key.setFixedHeight(KEY)
        self._count = make_label("", self, name="caption_count", font=font("mono", COUNT))
        self._dots = make_label("", self, name="caption_dots", font=font("ui", COUNT))
        self._dots.setTextFormat(Qt.TextFormat.RichText)
        make_row(self._seen, (self._asked, 1), self._dots, self._key, self._count, inside=self,
                 margins=(EDGE, 0, EDGE, 0), spacing=14)  # fmt: skip
        call_on(self.refresh, current.changed, current.page_changed, current.graph_changed, current.results_changed,
                current.of(StepMode).changed, appearance.changed)  # fmt: skip
        self.hide()

    def show_line(self, is_on: bool) -> None:
        """Begins with the first note, or hides the line."""
        self.is_on, self._note = is_on, 0
        self.refresh()

    def press(self, event: QKeyEvent) -> bool:
        """Goes on to the next note by Space, back by Shift and Space; 1, 2 and 3 answer the question of a step."""
        steps, is_back = self.session.part(StepMode), event.modifiers() == Qt.KeyboardModifier.ShiftModifier
        if not self.is_on or event.isAutoRepeat() or (event.modifiers() and not is_back):
            return False
        if steps.is_on and event.key() == Qt.Key.Key_Space and is_back:
            steps.back()
        elif steps.is_on and not is_back and event.key() in ANSWERS and steps.ahead is not None:
            steps.guess(ANSWERS[Qt.Key(event.key())])
        elif not steps.is_on and event.key() == Qt.Key.Key_Space and self._said().of > 1:
            self._note = (self._note + (-1 if is_back else 1)) % self._said().of
            self.refresh()
        else:
            return False
        return True

    def refresh(self, *_: object) -> None:
        """Shows what is to be said now."""
        said = self._said() if self.is_on else Said()
        self.setVisible(bool(said.seen or said.asked))
        if self.isHidden():
            return
        theme = self._appearance.theme
        for label, text, token in (
            (self._seen, said.seen, "text.primary"), (self._asked, said.asked, "text.secondary"),
            (self._count, f"{said.at} / {said.of}", "text.secondary"),
        ):  # fmt: skip
            label.setText(text)
            label.setStyleSheet(f"color: {theme.css(token)}")
        self._key.setStyleSheet(
            f"color: {theme.css('text.secondary')}; border: 1px solid {theme.css('border.strong')}; border-radius: 5px;"
            " padding: 0 12px;"
        )
        self._dots.setText(_dots(said, theme))
        for part in (self._key, self._count):
            part.setVisible(said.of > 1)
        self._dots.setVisible(1 < said.of <= DOTS)
        self._seen.setFixedWidth(min(self._seen.fontMetrics().horizontalAdvance(said.seen) + 2, self.width() * 2 // 3))

    def _said(self) -> Said:
        session = self.session
        return said_of_step(session) if session.part(StepMode).is_on else said_of_note(session, self._note)


def _dots(said: Said, theme: Theme) -> str:
    """Returns a dot for each part of a talk: full ones up to the present one, which stands out, then rings."""
    looks = [("●", "accent" if number == said.at else "text.secondary") for number in range(1, said.at + 1)]
    looks += [("○", "text.tertiary")] * (said.of - said.at)
    return " ".join(f'<span style="color: {theme.css(token)}">{dot}</span>' for dot, token in looks)


def said_of_step(session: Session) -> Said:
    """Returns the rule of the current step, and what the next one asks."""
    steps, lines = session.part(StepMode), lines_of(session)
    if not steps.count:
        return Said()
    block = cell_of(session, steps.at).name
    seen = f"{block}   {lines[0].whole}" if lines else block
    asked = ""
    if not steps.is_forward and steps.at < steps.count and steps.ahead is not None:
        name = cell_of(session, steps.at + 1).name
        asked = tr("Which sign does {block} send next?   1 −   2 zero   3 +", block=name)
    if steps.judged is not None:
        asked = f"{tr('Right.') if steps.judged[0] else tr('No.')} {asked}".strip()
    return Said(seen, asked, steps.at, steps.count)


def said_of_note(session: Session, number: int) -> Said:
    """Returns a sentence of a note of the page, below its title."""
    told = [pair for note in session.page.notes for pair in _sentences(note.text.strip())]
    if not told:
        return Said()
    number = min(number, len(told) - 1)
    return Said(*told[number], number + 1, len(told))


def _sentences(text: str) -> list[tuple[str, str]]:
    title, _, rest = text.partition("\n")
    said = re.split(r"(?<=[.!?])\s+", " ".join(rest.split()))
    return [(plain(title), plain(sentence)) for sentence in said] if text else []
