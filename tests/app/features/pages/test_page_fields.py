"""Places of what lies over the tabs, the drop of a tab, and the field of a round. Units: px."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPointF, QRect, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.features.pages.breadcrumb import _short
from gradwire.app.features.pages.page_bar import HEIGHT, NameField, PageBar
from gradwire.app.features.pages.round_bar import RoundBar, RoundSlider, _LoopRow, _RoundField, _stops
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from tests.app.window.graphs import decay

LEFT, RIGHT, NO = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.KeyboardModifier.NoModifier
KIND = QEvent.Type


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    made = QWidget()
    qtbot.addWidget(made)
    made.resize(800, 200)
    return made


@pytest.fixture
def bar(parent: QWidget) -> PageBar:
    made = PageBar(parent)
    for name in ("main", "b", "a_page_with_a_long_name_for_its_tab"):
        made.addTab(name)
    made.resize(700, 40)
    parent.show()
    return made


def test_a_field_lies_over_its_tab_and_is_never_narrow(bar: PageBar) -> None:
    field = NameField(bar)
    assert (bar.minimumSizeHint().toTuple(), bar.iconSize().width(), field.maxLength()) == ((40, HEIGHT), 14, 64)
    wide = bar.tabRect(2)
    assert wide.width() > 104
    field.open_over(2, "long")
    assert field.geometry() == QRect(wide.left() + 4, 4, wide.width() - 8, 32)
    narrow = bar.tabRect(1)
    assert narrow.width() < 104
    field.open_over(1, "b")
    assert field.geometry() == QRect(narrow.left() + 4, 4, 96, 32)
    assert (field.text(), field.selectedText(), field.isHidden()) == ("b", "b", False)


def test_only_another_name_is_accepted(bar: PageBar) -> None:
    field, heard = NameField(bar), list[tuple[str, str]]()
    field.accepted.connect(lambda *names: heard.append(names))
    field.open_over(1, "b")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert heard == [] and field.isHidden()
    field.open_over(1, "b")
    QTest.keyClicks(field, "c")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert heard == [("b", "c")] and not field.isHidden()
    field.mark("error")
    assert field.property("state") == "error"
    QTest.keyClicks(field, "d")
    assert field.property("state") == ""
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.isHidden()


def press(bar: PageBar, kind: QEvent.Type, x: float, button: Qt.MouseButton = LEFT) -> None:
    held = Qt.MouseButton.NoButton if kind is KIND.MouseButtonRelease else button
    pressed = Qt.MouseButton.NoButton if kind is KIND.MouseMove else button
    event = QMouseEvent(kind, QPointF(x, 16), bar.mapToGlobal(QPointF(x, 16)), pressed, held, NO)
    {KIND.MouseButtonPress: bar.mousePressEvent, KIND.MouseMove: bar.mouseMoveEvent,
     KIND.MouseButtonRelease: bar.mouseReleaseEvent}[kind](event)  # fmt: skip


def names(bar: PageBar) -> list[str]:
    return [bar.tabText(place)[:4] for place in range(bar.count())]


@pytest.mark.parametrize(
    ("button", "escapes", "drops", "order"),
    [
        (LEFT, False, [(0, 1)], ["b", "main", "a_pa"]),
        (LEFT, True, [], ["main", "b", "a_pa"]),
    ],
)
def test_a_drop_at_another_place_is_told_once_and_escape_takes_it_back(
    bar: PageBar, button: Qt.MouseButton, escapes: bool, drops: list[tuple[int, int]], order: list[str]
) -> None:
    heard = list[tuple[int, int]]()
    bar.dropped.connect(lambda *places: heard.append(places))
    start, end = bar.tabRect(0).center().x(), bar.tabRect(1).right() + 6
    press(bar, KIND.MouseButtonPress, start, button)
    for x in (start + 15, (start + end) / 2, end):
        press(bar, KIND.MouseMove, x, button)
    if escapes:
        QTest.keyClick(bar, Qt.Key.Key_Escape)
    press(bar, KIND.MouseButtonRelease, end, button)
    assert (heard, names(bar)) == (drops, order)
    press(bar, KIND.MouseButtonRelease, end, button)
    assert heard == drops


def test_a_press_without_a_move_and_the_right_button_drop_nothing(bar: PageBar) -> None:
    heard = list[tuple[int, int]]()
    bar.dropped.connect(lambda *places: heard.append(places))
    for place, button in ((1, LEFT), (0, RIGHT), (0, LEFT)):
        at = bar.tabRect(place).center().x()
        press(bar, KIND.MouseButtonPress, at, button)
        assert bar._start == (place if button is LEFT else -1)
        press(bar, KIND.MouseButtonRelease, at, button)
        assert bar._start == -1
    QTest.keyClick(bar, Qt.Key.Key_Escape)
    assert heard == [] and names(bar) == ["main", "b", "a_pa"]


def test_the_field_of_a_round_has_room_for_its_last_and_24_px(parent: QWidget) -> None:
    field = _RoundField(parent)
    for times in (3, 1000):
        field.show_times(times)
        assert field.suffix() == f" of {times}"
        assert field.width() - field.fontMetrics().horizontalAdvance(f"{times} of {times}") == 24
    assert field.lineEdit().textMargins().left() == 6 and field.lineEdit().textMargins().right() == 0


@pytest.mark.parametrize(("x", "value"), [(0, 0), (6, 0), (11, 1), (56, 5), (106, 10), (112, 10)])
def test_a_press_brings_the_middle_of_the_knob_there(parent: QWidget, x: float, value: int) -> None:
    """In 112 px, 100 are the way of the knob of 12."""
    slider = RoundSlider(Appearance("dark"), parent)
    slider.setRange(0, 10)
    slider.setFixedSize(112, 20)
    for button, found in ((RIGHT, 3), (LEFT, value)):
        slider.setValue(3)
        slider.mousePressEvent(
            QMouseEvent(KIND.MouseButtonPress, QPointF(x, 10), QPointF(x, 10), button, button, NO)
        )  # fmt: skip
        if button is LEFT:
            assert slider.value() == found


@pytest.fixture
def rounds(qtbot: QtBot) -> Iterator[RoundBar]:
    session = Session(decay(6, 2), InlineEvaluator)
    qtbot.waitUntil(lambda: session.results is not None)
    made = RoundBar(CurrentSession(session), Appearance("dark"))
    qtbot.addWidget(made)
    yield made
    session.close()


def test_the_bar_shows_the_round_of_its_loop_and_steps_through_them(rounds: RoundBar) -> None:
    wanted, view = list[bool](), rounds.session.view
    rounds.wanted.connect(wanted.append)
    rounds.wanted.connect(rounds.setVisible)
    rounds.step(1)
    assert rounds._rows == [] and wanted == []
    view.enter(rounds.session.page.blocks["rec"])
    (row,) = rounds._rows
    assert wanted == [True] and (row._slider.maximum(), row._slider.value(), row._field.suffix()) == (5, 0, " of 6")
    assert row._label.text() == "Round" and row._slider.toolTip().endswith("the rounds 0 to 5.")
    assert (row._back.isEnabled(), row._next.isEnabled()) == (False, True)
    row._next.click()
    assert (view.loops[0].round, row._back.isEnabled()) == (1, True)
    rounds.step(3)
    assert view.loops[0].round == 4 and row._next.isEnabled()
    row._field.setValue(5)
    assert view.loops[0].round == 5 and not row._next.isEnabled()
    row._back.click()
    rounds.step(-1)
    assert view.loops[0].round == 3 == row._field.value() == row._slider.value()
    _LoopRow(1, rounds.current, Appearance("dark"), rounds)._next.click()
    assert view.loops[0].round == 3
    assert _stops(view.loops[0]) == [2, 4]
    view.leave()
    assert rounds._rows == [] and wanted == [True, False]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("main/a", "a"),
        ("main/rec[3]", "rec [3]"),
        ("main/clip[gradient]", "clip ∂"),
        ("main/rec[3][gradient]", "rec [3] ∂"),
    ],
)
def test_a_part_of_the_path_has_its_round_apart(path: str, text: str) -> None:
    assert _short(path) == text
