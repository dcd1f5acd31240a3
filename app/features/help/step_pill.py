"""A pill with numbered steps: which are done, which one is next, and a button that skips the rest."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.canvas.access.live_region import announce
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import add_items, make_button, make_label, make_row, named

# The diameter of a number. Units: px at a text scale of 1.
NUMBER = 18
# The colours of a number: ground, ink, and edge.
_DONE = ("ok.bg", "ok", "ok")
_NOW = ("accent", "text.on-accent", "accent")
_LATER = ("bg.raised", "text.secondary", "border.default")


class StepPill(QFrame):
    """A row of steps; those before the current one have a check mark. `skipped()` comes with the button."""

    skipped = Signal()

    def __init__(self, names: Sequence[str], appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._names, self._appearance = tuple(names), appearance
        self._current = 0
        self.setObjectName("step_pill")
        # Fonts are set once: the window enlarges them with the size of texts.
        small, usual, size = font("ui", 11, 600), font("ui", 12, 600), (NUMBER, NUMBER)
        count = range(len(names))
        self._numbers = [make_label("", self, name=f"step_number_{place}", size=size, font=small) for place in count]
        self._texts = [make_label(names[place], self, name=f"step_text_{place}", font=usual) for place in count]
        layout = make_row(inside=self, margins=(16, 6, 8, 6), spacing=8)
        for place, parts in enumerate(zip(self._numbers, self._texts, strict=True)):
            line = [named(QFrame(self), "step_line", size=(18, 1))] if place else []
            add_items(layout, *line, *parts)
        add_items(layout, 8, make_button(tr("&Skip"), self.skipped, self, name="step_skip"))
        appearance.changed.connect(self._paint)
        self.hide()

    def show_step(self, current: int) -> None:
        """Shows that the steps before one are done; a screen reader says its name."""
        is_new = current != self._current or self.isHidden()
        self._current = current
        name = self._names[current]
        said = tr("Step {number} of {count}: {name}", number=current + 1, count=len(self._names), name=name)
        self.setAccessibleName(said)
        self._paint()
        self.show()
        if is_new:
            announce(self, said, is_urgent=False)

    def fit(self, room: int) -> None:
        """Shows the names of all steps where the room is wide enough, else only the current one. Units: px."""
        for text in self._texts:
            text.show()
        if self.sizeHint().width() > room:
            for place, text in enumerate(self._texts):
                text.setVisible(place == self._current)
        self.adjustSize()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keeps both ends round: Qt draws corners square whose radius is more than half the height."""
        super().resizeEvent(event)
        if event.oldSize().height() != event.size().height():
            self._paint()

    def _paint(self, *_: object) -> None:
        theme = self._appearance.theme
        self.setStyleSheet(
            f"#step_pill {{ background: {theme.css('bg.overlay')}; border: 1px solid {theme.css('border.default')}; "
            f"border-radius: {self.height() // 2}px; }} "
            f"#step_line {{ background: {theme.css('border.strong')}; }} "
            f"#step_skip {{ border: 1px solid transparent; background: transparent; color: {theme.css('accent')}; "
            f"font-weight: 600; padding: 2px 8px; }} #step_skip:focus {{ border-color: {theme.css('focus')}; }}"
        )
        for place, (number, text) in enumerate(zip(self._numbers, self._texts, strict=True)):
            is_now, is_done = place == self._current, place < self._current
            number.setText("✓" if is_done else str(place + 1))
            ground, ink, edge = _DONE if is_done else _NOW if is_now else _LATER
            number.setStyleSheet(
                f"color: {theme.css(ink)}; background: {theme.css(ground)}; border: 1px solid {theme.css(edge)}; "
                f"border-radius: {number.height() // 2}px; qproperty-alignment: AlignCenter;"
            )
            text.setStyleSheet(f"color: {theme.css('text.primary' if is_now or is_done else 'text.secondary')};")
