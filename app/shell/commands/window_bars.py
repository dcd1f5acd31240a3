"""The bar of one window and all else that names commands, and their connections with its parts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import QWidget

from gradwire.app.base.signals import call_on
from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.features.search.search_popup import CORNER
from gradwire.app.live.selection import Selection
from gradwire.app.look.tips import title_of_file
from gradwire.app.look.widgets import pop_up
from gradwire.app.shell.bar.align_bar import AlignBar
from gradwire.app.shell.bar.top_bar import TopBar
from gradwire.app.shell.commands.command_actions import CommandActions
from gradwire.app.shell.commands.context_menus import context_menu
from gradwire.app.shell.commands.dropping import Dropping
from gradwire.app.shell.commands.search_sources import sources
from gradwire.app.shell.commands.tips import Tips
from gradwire.app.shell.commands.window_parts import WindowParts
from gradwire.app.shell.status.sentences import problem_sentence
from gradwire.app.shell.window import accessibility
from gradwire.app.shell.window.panel_texts import PanelTexts

# Parts that are no command's own button, with the command whose key screen readers tell with them.
KEYED = {"graph_name": "rename", "search_button": "search", "menu_button": "menu", "status_sentence": "problems",
         "status_zoom": "zoom_100"}  # fmt: skip


class WindowBars(QObject):
    """Everything of one window that names commands: connects it with the parts, and shows their state in it."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts.frame)
        self._parts = parts
        self.commands, self.top, self.texts = CommandActions(parts), TopBar(parts), PanelTexts(parts.frame)
        self.tips = Tips(parts, self.top)
        accessibility.apply(parts.frame.settings, parts.frame.appearance, self.texts)
        parts.layout.put_bar(self.top)
        AlignBar(parts)
        parts.panels.bars = (parts.layout.status, self.top, parts.layout.rounds)
        # Keys of the canvas, and without a document it is not there to be pressed on.
        parts.layout.welcome.addAction(parts.actions_by_id["keyboard_map"])
        parts.keys.changed.connect(self._show_keys)
        self._show_keys()
        self._restyle()
        self._connect_document()
        self._connect_center()
        self._connect_panels()
        # Never a lambda, which would go on when this window is gone: others share its looks.
        parts.frame.appearance.restyled.connect(self._restyle)
        parts.frame.settings.changed.connect(self._take_setting)

    def _connect_document(self) -> None:
        parts = self._parts
        parts.document.session_changed.connect(parts.panels.bottom.forget)
        parts.document.shown.connect(parts.layout.show_document)
        parts.document.left.connect(parts.layout.show_welcome)
        parts.document.path_changed.connect(self._path_changed)
        parts.layout.turned.connect(parts.layout.refreshing.now)
        parts.layout.refreshing.due.connect(self._show_state)
        # The guides look at the state that is shown.
        parts.layout.refreshing.due.connect(parts.help.tour.check)
        parts.layout.refreshing.due.connect(parts.help.first_steps.check)

    def _connect_center(self) -> None:
        parts = self._parts
        parts.layout.tabs.use_requested.connect(parts.editor.pages.use)
        parts.layout.welcome.learn_requested.connect(parts.run)
        parts.layout.welcome.search_requested.connect(self._search_over_field)
        parts.layout.welcome.open_requested.connect(parts.documents.opening.ask_open)
        parts.layout.welcome.path_requested.connect(parts.documents.opening.open)
        parts.layout.welcome.example_requested.connect(parts.documents.opening.open_example)
        parts.canvas.page_actions.menu_requested.connect(self._open_menu)
        parts.canvas.keys.backspace_pressed.connect(parts.actions_by_id["delete"].trigger)
        parts.canvas.keys.escapes.insert(0, parts.layout.leave_only_canvas)
        parts.layout.presented.connect(parts.viewing.corner.set_presenting)
        call_on(parts.layout.refreshing.soon, parts.layout.presented, parts.canvas.viewport.zoom_changed,
                parts.viewing.history.changed, parts.canvas.page_look.changed)  # fmt: skip
        parts.viewing.stepping.mode_changed.connect(parts.modes.follow_steps)
        parts.viewing.stepping.mode_changed.connect(parts.layout.refreshing.now)
        parts.documents.recovery.failed.connect(parts.layout.sayings.say)
        parts.help.tour.ended.connect(parts.layout.sayings.say_briefly)

    def _connect_panels(self) -> None:
        parts = self._parts
        parts.panels.problems.fix_chosen.connect(parts.editor.carry_out)
        requests = parts.canvas.current.requests
        call_on(parts.editor.tensors.edit, parts.canvas.page_actions.tensor_requested, requests.tensor_chosen)
        requests.fix_chosen.connect(parts.editor.mend)
        requests.fix_refused.connect(lambda: parts.session.select(Selection()))
        call_on(parts.help.first_steps.note_fix, requests.fix_chosen, parts.panels.problems.fix_chosen)
        popup = parts.editor.placer.popup
        popup.sources, popup.file_of = sources(parts), Dropping(parts).named
        popup.help_wanted.connect(parts.help.blocks.show_type)
        parts.editor.placer.show_page = self._show_page
        parts.dialogs.open_search, parts.dialogs.open_name = self._open_search, self.top.name.open
        parts.dialogs.open_menu = self.top.open_menu
        self.top.search.clicked.connect(partial(self._open_search, "add"))
        call_on(self._say_gravest, parts.panels.problems.listed, parts.panels.bottom.changed)
        self._say_gravest()
        parts.layout.status.acted.connect(parts.documents.conflicts.act)
        parts.layout.status.acted.connect(self._act_on_sentence)
        by_mouse = Qt.FocusReason.MouseFocusReason
        parts.layout.status.said.clicked.connect(lambda: parts.panels.show_lens("problems", by_mouse))
        parts.layout.status.zoom.clicked.connect(parts.viewing.turn_zoom)
        current = parts.canvas.current
        call_on(self._show_zoom, parts.canvas.viewport.zoom_changed, current.changed, current.page_changed,
                parts.frame.appearance.texts_changed)  # fmt: skip
        parts.panels.bottom.changed.connect(parts.layout.refreshing.soon)

    # Showing the state

    def _show_zoom(self, *_: object) -> None:
        viewing = self._parts.viewing
        self._parts.layout.status.show_zoom(self._parts.canvas.viewport.reading_scale, viewing.unread_note())

    def _show_state(self) -> None:
        """Shows in menus, toolbar and title what is possible and what is on."""
        parts = self._parts
        self.commands.refresh()
        is_shown = parts.has_document and not parts.layout.shows_welcome
        name = parts.document.name
        parts.frame.setWindowTitle(title_of_file(name) if is_shown else "Gradwire")
        parts.frame.setWindowModified(is_shown and not parts.session.document.is_saved)
        self.top.refresh()

    def _show_keys(self) -> None:
        parts, search = self._parts, self._parts.keys.shown("search")
        self.commands.show_keys()
        parts.canvas.keys.pan_keys, parts.canvas.painted.search_key = parts.keys.of("hold_to_pan"), search
        self.top.show_keys(search)
        parts.layout.welcome.show_keys(parts.keys)
        parts.viewing.corner.button.show_key(parts.keys.shown("overlay_next"))
        for name, command in KEYED.items():
            part = parts.frame.findChild(QWidget, name)
            if isinstance(part, QWidget):
                part.setAccessibleDescription(parts.keys.shown(command))

    def _restyle(self) -> None:
        self.commands.restyle(self._parts.frame.appearance.theme)

    def _take_setting(self, key: str) -> None:
        """Makes true what has been chosen anew, if the setting is one of looks."""
        parts = self._parts
        if key == "theme":
            parts.frame.appearance.choose(accessibility.theme(parts.frame.settings))
        if key in accessibility.KEYS:
            accessibility.apply(parts.frame.settings, parts.frame.appearance, self.texts)
        if key in (*accessibility.KEYS, "theme"):
            parts.layout.refreshing.now()

    # What is asked for

    def _path_changed(self, _: Path) -> None:
        self._parts.viewing.bookmarks.write(self._parts.session)
        self._parts.layout.refreshing.now()

    def _change_reading(self) -> None:
        """Selects the block whose file has just been read, with the keyboard on what separates its cells."""
        if news := self._parts.session.data.news:
            self._parts.viewing.go_to(news[0][0].block)
            self._parts.panels.edit_parameter("separator")

    def _allow_data(self, always: bool) -> None:
        if fault := self._parts.session.data.allow(always):
            self._parts.session.refused.emit(tr_sentence(fault))

    def _open_search(self, first: str) -> None:
        """Opens the search below the bar, on the empty page over its field."""
        if self._parts.layout.shows_welcome:
            self._search_over_field("", first)
            return
        button, placer = self.top.search, self._parts.editor.placer
        at = button.mapToGlobal(QPoint(button.width() - placer.popup.usual_width, button.height() + 4))
        placer.search_at(at + CORNER, first)

    def _search_over_field(self, text: str, first: str) -> None:
        field = self._parts.layout.welcome.field
        self._parts.editor.placer.search_over(QRect(field.mapToGlobal(QPoint()), field.size()), text, first)

    def _show_page(self) -> None:
        """Shows the page for what comes onto it: that of the document behind the empty page, or of a new one."""
        parts = self._parts
        if not parts.has_document:
            parts.documents.opening.new()
        elif parts.layout.shows_welcome:
            parts.layout.show_document()

    def _say_gravest(self, *_: object) -> None:
        """Says the gravest problem in the status line."""
        parts = self._parts
        parts.layout.status.show_problem(problem_sentence(parts.panels.problems.gravest, parts.session))

    def _act_on_sentence(self, what: str) -> None:
        """Does what a button of the status line says."""
        parts, session, documents = self._parts, self._parts.session, self._parts.documents
        gravest = parts.panels.problems.gravest
        acts: dict[str, Callable[[], object]] = {
            "loss": lambda: parts.editor.add_loss(),
            "variable": lambda: parts.canvas.page_actions.add_block("Variable", parts.editor.middle),
            "stops": lambda: session.runs.set_ignores_stops(False),
            "read_note": lambda: parts.viewing.read_note(),
            "pause": lambda: session.runs.set_live(False),
            "try_again": lambda: session.evaluate(),
            "data_once": lambda: self._allow_data(False),
            "data_always": lambda: self._allow_data(True),
            "data_again": lambda: session.data.try_again(),
            "data_accept": lambda: session.apply(tr("Use this content"), session.data.accepted),
            "data_change": lambda: self._change_reading(),
            "data_see": lambda: session.data.see(),
            "fix_all": lambda: documents.repairing.fix_all(),
            "show_problems": lambda: documents.repairing.show(),
        }
        if what in acts:
            acts[what]()
        elif what == "fix":
            parts.panels.show_lens("problems")
            parts.panels.problems.show_first()
        elif what == "why" and (results := session.results) is not None and results.nonfinite_wires:
            parts.viewing.go_to_wire(results.nonfinite_wires[0])
            parts.panels.show_why()
        elif what in ("why", "go_to") and gravest is not None and gravest.at:
            parts.viewing.go_to(gravest.at)

    def _open_menu(self, at: QPoint, target: Target) -> None:
        menu = context_menu(self._parts, target)
        menu.installEventFilter(self.tips)
        pop_up(menu, at)
