"""The strip under the page tabs: StopGradient is ignored, a run takes long, or there is no Loss yet."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.live.session import Session
from app.look.appearance import Appearance
from app.look.icons import icon_pixmap
from app.look.theme import Theme
from app.words import tr

HEIGHT = 32
# How long a run may take before Manual is offered.
LONG_MS = 2000


class Saying(NamedTuple):
    """What a banner is about, its sentence and its button, and how it looks."""

    about: str = ""
    text: str = ""
    button: str = ""
    icon: str = "target"
    tone: str = "text.secondary"
    back: str = "bg.frame"


class Banner(QWidget):
    """One sentence with one button; `clicked(str)` carries `stops`, `long` or `loss`, what the banner is about."""

    clicked = Signal(str)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._appearance = appearance
        self._saying = Saying()
        self._session: Session | None = None
        self._is_long = False
        self.long = QTimer(self)
        self.long.setSingleShot(True)
        self.long.setInterval(LONG_MS)
        self.long.timeout.connect(self._take_long)
        self._icon, self._text = QLabel(self), QLabel(self)
        self._text.setObjectName("banner_text")
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._button = QPushButton(self)
        self._button.setObjectName("banner_button")
        self._button.clicked.connect(lambda: self.clicked.emit(self._saying.about))
        layout = QHBoxLayout(self)
        layout.setContentsMargins(16, 0, 8, 0)
        layout.setSpacing(8)
        layout.addWidget(self._icon)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._button)
        appearance.changed.connect(self._restyle)
        self.hide()

    def show_state(self, session: Session | None) -> None:
        """Shows what there is to say about a session; None says nothing."""
        if session is not self._session:
            self._follow(session)
        self._saying = Saying() if session is None else self._said_of(session)
        self._text.setText(self._saying.text)
        self._button.setText(self._saying.button)
        self.setVisible(bool(self._saying.about))
        self._restyle(self._appearance.theme)

    def _said_of(self, session: Session) -> Saying:
        if session.ignores_stops:
            text = tr("StopGradient is ignored: labels show both results, with the block → without it.")
            return Saying("stops", text, tr("Turn on"), "stopgrad", "warn", "warn.bg")
        if self._is_long and session.is_live:
            text = tr("A run takes more than 2 s. In Manual, F5 evaluates and edits do not wait for it.")
            return Saying("long", text, tr("Manual"), "clock")
        if session.page.blocks and not session.losses:
            text = tr("Add a Loss to see gradients. Until then wires show values only.")
            return Saying("loss", text, tr("Add Loss"))
        return Saying()

    def _follow(self, session: Session | None) -> None:
        if self._session is not None:
            self._session.busy_changed.disconnect(self._take_busy)
            self._session.results_changed.disconnect(self._take_results)
        self._session, self._is_long = session, False
        self.long.stop()
        if session is not None:
            session.busy_changed.connect(self._take_busy)
            session.results_changed.connect(self._take_results)
            self._take_busy(session.scheduler.is_busy)

    def _take_busy(self, is_busy: bool) -> None:
        if is_busy:
            self.long.start()
        else:
            self._end_long()

    def _take_results(self, _: object) -> None:
        """One run is over; while edits follow each other the next has begun."""
        self._end_long()
        if self._session is not None and self._session.scheduler.is_busy:
            self.long.start()

    def _take_long(self) -> None:
        self._is_long = True
        self.show_state(self._session)

    def _end_long(self) -> None:
        self.long.stop()
        if self._is_long:
            self._is_long = False
            self.show_state(self._session)

    def _restyle(self, theme: Theme) -> None:
        saying = self._saying
        self._icon.setPixmap(icon_pixmap(saying.icon, theme.css(saying.tone), 16, 2.0))
        line = theme.css("border.subtle")
        self.setStyleSheet(
            f"#banner {{ background: {theme.css(saying.back)}; border-bottom: 1px solid {line}; }}"
            f"#banner QLabel {{ color: {theme.css(saying.tone)}; }} #banner QPushButton {{ padding: 1px 10px; }}"
        )
