"""The path to a used page: `main / attention_1`, each part a button."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.dismissing import empty
from gradwire.app.live.current_session import CurrentSession, SessionView
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import make_label, make_row, make_tool, named
from gradwire.engine.graph.paths import forward_path, is_gradient, segment_of

WIDEST = 160


class Breadcrumb(SessionView, QWidget):
    """The path to the page that a session shows; hidden on a page of its own. A click on a part opens it."""

    def __init__(self, current: CurrentSession, parent: QWidget) -> None:
        super().__init__(parent)
        self.current = current
        self._shown: list[tuple[str, str]] = []
        named(self, "breadcrumb", says=tr("Location of this page"))
        self._row = make_row(inside=self, margins=(12, 0, 12, 0), spacing=2)
        self.hide()

    def show_trail(self) -> None:
        """Shows the path to the session's current page."""
        trail = self.session.view.trail if len(self.session.view.trail) > 1 else []
        if trail != self._shown:
            self._shown = trail
            self._rebuild()
        self.setVisible(bool(trail))

    def _rebuild(self) -> None:
        empty(self._row)
        for number, (_, path) in enumerate(self._shown[:-1]):
            self._row.addWidget(self._part(number, path))
            self._row.addWidget(self._text("/", "quiet"))
        for page, path in self._shown[-1:]:
            here = self._text(_short(path), "")
            here.setToolTip(_meaning(path, page))
            self._row.addWidget(here)

    def _text(self, text: str, look: str) -> QLabel:
        return make_label(text, self, look=look, font=font("ui", 12))

    def _part(self, number: int, path: str) -> QToolButton:
        go, words = partial(self._go, number), tr("Go to {path}", path=path)
        button = make_tool(go, self, text=_short(path), name=f"crumb_{number}", words=words)
        return named(button, height=24, focus=Qt.FocusPolicy.StrongFocus, font=font("ui", 12))

    def _go(self, number: int) -> None:
        for _ in range(len(self._shown) - 1 - number):
            self.session.view.leave()


def _meaning(path: str, page: str) -> str:
    if is_gradient(path):
        return tr("{path} has its own gradient from page {page}", path=forward_path(path), page=page)
    return tr("{path} uses page {page}", path=path, page=page)


def _short(path: str) -> str:
    """Returns the last name of a path, elided to the available width.

    The round of a loop stands apart, `rec [3]`, and so does the page that gives a gradient, `clip ∂`.
    """
    name, part, is_gradient = segment_of(path.rpartition("/")[2])
    shown = QFontMetrics(font("ui", 12)).elidedText(name, Qt.TextElideMode.ElideRight, WIDEST)
    return shown + (f" [{part}]" if part else "") + " ∂" * is_gradient
