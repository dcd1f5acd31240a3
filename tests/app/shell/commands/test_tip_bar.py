"""Slow ways are counted, the third tells of the faster one, and the bar with it finds its place. Units: px."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QLabel, QMenu, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.settings import Settings
from gradwire.app.live.selection import Selection
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.commands.tips import TipBar, Tips
from tests.app.drawn_shapes import rooms

RELEASE, PRESS = QEvent.Type.MouseButtonRelease, QEvent.Type.KeyPress
KEYS = {"undo": "Ctrl+Z", "delete": "Del", "save_as": "F12", "add_page": ""}
WIRE = "Drag with Ctrl and the right button across wires: that cuts them all at once."


class Page(QWidget):
    """Something of a size with a covered corner, as the canvas is."""

    resized = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.viewport = SimpleNamespace(covered=QRect())


@pytest.fixture
def window(tmp_path: Path, qtbot: QtBot) -> Any:
    page, frame = Page(), QWidget()
    qtbot.addWidget(page)
    qtbot.addWidget(frame)
    settings = Settings(tmp_path / "s.ini")
    return SimpleNamespace(
        canvas=page,
        frame=SimpleNamespace(widget=frame, settings=settings, appearance=Appearance("dark")),
        keys=SimpleNamespace(shown=KEYS.__getitem__),
        session=SimpleNamespace(selection=Selection()),
        viewing=SimpleNamespace(corner=SimpleNamespace(minimap=QWidget(page))),
    )


@pytest.fixture
def bar(window: Any) -> TipBar:
    return TipBar(window)


def one_line(bar: TipBar) -> int:
    """The width of the bar with its text in one line."""
    label = bar.findChild(QLabel, "tip_text")
    assert isinstance(label, QLabel)
    label.setWordWrap(False)
    return bar.sizeHint().width()


def show(window: Any, bar: TipBar, width: int, covered: QRect = QRect()) -> QRect:  # noqa: B008
    window.canvas.resize(width, 600)
    window.canvas.viewport.covered = covered
    bar.say('Shortcut: Ctrl+Z for "Undo".')
    assert not bar.isHidden() and bar.accessibleName() == 'Shortcut: Ctrl+Z for "Undo".'
    return bar.geometry()


def test_one_line_stands_36_high_in_the_middle_16_above_the_edge(window: Any, bar: TipBar) -> None:
    assert bar.isHidden() and rooms(bar)[0].startswith("12 0 5 0")
    found = show(window, bar, 1001)
    wide = one_line(bar)
    assert found == QRect((1001 - wide) // 2, 600 - 16 - 36, wide, 36)
    assert [bar._row.stretch(row) for row in range(4)] == [0, 1, 0, 0]
    assert bar._icon.pixmap().deviceIndependentSize().toTuple() == (14, 14)  # type: ignore[attr-defined]


def test_text_wraps_only_where_its_line_does_not_fit_between_the_edges(window: Any, bar: TipBar) -> None:
    show(window, bar, 1000)
    wide = one_line(bar)
    assert show(window, bar, wide + 32) == QRect(16, 600 - 16 - 36, wide, 36)
    assert show(window, bar, wide + 31) == QRect(16, 600 - 16 - 36, wide - 1, 36)
    found = show(window, bar, wide - 90)
    layout = bar.layout()
    assert layout is not None and found.width() == wide - 122 and found.x() == 16
    assert found.height() == layout.heightForWidth(wide - 122) + 12 > 36
    assert found.y() == 600 - 16 - found.height()


def test_a_covered_corner_is_left_free(window: Any, bar: TipBar) -> None:
    show(window, bar, 1000)
    wide, minimap = one_line(bar), window.viewing.corner.minimap
    minimap.setGeometry(16, 400, 100, 100)
    middle = (1000 - wide) // 2
    # Its last column is one less than its width; 16 stay free beside it.
    assert show(window, bar, 1000, QRect(0, 400, middle - 15, 200)).x() == middle
    assert show(window, bar, 1000, QRect(0, 400, middle - 14, 200)).x() == 1000 - 16 - wide
    last = 1000 - wide - 32
    assert show(window, bar, 1000, QRect(0, 400, last + 1, 200)).topLeft().toTuple() == (1000 - 16 - wide, 548)  # type: ignore[attr-defined]
    above = show(window, bar, 1000, QRect(0, 400, last + 2, 200))
    assert (above.x(), above.bottom() + 1) == (middle, 400 - 8)


def test_a_page_of_another_size_takes_the_bar_along(window: Any, bar: TipBar) -> None:
    show(window, bar, 1000)
    window.canvas.resize(900, 500)
    window.canvas.resized.emit()
    assert bar.geometry().center().x() in {449, 450} and bar.geometry().bottom() + 1 == 484


@pytest.fixture
def tips(window: Any, qtbot: QtBot) -> Tips:
    top = QWidget()
    qtbot.addWidget(top)
    for name in ("tool_undo", "menu_button"):
        QToolButton(top).setObjectName(name)
    top.setProperty("menu", QMenu(top))
    window.top = top
    return Tips(window, top)


def said(tips: Tips) -> str:
    """The sentence of the bar, "" while it is hidden."""
    return "" if tips._bar.isHidden() else tips._bar.accessibleName()


def menu_with(monkeypatch: pytest.MonkeyPatch, window: Any, name: str, is_enabled: bool = True) -> QMenu:
    """The menu of the bar with one entry, on which the pointer is."""
    menu = window.top.findChild(QMenu)
    action = QAction(menu)
    action.setObjectName(name)
    action.setEnabled(is_enabled)
    monkeypatch.setattr(menu, "activeAction", lambda: action if name else None)
    assert isinstance(menu, QMenu)
    return menu


def send(tips: Tips, target: QObject, kind: QEvent.Type, key: Qt.Key | None = None) -> None:
    event = QEvent(kind) if key is None else QKeyEvent(kind, key, Qt.KeyboardModifier.NoModifier)
    assert tips.eventFilter(target, event) is False


@pytest.mark.parametrize(
    ("kind", "key", "counts"),
    [
        (RELEASE, None, True),
        (QEvent.Type.MouseButtonPress, None, False),
        (PRESS, Qt.Key.Key_Return, True),
        (PRESS, Qt.Key.Key_Enter, True),
        (PRESS, Qt.Key.Key_Space, True),
        (PRESS, Qt.Key.Key_Down, False),
        (QEvent.Type.KeyRelease, Qt.Key.Key_Return, False),
    ],
)
def test_a_choice_in_a_menu_counts_and_the_third_is_told(
    window: Any, tips: Tips, monkeypatch: pytest.MonkeyPatch, kind: QEvent.Type, key: Qt.Key | None, counts: bool
) -> None:
    menu = menu_with(monkeypatch, window, "save_as")
    for time in range(1, 4):
        send(tips, menu, kind, key)
        assert said(tips) == ('Shortcut: F12 for "Save as".' if counts and time == 3 else "")
    assert window.frame.settings.uses("slow_ways") == ({"command:save_as": 3} if counts else {})
    assert window.frame.settings.uses("tips_shown") == ({"command:save_as": 1} if counts else {})


@pytest.mark.parametrize(
    ("name", "is_enabled"), [("undo", False), ("no_command", True), ("", True), ("add_page", True)]
)
def test_no_choice_and_what_has_no_key_counts_nothing(
    window: Any, tips: Tips, monkeypatch: pytest.MonkeyPatch, name: str, is_enabled: bool
) -> None:
    menu = menu_with(monkeypatch, window, name, is_enabled)
    for _ in range(3):
        send(tips, menu, RELEASE)
    assert said(tips) == "" and window.frame.settings.uses("slow_ways") == {}


@pytest.mark.parametrize(
    ("kind", "is_down", "count"),
    [(RELEASE, True, 1), (RELEASE, False, 0), (QEvent.Type.MouseButtonPress, True, 0)],
)
def test_a_button_counts_when_it_is_let_go(
    window: Any, tips: Tips, kind: QEvent.Type, is_down: bool, count: int
) -> None:
    button = window.top.findChild(QToolButton, "tool_undo")
    button.setDown(is_down)
    send(tips, button, kind)
    assert window.frame.settings.uses("slow_ways") == ({"command:undo": 1} if count else {})


def test_only_menus_and_buttons_of_commands_are_watched(window: Any, tips: Tips, qtbot: QtBot) -> None:
    for name, count in (("tool_undo", 1), ("menu_button", 0)):
        button = window.top.findChild(QToolButton, name)
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
        assert sum(window.frame.settings.uses("slow_ways").values()) == 1 == count or count == 0


@pytest.mark.parametrize(
    ("blocks", "wires", "sentence"),
    [("", "w", WIRE), ("b", "w", 'Shortcut: Del for "Delete".'), ("", "", 'Shortcut: Del for "Delete".')],
)
def test_deleted_wires_are_cut_faster_by_the_mouse(
    window: Any, tips: Tips, monkeypatch: pytest.MonkeyPatch, blocks: str, wires: str, sentence: str
) -> None:
    window.session.selection = SimpleNamespace(blocks=frozenset(blocks), wires=frozenset(wires))
    menu = menu_with(monkeypatch, window, "delete")
    for _ in range(3):
        send(tips, menu, RELEASE)
    assert said(tips) == sentence
    other = menu_with(monkeypatch, window, "undo")
    for _ in range(3):
        send(tips, other, RELEASE)
    assert said(tips) == 'Shortcut: Ctrl+Z for "Undo".'


def test_no_tips_are_shown_once_they_are_turned_off_or_the_one_was_seen(
    window: Any, tips: Tips, monkeypatch: pytest.MonkeyPatch
) -> None:
    menu = menu_with(monkeypatch, window, "undo")
    for _ in range(3):
        send(tips, menu, RELEASE)
    tips._bar.hide()
    send(tips, menu, RELEASE)
    assert said(tips) == "" and window.frame.settings.uses("slow_ways") == {"command:undo": 3}
    tips._bar._stop_tips()
    other = menu_with(monkeypatch, window, "save_as")
    for _ in range(3):
        send(tips, other, RELEASE)
    assert said(tips) == "" and window.frame.settings.uses("slow_ways") == {"command:undo": 3}
