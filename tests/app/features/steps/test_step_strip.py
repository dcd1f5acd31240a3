"""The strip of step mode and its panel without a window: sizes at two sizes of texts, and what can be done when."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QListView,
    QPushButton,
    QTableView,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.base.examples import example_path
from gradwire.app.features.steps.guess_box import GuessBox
from gradwire.app.features.steps.number_grid import NumberGrid
from gradwire.app.features.steps.stations import CELL, StationModel
from gradwire.app.features.steps.step_lens import StepLens
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_strip import RuleLines, StepStrip
from gradwire.app.features.steps.step_texts import Line
from gradwire.app.kit.formula_view import FormulaView
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font, theme
from gradwire.engine.explain.step_numbers import Column, NumberTable
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.app.drawn_shapes import recorded, rooms
from tests.app.features.steps.test_step_tables import cell, station
from tests.app.measured import measures
from tests.app.strokes import texts

CSS = theme("dark").css


@pytest.fixture
def appearance(qapp: QApplication) -> Iterator[Appearance]:
    """The dark theme, with texts of 100 % again in the end."""
    made = Appearance("dark")
    yield made
    made.set_text_scale(1.0)


@pytest.fixture
def current(qtbot: QtBot) -> Iterator[CurrentSession]:
    made = Session(load(example_path("softmax_stable")).graph, InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    yield CurrentSession(made)
    made.close()


@pytest.fixture
def lens(qtbot: QtBot, current: CurrentSession, appearance: Appearance) -> StepLens:
    made = StepLens(current, appearance)
    qtbot.addWidget(made)
    made.resize(1400, 240)
    strip = made.strip
    assert isinstance(strip, StepStrip)
    qtbot.addWidget(strip)
    strip.setParent(None)
    strip.resize(1366, 84)
    strip.show()
    return made


def go(qtbot: QtBot, lens: StepLens, at: int, is_forward: bool = False) -> None:
    steps = lens.session.part(StepMode)
    if not steps.is_on or steps.is_forward is not is_forward:
        steps.enter(is_forward)
    steps.go(at)
    qtbot.waitUntil(lambda: steps.detail is not None)
    lens.refresh()


def child(lens: StepLens, name: str) -> QWidget:
    found = lens.findChild(QWidget, name) or (lens.strip and lens.strip.findChild(QWidget, name))
    assert isinstance(found, QWidget), name
    return found


def words(lens: StepLens, name: str) -> str:
    found = child(lens, name)
    assert isinstance(found, QLabel | QPushButton)
    return found.text()


# Buttons


@pytest.mark.parametrize(
    ("at", "back", "onward"), [(1, False, True), (2, True, True), (7, True, True), (8, True, False)]
)
def test_the_buttons_end_where_the_steps_do(qtbot: QtBot, lens: StepLens, at: int, back: bool, onward: bool) -> None:
    go(qtbot, lens, at)
    enabled = [child(lens, name).isEnabled() for name in ("step_back", "step_play", "step_next")]
    assert enabled == [back, True, onward]


def test_without_steps_no_button_is_enabled_and_a_sentence_stands_there(qtbot: QtBot, appearance: Appearance) -> None:
    strip = StepStrip(CurrentSession(Session(Graph(), InlineEvaluator)), appearance, None)  # type: ignore[arg-type]  # no parent
    qtbot.addWidget(strip)
    names = ("step_back", "step_play", "step_next")
    assert [strip.findChild(QToolButton, name).isEnabled() for name in names] == [False, False, False]
    strip.session.part(StepMode).enter()
    nothing, stations = strip.findChild(QLabel, "steps_empty"), strip.findChild(QListView, "stations")
    assert nothing.text().startswith("There are no steps") and not nothing.isHidden() and stations.isHidden()
    assert strip.findChild(GuessBox).isHidden()


def test_play_becomes_pause_and_the_way_turns(qtbot: QtBot, lens: StepLens) -> None:
    go(qtbot, lens, 1)
    play, way = child(lens, "step_play"), child(lens, "step_way")
    assert (play.accessibleName(), words(lens, "step_way")) == ("Play", "Forward")
    assert way.toolTip() == "Go forward: values from the inputs"
    lens.session.part(StepMode).turn()
    assert play.accessibleName() == "Pause"
    lens.session.part(StepMode).turn()
    assert play.accessibleName() == "Play"
    go(qtbot, lens, 1, is_forward=True)
    assert (words(lens, "step_way"), way.toolTip()) == ("Backward", "Go backward: gradients from the loss")
    looks = [child(lens, name).property("look") for name in ("step_back", "step_play", "step_next")]
    assert looks == ["boxed", "boxed", "primary"]


def pixels(button: QWidget) -> np.ndarray:
    assert isinstance(button, QToolButton)
    image = button.icon().pixmap(QSize(14, 14)).toImage()
    return np.array([[image.pixelColor(x, y).getRgb() for x in range(14)] for y in range(14)])


def test_pause_has_another_picture_and_the_next_step_the_colour_on_an_accent(qtbot: QtBot, lens: StepLens) -> None:
    go(qtbot, lens, 1)
    played = pixels(child(lens, "step_play"))
    lens.session.part(StepMode).turn()
    assert (pixels(child(lens, "step_play")) != played).any()
    for name, token in (("step_back", "text.primary"), ("step_next", "text.on-accent")):
        seen = pixels(child(lens, name))
        color = theme("dark").color(token)
        assert (seen[seen[..., 3] == 255][:, :3] == [color.red(), color.green(), color.blue()]).all()


# Widths


@pytest.mark.parametrize(
    ("scale", "width", "rules", "has_numbers"),
    [
        (1.0, 1600, 410, True),
        (1.0, 1243, 410, True),
        (1.0, 1200, 396, True),
        (1.0, 1199, 396, False),
        (1.0, 900, 297, False),
        (1.5, 1800, 594, True),
        (1.5, 1799, 594, False),
        (1.5, 2000, 615, True),
    ],
)
def test_rules_have_a_third_of_the_strip_and_their_numbers_where_it_is_wide(
    lens: StepLens, appearance: Appearance, scale: float, width: int, rules: int, has_numbers: bool
) -> None:
    assert lens.strip is not None
    appearance.set_text_scale(scale)
    lens.strip.resize(width, 84)
    found = lens.strip.findChild(RuleLines)
    assert (found.width(), found.has_numbers) == (rules, has_numbers)


@pytest.mark.parametrize(("scale", "transport", "guess"), [(1.0, 110, 142), (1.5, 165, 213)])
def test_the_strip_grows_with_its_texts(
    qtbot: QtBot, lens: StepLens, appearance: Appearance, scale: float, transport: int, guess: int
) -> None:
    appearance.set_text_scale(scale)
    go(qtbot, lens, 2)
    assert lens.strip is not None
    sizes = measures(lens.strip)
    assert sizes["_Transport"][0] == f"w{transport}" and sizes["guess"][0] == f"w{guess}"
    upright = [part for part in lens.strip.findChildren(QWidget) if part.property("look") == "upright"]
    assert [(part.width(), part.isVisible()) for part in upright] == [(17, True)] * 2
    # No part lies on another, and the stations have what is left.
    parts = [part for part in lens.strip.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)
             if part.isVisible()]  # fmt: skip
    spans = sorted((part.x(), part.x() + part.width()) for part in parts)
    assert len(spans) == 6 and spans[0][0] == 14 and spans[-1][1] == 1366 - 14
    assert all(after[0] == before[1] + 6 for before, after in itertools.pairwise(spans))
    go(qtbot, lens, 5)
    assert [part.isVisible() for part in upright] == [True, False]


def test_a_station_is_chosen_by_its_place_and_shown_in_the_middle(qtbot: QtBot, lens: StepLens) -> None:
    go(qtbot, lens, 4)
    stations, steps = child(lens, "stations"), lens.session.part(StepMode)
    assert isinstance(stations, QListView) and stations.currentIndex().row() == 3
    assert stations.sizeHintForIndex(stations.model().index(0, 0)) == QSize(78, 62)
    box = stations.visualRect(stations.currentIndex())
    assert abs(box.center().x() - stations.viewport().width() / 2) <= 40
    for row in (0, 5, 7):
        stations.setCurrentIndex(stations.model().index(row, 0))
        assert steps.at == row + 1
    stations.clearSelection()
    assert steps.at == 8


# Stations


def test_the_model_has_a_row_for_each_step_and_keeps_them_while_it_goes(
    qtbot: QtBot, current: CurrentSession, lens: StepLens
) -> None:
    model, heard = StationModel(current, lens), list[str]()
    model.modelReset.connect(lambda: heard.append("reset"))
    model.dataChanged.connect(lambda *_: heard.append("changed"))
    assert (model.rowCount(), model.columnCount()) == (0, 1)
    for at, is_forward, count, told in (
        (1, False, 8, "reset"), (2, False, 8, "changed"), (1, True, 9, "reset"), (2, True, 9, "changed"),
    ):  # fmt: skip
        go(qtbot, lens, at, is_forward)
        heard.clear()
        model.show()
        assert (model.rowCount(), heard) == (count, [told])
    index, role = model.index(8, 0), Qt.ItemDataRole
    assert index.data() == "Loss" and index.data(CELL).name == "Loss"
    assert index.data(role.ToolTipRole) == index.data(role.AccessibleTextRole) == 'Step 9 of 9, Loss "loss", []'
    assert index.data(role.FontRole) is None and model.data(model.index(-1, 0)) is None
    # A row behind the last step, which the next refresh takes away, is empty.
    go(qtbot, lens, 1)
    assert model.rowCount() == 9 and index.data() is None and model.index(7, 0).data() == "Input x"


@pytest.mark.parametrize(
    ("state", "circle"),
    [
        ({}, ["ellipse 27 9 24 24 1.6px border.strong on bg.app", "icon 32 14 14 14 text.secondary exp"]),
        (
            {"is_done": True},
            ["ellipse 27 9 24 24 1.6px grad.text on grad.text", "icon 32 14 14 14 text.on-accent check"],
        ),
        (
            {"is_current": True},
            [
                "ellipse 23.8 5.8 30.4 30.4 1.4px grad.text on bg.app",
                "ellipse 27 9 24 24 1.6px grad.text on grad.text",
                "icon 32 14 14 14 text.on-accent exp",
            ],
        ),
    ],
)
def test_a_station_is_drawn_by_its_state(qapp: object, state: dict[str, bool], circle: list[str]) -> None:
    with recorded() as found:
        station(cell(**state))
    weight = "text.primary" if state else "text.secondary"
    assert found[2:] == [*circle, f"text 0 41 78 16 middle 11px {weight} “Exp”"]
    strong = [
        "3px grad.text" if state else "2px border.default",
        "3px grad.text" if "is_done" in state else "2px border.default",
    ]
    assert found[:2] == [f"line 0 21 39 21 {strong[0]}", f"line 39 21 78 21 {strong[1]}"]


# Rules


@pytest.fixture
def rules(qtbot: QtBot, appearance: Appearance) -> RuleLines:
    made = RuleLines(appearance, None)  # type: ignore[arg-type]  # no parent
    qtbot.addWidget(made)
    made.show()
    return made


def grid(rules: RuleLines) -> list[list[tuple[str, str, int, int]]]:
    """Returns the texts that are seen, with colour, size and weight."""
    return [
        [(label.text(), label.styleSheet().removeprefix("color: "), label.font().pixelSize(), label.font().weight())
         for label in row if not label.isHidden()]
        for row in rules._rows
    ]  # fmt: skip


def test_a_rule_has_four_columns_and_a_note_below(rules: RuleLines) -> None:
    first, second = Line("to x", "g ÷ y", "6 ÷ 2", "3"), Line("to y", "g·x", "6·1", "6", "value")
    rules.show_lines([first, second, Line("to z", "1", "2", "3")], "They add up.")
    head, plain, numbers, result = CSS("text.secondary"), CSS("text.primary"), CSS("value"), CSS("grad.text")
    assert grid(rules) == [
        [("to x", head, 11, 500), ("g ÷ y", plain, 11, 500), ("= 6 ÷ 2", numbers, 11, 500), ("= 3", result, 11, 600)],
        [("to y", head, 11, 500), ("g·x", plain, 11, 500), ("= 6·1", numbers, 11, 500), ("= 6", numbers, 11, 600)],
    ]
    families = [label.font().family() for label in rules._rows[0]]
    assert families[0] != families[1] == families[2] == families[3]
    assert rules.accessibleDescription() == "to x g ÷ y = 6 ÷ 2 = 3\nto y g·x = 6·1 = 6\nThey add up."
    note = rules.findChild(QLabel, "step_note")
    assert (note.text(), note.toolTip(), note.font().pixelSize()) == ("They add up.", "They add up.", 11)
    assert [label.toolTip() for label in rules._rows[0]] == [first.whole] * 4
    layout = rules.layout()
    assert layout.itemAtPosition(2, 0).widget() is layout.itemAtPosition(2, 3).widget() is note
    assert [layout.rowStretch(row) for row in range(4)] == [0, 0, 0, 1]
    assert [layout.columnStretch(column) for column in range(4)] == [0, 0, 1, 0]


def test_without_room_or_need_numbers_are_left_out(rules: RuleLines) -> None:
    rules.show_lines([Line("to x", "g ÷ y", "3", "3")], "")
    assert [[text for text, *_ in row] for row in grid(rules)] == [["to x", "g ÷ y", "= 3"], []]
    rules.has_numbers = False
    rules.show_lines([Line("to x", "g ÷ y", "6 ÷ 2", "3"), Line("", "e", "", "")], "")
    assert [[text for text, *_ in row] for row in grid(rules)] == [["to x", "g ÷ y", "= 3"], ["e"]]
    rules.show_lines([], "")
    assert grid(rules) == [[], []] and rules.accessibleDescription() == ""


def test_rules_grow_with_their_texts(rules: RuleLines, appearance: Appearance) -> None:
    appearance.set_text_scale(1.5)
    rules.show_lines([Line("to x", "g", "6 ÷ 2", "3")], "Note.")
    # Fonts have whole sizes: 16.5 px are 17 or 16.
    assert {size for row in grid(rules) for _, _, size, _ in row} <= {16, 17}
    assert rules.findChild(QLabel, "step_note").font().pixelSize() in (16, 17)


# The guess


def test_the_guess_asks_for_what_comes_next_and_says_how_it_was(qtbot: QtBot, lens: StepLens) -> None:
    go(qtbot, lens, 2)
    assert words(lens, "guess_question") == "Next, ReduceSum sends"
    tip = "Which sign has ∂L/∂x[0], the largest number that it sends?"
    assert child(lens, "guess_question").toolTip() == tip
    assert words(lens, "guess_said") == "guess, or press Space"
    assert child(lens, "guess_said").styleSheet() == f"color: {CSS('text.tertiary')}"
    buttons = [child(lens, f"guess_{name}") for name in ("minus", "zero", "plus")]
    assert [(words(lens, button.objectName()), button.accessibleName()) for button in buttons] == [
        ("−", "It is negative"), ("0", "It is zero"), ("+", "It is positive"),
    ]  # fmt: skip
    assert [button.isVisible() for button in buttons] == [True] * 3
    for name, said, token in (("plus", "No: −1.126", "warn"), ("minus", "Right: −1.126", "ok")):
        go(qtbot, lens, 2)
        QTest.mouseClick(child(lens, f"guess_{name}"), Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
        assert lens.session.part(StepMode).at == 3
        assert (words(lens, "guess_said"), child(lens, "guess_said").styleSheet()) == (said, f"color: {CSS(token)}")


def test_the_guess_goes_where_there_is_nothing_to_guess_but_what_it_was_stays(qtbot: QtBot, lens: StepLens) -> None:
    box, steps = child(lens, "guess"), lens.session.part(StepMode)
    for at, seen in ((4, True), (5, False), (8, False), (1, True)):
        go(qtbot, lens, at)
        assert box.isVisible() is seen, at
    go(qtbot, lens, 2, is_forward=True)
    assert not box.isVisible()
    go(qtbot, lens, 4)
    steps.guess(1)
    qtbot.waitUntil(lambda: steps.detail is not None)
    assert steps.at == 5 and box.isVisible() and words(lens, "guess_said").startswith(("Right: ", "No: "))
    assert not child(lens, "guess_plus").isVisible() and words(lens, "guess_question") == ""


# The panel


def formulas(lens: StepLens) -> list[str]:
    return [item.latex for item in lens.findChildren(FormulaView) if not item.isHidden()]


def test_the_panel_has_the_rule_of_a_book_the_numbers_and_where_they_go(qtbot: QtBot, lens: StepLens) -> None:
    go(qtbot, lens, 2)
    (rule,) = formulas(lens)
    grid = child(lens, "step_numbers")
    assert isinstance(grid, QTableView)
    assert [grid.model().headerData(at, Qt.Orientation.Horizontal) for at in range(grid.model().columnCount())] == [
        "∂L/∂z", "x", "y", "∂L/∂x", "part of y",
    ]  # fmt: skip
    assert child(lens, "step_more").isHidden()
    view = lens._formula
    lens.refresh()
    # It is the same one until the rule is another, and stands below its heading.
    assert lens._formula is view is not None and lens._rule.indexOf(view) == 1
    go(qtbot, lens, 8, is_forward=True)
    (value,) = formulas(lens)
    assert rule.startswith("\\bar x = ") and "\\bar" not in value
    assert [grid.model().headerData(at, Qt.Orientation.Horizontal) for at in range(grid.model().columnCount())][
        -1
    ] == "z"
    lens.session.part(StepMode).leave()
    lens.refresh()
    assert formulas(lens) == []
    assert grid.model().rowCount() == 0


def test_the_panel_tells_how_many_elements_it_leaves_out(qtbot: QtBot, appearance: Appearance) -> None:
    made = Session(gw.graph(gw.Loss(gw.Square(gw.Input(np.arange(40.0), name="x")), name="L")), InlineEvaluator)
    qtbot.waitUntil(lambda: made.results is not None)
    lens = StepLens(CurrentSession(made), appearance)
    qtbot.addWidget(lens)
    go(qtbot, lens, 2)
    detail = made.part(StepMode).detail
    assert detail is not None
    rest = detail.table.size - len(detail.table.rows)
    assert detail.table.size == 40 and rest > 1
    assert words(lens, "step_more") == f"and {rest} more elements" and not child(lens, "step_more").isHidden()
    made.close()


# The table of numbers


def test_columns_share_the_width_or_have_what_they_need(qtbot: QtBot, appearance: Appearance) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    grid = NumberGrid(appearance, parent)
    grid.resize(600, 200)
    parent.show()
    grid.show_numbers(NumberTable(("[0]",), tuple(Column(f"x{n}", "value", (1.0,)) for n in range(3)), 1), False)
    widths = [grid.columnWidth(at) for at in range(3)]
    assert max(widths) - min(widths) <= 1 and sum(widths) == grid.viewport().width()
    # Just as much as three of the widest need is enough for equal columns.
    named = tuple(Column(name, "value", (1.0,)) for name in ("a_longer_name", "x", "y"))
    grid.show_numbers(NumberTable(("[0]",), named, 1), False)
    wanted = max(max(grid.sizeHintForColumn(at), grid.horizontalHeader().sectionSizeHint(at)) for at in range(3))
    beside = grid.width() - grid.viewport().width()
    assert wanted > 44
    for spare, are_alike in ((0, True), (-1, False)):
        grid.resize(3 * wanted + beside + spare, 200)
        assert (grid.columnWidth(2) == wanted) is are_alike
    grid.resize(600, 200)
    long = Column("a_very_long_name_of_a_port_indeed" * 2, "value", (1.0,))
    grid.show_numbers(NumberTable(("[0]",), (long, Column("x", "value", (1.0,))), 1), False)
    assert grid.columnWidth(0) > 3 * grid.columnWidth(1) >= 3 * 44
    header = grid.verticalHeader()
    assert (header.defaultSectionSize(), header.minimumWidth()) == (20, 22)
    assert grid.horizontalHeader().minimumSectionSize() == 44
    assert (grid.sizeHint().width(), grid.minimumSizeHint().width()) == (200, 40)
    role = Qt.ItemDataRole
    model = grid.model()
    assert model.headerData(0, Qt.Orientation.Vertical) == "[0]" and model.headerData(1, Qt.Orientation.Vertical) == ""
    assert model.headerData(0, Qt.Orientation.Horizontal, role.ToolTipRole) is None
    assert model.data(model.index(-1, 0)) is None and model.data(model.index(0, 0), role.DecorationRole) is None
    assert model.data(model.index(0, 0), role.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight


def test_a_bar_goes_only_where_the_columns_fit_without_it(qtbot: QtBot, appearance: Appearance) -> None:
    """Between what fits and what fits with 12 px to spare, a table keeps the bar that it has."""
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(2000, 200)
    grid = NumberGrid(appearance, parent)
    grid.resize(2000, 200)
    parent.show()
    grid.show_numbers(NumberTable(("[0]",), tuple(Column(f"name{n}", "value", (1.0,)) for n in range(9)), 1), False)
    headings = grid.horizontalHeader()
    wanted = sum(max(grid.sizeHintForColumn(at), headings.sectionSizeHint(at)) for at in range(9))
    beside = grid.width() - grid.viewport().width()
    without = grid.sizeHint().height()
    heights = []
    for spare in (0, -1, 0, 11, 12, 0, -1):
        grid.resize(wanted + beside + spare, 200)
        assert grid.viewport().width() == wanted + spare
        heights.append(grid.sizeHint().height() - without)
    assert heights == [0, 12, 12, 12, 0, 0, 12]


def test_names_of_stations_have_all_of_their_width_but_2_px(qapp: object) -> None:
    metrics = QFontMetricsF(font("ui", 11, 500))
    names = ["i" * few + "m" * many for few in range(20) for many in range(9)]
    between = {metrics.horizontalAdvance(name): name for name in names if 75 < metrics.horizontalAdvance(name) < 77}
    assert min(between) <= 76 < max(between)
    for advance, name in between.items():
        (shown,) = texts(station(cell(name=name)))
        assert (shown == name) is (advance <= 76)


def test_the_parts_of_the_panel_have_their_rooms(lens: StepLens) -> None:
    inner = lens._grid.parentWidget()
    assert rooms(lens) == ["0 · 6"] or rooms(lens)[0].startswith("0 ")
    found = rooms(inner)
    assert found[0] == "14 8 14 8 · 24" and found[1].endswith("· 6")
    row = inner.layout()
    assert [row.stretch(at) for at in range(3)] == [0, 1, 1]
