"""The welcome page: a new graph, a file, or one of the examples."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QPushButton, QScrollArea, QToolButton, QVBoxLayout, QWidget

from app.look.appearance import Appearance
from app.look.icons import draw_icon, icon
from app.look.theme import font
from app.panels.switch import Switch
from app.panels.welcome_cards import ExamplesArea, Logo, MakePicture, draw_ring, made_label, scrolling
from app.settings import RecentFile, Settings

SHOW_KEY = "show_welcome"
_LEFT = 400
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
# Qt sets the locale of the C library, so strftime would give the months in any language.
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def time_text(opened: datetime, today: date) -> str:
    """When a file was opened: `today, 14:02`, `yesterday`, `18 Nov`, in other years `18 Nov 2024`."""
    day = opened.date()
    if day == today:
        return f"today, {opened:%H:%M}"
    if day == today - timedelta(days=1):
        return "yesterday"
    text = f"{day.day} {_MONTHS[day.month - 1]}"
    return text if day.year == today.year else f"{text} {day.year}"


class WelcomePage(QWidget):
    """What is shown while no document is open.

    `path_requested(Path)` asks for a recent file, `example_requested(str)` for an example by name. `make_picture`
    is called for each example with file, width, height and theme once its card is seen.
    """

    new_requested = Signal()
    open_requested = Signal()
    path_requested = Signal(object)
    example_requested = Signal(str)

    def __init__(
        self, settings: Settings, appearance: Appearance, make_picture: MakePicture, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("welcome")
        self._settings, self._appearance = settings, appearance
        self._recent = QVBoxLayout()
        self._recent.setSpacing(0)
        self._recent_title = made_label("Recent", "section", "recent_title")
        examples = ExamplesArea(appearance, make_picture)
        examples.chosen.connect(self.example_requested)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._left_column())
        layout.addWidget(examples, 1)
        self.refresh()

    def refresh(self) -> None:
        """Reads the recent files again."""
        while (item := self._recent.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        files = self._settings.recent()
        self._recent_title.setVisible(bool(files))
        for number, file in enumerate(files):
            row = _RecentRow(file, self._appearance)
            row.setObjectName(f"recent_{number}")
            row.chosen.connect(self.path_requested)
            row.removed.connect(self._forget)
            self._recent.addWidget(row)

    def showEvent(self, event: QShowEvent) -> None:
        """Files may have come or gone since."""
        super().showEvent(event)
        self.refresh()

    def _left_column(self) -> QScrollArea:
        content = QWidget()
        content.setObjectName("welcome_left")
        content.setProperty("look", "panel")
        layout = QVBoxLayout(content)
        layout.setContentsMargins(34, 50, 27, 32)
        layout.setSpacing(0)
        new = _BigButton(self._appearance, "New graph", "plus", "Ctrl N", is_primary=True)
        new.setObjectName("new_graph")
        new.clicked.connect(self.new_requested)
        from_file = _BigButton(self._appearance, "Open a graph", "folder", "Ctrl O")
        from_file.setObjectName("open_graph")
        from_file.clicked.connect(self.open_requested)
        for widget, gap in ((self._head(), 34), (new, 8), (from_file, 34), (self._recent_title, 8)):
            layout.addLayout(_indented(widget))
            layout.addSpacing(gap)
        layout.addLayout(self._recent)
        layout.addSpacing(34)
        layout.addLayout(_indented(self._switch(), 7))
        layout.addStretch(1)
        area = scrolling(content)
        area.setFixedWidth(_LEFT)
        area.setObjectName("welcome_left_area")
        return area

    def _head(self) -> QWidget:
        head = QWidget()
        texts = QVBoxLayout()
        texts.setSpacing(0)
        texts.addWidget(made_label("Gradwire", "display"))
        texts.addWidget(made_label("See the value and the gradient on every wire"))
        layout = QHBoxLayout(head)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(14)
        layout.addWidget(Logo(self._appearance), 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addLayout(texts, 1)
        return head

    def _switch(self) -> Switch:
        switch = Switch(self._appearance, "Show this page at start")
        switch.setObjectName("show_at_start")
        switch.setChecked(self._settings.flag(SHOW_KEY, True))
        switch.toggled.connect(self._remember)
        return switch

    def _remember(self, is_on: bool) -> None:
        self._settings.set_flag(SHOW_KEY, is_on)

    def _forget(self, path: Path) -> None:
        self._settings.forget_recent(path)
        self.refresh()


def _indented(widget: QWidget, left: int = 10) -> QHBoxLayout:
    """A widget as wide as the column but for what rows stand out by, so that their texts are in line."""
    layout = QHBoxLayout()
    layout.setContentsMargins(left, 0, 10, 0)
    layout.addWidget(widget)
    return layout


class _BigButton(QPushButton):
    """A button as wide as its column: icon, text, and at the right the keys that do the same."""

    def __init__(
        self, appearance: Appearance, text: str, icon_name: str, key: str, *, is_primary: bool = False
    ) -> None:
        super().__init__(text)
        self._appearance, self._icon, self._key = appearance, icon_name, key
        self.setProperty("shape", "big")
        self.setFixedHeight(38)
        self.setProperty("look", "primary" if is_primary else "")
        appearance.changed.connect(self.update)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter does what Space does."""
        if event.key() in _ENTER:
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The icon and the keys, over the button that the style has drawn."""
        super().paintEvent(event)
        theme, is_primary = self._appearance.theme, self.property("look") == "primary"
        painter = QPainter(self)
        color = theme.color("text.on-accent" if is_primary else "text.primary")
        draw_icon(painter, self._icon, color, QRectF(15, self.height() / 2 - 8, 16, 16))
        painter.setFont(font("mono", 11))
        painter.setPen(color if is_primary else theme.color("text.tertiary"))
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(self.rect().adjusted(0, 0, -15, 0), right, self._key)


class _RecentRow(QAbstractButton):
    """A recent file; one that is gone is greyed and can only be taken off the list (a cross, or Delete)."""

    chosen = Signal(object)
    removed = Signal(object)

    def __init__(self, file: RecentFile, appearance: Appearance) -> None:
        super().__init__()
        self._file, self._appearance = file, appearance
        self._is_there = file.path.is_file()
        self._time = time_text(file.opened, date.today()) if self._is_there else ""
        self.setFixedHeight(44)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setText(file.path.name)
        self.setAccessibleDescription(self._folder() if self._is_there else "This file is gone.")
        self.clicked.connect(self._choose)
        appearance.changed.connect(self._repaint)
        self._cross = QToolButton(self)
        self._cross.setObjectName("remove_recent")
        self._cross.setAccessibleName(f"Remove {file.path.name} from this list")
        self._cross.setToolTip("Remove from this list")
        self._cross.setVisible(not self._is_there)
        self._cross.clicked.connect(self._remove)
        self._repaint()

    def sizeHint(self) -> QSize:
        """As wide as the column lets it be."""
        return QSize(200, 44)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens, Delete takes the file off the list."""
        if event.key() in _ENTER:
            self.click()
        elif event.key() == Qt.Key.Key_Delete:
            self._remove()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Keeps the cross at the right."""
        self._cross.setGeometry(self.width() - 34, 10, 24, 24)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Name and folder, and at the right when it was opened."""
        theme, painter = self._appearance.theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.underMouse() and self._is_there:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("bg.hover"))
            painter.drawRoundedRect(self.rect(), 8, 8)
        if self.hasFocus():
            draw_ring(painter, theme, QRectF(self.rect()), 8)
        self._paint_texts(painter)

    def _paint_texts(self, painter: QPainter) -> None:
        theme = self._appearance.theme
        token = "text.primary" if self._is_there else "text.disabled"
        draw_icon(painter, "file", theme.color("text.tertiary"), QRectF(11, 14, 16, 16))
        painter.setFont(font("ui", 11))
        room = self.rect().adjusted(38, 6, -10, -6)
        width = room.width() - (painter.fontMetrics().horizontalAdvance(self._time) + 12 if self._is_there else 30)
        middle = Qt.TextElideMode.ElideMiddle
        below = self._folder() if self._is_there else "This file is gone"
        painter.setPen(theme.color("text.tertiary"))
        painter.drawText(room, Qt.AlignmentFlag.AlignBottom, painter.fontMetrics().elidedText(below, middle, width))
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._time)
        painter.setFont(font("ui", 12, 500))
        painter.setPen(theme.color(token))
        name = painter.fontMetrics().elidedText(self.text(), middle, width)
        painter.drawText(room, Qt.AlignmentFlag.AlignTop, name)

    def _folder(self) -> str:
        folder = self._file.path.parent
        home = Path.home()
        return str(Path("~", folder.relative_to(home))) if folder.is_relative_to(home) else str(folder)

    def _choose(self) -> None:
        if self._is_there:
            self.chosen.emit(self._file.path)

    def _remove(self) -> None:
        self.removed.emit(self._file.path)

    def _repaint(self) -> None:
        self._cross.setIcon(icon(self._appearance.theme, "close", px=12))
        self.update()
