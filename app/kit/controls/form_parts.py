"""Parts of the inspector: head, sections, rows, problems and explanations."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QWidget,
)

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.kit.controls.dismissing import empty
from gradwire.app.kit.controls.parameter_editors import FIELD_HEIGHT
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.drawing import filled, inked, smooth
from gradwire.app.look.glossary import Term, explained
from gradwire.app.look.icons import draw_icon, icon
from gradwire.app.look.status_glyphs import draw_mark
from gradwire.app.look.statuses import MARKS
from gradwire.app.look.tips import literal_tip
from gradwire.app.look.widgets import (
    STRETCH,
    ThemedWidget,
    make_column,
    make_label,
    make_row,
    make_tool,
    named,
    show_or_hide,
)
from gradwire.engine.base.problems import Problem

MARGIN = 14
LABEL_WIDTH = 88
SEVERITIES = {"error": ("error", "error"), "warning": ("warn", "warn"), "info": ("info", "accent")}
_SPOKEN = {"error": "Error", "warning": "Warning", "info": "Notice"}


def plain_label(text: str, name: str, look: str = "", parent: QWidget | None = None, wraps: bool = False) -> QLabel:
    """Returns a label that shows plain text, never rich text, and shrinks where there is no room."""
    return make_label(text, parent, name=name, wraps=wraps, look=look, least_width=1)


class ElidedLabel(QLabel):
    """A line of plain text; where it has no room, an ellipsis stands for its middle."""

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent)
        named(self, name, least_width=1).setTextFormat(Qt.TextFormat.PlainText)

    def paintEvent(self, _: QPaintEvent) -> None:  # Qt's name
        """As much of the text as there is room for."""
        with QPainter(self) as painter:
            draw_elided(painter, self, self.contentsRect(), self.alignment())


def draw_elided(painter: QPainter, field: QLabel | QLineEdit, room: QRect, side: Qt.AlignmentFlag) -> None:
    """Draws as much of a field's text as there is room for, with an ellipsis in its middle."""
    shown = field.fontMetrics().elidedText(field.text(), Qt.TextElideMode.ElideMiddle, room.width())
    is_enabled, ink = field.isEnabled(), field.foregroundRole()
    field.style().drawItemText(painter, room, int(side), field.palette(), is_enabled, shown, ink)


def show_text(field: QLabel | QLineEdit, text: str) -> None:
    """Sets a text only where it differs: setting one moves the cursor and lays out anew."""
    if field.text() != text:
        field.setText(text)
        if isinstance(field, QLineEdit):
            field.setCursorPosition(0)


class Section(QWidget):
    """A part of the inspector under a line, with a title unless that is empty; `body` takes what is in it.

    `margin` in px is that at both sides of what is below the title.
    """

    def __init__(
        self, title: str, parent: QWidget, name: str, mark: QIcon | None = None, *, margin: int = MARGIN
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._line = named(QFrame(self), look="line")
        self.body = make_column(margins=(margin, 10, margin, 12), spacing=6)
        make_column(self._line, self.body, inside=self, margins=0, spacing=0)
        if title:
            heading = named(plain_label(title, f"{name}_title", "section", self), least_height=20)
            row = make_row(spacing=8)
            if mark is not None:
                picture = QLabel(self)
                picture.setPixmap(mark.pixmap(QSize(14, 14)))
                row.addWidget(picture)
            row.addWidget(heading, 1)
            row.setContentsMargins(MARGIN - margin, 0, MARGIN - margin, 0)
            self.body.addLayout(row)

    def join_head(self) -> None:
        """Belongs to the head above it: no line parts them."""
        self._line.hide()
        room = self.body.contentsMargins()
        self.body.setContentsMargins(room.left(), 0, room.right(), room.bottom())

    def add_row(self, text: str, field: QWidget, term: Term | None = None) -> None:
        """Adds a field with its name to the left; the name stays beside the field's first line and explains a term."""
        self.body.addLayout(labelled_row(text, field, self, term))


class More(ThemedWidget):
    """A part of the inspector that a button unfolds: what few need, and need seldom. `body` takes what is in it."""

    def __init__(self, appearance: Appearance, hint: str, parent: QWidget) -> None:
        super().__init__(appearance, parent)
        line = named(QFrame(self), look="line")
        self.button = make_tool(parent=self, text=tr("More"), name="inspector_more", words=tr("More"), checkable=True)
        named(self.button, least_height=26, focus=Qt.FocusPolicy.StrongFocus)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.toggled.connect(self._unfold)
        self._held = QWidget(self)
        self.body = make_column(inside=self._held, margins=0, spacing=0)
        head = make_row(self.button, STRETCH, plain_label(hint, "inspector_more_hint", "quiet", self))
        head.setContentsMargins(MARGIN - 6, 6, MARGIN, 6)
        make_column(line, head, self._held, inside=self, margins=0, spacing=0)
        self._unfold(False)

    def _unfold(self, is_open: bool) -> None:
        self._held.setVisible(is_open)
        name = "chev-down" if is_open else "chev-right"
        self.button.setIcon(icon(self._appearance.theme, name, "text.secondary", 14))


def labelled_row(text: str, field: QWidget, parent: QWidget, term: Term | None = None) -> QHBoxLayout:
    """A field with its name to the left; the name stays beside the field's first line and explains a term."""
    name = named(ElidedLabel(f"label_{field.objectName()}", parent), look="row")
    name.setText(text)
    name.setFixedSize(LABEL_WIDTH - 8, FIELD_HEIGHT)
    if term is None:
        name.setToolTip(literal_tip(text))
    else:
        explained(name, term, tip=text)
    name.setBuddy(field.focusProxy() or field)
    (field.focusProxy() or field).setAccessibleName(text)
    return make_row((name, 0, Qt.AlignmentFlag.AlignTop), (field, 1), spacing=8)


def show_row(field: QWidget, is_shown: bool) -> None:
    """Shows a field with its name to the left, or hides both."""
    field.setVisible(is_shown)
    holder = field.parentWidget()
    for name in [] if holder is None else holder.findChildren(ElidedLabel, f"label_{field.objectName()}"):
        name.setVisible(is_shown)


class Head(QWidget):
    """Icon, title, one line about the kind, one sentence of meaning, and a button that unfolds the help.

    So much `room` is free at the right end of the title's row, for buttons that stand over it. Units: px.
    """

    def __init__(self, appearance: Appearance, parent: QWidget, name: str = "inspector", room: int = 0) -> None:
        super().__init__(parent)
        self._picture = _Picture(appearance, self)
        self._title = named(ElidedLabel(f"{name}_title", self), look="title")
        self._kind = named(ElidedLabel(f"{name}_kind", self), look="quiet")
        self._summary = plain_label("", f"{name}_summary", parent=self, wraps=True)
        self._help = plain_label("", f"{name}_help_text", "quiet", self, wraps=True)
        self._help.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._help.hide()
        self._button = make_tool(parent=self, name=f"{name}_help", words=tr("Help"), checkable=True)
        named(self._button, size=(26, 26), focus=Qt.FocusPolicy.StrongFocus).setIcon(icon(appearance.theme, "help"))
        self._button.toggled.connect(self._help.setVisible)
        self._lay_out(room)

    def show_head(
        self, picture: tuple[str, str] | None, title: str, kind: str, summary: str = "", help_text: str = ""
    ) -> None:
        """Shows something else; `picture` is the name of an icon and the token of its colour, if there is one."""
        self._picture.setVisible(picture is not None)
        if picture is not None:
            self._picture.show_icon(*picture)
        for label, text in ((self._title, title), (self._kind, kind)):
            show_text(label, text)
            label.setToolTip(literal_tip(text))
        show_or_hide(self._summary, summary)
        show_text(self._help, help_text)
        self._button.setVisible(bool(help_text))

    def put_beside_title(self, widget: QWidget) -> None:
        """Lets a widget follow the title."""
        self._title_row.addWidget(widget, 1)

    def _lay_out(self, room: int) -> None:
        self._title_row = make_row(self._title, spacing=6)
        names = make_column(self._title_row, self._kind, spacing=1)
        parts = self._picture, (names, 1), (self._button, 0, Qt.AlignmentFlag.AlignTop)
        top = make_row(*parts, margins=(0, 0, room, 0), spacing=10)
        make_column(top, self._summary, self._help, inside=self, margins=(MARGIN, 8, MARGIN, 9), spacing=8)


class _Picture(ThemedWidget):
    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, size=(34, 34))
        self._icon, self._token = "info", "text.secondary"

    def show_icon(self, name: str, token: str) -> None:
        self._icon, self._token = name, token
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._appearance.theme
        with smooth(self) as painter:
            inked(painter, QPen(theme.color("border.default"), 1), theme.color("bg.header"))
            painter.drawRoundedRect(QRectF(0.5, 0.5, 33, 33), 8, 8)
            filled(painter, theme.color(self._token)).drawRoundedRect(QRectF(5, 1, 24, 2.5), 1.2, 1.2)
            draw_icon(painter, self._icon, theme.color(self._token), QRectF(9, 10, 16, 16))


class ProblemList(ThemedWidget):
    """The problems of a block, one coloured box each; hidden while there are none. `margin` in px is that around it."""

    def __init__(self, appearance: Appearance, parent: QWidget, margin: int = MARGIN) -> None:
        super().__init__(appearance, parent, "inspector_problems")
        self._shown: list[Problem] = []
        self._layout = make_column(inside=self, margins=(margin, 0, margin, min(margin, 12)), spacing=6)
        self.hide()

    def show_problems(self, problems: Sequence[Problem]) -> None:
        """Shows these in place of the ones before."""
        if list(problems) == self._shown:
            return
        self._shown = list(problems)
        empty(self._layout)
        for place, problem in enumerate(problems):
            box = self._box(problem, place)
            self._layout.addWidget(box)
            box.show()
        self.setVisible(bool(problems))

    def _box(self, problem: Problem, place: int) -> QWidget:
        theme = self._appearance.theme
        picture, token = SEVERITIES[problem.severity]
        back = "accent.soft" if token == "accent" else f"{token}.bg"
        box = named(QFrame(self), f"inspector_problem_{place}")
        box.setStyleSheet(f"QFrame#{box.objectName()} {{ background: {theme.css(back)}; border-radius: 6px; }}")
        mark = QLabel(box)
        mark.setPixmap(icon(theme, picture, token, 14).pixmap(QSize(14, 14)))
        text = plain_label(tr_sentence(problem.message), f"inspector_problem_text_{place}", parent=box, wraps=True)
        text.setAccessibleName(f"{tr(_SPOKEN[problem.severity])}: {text.text()}")
        make_row((mark, 0, Qt.AlignmentFlag.AlignTop), (text, 1), inside=box, margins=(9, 7, 9, 7), spacing=8)
        return box


class GlyphMark(ThemedWidget):
    """The glyph of a status or cause: its shape alone says which."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(appearance, parent, size=(14, 14))
        self._mark = ""

    def show_mark(self, mark: str) -> None:
        """Shows the glyph of a status or cause."""
        if mark != self._mark:
            self._mark = mark
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints the glyph as labels do."""
        with smooth(self) as painter:
            draw_mark(painter, QPointF(2, 7), self._appearance.theme.color(MARKS[self._mark].token), self._mark)
