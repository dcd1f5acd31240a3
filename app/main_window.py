"""The window: places the panels, menus and tabs around the canvas, and carries out commands."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QDragEnterEvent, QDropEvent, QResizeEvent
from PySide6.QtWidgets import QMainWindow, QMenu, QStackedWidget, QToolTip, QVBoxLayout, QWidget

from app import comfort
from app.banner import Banner
from app.canvas.accessible import install
from app.canvas.canvas import Canvas
from app.canvas.corner import Corner
from app.canvas.live_region import LiveRegion
from app.canvas.look import Overlay
from app.canvas.picking import Target
from app.canvas.picture import file_thumbnail
from app.canvas.tips import plain_tip
from app.clipboard import Clipboard
from app.command_box import CommandBox
from app.commands import COMMANDS, Command, bindables, make_action, set_icon, set_keys
from app.dialogs import Dialogs
from app.docking import Docking
from app.documents import SUFFIX, Documents
from app.editor import Editor
from app.keys import Keys
from app.live.evaluator import InlineEvaluator
from app.live.scheduler import MakeEvaluator
from app.live.session import Session
from app.look.appearance import Appearance, Choice
from app.look.theme import Theme
from app.menus import MenuBar, context_menu
from app.navigation import go_to, go_to_wire
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
from app.panels.welcome import SHOW_KEY, WelcomePage
from app.pictures import Pictures
from app.placing import Placer
from app.settings import Settings
from app.tensors import Tensors
from app.tips import Tips
from app.toolbar import NARROW, ToolBar
from app.tour import Tour
from app.viewing import Viewing
from app.window_list import WindowList
from app.wires_table import WiresTable
from app.words import tr
from engine.expand import Link
from engine.graph import Graph
from engine.problems import Problem

SAYING_MS = 8000


class MainWindow(QMainWindow):
    """One window with at most one document; without one it shows the welcome page. `windows` are all that are open.

    `refreshed` comes after menus and toolbar show what is possible now.
    """

    refreshed = Signal()
    settings: Settings
    keys: Keys
    box: CommandBox
    tour: Tour
    toolbar: ToolBar
    appearance: Appearance
    session: Session
    canvas: Canvas
    canvas_corner: Corner
    editor: Editor
    pages: Pages
    clipboard: Clipboard
    pictures: Pictures
    placer: Placer
    viewing: Viewing
    documents: Documents
    dialogs: Dialogs
    tensors: Tensors
    docking: Docking
    wires: WiresTable
    docks: dict[str, Dock]
    actions_by_id: dict[str, QAction]
    has_document: bool
    shows_only_canvas: bool
    title: str
    windows: WindowList

    def __init__(
        self,
        settings: Settings,
        appearance: Appearance,
        make_evaluator: MakeEvaluator,
        windows: WindowList | None = None,
    ) -> None:
        super().__init__()
        self.windows = windows or WindowList()
        self.windows.add(self)
        self.setObjectName("main_window")
        self.setMinimumSize(1024, 640)
        self.setAcceptDrops(True)
        self.setDockNestingEnabled(False)
        self.settings, self.appearance, self._make_evaluator = settings, appearance, make_evaluator
        self.keys = Keys(settings, bindables(), self)
        self.has_document = False
        self.shows_only_canvas = False
        self._is_unasked = False
        self.title = ""
        self.documents, self.dialogs = Documents(self), Dialogs(self)
        # What the canvas and the panels show while there is no document.
        self.session = Session(Graph(), InlineEvaluator, parent=self)
        self._build_center()
        self._build_panels()
        self._build_commands()
        self.box = CommandBox(self)
        self.tour, self.tips = Tour(self), Tips(self)
        self._refresh_timer = QTimer(self)
        self._refresh_timer.setSingleShot(True)
        self._refresh_timer.timeout.connect(self.refresh)
        self._connect_session()
        appearance.changed.connect(self._restyle)
        self.texts = PanelTexts(self)
        comfort.apply(self)
        settings.changed.connect(self._take_setting)
        self.resize(QSize(1600, 1000))
        self.restoreGeometry(settings.state("window"))
        self.restoreState(settings.state("panels"))
        self.show_welcome()

    # Building

    def _build_center(self) -> None:
        install()
        self.canvas = Canvas(self.session, self.appearance)
        self.live_region = LiveRegion(self.canvas)
        self.editor = Editor(self.canvas)
        self.pages = Pages(self.canvas)
        self.clipboard = Clipboard(self.canvas)
        self.canvas_corner = Corner(self.canvas, self.appearance)
        self.tabs = PageTabs(self.session, self.appearance)
        self.tabs.use_requested.connect(self.pages.use)
        self.banner = Banner(self.appearance)
        self.banner.clicked.connect(self._act_on_banner)
        self._editor_page = QWidget()
        layout = QVBoxLayout(self._editor_page)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for widget in (self.tabs, self.banner, self.canvas):
            layout.addWidget(widget)
        layout.setStretchFactor(self.canvas, 1)
        self.welcome = WelcomePage(self.settings, self.appearance, file_thumbnail)
        self.welcome.learn_requested.connect(self._learn)
        self.welcome.new_requested.connect(self.documents.new)
        self.welcome.open_requested.connect(self.documents.ask_open)
        self.welcome.path_requested.connect(self.documents.open)
        self.welcome.example_requested.connect(self.documents.open_example)
        self._stack = QStackedWidget(self)
        self._stack.addWidget(self.welcome)
        self._stack.addWidget(self._editor_page)
        self.setCentralWidget(self._stack)
        self.search = SearchPopup(self.appearance, self)
        self.placer = Placer(self.canvas, self.editor, self.pages, self.search)
        self.canvas.menu_requested.connect(self._open_menu)
        self.canvas.backspace_pressed.connect(self._delete)
        self.canvas.said.connect(self._say_briefly)
        self.canvas.zoom_changed.connect(self._refresh_soon)
        self.pictures = Pictures(self)
        self.viewing = Viewing(self, self._editor_page)
        self.viewing.places.changed.connect(self._refresh_soon)

    def _build_panels(self) -> None:
        self.palette_panel = BlockPalette(self.appearance)
        self.palette_panel.block_chosen.connect(self._place_in_middle)
        self.help = BlockHelp(self.appearance, self)
        self.palette_panel.help_wanted.connect(self.help.show_type)
        self.inspector = Inspector(self.session, self.appearance)
        self.tensors = Tensors(self.canvas, self.appearance, self)
        self.canvas.tensor_requested.connect(self.tensors.edit)
        self.inspector.tensor_requested.connect(self.tensors.edit)
        self.problems = ProblemsPanel(self.session, self.appearance, self.settings)
        for panel in (self.inspector, self.problems):
            panel.place_chosen.connect(self.go_to)
        self.slice = SliceView(self.session, self.appearance)
        self.inspector.element_chosen.connect(self.slice.choose_element)
        self.status = StatusBar(self.session, self.appearance)
        self.docking = Docking(self)
        self.docks, self.folding = self.docking.docks, self.docking.folding
        self.wires = WiresTable(self.canvas, self.appearance, self)
        self.status.alarm_clicked.connect(self.go_to_wire)
        self.setStatusBar(self.status)

    def _build_commands(self) -> None:
        self.actions_by_id = {}
        for command in COMMANDS:
            action = make_action(command, self)
            self.actions_by_id[command.id] = action
            (self.canvas if command.on_canvas else self).addAction(action)
        self.menu = MenuBar(self)
        self.setMenuBar(self.menu)
        self.toolbar = ToolBar(self)
        self.addToolBar(self.toolbar)
        # Keys of the canvas, and without a document it is not there to be pressed on.
        self.welcome.addAction(self.actions_by_id["keyboard_map"])
        self.keys.changed.connect(self._show_keys)
        self._show_keys()
        self._restyle(self.appearance.theme)

    def _show_keys(self) -> None:
        for command in COMMANDS:
            set_keys(self.actions_by_id[command.id], command, self.keys)
        self.canvas.pan_keys, self.canvas.search_key = self.keys.of("hold_to_pan"), self.keys.shown("search")
        self.palette_panel.show_key(self.keys.shown("search"))
        self.inspector.show_key(self.keys.shown("search"))
        self.toolbar.show_keys()
        self.welcome.show_keys(self.keys)

    # The document shown

    def show_graph(
        self,
        graph: Graph,
        path: Path | None = None,
        notices: tuple[Problem, ...] = (),
        title: str = "",
    ) -> None:
        """Shows a graph as the document of this window, in place of the one before."""
        old = self.session
        self._disconnect_session()
        self.session = Session(graph, self._make_evaluator, path, notices, parent=self)
        self.has_document = True
        self.title = path.stem if path is not None else title or tr("untitled")
        for part in (self.canvas, self.docking, self.tabs, self.status, self.live_region, self.tensors):
            part.set_session(self.session)
        self._connect_session()
        old.close()
        old.deleteLater()
        self._stack.setCurrentWidget(self._editor_page)
        self._show_panels(not self.shows_only_canvas)
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)
        QTimer.singleShot(0, self.canvas, self.canvas.fit_page)
        self.refresh()

    def leave_graph(self) -> None:
        """Closes the document and shows the welcome page."""
        self.show_graph(Graph())
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
            if path.exists() or path.suffix != SUFFIX:
                self.documents.open(path)
            else:
                self.show_graph(Graph(), path.absolute())
        elif not self.settings.flag(SHOW_KEY, True):
            self.show_graph(Graph())
        else:
            self.tour.offer()

    @property
    def shows_welcome(self) -> bool:
        """Whether the welcome page is shown."""
        return self._stack.currentWidget() is self.welcome

    def _show_panels(self, are_shown: bool) -> None:
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
        if not self._refresh_timer.isActive():
            self._refresh_timer.start(0)

    def refresh(self) -> None:
        """Shows in menus, toolbar, banner and title what is possible and what is on."""
        for command in COMMANDS:
            action = self.actions_by_id[command.id]
            action.setEnabled(command.is_possible is None or command.is_possible(self))
            if command.is_on is not None:
                action.setChecked(command.is_on(self))
        if self.has_document:
            document = self.session.document
            undo = document.undo_text
            self.actions_by_id["undo"].setText(tr("Undo {edit}", edit=undo) if undo else tr("Undo"))
            redo = document.redo_text
            self.actions_by_id["redo"].setText(tr("Redo {edit}", edit=redo) if redo else tr("Redo"))
        is_shown = self.has_document and not self.shows_welcome
        name = f"{self.title}{SUFFIX}" if is_shown and self.session.document.path else self.title
        self.menu.set_document_name(tr("Welcome") if not is_shown else name)
        self.setWindowTitle(f"{name}[*] - Gradwire" if is_shown else "Gradwire")
        self.setWindowModified(is_shown and not self.session.document.is_saved)
        self.toolbar.refresh()
        self.banner.show_state(self.session if is_shown else None)
        self.refreshed.emit()

    def _restyle(self, theme: Theme) -> None:
        for command in COMMANDS:
            set_icon(self.actions_by_id[command.id], command, theme)
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
        order = list(Overlay)
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
        self.viewing.places.jump(lambda: go_to(self.canvas, path))

    def go_to_wire(self, link: Link) -> None:
        """Selects a wire of a run and brings it into view."""
        self.viewing.places.jump(lambda: go_to_wire(self.canvas, link))

    def _delete(self) -> None:
        self.actions_by_id["delete"].trigger()

    def _act_on_banner(self, what: str) -> None:
        if what == "stops":
            self.session.set_ignores_stops(False)
        elif what == "long":
            self.session.set_live(False)
        else:
            self.editor.add_loss()

    def _learn(self, command: str) -> None:
        self.actions_by_id[command].trigger()

    def _place_in_middle(self, name: str) -> None:
        if self.has_document:
            self.placer.place_in_middle(name)

    def _open_menu(self, at: QPoint, target: Target) -> None:
        menu: QMenu = context_menu(self, target)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.tips.watch(menu)
        menu.popup(at)

    # The window itself

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Makes room where the window is narrow: the inspector folds to a strip, the toolbar drops texts."""
        super().resizeEvent(event)
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
        if not (self._is_unasked or self.documents.may_leave()):
            event.ignore()
            return
        self.settings.set_state("window", self.saveGeometry())
        if not self.shows_welcome:
            self.settings.set_state("panels", self.saveState())
        self.settings.sync()
        self.session.close()
        self.windows.remove(self)
        event.accept()

    def another(self) -> MainWindow:
        """One more window with the same settings and theme."""
        return MainWindow(self.settings, self.appearance, self._make_evaluator, self.windows)

    def come_forward(self) -> None:
        """Shows this window above the others."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.raise_()
        self.activateWindow()

    def close_unasked(self) -> None:
        """Closes without the question about unsaved changes, which has been answered."""
        self._is_unasked = True
        self.close()
