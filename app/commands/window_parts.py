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
from gradwire.app.commands.dialogs import Dialogs
from gradwire.app.document.comparing import Comparing
from gradwire.app.document.documents import Documents
from gradwire.app.document.exports.pictures import Pictures
from gradwire.app.document.exports.web_pages import WebPages
from gradwire.app.document.shown_document import ShownDocument
from gradwire.app.document.window_list import OpenWindow, WindowList
from gradwire.app.help.first_steps import FirstSteps
from gradwire.app.help.tour import Tour
from gradwire.app.live.keys import Keys
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.panels.inspector.inspector import Inspector
from gradwire.app.panels.pages.page_tabs import PageTabs
from gradwire.app.panels.pages.round_bar import RoundBar
from gradwire.app.panels.palette.block_help import BlockHelp
from gradwire.app.panels.palette.palette import BlockPalette
from gradwire.app.panels.palette.search_popup import SearchPopup
from gradwire.app.panels.problems.problems import ProblemsPanel
from gradwire.app.panels.slice.slice_view import SliceView
from gradwire.app.panels.status.status_bar import StatusBar
from gradwire.app.panels.welcome.welcome import WelcomePage
from gradwire.app.window.banner import Banner
from gradwire.app.window.clipboard import Clipboard
from gradwire.app.window.docking import Docking
from gradwire.app.window.editor import Editor
from gradwire.app.window.pages import Pages
from gradwire.app.window.placing import Placer
from gradwire.app.window.refreshing import Refreshing
from gradwire.app.window.sayings import Sayings
from gradwire.app.window.tensors import Tensors
from gradwire.app.window.viewing import Viewing
from gradwire.app.window.window_layout import WindowLayout


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
