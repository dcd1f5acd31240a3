"""The empty page: a field to begin with, the files opened last, and three lessons."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLayout, QWidget

from gradwire.app.base.examples import FIRST_GRAPH, example_path
from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import tr
from gradwire.app.features.welcome.page_parts import LessonCard, MakePicture, RecentRow, StartField
from gradwire.app.kit.controls.dismissing import empty
from gradwire.app.live.keys import Keys
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.app.look.widgets import (
    STRETCH,
    ThemedWidget,
    make_button,
    make_column,
    make_label,
    make_row,
    named,
    scrolling,
)

SHOW_KEY = "show_welcome"
# The width of the column at texts of 100 %, with which it grows. Units: px.
WIDTH = 640
STARTS = ("softmax(W x + b)", "dense 8 relu", "x - stop(max(x))")
_MOST_FILES = 3
# The lesson that is a command rather than an example.
FIRST_STEPS = "first_steps"


class WelcomePage(ThemedWidget):
    """The page without a graph.

    `search_requested(str, str)` carries a text that was begun and the part of the search that comes first,
    `path_requested(Path)` a recent file, `example_requested(str)` an example, and `learn_requested(str)` a command.
    A card calls `make_picture` when it becomes visible, with file, size, appearance and the device pixel ratio.
    """

    search_requested = Signal(str, str)
    open_requested = Signal()
    learn_requested = Signal(str)
    path_requested = Signal(object)
    example_requested = Signal(str)

    def __init__(self, settings: Settings, appearance: Appearance, make_picture: MakePicture) -> None:
        super().__init__(appearance, name="welcome")
        self._settings, self._make_picture = settings, make_picture
        self.field = StartField(appearance)
        self.field.begun.connect(self._search)
        self._recent = make_column(spacing=6)
        self._recent_title = make_label(tr("Go on"), name="recent_title", look="strong")
        self._open = make_button("", self.open_requested, name="open_file", look="link")
        column = named(QWidget(), "welcome_column")
        column.setMaximumWidth(WIDTH)
        heading = make_label(tr("What do you want to look into?"), look="question", font=font("ui", 22, 600))
        everything = make_button(tr("All lessons"), partial(self._search, "", "learn"), name="all_lessons", look="link")
        make_column(
            *((heading, 0, Qt.AlignmentFlag.AlignHCenter), 28, self.field, 16, self._starts(), 40),
            *(named(QFrame(), look="line"), 10, make_row(self._recent_title, STRETCH, self._open), 10, self._recent),
            *(30, make_row(make_label(tr("Learn"), look="strong"), STRETCH, everything), 10, self._lessons()),
            inside=column,
            margins=0,
            spacing=0,
        )
        content, sides = named(QWidget(), "welcome_content", look="canvas"), (None, 0)
        centred = make_row(sides, (column, 1), sides)
        make_column(STRETCH, centred, STRETCH, inside=content, margins=24, spacing=0)
        make_column(scrolling(content), inside=self, margins=0)
        self.refresh()

    @property
    def is_wanted(self) -> bool:
        """True if the page is shown at the start."""
        return self._settings.flag(SHOW_KEY, True)

    def refresh(self) -> None:
        """Reads the recent files again; the page is as it is seen first."""
        self.field.is_fresh = True
        empty(self._recent)
        files = self._settings.recent()[:_MOST_FILES]
        self._recent_title.setVisible(bool(files))
        last: QWidget = self._open
        for number, file in enumerate(files):
            row = named(RecentRow(file, self._appearance), f"recent_{number}")
            if row.is_there:
                row.clicked.connect(partial(self.path_requested.emit, file.path))
            row.cross.clicked.connect(partial(self._forget, file.path))
            self._recent.addWidget(row)
            self.setTabOrder(last, row)
            self.setTabOrder(row, row.cross)
            last = row.cross

    def show_keys(self, keys: Keys) -> None:
        """Shows the shortcut keys."""
        self._open.setText(f"{tr('Open a file')}  {keys.shown('open')}".rstrip())

    def showEvent(self, event: QShowEvent) -> None:
        """Reads the files again, which may have changed while the page was hidden."""
        super().showEvent(event)
        self.refresh()
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)

    def mouseDoubleClickEvent(self, _: QMouseEvent) -> None:
        """Opens the search."""
        self._search()

    def _starts(self) -> QHBoxLayout:
        """Returns the row of texts that show what can be typed."""
        chips = [
            make_button(text, partial(self._search, text), name=f"start_{number}", look="example")
            for number, text in enumerate(STARTS)
        ]
        return make_row(make_label(tr("for example")), 6, *chips, STRETCH, spacing=8)

    def _lessons(self) -> QLayout:
        lessons = (
            (FIRST_STEPS, FIRST_GRAPH, tr("Why is it NaN?"), tr("Find it and mend it, 2 min")),
            ("softmax_stable", example_path("softmax_stable"), tr("Stable softmax"), tr("Why the stop is safe, 5 min")),
            ("spirals", example_path("spirals"), tr("Spirals"), tr("Watch a boundary bend, 3 min")),
        )
        cards = []
        for name, path, *texts in lessons:
            card = LessonCard(path, (texts[0], texts[1]), self._appearance, self._make_picture)
            begin = self.learn_requested if name == FIRST_STEPS else self.example_requested
            named(card, f"learn_{name}").clicked.connect(partial(begin.emit, name))
            cards.append((card, 1))
        return make_row(*cards, spacing=15)

    def _search(self, text: str = "", first: str = "add") -> None:
        self.search_requested.emit(text, first)

    def _forget(self, path: Path, *_: bool) -> None:
        self._settings.forget_recent(path)
        self.refresh()
