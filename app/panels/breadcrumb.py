"""The way that led into a used page: `main / attention_1`, each part a button."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QWidget

from app.live.session import Session
from app.look.theme import font
from app.words import tr

WIDEST = 160


class Breadcrumb(QWidget):
    """Shows where the page stands that a session shows; a click on a part goes there. Hidden on a page of its own."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._session: Session | None = None
        self._shown: list[tuple[str, str]] = []
        self.setObjectName("breadcrumb")
        self.setAccessibleName(tr("Way into this page"))
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(12, 0, 12, 0)
        self._row.setSpacing(2)
        self.hide()

    def show_trail(self, session: Session) -> None:
        """Shows the way into the page that a session shows."""
        self._session = session
        trail = session.trail if len(session.trail) > 1 else []
        if trail != self._shown:
            self._shown = trail
            self._rebuild()
        self.setVisible(bool(trail))

    def _rebuild(self) -> None:
        while (item := self._row.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                # Not at once: it may be the button whose click is being answered.
                widget.hide()
                widget.deleteLater()
        for number, (page, path) in enumerate(self._shown):
            if number:
                self._row.addWidget(self._separator())
            self._row.addWidget(self._part(number, page, path))

    def _separator(self) -> QLabel:
        label = QLabel("/", self)
        label.setProperty("look", "quiet")
        return label

    def _part(self, number: int, page: str, path: str) -> QToolButton:
        name = path.rpartition("/")[2]
        button = QToolButton(self)
        button.setObjectName(f"crumb_{number}")
        button.setFont(font("ui", 12))
        button.setText(QFontMetrics(button.font()).elidedText(name, Qt.TextElideMode.ElideRight, WIDEST))
        button.setFixedHeight(24)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        is_here = number == len(self._shown) - 1
        button.setToolTip(
            tr("{path} uses page {page}", path=path, page=page) if is_here else tr("Go to {path}", path=path)
        )
        button.setAccessibleName(button.toolTip())
        button.setEnabled(not is_here)
        button.setProperty("number", number)
        button.clicked.connect(self._go)
        return button

    def _go(self) -> None:
        button = self.sender()
        if button is not None and self._session is not None:
            for _ in range(len(self._shown) - 1 - button.property("number")):
                self._session.leave()
