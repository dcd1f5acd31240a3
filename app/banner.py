"""The strip under the page tabs: StopGradient is ignored, or there is no Loss yet."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QSizePolicy, QWidget

from app.live.session import Session
from app.look.appearance import Appearance
from app.look.icons import icon_pixmap
from app.look.theme import Theme
from app.words import tr

HEIGHT = 32


class Banner(QWidget):
    """One sentence with one button; `clicked(str)` carries `stops` or `loss`, what the banner is about."""

    clicked = Signal(str)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("banner")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._appearance = appearance
        self._about = ""
        self._icon, self._text = QLabel(self), QLabel(self)
        self._text.setTextFormat(Qt.TextFormat.PlainText)
        self._text.setWordWrap(True)
        self._button = QPushButton(self)
        self._button.setObjectName("banner_button")
        self._button.clicked.connect(lambda: self.clicked.emit(self._about))
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
        about, text, button = "", "", ""
        if session is not None and session.ignores_stops:
            about, button = "stops", tr("Turn on")
            text = tr("StopGradient is ignored: labels show both results, with the block → without it.")
        elif session is not None and session.page.blocks and not session.losses:
            about, button = "loss", tr("Add Loss")
            text = tr("Add a Loss to see gradients. Until then wires show values only.")
        self._about = about
        self._text.setText(text)
        self._button.setText(button)
        self.setVisible(bool(about))
        self._restyle(self._appearance.theme)

    def _restyle(self, theme: Theme) -> None:
        tone = "warn" if self._about == "stops" else "text.secondary"
        back = "warn.bg" if self._about == "stops" else "bg.frame"
        self._icon.setPixmap(icon_pixmap("stopgrad" if self._about == "stops" else "target", theme.css(tone), 16, 2.0))
        self.setStyleSheet(
            f"#banner {{ background: {theme.css(back)}; border-bottom: 1px solid {theme.css('border.subtle')}; }}"
            f"#banner QLabel {{ color: {theme.css(tone)}; }} #banner QPushButton {{ padding: 1px 10px; }}"
        )
