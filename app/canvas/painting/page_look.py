"""The choices that decide how a canvas draws its page."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gradwire.app.canvas.geometry.shown_page import ShownPage
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.geometry.view.viewport import Viewport
from gradwire.app.canvas.painting.look import Look, Overlay
from gradwire.app.live.session import Selection
from gradwire.app.look.appearance import Appearance


class PageLook(QObject):
    """The overlay of gradients, the lit part of the page, and the target under the pointer.

    `is_by_block` says that each block shows how much of the gradient it passes on.
    All but what is `lit` is dimmed; None dims nothing.
    `changed()` comes when the whole page looks otherwise, `hover_changed(Target, Target)` when the pointer has gone
    from one target to another.
    """

    changed = Signal()
    hover_changed = Signal(object, object)

    def __init__(self, appearance: Appearance, page: ShownPage, viewport: Viewport) -> None:
        super().__init__(viewport)
        self.appearance = appearance
        self._page, self._viewport = page, viewport
        self.overlay = Overlay.MAGNITUDE
        self.is_by_block = False
        self.lit: Selection | None = None
        self.has_notes = True
        self._hovered = Target()
        appearance.texts_changed.connect(self._take_text_scale)
        self._take_text_scale()

    def _take_text_scale(self) -> None:
        """Draws texts as large as the program has them, but never smaller than at 100 %."""
        scale = max(1.0, self.appearance.text_scale)
        if scale != self._viewport.text_scale:
            self._viewport.text_scale = scale
            self.changed.emit()

    def now(self) -> Look:
        """Returns how the page is drawn now."""
        session = self._page.session
        return Look(
            self.appearance.theme,
            self._viewport.camera.scale,
            self._viewport.text_scale,
            self.overlay,
            session.is_stale and session.results is not None,
            session.runs.comparison,
            selection=session.selection,
            hovered=self._hovered,
            lit=self.lit,
            has_notes=self.has_notes,
        )

    def set_overlay(self, overlay: Overlay) -> None:
        """Shows gradients in another way."""
        self.overlay = overlay
        self.changed.emit()

    def turn_by_block(self) -> None:
        """Shows how much of the gradient each block passes on, or no longer."""
        self.is_by_block = not self.is_by_block
        self.changed.emit()

    def set_notes(self, are_shown: bool) -> None:
        """Shows the notes of the page, or leaves them out."""
        self.has_notes = are_shown
        self.changed.emit()

    def set_range(self, chosen: tuple[float, float] | None) -> None:
        """Shows magnitudes from a largest norm down over some decades; None lets them follow the page."""
        self._page.mirror.fixed_range = chosen
        self._page.mirror.read_results()
        self.changed.emit()

    def set_lit(self, lit: Selection | None) -> None:
        """Dims everything but some blocks and wires; None ends that."""
        if lit != self.lit:
            self.lit = lit
            self.changed.emit()

    def hover(self, target: Target) -> None:
        """Marks the target under the pointer."""
        if target != self._hovered:
            before, self._hovered = self._hovered, target
            self.hover_changed.emit(before, target)

    def forget_hovered(self) -> None:
        """Marks nothing, as another page is about to be painted."""
        self._hovered = Target()


class Scene(NamedTuple):
    """What a canvas shows: its widget, the page, the part of this in view, and how that is drawn."""

    widget: QWidget
    page: ShownPage
    viewport: Viewport
    look: PageLook
