"""Every widget of the window can be named, hit and reached: names, buddies, sizes."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QComboBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTabBar,
    QWidget,
)

from gradwire.app.canvas.geometry.hit_tests import PORT_REACH, SNAP_REACH
from gradwire.app.kit.controls.radio_button import RadioButton
from gradwire.app.live.selection import Selection
from tests.app.canvas.pages import example
from tests.app.kit.parts import unfold
from tests.app.window.driver import Driver

INTERACTIVE = (
    QAbstractButton, QAbstractItemView, QAbstractSlider, QComboBox, QLineEdit, QPlainTextEdit, QTabBar,
)  # fmt: skip
ROLES = {
    QAccessible.Role.Button, QAccessible.Role.CheckBox, QAccessible.Role.ComboBox, QAccessible.Role.EditableText,
    QAccessible.Role.List, QAccessible.Role.Table, QAccessible.Role.Tree, QAccessible.Role.Slider,
    QAccessible.Role.SpinBox, QAccessible.Role.Switch, QAccessible.Role.Canvas, QAccessible.Role.PageTab,
    QAccessible.Role.TreeItem, QAccessible.Role.MenuItem,
}  # fmt: skip
NAME = QAccessible.Text.Name
SELECTIONS = [
    Selection(),
    Selection(frozenset(["x"])),
    Selection(frozenset(["m"])),
    Selection(frozenset(["m", "e"])),
]


def with_selection(user: Driver, chosen: Selection) -> None:
    user.show(example("softmax_stable"))
    if not chosen:
        chosen = Selection(wires=frozenset([user.wire("m.x")]))
    user.session.select(chosen)
    user.settle()


def interactive(user: Driver) -> Iterator[QWidget]:
    """Yields the visible widgets that can be clicked or typed into."""
    for widget in user.window.findChildren(QWidget):
        is_part = isinstance(widget.parent(), QComboBox) or widget.objectName().startswith("qt_")
        is_part = is_part or isinstance(widget, QScrollBar | QHeaderView)
        if isinstance(widget, INTERACTIVE) and widget.isVisible() and not is_part:
            yield widget


def called(widget: QWidget) -> str:
    names = [widget.objectName() or type(widget).__name__]
    parent = widget.parent()
    while parent is not None:
        names.append(parent.objectName() or type(parent).__name__)
        parent = parent.parent()
    return " < ".join(names[:4])


def test_everything_that_can_be_used_has_a_name(user: Driver) -> None:
    for chosen in SELECTIONS:
        with_selection(user, chosen)
        found = {called(item): QAccessible.queryAccessibleInterface(item).text(NAME) for item in interactive(user)}
        assert not [where for where, name in found.items() if not name]


def tree(thing: QAccessibleInterface) -> Iterator[QAccessibleInterface]:
    yield thing
    for index in range(thing.childCount()):
        child = thing.child(index)
        if child is not None and child.isValid():
            yield from tree(child)


def test_a_screen_reader_finds_no_nameless_element_in_the_window(user: Driver) -> None:
    with_selection(user, Selection(frozenset(["x"])))
    nameless = []
    for item in tree(QAccessible.queryAccessibleInterface(user.window)):
        state = item.state()
        thing = item.object()
        is_private = thing is not None and (
            thing.objectName().startswith("qt_") or isinstance(thing.parent(), QComboBox)
        )
        is_asked = item.role() in ROLES and not state.invisible and not is_private
        if is_asked and not item.text(NAME):
            nameless.append(f"{item.role().name} {thing and called(thing)}")
    assert not nameless


def test_everything_that_can_be_clicked_is_at_least_22_px_high_and_wide(user: Driver) -> None:
    for chosen in SELECTIONS:
        with_selection(user, chosen)
        sizes = {called(item): (item.width(), item.height()) for item in interactive(user)}
        assert not {where: size for where, size in sizes.items() if min(size) < 22}


def test_the_rows_of_lists_are_at_least_22_px_high(user: Driver) -> None:
    with_selection(user, Selection(frozenset(["x"])))
    unfold(user.window.parts.panels.inspector)
    user.settle()
    views = [item for item in interactive(user) if isinstance(item, QAbstractItemView) and item.model().rowCount()]
    assert views
    for view in views:
        assert view.visualRect(view.model().index(0, 0)).height() >= 22, called(view)


def test_ports_are_hit_within_24_px() -> None:
    assert 2 * PORT_REACH == 24 and SNAP_REACH == 24


def test_the_label_of_a_parameter_has_its_field_as_buddy(user: Driver) -> None:
    for chosen in SELECTIONS[1:]:
        with_selection(user, chosen)
        fields = {
            widget.objectName()
            for widget in user.window.parts.panels.inspector.findChildren(QWidget)
            if widget.objectName().startswith("parameter_") and widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        }
        buddies = [
            label.buddy()
            for label in user.window.parts.panels.inspector.findChildren(QLabel)
            if label.buddy() is not None
        ]
        held = {item.objectName() for buddy in buddies for item in (buddy, *buddy.findChildren(QWidget))}
        # The name stands in the title, and says itself what it is.
        assert fields - {"parameter_block_name"} <= held, fields - held


def by_arrows(item: QWidget) -> bool:
    """Whether it is a radio button that is off: Tab reaches the one that is on, arrow keys go on from there."""
    return isinstance(item, RadioButton) and not item.isChecked()


def test_everything_in_the_bar_is_reached_by_tab(user: Driver) -> None:
    with_selection(user, Selection(frozenset(["x"])))
    buttons = [item for item in interactive(user) if user.window.bars.top.isAncestorOf(item)]
    assert len(buttons) == 12
    by_tab = [item for item in buttons if not by_arrows(item)]
    assert not [called(item) for item in by_tab if not item.focusPolicy() & Qt.FocusPolicy.TabFocus]


def test_nothing_that_can_be_used_is_closed_to_the_keyboard(user: Driver) -> None:
    with_selection(user, Selection(frozenset(["m"])))
    # The button in the menu bar is a command with a key: Alt and the arrows go through the menus beside it.
    items = [item for item in interactive(user) if item.objectName() != "commands_button"]
    items = [item for item in items if not by_arrows(item)]
    closed = [called(item) for item in items if item.focusPolicy() == Qt.FocusPolicy.NoFocus]
    assert not closed
