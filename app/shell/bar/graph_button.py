"""The name of the graph in the bar: a dot while it is not saved, and below it other graphs to turn to."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.tips import add_entry, literal_tip
from gradwire.app.look.widgets import named
from gradwire.app.shell.bar.main_menu import MainMenu, filled_menu
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.engine.base.untrusted_text import plain

UNSAVED = " •"


class GraphButton(QToolButton):
    """The name, shortened to its room; a press opens versions, files that were open last, and the other windows."""

    def __init__(self, window: WindowParts, menu: MainMenu, parent: QWidget) -> None:
        super().__init__(parent)
        self._window, self._full, self._room, self._is_saved = window, "", 0, True
        named(self, "graph_name", focus=Qt.FocusPolicy.TabFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu, self._below = menu, filled_menu("graph", tr("Graph"), self._fill, menu)
        self.setMenu(self._below)

    def open(self) -> None:
        """Opens the list below the name."""
        self._below.popup(self.mapToGlobal(QPoint(0, self.height())))

    def show_name(self, name: str, is_saved: bool) -> None:
        """Shows the name of the graph, and whether it has changes that are not saved."""
        self._full, self._is_saved = plain(name), is_saved
        self.set_room(self._room)

    def set_room(self, room: int) -> None:
        """Shortens the name in its middle to a width. Units: px."""
        self._room, mark = room, "" if self._is_saved else UNSAVED
        metrics = self.fontMetrics()
        left = room - metrics.horizontalAdvance(mark)
        self.setText(metrics.elidedText(self._full, Qt.TextElideMode.ElideMiddle, left) + mark)
        self.setToolTip(literal_tip(self._full))
        said = self._full if self._is_saved else tr("{name}, not saved", name=self._full)
        self.setAccessibleName(said)

    def _fill(self, menu: QMenu) -> None:
        window = self._window
        menu.addActions([window.actions_by_id[name] for name in ("save_as", "versions")])
        menu.addSeparator()
        self._menu.fill_recent(menu)
        others = [other for other in window.frame.windows.windows if other is not window.frame]
        if others:
            menu.addSeparator()
        for other in others:
            add_entry(menu, other.shown_title).triggered.connect(other.come_forward)
