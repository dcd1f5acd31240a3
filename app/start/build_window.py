"""Makes everything that stands in a window: canvas, panels, menus, commands. All of it is imported with this module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMainWindow, QWidget

from gradwire.app.base.examples import FIRST_GRAPH
from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import tr
from gradwire.app.canvas.access.accessible import install
from gradwire.app.canvas.access.live_region import LiveRegion
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.canvas.overlays.corner import Corner
from gradwire.app.canvas.overlays.edge_arrows import EdgeArrows
from gradwire.app.canvas.painting.picture import file_thumbnail
from gradwire.app.features.help.first_steps import FirstSteps
from gradwire.app.features.help.report_text import Reported
from gradwire.app.features.help.tour import Tour, TourStage
from gradwire.app.features.inspector.inspector import Inspector
from gradwire.app.features.pages.page_tabs import PageTabs
from gradwire.app.features.pages.round_bar import RoundBar
from gradwire.app.features.palette.block_help import BlockHelp
from gradwire.app.features.palette.palette import BlockPalette
from gradwire.app.features.palette.search_popup import SearchPopup
from gradwire.app.features.plugins.plugin_desk import PluginDesk
from gradwire.app.features.problems.problems import ProblemsPanel
from gradwire.app.features.slice.slice_view import SliceView
from gradwire.app.features.welcome.welcome import WelcomePage
from gradwire.app.live.keys import Keys
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.commands.command_actions import CommandActions
from gradwire.app.shell.commands.command_box import CommandBox
from gradwire.app.shell.commands.commands import bindables
from gradwire.app.shell.commands.dialogs import Dialogs
from gradwire.app.shell.commands.menus import MenuBar
from gradwire.app.shell.commands.tips import Tips
from gradwire.app.shell.commands.toolbar import ToolBar
from gradwire.app.shell.commands.window_bars import WindowBars, WindowWiring
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.app.shell.documents.comparing import Comparing
from gradwire.app.shell.documents.documents import Documents
from gradwire.app.shell.documents.exports.pictures import Pictures
from gradwire.app.shell.documents.exports.web_pages import WebPages
from gradwire.app.shell.documents.messages import Messages
from gradwire.app.shell.documents.recovery_dialog import CopyOpener, RecoveryDialog, discards_dialog
from gradwire.app.shell.documents.repairing import Repairing
from gradwire.app.shell.documents.shown_document import ShownDocument
from gradwire.app.shell.documents.versions_dialog import VersionsDialog
from gradwire.app.shell.documents.window_list import OpenWindow, WindowList
from gradwire.app.shell.status.status_bar import StatusBar
from gradwire.app.shell.window import accessibility
from gradwire.app.shell.window.banner import Banner
from gradwire.app.shell.window.clipboard import Clipboard
from gradwire.app.shell.window.docking import Docking, Panels
from gradwire.app.shell.window.editor import Editor
from gradwire.app.shell.window.pages import Pages
from gradwire.app.shell.window.panel_texts import PanelTexts
from gradwire.app.shell.window.placing import Placer
from gradwire.app.shell.window.refreshing import Refreshing
from gradwire.app.shell.window.sayings import Sayings
from gradwire.app.shell.window.tensors import Tensors
from gradwire.app.shell.window.viewing import Viewing
from gradwire.app.shell.window.window_layout import WindowLayout


@dataclass(frozen=True)
class Frame:
    """An empty window that is to be furnished. `beside` gives a window for one more graph, `open_beside` a new one."""

    widget: QMainWindow
    window: OpenWindow
    windows: WindowList
    settings: Settings
    appearance: Appearance
    beside: Callable[[], OpenWindow]
    open_beside: Callable[[], OpenWindow]


def fill(frame: Frame, make_evaluator: MakeEvaluator) -> tuple[WindowParts, WindowBars]:
    """Makes all parts of a window, and places and connects them."""
    if not hasattr(frame.windows, "plugins"):
        windows = frame.windows
        windows.plugins = PluginDesk(make_evaluator, lambda: windows.sessions, windows.learn_blocks)
    install()
    parts = _made_parts(frame, make_evaluator, open_box=lambda: box.open_box())
    parts.windows.plugins.failed.connect(parts.sayings.say)
    commands = CommandActions(parts)
    menu, toolbar = MenuBar(parts), ToolBar(parts)
    box = CommandBox(parts)
    bars = WindowBars(commands, menu, toolbar, box, Tips(parts, toolbar, menu), PanelTexts(parts.frame))
    accessibility.apply(frame.settings, frame.appearance, bars.texts)
    WindowWiring(parts, bars)
    return parts, bars


def _made_parts(frame: Frame, make_evaluator: MakeEvaluator, open_box: Callable[[], None]) -> WindowParts:
    widget, settings, appearance = frame.widget, frame.settings, frame.appearance
    document, editor_page, actions = ShownDocument(make_evaluator, widget), QWidget(), dict[str, QAction]()
    keys, messages = Keys(settings, bindables(), widget), Messages(widget, appearance)
    # First, for it takes its room before the canvas fits a page.
    rounds = RoundBar(document.current, appearance)
    canvas = Canvas(document.current, appearance)
    live_region, editor, pages = LiveRegion(canvas), Editor(canvas), Pages(canvas)
    clipboard = Clipboard(canvas)
    tabs, banner = PageTabs(document.current, appearance), Banner(document.current, appearance)
    welcome, search = WelcomePage(settings, appearance, file_thumbnail), SearchPopup(appearance, widget)
    viewing = Viewing(canvas, live_region, appearance, settings, editor_page)
    panels = _made_panels(document, appearance, settings)
    docking = _made_docking(frame, panels, canvas, viewing, actions, editor_page)
    documents, comparing, dialogs = _made_desk(frame, canvas, document, banner, docking, keys, messages)
    layout = WindowLayout(widget, editor_page, canvas, tabs, rounds, banner, welcome, docking, settings)
    status = StatusBar(document.current, appearance)
    corner = Corner(canvas, appearance, settings)
    stage = TourStage(widget, canvas, welcome, search)
    tour = _made_tour(frame, stage, keys, layout, documents)
    return WindowParts(
        frame=widget,
        window=frame.window,
        settings=settings,
        appearance=appearance,
        keys=keys,
        windows=frame.windows,
        document=document,
        documents=documents,
        layout=layout,
        refreshing=Refreshing(document.current, widget),
        sayings=Sayings(canvas, status),
        canvas=canvas,
        canvas_corner=corner,
        edge_arrows=EdgeArrows(canvas, appearance),
        live_region=live_region,
        editor=editor,
        pages=pages,
        tabs=tabs,
        rounds=rounds,
        banner=banner,
        welcome=welcome,
        search=search,
        clipboard=clipboard,
        pictures=Pictures(canvas, document, documents.dialogs, messages, appearance),
        web_pages=WebPages(widget, document, documents.dialogs, messages),
        placer=Placer(canvas, editor, pages, search, clipboard),
        viewing=viewing,
        dialogs=dialogs,
        comparing=comparing,
        palette_panel=panels.palette,
        help=BlockHelp(appearance, widget),
        inspector=panels.inspector,
        problems=panels.problems,
        slice=panels.slice,
        status=status,
        tensors=Tensors(canvas, appearance, widget),
        docking=docking,
        tour=tour,
        first_steps=_made_first_steps(frame, stage, tour, documents, panels.inspector, corner),
        actions_by_id=actions,
        open_box=open_box,
        open_beside=frame.open_beside,
    )


def _made_docking(
    frame: Frame,
    panels: Panels,
    canvas: Canvas,
    viewing: Viewing,
    actions: Mapping[str, QAction],
    editor_page: QWidget,
) -> Docking:
    def carry_out(command: str) -> None:
        actions[command].trigger()

    return Docking(frame.widget, panels, canvas, viewing, frame.appearance, frame.settings, carry_out, editor_page)


def _made_desk(
    frame: Frame,
    canvas: Canvas,
    document: ShownDocument,
    banner: Banner,
    docking: Docking,
    keys: Keys,
    messages: Messages,
) -> tuple[Documents, Comparing, Dialogs]:
    """Makes what opens, saves and compares documents, and the dialogs, which ask for these."""
    repairing = Repairing(document, banner, lambda: docking.show_lens("problems"))
    documents = _made_documents(frame, document, messages, repairing, lambda path: dialogs.show_versions(path))
    comparing = Comparing(
        frame.widget, document, documents.dialogs, messages, docking, lambda: frame.windows.graphs(besides=frame.window)
    )
    dialogs = _made_dialogs(frame, canvas, document, documents, comparing, keys, messages)
    return documents, comparing, dialogs


def _made_documents(
    frame: Frame,
    document: ShownDocument,
    messages: Messages,
    repairing: Repairing,
    show_versions: Callable[[Path], None],
) -> Documents:
    return Documents(
        frame.widget,
        document,
        messages,
        repairing,
        frame.settings,
        frame.windows.run_folder,
        frame.windows.plugins,
        window_showing=lambda path: frame.windows.showing(path, besides=frame.window),
        show_versions=show_versions,
    )


def _made_dialogs(
    frame: Frame,
    canvas: Canvas,
    document: ShownDocument,
    documents: Documents,
    comparing: Comparing,
    keys: Keys,
    messages: Messages,
) -> Dialogs:
    def made_versions(path: Path | None) -> VersionsDialog:
        return VersionsDialog(document, documents, comparing, frame.appearance, frame.beside, frame.widget, path)

    def made_discards() -> RecoveryDialog:
        opener = CopyOpener(frame.beside, frame.windows.run_folder)
        return discards_dialog(frame.widget, messages, frame.appearance, opener)

    return Dialogs(
        frame.widget,
        canvas,
        keys,
        frame.appearance,
        frame.settings,
        frame.windows.plugins,
        made_versions,
        made_discards,
        lambda: _reported(document),
    )


def _reported(document: ShownDocument) -> Reported:
    """Returns the graph that is open and its file."""
    return Reported(document.session.graph, document.path)


def _made_panels(document: ShownDocument, appearance: Appearance, settings: Settings) -> Panels:
    return Panels(
        BlockPalette(appearance),
        Inspector(document.current, appearance),
        ProblemsPanel(document.current, appearance, settings),
        SliceView(document.current, appearance),
    )


def _made_tour(frame: Frame, stage: TourStage, keys: Keys, layout: WindowLayout, documents: Documents) -> Tour:
    return Tour(
        stage,
        keys,
        frame.settings,
        frame.appearance,
        shows_welcome=lambda: layout.shows_welcome,
        open_example=documents.opening.open_example,
    )


def _made_first_steps(
    frame: Frame, stage: TourStage, tour: Tour, documents: Documents, inspector: Inspector, corner: Corner
) -> FirstSteps:
    title = tr("Welcome: one broken gradient")
    return FirstSteps(
        stage,
        tour,
        frame.settings,
        frame.appearance,
        open_graph=lambda: documents.opening.open_untitled(FIRST_GRAPH, title),
        open_example=documents.opening.open_example,
        leave=documents.close,
        explain=inspector.show_why,
        show_corner=corner.set_shown,
    )
