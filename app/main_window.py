"""The window: places the panels, menus and tabs around the canvas, and carries out commands.

Until it is furnished it is a frame in the colours of the theme, which is painted before NumPy is imported: what the
parts need is named here for the type checker alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QToolTip, QVBoxLayout, QWidget

from app import comfort
from app.backdrop import Backdrop
from app.look.appearance import Appearance, Choice
from app.look.theme import Theme
from app.look.tips import plain_tip, title_of_file
from app.settings import Settings
from app.window_list import WindowList
from app.words import tr

if TYPE_CHECKING:
    from app.banner import Banner
    from app.canvas.canvas import Canvas
    from app.canvas.corner import Corner
    from app.canvas.live_region import LiveRegion
    from app.canvas.look import Overlay
    from app.canvas.picking import Target
    from app.clipboard import Clipboard
    from app.command_actions import CommandActions
    from app.command_box import CommandBox
    from app.commands import Command
    from app.dialogs import Dialogs
    from app.docking import Docking
    from app.documents import Documents
    from app.editor import Editor
    from app.folding import Folding
    from app.keys import Keys
    from app.live.scheduler import MakeEvaluator
    from app.live.session import Session
    from app.menus import MenuBar
    from app.pages import Pages
    from app.panel_texts import PanelTexts
    from app.panels.block_help import BlockHelp
    from app.panels.docks import Dock
    from app.panels.inspector import Inspector
    from app.panels.page_tabs import PageTabs
    from app.panels.palette import BlockPalette
    from app.panels.problems import ProblemsPanel
    from app.panels.search_popup import SearchPopup
    from app.panels.slice_view import SliceView
    from app.panels.status_bar import StatusBar
    from app.panels.welcome import WelcomePage
    from app.pictures import Pictures
    from app.placing import Placer
    from app.repairing import Repairing
    from app.tensors import Tensors
    from app.tips import Tips
    from app.toolbar import ToolBar
    from app.tour import Tour
    from app.viewing import Viewing
    from app.wires_table import WiresTable
    from engine.expand import Link
    from engine.graph import Graph
    from engine.problems import Problem

SAYING_MS = 8000
# Units: px.
NARROW = 1280


class MainWindow(QMainWindow):
    """One window with at most one document; without one it shows the welcome page. `windows` are all that are open.

    `refreshed` comes after menus and toolbar show what is possible now.
    """

    refreshed = Signal()
    settings: Settings
    keys: Keys
    box: CommandBox
    tour: Tour
    tips: Tips
    texts: PanelTexts
    toolbar: ToolBar
    menu: MenuBar
    appearance: Appearance
    session: Session
    canvas: Canvas
    canvas_corner: Corner
    live_region: LiveRegion
    editor: Editor
    pages: Pages
    tabs: PageTabs
    banner: Banner
    welcome: WelcomePage
    search: SearchPopup
    clipboard: Clipboard
    pictures: Pictures
    placer: Placer
    repairing: Repairing
    viewing: Viewing
    documents: Documents
    dialogs: Dialogs
    palette_panel: BlockPalette
    help: BlockHelp
    inspector: Inspector
    problems: ProblemsPanel
    slice: SliceView
    status: StatusBar
    tensors: Tensors
    docking: Docking
    folding: Folding
    wires: WiresTable
    docks: dict[str, Dock]
    commands: CommandActions
    actions_by_id: dict[str, QAction]
    has_document: bool
    shows_only_canvas: bool
    title: str
    windows: WindowList

    def __init__(
        self,
        settings: Settings,
        appearance: Appearance,
        make_evaluator: MakeEvaluator | None = None,
        windows: WindowList | None = None,
    ) -> None:
        """Without `make_evaluator` the window stays empty until it is furnished."""
        super().__init__()
        self.windows = windows or WindowList()
        self.windows.add(self)
        self.setObjectName("main_window")
        self.setWindowTitle("Gradwire")
        self.setMinimumSize(1024, 640)
        self.setDockNestingEnabled(False)
        self.settings, self.appearance = settings, appearance
        self.is_furnished = self.has_document = self.shows_only_canvas = False
        self._is_unasked = self._has_panels = False
        self.title = ""
        self._refresh_timer = QTimer(self)
        self._refresh_timer.setSingleShot(True)
        self._refresh_timer.timeout.connect(self.refresh)
        comfort.wear(self)
        self.backdrop = Backdrop(appearance)
        self.setCentralWidget(self.backdrop)
        self.resize(QSize(1600, 1000))
        self.restoreGeometry(settings.state("window"))
        if make_evaluator is not None:
            self.furnish(make_evaluator)

    # Building

    def furnish(self, make_evaluator: MakeEvaluator) -> None:
        """Makes all parts of the window and shows the welcome page."""
        from app.furnishing import furnish  # loads NumPy, the engine and all panels

        self.editor_page = QWidget()
        furnish(self, make_evaluator)
        self._place_parts()
        self._connect_center()
        self._connect_panels()
        self._connect_session()
        self.appearance.changed.connect(self._restyle)
        self.settings.changed.connect(self._take_setting)
        self.setAcceptDrops(True)
        self.is_furnished = True
        self._fold_where_narrow()
        self.show_welcome()

    def _place_parts(self) -> None:
        layout = QVBoxLayout(self.editor_page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.tabs, self.banner, self.canvas):
            layout.addWidget(widget)
        layout.setStretchFactor(self.canvas, 1)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.welcome)
        self._stack.addWidget(self.editor_page)
        self.setStatusBar(self.status)
        self.setMenuBar(self.menu)
        self.addToolBar(self.toolbar)
        # Keys of the canvas, and without a document it is not there to be pressed on.
        self.welcome.addAction(self.actions_by_id["keyboard_map"])
        self.keys.changed.connect(self._show_keys)
        self._show_keys()
        self._restyle(self.appearance.theme)
        self.setCentralWidget(self._stack)

    def _connect_center(self) -> None:
        self.tabs.use_requested.connect(self.pages.use)
        self.banner.clicked.connect(self._act_on_banner)
        self.welcome.learn_requested.connect(self._learn)
        self.welcome.new_requested.connect(self.documents.new)
        self.welcome.open_requested.connect(self.documents.ask_open)
        self.welcome.path_requested.connect(self.documents.open)
        self.welcome.example_requested.connect(self.documents.open_example)
        self.canvas.menu_requested.connect(self._open_menu)
        self.canvas.backspace_pressed.connect(self._delete)
        self.canvas.said.connect(self._say_briefly)
        self.canvas.zoom_changed.connect(self._refresh_soon)
        self.viewing.places.changed.connect(self._refresh_soon)

    def _connect_panels(self) -> None:
        self.palette_panel.block_chosen.connect(self._place_in_middle)
        self.palette_panel.help_wanted.connect(self.help.show_type)
        for widget in (self.canvas, self.inspector):
            widget.tensor_requested.connect(self.tensors.edit)
        for panel in (self.inspector, self.problems):
            panel.place_chosen.connect(self.go_to)
        self.inspector.element_chosen.connect(self.slice.choose_element)
        self.status.alarm_clicked.connect(self.go_to_wire)

    def _show_keys(self) -> None:
        self.commands.show_keys()
        self.canvas.pan_keys, self.canvas.search_key = self.keys.of("hold_to_pan"), self.keys.shown("search")
        self.palette_panel.show_key(self.keys.shown("search"))
        self.inspector.show_key(self.keys.shown("search"))
        self.toolbar.show_keys()
        self.welcome.show_keys(self.keys)

    # The document shown

    def show_graph(
        self,
        graph: Graph | None = None,
        path: Path | None = None,
        notices: tuple[Problem, ...] = (),
        title: str = "",
    ) -> None:
        """Shows a graph, by default an empty one, as the document of this window, in place of the one before."""
        old = self.session
        self._disconnect_session()
        self.session = self.documents.made_session(graph, path, notices)
        self.has_document = True
        self.title = path.stem if path is not None else title or tr("untitled")
        for part in (self.canvas, self.docking, self.tabs, self.status, self.live_region, self.tensors):
            part.set_session(self.session)
        self._connect_session()
        old.close(waits=False)
        old.deleteLater()
        self._stack.setCurrentWidget(self.editor_page)
        self._show_panels(not self.shows_only_canvas)
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        QTimer.singleShot(0, self.canvas, self.canvas.fit_page)
        self.refresh()

    def leave_graph(self) -> None:
        """Closes the document and shows the welcome page."""
        self.show_graph()
        self.has_document = False
        self.show_welcome()

    def show_welcome(self) -> None:
        """Shows the welcome page; the document stays open behind it."""
        self.welcome.refresh()
        self._stack.setCurrentWidget(self.welcome)
        self._show_panels(False)
        self.refresh()

    def start(self, path: Path | None = None) -> None:
        """What the window shows first: a file, the welcome page, or an empty graph where that is not wanted."""
        if path is not None:
            self.documents.open_or_begin(path)
        elif not self.welcome.is_wanted:
            self.documents.new()
        else:
            self.tour.offer()

    @property
    def shows_welcome(self) -> bool:
        """Whether the welcome page is shown."""
        return self._stack.currentWidget() is self.welcome

    def _show_panels(self, are_shown: bool) -> None:
        if are_shown and not self._has_panels:
            self._has_panels = True
            # Sizes belong to what is seen: Qt forgets those of panels that are hidden in a window that is shown.
            self.docking.show(True)
            self.docking.give_sizes(comfort.text_size(self) / 100)
            self.restoreState(self.settings.state("panels"))
        self.docking.show(are_shown)
        self.toolbar.setVisible(not self.shows_welcome and not self.shows_only_canvas)
        self.tabs.setVisible(not self.shows_only_canvas)
        self.status.setVisible(not self.shows_welcome and not self.shows_only_canvas)

    def _signals(self) -> list[tuple[object, object]]:
        session = self.session
        return [
            (session.graph_changed, self._refresh_soon),
            (session.results_changed, self._refresh_soon),
            (session.selection_changed, self._refresh_soon),
            (session.mode_changed, self._refresh_soon),
            (session.saved_changed, self._refresh_soon),
            (session.page_changed, self._refresh_soon),
            (session.path_changed, self._path_changed),
            (session.file_turned, self._refresh_soon),
            (session.refused, self.say),
        ]

    def _connect_session(self) -> None:
        for signal, slot in self._signals():
            signal.connect(slot)  # type: ignore[attr-defined]  # PySide6 types signals as class attributes

    def _disconnect_session(self) -> None:
        for signal, slot in self._signals():
            signal.disconnect(slot)  # type: ignore[attr-defined]

    def _path_changed(self, path: Path) -> None:
        self.title = path.stem
        self.viewing.bookmarks.write(self.session)
        self.refresh()

    # Showing the state

    def _refresh_soon(self, *_: object) -> None:
        if self.is_furnished and not self._refresh_timer.isActive():
            self._refresh_timer.start(0)

    def refresh(self) -> None:
        """Shows in menus, toolbar, banner and title what is possible and what is on."""
        self.commands.refresh()
        is_shown = self.has_document and not self.shows_welcome
        name = self.documents.name
        self.menu.set_document_name(tr("Welcome") if not is_shown else name)
        self.setWindowTitle(title_of_file(name) if is_shown else "Gradwire")
        self.setWindowModified(is_shown and not self.session.document.is_saved)
        self.toolbar.refresh()
        self.banner.show_state(self.session if is_shown else None)
        self.refreshed.emit()

    def _restyle(self, theme: Theme) -> None:
        self.commands.restyle(theme)
        self.toolbar.restyle()

    def say(self, sentence: str) -> None:
        """Says why something was refused, beside the pointer and in the status bar."""
        self.status.showMessage(sentence, SAYING_MS)
        at = self.canvas.mapToGlobal(self.canvas.pointer.view.toPoint())
        QToolTip.showText(at, plain_tip(sentence), self.canvas, msecShowTime=SAYING_MS)

    def _say_briefly(self, reason: str) -> None:
        if reason:
            self.status.showMessage(reason, SAYING_MS)
        else:
            self.status.clearMessage()

    # Commands

    def run(self, command: Command) -> None:
        """Carries out a command, if it is possible; what the mouse is in the middle of is cancelled first."""
        self.canvas.let_go()
        if command.is_possible is None or command.is_possible(self):
            command.call(self)
        self._refresh_soon()

    def set_overlay(self, overlay: Overlay) -> None:
        """Shows gradients in another way."""
        self.canvas.set_overlay(overlay)
        self._refresh_soon()

    def next_overlay(self, step: int) -> None:
        """Shows gradients in the next way."""
        order = list(type(self.canvas.overlay))
        self.set_overlay(order[(order.index(self.canvas.overlay) + step) % len(order)])

    def toggle_corner(self) -> None:
        """Shows or hides minimap and legend."""
        self.canvas_corner.set_shown(not self.canvas_corner.is_shown)

    def choose_theme(self, choice: Choice) -> None:
        """Chooses a theme and remembers it."""
        self.appearance.choose(choice)
        self.settings.set_text("theme", choice)
        self.refresh()

    def toggle_only_canvas(self) -> None:
        """Hides everything but the canvas, or shows it again."""
        self.shows_only_canvas = not self.shows_only_canvas
        self._show_panels(not self.shows_only_canvas)
        self.menu.setVisible(not self.shows_only_canvas)

    def _take_setting(self, key: str) -> None:
        comfort.take(self, key)

    def show_slice(self) -> None:
        """Unfolds the slice of the loss and moves the keyboard there."""
        self.docks["slice"].set_folded(False)
        self.slice.plot.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_block_help(self) -> None:
        """Shows the help page of the selected block."""
        block = self.session.page.blocks[min(self.session.selection.blocks)]
        self.help.show_type(block.type)

    def go_to(self, path: str) -> None:
        """Selects the block of a qualified path and brings it into view."""
        self.viewing.go_to(path)

    def go_to_wire(self, link: Link) -> None:
        """Selects a wire of a run and brings it into view."""
        self.viewing.go_to_wire(link)

    def _delete(self) -> None:
        self.actions_by_id["delete"].trigger()

    def _act_on_banner(self, what: str) -> None:
        if what == "stops":
            self.session.set_ignores_stops(False)
        elif what == "long":
            self.session.set_live(False)
        elif what == "loss":
            self.editor.add_loss()

    def _learn(self, command: str) -> None:
        self.actions_by_id[command].trigger()

    def _place_in_middle(self, name: str) -> None:
        if self.has_document:
            self.placer.place_in_middle(name)

    def _open_menu(self, at: QPoint, target: Target) -> None:
        menu = self.menu.context_menu(target)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.tips.watch(menu)
        menu.popup(at)

    # The window itself

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Makes room where the window is narrow: the inspector folds to a strip, the toolbar drops texts."""
        super().resizeEvent(event)
        if self.is_furnished:
            self._fold_where_narrow()

    def _fold_where_narrow(self) -> None:
        is_narrow = self.width() < NARROW
        if is_narrow != self.folding.is_narrow:
            self.folding.is_narrow = is_narrow
            self.toolbar.set_narrow(is_narrow)
            self._show_panels(not self.shows_welcome and not self.shows_only_canvas)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Takes files."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Opens the first file that was dropped."""
        files = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if files:
            event.acceptProposedAction()
            if self.has_document and not self.shows_welcome and self.tensors.takes(Path(files[0])):
                self.tensors.place_file(Path(files[0]), QPointF(self.canvas.mapFrom(self, event.position().toPoint())))
                return
            # Not from within the drop: a dialog would keep the other program waiting.
            QTimer.singleShot(0, self, lambda: self.documents.open(Path(files[0])))

    def changeEvent(self, event: QEvent) -> None:
        """Refreshes the commands when the window becomes active."""
        super().changeEvent(event)
        if event.type() is QEvent.Type.ActivationChange:
            self._refresh_soon()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Asks about unsaved changes; then remembers where the panels stood and ends the evaluator."""
        if self.is_furnished:
            if not (self._is_unasked or self.documents.may_leave()):
                event.ignore()
                return
            if not self.shows_welcome:
                self.settings.set_state("panels", self.saveState())
            self.session.close()
            self.documents.end()
        self.settings.set_state("window", self.saveGeometry())
        self.settings.sync()
        self.windows.remove(self)
        event.accept()

    def another(self) -> MainWindow:
        """One more window with the same settings and theme."""
        return MainWindow(self.settings, self.appearance, self.documents.make_evaluator, self.windows)

    def come_forward(self) -> None:
        """Shows this window above the others."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def close_unasked(self) -> None:
        """Closes without the question about unsaved changes, which has been answered."""
        self._is_unasked = True
        self.close()
