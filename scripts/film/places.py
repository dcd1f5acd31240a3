"""The places that the pointer goes to: widgets, sliders and wires of the real window."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QWidget

from gradwire.app.start.main_window import MainWindow
from gradwire.engine.graph.graph import Port
from scripts.film.acts import Place


def widget(name: str, share: float = 0.5) -> Place:
    """A point of the shown widget of an object name: halfway down, at a share of its width."""

    def find(window: MainWindow) -> QPointF:
        (shown,) = (item for item in window.findChildren(QWidget, name) if item.isVisible())
        return QPointF(shown.mapTo(window, QPoint(round(shown.width() * share), shown.height() // 2)))

    return find


def knob(block_id: str, index: int, number: float) -> Place:
    """The point on a block's slider that stands for a number."""

    def find(window: MainWindow) -> QPointF:
        mirror = window.parts.canvas.mirror
        row = mirror.rows[block_id]
        low, high = mirror.slider_range(block_id)
        track = mirror.shapes[row].slider_track(index).translated(mirror.rect(block_id).topLeft())
        return _in_window(
            window, QPointF(track.left(), track.bottom() - track.height() * (number - low) / (high - low))
        )

    return find


def wire_end(target: str, before: float) -> Place:
    """A point of the wire into `block.port`, some px of the page before its end."""

    def find(window: MainWindow) -> QPointF:
        place = window.parts.canvas.mirror.port_position(Port(*target.split(".")), True)
        assert place is not None, f"no port {target}"
        return _in_window(window, place - QPointF(before, 0))

    return find


def _in_window(window: MainWindow, scene: QPointF) -> QPointF:
    canvas = window.parts.canvas
    return canvas.camera.to_view(scene) + QPointF(canvas.mapTo(window, QPoint()))
