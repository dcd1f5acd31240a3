"""The frame of a panel: a title strip to drag it, and a button to fold it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QDockWidget, QLabel, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.themed import themed
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon_pixmap
from gradwire.app.look.theme import Theme
from gradwire.app.look.widgets import STRETCH, make_label, make_row, make_tool, named

HEIGHT = 32


class Dock(QDockWidget):
    """A movable, foldable panel. Its title may have an icon; a `header` replaces the title.

    The user's folding or unfolding emits `folded(bool)`, moving its border by mouse `sized()`, and another least width
    of what stands in it `least_changed()`.
    """

    folded = Signal(bool)
    sized = Signal()
    least_changed = Signal()

    def __init__(
        self,
        name: str,
        title: str,
        panel: QWidget,
        appearance: Appearance,
        parent: QWidget,
        icon_name: str = "",
        header: QWidget | None = None,
    ) -> None:
        super().__init__(title, parent)
        self._least = 0
        self.setObjectName(f"dock_{name}")
        self._icon_name = icon_name
        self._strip = named(_Strip(self), look="strip", height=HEIGHT)
        self._strip.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._icon, self._title = QLabel(self._strip), make_label(title, self._strip, look="section")
        self._title.setVisible(header is None)
        self._icon.setVisible(bool(icon_name) and header is None)
        fold = make_tool(
            lambda: self.set_folded(True),
            self._strip,
            name=f"fold_{name}",
            says=tr("Fold {panel} away", panel=title),
            tip=tr("Fold {panel} away; the search brings it back", panel=title),
            size=(24, 24),
        )
        self.toggleViewAction().triggered.connect(lambda is_shown: self.folded.emit(not is_shown))
        parts = self._icon, self._title, STRETCH if header is None else (header, 1)
        layout = make_row(*parts, inside=self._strip, margins=(12 if header is None else 0, 0, 6, 0))
        layout.addWidget(themed(fold, appearance, "close", "text.tertiary"))
        self.setTitleBarWidget(self._strip)
        self.setWidget(panel)
        appearance.changed.connect(self._restyle)
        self._restyle(appearance.theme)

    def set_folded(self, is_folded: bool) -> None:
        """Folds or unfolds the panel as the user does."""
        self.setVisible(not is_folded)
        self.folded.emit(is_folded)

    def event(self, event: QEvent) -> bool:
        """Tells of another least width: widgets that are added grow with the texts a moment later."""
        is_done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and (least := self.minimumSizeHint().width()) != self._least:
            self._least = least
            self.least_changed.emit()
        return is_done

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tells a size that a hand has given: the window owns the borders, and has no signal for them."""
        super().resizeEvent(event)
        if QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton:
            self.sized.emit()

    def _restyle(self, theme: Theme) -> None:
        if self._icon_name:
            self._icon.setPixmap(icon_pixmap(self._icon_name, theme.css("text.secondary"), 14, 2.0))


class _Strip(QWidget):
    """The title strip of a panel."""

    def sizeHint(self) -> QSize:
        """Returns the fixed height: a dock reads the strip's size hint alone. Larger texts make it higher."""
        return QSize(super().sizeHint().width(), self.maximumHeight())
