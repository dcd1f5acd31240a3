"""What surrounds the canvas of a window: the inspector over its right side, and the bottom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.features.inspector.inspector_overlay import InspectorOverlay
from gradwire.app.features.problems.problems import ProblemsPanel
from gradwire.app.kit.inspection import Part
from gradwire.app.look.status_texts import status_sentence
from gradwire.app.shell.features import FEATURES, INSPECTOR, PROBLEMS
from gradwire.app.shell.window.bottom import Bottom, feature_of, lens_hidden
from gradwire.app.shell.window.context import WindowContext
from gradwire.app.shell.window.viewing import Viewing
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status


class Panels:
    """The panels of a window: `overlay` holds the inspector over the canvas, `bottom` the problems and all lenses.

    The keyboard goes round to the `bars` too, after the panels.
    """

    def __init__(self, context: WindowContext, viewing: Viewing, carry_out: Callable[[str], None]) -> None:
        """`carry_out` runs the command of an id."""
        canvas, look, current = context.canvas, context.appearance, context.canvas.current
        self.inspector = Inspector(current, look, FEATURES)
        self.problems = ProblemsPanel(current, look, context.settings)
        self._canvas, self._viewing = canvas, viewing
        self.bars: Sequence[QWidget] = ()
        self.overlay = InspectorOverlay(self.inspector, canvas, look, context.around_canvas)
        self.bottom = Bottom(current, look, {PROBLEMS.id: self.problems})
        requests = current.requests
        requests.command_chosen.connect(carry_out)
        requests.path_lit.connect(viewing.spotlight.show_path)
        requests.place_chosen.connect(viewing.go_to)
        requests.wire_chosen.connect(viewing.go_to_wire)
        canvas.page_actions.setting_requested.connect(self.edit_parameter)
        # Before step mode is left: the panel lies above its strip.
        canvas.keys.escapes.insert(0, self._take_escape)
        self.bottom.changed.connect(self._keep_focus)

    # Opening

    def open_lens(self, name: str) -> None:
        """Shows a lens at the bottom; the keyboard stays where it is."""
        self.bottom.open(name)

    def show_lens(self, name: str, reason: Qt.FocusReason = Qt.FocusReason.ShortcutFocusReason) -> None:
        """Shows a lens at the bottom, with the keyboard on it; by the mouse no row of its list becomes current."""
        self.open_lens(name)
        if (shown := self.bottom.content) is not None:
            _first_to_focus(shown).setFocus(reason)

    def open_panel(self, name: str) -> None:
        """Opens the panel, the lens or the part of a feature, by its id."""
        feature = feature_of(name)
        if name == INSPECTOR.id:
            self.overlay.open()
        elif feature.lens is None and feature.part is not None:
            self._open_part(name, feature.part)
        else:
            self.show_lens(name)

    def _open_part(self, name: str, part: type[Part]) -> None:
        """Unfolds the part of a feature in the card of the selection, else in that of the first place it is about."""
        session = self._canvas.session
        if session.results is not None and session.results.hidden is not None:
            session.refused.emit(lens_hidden(session.results.hidden))
        elif self.inspector.part(name) is not None:
            self.run_part(name)
        else:
            part.first_place(session, partial(self._go_to_part, name))

    def _go_to_part(self, name: str, found: Link | PortName | str) -> None:
        if isinstance(found, str):
            self._canvas.session.refused.emit(found)
            return
        if isinstance(found, Link):
            self._viewing.go_to_wire(found)
        else:
            self._viewing.go_to(found.path)
        if self.inspector.part(name) is None:
            self._canvas.session.refused.emit(status_sentence(Status.UNKNOWN))
        self.run_part(name)

    def show_why(self) -> None:
        """Opens the inspector and shows there why a gradient is as it is, with the keyboard on it."""
        self.overlay.open()
        self.inspector.show_why()

    def run_part(self, name: str) -> None:
        """Opens the inspector and runs there the part of a feature."""
        self.overlay.open()
        self.inspector.run_part(name)

    def edit_parameter(self, name: str) -> None:
        """Opens the inspector, with the keyboard on a parameter of the selected block."""
        self.overlay.open()
        self.inspector.edit_parameter(name)

    def show(self, are_shown: bool) -> None:
        """Lets panels be seen, or hides all of them."""
        self.overlay.set_allowed(are_shown)
        self.bottom.set_allowed(are_shown)

    # Parts

    def _take_escape(self) -> bool:
        """Closes a panel at the bottom; the strip of a mode stays."""
        is_open = bool(self.bottom.panel) and self.bottom.isVisible()
        if is_open:
            self.bottom.close_panel()
        return is_open

    def _keep_focus(self) -> None:
        """Gives the keyboard back to the canvas where it stood in what has closed."""
        if self._canvas.isVisible() and self._canvas.window().focusWidget() is None:
            self._canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def focus_next(self, step: int) -> None:
        """Moves the keyboard to the next of page, card, strip or panel, status line and bar."""
        parts: Sequence[QWidget] = (self._canvas, self.inspector, self.bottom, *self.bars)
        shown = [part for part in parts if part.isVisible()]
        if not shown:
            return
        focused = self._canvas.window().focusWidget()
        holding = [row for row, part in enumerate(shown) if focused and (part is focused or part.isAncestorOf(focused))]
        target = shown[((holding[0] if holding else -1) + step) % len(shown)]
        if target is self.bottom and (content := self.bottom.content) is not None:
            target = content
        _first_to_focus(target).setFocus(Qt.FocusReason.TabFocusReason)


def _first_to_focus(widget: QWidget) -> QWidget:
    """The widget itself if the keyboard can go there, else what is the first in it where it can."""
    if widget.focusPolicy() is not Qt.FocusPolicy.NoFocus:
        return widget
    return next((child for child in widget.findChildren(QWidget) if _takes_focus(child)), widget)


def _takes_focus(widget: QWidget) -> bool:
    return widget.isVisible() and widget.isEnabled() and bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
