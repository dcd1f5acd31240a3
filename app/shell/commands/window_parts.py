"""The parts of one window, for its commands and bars."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from gradwire.app.base.examples import FIRST_GRAPH
from gradwire.app.base.translation import tr
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.features.help.first_steps import FirstSteps
from gradwire.app.features.help.tour import Tour, TourStage
from gradwire.app.features.pages.round_bar import RoundBar
from gradwire.app.features.search.block_help import BlockHelp
from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.keys import Bindable, Keys
from gradwire.app.live.process.scheduler import MakeEvaluator
from gradwire.app.live.session import Session
from gradwire.app.shell.commands.dialogs import Dialogs
from gradwire.app.shell.documents.context import DocumentContext
from gradwire.app.shell.documents.documents import Documents
from gradwire.app.shell.documents.shown_document import ShownDocument
from gradwire.app.shell.documents.window_list import OpenWindow
from gradwire.app.shell.window.context import WindowContext
from gradwire.app.shell.window.editor import Editor
from gradwire.app.shell.window.modes import Modes
from gradwire.app.shell.window.panels import Panels
from gradwire.app.shell.window.viewing import Viewing
from gradwire.app.shell.window.window_layout import WindowLayout


class WindowHelp(NamedTuple):
    """The guides of one window, and the pages about its blocks."""

    tour: Tour
    first_steps: FirstSteps
    blocks: BlockHelp


class WindowParts:
    """The parts of one window. Commands act on them; the parts themselves know only what each of them uses.

    `actions_by_id` has the actions of the commands once these are made.
    """

    def __init__(self, frame: OpenWindow, make_evaluator: MakeEvaluator, bindables: Sequence[Bindable]) -> None:
        """`bindables` are the commands as what can have keys."""
        appearance, settings = frame.appearance, frame.settings
        self.frame, self.document = frame, ShownDocument(make_evaluator, frame)
        self.actions_by_id: dict[str, QAction] = {}
        self.keys = Keys(settings, bindables, frame)
        # First, for it takes its room before the canvas fits a page.
        rounds = RoundBar(self.document.current, appearance)
        self.canvas = canvas = Canvas(self.document.current, appearance)
        self.editor = Editor(canvas, appearance, settings, frame)
        self.viewing = Viewing(canvas, appearance, settings, lambda: self.session.part(TrainingDesk).shown_round)
        shared = WindowContext(frame, QWidget(), canvas, appearance, settings)
        self.panels = Panels(shared, self.viewing, self.run)
        self.modes = Modes(self.panels.bottom, self.document.current)
        context = DocumentContext(frame, self.document)
        self.documents = Documents(context, canvas, self.panels, lambda path: self.dialogs.show_versions(path, True))
        self.dialogs = Dialogs(context, canvas, self.keys, self.documents.comparing)
        self.layout = WindowLayout(shared, rounds, self.panels)
        self.help = self._made_help()

    def _made_help(self) -> WindowHelp:
        frame, canvas, opening = self.frame, self.canvas, self.documents.opening
        widgets = frame, canvas, self.editor.placer.popup
        stage = TourStage(*widgets, frame.appearance, frame.settings, self.keys, opening.open_example)
        tour = Tour(stage, lambda: self.layout.shows_welcome)
        open_first = partial(opening.open_untitled, FIRST_GRAPH, tr("Welcome: one broken gradient"))
        first_steps = FirstSteps(stage, tour, open_first)
        first_steps.welcome_wanted.connect(self.documents.close)
        first_steps.reasons_wanted.connect(self.panels.inspector.show_why)
        first_steps.corner_shown.connect(self.viewing.corner.set_shown)
        return WindowHelp(tour, first_steps, BlockHelp(frame.appearance, frame))

    def run(self, command: str) -> None:
        """Runs the command of an id, if it is possible."""
        self.actions_by_id[command].trigger()

    @property
    def session(self) -> Session:
        """The session of the document shown; that of an empty graph if there is none."""
        return self.document.session

    @property
    def has_document(self) -> bool:
        """Whether a document is open."""
        return self.document.is_open
