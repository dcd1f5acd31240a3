"""The table of all commands: text, shortcut, menu, icon, when it is possible and what it calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

from app.canvas.look import Overlay
from app.look.icons import icon
from app.look.theme import Theme

if TYPE_CHECKING:
    from app.main_window import MainWindow

Menu = Literal["File", "Edit", "Add", "View", "Graph", "Run", "Window", "Help"]
Question = Callable[["MainWindow"], bool]


@dataclass(frozen=True)
class Command:
    """One command. `call` and the questions get the window.

    A command `on_canvas` acts only while the canvas has the focus: its key may be a letter. `group` separates
    entries of a menu by lines.
    """

    id: str
    text: str
    menu: Menu
    call: Callable[[MainWindow], object]
    keys: tuple[str, ...] = ()
    icon: str = ""
    group: int = 0
    submenu: str = ""
    on_canvas: bool = False
    is_possible: Question | None = None
    is_on: Question | None = None
    tip: str = ""


def _open(window: MainWindow) -> bool:
    return window.has_document


def _blocks(window: MainWindow) -> bool:
    return window.has_document and bool(window.session.selection.blocks)


def _anything(window: MainWindow) -> bool:
    return window.has_document and bool(window.session.selection)


def _named(window: MainWindow) -> bool:
    chosen = window.session.selection
    return window.has_document and bool(chosen.blocks or chosen.frames or chosen.notes)


def _wire(window: MainWindow) -> bool:
    return window.has_document and len(window.session.selection.wires) == 1


def _several(count: int) -> Question:
    return lambda window: window.has_document and len(window.session.selection.blocks) >= count


def _overlay(overlay: Overlay) -> tuple[Callable[[MainWindow], object], Question]:
    return (
        lambda window: window.set_overlay(overlay),
        lambda window: window.has_document and window.canvas.overlay is overlay,
    )


def _overlay_command(overlay: Overlay, text: str, tip: str) -> Command:
    call, is_on = _overlay(overlay)
    return Command(
        f"overlay_{overlay}", text, "View", call, group=2, submenu="Gradients", is_possible=_open, is_on=is_on, tip=tip
    )


COMMANDS: tuple[Command, ...] = (
    Command("new", "New graph", "File", lambda w: w.documents.new(), ("Ctrl+N",), "plus"),
    Command("open", "Open …", "File", lambda w: w.documents.ask_open(), ("Ctrl+O",), "folder"),
    Command("welcome", "Welcome page", "File", lambda w: w.show_welcome(), (), "book", group=1),
    Command("save", "Save", "File", lambda w: w.documents.save(), ("Ctrl+S",), "save", 2, is_possible=_open),
    Command("save_as", "Save as …", "File", lambda w: w.documents.ask_save_as(), ("Ctrl+Shift+S",), "", 2,
            is_possible=_open),
    Command("save_picture", "Save a picture …", "File", lambda w: w.documents.ask_save_picture(), (), "", 2,
            is_possible=_open, tip="Save the page as PNG, SVG or PDF"),
    Command("export_code", "Export as code …", "File", lambda w: w.documents.show_code(), (), "terminal", 2,
            is_possible=_open, tip="The graph as a program for NumPy, TensorFlow, PyTorch or JAX"),
    Command("close", "Close graph", "File", lambda w: w.documents.close(), ("Ctrl+W",), "close", 3, is_possible=_open),
    Command("quit", "Quit", "File", lambda w: w.close(), ("Ctrl+Q",), "", 3),

    Command("undo", "Undo", "Edit", lambda w: w.session.undo(), ("Ctrl+Z",), "undo",
            is_possible=lambda w: w.has_document and w.session.document.undo_text is not None),
    Command("redo", "Redo", "Edit", lambda w: w.session.redo(), ("Ctrl+Shift+Z", "Ctrl+Y"), "redo",
            is_possible=lambda w: w.has_document and w.session.document.redo_text is not None),
    Command("cut", "Cut", "Edit", lambda w: w.editor.cut(), ("Ctrl+X",), "", 1, on_canvas=True, is_possible=_blocks),
    Command("copy", "Copy", "Edit", lambda w: w.editor.copy(), ("Ctrl+C",), "copy", 1, on_canvas=True,
            is_possible=_blocks),
    Command("paste", "Paste", "Edit", lambda w: w.editor.paste(), ("Ctrl+V",), "", 1, on_canvas=True,
            is_possible=_open),
    Command("duplicate", "Duplicate", "Edit", lambda w: w.editor.duplicate(), ("Ctrl+D", "Shift+D"), "", 1,
            on_canvas=True, is_possible=_blocks),
    Command("delete", "Delete", "Edit", lambda w: w.editor.delete(), ("Del", "X", "Backspace"), "close", 1,
            on_canvas=True, is_possible=_anything),
    Command("select_all", "Select all", "Edit", lambda w: w.editor.select_all(), ("Ctrl+A",), "", 2, on_canvas=True,
            is_possible=_open),
    Command("invert", "Invert the selection", "Edit", lambda w: w.editor.invert_selection(), ("Ctrl+I",), "", 2,
            on_canvas=True, is_possible=_open),
    Command("rename", "Rename", "Edit", lambda w: w.editor.rename(), ("F2",), "tag", 3, is_possible=_named),

    Command("search", "Block …", "Add", lambda w: w.placer.search_here(), ("Tab", "Shift+A"), "search", on_canvas=True,
            is_possible=_open, tip="Search for a block and place it at the pointer"),
    Command("add_note", "Note", "Add", lambda w: w.editor.add_note(), ("C",), "comment", 1, on_canvas=True,
            is_possible=_open),
    Command("add_frame", "Frame", "Add", lambda w: w.editor.add_frame(), ("Ctrl+J",), "", 1, on_canvas=True,
            is_possible=_open, tip="Put a frame around what is selected"),
    Command("add_page", "Page", "Add", lambda w: w.editor.add_page(), (), "folder", 1, is_possible=_open),

    Command("zoom_in", "Zoom in", "View", lambda w: w.canvas.zoom_by(1), ("Ctrl++", "Ctrl+="), "plus",
            is_possible=_open),
    Command("zoom_out", "Zoom out", "View", lambda w: w.canvas.zoom_by(-1), ("Ctrl+-",), "minus", is_possible=_open),
    Command("zoom_100", "100 %", "View", lambda w: w.canvas.zoom_to(1.0), ("Ctrl+0",), "", is_possible=_open),
    Command("fit", "Fit the page", "View", lambda w: w.canvas.fit_page(), ("Shift+1", "Home"), "fit", 1,
            on_canvas=True, is_possible=_open),
    Command("fit_selection", "Fit the selection", "View", lambda w: w.canvas.fit_selection(), ("Shift+2",), "", 1,
            on_canvas=True, is_possible=_open),
    _overlay_command(Overlay.OFF, "Off", "Plain wires"),
    _overlay_command(Overlay.LABELS, "Labels", "Numbers beside the wires"),
    _overlay_command(Overlay.MAGNITUDE, "Magnitude", "Width and colour by the size of the gradient"),
    _overlay_command(Overlay.SIGN, "Sign", "Colour by the sign of the gradient's sum"),
    Command("overlay_next", "Next", "View", lambda w: w.next_overlay(1), ("G",), "", 3, "Gradients", True, _open),
    Command("overlay_previous", "Previous", "View", lambda w: w.next_overlay(-1), ("Shift+G",), "", 3, "Gradients",
            True, _open),
    Command("corner", "Minimap and legend", "View", lambda w: w.toggle_corner(), (), "", 4, is_possible=_open,
            is_on=lambda w: w.has_document and w.canvas_corner.is_shown),
    Command("theme_system", "As the system", "View", lambda w: w.choose_theme("system"), (), "", 5, "Theme",
            is_on=lambda w: w.appearance.choice == "system"),
    Command("theme_dark", "Dark", "View", lambda w: w.choose_theme("dark"), (), "moon", 5, "Theme",
            is_on=lambda w: w.appearance.choice == "dark"),
    Command("theme_light", "Light", "View", lambda w: w.choose_theme("light"), (), "sun", 5, "Theme",
            is_on=lambda w: w.appearance.choice == "light"),

    Command("mute", "Mute", "Graph", lambda w: w.editor.toggle_muted(), ("M",), "mute", on_canvas=True,
            is_possible=_blocks, tip="The block passes its input on"),
    Command("collapse", "Collapse", "Graph", lambda w: w.editor.toggle_collapsed(), ("H",), "", on_canvas=True,
            is_possible=_blocks),
    Command("stop_here", "StopGradient on this wire", "Graph", lambda w: w.editor.stop_here(), ("S",), "stopgrad", 1,
            on_canvas=True, is_possible=_wire),
    Command("add_loss", "Loss on this block", "Graph", lambda w: w.editor.add_loss(), (), "target", 1,
            is_possible=_blocks, tip="Connect a Loss to the selected block"),
    Command("use_loss", "Differentiate only this Loss", "Graph", lambda w: w.editor.use_loss(), (), "target", 1,
            is_possible=lambda w: w.has_document and w.editor.selected_loss() is not None),
    Command("enter", "Enter the page", "Graph", lambda w: w.editor.enter(), (), "folder", 2,
            is_possible=lambda w: w.has_document and w.editor.selected_page() is not None),
    Command("arrange", "Arrange", "Graph", lambda w: w.editor.arrange(), (), "layout", 3, is_possible=_open,
            tip="Arrange the page, or what is selected, from left to right"),
    Command("align_left", "Left sides", "Graph", lambda w: w.editor.align("left"), (), "", 3, "Align",
            is_possible=_several(2)),
    Command("align_centre", "Centres", "Graph", lambda w: w.editor.align("centre"), (), "", 3, "Align",
            is_possible=_several(2), tip="Put the selected blocks below each other, their centres in line"),
    Command("align_right", "Right sides", "Graph", lambda w: w.editor.align("right"), (), "", 3, "Align",
            is_possible=_several(2)),
    Command("align_top", "Tops", "Graph", lambda w: w.editor.align("top"), (), "", 3, "Align",
            is_possible=_several(2)),
    Command("align_middle", "Middles", "Graph", lambda w: w.editor.align("middle"), (), "", 3, "Align",
            is_possible=_several(2), tip="Put the selected blocks beside each other, their middles in line"),
    Command("align_bottom", "Bottoms", "Graph", lambda w: w.editor.align("bottom"), (), "", 3, "Align",
            is_possible=_several(2)),
    Command("distribute_across", "Equal gaps across", "Graph", lambda w: w.editor.distribute("across"), (), "", 3,
            "Align", is_possible=_several(3), tip="The outermost two blocks stay"),
    Command("distribute_down", "Equal gaps down", "Graph", lambda w: w.editor.distribute("down"), (), "", 3, "Align",
            is_possible=_several(3), tip="The outermost two blocks stay"),
    Command("nudge_left", "Move left", "Graph", lambda w: w.editor.nudge(-16, 0), ("Alt+Left",), "", 4, "Move", True,
            _anything),
    Command("nudge_right", "Move right", "Graph", lambda w: w.editor.nudge(16, 0), ("Alt+Right",), "", 4, "Move", True,
            _anything),
    Command("nudge_up", "Move up", "Graph", lambda w: w.editor.nudge(0, -16), ("Alt+Up",), "", 4, "Move", True,
            _anything),
    Command("nudge_down", "Move down", "Graph", lambda w: w.editor.nudge(0, 16), ("Alt+Down",), "", 4, "Move", True,
            _anything),
    Command("pan_left", "Look left", "View", lambda w: w.canvas.pan(80, 0), ("Ctrl+Left",), "", 6, "Pan", True, _open),
    Command("pan_right", "Look right", "View", lambda w: w.canvas.pan(-80, 0), ("Ctrl+Right",), "", 6, "Pan", True,
            _open),
    Command("pan_up", "Look up", "View", lambda w: w.canvas.pan(0, 80), ("Ctrl+Up",), "", 6, "Pan", True, _open),
    Command("pan_down", "Look down", "View", lambda w: w.canvas.pan(0, -80), ("Ctrl+Down",), "", 6, "Pan", True, _open),

    Command("live", "Live", "Run", lambda w: w.session.set_live(not w.session.is_live), ("L",), "bolt", on_canvas=True,
            is_possible=_open, is_on=lambda w: w.has_document and w.session.is_live,
            tip="Evaluate after every edit"),
    Command("evaluate", "Evaluate", "Run", lambda w: w.session.evaluate(), ("F5",), "play", is_possible=_open),
    Command("ignore_stops", "Ignore StopGradient", "Run",
            lambda w: w.session.set_ignores_stops(not w.session.ignores_stops), ("Shift+S",), "stopgrad", 1,
            on_canvas=True, is_possible=_open, is_on=lambda w: w.has_document and w.session.ignores_stops,
            tip="Show beside each gradient the one without StopGradient; the graph stays as it is"),

    Command("next_panel", "Next panel", "Window", lambda w: w.focus_next(1), ("F6",), "", 1),
    Command("previous_panel", "Previous panel", "Window", lambda w: w.focus_next(-1), ("Shift+F6",), "", 1),
    Command("only_canvas", "Only the canvas", "Window", lambda w: w.toggle_only_canvas(), ("F11",), "", 1,
            is_possible=_open, is_on=lambda w: w.shows_only_canvas),

    Command("help", "Help on the block", "Help", lambda w: w.show_block_help(), ("F1",), "help",
            is_possible=_blocks),
    Command("about", "About Gradwire", "Help", lambda w: w.show_about(), (), "info", 1),
)  # fmt: skip


def make_action(command: Command, window: MainWindow) -> QAction:
    """The action of a command; one `on_canvas` belongs to the canvas, where letters are not text."""
    action = QAction(command.text, window)
    action.setObjectName(command.id)
    action.setShortcuts([QKeySequence(key) for key in command.keys])
    action.setCheckable(command.is_on is not None)
    tip = command.tip or command.text.rstrip(" …")
    action.setToolTip(f"{tip} ({_shown(command.keys[0])})" if command.keys else tip)
    action.setStatusTip(command.tip)
    if command.on_canvas:
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(lambda _=False: window.run(command))
    return action


def set_icon(action: QAction, command: Command, theme: Theme) -> None:
    """Gives an action its icon in the colours of a theme."""
    if command.icon:
        action.setIcon(icon(theme, command.icon))


def _shown(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
