"""The view kit: widgets and layouts with their names, words, contents and room in one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypedDict, TypeVar, Unpack

from PySide6.QtCore import QPoint, QSize, Qt, SignalInstance
from PySide6.QtGui import QAction, QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gradwire.app.look.appearance import Appearance

W = TypeVar("W", bound=QWidget)
B = TypeVar("B", bound=QBoxLayout)
A = TypeVar("A", bound=QAbstractButton)
Does = Callable[..., object] | SignalInstance
Margins = tuple[int, int, int, int] | int
# A part of a layout: a widget or layout, alone or with its stretch and its alignment; a number is a gap in pixels.
Item = QWidget | QLayout | int | tuple[QWidget | QLayout | None, int] | tuple[QWidget, int, Qt.AlignmentFlag]
STRETCH: tuple[None, int] = (None, 1)
# A widget with this property gives itself and what stands in it other sizes with other texts.
OWN_SIZES = "own_sizes"
ENTER_KEYS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_NO_SIDE = Qt.AlignmentFlag(0)


class Settings(TypedDict, total=False):
    """Settings that every widget has. `words` are both its tip and what screen readers say; sizes are pixels, fixed
    unless they are the least.

    A `filled` one paints the background of the style sheet, one with `own_sizes` follows the size of texts by itself.
    """

    says: str
    tip: str
    words: str
    title: str
    look: str
    own_sizes: bool
    filled: bool
    font: QFont
    size: tuple[int, int]
    height: int
    width: int
    least_width: int
    least_height: int
    focus: Qt.FocusPolicy
    cursor: Qt.CursorShape
    attribute: Qt.WidgetAttribute


# Any: what each setting is, which `Settings` says.
_SETTERS: Mapping[str, Callable[[Any, Any], object]] = {
    "says": QWidget.setAccessibleName,
    "tip": QWidget.setToolTip,
    "title": QWidget.setWindowTitle,
    "look": lambda widget, look: widget.setProperty("look", look),
    "filled": lambda widget, is_filled: widget.setAttribute(Qt.WidgetAttribute.WA_StyledBackground, is_filled),
    "own_sizes": lambda widget, has_own: widget.setProperty(OWN_SIZES, has_own),
    "font": QWidget.setFont,
    "size": lambda widget, size: widget.setFixedSize(*size),
    "height": QWidget.setFixedHeight,
    "width": QWidget.setFixedWidth,
    "least_width": QWidget.setMinimumWidth,
    "least_height": QWidget.setMinimumHeight,
    "focus": QWidget.setFocusPolicy,
    "cursor": QWidget.setCursor,
    "attribute": QWidget.setAttribute,
}


def named(widget: W, name: str = "", **settings: Unpack[Settings]) -> W:
    """Returns a widget with its object name and settings; its look is a property that the style sheet reads."""
    words = settings.pop("words", "")
    for setting, value in {"says": words, "tip": words, **settings}.items():
        if value != "":
            _SETTERS[setting](widget, value)
    if name:
        widget.setObjectName(name)
    return widget


def make_label(
    text: str = "", parent: QWidget | None = None, *, name: str = "", wraps: bool = False, **settings: Unpack[Settings]
) -> QLabel:
    """Returns a label that shows texts as they are: without a format Qt would guess at HTML."""
    made = QLabel(text, parent, textFormat=Qt.TextFormat.PlainText, wordWrap=wraps)
    return named(made, name, **settings)


def selectable(label: QLabel) -> QLabel:
    """Returns a label after it has let mouse and keyboard select its text."""
    flags = Qt.TextInteractionFlag
    label.setTextInteractionFlags(flags.TextSelectableByMouse | flags.TextSelectableByKeyboard)
    return label


def make_button(
    text: str = "",
    does: Does | None = None,
    parent: QWidget | None = None,
    *,
    name: str = "",
    enters: bool = True,
    **settings: Unpack[Settings],
) -> QPushButton:
    """Returns a button with a text; a click does what `does` says, and in a dialog also Enter if it `enters`."""
    made = named(QPushButton(text, parent), name, **settings)
    if not enters:
        made.setAutoDefault(False)
    return _clicked(made, does)


def make_tool(
    does: Does | None = None,
    parent: QWidget | None = None,
    *,
    text: str = "",
    name: str = "",
    checkable: bool = False,
    **settings: Unpack[Settings],
) -> QToolButton:
    """Returns a flat button for an icon or a short text; a click does what `does` says."""
    made = named(QToolButton(parent), name, **settings)
    made.setText(text)
    made.setCheckable(checkable)
    return _clicked(made, does)


def make_row(
    *items: Item, inside: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QHBoxLayout:
    """Returns a layout of items from left to right. Units: pixels; without numbers it has the room of the style."""
    return _filled(QHBoxLayout() if inside is None else QHBoxLayout(inside), items, margins, spacing)


def make_column(
    *items: Item, inside: QWidget | None = None, margins: Margins | None = None, spacing: int | None = None
) -> QVBoxLayout:
    """Returns a layout of items from top to bottom. Units: pixels; without numbers it has the room of the style."""
    return _filled(QVBoxLayout() if inside is None else QVBoxLayout(inside), items, margins, spacing)


def make_grid(
    inside: QWidget | None = None, margins: Margins | None = None, spacing: tuple[int, int] = (0, 0)
) -> QGridLayout:
    """Returns a layout of rows and columns. Units: pixels; the gaps are those between columns and between rows."""
    made = QGridLayout() if inside is None else QGridLayout(inside)
    _set_margins(made, margins)
    made.setHorizontalSpacing(spacing[0])
    made.setVerticalSpacing(spacing[1])
    return made


def add_items(layout: QBoxLayout, *items: Item) -> None:
    """Adds widgets, layouts and gaps to a row or column."""
    for item in items:
        what, stretch, side = (*item, _NO_SIDE)[:3] if isinstance(item, tuple) else (item, 0, _NO_SIDE)
        if isinstance(what, QWidget):
            layout.addWidget(what, stretch, side)
        elif isinstance(what, QLayout):
            layout.addLayout(what, stretch)
        elif what is None:
            layout.addStretch(stretch)
        else:
            layout.addSpacing(what)


def _filled(layout: B, items: tuple[Item, ...], margins: Margins | None, spacing: int | None) -> B:
    _set_margins(layout, margins)
    if spacing is not None:
        layout.setSpacing(spacing)
    add_items(layout, *items)
    return layout


def _set_margins(layout: QLayout, margins: Margins | None) -> None:
    if margins is not None:
        layout.setContentsMargins(*(margins if isinstance(margins, tuple) else [margins] * 4))


def _clicked(button: A, does: Does | None) -> A:
    if does is not None:
        button.clicked.connect(does)
    return button


class ThemedWidget(QWidget):
    """A widget that paints itself in the colours of the theme, and anew with another theme."""

    def __init__(
        self, appearance: Appearance, parent: QWidget | None = None, name: str = "", **settings: Unpack[Settings]
    ) -> None:
        super().__init__(parent)
        self._appearance = appearance
        named(self, name, **settings)
        appearance.changed.connect(self.update)

    @property
    def _scale(self) -> float:
        """The scale of texts, by which what stands around them grows, too."""
        return self._appearance.text_scale


def show_in_front(window: QWidget) -> None:
    """Shows a window above the others, with the keyboard in it."""
    window.show()
    window.raise_()
    window.activateWindow()


class Dialog(QDialog):
    """A dialog with its name and title, and with the size at which it opens if its content does not say it."""

    def __init__(self, parent: QWidget, name: str, title: str = "", size: QSize | None = None) -> None:
        super().__init__(parent)
        named(self, name, title=title)
        if size is not None:
            self.resize(size)


class EnterButton(QAbstractButton):
    """A button that is drawn by its own class, and pressed by Enter as by Space."""

    def keyPressEvent(self, event: QKeyEvent) -> None:  # Qt's name
        """Clicks on Enter."""
        if event.key() in ENTER_KEYS:
            self.click()
        else:
            super().keyPressEvent(event)


def add_choice(menu: QMenu, text: str, is_chosen: bool, does: Callable[[], object]) -> QAction:
    """Adds an entry to a menu, with a tick where it is chosen."""
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(is_chosen)
    action.triggered.connect(lambda _: does())
    return action


def pop_up(menu: QMenu, at: QPoint) -> None:
    """Opens a menu at a point of the screen; it is deleted when it closes."""
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(at)


def show_or_hide(label: QLabel, text: str) -> None:
    """Shows a text, or hides its label where there is none."""
    label.setText(text)
    label.setVisible(bool(text))


def scrolling(content: QWidget) -> QScrollArea:
    """Returns an area that scrolls its content vertically."""
    area = QScrollArea(widgetResizable=True)
    area.setWidget(content)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    return named(area, focus=Qt.FocusPolicy.NoFocus)
