"""Sheets of every state of blocks and wires on the canvas, to compare with the design's tables by eye."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance, Choice
from gradwire.app.look.drawing import inked
from gradwire.app.look.png import png
from gradwire.app.look.theme import font
from tools.states import State, block_states, wire_states, wire_to

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "images"
COLUMNS, SCALE, CAPTION, GAP = 6, 2, 22, 16
BLOCK_CELL, WIRE_CELL = QSize(232, 184), QSize(232, 120)


def main() -> None:
    """Writes the states of blocks and of wires in both themes into the pictures of the documents."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    running = QApplication(["gradwire"])
    themes: tuple[Choice, ...] = ("dark", "light")
    for theme in themes:
        for name, states, size in (("blocks", block_states(), BLOCK_CELL), ("wires", wire_states(), WIRE_CELL)):
            image = sheet(states, Appearance(theme), size, name == "wires")
            (FOLDER / f"{name}_{theme}.png").write_bytes(png(image))
    running.quit()


def sheet(states: Sequence[State], appearance: Appearance, size: QSize, is_wire: bool) -> QImage:
    """Draws all states in rows, each with its name below, two pixels a px."""
    across, down = size.width() + GAP, size.height() + CAPTION + GAP
    rows = -(-len(states) // COLUMNS)
    whole = QImage((COLUMNS * across + GAP) * SCALE, (rows * down + GAP) * SCALE, QImage.Format.Format_RGB32)
    whole.setDevicePixelRatio(SCALE)
    whole.fill(appearance.theme.color("bg.app"))
    with QPainter(whole) as painter:
        inked(painter, appearance.theme.color("text.secondary"), font=font("ui", 12, 500))
        for index, state in enumerate(states):
            at = QPointF(GAP + index % COLUMNS * across, GAP + index // COLUMNS * down)
            painter.drawImage(at, _picture(state, appearance, size, is_wire))
            box = QRectF(at.x(), at.y() + size.height(), size.width(), CAPTION)
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, state.name)
    return whole


def _picture(state: State, appearance: Appearance, size: QSize, is_wire: bool) -> QImage:
    """Draws the canvas of a state, enlarged as on a high-resolution screen."""
    session = Session(state.graph, InlineEvaluator)
    canvas = Canvas(CurrentSession(session), appearance)
    canvas.resize(size)
    canvas.show()
    canvas.activateWindow()
    _settle(session)
    for setting in state.settings:
        setting(canvas)
    _settle(session)
    mirror = canvas.mirror
    middle = mirror.rect(state.shown).center()
    if is_wire:
        middle = mirror.path(mirror.wire_rows[wire_to(canvas, state.shown)]).pointAtPercent(0.5)
    canvas.viewport.zoom_to(1.0)
    canvas.viewport.centre_at(middle)
    canvas.painted.repaint()
    image = QImage(size * SCALE, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(SCALE)
    canvas.render(image)
    session.close()
    canvas.close()
    canvas.deleteLater()
    return image


def _settle(session: Session) -> None:
    """Waits for the results of the graph."""
    QApplication.processEvents()
    while session.scheduler.is_busy or session.results is None:
        QApplication.processEvents()


if __name__ == "__main__":
    main()
