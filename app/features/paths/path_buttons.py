"""The next steps for an explained gradient: its path, and its step in step mode."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QPushButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.inspection import Part
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.app.look.widgets import STRETCH, make_button, make_row
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status


class PathButtons(Part):
    """Two buttons for commands on a gradient."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(current, appearance, parent)
        path = self._button("ways", tr("Path to L"), "route")
        step = self._button("step_here", tr("Step here"), "step-back")
        make_row(path, step, STRETCH, inside=self, margins=(6, 0, 6, 0), spacing=8)

    def show_place(self, place: Link | PortName | None) -> None:
        """Shows both buttons if the gradient has a path; without a path they have nothing to show."""
        results = self.session.results
        reading = None if results is None or place is None else results.at(place)
        self.setVisible(reading is not None and reading.status is not Status.NO_PATH)

    def _button(self, command: str, text: str, picture: str) -> QPushButton:
        button = make_button(text, partial(self.command_chosen.emit, command), self, name=f"why_{command}")
        button.setIcon(icon(self._appearance.theme, picture, "text.secondary", 14))
        return button
