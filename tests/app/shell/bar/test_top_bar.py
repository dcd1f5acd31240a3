"""The row of the bar: its sizes at each size of texts, and which of its parts gives way first. Units: px."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QApplication, QToolButton, QWidget

from gradwire.app.base.examples import example_path
from gradwire.app.cli.window.report import CLICKED, targets
from gradwire.app.look.appearance import Appearance
from gradwire.app.shell.bar import top_bar
from gradwire.app.shell.bar.graph_button import GraphButton
from gradwire.app.shell.bar.top_bar import TopBar
from gradwire.engine.edits import edits
from gradwire.engine.files.files import load
from tests.app.drawn_shapes import drawn, rooms
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain

pytestmark = pytest.mark.usefixtures("one_window")

LONG = "A name that is much longer than its room in the bar, whatever that is"
# Room of the name, width of the search, whether Present has its word, whether the switch is brief, and undo is there.
LEVELS = [
    (220, 196, True, False, True),
    (160, 150, True, False, True),
    (160, 150, False, False, True),
    (160, 150, False, True, True),
    (90, 34, False, True, True),
    (90, 34, False, True, False),
]
# Of mark, name, undo, redo, modes, stops, search, Present, menu, legend, sentence and zoom.
KEYS = ("Alt+Home", "F2", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+4", "Shift+S", "Tab", "F11",
        "F10", "G", "F8", "Ctrl+0")  # fmt: skip
Text = QAccessible.Text
Level = tuple[int, int, bool, bool, bool]


def part(bar: TopBar, name: str) -> QWidget:
    found = bar.findChild(QWidget, name)
    assert isinstance(found, QWidget)
    return found


def button(bar: TopBar, name: str) -> QToolButton:
    found = part(bar, f"tool_{name}")
    assert isinstance(found, QToolButton)
    return found


def group(bar: TopBar) -> QWidget:
    return button(bar, "mode_build").parentWidget()


def rows(bar: TopBar) -> tuple[list[QWidget], list[QWidget]]:
    """The parts that are shown to the left of the modes, and to their right."""
    left = [button(bar, "welcome"), bar.name, button(bar, "undo"), button(bar, "redo")]
    right = [bar.stops, bar.search, button(bar, "only_canvas"), part(bar, "menu_button")]
    return [item for item in left if not item.isHidden()], [item for item in right if not item.isHidden()]


def right_of(widget: QWidget) -> int:
    return widget.x() + widget.width()


def name_room(bar: TopBar) -> int:
    """The room of the three in which the name looks as it does; 0 below all."""
    metrics = bar.name.fontMetrics()
    found = [
        room for room in (220, 160, 90)
        if metrics.elidedText(LONG, Qt.TextElideMode.ElideMiddle, room) == bar.name.text()
    ]  # fmt: skip
    return found[0] if found else 0


def level(bar: TopBar) -> Level:
    has_word = button(bar, "only_canvas").toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextBesideIcon
    undo = {button(bar, name).isHidden() for name in ("undo", "redo")}
    assert len(undo) == 1
    return name_room(bar), bar.search.minimumWidth(), has_word, bar.stops.is_brief, undo == {False}


@pytest.fixture
def bar(user: Driver) -> Iterator[TopBar]:
    user.show(load(example_path("softmax_stable")).graph)
    made = TopBar(user.window.parts)
    made.resize(1600, 44)
    made.refresh()
    made.name.show_name(LONG, is_saved=True)
    made.fit()
    yield made
    made.deleteLater()


def test_the_bar_is_44_high_its_controls_28_and_its_icons_16(bar: TopBar) -> None:
    assert bar.minimumHeight() == bar.maximumHeight() == 44
    left, right = rows(bar)
    assert {item.height() for item in [*left, *right, button(bar, "mode_step")]} == {28}
    icons = [button(bar, name) for name in ("undo", "redo", "welcome")]
    assert {item.iconSize().toTuple() for item in [*icons, part(bar, "menu_button")]} == {(16, 16)}  # type: ignore[attr-defined]
    assert part(bar, "menu_button").icon().actualSize(icons[0].iconSize()).toTuple() == (16, 16)  # type: ignore[attr-defined]


def test_the_word_of_present_keeps_away_from_its_icon_of_14_px(bar: TopBar) -> None:
    present = button(bar, "only_canvas")
    assert (present.iconSize().toTuple(), present.width()) == ((14, 14), 85)  # type: ignore[attr-defined]
    assert QAccessible.queryAccessibleInterface(present).text(Text.Name) == "Present"
    seen = present.grab().toImage()
    columns = range(4, present.width() - 4)
    inked = [max(seen.pixelColor(x, y).lightness() for y in range(8, 20)) > 100 for x in columns]
    icon = inked.index(True)
    gap = inked.index(False, icon)
    # The triangle is 10 px wide with its faint edges, and 6 px are between both; it was 4.
    assert gap - icon == pytest.approx(9, abs=1)
    assert inked.index(True, gap) - gap == pytest.approx(6, abs=1)


def test_a_wide_row_has_gaps_of_8_or_less_beside_icons_and_the_modes_in_the_middle(bar: TopBar) -> None:
    left, right = rows(bar)
    assert (len(left), len(right)) == (4, 4)
    for row, gaps in ((left, (0, 8, 2)), (right, (8, 8, 8))):
        assert [one.x() for one in row[1:]] == [right_of(one) + gap for one, gap in zip(row, gaps, strict=False)]
    assert [one.width() for one in (left[0], *left[2:], right[-1])] == [28] * 4
    assert left[0].x() == 8 and right_of(right[-1]) == 1600 - 8
    assert group(bar).x() == (1600 - group(bar).width()) // 2
    assert {item.y() for item in [*left, *right]} == {8}
    assert group(bar).y() == (44 - group(bar).height()) // 2
    assert rooms(group(bar)) == ["0 · 0"]


def fit(bar: TopBar, width: int) -> tuple[list[QWidget], list[QWidget]]:
    """Gives the bar a width; returns its parts at the left and at the right."""
    bar.resize(width, 44)
    bar.fit()
    return rows(bar)


def narrowest(bar: TopBar, holds: Callable[[], bool]) -> int:
    """The least width at which something holds that holds at all greater ones."""
    low, high = 400, 1600
    while high - low > 1:
        middle = (low + high) // 2
        fit(bar, middle)
        low, high = (low, middle) if holds() else (middle, high)
    return high


@pytest.mark.parametrize("step", range(5))
def test_parts_give_way_one_after_the_other_and_only_where_the_row_does_not_fit(bar: TopBar, step: int) -> None:
    least = narrowest(bar, lambda: level(bar) in LEVELS[: step + 1])
    left, right = fit(bar, least)
    # There nothing is left between the three parts but their gaps.
    assert level(bar) == LEVELS[step]
    assert group(bar).x() == right_of(left[-1]) + 8 and right_of(group(bar)) + 8 == right[0].x()
    assert left[0].x() == 8 and right_of(right[-1]) == least - 8
    fit(bar, least - 1)
    assert level(bar) == LEVELS[step + 1]


@pytest.mark.parametrize("lacking", [1, 20, 40])
def test_beyond_all_levels_the_name_has_what_the_others_leave(bar: TopBar, lacking: int) -> None:
    fit(bar, narrowest(bar, lambda: level(bar) in LEVELS[:5]) - 1)
    needed = sum(item.width() + 8 for row in rows(bar) for item in row) + group(bar).width() + 20
    left, right = fit(bar, needed - lacking)
    assert right_of(left[-1]) + 8 <= group(bar).x() and right_of(group(bar)) + 8 == right[0].x()


def test_a_narrow_row_is_fitted_once_and_then_rests(bar: TopBar, monkeypatch: pytest.MonkeyPatch) -> None:
    fits = list[int]()
    fit(bar, narrowest(bar, lambda: level(bar) in LEVELS[:5]) - 1)
    monkeypatch.setattr(bar.name, "set_room", fits.append)
    for _ in range(5):
        QApplication.processEvents()
    assert fits == []


def test_what_is_hidden_takes_no_room(bar: TopBar, user: Driver) -> None:
    user.show(chain())
    bar.refresh()
    left, right = fit(bar, narrowest(bar, lambda: bar.search.minimumWidth() == 196))
    assert bar.stops.isHidden() and len(right) == 3
    assert group(bar).x() == right_of(left[-1]) + 8 and right_of(group(bar)) + 8 == right[0].x()


def test_modes_that_find_no_middle_keep_their_gap_to_what_is_right_of_them(bar: TopBar) -> None:
    def is_in_middle() -> bool:
        return group(bar).x() == (bar.width() - group(bar).width()) // 2

    least = narrowest(bar, is_in_middle)
    left, right = fit(bar, least)
    assert right[0].x() - 8 - right_of(group(bar)) in (0, 1)
    for width in (least - 2, least - 20):
        left, right = fit(bar, width)
        assert right_of(group(bar)) + 8 == right[0].x() and group(bar).x() > right_of(left[-1]) + 8


@pytest.mark.parametrize(("scale", "bar_height", "control", "icon"), [(1.5, 56, 38, 24), (0.9, 42, 26, 14)])
def test_a_part_of_each_size_grows_with_texts(
    bar: TopBar, monkeypatch: pytest.MonkeyPatch, scale: float, bar_height: int, control: int, icon: int
) -> None:
    monkeypatch.setattr(bar._appearance, "text_scale", scale)
    bar.resize(2400, 60)
    bar.restyle()
    assert bar.minimumHeight() == bar_height == bar.height()
    left, right = rows(bar)
    assert {item.height() for item in [*left, *right]} == {control} == {bar.stops.maximumHeight()}
    assert {item.y() for item in [*left, *right]} == {(bar_height - control) // 2}
    assert button(bar, "undo").iconSize().toTuple() == (icon, icon)  # type: ignore[attr-defined]
    assert bar.search.width() == round(196 * scale)


def test_without_a_document_only_what_leads_to_one_is_there(bar: TopBar, user: Driver) -> None:
    user.window.parts.layout.show_welcome()
    bar.refresh()
    left, right = rows(bar)
    assert left == [button(bar, "welcome")] and right == [bar.search, part(bar, "menu_button")]
    assert button(bar, "mode_build").isHidden()
    user.window.parts.layout.show_document()
    bar.name.show_name("", is_saved=True)
    bar.refresh()
    assert bar.name.text() == user.window.parts.document.name
    assert (len(rows(bar)[0]), len(rows(bar)[1]), button(bar, "mode_build").isHidden()) == (4, 4, False)


def test_the_switch_is_there_with_stops_or_while_they_are_ignored(bar: TopBar, user: Driver) -> None:
    assert not bar.stops.isHidden() and bar.stops.isChecked()
    user.session.runs.set_ignores_stops(True)
    bar.refresh()
    assert not bar.stops.isHidden() and not bar.stops.isChecked()
    user.show(chain())
    bar.refresh()
    assert bar.stops.isHidden() and not user.session.runs.ignores_stops
    user.session.runs.set_ignores_stops(True)
    bar.refresh()
    assert not bar.stops.isHidden() and not bar.stops.isChecked()
    user.session.runs.set_ignores_stops(False)


def test_the_switch_names_its_key_if_it_has_one(bar: TopBar, monkeypatch: pytest.MonkeyPatch) -> None:
    for key, ending in (("", "StopGradient"), ("F8", "StopGradient (F8)")):
        monkeypatch.setattr(bar._window.keys, "shown", {"ignore_stops": key}.__getitem__)
        bar.show_keys("")
        assert bar.stops.toolTip() == f"Off: show each gradient with and without {ending}"


def test_the_name_is_shortened_by_the_dot_of_what_is_not_saved(bar: TopBar) -> None:
    name, metrics = bar.name, bar.name.fontMetrics()
    dot = metrics.horizontalAdvance(" •")
    name.set_room(160)
    assert name.text() == metrics.elidedText(LONG, Qt.TextElideMode.ElideMiddle, 160)
    assert name.accessibleName() == LONG == name.toolTip()
    name.show_name(LONG, is_saved=False)
    assert name.text() == metrics.elidedText(LONG, Qt.TextElideMode.ElideMiddle, 160 - dot) + " •"
    assert name.accessibleName() == f"{LONG}, not saved"


def test_a_name_is_saved_until_it_is_said_not_to_be(user: Driver, bar: TopBar) -> None:
    made = GraphButton(user.window.parts, bar.menu, bar)
    made.set_room(200)
    assert made.text() == ""


def test_lists_open_right_below_their_button(bar: TopBar, user: Driver) -> None:
    bar.show()
    bar.name.open()
    menu = user.popups.menu()
    assert menu.pos() == bar.name.mapToGlobal(QPoint(0, bar.name.height()))
    menu.close()


def test_other_windows_stand_below_the_files(bar: TopBar, user: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, came = user.window.parts.frame, list[str]()
    other = SimpleNamespace(shown_title="Beside", come_forward=lambda: came.append("Beside"))
    monkeypatch.setattr(frame.windows, "_windows", [frame])
    bar.name.menu().aboutToShow.emit()
    alone = [item.text() for item in bar.name.menu().actions()]
    monkeypatch.setattr(frame.windows, "_windows", [frame, other])
    bar.name.menu().aboutToShow.emit()
    actions = bar.name.menu().actions()
    assert [item.text() for item in actions] == [*alone, "", "Beside"] and actions[-2].isSeparator()
    actions[-1].trigger()
    assert came == ["Beside"]


@pytest.mark.parametrize(
    ("focus", "pointer", "edge"),
    [(True, False, "focus"), (True, True, "focus"), (False, True, "border.default"), (False, False, "")],
)
def test_the_mark_has_a_frame_where_keyboard_or_pointer_is(
    bar: TopBar, monkeypatch: pytest.MonkeyPatch, focus: bool, pointer: bool, edge: str
) -> None:
    mark, boxes = button(bar, "welcome"), list[QRectF]()
    monkeypatch.setattr(mark, "hasFocus", lambda: focus)
    monkeypatch.setattr(mark, "underMouse", lambda: pointer)
    monkeypatch.setattr(top_bar, "draw_logo", lambda *given: boxes.append(given[2]))
    monkeypatch.setattr(mark, "_appearance", Appearance("dark"))
    frame = [f"rect 0.5 0.5 40 29 round 6 1px {edge}"] if edge else []
    assert drawn(mark, 41, 30) == frame
    assert boxes[0] == QRectF(12.5, 7, 16, 16)


def test_what_is_clicked_at_first_has_a_role_a_name_and_its_key(user: Driver) -> None:
    user.open(example_path("softmax_stable"))
    for step in (16, 32):
        user.session.apply("Move", edits.move_blocks, "main", {"x": (0, step)})
    user.session.undo()
    user.qtbot.waitUntil(button(user.window.bars.top, "redo").isEnabled)
    names = {item.text(Text.Name): item.text(Text.Description) for item in clicked(user)}
    assert sorted(names) == sorted(targets(user.window, user.canvas))
    told = [text.rpartition("(")[2].rstrip(")") for text in names.values()]
    assert all(names) and sorted(told) == sorted(KEYS)
    user.trigger("menu")
    assert user.popups.menu().objectName() == "main_menu"
    user.window.bars.top.menu.close()


def clicked(user: Driver) -> Iterator[QAccessibleInterface]:
    for item in user.window.findChildren(QWidget):
        found = QAccessible.queryAccessibleInterface(item)
        if item.isVisible() and found.role() in CLICKED and not found.state().disabled:
            yield found
