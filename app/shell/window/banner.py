"""The strip over the upper edge of the canvas: changed files, data to read, and ended evaluators."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QWidget

from gradwire.app.base.timers import make_timer
from gradwire.app.base.translation import tr, tr_count, tr_sentence
from gradwire.app.canvas.canvas import Canvas
from gradwire.app.features.inspector.data_file import data_text
from gradwire.app.live.current_session import SessionView
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.icons import icon_pixmap
from gradwire.app.look.numbers import fmt
from gradwire.app.look.theme import Theme
from gradwire.app.look.widgets import make_label, make_row, named
from gradwire.engine.advice.repairs import REPAIRABLE
from gradwire.engine.base.problems import MORE
from gradwire.engine.base.untrusted_text import plain
from gradwire.engine.files.data_files import is_in, size_in
from gradwire.engine.files.wanted_files import WantedFile

HEIGHT = 28
# After a run of this length the banner offers Manual.
LONG_MS = 2000
MOST_BUTTONS = 3


_WARNING = ("warn", "warn", "warn.bg")
# So many files of data are named; a graph may want more.
_NAMED = 3


class Saying(NamedTuple):
    """A sentence, its actions with the text of each button, and its look."""

    text: str = ""
    actions: tuple[tuple[str, str], ...] = ()
    icon: str = "target"
    tone: str = "text.secondary"
    back: str = "bg.frame"


class Banner(SessionView, QWidget):
    """One sentence with some buttons; `clicked(str)` carries the purpose of a button.

    The purposes are `long`, `try_again`, for files of data `data_once`, `data_always`, `data_again`,
    `data_accept`, `data_change` and `data_see`, and for the graph's file `reload`, `overwrite`, `save`, `save_as`,
    `show_problems` and `fix_all`. It lies over the upper edge of a canvas that `over` holds, so that it moves nothing.
    """

    clicked = Signal(str)

    def __init__(self, canvas: Canvas, appearance: Appearance, over: QWidget) -> None:
        super().__init__(over)
        self.setObjectName("banner")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setMinimumHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.current, self._appearance, self._canvas, self._over = canvas.current, appearance, canvas, over
        self._saying = Saying()
        self._is_long = self._is_wanted = False
        self.long = make_timer(self, self._take_long, LONG_MS)
        self._icon, self._text = QLabel(self), make_label(parent=self, name="banner_text", wraps=True)
        self._buttons = [self._made_button(number) for number in range(MOST_BUTTONS)]
        layout = make_row(self._icon, (self._text, 1), inside=self, margins=(16, 0, 8, 0), spacing=8)
        for button in self._buttons:
            layout.addWidget(button)
        self.current.changed.connect(self._begin_document)
        self.current.busy_changed.connect(self._take_busy)
        self.current.results_changed.connect(self._take_results)
        appearance.changed.connect(self._restyle)
        canvas.resized.connect(self._place)
        self.hide()

    def _place(self) -> None:
        """Takes the width of the canvas, and the height that the sentence needs there."""
        canvas = self._canvas
        high = max(self.heightForWidth(canvas.width()), self.minimumHeight())
        self.setGeometry(QRect(canvas.mapTo(self._over, QPoint()), QSize(canvas.width(), high)))
        self.raise_()
        canvas.viewport.cover_top(0 if self.isHidden() else high)

    def show_state(self, is_wanted: bool) -> None:
        """Shows the message about the document, if one is to be seen."""
        self._is_wanted = is_wanted
        self._saying = self._said_of(self.session) if is_wanted else Saying()
        self._text.setText(self._saying.text)
        for button, (_, text) in zip(self._buttons, self._saying.actions, strict=False):
            button.setText(text)
        for number, button in enumerate(self._buttons):
            button.setVisible(number < len(self._saying.actions))
        self.setVisible(bool(self._saying.text))
        self._restyle(self._appearance.theme)
        self._place()

    def _made_button(self, number: int) -> QPushButton:
        button = named(QPushButton(self), f"banner_button_{number}" if number else "banner_button")
        button.clicked.connect(lambda: self.clicked.emit(self._saying.actions[number][0]))
        return button

    def _said_of(self, session: Session) -> Saying:
        return self._said_of_file(session) or _said_of_data(session) or self._said_of_run(session)

    def _said_of_file(self, session: Session) -> Saying | None:
        name = "" if session.document.path is None else session.document.path.name
        save_as = ("save_as", tr("Save as …"))
        if session.file.state == "changed":
            text = tr("Another program has changed {name}. Both versions are kept, whatever you choose.", name=name)
            actions = (("reload", tr("Reload")), save_as, ("overwrite", tr("Overwrite")))
            return Saying(text, actions, *_WARNING)
        if session.file.state == "vanished":
            text = tr("{name} was moved or deleted. Saving writes it again.", name=name)
            return Saying(text, (("save", tr("Save")), save_as), *_WARNING)
        if session.file.read_only:
            return Saying(session.file.read_only, (save_as,) if session.file.is_understood else (), "lock")
        return self._said_of_defects(session)

    @staticmethod
    def _said_of_defects(session: Session) -> Saying | None:
        defects = session.file.defects(session.problems)
        if not defects:
            return None
        text = tr_count(
            "{count} problem in this file; see Problems for fixes.",
            "{count} problems in this file; see Problems for fixes.",
            len(defects),
        )
        if any(problem.code == MORE for problem in session.problems):
            text = tr("At least {count} problems in this file; see Problems for fixes.", count=len(defects))
        fix_all = ("fix_all", tr("Fix all"))
        can_be_fixed = any(problem.code in REPAIRABLE for problem in defects)
        return Saying(text, (("show_problems", tr("Show")), *((fix_all,) if can_be_fixed else ())), *_WARNING)

    def _said_of_run(self, session: Session) -> Saying:
        if session.death is not None:
            return Saying(tr_sentence(session.death.message), (("try_again", tr("Try again")),), *_WARNING)
        if self._is_long and session.runs.is_live:
            text = tr("Each run takes more than 2 s. Pause, and only F5 computes.")
            return Saying(text, (("long", tr("Pause")),), "clock")
        return Saying()

    def _begin_document(self, session: Session) -> None:
        self._is_long = False
        self.long.stop()
        self._take_busy(session.scheduler.is_busy)

    def _take_busy(self, is_busy: bool) -> None:
        if is_busy:
            self.long.start()
        else:
            self._end_long()

    def _take_results(self, _: object) -> None:
        """Ends the message about a long run; if edits follow each other, the next run has already begun."""
        self._end_long()
        if self.session.scheduler.is_busy:
            self.long.start()

    def _take_long(self) -> None:
        self._is_long = True
        self.show_state(self._is_wanted)

    def _end_long(self) -> None:
        self.long.stop()
        if self._is_long:
            self._is_long = False
            self.show_state(self._is_wanted)

    def _restyle(self, theme: Theme) -> None:
        saying = self._saying
        self._icon.setPixmap(icon_pixmap(saying.icon, theme.css(saying.tone), 16, self.devicePixelRatioF()))
        line = theme.css("border.subtle")
        style = (
            f"#banner {{ background: {theme.css(saying.back)}; border-bottom: 1px solid {line}; }}"
            f"#banner QLabel {{ color: {theme.css(saying.tone)}; }} #banner QPushButton {{ padding: 1px 10px; }}"
        )
        # Qt takes over even the same style sheet anew, which is slow, and this comes with every refresh of the window.
        if style != self.styleSheet():
            self.setStyleSheet(style)


def _said_of_data(session: Session) -> Saying | None:
    """Returns the message about a session's files of data; None if there is nothing to say."""
    data = session.data
    if waiting := data.waiting:
        text = tr("This graph wants to read {files}. Until then it runs without.", files=_listed(waiting, data.folder))
        actions = (("data_once", tr("Allow once")), ("data_always", tr("Always for this folder")))
        return Saying(text, actions, "folder")
    if faults := data.faults:
        return Saying(" ".join(map(tr_sentence, faults[:_NAMED])), (("data_again", tr("Try again")),), *_WARNING)
    if differing := data.differing:
        text = tr("{files}: not the content that this graph was written with.", files=_listed(differing, data.folder))
        return Saying(text, (("data_accept", tr("Use this content")),), *_WARNING)
    if news := data.news:
        text = " ".join(data_text(content) for _, content in news[:_NAMED])
        return Saying(text, (("data_change", tr("Change …")), ("data_see", tr("OK"))), "folder")
    return None


def _listed(files: tuple[WantedFile, ...], folder: Path | None) -> str:
    names = list(dict.fromkeys(name for item in files for name in item.names))
    texts = [_described(name, folder) for name in names[:_NAMED]]
    more = [tr("{count} more", count=len(names) - _NAMED)] if len(names) > _NAMED else []
    return ", ".join([*texts, *more])


def _described(name: str, folder: Path | None) -> str:
    if folder is None or not is_in(folder, name):
        return f"{plain(name)} ({tr('missing')})"
    # What is wrong with a folder, as that it has no images, is said once it may be read.
    size = size_in(folder, name)
    return plain(name) if size is None else f"{plain(name)} ({_size_text(size)})"


def _size_text(size: int) -> str:
    """Returns a size of some bytes to read: 2.1 MB."""
    for unit, name in ((10**6, "MB"), (10**3, "kB")):
        if size >= unit:
            return f"{fmt(round(size / unit, 1))} {name}"
    return tr_count("{count} byte", "{count} bytes", size)
