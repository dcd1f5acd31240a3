"""The table of all commands: text, shortcut, menu, icon, when it is possible and what it calls."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence

from gradwire.app.base.translation import tr
from gradwire.app.canvas.input.setting_use import has_setting
from gradwire.app.canvas.painting.blocks.slice_picker import has_slices, step_slice
from gradwire.app.canvas.painting.look import Overlay
from gradwire.app.features.problems.expecting import EXPECTATIONS, Expectation, has_ports
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.kit.feature import Feature
from gradwire.app.live.keys import Bindable, Keys
from gradwire.app.look.icons import icon
from gradwire.app.look.theme import Theme
from gradwire.app.shell.commands import derivations
from gradwire.app.shell.commands.command import Command
from gradwire.app.shell.commands.explained import is_checkable, is_explained
from gradwire.app.shell.commands.page_commands import PAGES
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.app.shell.documents.recovery_dialog import offer_discards
from gradwire.app.shell.features import FEATURES, LENSES, PANELS, PARTS
from gradwire.app.shell.window import accessibility
from gradwire.app.shell.window.modes import Mode
from gradwire.engine.edits.reader_copies import is_constant, readers_of
from gradwire.engine.graph.graph import COLORS
from gradwire.engine.layout.alignment import Side


def _blocks(window: WindowParts) -> object:
    return window.session.selection.blocks


def _shared(window: WindowParts) -> bool:
    """Returns whether one constant with several readers is selected."""
    name, page = window.session.only_block, window.session.page
    return name in page.blocks and is_constant(page.blocks[name]) and len(readers_of(page, name)) > 1


def _anything(window: WindowParts) -> object:
    return window.session.selection


def _named(window: WindowParts) -> object:
    chosen = window.session.selection
    return chosen.blocks or chosen.frames or chosen.notes


def _rename(window: WindowParts) -> None:
    """Renames what is selected, else opens what belongs to the name of the graph."""
    window.editor.rename() if _named(window) else window.dialogs.open_name()


def _two(window: WindowParts) -> bool:
    return len(window.session.selection.blocks) >= 2


def _three(window: WindowParts) -> bool:
    return len(window.session.selection.blocks) >= 3


def _slices(window: WindowParts) -> bool:
    return has_slices(window.canvas.mirror, window.session.only_block)


def _show_help(window: WindowParts) -> None:
    """Shows the help page of the selected block."""
    block = window.session.page.blocks[min(window.session.selection.blocks)]
    window.help.blocks.show_type(block.type)


def _show_trained_by(window: WindowParts) -> None:
    """Turns to Train with its panel open."""
    if window.modes.current is not Mode.TRAIN:
        window.modes.choose(Mode.TRAIN)
    window.panels.bottom.raise_panel(True)


def _show_checks(window: WindowParts) -> None:
    """Opens the list of problems with all checks."""
    window.panels.show_lens("problems")
    window.panels.problems.show_checks()


def _overlay_command(overlay: Overlay, text: str, tip: str) -> Command:
    return Command(
        f"overlay_{overlay}", text, "View", lambda w: w.canvas.page_look.set_overlay(overlay),
        subtopic="Gradients", tip=tip, is_on=lambda window: window.canvas.page_look.overlay is overlay,
    )  # fmt: skip


def _bookmark_commands(number: int) -> Iterator[Command]:
    yield Command(
        f"bookmark_{number}", "Go to bookmark {number}", "View", lambda window: window.viewing.go_to_bookmark(number),
        (f"Alt+{number}",), "", "Bookmarks", number=number,
    )  # fmt: skip
    yield Command(
        f"set_bookmark_{number}", "Set bookmark {number}", "View", lambda window: window.viewing.set_bookmark(number),
        (f"Ctrl+Alt+{number}",), "", "Bookmarks", number=number,
    )  # fmt: skip


def _align(side: Side, text: str, tip: str = "") -> Command:
    return Command(
        f"align_{side}", text, "Graph", lambda window: window.editor.align(side), (), f"align-{side}", "Align",
        is_possible=_two, tip=tip,
    )  # fmt: skip


def _colour(color: str, text: str) -> Command:
    return Command(
        f"colour_{color or 'none'}", text, "Graph", lambda window: window.editor.set_color(color), (), "", "Colour",
        is_possible=lambda window: window.session.selection.frames or window.session.selection.notes,
        is_on=lambda window: window.editor.has_color(color), tip="Of the selected frames and notes",
    )  # fmt: skip


_WAYS = {"Left": (-1, 0), "Right": (1, 0), "Up": (0, -1), "Down": (0, 1)}
_ICONS = {"dark": "moon", "light": "sun"}


def _nudge(way: str, step: int, keys: str, ending: tuple[str, str] = ("", "")) -> Command:
    dx, dy = _WAYS[way]
    return Command(
        f"nudge_{way.lower()}{ending[0]}", f"Move {way.lower()}{ending[1]}", "Graph",
        lambda window: window.editor.nudge(step * dx, step * dy), (f"{keys}+{way}",), "", "Move", True, _anything,
    )  # fmt: skip


def _pan(way: str) -> Command:
    dx, dy = _WAYS[way]
    return Command(
        f"pan_{way.lower()}", f"Look {way.lower()}", "View", lambda w: w.canvas.viewport.pan(-80 * dx, -80 * dy),
        (f"Ctrl+{way}",), "", "Pan", True,
    )  # fmt: skip


def _comfort(key: str, value: str, text: str, subtopic: str, number: int = 0) -> Command:
    return Command(
        f"{key}_{value}", text, "View", lambda window: window.frame.settings.set_text(key, value),
        icon=_ICONS.get(value, ""), subtopic=subtopic, number=number, is_global=True,
        is_on=lambda window: accessibility.chosen(window.frame.settings, key) == value,
    )  # fmt: skip


def _choices(key: str) -> Iterator[Command]:
    return (_comfort(key, value, text, key.capitalize()) for value, text in accessibility.CHOICES[key].items())


_COMFORT = (
    *(_comfort("text_scale", str(size), "Text at {number} %", "Text size", size) for size in accessibility.TEXT_SIZES),
    *_choices("contrast"),
    *_choices("motion"),
    *_choices("wires"),
)


def _mode(mode: Mode, number: int, icon: str, tip: str) -> Command:
    return Command(
        f"mode_{mode}", mode.capitalize(), "Run", lambda window: window.modes.choose(mode), (f"Ctrl+{number}",), icon,
        is_on=lambda window: window.modes.current is mode, tip=tip,
    )  # fmt: skip


def _opening(feature: Feature) -> Command:
    return Command(
        feature.command, feature.title, "View", lambda window: window.panels.open_panel(feature.id), feature.keys,
        feature.icon, "" if feature in PANELS else "Explain", tip=feature.tip,
    )  # fmt: skip


def _expect_command(kind: Expectation) -> Command:
    return Command(
        f"expect_{kind.id}", kind.title, "Graph", lambda window: kind.add(window.session), (),
        "", "Check", is_possible=lambda window: has_ports(window.session), tip=kind.tip,
    )  # fmt: skip


COMMANDS: tuple[Command, ...] = (
    Command("new", "New graph", "File", lambda w: w.documents.opening.new(), ("Ctrl+N",), "plus", is_global=True),
    Command("open", "Open …", "File", lambda w: w.documents.opening.ask_open(), ("Ctrl+O",), "folder", is_global=True),
    Command("welcome", "Welcome page", "File", lambda w: w.layout.show_welcome(), ("Alt+Home",), "book",
            is_global=True),
    Command("save", "Save", "File", lambda w: w.documents.saving.save(), ("Ctrl+S",), "save"),
    Command("save_as", "Save as …", "File", lambda w: w.documents.saving.ask_save_as(), ("Ctrl+Shift+S",)),
    Command("save_training", "Save with training state", "File", lambda w: w.documents.saving.save_with_training(),
            is_possible=lambda w: w.session.part(TrainingDesk).can_keep,
            tip="The file keeps what the rules remember too, so that the training goes on when it is opened again"),
    Command("versions", "Versions …", "File", lambda w: w.dialogs.show_versions(), (), "clock",
            is_possible=lambda w: w.document.original is not None,
            tip="What was saved last in this file, to compare or to open as a copy"),
    Command("discards", "Discarded graphs …", "File", lambda w: offer_discards(w.documents.context),
            tip="What you discarded in the last seven days without saving it", is_global=True),
    Command("save_picture", "Save a picture …", "File", lambda w: w.documents.pictures.ask(),
            tip="Save the page or the selection as SVG, PNG or PDF"),
    Command("export_page", "Export as web page …", "File", lambda w: w.documents.web_pages.ask(),
            tip="A page that runs in any browser: readers move numbers, and the gradients follow"),
    Command("export_code", "Export as code …", "File", lambda w: w.documents.show_code(), (), "terminal",
            tip="The graph as a program for NumPy, TensorFlow, PyTorch or JAX"),
    Command("close", "Close graph", "File", lambda w: w.documents.close(), ("Ctrl+W",), "close"),
    Command("quit", "Quit", "File", lambda w: w.frame.windows.quit(), ("Ctrl+Q",), is_global=True),

    Command("undo", "Undo", "Edit", lambda w: w.session.undo(), ("Ctrl+Z",), "undo",
            is_possible=lambda w: w.session.document.undo_text is not None),
    Command("redo", "Redo", "Edit", lambda w: w.session.redo(), ("Ctrl+Shift+Z", "Ctrl+Y"), "redo",
            is_possible=lambda w: w.session.document.redo_text is not None),
    Command("cut", "Cut", "Edit", lambda w: w.editor.clipboard.cut(), ("Ctrl+X",), on_canvas=True,
            is_possible=_named),
    Command("copy", "Copy", "Edit", lambda w: w.editor.clipboard.copy(), ("Ctrl+C",), "copy", on_canvas=True,
            is_possible=_named),
    Command("copy_image", "Copy as image", "Edit", lambda w: w.documents.pictures.copy(), ("Ctrl+Shift+C",),
            on_canvas=True, tip="A picture of the selection, or of the page"),
    Command("paste", "Paste", "Edit", lambda w: w.editor.clipboard.paste(), ("Ctrl+V",), on_canvas=True),
    Command("duplicate", "Duplicate", "Edit", lambda w: w.editor.duplicate(), ("Ctrl+D", "Shift+D"),
            on_canvas=True, is_possible=_named),
    Command("copy_to_readers", "Copy to each reader", "Edit", lambda w: w.editor.copy_to_readers(),
            is_possible=_shared, tip="A constant beside each block that reads it, in place of long wires"),
    Command("delete", "Delete", "Edit", lambda w: w.editor.delete(), ("Del", "X"), "close", on_canvas=True,
            is_possible=_anything),
    Command("dissolve", "Remove and reconnect", "Edit", lambda w: w.editor.dissolve(), ("Ctrl+Del",), on_canvas=True,
            is_possible=_anything, tip="Delete, and join its neighbours"),
    Command("disconnect", "Disconnect", "Edit", lambda w: w.editor.disconnect(), ("Alt+Del",), on_canvas=True,
            is_possible=_blocks, tip="Disconnect the block, and join its neighbours"),
    Command("knife", "Cut wires", "Edit", lambda w: w.canvas.gestures.take_knife(), ("Y",), on_canvas=True,
            tip="Drag across wires to cut them; with the mouse, Ctrl and the right button"),
    Command("select_all", "Select all", "Edit", lambda w: w.editor.select_all(), ("Ctrl+A",), on_canvas=True),
    Command("invert", "Invert the selection", "Edit", lambda w: w.editor.invert_selection(), ("Ctrl+I",),
            on_canvas=True),
    Command("find", "Find a block …", "Edit", lambda w: w.dialogs.open_search("go"), ("Ctrl+F",), "search",
            tip="Find blocks, frames and notes on all pages"),
    Command("edit_tensor", "Edit the tensor …", "Edit", lambda w: w.editor.tensors.edit_selected(), ("Ctrl+E",),
            "table", on_canvas=True, is_possible=lambda w: w.editor.tensors.selected() is not None,
            tip="The tensor of the selected block as a table"),
    Command("rename", "Rename", "Edit", _rename, ("F2",), "tag",
            is_possible=lambda w: _named(w) or not _anything(w), tip="What is selected, else the graph"),
    Command("commands", "Commands …", "Edit", lambda w: w.dialogs.open_search("do"), ("Ctrl+K",), "search",
            tip="Find any command, block or file by its name", is_global=True),
    Command("shortcuts", "Keyboard shortcuts …", "Edit", lambda w: w.dialogs.show_shortcuts(), ("Ctrl+Alt+K",),
            "keyboard", tip="See and change the keys of all commands", is_global=True),
    Command("settings", "Settings …", "Edit", lambda w: w.dialogs.show_settings(), ("Ctrl+,",), "gear",
            is_global=True),
    Command("plugins", "Plug-ins …", "Edit", lambda w: w.dialogs.show_plugins(),
            tip="Packages that add block types, with their source and state", is_global=True),

    Command("search", "Block …", "Add", lambda w: w.editor.placer.search_here(), ("Tab", "Shift+A"), "search",
            on_canvas=True, tip="Search for a block; it is connected to the selected ones"),
    Command("add_note", "Note", "Add", lambda w: w.editor.add_note(), ("C",), "comment", on_canvas=True),
    Command("add_frame", "Frame", "Add", lambda w: w.editor.add_frame(), ("Ctrl+J",), on_canvas=True,
            tip="Put a frame around what is selected"),
    Command("add_page", "Page", "Add", lambda w: w.editor.pages.add(), (), "folder"),

    Command("zoom_in", "Zoom in", "View", lambda w: w.canvas.viewport.zoom_by(1), ("Ctrl++", "Ctrl+="), "plus"),
    Command("zoom_out", "Zoom out", "View", lambda w: w.canvas.viewport.zoom_by(-1), ("Ctrl+-",), "minus"),
    Command("zoom_100", "100 %", "View", lambda w: w.canvas.viewport.zoom_to_own(), ("Ctrl+0",)),
    Command("read_note", "Read the note", "View", lambda w: w.viewing.read_note(), (), "comment",
            is_possible=lambda w: bool(w.session.page.notes), tip="At a size at which its text can be read"),
    Command("fit", "Fit the page", "View", lambda w: w.viewing.fit_page(), ("Shift+1", "Home"), "fit",
            on_canvas=True),
    Command("fit_selection", "Fit the selection", "View", lambda w: w.viewing.fit_selection(), ("Shift+2", "Num+."),
            on_canvas=True),
    Command("back", "Back", "View", lambda w: w.viewing.history.turn(-1), ("Ctrl+[",), "arrow-l",
            is_possible=lambda w: w.viewing.history.can_turn(-1), tip="To where you looked before"),
    Command("forward", "Forward", "View", lambda w: w.viewing.history.turn(1), ("Ctrl+]",), "arrow-r",
            is_possible=lambda w: w.viewing.history.can_turn(1)),
    *(command for number in range(1, 10) for command in _bookmark_commands(number)),
    Command("ways", "Path to the loss", "View", lambda w: w.viewing.spotlight.show_next_paths(), ("P",), "route",
            on_canvas=True,
            tip="Dims all but the paths from the selection to the loss; again: from the inputs, both, off"),
    Command("why", "Why this gradient?", "View", lambda w: w.panels.show_why(), ("W",), "grad", on_canvas=True,
            is_possible=lambda w: is_explained(w.session),
            tip="Where a zero comes from, block by block, and what can be done about it"),
    Command("check_gradient", "Check with finite differences", "View", lambda w: w.panels.run_part("checks"),
            is_possible=lambda w: is_checkable(w.session),
            tip="The gradient of the selection beside central differences of the loss, element by element"),
    Command("card", "Card of the selection", "View", lambda w: w.viewing.cards.show_selection(), ("Ctrl+Space",),
            "info", on_canvas=True, is_possible=_anything, tip="Show its numbers and formula; again: pin the card"),
    _overlay_command(Overlay.OFF, "Gradients off", "Plain wires"),
    _overlay_command(Overlay.LABELS, "Gradients as numbers", "Numbers beside the wires"),
    _overlay_command(Overlay.MAGNITUDE, "Sizes", "Width and colour by the size of the gradient"),
    _overlay_command(Overlay.SIGN, "Signs", "Colour by the sign of the sum of the gradient"),
    Command("overlay_next", "Next gradient view", "View", lambda w: w.viewing.next_overlay(1), ("G",), "",
            "Gradients", True),
    Command("overlay_previous", "Previous gradient view", "View", lambda w: w.viewing.next_overlay(-1), ("Shift+G",),
            "", "Gradients", True),

    Command("corner", "Minimap and legend", "View",
            lambda w: w.viewing.corner.set_shown(not w.viewing.corner.is_shown),
            is_on=lambda w: w.viewing.corner.is_shown),
    Command("range", "Range of sizes …", "View", lambda w: w.viewing.corner.button.open_menu(QPoint()),
            tip="Range of sizes that the widths and colours of the wires show"),
    Command("lens_flow", "Gradient flow by block", "View", lambda w: w.canvas.page_look.turn_by_block(), (),
            "activation", "Gradients", is_on=lambda w: w.canvas.page_look.is_by_block,
            tip="A bar in each block: how much of the gradient it passes on"),
    *map(_opening, PANELS),
    Command("lens_checks", "Checks", "View", _show_checks, (), "check-circle",
            tip="The checks of this graph, and whether they pass: in the list of problems"),
    Command("next_slice", "Next slice of the tensor", "View",
            lambda w: step_slice(w.canvas.mirror, w.session.only_block, 1), ("PgDown",), "chev-right", "", True,
            _slices, tip="Of a tensor of rank 3 or more on its block"),
    Command("previous_slice", "Previous slice of the tensor", "View",
            lambda w: step_slice(w.canvas.mirror, w.session.only_block, -1), ("PgUp",), "chev-left", "", True,
            _slices, tip="Of a tensor of rank 3 or more on its block"),
    *_choices("theme"),

    *map(_opening, (*LENSES, *PARTS)),
    Command("lens_matrix", "Trained by", "View", _show_trained_by, (), "table", "Explain",
            tip="Which loss trains which Variable, in the panel of Train"),
    Command("show_backward", "Show the backward graph", "View", lambda w: w.editor.pages.show_backward(), (), "grad",
            "Explain", tip="A page with the backward pass as blocks: change it, differentiate it"),
    Command("copy_derivation", "Copy the derivation", "View", derivations.copy, (), "copy", "Explain",
            tip="The chain rule with numbers, for the selection or the path chosen in Paths"),
    Command("save_derivation", "Save the derivation …", "View", derivations.ask_save, (), "", "Explain",
            tip="The same as a file, Markdown or LaTeX"),
    Command("compare_with", "Compare with …", "View", lambda w: w.documents.comparing.choose(), (), "", "Explain",
            tip="Another graph beside this one: a file, a window, an example or an earlier state"),
    *_COMFORT,

    Command("mute", "Mute", "Graph", lambda w: w.editor.toggle_muted(), ("M",), "mute", on_canvas=True,
            is_possible=_blocks, tip="The block passes its input on"),
    Command("collapse", "Collapse", "Graph", lambda w: w.editor.toggle_collapsed(), ("H",), on_canvas=True,
            is_possible=_blocks),
    Command("use_setting", "Edit main setting", "Graph",
            lambda w: w.canvas.page_actions.use_setting(w.session.only_block), ("T",), "gear", on_canvas=True,
            is_possible=lambda w: has_setting(w.canvas.mirror, w.session.only_block),
            tip="Turn the switch on the block, or choose from its list"),
    Command("stop_here", "Try a stop here", "Graph", lambda w: w.editor.stop_here(), ("S",), "stopgrad",
            on_canvas=True, is_possible=lambda w: len(w.session.selection.wires) == 1),
    Command("add_loss", "Use as loss", "Graph", lambda w: w.editor.add_loss(), (), "target",
            is_possible=_blocks, tip="Connect a Loss to the selected block"),
    Command("use_loss", "Differentiate only this Loss", "Graph", lambda w: w.editor.use_loss(), (), "target",
            is_possible=lambda w: w.editor.selected_loss() is not None),
    *map(_expect_command, EXPECTATIONS),
    *PAGES,
    Command("arrange", "Arrange", "Graph", lambda w: w.editor.arrange(), (), "layout",
            tip="Arrange the page, or what is selected, from left to right"),
    _align("left", "Left sides"),
    _align("centre", "Centres", "Align the centres of the selected blocks vertically"),
    _align("right", "Right sides"),
    _align("top", "Tops"),
    _align("middle", "Middles", "Align the middles of the selected blocks horizontally"),
    _align("bottom", "Bottoms"),
    Command("distribute_across", "Equal gaps across", "Graph", lambda w: w.editor.distribute("across"), (),
            "align-across", "Align", is_possible=_three, tip="The outermost two blocks stay"),
    Command("distribute_down", "Equal gaps down", "Graph", lambda w: w.editor.distribute("down"), (),
            "align-down", "Align", is_possible=_three, tip="The outermost two blocks stay"),
    _colour("", "No colour"),
    *(_colour(color, color.capitalize()) for color in COLORS),
    *(_nudge(way, 16, "Alt") for way in _WAYS),
    *(_nudge(way, 1, "Alt+Shift", ("_1", " by 1")) for way in _WAYS),
    *map(_pan, _WAYS),

    _mode(Mode.BUILD, 1, "wand", "Place blocks and wire them"),
    _mode(Mode.STEP, 2, "step-back", "Walk through back-propagation one block at a time"),
    _mode(Mode.TRAIN, 3, "play", "Move the Variables along their gradients"),
    _mode(Mode.COMPARE, 4, "compare", "Two versions of the graph beside each other"),
    Command("live", "Compute after every edit", "Run",
            lambda w: w.session.runs.set_live(not w.session.runs.is_live), (), "bolt", on_canvas=True,
            is_on=lambda w: w.session.runs.is_live, tip="Off, only F5 computes"),
    Command("evaluate", "Compute now", "Run", lambda w: w.session.evaluate(), ("F5",), "play"),
    Command("stop", "Stop computing", "Run", lambda w: w.session.stop(), ("Shift+F5",),
            tip="Stop a run that takes too long; F5 or an edit starts again"),
    Command("ignore_stops", "Let StopGradient pass", "Run",
            lambda w: w.session.runs.set_ignores_stops(not w.session.runs.ignores_stops), ("Shift+S",), "stopgrad",
            on_canvas=True, is_on=lambda w: w.session.runs.ignores_stops,
            tip="Show each gradient with and without StopGradient; the graph does not change"),
    *(command for feature in FEATURES for command in feature.commands),

    Command("new_window", "New window", "Window", lambda w: w.frame.open_beside(), ("Ctrl+Shift+N",),
            tip="One more window, with a graph of its own", is_global=True),
    Command("close_window", "Close the window", "Window", lambda w: w.frame.close(), ("Ctrl+F4",),
            is_global=True),
    Command("next_panel", "Next panel", "Window", lambda w: w.panels.focus_next(1), ("F6",), is_global=True),
    Command("previous_panel", "Previous panel", "Window", lambda w: w.panels.focus_next(-1), ("Shift+F6",),
            is_global=True),
    Command("wires", "Wires …", "Window", lambda w: w.dialogs.wires.open_for_keys(), ("Ctrl+Shift+W",), "table",
            tip="All wires of the page as a table: value, gradient, and why"),
    Command("menu", "Menu", "Window", lambda w: w.dialogs.open_menu(), ("F10",), "dots", is_global=True),
    Command("only_canvas", "Present", "Window", lambda w: w.layout.present(), ("F11",), "play",
            tip="The page alone, larger, with its notes as captions: Space goes on, B is black, Esc ends",
            is_on=lambda w: w.layout.shows_only_canvas),

    Command("help", "Help on the block", "Help", _show_help, ("F1",), "help", is_possible=_blocks),
    Command("keyboard_map", "Keyboard map", "Help", lambda w: w.dialogs.show_keyboard_map(), ("?",), "keyboard",
            on_canvas=True, tip="All keys and what the mouse does, on one sheet", is_global=True),
    Command("tour", "Tour", "Help", lambda w: w.help.tour.start(), (), "play",
            tip="Six cards on the stable softmax, in two minutes", is_global=True),
    Command("first_steps", "First steps", "Help", lambda w: w.help.first_steps.begin(), (), "warn",
            tip="One broken gradient: see it, understand it, mend it", is_global=True),
    Command("wire_help", "Wire patterns", "Help", lambda w: w.dialogs.show_wire_help(), (), "route",
            tip="What solid, dashed, dotted and striped wires mean", is_global=True),
    Command("report_problem", "Report a problem …", "Help", lambda w: w.dialogs.show_report(),
            tip="Versions, system and the last lines of the log, to be copied", is_global=True),
    Command("about", "About Gradwire", "Help", lambda w: w.dialogs.show_about(), (), "info", is_global=True),
)  # fmt: skip


def place_of(command: Command) -> str:
    """Returns what a command is about: "View, Explain"."""
    return ", ".join(tr(part) for part in (command.topic, command.subtopic) if part)


def bindables() -> list[Bindable]:
    """The commands as what can have keys."""
    return [Bindable(item.id, item.title, place_of(item), item.keys, item.on_canvas) for item in COMMANDS]


def run_command(window: WindowParts, command: Command) -> None:
    """Carries out a command, if it is possible; what the mouse is in the middle of is cancelled first."""
    window.canvas.gestures.let_go()
    if command.can_run(window):
        command.call(window)
    window.layout.refreshing.soon()


def make_action(command: Command, window: WindowParts) -> QAction:
    """The action of a command; one `on_canvas` belongs to the canvas, where letters are not text."""
    action = QAction(command.title, window.frame)
    action.setObjectName(command.id)
    action.setCheckable(command.is_on is not None)
    if command.on_canvas:
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
    action.triggered.connect(lambda _=False: run_command(window, command))
    set_keys(action, command, window.keys)
    return action


def set_keys(action: QAction, command: Command, keys: Keys) -> None:
    """Gives an action its keys, and the first of them to its tooltip."""
    action.setShortcuts([QKeySequence(key) for key in keys.of(command.id)])
    tip, key = (tr(command.tip) if command.tip else command.title).rstrip(" …"), keys.shown(command.id)
    action.setToolTip(f"{tip} ({key})" if key else tip)


def set_icon(action: QAction, command: Command, theme: Theme, px: int) -> None:
    """Gives an action its icon in the colours of a theme."""
    if command.icon:
        action.setIcon(icon(theme, command.icon, px=px))
