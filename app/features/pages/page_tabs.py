"""One tab for each page, and inside a used page the path to it."""

from __future__ import annotations

from collections.abc import Callable, Set
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QTabBar, QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.pages.breadcrumb import Breadcrumb
from gradwire.app.features.pages.page_bar import HEIGHT, NameField, PageBar
from gradwire.app.kit import own_gradients
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.session_widget import SessionWidget
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.readings.loss_state import is_loss_broken
from gradwire.app.live.readings.readings import Results
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import STRETCH, make_row, make_tool, named, pop_up
from gradwire.engine.autodiff.page_uses import PageUses
from gradwire.engine.edits import edits
from gradwire.engine.graph.graph import Graph, Page, keeps_blocks
from gradwire.engine.graph.own_gradients import pages_with_gradient

SPACING = 2
# A document of more pages has tabs of used ones only after they were shown, and only of the last.
MANY, LAST = 12, 6


class PageTabs(SessionWidget):
    """The tabs above the canvas. They show the session's pages, and edit them through the session.

    `use_requested(name)` asks for a block on the current page that uses another page.
    """

    use_requested = Signal(str)

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance, name="page_tabs", height=HEIGHT, filled=True)
        self._names: list[str] = []
        self._alarmed: frozenset[str] = frozenset()
        # Used pages of a large document, and those of them whose tab the user closed.
        self._inner: frozenset[str] = frozenset()
        self._closed: set[str] = set()
        self._bar = self._made_bar()
        self._editor = NameField(self._bar)
        self._editor.accepted.connect(self._rename)
        self._breadcrumb = Breadcrumb(current, self)
        self._is_wanted = True
        make_row(self._bar, self._breadcrumb, STRETCH, inside=self, margins=0, spacing=SPACING)
        current.changed.connect(self._begin_document)
        current.page_changed.connect(self._update)
        current.graph_changed.connect(self._take_graph)
        current.results_changed.connect(self._take_results)
        self._begin_document()
        appearance.changed.connect(self._repaint)

    def set_wanted(self, is_wanted: bool) -> None:
        """Lets the tabs be shown; with one page alone there are none to choose from."""
        self._is_wanted = is_wanted
        self._show_itself()

    def _show_itself(self) -> None:
        self.setVisible(self._is_wanted and (self._tabs_in_sight() > 1 or not self._breadcrumb.isHidden()))

    def rename_page(self, name: str) -> None:
        """Lets the user type a new name over the tab of a page."""
        self._editor.open_over(self._names.index(name), name)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Renames the current page on F2."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and event.key() == Qt.Key.Key_F2:
            self.rename_page(self.session.page_name)
            return True
        return super().eventFilter(watched, event)

    def _made_bar(self) -> QTabBar:
        bar = PageBar(self)
        bar.installEventFilter(self)
        bar.currentChanged.connect(self._show)
        bar.tabBarDoubleClicked.connect(self._rename_tab)
        bar.tabMoved.connect(self._follow)
        bar.dropped.connect(self._move)
        bar.customContextMenuRequested.connect(self._open_menu)
        return bar

    def _begin_document(self, *_: object) -> None:
        self._state: tuple[object, ...] = ()
        self._dressed: tuple[object, ...] = ()
        self._closed.clear()
        self._editor.hide()
        self._take_results(self.session.results)
        self._update()

    def _take_results(self, results: Results | None) -> None:
        """Marks the pages where NaN or infinity arises that makes the loss so."""
        problems = results.problems if results is not None and is_loss_broken(results) else ()
        alarmed = frozenset(item.at.partition("/")[0] for item in problems if item.code == "nonfinite")
        if alarmed != self._alarmed:
            self._alarmed, self._state, self._dressed = alarmed, (), ()
            self._update()

    def _take_graph(self, old: Graph, new: Graph) -> None:
        if not keeps_blocks(old, new):
            self._update()

    def _update(self) -> None:
        """Updates the tabs from the session; does nothing while only blocks and values change."""
        session = self.session
        names = [page.name for page in session.graph.pages]
        tops = {page.name for page in PageUses(session.graph).top_pages()}
        dressed = (tuple(names), frozenset(tops), tuple(session.graph.gradients.items()))
        state = (*dressed, session.page_name, session.prefix)
        if state == self._state:
            return
        self._state = state
        self._inner = frozenset(names) - tops if len(names) > MANY else frozenset()
        self._closed.discard(session.page_name)
        self._bar.blockSignals(True)
        if dressed != self._dressed or names != self._names:
            self._dressed = dressed
            self._dress(names, tops)
        self._bar.setTabVisible(names.index(session.page_name), True)
        self._bar.setCurrentIndex(names.index(session.page_name))
        for place, page in enumerate(session.graph.pages):
            self._bar.setTabVisible(place, self._is_shown(page, tops))
        self._set_close_buttons()
        self._bar.blockSignals(False)
        self._bar.updateGeometry()
        self._breadcrumb.show_trail()
        self._show_itself()

    def _is_shown(self, page: Page, tops: Set[str]) -> bool:
        """Returns whether a page has a tab: that of a used layer has one only while it is shown, or holds a NaN.

        A network has many layers, a model many modules; the blocks themselves lead to their pages.
        """
        name = page.name
        if name == self.session.page_name or name in self._alarmed:
            return True
        if name in self._inner:
            return name not in self._closed and name in self.session.view.visited[-LAST:]
        return page.template is None or name in tops

    def _dress(self, names: list[str], tops: Set[str]) -> None:
        """Sets the tab, name and icon of each page."""
        gradients, has_focus = self.session.graph.gradients, self._bar.hasFocus()
        # A visible bar would lay out all tabs again at each change; a document may have a thousand.
        self._bar.hide()
        if names != self._names:
            self._rebuild(names)
        for place, name in enumerate(names):
            self._bar.setTabText(place, name)
            shape = "grad" if name in gradients.values() else "route" if name in tops else "folder"
            is_alarmed = name in self._alarmed
            look = ("warn", "alarm") if is_alarmed else (shape, "text.secondary")
            self._bar.setTabIcon(place, icon(self._appearance.theme, *look, 14))
            tip = tr("NaN or infinity arises on this page.") if is_alarmed else self._pair_of(name)
            self._bar.setTabToolTip(place, tip)
        self._bar.show()
        if has_focus:
            self._bar.setFocus()

    def _pair_of(self, name: str) -> str:
        """Returns which page gives the gradient of a page, or whose gradient it gives; "" for none."""
        graph = self.session.graph
        if owners := pages_with_gradient(graph, name):
            return literal_tip(tr("Gives the gradient of page {page}", page=", ".join(owners)))
        given = graph.gradients.get(name)
        return "" if given is None else literal_tip(tr("Its own gradient is on page {page}", page=given))

    def _rebuild(self, names: list[str]) -> None:
        self._names = names
        self._editor.hide()
        while self._bar.count():
            self._bar.removeTab(0)
        for name in names:
            self._bar.addTab(name)

    def _tabs_in_sight(self) -> int:
        return sum(map(self._bar.isTabVisible, range(self._bar.count())))

    def _set_close_buttons(self) -> None:
        """Gives each tab a button that removes its page, unless it is the only one in sight."""
        side = QTabBar.ButtonPosition.RightSide
        is_alone = self._tabs_in_sight() == 1
        for place, name in enumerate(self._names):
            old = self._bar.tabButton(place, side)
            button: QWidget | None = old
            if (old is None) is not is_alone:
                button = None if is_alone else self._close_button(name)
                self._bar.setTabButton(place, side, button)
                if old is not None:
                    old.deleteLater()
            if button is not None:
                close, remove = tr("Close the tab of page {name}", name=name), tr("Remove page {name}", name=name)
                text = close if name in self._inner else remove
                named(button, says=text, tip=literal_tip(text))

    def _close_button(self, name: str) -> QToolButton:
        button = make_tool(partial(self._close, name), self._bar, name=f"close_{name}", look="close", size=(22, 22))
        named(button, focus=Qt.FocusPolicy.TabFocus).setIconSize(QSize(11, 11))
        return themed(button, self._appearance, "close", px=11)

    def _show(self, place: int) -> None:
        if 0 <= place < len(self._names):
            self.session.view.show(self._names[place])

    def _close(self, name: str) -> None:
        """Removes a page; of a page in use, which stays where it is used, it closes the tab."""
        (self._close_tab if name in self._inner else self._remove_page)(name)

    def _close_tab(self, name: str) -> None:
        session = self.session
        self._closed.add(name)
        if name == session.page_name:
            others = (other for other in reversed(session.view.visited) if other not in {name, *self._closed})
            tops = PageUses(session.graph).top_pages()
            session.view.show(next((other for other in others if session.graph.has_page(other)), tops[0].name))
        else:
            self._state = ()
            self._update()

    def _remove_page(self, name: str) -> None:
        self.session.apply(tr("Remove page"), edits.remove_page, name)

    def _rename_tab(self, place: int) -> None:
        if 0 <= place < len(self._names):
            self.rename_page(self._names[place])

    # The order of the tabs

    def _follow(self, start: int, end: int) -> None:
        """Keeps the names in the order of the tabs during a drag."""
        self._names.insert(end, self._names.pop(start))

    def _move(self, start: int, end: int) -> None:
        """Moves a page in the graph; if the session refuses, the tab moves back."""
        self.session.apply(tr("Move page"), edits.move_page, self._names[end], end)
        if [page.name for page in self.session.graph.pages] != self._names:
            self._bar.moveTab(end, start)

    # The menu of a tab

    def _open_menu(self, at: QPoint) -> None:
        place = self._bar.tabAt(at)
        # The Menu key sends the middle of the bar, which may lie beside all tabs.
        name = self._names[place if place >= 0 else self._bar.currentIndex()]
        pop_up(self.menu_of(name), self._bar.mapToGlobal(at))

    def menu_of(self, name: str) -> QMenu:
        """Returns the menu of a page."""
        session, place, last = self.session, self._names.index(name), len(self._names) - 1
        menu = named(QMenu(self), "page_menu")
        entries = (
            ("page_rename", tr("Rename"), True, lambda: self.rename_page(name)),
            ("page_duplicate", tr("Duplicate"), True, lambda: self._duplicate(name)),
            ("page_use", tr("Use as a block on this page"), name != session.page_name,
             lambda: self.use_requested.emit(name)),
            ("page_left", tr("Move left"), place > 0, lambda: self._shift(name, place - 1)),
            ("page_right", tr("Move right"), place < last, lambda: self._shift(name, place + 1)),
            *self._gradient_entries(name),
            ("page_remove", tr("Remove"), last > 0, lambda: self._remove_page(name)),
        )  # fmt: skip
        for object_name, text, is_possible, call in entries:
            action = menu.addAction(text)
            action.setObjectName(object_name)
            action.setEnabled(is_possible)
            action.triggered.connect(call)
        return menu

    def _gradient_entries(self, name: str) -> list[tuple[str, str, bool, Callable[[], None]]]:
        """Returns the entries for the own gradient of a page: one that gives it, or those that show and remove it."""
        session, view = self.session, self.session.view
        given = session.graph.gradients.get(name)
        if given is None:
            may_have = bool(own_gradients.ports_of(session.graph.page(name)))
            give = tr("Give this page its own gradient")
            return [("page_give_gradient", give, may_have, lambda: own_gradients.give(session, name))]
        return [
            ("page_show_gradient", tr("Show this page's own gradient"), session.graph.has_page(given),
             lambda: view.show_gradient(view.use_of(name))),
            ("page_remove_gradient", tr("Remove this page's own gradient"), True,
             lambda: own_gradients.remove(session, name)),
        ]  # fmt: skip

    def _duplicate(self, name: str) -> None:
        made = self.session.apply(tr("Duplicate page"), edits.duplicate_page, name)
        if made is not None:
            self.session.view.show(made)

    def _shift(self, name: str, place: int) -> None:
        self.session.apply(tr("Move page"), edits.move_page, name, place)

    # Names and looks

    def _rename(self, old: str, new: str) -> None:
        """Renames a page; if the session refuses, the name stays in the field, marked as invalid."""
        session = self.session
        was_shown = session.page_name == old
        session.apply(tr("Rename page"), edits.rename_page, old, new)
        if session.graph.has_page(old):
            self._editor.mark("error")
            return
        self._editor.hide()
        if was_shown:
            session.view.show(new)

    def _repaint(self) -> None:
        self._state = self._dressed = ()
        self._update()
