"""The rows of the welcome page's left column: big buttons, recent files, and lessons."""

from __future__ import annotations

import os
from datetime import date, datetime, timedelta
from pathlib import Path

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton

from gradwire.app.base.settings import RecentFile
from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.themed import themed
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import draw_ring, filled, inked, smooth
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.rows import draw_key_chip
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import make_tool
from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, plain

# Heights at the default text size; rows grow with it. Units: px.
_BIG, _RECENT, _LEARN = 38, 44, 28
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
# Qt sets the locale of the C library, so strftime would return the months in any language.
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def _enlarged(painter: QPainter, rect: QRect, usual: int) -> QRect:
    """Scales a painter by a row's height relative to the usual one; returns the row in scaled coordinates."""
    scale = rect.height() / usual
    painter.scale(scale, scale)
    return QRect(0, 0, round(rect.width() / scale), usual)


def time_text(opened: datetime, today: date) -> str:
    """Returns the time of a file's opening: `today, 14:02`, `yesterday`, `18 Nov`, or `18 Nov 2024`."""
    day = opened.date()
    if day == today:
        return tr("today, {time}", time=f"{opened:%H:%M}")
    if day == today - timedelta(days=1):
        return tr("yesterday")
    text = tr("{day} {month}", day=day.day, month=tr(_MONTHS[day.month - 1]))
    return text if day.year == today.year else f"{text} {day.year}"


class BigButton(QPushButton):
    """A button across its column: icon, text, and its shortcut keys at the right."""

    def __init__(self, appearance: Appearance, text: str, icon_name: str, *, is_primary: bool = False) -> None:
        super().__init__(text)
        self._appearance, self._icon, self._key = appearance, icon_name, ""
        self.setProperty("shape", "big")
        self.setFixedHeight(_BIG)
        self.setProperty("look", "primary" if is_primary else "")
        appearance.changed.connect(self.update)

    def set_key(self, key: str) -> None:
        """Sets the displayed shortcut keys."""
        self._key = key
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clicks on Enter as on Space."""
        if event.key() in _ENTER:
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the icon and the keys over the style's button."""
        super().paintEvent(event)
        theme, is_primary = self._appearance.theme, self.property("look") == "primary"
        with QPainter(self) as painter:
            color = theme.color("text.on-accent" if is_primary else "text.primary")
            draw_icon(painter, self._icon, color, QRectF(15, self.height() / 2 - 8, 16, 16))
            painter.setFont(font("mono", 11 * self.height() / _BIG))
            painter.setPen(color if is_primary else theme.color("text.tertiary"))
            right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            painter.drawText(self.rect().adjusted(0, 0, -15, 0), right, self._key)


class RecentRow(QAbstractButton):
    """A recent file. A missing file is grey; users can only remove it from the list, by a cross or Delete."""

    chosen = Signal(object)
    removed = Signal(object)

    def __init__(self, file: RecentFile, appearance: Appearance) -> None:
        super().__init__()
        self._file, self._appearance = file, appearance
        self._is_there = os.path.isfile(file.path)
        self._time = time_text(file.opened, date.today()) if self._is_there else ""
        self.setFixedHeight(_RECENT)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setText(plain(file.path.name))
        # The file name may contain an ampersand, which must not become a shortcut.
        self.setShortcut(QKeySequence())
        self.setAccessibleName(self.text())
        self.setAccessibleDescription(self._folder() if self._is_there else tr("This file is gone."))
        self.clicked.connect(self._choose)
        appearance.changed.connect(self.update)
        self._cross = make_tool(
            self._remove,
            self,
            name="remove_recent",
            says=tr("Remove {name} from this list", name=file.path.name),
            tip=tr("Remove from this list"),
        )
        themed(self._cross, appearance, "close", px=12).setVisible(not self._is_there)

    def sizeHint(self) -> QSize:
        """Returns a small width: the column stretches the row."""
        return QSize(200, _RECENT)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Opens the file on Enter, removes it from the list on Delete."""
        if event.key() in _ENTER:
            self.click()
        elif event.key() == Qt.Key.Key_Delete:
            self._remove()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Keeps the cross at the right."""
        self._cross.setGeometry(self.width() - 34, (self.height() - 24) // 2, 24, 24)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints name and folder, and at the right the time of the last opening."""
        theme = self._appearance.theme
        with smooth(self) as painter:
            if self.underMouse() and self._is_there:
                filled(painter, theme.color("bg.hover")).drawRoundedRect(self.rect(), 8, 8)
            if self.hasFocus():
                draw_ring(painter, theme, QRectF(self.rect()), 8)
            self._paint_texts(painter, _enlarged(painter, self.rect(), _RECENT))

    def _paint_texts(self, painter: QPainter, row: QRect) -> None:
        theme = self._appearance.theme
        token = "text.primary" if self._is_there else "text.disabled"
        draw_icon(painter, "file", theme.color("text.tertiary"), QRectF(11, 14, 16, 16))
        painter.setFont(font("ui", 11))
        room = row.adjusted(38, 6, -10, -6)
        width = room.width() - (painter.fontMetrics().horizontalAdvance(self._time) + 12 if self._is_there else 30)
        middle = Qt.TextElideMode.ElideMiddle
        below = self._folder() if self._is_there else tr("This file is gone")
        painter.setPen(theme.color("text.tertiary"))
        painter.drawText(room, Qt.AlignmentFlag.AlignBottom, painter.fontMetrics().elidedText(below, middle, width))
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, self._time)
        inked(painter, theme.color(token), font=font("ui", 12, 500))
        name = painter.fontMetrics().elidedText(self.text(), middle, width)
        painter.drawText(room, Qt.AlignmentFlag.AlignTop, name)

    def _folder(self) -> str:
        folder = self._file.path.parent
        home = Path.home()
        shown = Path("~", folder.relative_to(home)) if folder.is_relative_to(home) else folder
        return plain(str(shown), LONGEST_PARAGRAPH)

    def _choose(self) -> None:
        if self._is_there:
            self.chosen.emit(self._file.path)

    def _remove(self) -> None:
        self.removed.emit(self._file.path)


class LearnRow(QAbstractButton):
    """A row that starts a lesson; `chosen(str)` carries the id of its command."""

    chosen = Signal(str)

    def __init__(self, command: str, text: str, icon_name: str, appearance: Appearance) -> None:
        super().__init__()
        self.command, self._icon, self._key, self._appearance = command, icon_name, "", appearance
        self.setObjectName(f"learn_{command}")
        self.setText(text)
        self.setFixedHeight(_LEARN)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self._choose)
        appearance.changed.connect(self.update)

    def set_key(self, key: str) -> None:
        """Sets the displayed shortcut key."""
        self._key = key
        self.update()

    def sizeHint(self) -> QSize:
        """Returns a small width: the column stretches the row."""
        return QSize(200, _LEARN)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clicks on Enter as on Space."""
        if event.key() in _ENTER:
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints icon and text, and the key at the right."""
        theme = self._appearance.theme
        with smooth(self) as painter:
            if self.underMouse():
                filled(painter, theme.color("bg.hover")).drawRoundedRect(self.rect(), 6, 6)
            if self.hasFocus():
                draw_ring(painter, theme, QRectF(self.rect()), 6)
            row = _enlarged(painter, self.rect(), _LEARN)
            color = theme.color("accent" if self._icon == "play" else "text.secondary")
            draw_icon(painter, self._icon, color, QRectF(11, 7, 14, 14))
            inked(painter, theme.color("text.primary" if self.underMouse() else "text.secondary"), font=font("ui", 12))
            room = row.adjusted(36, 0, -40, 0)
            text = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, text)
            if self._key:
                draw_key_chip(painter, theme, self._key, row.width() - 10, row.height() / 2)

    def _choose(self) -> None:
        self.chosen.emit(self.command)
