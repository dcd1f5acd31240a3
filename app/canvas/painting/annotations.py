"""Draws frames and notes, which lie under all blocks."""

from __future__ import annotations

import math
from collections.abc import Set

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen, QTextOption

from gradwire.app.canvas.geometry.annotation_places import NOTE_PAD
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.shapes import text_width
from gradwire.app.canvas.painting.look import Level, Look
from gradwire.app.look.drawing import faded, filled, inked
from gradwire.app.look.theme import font
from gradwire.engine.base.untrusted_text import plain, plain_lines
from gradwire.engine.graph.graph import Frame, Note

_FRAME_RADIUS, _NOTE_RADIUS = 10, 6
_SMALLEST_TEXT, _TEXT, _LINE_GAP, _ROOM = 9.5, 11, 4, 4
# How far letters reach above and below the middle of their line, as a share of their size.
_LETTERS = 0.45
# The token of each colour, and how much of it lies over the ground, where all texts stay readable.
_TOKENS, _TINT = {"blue": "cat.source", "amber": "cat.loss", "green": "cat.reduce", "violet": "cat.linalg"}, 0.1


def draw_frames(painter: QPainter, mirror: Mirror, look: Look, chosen: Set[str]) -> None:
    """Draws some frames with their titles, those within others above these."""
    frames = {frame.id: frame for frame in mirror.session.page.frames}
    boxes = [item for item in mirror.frames.items() if item[0] in chosen]
    for name, box in sorted(boxes, key=lambda item: -item[1].width() * item[1].height()):
        frame = frames.get(name, Frame(name))
        _draw_box(painter, look, box, _FRAME_RADIUS, name in look.selection.frames, frame.color)
        if look.level >= Level.COMPACT:
            size = _title_size(11, look.reading_scale)
            painter.setPen(look.theme.color("text.secondary"))
            _draw_title(painter, _title_line(box, size), plain(frame.title), font("ui", size, 500))


def title_rects(mirror: Mirror, area: QRectF, scale: float) -> list[tuple[float, float, float, float]]:
    """Returns the rectangles of frames' titles in an area, with some room around them: left, top, right, bottom."""
    size, rects = _title_size(11, scale), []
    for frame in mirror.session.page.frames:
        box = mirror.frames.get(frame.id)
        if frame.title and box is not None and box.intersects(area):
            line = _title_line(box, size)
            width = min(text_width("ui", size, 500, plain(frame.title)), line.width())
            middle, half = line.center().y(), _LETTERS * size
            rects.append((line.left() - _ROOM, middle - half, line.left() + width + _ROOM, middle + half))
    return rects


def draw_notes(painter: QPainter, mirror: Mirror, look: Look, chosen: Set[str], area: QRectF | None = None) -> None:
    """Draws some notes with their texts; of those only what lies in an area, if there is one.

    A note whose text has no room at this zoom is not drawn; one that is selected is a box then.
    """
    notes = {note.id: note for note in mirror.session.page.notes}
    for name, box in mirror.notes.items():
        if name in chosen and (area is None or box.intersects(area)):
            note, is_chosen = notes.get(name, Note(name)), name in look.selection.notes
            is_readable = note_is_readable(note.text, box, look.reading_scale)
            if is_chosen or is_readable:
                _draw_box(painter, look, box, _NOTE_RADIUS, is_chosen, note.color)
            if is_readable:
                _draw_text(painter, look, _inside(box), plain_lines(note.text))


def note_is_readable(text: str, box: QRectF, scale: float) -> bool:
    """Returns whether the text of a note has room in its box, where letters grow from afar."""
    if scale * _TEXT >= _SMALLEST_TEXT:
        return True
    title, _, rest = plain_lines(text).partition("\n")
    title_font, rest_font = _fonts(scale)
    room = _inside(box)
    return _height(title_font, room, title or " ") + _height(rest_font, room, rest) <= room.height()


def _title_line(box: QRectF, size: float) -> QRectF:
    return QRectF(box.left() + 12, box.top() + 14 - size, box.width() - 24, 2 * size)


def _draw_box(painter: QPainter, look: Look, box: QRectF, radius: float, is_chosen: bool, color: str | None) -> None:
    theme = look.theme
    edge = theme.color("accent" if is_chosen else _TOKENS[color] if color else "border.subtle")
    inked(painter, QPen(edge, 2 if is_chosen else theme.line), theme.color("bg.frame"))
    painter.drawRoundedRect(box, radius, radius)
    if color:
        filled(painter, faded(theme.color(_TOKENS[color]), _TINT)).drawRoundedRect(box, radius, radius)


def _draw_text(painter: QPainter, look: Look, room: QRectF, text: str) -> None:
    """Draws a text with a bold first line."""
    title, _, rest = text.partition("\n")
    title_font, rest_font = _fonts(look.reading_scale)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WordWrap)
    inked(painter, look.theme.color("text.primary"), font=title_font).drawText(room, title, option)
    inked(painter, look.theme.color("text.secondary"), font=rest_font)
    below = _height(title_font, room, title or " ") + _LINE_GAP
    painter.drawText(room.adjusted(0, below, 0, 2), rest, option)


def _inside(box: QRectF) -> QRectF:
    return box.adjusted(NOTE_PAD, NOTE_PAD, -NOTE_PAD, -NOTE_PAD)


def _fonts(scale: float) -> tuple[QFont, QFont]:
    """Returns the fonts of a note's first line and of the rest."""
    return font("ui", _title_size(12, scale), 600), font("ui", max(_TEXT, math.ceil(_SMALLEST_TEXT / scale)))


def _height(in_font: QFont, room: QRectF, text: str) -> float:
    """Returns how high a text is, wrapped to the width of `room`."""
    return QFontMetricsF(in_font).boundingRect(room, Qt.TextFlag.TextWordWrap, text).height() if text else 0.0


def _title_size(size: float, scale: float) -> float:
    """Titles of frames and notes grow from afar, so that they can still be read. Units: px at 100 %."""
    # Fonts have whole sizes.
    return max(size, math.ceil(_SMALLEST_TEXT / scale))


def _draw_title(painter: QPainter, room: QRectF, title: str, in_font: QFont) -> None:
    """Draws one line in the middle of `room`, shortened where it is too long."""
    painter.setFont(in_font)
    text = QFontMetricsF(in_font).elidedText(title, Qt.TextElideMode.ElideRight, room.width())
    painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, text)
