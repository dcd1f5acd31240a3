"""The parts of one window, for its commands and bars."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gradwire.app.base.examples import FIRST_GRAPH
from gradwire.app.base.translation import tr
from gradwire.app.canvas.access.live_region import LiveRegion
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.overlays.corner import Corner
from gradwire.app.canvas.overlays.edge_arrows import EdgeArrows
from gradwire.app.canvas.painting.picture import file_thumbnail
from gradwire.app.features.help.first_steps import FirstSteps
from gradwire.app.features.help.tour import Tour, TourStage
from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.features.pages.page_tabs import PageTabs
from gradwire.app.features.pages.round_bar import RoundBar
from gradwire.app.features.palette.block_help import BlockHelp
from gradwire.app.features.palette.palette import BlockPalette
from gradwire.app.features.palette.search_popup import SearchPopup
from gradwire.app.features.problems.problems import ProblemsPanel
from gradwire.app.features.slice.slice_view import SliceView
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.features.welcome.welcome import WelcomePage
from gradwire.app.live.keys import Bindable, Keys
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.live.session import Session
from gradwire.app.shell.commands.dialogs import Dialogs
from gradwire.app.shell.documents.comparing import Comparing
from gradwire.app.shell.documents.context import DocumentContext, Frame
from gradwire.app.shell.documents.documents import Documents
from gradwire.app.shell.documents.exports.pictures import Pictures
from gradwire.app.shell.documents.exports.web_pages import WebPages
from gradwire.app.shell.documents.repairing import Repairing
from gradwire.app.shell.documents.shown_document import ShownDocument
from gradwire.app.shell.features import FEATURES
from gradwire.app.shell.status.status_bar import StatusBar
from gradwire.app.shell.window.banner import Banner
from gradwire.app.shell.window.clipboard import Clipboard
from gradwire.app.shell.window.docking import Docking, Panels
from gradwire.app.shell.window.editor import Editor
from gradwire.app.shell.window.pages import Pages
from gradwire.app.shell.window.placing import Placer
from gradwire.app.shell.window.refreshing import Refreshing
from gradwire.app.shell.window.sayings import Sayings
from gradwire.app.shell.window.tensors import Tensors
from gradwire.app.shell.window.viewing import Viewing
from gradwire.app.shell.window.window_layout import WindowLayout


class WindowParts:
    """The parts of one window. Commands act on them; the parts themselves know only what each of them uses.

    `frame` is the widget around them, `window` the same as the other windows know it.
    `actions_by_id` has the actions of the commands once these are made. `open_box` opens the command box,
    `open_beside` one more window.
    """

    open_box: Callable[[], None]

    def __init__(self, frame: Frame, make_evaluator: MakeEvaluator, bindables: Sequence[Bindable]) -> None:
        """`bindables` are the commands as what can have keys."""
        self.frame, self.window, self.windows = frame.widget, frame.window, frame.windows
        self.settings, self.appearance, self.open_beside = frame.settings, frame.appearance, frame.open_beside
        self.document, self._editor_page = ShownDocument(make_evaluator, self.frame), QWidget()
        self.actions_by_id: dict[str, QAction] = {}
        self.keys = Keys(self.settings, bindables, self.frame)
        self._context = DocumentContext(frame, self.document)
        self._make_center()
        self._make_panels()
        self._make_documents()
        self._make_surroundings()
        self._make_helpers()

    def _make_center(self) -> None:
        current, appearance = self.document.current, self.appearance
        # First, for it takes its room before the canvas fits a page.
        self.rounds = RoundBar(current, appearance)
        self.canvas = canvas = Canvas(current, appearance)
        self.live_region, self.editor, self.pages = LiveRegion(canvas), Editor(canvas), Pages(canvas)
        self.clipboard = Clipboard(canvas)
        self.tabs, self.banner = PageTabs(current, appearance), Banner(current, appearance)
        self.welcome = WelcomePage(self.settings, appearance, file_thumbnail)
        self.search = SearchPopup(appearance, self.frame)
        self.viewing = Viewing(canvas, self.live_region, appearance, self.settings, self._editor_page)

    def _make_panels(self) -> None:
        current, appearance = self.document.current, self.appearance
        self.palette_panel, self.inspector = BlockPalette(appearance), Inspector(current, appearance, FEATURES)
        self.problems = ProblemsPanel(current, appearance, self.settings)
        self.slice = SliceView(current, appearance)
        panels = Panels(self.palette_panel, self.inspector, self.problems, self.slice)
        self.docking = Docking(
            self.frame, panels, self.canvas, self.viewing, appearance, self.settings, self.run, self._editor_page
        )

    def run(self, command: str) -> None:
        """Runs the command of an id, if it is possible."""
        self.actions_by_id[command].trigger()

    def _make_documents(self) -> None:
        """Makes what opens, saves and compares documents, and the dialogs, which ask for these."""
        context = self._context
        self.repairing = Repairing(self.document, lambda: self.docking.show_lens("problems"))
        self.documents = Documents(context, self.repairing, lambda path: self.dialogs.show_versions(path))
        self.comparing = Comparing(context, self.docking)
        self.dialogs = Dialogs(context, self.canvas, self.keys, self.comparing)

    def _make_surroundings(self) -> None:
        canvas, appearance = self.canvas, self.appearance
        above = self.tabs, self.rounds, self.banner
        self.layout = WindowLayout(
            self.frame, self._editor_page, canvas, *above, self.welcome, self.docking, self.settings
        )
        self.status = StatusBar(self.document.current, appearance)
        self.canvas_corner = Corner(
            canvas, appearance, self.settings, lambda: self.session.part(TrainingDesk).shown_round
        )
        stage = TourStage(self.frame, canvas, self.welcome, self.search)
        opening = self.documents.opening
        self.tour = Tour(
            stage, self.keys, self.settings, appearance, lambda: self.layout.shows_welcome, opening.open_example
        )
        title = tr("Welcome: one broken gradient")
        self.first_steps = FirstSteps(
            stage,
            self.tour,
            self.settings,
            appearance,
            open_graph=lambda: opening.open_untitled(FIRST_GRAPH, title),
            open_example=opening.open_example,
            leave=self.documents.close,
            explain=self.inspector.show_why,
            show_corner=self.canvas_corner.set_shown,
        )

    def _make_helpers(self) -> None:
        canvas, appearance = self.canvas, self.appearance
        self.refreshing = Refreshing(self.document.current, self.frame)
        self.sayings = Sayings(canvas, self.status)
        self.edge_arrows = EdgeArrows(canvas, appearance)
        self.pictures, self.web_pages = Pictures(canvas, self._context), WebPages(self._context)
        self.placer = Placer(canvas, self.editor, self.pages, self.search, self.clipboard)
        self.help = BlockHelp(appearance, self.frame)
        self.tensors = Tensors(canvas, appearance, self.frame)

    @property
    def session(self) -> Session:
        """The session of the document shown; that of an empty graph if there is none."""
        return self.document.session

    @property
    def has_document(self) -> bool:
        """Whether a document is open."""
        return self.document.is_open
