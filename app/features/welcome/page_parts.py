"""The parts of the empty page: its field, the rows of recent files, and the cards of lessons."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date, datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QLineEdit

from gradwire.app.base.settings import RecentFile
from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.themed import themed
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import LEFT, RIGHT, draw_elided, draw_ring, inked, smooth
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.rows import draw_key_chip
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import EnterButton, make_tool, named
from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, plain

# Heights at the default text size, with which they grow. Units: px.
FIELD, ROW, CARD, PICTURE = 52, 32, 172, 108
# Qt sets the locale of the C library, so strftime would return the months in any language.
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MakePicture = Callable[[Path, QSize, Appearance, float], QPixmap]


def time_text(opened: datetime, today: date) -> str:
    """Returns the time of a file's opening: `today, 14:02`, `yesterday`, `18 Nov`, or `18 Nov 2024`."""
    day = opened.date()
    if day == today:
        return tr("today, {time}", time=f"{opened:%H:%M}")
    if day == today - timedelta(days=1):
        return tr("yesterday")
    text = tr("{day} {month}", day=day.day, month=tr(_MONTHS[day.month - 1]))
    return text if day.year == today.year else f"{text} {day.year}"


class StartField(QLineEdit):
    """A field whose text the search takes over: `begun(str)` carries the first letters, "" for a click or Enter.

    The first Tab opens the search too, as it does on the canvas; unless it `is_fresh`, Tab leads on.
    """

    begun = Signal(str)

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance, self.is_fresh = appearance, True
        hint = tr("Describe it, or drop a model or data here")
        named(self, "start_field", says=hint, height=FIELD).setPlaceholderText(hint)
        # A file goes to the window, and its name not into the field.
        self.setAcceptDrops(False)
        self.textChanged.connect(self._take)
        self.returnPressed.connect(self._begin)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Returns the fixed height: shown, the field has the least one of the style sheet, which is lower."""
        return QSize(super().sizeHint().width(), self.maximumHeight())

    def focusNextPrevChild(self, next: bool) -> bool:
        """Opens the search with the first Tab."""
        if next and self.is_fresh:
            self._begin()
            return True
        return super().focusNextPrevChild(next)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Opens the search."""
        super().mouseReleaseEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            self._begin()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the key at the right end of the field."""
        super().paintEvent(event)
        with smooth(self) as painter:
            scale = self.height() / FIELD
            painter.scale(scale, scale)
            draw_key_chip(painter, self._appearance.theme, tr("Enter"), self.width() / scale - 16, FIELD / 2)

    def _take(self, text: str) -> None:
        if text:
            self.clear()
            self._begin(text)

    def _begin(self, text: str = "") -> None:
        self.is_fresh = False
        self.begun.emit(text)


class _Painted(EnterButton):
    """A button of the `usual` height that paints itself as at texts of 100 %; Enter clicks it as Space does."""

    def __init__(self, appearance: Appearance, text: str, usual: int) -> None:
        super().__init__()
        self._appearance, self._usual = appearance, usual
        named(self, height=usual, focus=Qt.FocusPolicy.StrongFocus, attribute=Qt.WidgetAttribute.WA_Hover)
        self.setText(text)
        # A name may contain an ampersand, which must not become a shortcut.
        self.setShortcut(QKeySequence())
        self.setAccessibleName(text)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Returns a small width: what is around the button stretches it."""
        return QSize(100, self._usual)

    @property
    def _scale(self) -> float:
        return self.height() / self._usual

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints what the button says, and the ring of the focus."""
        theme, scale = self._appearance.theme, self._scale
        with smooth(self) as painter:
            painter.scale(scale, scale)
            box = QRect(0, 0, round(self.width() / scale), self._usual)
            self._paint(painter, theme, box)
            if self.hasFocus():
                draw_ring(painter, theme, QRectF(box), 8)

    def _paint(self, painter: QPainter, theme: Theme, box: QRect) -> None:
        raise NotImplementedError


class RecentRow(_Painted):
    """A recent file. A missing file is grey; users can only remove it from the list, by its `cross` or Delete."""

    def __init__(self, file: RecentFile, appearance: Appearance) -> None:
        super().__init__(appearance, plain(file.path.stem), ROW)
        self.is_there = os.path.isfile(file.path)
        self._time = time_text(file.opened, date.today()) if self.is_there else ""
        self._below = _folder(file.path) if self.is_there else tr("This file is gone")
        self.setAccessibleDescription(f"{self._below}. {self._time}".rstrip(" "))
        says, tip = tr("Remove {name} from this list", name=file.path.name), tr("Remove from this list")
        self.cross = make_tool(parent=self, name="remove_recent", says=says, tip=tip)
        themed(self.cross, appearance, "close", px=12).setVisible(not self.is_there)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Opens the file on Enter, removes it from the list on Delete."""
        if event.key() == Qt.Key.Key_Delete:
            self.cross.click()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Keeps the cross at the right."""
        side = round(24 * self._scale)
        self.cross.setGeometry(self.width() - side - 6, (self.height() - side) // 2, side, side)

    def _paint(self, painter: QPainter, theme: Theme, box: QRect) -> None:
        """Paints name and folder, and at the right the time of the last opening."""
        if self.underMouse() and self.is_there:
            edge = box.toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
            inked(painter, QPen(theme.color("border.subtle"), 1), theme.color("bg.raised")).drawRoundedRect(edge, 8, 8)
        draw_icon(painter, "file", theme.color("text.secondary"), QRectF(11, 8, 16, 16))
        room = box.adjusted(36, 0, -12, 0)
        inked(painter, theme.color("text.tertiary"), font=font("ui", 12)).drawText(room, RIGHT, self._time)
        room.setWidth(room.width() - (painter.fontMetrics().horizontalAdvance(self._time) + 12 if self._time else 26))
        token = "text.primary" if self.is_there else "text.disabled"
        inked(painter, theme.color(token), font=font("ui", 13, 600))
        draw_elided(painter, room, self.text(), LEFT, Qt.TextElideMode.ElideMiddle)
        room.setLeft(room.left() + painter.fontMetrics().horizontalAdvance(self.text()) + 12)
        inked(painter, theme.color("text.tertiary"), font=font("ui", 12))
        draw_elided(painter, room, self._below, LEFT, Qt.TextElideMode.ElideMiddle)


class LessonCard(_Painted):
    """A lesson: the picture of its graph above a title and a line. A picture is made when the card is in sight."""

    def __init__(self, path: Path, texts: tuple[str, str], appearance: Appearance, make_picture: MakePicture) -> None:
        super().__init__(appearance, texts[0], CARD)
        self._path, self._line, self._make_picture = path, texts[1], make_picture
        named(self, tip=texts[1], cursor=Qt.CursorShape.PointingHandCursor).setAccessibleDescription(texts[1])
        self._picture: QPixmap | None = None
        # One picture between two repaints: the page shows at once, and the pictures follow.
        self._later = make_timer(self, self._make)
        appearance.changed.connect(self._forget_picture)

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Drops the picture, which is drawn again at the new size."""
        self._forget_picture()

    def _forget_picture(self) -> None:
        self._picture = None
        self.update()

    def _paint(self, painter: QPainter, theme: Theme, box: QRect) -> None:
        outline, is_lit = QPainterPath(), self.underMouse()
        outline.addRoundedRect(box.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), 8, 8)
        painter.fillPath(outline, theme.color("bg.hover" if is_lit else "bg.raised"))
        painter.setClipPath(outline)
        above = QRect(0, 0, box.width(), PICTURE)
        painter.fillRect(above, theme.color("bg.canvas"))
        if self._picture is None:
            self._later.start()
        else:
            painter.drawPixmap(above, self._picture)
        painter.setClipping(False)
        inked(painter, QPen(theme.color("border.strong" if is_lit else "border.default"), 1)).drawPath(outline)
        room = QRect(14, PICTURE + 10, box.width() - 28, 22)
        inked(painter, theme.color("text.primary"), font=font("ui", 13, 600))
        draw_elided(painter, room, self.text())
        inked(painter, theme.color("text.secondary"), font=font("ui", 12))
        draw_elided(painter, room.translated(0, 21), self._line)

    def _make(self) -> None:
        size, ratio = QSize(round(self.width() / self._scale), PICTURE), self.devicePixelRatioF() * self._scale
        self._picture = self._make_picture(self._path, size, self._appearance, ratio)
        self.update()


def _folder(path: Path) -> str:
    """Returns the folder of a file, from the user's own where it is in that."""
    folder, home = path.parent, Path.home()
    return plain(str(Path("~", folder.relative_to(home)) if folder.is_relative_to(home) else folder), LONGEST_PARAGRAPH)
