"""The parts of a canvas that pointer and keys work on."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from gradwire.app.canvas.geometry.shown_page import ShownPage
from gradwire.app.canvas.geometry.view.viewport import Viewport
from gradwire.app.canvas.input.gesture_course import GestureCourse
from gradwire.app.canvas.input.gestures.host import GestureHost
from gradwire.app.canvas.input.page_actions import PageActions
from gradwire.app.canvas.painting.page_look import PageLook


@dataclass(frozen=True)
class Controls:
    """The widget of a canvas, the host of its gestures, and its parts."""

    widget: QWidget
    host: GestureHost
    page: ShownPage
    viewport: Viewport
    page_look: PageLook
    gestures: GestureCourse
    actions: PageActions
