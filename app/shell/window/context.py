"""The context that all parts of one window share."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtWidgets import QMainWindow, QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.look.appearance import Appearance


class WindowContext(NamedTuple):
    """The window itself, its canvas with the widget that holds it, and the looks and settings of all windows."""

    frame: QMainWindow
    around_canvas: QWidget
    canvas: Canvas
    appearance: Appearance
    settings: Settings
