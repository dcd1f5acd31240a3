"""The strip in place of the closed panels at the bottom: their tabs with counts, and the gravest problem."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.form_parts import SEVERITIES, ElidedLabel
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon, icon_pixmap
from gradwire.app.look.theme import Theme
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import add_items, make_row, make_tool, named
from gradwire.app.shell.features import FEATURES, PROBLEMS, SLICE

HEIGHT = 30
# The tabs that are always there, in their order; open lenses follow.
ALWAYS = (PROBLEMS.id, "steps", SLICE.id, "console")
# The sentence keeps this width before tabs drop their texts. Units: px at texts of 100 %.
SENTENCE = 260
_BY_ID = {feature.id: feature for feature in FEATURES}


class BottomStrip(QWidget):
    """One line below the canvas. `chosen(str)` carries `problems`, `slice` or the id of a lens that is to be opened."""

    chosen = Signal(str)

    def __init__(self, look: Appearance) -> None:
        super().__init__()
        self._look = look
        self._said: tuple[str, str] = ("", "")
        self._fitted = -1
        self._buttons: dict[str, QToolButton] = {}
        named(self, "bottom_strip", says=tr("Problems and lenses"), height=HEIGHT)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        words = tr("Open the panel at the bottom")
        unfold = make_tool(lambda: self.chosen.emit(PROBLEMS.id), self, name="unfold_bottom", words=words)
        self._unfold = named(unfold, size=(22, 22))
        self._count = named(QLabel(self), "strip_count", look="chip")
        self._count.hide()
        self._mark, self._sentence = QLabel(self), ElidedLabel("strip_sentence", self)
        self._tabs = make_row(spacing=2)
        row = make_row(inside=self, margins=(8, 0, 12, 0), spacing=6)
        add_items(row, self._unfold, self._tabs, 8, self._mark, (self._sentence, 1))
        self.show_lenses(())
        look.changed.connect(self._restyle)
        self._restyle(look.theme)

    def show_lenses(self, names: Sequence[str]) -> None:
        """Shows a tab for each open lens too."""
        wanted = [*ALWAYS, *(name for name in names if name not in ALWAYS)]
        for name in [name for name in self._buttons if name not in wanted]:
            self._buttons.pop(name).deleteLater()
        for name in wanted:
            if name not in self._buttons:
                self._buttons[name] = self._made_tab(name)
                self._tabs.addWidget(self._buttons[name])
                if name == PROBLEMS.id:
                    self._tabs.addWidget(self._count)
        self._fitted = -1
        self._restyle(self._look.theme)
        self._fit()

    def show_problems(self, count: int, severity: str, sentence: str) -> None:
        """Shows the number of problems and a sentence: the gravest problem, or that there is none (`ok`)."""
        self._count.setText(str(count))
        self._count.setVisible(count > 0)
        self._buttons[PROBLEMS.id].setAccessibleName(f"{PROBLEMS.name}, {count}" if count else PROBLEMS.name)
        self._said = (severity, sentence)
        self._sentence.setText(sentence)
        self._sentence.setToolTip(literal_tip(sentence))
        self._restyle(self._look.theme)

    def event(self, event: QEvent) -> bool:
        """Fits the tabs to a new width; where space is short they keep only icons."""
        is_done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._fit()
        return is_done

    def _made_tab(self, name: str) -> QToolButton:
        title = _BY_ID[name].name
        button = make_tool(lambda: self.chosen.emit(name), self, text=title, name=f"strip_{name}")
        named(button, says=title, tip=tr("Open {panel}", panel=title), height=24, focus=Qt.FocusPolicy.TabFocus)
        button.setIconSize(QSize(14, 14))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        return button

    def _fit(self) -> None:
        """Drops the texts of tabs from the last one on until the sentence has its room."""
        if self._fitted == self.width():
            return
        self._fitted = self.width()
        only, beside = Qt.ToolButtonStyle.ToolButtonIconOnly, Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        tabs = list(self._buttons.values())
        for button in tabs:
            button.setToolButtonStyle(beside)
        room = self.width() - SENTENCE * self.height() / HEIGHT - 90
        while tabs and sum(button.sizeHint().width() + 2 for button in self._buttons.values()) > room:
            tabs.pop().setToolButtonStyle(only)

    def _restyle(self, theme: Theme) -> None:
        for name, button in self._buttons.items():
            button.setIcon(icon(theme, _BY_ID[name].icon, "text.secondary"))
        self._unfold.setIcon(icon(theme, "chev-right", "text.secondary", px=12))
        severity, sentence = self._said
        shape, token = SEVERITIES.get(severity, ("check-circle", "ok"))
        self._mark.setVisible(bool(sentence))
        self._mark.setPixmap(icon_pixmap(shape, theme.css(token), 14, 2.0))
