"""The one bar of a window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.compare.compare_desk import CompareDesk
from gradwire.app.features.stops.stop_switch import StopSwitch
from gradwire.app.kit.controls.logo import draw_logo
from gradwire.app.kit.controls.radio_button import RadioButton, RadioGroup
from gradwire.app.look.drawing import smooth
from gradwire.app.look.icons import icon
from gradwire.app.look.widgets import ThemedWidget, make_row, named
from gradwire.app.shell.bar.graph_button import GraphButton
from gradwire.app.shell.bar.history_button import HistoryButton
from gradwire.app.shell.bar.main_menu import MainMenu
from gradwire.app.shell.bar.search_button import SearchButton
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.app.shell.status.counts import Counter
from gradwire.app.shell.status.status_bar import grown
from gradwire.app.shell.window.modes import Mode

# Bar and controls at texts of 100 %; what grows with texts is the second of a pair. Units: px.
BAR, CONTROL = (20, 24), (8, 20)
# The icon of Present, which has a word beside it, is a little smaller than the others.
_EDGE, _GAP, _ICON, _PLAY = 8, 8, 16, 14 / 16
# Room of name and search at texts of 100 %; whether Present has its word, StopGradient its name, and undo is there.
_LEVELS = ((220, 196, True, True, True), (160, 150, True, True, True), (160, 150, False, True, True),
           (160, 150, False, False, True), (90, 34, False, False, True), (90, 34, False, False, False))  # fmt: skip
B = TypeVar("B", bound=QToolButton)


class TopBar(ThemedWidget):
    """What is used all the time, in one row; where it has no room, names give way first."""

    def __init__(self, window: WindowParts) -> None:
        super().__init__(window.frame.appearance, window.frame, "top_bar", says=tr("Bar"), filled=True, own_sizes=True)
        self._window, self._counter = window, Counter()
        actions = window.actions_by_id
        self.menu = MainMenu(window)
        self.name = GraphButton(window, self.menu, self)
        self._undo, self._redo = (
            self._dressed(HistoryButton(window, name == "redo", self), name) for name in ("undo", "redo")
        )
        self._modes = [self._dressed(RadioButton(self), f"mode_{mode}") for mode in Mode]
        group = named(RadioGroup(tr("Mode"), self), own_sizes=True)
        make_row(*self._modes, inside=group, margins=0, spacing=0)
        for button, look in zip(self._modes, ("first", "middle", "middle", "last"), strict=True):
            button.setProperty("look", look)
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextOnly)
            button.chosen_again.connect(button.defaultAction().trigger)
        self.stops = StopSwitch(self._appearance, self)
        self.stops.clicked.connect(actions["ignore_stops"].trigger)
        self.search = SearchButton(self._appearance, self)
        self._present = named(self._dressed(QToolButton(self), "only_canvas"), look="framed")
        # Qt sets a word close to its icon: a space keeps it away.
        self._present.setAccessibleName(actions["only_canvas"].text())
        actions["only_canvas"].setIconText(f" {actions['only_canvas'].text()}")
        self._more = self._dressed(QToolButton(self), "")
        named(self._more, "menu_button", words=tr("Menu"))
        self._more.setMenu(self.menu)
        self._more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._mark = _Mark(window, self)
        self._left = (self._mark, self.name, self._undo, self._redo)
        self._middle = group
        self._right = (self.stops, self.search, self._present, self._more)
        self._appearance.restyled.connect(self.restyle)
        self.restyle()

    def refresh(self) -> None:
        """Shows the state of the window."""
        window = self._window
        is_shown = window.has_document and not window.layout.shows_welcome
        self.name.setVisible(is_shown)
        if is_shown:
            self.name.show_name(window.document.name, window.session.document.is_saved)
        self._undo.setVisible(is_shown)
        self._redo.setVisible(is_shown)
        for part in (*self._modes, self._present):
            part.setVisible(is_shown)
        # In a comparison B says which stops let pass.
        is_comparing = window.session.part(CompareDesk).choice is not None
        ignores_stops = window.session.runs.ignores_stops
        has_stops = ignores_stops or self._counter.count(window.session.graph).stops > 0
        self.stops.setVisible(is_shown and not is_comparing and has_stops)
        self.stops.setChecked(not ignores_stops)
        self.fit()

    def show_keys(self, search: str) -> None:
        """Names the keys in the tooltips; `search` is that of the search."""
        self.search.set_key(search)
        tip, key = tr("Off: show each gradient with and without StopGradient"), self._window.keys.shown("ignore_stops")
        self.stops.setToolTip(f"{tip} ({key})" if key else tip)

    def open_menu(self) -> None:
        """Opens the menu below its button."""
        self.menu.popup(self._more.mapToGlobal(QPoint(0, self._more.height())))

    def restyle(self) -> None:
        """Takes over colours and the size of texts."""
        scale = self._appearance.text_scale
        self.setFixedHeight(grown(BAR, scale))
        controls = [*self.findChildren(QToolButton), self.stops]
        for control in controls:
            control.setFixedHeight(grown(CONTROL, scale))
        side = round(_ICON * scale)
        for button in (self._undo, self._redo, self._more, self._mark):
            button.setIconSize(QSize(side, side))
            button.setFixedWidth(button.height())
        self._present.setIconSize(QSize(side, side) * _PLAY)
        self._more.setIcon(icon(self._appearance.theme, "dots", "text.secondary", side))
        self.fit()

    def event(self, event: QEvent) -> bool:
        """Makes room when the window or something in the row has another width."""
        is_done = super().event(event)
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self.fit()
        return is_done

    def fit(self) -> None:
        """Shortens what can best be shortened until the row fits; the modes stand in the middle if they can.

        At last the name has what the others leave.
        """
        room = self.width() - 2 * _EDGE
        for level in _LEVELS:
            self._squeeze(*level)
            left, middle, right = map(self._width, (self._left, (self._middle,), self._right))
            if left + middle + right + 2 * _GAP <= room:
                break
        else:
            shown = self.name.fontMetrics().horizontalAdvance(self.name.text())
            self.name.set_room(shown - (left + middle + right + 2 * _GAP - room))
            left = self._width(self._left)
        at = (self.width() - middle) // 2
        at = min(max(at, _EDGE + left + _GAP), self.width() - _EDGE - right - _GAP - middle)
        for start, parts in ((_EDGE, self._left), (at, (self._middle,)), (self.width() - _EDGE - right, self._right)):
            for part in parts:
                if not part.isHidden():
                    size = _size(part)
                    part.setGeometry(QRect(QPoint(start, (self.height() - size.height()) // 2), size))
                    start += size.width() + self._gap(part)
        # Texts that were shortened on the way ask for room anew, and would do so at each answer, for ever.
        QCoreApplication.removePostedEvents(self, QEvent.Type.LayoutRequest)

    def _squeeze(self, name: int, search: int, has_word: bool, names_stops: bool, has_undo: bool) -> None:
        """Gives names and texts the room of a level."""
        scale = self._appearance.text_scale
        self.name.set_room(round(name * scale))
        self.search.setFixedWidth(round(search * scale))
        only, beside = Qt.ToolButtonStyle.ToolButtonIconOnly, Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        self._present.setToolButtonStyle(beside if has_word else only)
        self.stops.set_brief(not names_stops)
        for button in (self._undo, self._redo):
            button.setVisible(has_undo and not self.name.isHidden())

    def _width(self, parts: Sequence[QWidget]) -> int:
        """Returns the width of those that are shown, with gaps between them."""
        shown = [part for part in parts if not part.isHidden()]
        return sum(_size(part).width() for part in shown) + sum(map(self._gap, shown[:-1]))

    def _gap(self, part: QWidget) -> int:
        """Returns how far the part to the right stands from a part."""
        return 0 if part is self._mark else 2 if part is self._undo else _GAP

    def _dressed(self, button: B, command: str) -> B:
        """Returns a button that shows and does what the action of a command says."""
        named(button, f"tool_{command}", focus=Qt.FocusPolicy.TabFocus)
        if command:
            button.setDefaultAction(self._window.actions_by_id[command])
        return button


class _Mark(QToolButton):
    """The mark of the program; a press leads to the empty page."""

    def __init__(self, window: WindowParts, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = window.frame.appearance
        named(self, "tool_welcome", focus=Qt.FocusPolicy.TabFocus)
        self.setDefaultAction(window.actions_by_id["welcome"])

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draws the mark, with a frame where the keyboard is."""
        side = self.iconSize().width()
        with smooth(self) as painter:
            theme = self._appearance.theme
            if self.hasFocus() or self.underMouse():
                painter.setPen(theme.color("focus" if self.hasFocus() else "border.default"))
                painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            box = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
            draw_logo(painter, theme, box)


def _size(part: QWidget) -> QSize:
    return part.sizeHint().boundedTo(part.maximumSize()).expandedTo(part.minimumSize())
