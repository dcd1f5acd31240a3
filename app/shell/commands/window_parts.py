"""The parts of one window, for its commands and bars."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow

from gradwire.app.base.settings import Settings
from gradwire.app.canvas.access.live_region import LiveRegion
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.overlays.corner import Corner
from gradwire.app.canvas.overlays.edge_arrows import EdgeArrows
from gradwire.app.features.help.first_steps import FirstSteps
from gradwire.app.features.help.tour import Tour
from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.features.pages.page_tabs import PageTabs
from gradwire.app.features.pages.round_bar import RoundBar
from gradwire.app.features.palette.block_help import BlockHelp
from gradwire.app.features.palette.palette import BlockPalette
from gradwire.app.features.palette.search_popup import SearchPopup
from gradwire.app.features.problems.problems import ProblemsPanel
from gradwire.app.features.slice.slice_view import SliceView
from gradwire.app.features.welcome.welcome import WelcomePage
from gradwire.app.live.keys import Keys
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.commands.dialogs import Dialogs
from gradwire.app.shell.documents.comparing import Comparing
from gradwire.app.shell.documents.documents import Documents
from gradwire.app.shell.documents.exports.pictures import Pictures
from gradwire.app.shell.documents.exports.web_pages import WebPages
from gradwire.app.shell.documents.shown_document import ShownDocument
from gradwire.app.shell.documents.window_list import OpenWindow, WindowList
from gradwire.app.shell.status.status_bar import StatusBar
from gradwire.app.shell.window.banner import Banner
from gradwire.app.shell.window.clipboard import Clipboard
from gradwire.app.shell.window.docking import Docking
from gradwire.app.shell.window.editor import Editor
from gradwire.app.shell.window.pages import Pages
from gradwire.app.shell.window.placing import Placer
from gradwire.app.shell.window.refreshing import Refreshing
from gradwire.app.shell.window.sayings import Sayings
from gradwire.app.shell.window.tensors import Tensors
from gradwire.app.shell.window.viewing import Viewing
from gradwire.app.shell.window.window_layout import WindowLayout


@dataclass(frozen=True)
class WindowParts:
    """The parts of one window. Commands act on them; the parts themselves know only what each of them uses.

    `frame` is the widget around them, `window` the same as the other windows know it.
    `actions_by_id` has the actions of the commands once these are made. `open_box` opens the command box,
    `open_beside` one more window.
    """

    frame: QMainWindow
    window: OpenWindow
    settings: Settings
    appearance: Appearance
    keys: Keys
    windows: WindowList
    document: ShownDocument
    documents: Documents
    layout: WindowLayout
    refreshing: Refreshing
    sayings: Sayings
    canvas: Canvas
    canvas_corner: Corner
    edge_arrows: EdgeArrows
    live_region: LiveRegion
    editor: Editor
    pages: Pages
    tabs: PageTabs
    rounds: RoundBar
    banner: Banner
    welcome: WelcomePage
    search: SearchPopup
    clipboard: Clipboard
    pictures: Pictures
    web_pages: WebPages
    placer: Placer
    viewing: Viewing
    dialogs: Dialogs
    comparing: Comparing
    palette_panel: BlockPalette
    help: BlockHelp
    inspector: Inspector
    problems: ProblemsPanel
    slice: SliceView
    status: StatusBar
    tensors: Tensors
    docking: Docking
    tour: Tour
    first_steps: FirstSteps
    actions_by_id: dict[str, QAction]
    open_box: Callable[[], None]
    open_beside: Callable[[], OpenWindow]

    @property
    def session(self) -> Session:
        """The session of the document shown; that of an empty graph if there is none."""
        return self.document.session

    @property
    def has_document(self) -> bool:
        """Whether a document is open."""
        return self.document.is_open
