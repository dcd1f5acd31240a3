"""One tab a page, and inside a used page the way that led there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QTabBar, QToolButton, QWidget

from app.live.session import Session
from app.look.appearance import Appearance
from app.look.icons import icon
from app.look.theme import font
from engine import edits
from engine.expand import top_pages

HEIGHT = 32


class PageTabs(QWidget):
    """The tabs above the canvas. They follow the session; a click, a rename and the two buttons go through it."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session, self._appearance = session, appearance
        self._state: tuple[object, ...] = ()
        self._names: list[str] = []
        self.setObjectName("page_tabs")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(HEIGHT)
        self._bar = self._made_bar()
        self._plus = QToolButton(self)
        self._plus.setObjectName("add_page")
        self._plus.setToolTip("Add a page")
        self._plus.setAccessibleName("Add a page")
        self._plus.setFixedSize(28, 24)
        self._plus.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._plus.clicked.connect(self._add)
        self._editor = _NameField(self._bar)
        self._editor.accepted.connect(self._rename)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self._bar)
        layout.addWidget(self._plus)
        layout.addStretch(1)
        self._listen()
        self._repaint()
        appearance.changed.connect(self._repaint)

    def set_session(self, session: Session) -> None:
        """Shows the pages of another document."""
        old = self._session
        old.page_changed.disconnect(self._update)
        old.graph_changed.disconnect(self._update)
        self._session, self._state = session, ()
        self._editor.hide()
        self._listen()

    def rename_page(self, name: str) -> None:
        """Lets the user type a new name over the tab of a page."""
        self._editor.open_over(self._bar, self._names.index(name), name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """F2 renames the page shown."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_F2:
            self.rename_page(self._session.page_name)
            return True
        return super().eventFilter(watched, event)

    def _made_bar(self) -> QTabBar:
        bar = _Bar(self)
        bar.setObjectName("page_bar")
        bar.setAccessibleName("Pages")
        bar.setDrawBase(False)
        bar.setExpanding(False)
        bar.setUsesScrollButtons(True)
        bar.setElideMode(Qt.TextElideMode.ElideRight)
        bar.setIconSize(QSize(14, 14))
        bar.setFont(font("ui", 12))
        bar.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        bar.installEventFilter(self)
        bar.currentChanged.connect(self._show)
        bar.tabBarDoubleClicked.connect(self._rename_tab)
        return bar

    def _listen(self) -> None:
        self._session.page_changed.connect(self._update)
        self._session.graph_changed.connect(self._update)
        self._update()

    def _update(self) -> None:
        """Makes the tabs what the session says; nothing while only blocks and values change."""
        session = self._session
        names = [page.name for page in session.graph.pages]
        tops = {page.name for page in top_pages(session.graph)}
        state = (tuple(names), frozenset(tops), session.page_name, session.prefix)
        if state == self._state:
            return
        self._state = state
        self._bar.blockSignals(True)
        if names != self._names:
            self._rebuild(names)
        for place, name in enumerate(names):
            path = session.prefix if name == session.page_name else name
            self._bar.setTabText(place, path.replace("/", " / "))
            shape = "route" if name in tops else "folder"
            self._bar.setTabIcon(place, icon(self._appearance.theme, shape, px=14))
        self._bar.setCurrentIndex(names.index(session.page_name))
        self._bar.blockSignals(False)
        self._bar.updateGeometry()

    def _rebuild(self, names: list[str]) -> None:
        self._names = names
        self._editor.hide()
        while self._bar.count():
            self._bar.removeTab(0)
        for place, name in enumerate(names):
            self._bar.addTab(name)
            button = None if len(names) == 1 else self._close_button(name)
            self._bar.setTabButton(place, QTabBar.ButtonPosition.RightSide, button)

    def _close_button(self, name: str) -> QToolButton:
        button = QToolButton(self._bar)
        button.setObjectName(f"close_{name}")
        button.setProperty("page", name)
        button.setProperty("look", "close")
        button.setToolTip(f"Remove page {name}")
        button.setAccessibleName(f"Remove page {name}")
        button.setFixedSize(22, 22)
        button.setIconSize(QSize(11, 11))
        button.setIcon(icon(self._appearance.theme, "close", px=11))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(self._remove)
        return button

    def _show(self, place: int) -> None:
        if 0 <= place < len(self._names):
            self._session.show_page(self._names[place])

    def _add(self) -> None:
        name = self._session.apply("Add page", edits.add_page)
        if isinstance(name, str):
            self._session.show_page(name)

    def _remove(self) -> None:
        button = self.sender()
        if button is not None:
            self._session.apply("Remove page", edits.remove_page, button.property("page"))

    def _rename_tab(self, place: int) -> None:
        if 0 <= place < len(self._names):
            self.rename_page(self._names[place])

    def _rename(self, old: str, new: str) -> None:
        """Renames; a name that is refused stays in the field, marked as wrong."""
        session = self._session
        was_shown = session.page_name == old
        session.apply("Rename page", edits.rename_page, old, new)
        if session.graph.has_page(old):
            self._editor.mark_wrong()
            return
        self._editor.hide()
        if was_shown:
            session.show_page(new)

    def _repaint(self) -> None:
        theme = self._appearance.theme
        self._plus.setIcon(icon(theme, "plus", px=14))
        self._plus.setIconSize(QSize(14, 14))
        self._state = ()
        self._update()
        for button in self._bar.findChildren(QToolButton):
            if button.property("page"):
                button.setIcon(icon(theme, "close", px=11))


class _Bar(QTabBar):
    def minimumSizeHint(self) -> QSize:
        """Narrower than Qt's own, which leaves a gap after a single tab."""
        return QSize(40, HEIGHT)


class _NameField(QLineEdit):
    """A field over a tab. `accepted(old, new)` asks to rename; Escape and leaving the field ask for nothing."""

    accepted = Signal(str, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._old, self._bar = "", parent
        self.setObjectName("page_name")
        self.setAccessibleName("Name of the page")
        self.setMaxLength(64)
        self.hide()
        self.textEdited.connect(self.mark_right)
        self.returnPressed.connect(self._accept)

    def open_over(self, bar: QTabBar, place: int, name: str) -> None:
        """Opens with all of the name selected."""
        self._old = name
        self.setText(name)
        self.mark_right()
        room = bar.tabRect(place)
        self.setGeometry(room.left() + 4, 4, max(room.width() - 8, 96), HEIGHT - 8)
        self.show()
        self.raise_()
        self.selectAll()
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def mark_wrong(self) -> None:
        """Shows that this name cannot be given."""
        self._mark("error")

    def mark_right(self) -> None:
        """Takes that back."""
        self._mark("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape closes the field."""
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leaving gives up."""
        super().focusOutEvent(event)
        self.hide()

    def _accept(self) -> None:
        if self.text() == self._old:
            self._leave()
        else:
            self.accepted.emit(self._old, self.text())

    def _leave(self) -> None:
        self.hide()
        self._bar.setFocus(Qt.FocusReason.OtherFocusReason)

    def _mark(self, state: str) -> None:
        if self.property("state") != state:
            self.setProperty("state", state)
            self.style().unpolish(self)
            self.style().polish(self)
