"""The section "Why this gradient?" of the inspector: explanations, the path to the cause, and fixes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from html import escape
from itertools import pairwise

from PySide6.QtCore import QModelIndex, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QListWidget, QListWidgetItem, QPushButton, QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.form_parts import MARGIN, ElidedLabel, GlyphMark, plain_label, show_text
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.why.fixes import Fix
from gradwire.app.kit.why.product_view import ProductView
from gradwire.app.kit.why.trial_view import TrialView
from gradwire.app.kit.why.why import Why
from gradwire.app.kit.why.why_withheld import WithheldView
from gradwire.app.live.current_session import ViewRequests
from gradwire.app.live.explanation.zero_sentences import Step
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import draw_ring, smooth
from gradwire.app.look.glossary import Term, explained
from gradwire.app.look.icons import icon
from gradwire.app.look.statuses import MARKS
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import ThemedWidget, make_button, make_column, make_row, named, show_or_hide
from gradwire.engine.blocktypes.cause import Cause

# The height of a row, and how many are seen at once. Units: px.
ROW, ROWS_SHOWN = 24, 8
# The least width of Not now. Units: px.
LATER = 96
# The space between the focus ring and the sentence. Units: px.
PADDING = 6, 3
_PATH = Qt.ItemDataRole.UserRole


class WhyList(ThemedWidget):
    """A list of explanations, each with its glyph, subject, result and sentences.

    The list accepts the keyboard focus, so that screen readers can read it.
    """

    def __init__(self, requests: ViewRequests, appearance: Appearance, parent: QWidget) -> None:
        strong = Qt.FocusPolicy.StrongFocus
        super().__init__(appearance, parent, "inspector_why", says=tr("Why this gradient?"), focus=strong)
        self.requests = requests
        self._entries: list[_Entry] = []
        self._layout = make_column(inside=self, margins=(0, PADDING[1], 0, 0), spacing=10)

    def show_all(self, explanations: Sequence[tuple[str, Why]], is_answer: bool = False) -> None:
        """Shows these explanations; the first may be the answer to what the card's title asks.

        Existing entries only change their texts.
        """
        while len(self._entries) < len(explanations):
            self._add_entry()
        for place, entry in enumerate(self._entries):
            if place < len(explanations):
                entry.show_why(*explanations[place], is_answer and not place)
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
        """Paints a ring around the first sentence while the list has the keyboard focus."""
        if not self.hasFocus() or not self._entries:
            return
        sentence = self._entries[0].sentence
        across, down = PADDING
        ring = QRectF(sentence.rect().translated(sentence.mapTo(self, QPoint())))
        with smooth(self) as painter:
            draw_ring(painter, self._appearance.theme, ring.adjusted(-across, -down, across, down), 4)


class _Entry(ThemedWidget):
    """One explanation: its sentence, the product, the way to the cause, and a fix with what it was found to change."""

    def __init__(self, appearance: Appearance, place: int, parent: WhyList) -> None:
        super().__init__(appearance, parent)
        self._list = parent
        self._token = self._path = ""
        self._fix: Fix | None = None
        self._glyph = GlyphMark(appearance, self)
        self._heading = named(ElidedLabel(f"why_heading_{place}", self), font=font("mono", 11.5, 500))
        self._result = named(plain_label("", f"why_result_{place}", parent=self), font=font("mono", 11, 500))
        self.sentence = plain_label("", f"why_sentence_{place}", "", self, wraps=True)
        self._way = _Way(appearance, place, self)
        self._way.place_chosen.connect(parent.requests.place_chosen)
        self._origin = make_button(tr("Go to the origin"), self._choose_place, self, name=f"why_origin_{place}")
        self._product = ProductView(appearance, f"why_product_{place}", self)
        self._withheld = WithheldView(appearance, f"why_withheld_{place}", self)
        self._line = named(QFrame(self), look="line")
        self._bolt = QLabel(self)
        self._title = plain_label("", f"why_title_{place}", "strong", self, wraps=True)
        self._detail = plain_label("", f"why_detail_{place}", "row", self, wraps=True)
        self._trial = TrialView(appearance, self, f"why_trial_{place}")
        verdict = tr("Nothing changes: here the stop only saves work. No fix is needed.")
        self._verdict = plain_label(verdict, f"why_verdict_{place}", "row", self, wraps=True)
        self._apply = make_button(tr("Apply the fix"), self._choose_fix, self, name=f"why_fix_{place}", look="primary")
        self._later = make_button(tr("Not now"), parent.requests.fix_refused, self, name=f"why_later_{place}")
        self._later.setMinimumWidth(LATER)
        self._pass = self._command(tr("Let it pass"), "ignore_stops", f"why_pass_{place}")
        themed(self._apply, appearance, "check", "text.on-accent", 14)
        themed(self._pass, appearance, "eye-off", "text.primary", 14)
        self._compare = self._command(tr("Compare A | B"), "mode_compare", f"why_compare_{place}")
        self._lay_out()

    @property
    def stops(self) -> list[QWidget]:
        return [self._way, self._origin, self._apply, self._later, self._pass, self._compare]

    def _command(self, text: str, command: str, name: str) -> QPushButton:
        return make_button(text, partial(self._list.requests.command_chosen.emit, command), self, name=name)

    def _lay_out(self) -> None:
        self._top = named(QWidget(self), "why_top")
        make_row(self._glyph, (self._heading, 1), self._result, inside=self._top, margins=0, spacing=8)
        title = make_row((self._bolt, 0, Qt.AlignmentFlag.AlignTop), (self._title, 1), spacing=8)
        buttons = make_row((self._apply, 1), self._later, (self._pass, 1), (self._compare, 1), spacing=10)
        origin = self._origin, 0, Qt.AlignmentFlag.AlignLeft
        sides = MARGIN, 0, MARGIN, 0
        answer = make_column(self._top, self.sentence, self._product, self._way, origin, margins=sides, spacing=6)
        self._column = make_column(title, self._detail, self._verdict, buttons, margins=sides, spacing=6)
        make_column(answer, self._withheld, self._line, self._column, inside=self, margins=0, spacing=10)

    def show_why(self, heading: str, why: Why, is_answer: bool) -> None:
        """Shows an explanation; the answer to the title of the card needs no heading."""
        show_text(self._heading, heading)
        show_text(self._result, why.result)
        has_subject = is_answer and bool(why.subject) and why.sentence.startswith(why.subject)
        self.sentence.setTextFormat(Qt.TextFormat.RichText if has_subject else Qt.TextFormat.PlainText)
        show_or_hide(self.sentence, _emphasized(why) if has_subject else why.sentence)
        ink = self._appearance.theme.css("text.primary" if is_answer else "text.secondary")
        self.sentence.setStyleSheet(f"color: {ink};")
        self.sentence.setFont(font("ui", 14) if is_answer else font("ui", 12))
        explained(self.sentence, *[Term.ZERO_FACTOR] * (why.mark == Cause.ZERO_FACTOR))
        self._path = why.origin
        self._origin.setToolTip(why.origin.replace("/", " / "))
        self._origin.setVisible(bool(why.origin))
        self._glyph.show_mark(why.mark)
        self._top.setVisible(not is_answer)
        # Below much else, the buttons come first: in a low window they must be in view without scrolling.
        self._column.removeWidget(self._trial)
        self._column.insertWidget(self._column.count() - 2 if is_answer else self._column.count(), self._trial)
        # One step to a cause is told by the sentence.
        self._way.show_steps(why.steps if len(why.steps) > 1 or not is_answer else ())
        self._product.show_product(why.product)
        self._withheld.show_withheld(why.withheld)
        self._show_fix(why)
        token = MARKS[why.status].token
        if token != self._token:
            self._token = token
            self._result.setStyleSheet(f"color: {self._appearance.theme.css(token)};")

    def _show_fix(self, why: Why) -> None:
        fix, is_without = why.fix, why.is_stopped and why.trial is not None
        self._fix = fix
        title = (
            tr("Without this StopGradient") if is_without else fix and (fix.title or tr("Fix: {text}", text=fix.text))
        )
        self._line.setVisible(bool(title))
        show_or_hide(self._title, title or "")
        show_or_hide(self._detail, fix.detail if fix is not None else "")
        self._bolt.setVisible(fix is not None and not is_without)
        self._bolt.setPixmap(icon(self._appearance.theme, "bolt", "ok", 16).pixmap(16, 16))
        self._trial.show_trial(why.trial, tr("without") if is_without else "")
        self._trial.show_rounds(why.rounds)
        self._verdict.setVisible(is_without and why.trial is not None and why.trial.is_equal)
        self._apply.setText(tr("Mute it") if is_without else tr("Apply the fix"))
        self._apply.setVisible(fix is not None)
        self._apply.setAccessibleName("" if fix is None else fix.text)
        self._later.setVisible(fix is not None and not is_without)
        self._pass.setVisible(is_without and fix is None)
        self._compare.setVisible(is_without)

    def _choose_place(self) -> None:
        self._list.requests.place_chosen.emit(self._path)

    def _choose_fix(self) -> None:
        if self._fix is not None:
            self._list.requests.fix_chosen.emit(self._fix)


def _emphasized(why: Why) -> str:
    """Returns the sentence as rich text that begins with its subject in bold; names in it are no markup."""
    subject, rest = (escape(text, quote=False) for text in (why.subject, why.sentence.removeprefix(why.subject)))
    return f'<span style="font-weight: 600">{subject}</span>{rest}'


class _Way(QListWidget):
    """The blocks from here to the cause; a click or Enter goes to one."""

    place_chosen = Signal(str)

    def __init__(self, appearance: Appearance, place: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._steps: tuple[Step, ...] = ()
        hand = Qt.CursorShape.PointingHandCursor
        named(self, f"why_way_{place}", says=tr("Path to the cause"), least_width=1, cursor=hand)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        call_on(self._choose, self.clicked, self.activated)
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
