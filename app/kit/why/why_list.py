"""The section "Why this gradient?" of the inspector: explanations, the path to the cause, and fixes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from PySide6.QtCore import QModelIndex, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.form_parts import ElidedLabel, GlyphMark, plain_label, show_text
from gradwire.app.kit.why.fixes import Fix
from gradwire.app.kit.why.slope_view import SlopeView
from gradwire.app.kit.why.trial_view import TrialView
from gradwire.app.kit.why.why import Why
from gradwire.app.live.explanation.zero_sentences import Step
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import draw_ring, smooth
from gradwire.app.look.glossary import Term, explained
from gradwire.app.look.statuses import MARKS
from gradwire.app.look.theme import font
from gradwire.app.look.tips import literal_tip, plain_entry
from gradwire.app.look.widgets import STRETCH, make_button, make_column, make_row, named
from gradwire.engine.blocktypes.cause import Cause

ROW, ROWS_SHOWN, INDENT = 24, 8, 22
BESIDE_TEXT = 27
# The space between the focus ring and the texts. Units: px.
PADDING = (6, 5, 6, 6)
_PATH = Qt.ItemDataRole.UserRole


class WhyList(QWidget):
    """A list of explanations, each with its glyph, subject, result and sentences.

    `place_chosen(str)` carries the path of a block on the way to a cause, `fix_chosen(Fix)` the fix to apply.
    `fix_refused()` comes with "Not now".
    The list accepts the keyboard focus, so that screen readers can read it.
    """

    place_chosen = Signal(str)
    fix_chosen = Signal(object)
    fix_refused = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._entries: list[_Entry] = []
        self._layout = make_column(inside=self, margins=PADDING, spacing=10)
        named(self, "inspector_why", says=tr("Why this gradient?"), focus=Qt.FocusPolicy.StrongFocus)

    def show_all(self, explanations: Sequence[tuple[str, Why]]) -> None:
        """Shows these explanations; existing entries only change their texts."""
        while len(self._entries) < len(explanations):
            self._add_entry()
        for place, entry in enumerate(self._entries):
            if place < len(explanations):
                entry.show_why(*explanations[place])
            entry.setVisible(place < len(explanations))
        said = [f"{heading}: {why.result}. {why.sentence}" for heading, why in explanations]
        self.setAccessibleDescription("\n".join(said))

    def _add_entry(self) -> None:
        entry = _Entry(self._appearance, len(self._entries), self)
        self._layout.addWidget(entry)
        # Entries are created later than the widgets below them, so the tab order is set here.
        last = self._entries[-1].stops[-1] if self._entries else self
        for before, after in pairwise([last, *entry.stops]):
            QWidget.setTabOrder(before, after)
        self._entries.append(entry)

    def focusInEvent(self, event: QFocusEvent) -> None:  # Qt's name
        """Shows the focus ring."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # Qt's name
        """Hides the focus ring."""
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints a ring while the list has the keyboard focus."""
        if not self.hasFocus():
            return
        with smooth(self) as painter:
            draw_ring(painter, self._appearance.theme, QRectF(self.rect()), 4)


class _Entry(QWidget):
    def __init__(self, appearance: Appearance, place: int, parent: WhyList) -> None:
        super().__init__(parent)
        self._appearance, self._list = appearance, parent
        self._token = self._path = ""
        self._fix: Fix | None = None
        self._glyph = GlyphMark(appearance, self)
        self._heading = named(ElidedLabel(f"why_heading_{place}", self), font=font("mono", 11.5, 500))
        self._result = named(plain_label("", f"why_result_{place}", parent=self), font=font("mono", 11, 500))
        self._sentence = plain_label("", f"why_sentence_{place}", "row", self, wraps=True)
        self._way = _Way(appearance, place, self)
        self._way.place_chosen.connect(parent.place_chosen)
        self._origin = make_button(tr("Go to the origin"), self._choose_place, self, name=f"why_origin_{place}")
        self._slope = SlopeView(appearance, f"why_slope_{place}", self)
        self._trial = TrialView(appearance, self, f"why_trial_{place}")
        self._button = make_button("", self._choose_fix, self, name=f"why_fix_{place}")
        self._button.setMinimumWidth(1)
        self._later = make_button(tr("Not now"), parent.fix_refused, self, name=f"why_later_{place}")
        self._lay_out()

    @property
    def stops(self) -> list[QWidget]:
        return [self._way, self._origin, self._button, self._later]

    def _lay_out(self) -> None:
        top = make_row(self._glyph, (self._heading, 1), self._result, spacing=8)
        buttons = make_row(self._button, self._later, STRETCH, spacing=8)
        origin = self._origin, 0, Qt.AlignmentFlag.AlignLeft
        # The buttons come before the trial: in a low window they must be in view without scrolling.
        self._below = make_column(self._sentence, self._way, buttons, self._trial, origin, spacing=6)
        make_column(top, self._slope, self._below, inside=self, margins=0, spacing=2)

    def show_why(self, heading: str, why: Why) -> None:
        show_text(self._heading, heading)
        show_text(self._result, why.result)
        show_text(self._sentence, why.sentence)
        explained(self._sentence, *[Term.ZERO_FACTOR] * (why.mark == Cause.ZERO_FACTOR))
        self._sentence.setVisible(bool(why.sentence) and why.slope is None)
        self._path = why.origin
        self._origin.setToolTip(why.origin.replace("/", " / "))
        self._origin.setVisible(bool(why.origin))
        self._glyph.show_mark(why.mark)
        self._way.show_steps(why.steps)
        self._show_slope(why)
        self._show_fix(why.fix)
        self._trial.show_trial(why.trial)
        self._trial.show_rounds(why.rounds)
        token = MARKS[why.status].token
        if token != self._token:
            self._token = token
            self._result.setStyleSheet(f"color: {self._appearance.theme.css(token)};")

    def _show_slope(self, why: Why) -> None:
        """Shows the product behind a NaN, which takes the place of heading and sentence."""
        self._slope.show_slope(why.slope, why.sentence, why.fix is not None)
        has_slope = why.slope is not None
        for part in (self._glyph, self._heading, self._result):
            part.setVisible(not has_slope)
        self._below.setContentsMargins(0 if has_slope else INDENT, 0, 0, 0)
        self._later.setVisible(has_slope and why.fix is not None)
        self._button.setProperty("look", "primary" if has_slope else "")
        self._button.style().polish(self._button)

    def _show_fix(self, fix: Fix | None) -> None:
        self._fix = fix
        self._button.setVisible(fix is not None)
        if fix is not None:
            self._button.setToolTip(literal_tip(fix.text))
            self._button.setAccessibleName(tr("Apply the fix") if self._slope.isVisibleTo(self) else fix.text)
            self._fit_button()

    def _fit_button(self) -> None:
        """Elides the middle of a text that does not fit."""
        room = self.width() - INDENT - BESIDE_TEXT
        text = self._button.accessibleName()
        shown = self._button.fontMetrics().elidedText(text, Qt.TextElideMode.ElideMiddle, room)
        self._button.setText(plain_entry(shown))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_button()

    def _choose_place(self) -> None:
        self._list.place_chosen.emit(self._path)

    def _choose_fix(self) -> None:
        if self._fix is not None:
            self._list.fix_chosen.emit(self._fix)


class _Way(QListWidget):
    """The blocks from here to the cause; a click or Enter goes to one."""

    place_chosen = Signal(str)

    def __init__(self, appearance: Appearance, place: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._steps: tuple[Step, ...] = ()
        named(self, f"why_way_{place}", says=tr("Path to the cause"))
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self.setMinimumWidth(1)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._choose)
        self.activated.connect(self._choose)
        self.hide()

    def show_steps(self, steps: tuple[Step, ...]) -> None:
        """Shows the steps, unless they are shown already."""
        self.setVisible(bool(steps))
        if steps == self._steps:
            return
        self._steps = steps
        self.clear()
        for number, step in enumerate(steps, start=1):
            item = QListWidgetItem(f"{number}  {step.text}", self)
            item.setData(_PATH, step.path)
            item.setForeground(self._appearance.theme.color("accent"))
            item.setToolTip(tr("Go to {place}", place=step.path.replace("/", " / ")))
        if steps:
            self.setCurrentRow(0)
            self.clearSelection()
        row = max(self.sizeHintForRow(0), ROW)
        self.setFixedHeight(min(len(steps), ROWS_SHOWN) * row + 2 * self.frameWidth())

    def _choose(self, index: QModelIndex) -> None:
        self.place_chosen.emit(index.data(_PATH))


def top_in(widget: QWidget, ancestor: QWidget) -> int:
    """Returns the distance from the top of an ancestor to the top of a widget."""
    return widget.mapTo(ancestor, QPoint()).y()
