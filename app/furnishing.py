"""What stands in a window: canvas, panels, menus, commands. All that they need is imported with this module."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app import comfort
from app.banner import Banner
from app.canvas.accessible import install
from app.canvas.canvas import Canvas
from app.canvas.corner import Corner
from app.canvas.live_region import LiveRegion
from app.canvas.picture import file_thumbnail
from app.clipboard import Clipboard
from app.command_actions import CommandActions
from app.command_box import CommandBox
from app.commands import bindables
from app.dialogs import Dialogs
from app.docking import Docking
from app.documents import Documents
from app.editor import Editor
from app.keys import Keys
from app.live.evaluator import InlineEvaluator
from app.live.scheduler import MakeEvaluator
from app.live.session import Session
from app.menus import MenuBar
from app.pages import Pages
from app.panel_texts import PanelTexts
from app.panels.block_help import BlockHelp
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
from app.plugin_desk import PluginDesk
from app.repairing import Repairing
from app.tensors import Tensors
from app.tips import Tips
from app.toolbar import ToolBar
from app.tour import Tour
from app.viewing import Viewing
from app.wires_table import WiresTable
from engine.graph import Graph

if TYPE_CHECKING:
    from app.main_window import MainWindow


def furnish(window: MainWindow, make_evaluator: MakeEvaluator) -> None:
    """Makes all parts of a window; it places and connects them itself."""
    window.keys = Keys(window.settings, bindables(), window)
    if not hasattr(window.windows, "plugins"):
        window.windows.plugins = PluginDesk(window.windows, make_evaluator)
    window.windows.plugins.failed.connect(window.say)
    window.documents, window.dialogs = Documents(window, make_evaluator), Dialogs(window)
    # What the canvas and the panels show while there is no document.
    window.session = Session(Graph(), InlineEvaluator, parent=window)
    _make_canvas(window)
    _make_panels(window)
    window.commands = CommandActions(window)
    window.actions_by_id = window.commands.by_id
    window.menu, window.toolbar = MenuBar(window), ToolBar(window)
    window.box, window.tour, window.tips = CommandBox(window), Tour(window), Tips(window)
    window.texts = PanelTexts(window)
    comfort.apply(window)


def _make_canvas(window: MainWindow) -> None:
    install()
    window.canvas = Canvas(window.session, window.appearance)
    window.live_region = LiveRegion(window.canvas)
    window.editor = Editor(window.canvas)
    window.pages = Pages(window.canvas)
    window.clipboard = Clipboard(window.canvas)
    window.canvas_corner = Corner(window.canvas, window.appearance)
    window.tabs = PageTabs(window.session, window.appearance)
    window.banner = Banner(window.appearance)
    window.banner.clicked.connect(window.documents.conflicts.act)
    window.repairing = Repairing(window)
    window.welcome = WelcomePage(window.settings, window.appearance, file_thumbnail)
    window.search = SearchPopup(window.appearance, window)
    window.placer = Placer(window.canvas, window.editor, window.pages, window.search)
    window.pictures = Pictures(window)
    window.viewing = Viewing(window, window.editor_page)


def _make_panels(window: MainWindow) -> None:
    window.palette_panel = BlockPalette(window.appearance)
    window.help = BlockHelp(window.appearance, window)
    window.inspector = Inspector(window.session, window.appearance)
    window.tensors = Tensors(window.canvas, window.appearance, window)
    window.problems = ProblemsPanel(window.session, window.appearance, window.settings)
    window.slice = SliceView(window.session, window.appearance)
    window.status = StatusBar(window.session, window.appearance)
    window.docking = Docking(window)
    window.docks, window.folding = window.docking.docks, window.docking.folding
    window.wires = WiresTable(window.canvas, window.appearance, window)
