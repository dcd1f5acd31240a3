"""Below the list of problems: why the chosen one matters, and what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.panels.problem_rows import Row
from app.words import tr, tr_sentence
from lint.linter import RULE_OF


class WhyStrip(QWidget):
    """The rule behind a row in plain words, with buttons. `fix_wanted(Row)` and `hide_wanted(str)` come from them."""

    fix_wanted = Signal(object)
    hide_wanted = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._row: Row | None = None
        self.setObjectName("why_strip")
        self.setProperty("look", "panel")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._title, self._why = _label("why_title", "strong", self), _label("why_text", "", self)
        self._fix = QPushButton(self)
        self._fix.setObjectName("why_fix")
        self._fix.clicked.connect(self._want_fix)
        self._hide = QPushButton(tr("Do not show this rule"), self)
        self._hide.setObjectName("why_hide")
        self._hide.clicked.connect(self._want_hide)
        buttons = QHBoxLayout()
        for button in (self._fix, self._hide):
            buttons.addWidget(button)
        buttons.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 8, 14, 10)
        layout.setSpacing(6)
        for part in (self._title, self._why):
            layout.addWidget(part)
        layout.addLayout(buttons)
        self.hide()

    def explain(self, row: Row | None) -> None:
        """Says why a row matters; hides where there is nothing to say or do."""
        self._row = row
        rule = RULE_OF.get(row.rule) if row is not None else None
        fix = row.fix if row is not None else None
        self._title.setText("" if rule is None else tr_sentence(rule.title))
        self._why.setText("" if rule is None else tr_sentence(rule.why))
        self._fix.setText("" if fix is None else tr_sentence(fix.text))
        for part, is_shown in ((self._title, rule), (self._why, rule), (self._hide, rule), (self._fix, fix)):
            part.setVisible(is_shown is not None)
        self.setVisible(rule is not None or fix is not None)

    def _want_fix(self) -> None:
        self.fix_wanted.emit(self._row)

    def _want_hide(self) -> None:
        if self._row is not None:
            self.hide_wanted.emit(self._row.rule)


def _label(name: str, look: str, parent: QWidget) -> QLabel:
    label = QLabel(parent)
    label.setObjectName(name)
    label.setProperty("look", look)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    return label
