"""The rows of the welcome page's left column: big buttons, recent files, and lessons."""

from __future__ import annotations

import os
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QPushButton

from gradwire.app.base.settings import RecentFile
from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.themed import themed
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import RIGHT, draw_elided, draw_ring, filled, inked, smooth
from gradwire.app.look.icons import draw_icon
from gradwire.app.look.rows import draw_key_chip
from gradwire.app.look.theme import Theme, font
from gradwire.app.look.widgets import ENTER_KEYS, make_tool, named
from gradwire.engine.base.untrusted_text import LONGEST_PARAGRAPH, plain

# Heights at the default text size; rows grow with it. Units: px.
_BIG, _RECENT, _LEARN = 38, 44, 28
# Qt sets the locale of the C library, so strftime would return the months in any language.
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


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
        named(self, look="primary" if is_primary else "", height=_BIG).setProperty("shape", "big")
        appearance.changed.connect(self.update)

    def set_key(self, key: str) -> None:
        """Sets the displayed shortcut keys."""
        self._key = key
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clicks on Enter as on Space."""
        if event.key() in ENTER_KEYS:
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
            ink = color if is_primary else theme.color("text.tertiary")
            inked(painter, ink, font=font("mono", 11 * self.height() / _BIG))
            painter.drawText(self.rect().adjusted(0, 0, -15, 0), RIGHT, self._key)


class CardButton(QAbstractButton):
    """A button that is painted by its class; Enter clicks it as Space does."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self._appearance = appearance
        named(self, focus=Qt.FocusPolicy.StrongFocus, attribute=Qt.WidgetAttribute.WA_Hover)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Clicks on Enter as on Space."""
        if event.key() in ENTER_KEYS:
            self.click()
        else:
            super().keyPressEvent(event)


class _Row(CardButton):
    """A row of the column, of the `usual` height at the default text size; one that can be clicked lights up."""

    def __init__(self, appearance: Appearance, usual: int, radius: int) -> None:
        super().__init__(appearance)
        self._usual, self._radius, self._is_there = usual, radius, True
        self.setFixedHeight(usual)
        appearance.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        """Returns a small width: the column stretches the row."""
        return QSize(200, self._usual)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Paints the ground under the pointer, the ring of the focus, and what the row says."""
        theme, box = self._appearance.theme, self.rect()
        with smooth(self) as painter:
            if self.underMouse() and self._is_there:
                filled(painter, theme.color("bg.hover")).drawRoundedRect(box, self._radius, self._radius)
            if self.hasFocus():
                draw_ring(painter, theme, QRectF(box), self._radius)
            scale = box.height() / self._usual
            painter.scale(scale, scale)
            self._paint(painter, theme, QRect(0, 0, round(box.width() / scale), self._usual))

    def _paint(self, painter: QPainter, theme: Theme, row: QRect) -> None:
        """Paints what the row says, as it stands at the default text size."""
        raise NotImplementedError


class RecentRow(_Row):
    """A recent file. A missing file is grey; users can only remove it from the list, by a cross or Delete."""

    chosen = Signal(object)
    removed = Signal(object)

    def __init__(self, file: RecentFile, appearance: Appearance) -> None:
        super().__init__(appearance, _RECENT, radius=8)
        self._file, self._is_there = file, os.path.isfile(file.path)
        self._time = time_text(file.opened, date.today()) if self._is_there else ""
        self.setText(plain(file.path.name))
        # The file name may contain an ampersand, which must not become a shortcut.
        self.setShortcut(QKeySequence())
        self.setAccessibleName(self.text())
        self.setAccessibleDescription(self._folder() if self._is_there else tr("This file is gone."))
        self.clicked.connect(self._choose)
        says, tip = tr("Remove {name} from this list", name=file.path.name), tr("Remove from this list")
        self._cross = make_tool(self._remove, self, name="remove_recent", says=says, tip=tip)
        themed(self._cross, appearance, "close", px=12).setVisible(not self._is_there)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Opens the file on Enter, removes it from the list on Delete."""
        if event.key() == Qt.Key.Key_Delete:
            self._remove()
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, _: QResizeEvent) -> None:
        """Keeps the cross at the right."""
        self._cross.setGeometry(self.width() - 34, (self.height() - 24) // 2, 24, 24)

    def _paint(self, painter: QPainter, theme: Theme, row: QRect) -> None:
        """Paints name and folder, and at the right the time of the last opening."""
        token = "text.primary" if self._is_there else "text.disabled"
        draw_icon(painter, "file", theme.color("text.tertiary"), QRectF(11, 14, 16, 16))
        inked(painter, theme.color("text.tertiary"), font=font("ui", 11))
        room = row.adjusted(38, 6, -10, -6)
        painter.drawText(room, RIGHT, self._time)
        room.setWidth(room.width() - (painter.fontMetrics().horizontalAdvance(self._time) + 12 if self._time else 30))
        below = self._folder() if self._is_there else tr("This file is gone")
        draw_elided(painter, room, below, Qt.AlignmentFlag.AlignBottom, Qt.TextElideMode.ElideMiddle)
        inked(painter, theme.color(token), font=font("ui", 12, 500))
        draw_elided(painter, room, self.text(), Qt.AlignmentFlag.AlignTop, Qt.TextElideMode.ElideMiddle)

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


class LearnRow(_Row):
    """A row that starts a lesson; `chosen(str)` carries the id of its command."""

    chosen = Signal(str)

    def __init__(self, command: str, text: str, icon_name: str, appearance: Appearance) -> None:
        super().__init__(appearance, _LEARN, radius=6)
        self.command, self._icon, self._key = command, icon_name, ""
        named(self, f"learn_{command}", cursor=Qt.CursorShape.PointingHandCursor).setText(text)
        self.clicked.connect(partial(self.chosen.emit, command))

    def set_key(self, key: str) -> None:
        """Sets the displayed shortcut key."""
        self._key = key
        self.update()

    def _paint(self, painter: QPainter, theme: Theme, row: QRect) -> None:
        """Paints icon and text, and the key at the right."""
        color = theme.color("accent" if self._icon == "play" else "text.secondary")
        draw_icon(painter, self._icon, color, QRectF(11, 7, 14, 14))
        inked(painter, theme.color("text.primary" if self.underMouse() else "text.secondary"), font=font("ui", 12))
        draw_elided(painter, row.adjusted(36, 0, -40, 0), self.text())
        if self._key:
            draw_key_chip(painter, theme, self._key, row.width() - 10, row.height() / 2)
