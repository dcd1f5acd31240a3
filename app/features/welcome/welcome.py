"""The welcome page: a new graph, a file, or one of the examples."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import tr
from gradwire.app.features.welcome.welcome_cards import ExamplesArea, MakePicture
from gradwire.app.features.welcome.welcome_rows import BigButton, LearnRow, RecentRow
from gradwire.app.kit.controls.dismissing import empty
from gradwire.app.kit.controls.logo import Logo
from gradwire.app.kit.controls.switch import Switch
from gradwire.app.live.keys import Keys
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import STRETCH, add_items, make_column, make_label, make_row, named, scrolling

SHOW_KEY = "show_welcome"
_LEFT, _LEAST_LEFT = 400, 260


class WelcomePage(QWidget):
    """The page without an open document.

    `path_requested(Path)` asks for a recent file, `example_requested(str)` for an example by name, and
    `learn_requested(str)` for a command by its id. A card calls `make_picture` when it becomes visible, with file,
    size, appearance and the device pixel ratio.
    """

    new_requested = Signal()
    open_requested = Signal()
    learn_requested = Signal(str)
    path_requested = Signal(object)
    example_requested = Signal(str)

    def __init__(self, settings: Settings, appearance: Appearance, make_picture: MakePicture) -> None:
        super().__init__()
        self.setObjectName("welcome")
        self._settings, self._appearance = settings, appearance
        self._recent = make_column(spacing=0)
        self._recent_title = make_label(tr("Recent"), name="recent_title", look="section")
        self._switch = self._made_switch()
        self._learn_rows = (
            LearnRow("tour", tr("Two-minute tour of the canvas"), "play", appearance),
            LearnRow("keyboard_map", tr("Keyboard map"), "keyboard", appearance),
            LearnRow("wire_help", tr("What do the wire patterns mean?"), "book", appearance),
        )
        examples = ExamplesArea(appearance, make_picture)
        examples.chosen.connect(self.example_requested)
        make_row((self._left_column(), 2), (examples, 3), inside=self, margins=0, spacing=0)
        self.refresh()

    @property
    def is_wanted(self) -> bool:
        """True if the page is shown at the start."""
        return self._settings.flag(SHOW_KEY, True)

    def refresh(self) -> None:
        """Reads the recent files again."""
        empty(self._recent)
        files = self._settings.recent()
        self._recent_title.setVisible(bool(files))
        for number, file in enumerate(files):
            row = named(RecentRow(file, self._appearance), f"recent_{number}")
            row.chosen.connect(self.path_requested)
            row.removed.connect(self._forget)
            self._recent.addWidget(row)

    def show_keys(self, keys: Keys) -> None:
        """Shows the shortcut keys."""
        self._new.set_key(keys.shown("new"))
        self._open.set_key(keys.shown("open"))
        for row in self._learn_rows:
            row.set_key(keys.shown(row.command))

    def showEvent(self, event: QShowEvent) -> None:
        """Reads the files again, which may have changed while the page was hidden."""
        super().showEvent(event)
        self.refresh()

    def _left_column(self) -> QScrollArea:
        content = named(QWidget(), "welcome_left", look="panel")
        layout = make_column(inside=content, margins=(34, 50, 27, 32), spacing=0)
        self._new = named(BigButton(self._appearance, tr("New graph"), "plus", is_primary=True), "new_graph")
        self._new.clicked.connect(self.new_requested)
        self._open = named(BigButton(self._appearance, tr("Open a graph"), "folder"), "open_graph")
        self._open.clicked.connect(self.open_requested)
        hint = make_label(tr("Or drop a graph, a .pt2 of PyTorch or an .onnx here."), wraps=True)
        parts = ((self._head(), 34), (self._new, 8), (self._open, 8), (hint, 26), (self._recent_title, 8))
        for widget, gap in parts:
            add_items(layout, _indented(widget), gap)
        add_items(layout, self._recent, 26, self._learn(), 30, _indented(self._switch, 7), STRETCH)
        area = named(scrolling(content), "welcome_left_area")
        area.setMinimumWidth(_LEAST_LEFT)
        area.setMaximumWidth(_LEFT)
        return area

    def _head(self) -> QWidget:
        head = QWidget()
        motto = make_label(tr("See the value and the gradient on every wire"), wraps=True)
        texts = make_column(make_label("Gradwire", look="display"), motto, spacing=0)
        logo = Logo(self._appearance), 0, Qt.AlignmentFlag.AlignVCenter
        make_row(logo, (texts, 1), inside=head, margins=0, spacing=14)
        return head

    def _learn(self) -> QVBoxLayout:
        layout = make_column(_indented(make_label(tr("Learn"), look="section")), 8, spacing=0)
        for row in self._learn_rows:
            row.chosen.connect(self.learn_requested)
            layout.addWidget(row)
        return layout

    def _made_switch(self) -> Switch:
        switch = named(Switch(self._appearance, tr("Show this page at start")), "show_at_start")
        switch.setChecked(self.is_wanted)
        switch.toggled.connect(partial(self._settings.set_flag, SHOW_KEY))
        self._settings.changed.connect(self._take_setting)
        return switch

    def _take_setting(self, key: str) -> None:
        if key == SHOW_KEY:
            self._switch.setChecked(self.is_wanted)

    def _forget(self, path: Path) -> None:
        self._settings.forget_recent(path)
        self.refresh()


def _indented(widget: QWidget, left: int = 10) -> QHBoxLayout:
    """Returns a layout that indents a widget, so that its text lines up with the texts of rows."""
    return make_row(widget, margins=(left, 0, 10, 0))
