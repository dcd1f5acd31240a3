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
        for number, (_, path) in enumerate(self._shown[:-1]):
            self._row.addWidget(self._part(number, path))
            self._row.addWidget(self._text("/", "quiet"))
        for page, path in self._shown[-1:]:
            here = self._text(_short(path), "")
            here.setToolTip(tr("{path} uses page {page}", path=path, page=page))
            self._row.addWidget(here)

    def _text(self, text: str, look: str) -> QLabel:
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setFont(font("ui", 12))
        label.setProperty("look", look)
        return label

    def _part(self, number: int, path: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"crumb_{number}")
        button.setFont(font("ui", 12))
        button.setText(_short(path))
        button.setFixedHeight(24)
        button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        button.setToolTip(tr("Go to {path}", path=path))
        button.setAccessibleName(button.toolTip())
        button.setProperty("number", number)
        button.clicked.connect(self._go)
        return button

    def _go(self) -> None:
        button = self.sender()
        if button is not None and self._session is not None:
            for _ in range(len(self._shown) - 1 - button.property("number")):
                self._session.leave()


def _short(path: str) -> str:
    """The last name of a path, as much of it as there is room for."""
    return QFontMetrics(font("ui", 12)).elidedText(path.rpartition("/")[2], Qt.TextElideMode.ElideRight, WIDEST)
