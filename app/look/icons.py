"""The line icons of `assets/icons`, in any colour and size."""

from __future__ import annotations

import functools

from PySide6.QtCore import QByteArray, QRectF, QSize
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton

from gradwire.app.look.drawing import clear_pixmap
from gradwire.app.look.theme import ASSETS, Theme

# Between the icon of a button and its text. Units: px.
GAP = 4


@functools.cache
def icon_source(name: str) -> str:
    """Returns the SVG text of an icon.

    Raises: FileNotFoundError if there is no icon of this name.
    """
    return (ASSETS / "icons" / f"{name}.svg").read_text(encoding="utf-8")


@functools.cache
def _renderer(name: str, color: str) -> QSvgRenderer:
    # QtSvg paints currentColor black.
    return QSvgRenderer(QByteArray(icon_source(name).replace("currentColor", color).encode()))


class IconPainter(QPainter):
    """A painter that draws icons in its own way."""

    def draw_icon(self, name: str, color: QColor, box: QRectF) -> None:
        """Draws an icon into a rectangle."""
        raise NotImplementedError


def draw_icon(painter: QPainter, name: str, color: QColor, box: QRectF) -> None:
    """Draws an icon into a rectangle of the painter."""
    if isinstance(painter, IconPainter):
        painter.draw_icon(name, color, box)
        return
    _renderer(name, color.name()).render(painter, box)


@functools.lru_cache(maxsize=1024)
def icon_pixmap(name: str, color: str, px: int, ratio: float = 1.0, gap: int = 0) -> QPixmap:
    """Returns an icon of `px` by `px` with a gap at its right; `color` as `#RRGGBB`, `ratio` device pixels a px."""
    pixmap = clear_pixmap(QSize(px + gap, px), ratio)
    with QPainter(pixmap) as painter:
        _renderer(name, color).render(painter, QRectF(0, 0, px, px))
    return pixmap


def icon(theme: Theme, name: str, token: str = "text.secondary", px: int = 16, gap: int = 0) -> QIcon:
    """Returns an icon for a button or an action, with its disabled look and a gap at its right."""
    made = QIcon()
    for ratio in (1.0, 2.0):
        made.addPixmap(icon_pixmap(name, theme.css(token), px, ratio, gap))
        made.addPixmap(icon_pixmap(name, theme.css("text.disabled"), px, ratio, gap), QIcon.Mode.Disabled)
    return made


def set_icon(button: QAbstractButton, theme: Theme, name: str, token: str = "text.secondary", px: int = 16) -> None:
    """Gives a button an icon, which keeps away from the text: Qt would set both next to each other."""
    gap = GAP if button.text() else 0
    if gap:
        button.setIconSize(QSize(px + gap, px))
    button.setIcon(icon(theme, name, token, px, gap))
