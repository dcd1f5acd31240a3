"""The tabs at the bottom of the window: the problems, and the open lenses."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel, QMenu, QStackedWidget, QTabBar, QToolButton, QWidget

from gradwire.app.base.translation import alphabetical, tr
from gradwire.app.kit.controls.dismissing import dismiss
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.readings.hidden import Hidden
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.app.look.theme import Theme
from gradwire.app.look.widgets import STRETCH, make_label, make_row, make_tool, named
from gradwire.app.shell.features import LENSES, PROBLEMS

# Units: px.
_GAP, _ICON_TAB = 4, 34


class LensTabs(QWidget):
    """The strip of tabs; `stack` holds their widgets. The problems come first and stay, lenses can be closed.

    While gradients are hidden, a sentence covers each lens that would reveal them.
    `opened(Lens)` is emitted for a new lens, `changed()` after tabs were opened, closed or selected.
    """

    opened = Signal(object)
    changed = Signal()

    def __init__(self, current: CurrentSession, appearance: Appearance, problems: QWidget) -> None:
        super().__init__()
        self._current, self._appearance = current, appearance
        self._names, self._fitted = [PROBLEMS.id], 0
        self.stack = QStackedWidget()
        self.stack.addWidget(problems)
        self._cover = self._made_cover()
        self.stack.addWidget(self._cover)
        self._bar, self._count = _Bar(self), make_label(parent=self, look="chip")
        self._more = self._made_more()
        self._controls = [QWidget(self)]
        # The widget at the right of each tab: a count, or a button that closes the tab.
        self._marks: dict[str, QWidget | None] = {PROBLEMS.id: None}
        self._make_bar()
        make_row(self._bar, self._more, STRETCH, self._controls[0], inside=self, margins=0, spacing=_GAP)
        appearance.changed.connect(self._restyle)
        for signal in (current.changed, current.results_changed):
            signal.connect(self._cover_up)
        self._restyle(appearance.theme)

    @property
    def names(self) -> tuple[str, ...]:
        """The ids of the open lenses, in the order of their tabs."""
        return tuple(self._names[1:])

    @property
    def current(self) -> str:
        """The id of the current tab."""
        return self._names[self._bar.currentIndex()]

    def lens(self, name: str) -> Lens | None:
        """Returns an open lens; None if it is not open."""
        found = self.stack.widget(self._names.index(name)) if name in self._names else None
        return found if isinstance(found, Lens) else None

    def open(self, name: str) -> None:
        """Shows a lens, in a new tab if it has none; `problems` shows the problems."""
        if name not in self._names:
            self._add(_feature(name))
        self._bar.setCurrentIndex(self._names.index(name))

    def close_lens(self, name: str) -> None:
        """Removes the tab of a lens."""
        row = self._names.index(name)
        lens = self.stack.widget(row)
        assert lens is not None
        del self._names[row]
        self.stack.removeWidget(lens)
        for widget in (lens, self._controls.pop(row), self._marks.pop(name)):
            assert widget is not None
            dismiss(widget)
        self._bar.removeTab(row)
        self._show(self._bar.currentIndex())

    def set_count(self, count: int) -> None:
        """Shows the number of problems beside their name; 0 shows none."""
        self._count.setText(str(count))
        self._count.adjustSize()  # texts may have another size than when it was shown last
        self._count.setVisible(count > 0)
        self._marks[PROBLEMS.id] = self._count if count else None
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Closes a tab on a click of the middle button."""
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease:
            row = self._bar.tabAt(event.position().toPoint())
            if event.button() is Qt.MouseButton.MiddleButton and row > 0:
                self.close_lens(self._names[row])
                return True
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Fits the tabs to a new width; if space is short, the inactive tabs keep only icons."""
        # The buttons of a lens appear and disappear. The tabs request layouts themselves, hence the comparison of
        # widths, without which this would loop forever.
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest) and self._room() != self._fitted:
            self._fit()
        return super().event(event)

    # Building

    def _made_cover(self) -> QLabel:
        cover = make_label("", self.stack, name="lens_hidden", look="panel", wraps=True)
        cover.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        cover.setContentsMargins(14, 8, 14, 8)
        return cover

    def _make_bar(self) -> None:
        bar = named(self._bar, "lens_tabs", look="lenses", says=tr("Problems and lenses"))
        bar.setDrawBase(False)
        bar.setExpanding(False)
        bar.setUsesScrollButtons(True)
        bar.setIconSize(QSize(14, 14))
        bar.addTab(PROBLEMS.name)
        self._count.hide()
        bar.setTabToolTip(0, PROBLEMS.name)
        bar.currentChanged.connect(self._show)
        bar.installEventFilter(self)

    def _made_more(self) -> QToolButton:
        more = make_tool(parent=self, name="more_lenses", says=tr("Open a lens"), size=(24, 24))
        more.setToolTip(tr("Open a lens: a view that explains the gradients"))
        more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = named(QMenu(more), "menu_lenses")
        menu.setToolTipsVisible(True)
        for feature in sorted(LENSES, key=lambda feature: alphabetical(feature.name)):
            action = menu.addAction(feature.name)
            action.setToolTip(tr(feature.tip))
            action.triggered.connect(lambda _=False, name=feature.id: self.open(name))
        more.setMenu(menu)
        return themed(more, self._appearance, "plus", "text.tertiary")

    def _add(self, feature: Feature) -> None:
        assert feature.lens is not None
        lens = named(feature.lens(self._current, self._appearance), feature.command)
        self.stack.insertWidget(len(self._names), lens)
        controls = lens.controls or QWidget()
        controls.hide()
        self._controls.append(controls)
        layout = self.layout()
        assert layout is not None
        layout.addWidget(controls)
        self._names.append(feature.id)
        row = self._bar.addTab(feature.name)
        self._bar.setTabToolTip(row, f"{feature.name}: {tr(feature.tip)}")
        self._marks[feature.id] = self._close_button(feature)
        self._restyle(self._appearance.theme)
        self.opened.emit(lens)

    def _close_button(self, feature: Feature) -> QToolButton:
        tip = tr("Close {panel}", panel=feature.name)
        button = make_tool(lambda: self.close_lens(feature.id), self._bar, name=f"close_{feature.id}", words=tip)
        named(button, size=(22, 22), focus=Qt.FocusPolicy.NoFocus)
        return themed(button, self._appearance, "close", "text.tertiary")

    def _show(self, row: int) -> None:
        if 0 <= row < len(self._names) == self.stack.count() - 1:
            self._cover_up()
            self._fit()
            self.changed.emit()

    def _cover_up(self, *_: object) -> None:
        """Shows the current lens with its controls, or the reason why it is covered."""
        row, results = self._bar.currentIndex(), self._current.session.results
        if self._bar.count() != len(self._names):
            return  # a lens that is being closed may reveal hidden gradients
        lens = self.lens(self._names[row])
        why = None if results is None or lens is None or not lens.tells_gradients else results.hidden
        self._cover.setText("" if why is None else lens_hidden(why))
        self.stack.setCurrentIndex(row if why is None else len(self._names))
        for number, controls in enumerate(self._controls):
            controls.setVisible(number == row and why is None)

    def _fit(self) -> None:
        current, self._fitted = self._bar.currentIndex(), self._room()
        for row, name in enumerate(self._names):
            self._set_tab(row, _feature(name).name, self._marks[name])
        if self._bar.sizeHint().width() > self._fitted:
            for row in range(self._bar.count()):
                if row != current:
                    self._set_tab(row, "", None)
        # If even that does not fit, the controls shrink before the tabs do.
        controls = self._controls[max(current, 0)]
        left = self.width() - self._more.width() - 3 * _GAP - self._bar.sizeHint().width()
        controls.setMaximumWidth(max(controls.minimumSizeHint().width(), left, 0))

    def _room(self) -> int:
        """Returns the width available to the tabs."""
        current = self._bar.currentIndex()
        shown = self._controls[current].sizeHint().width() if 0 <= current < len(self._controls) else 0
        return self.width() - shown - self._more.width() - 3 * _GAP

    def _set_tab(self, row: int, title: str, mark: QWidget | None) -> None:
        bar, side = self._bar, QTabBar.ButtonPosition.RightSide
        # A tab reads the width of its button only when the button is set again; that of the count changes.
        if mark is not self._marks[PROBLEMS.id] and (bar.tabText(row), bar.tabButton(row, side)) == (title, mark):
            return
        bar.setTabText(row, title)
        bar.setTabButton(row, side, mark)
        if mark is not None:
            mark.show()
        # A tab whose button has changed does not tell the layout itself.
        bar.updateGeometry()

    def _restyle(self, theme: Theme) -> None:
        for row, name in enumerate(self._names):
            self._bar.setTabIcon(row, icon(theme, _feature(name).icon, "text.secondary"))


def _feature(name: str) -> Feature:
    return next(feature for feature in (PROBLEMS, *LENSES) if feature.id == name)


class _Bar(QTabBar):
    """Tabs that shrink to their icon if they have no text; style sheets alone would keep the width."""

    def tabSizeHint(self, index: int) -> QSize:  # Qt's name
        """Returns the size of a tab."""
        size = super().tabSizeHint(index)
        return size if self.tabText(index) else QSize(_ICON_TAB, size.height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Returns the preferred size: tabs do not shrink."""
        return self.tabSizeHint(index)

    def minimumSizeHint(self) -> QSize:
        """Returns a size at which the problems and one lens are whole; more tabs are scrolled."""
        return self.sizeHint() if self.count() == 2 else super().minimumSizeHint()


def lens_hidden(why: Hidden) -> str:
    """Returns the text in place of a lens that would show gradients of the whole graph."""
    return {
        Hidden.GUESSED: tr("Not available until you have predicted these gradients."),
        Hidden.AHEAD: tr(
            "Not available until step mode has reached these gradients. Go to the last step, or leave step mode."
        ),
        Hidden.FORWARD: tr("Not available in forward steps, which show no gradients. Leave step mode to see them."),
    }[why]
