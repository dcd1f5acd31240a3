"""The strip of step mode: three buttons, the stations, the rule of the current step with numbers, and the guess."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QModelIndex, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QStackedWidget, QToolButton, QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.features.steps.guess_box import GuessBox
from gradwire.app.features.steps.stations import StationDelegate, StationModel, stations
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_texts import Line, lines_of, note_of, nothing_of
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.session_widget import SessionWidget
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import (
    STRETCH,
    Does,
    ThemedWidget,
    make_button,
    make_column,
    make_grid,
    make_label,
    make_row,
    make_tool,
    named,
)

# At texts of 100 %. Units: px.
BUTTON, RULES, TRANSPORT = 30, 410, 110
# Rules take at most this share of the strip, and leave out their numbers below this width of it.
SHARE, NARROW = 0.33, 1200
LINES = 2


class StepStrip(SessionWidget):
    """The steps side by side with their buttons; a chosen station becomes the current step."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(current, appearance, parent)
        self._transport = _Transport(current, appearance, self)
        self._list = stations(self)
        self._model = StationModel(current, self)
        self._delegate = StationDelegate(appearance, self)
        self._list.setModel(self._model)
        self._list.setItemDelegate(self._delegate)
        self._list.selectionModel().currentChanged.connect(self._choose)
        self._nothing = make_label(parent=self, name="steps_empty", look="quiet", wraps=True)
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._nothing)
        self._pages.addWidget(self._list)
        self._rules, self._guess = RuleLines(appearance, self), GuessBox(current, appearance, self)
        self._is_showing = False
        rows = [named(QWidget(self), look="upright", width=17) for _ in range(2)]
        make_row(self._transport, (self._pages, 1), rows[0], self._rules, rows[1], self._guess, inside=self,
                 margins=(14, 10, 14, 4), spacing=6)  # fmt: skip
        self._edges = rows
        call_on(self.refresh, current.changed, current.of(StepMode).changed)
        appearance.restyled.connect(self._restyle)
        self._restyle()

    def refresh(self) -> None:
        """Shows the present step."""
        steps = self.session.part(StepMode)
        self._is_showing = True
        self._model.show()
        if steps.count:
            index = self._model.index(steps.at - 1, 0)
            self._list.setCurrentIndex(index)
            self._list.scrollTo(index, self._list.ScrollHint.PositionAtCenter)
        self._is_showing = False
        self._list.viewport().update()
        self._pages.setCurrentWidget(self._list if steps.count else self._nothing)
        self._nothing.setText(nothing_of(self.session))
        self._transport.refresh()
        self._rules.show_lines(lines_of(self.session), note_of(self.session))
        self._guess.refresh()
        self._edges[1].setVisible(not self._guess.isHidden())

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Gives the rules their share of the width."""
        super().resizeEvent(event)
        scale = self._appearance.text_scale
        self._rules.setFixedWidth(round(min(RULES * scale, SHARE * self.width())))
        self._rules.has_numbers = self.width() >= NARROW * scale

    def _choose(self, index: QModelIndex, _: QModelIndex) -> None:
        if index.isValid() and not self._is_showing:
            self.session.part(StepMode).go(index.row() + 1)

    def _restyle(self) -> None:
        self._list.doItemsLayout()
        self.refresh()


class _Transport(SessionWidget):
    """Back, play and next, and below them what the keyboard does, and the other direction."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(current, appearance, parent)
        back, go_on = tr("Previous step (left arrow)"), tr("Next step (Space, right arrow)")
        self._back = self._button("step_back", lambda: self._steps.back(), back)
        self._play = self._button("step_play", lambda: self._steps.turn(), tr("Play"))
        self._next = self._button("step_next", lambda: self._steps.next(), go_on, "primary")
        themed(self._back, appearance, "step-back", "text.primary")
        themed(self._next, appearance, "step-fwd", "text.on-accent")
        says = make_label(tr("Space: next"), self, look="quiet")
        self._way = make_button("", self._turn, self, name="step_way", look="link")
        row = make_row(self._back, self._play, self._next, STRETCH, spacing=5)
        make_column(row, make_row(says, self._way, STRETCH, spacing=4), STRETCH, inside=self, margins=(0, 6, 0, 0),
                    spacing=6)  # fmt: skip

    @property
    def _steps(self) -> StepMode:
        return self.session.part(StepMode)

    def refresh(self) -> None:
        """Shows what can be done."""
        steps = self._steps
        self.setFixedWidth(round(TRANSPORT * self._appearance.text_scale))
        self._back.setEnabled(steps.at > 1)
        self._next.setEnabled(steps.at < steps.count)
        self._play.setEnabled(steps.count > 1)
        words, picture = (tr("Pause"), "pause") if steps.is_playing else (tr("Play"), "play")
        named(self._play, words=words).setIcon(icon(self._appearance.theme, picture, "text.primary"))
        self._way.setText(tr("Backward") if steps.is_forward else tr("Forward"))
        ways = tr("Go forward: values from the inputs"), tr("Go backward: gradients from the loss")
        named(self._way, tip=ways[steps.is_forward])

    def _turn(self) -> None:
        self._steps.enter(not self._steps.is_forward)

    def _button(self, name: str, does: Does, words: str, look: str = "boxed") -> QToolButton:
        size, focus = (BUTTON, BUTTON), Qt.FocusPolicy.TabFocus
        made = make_tool(does, self, name=name, words=words, look=look, size=size, focus=focus)
        made.setIconSize(QSize(14, 14))
        return made


class RuleLines(ThemedWidget):
    """The rule of each gradient that the step makes: `to x   ∂L/∂z ÷ y   = [1 2 3] ÷ 2.14   = .468 .937 1.40`."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, "step_rules", says=tr("The rule of this step"), own_sizes=True)
        self.has_numbers = True
        self._grid = make_grid(self, (0, 4, 0, 0), (8, 4))
        self._rows = [[self._label(row, column) for column in range(4)] for row in range(LINES)]
        self._note = make_label(parent=self, name="step_note", look="quiet")
        self._grid.addWidget(self._note, LINES, 0, 1, 4)
        self._grid.setRowStretch(LINES + 1, 1)
        self._grid.setColumnStretch(2, 1)

    def show_lines(self, lines: Iterable[Line], note: str) -> None:
        """Shows the first lines, and a sentence below them."""
        scale, theme, shown = self._appearance.text_scale, self._appearance.theme, list(lines)[:LINES]
        for row, labels in enumerate(self._rows):
            line = shown[row] if row < len(shown) else Line()
            numbers = line.numbers if self.has_numbers and line.numbers != line.result else ""
            texts = (line.head, line.rule, f"= {numbers}" if numbers else "", f"= {line.result}" if line.result else "")
            tokens = ("text.secondary", "text.primary", "value", line.token)
            for column, (label, text, token) in enumerate(zip(labels, texts, tokens, strict=True)):
                label.setVisible(bool(text))
                label.setStyleSheet(f"color: {theme.css(token)}")
                label.setFont(font("ui" if column == 0 else "mono", 11 * scale, 600 if column == 3 else 500))
                label.setText(text)
                label.setToolTip(line.whole)
        self._note.setFont(font("ui", 11 * scale))
        self._note.setText(note)
        self._note.setToolTip(note)
        self.setAccessibleDescription("\n".join([*(line.whole for line in shown), note]))

    def _label(self, row: int, column: int) -> QLabel:
        made = make_label(parent=self, least_width=1)
        self._grid.addWidget(made, row, column)
        return made
