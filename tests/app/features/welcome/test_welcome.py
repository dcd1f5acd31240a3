"""The empty page: its field opens the search; files, lessons and examples are one click away."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import OTHER, TOPICS, example_names, example_path, example_texts, example_topic
from gradwire.app.base.settings import Settings
from gradwire.app.features.welcome.page_parts import RecentRow, time_text
from gradwire.app.features.welcome.welcome import STARTS, WelcomePage
from gradwire.app.live.keys import Bindable, Keys
from gradwire.app.look.appearance import Appearance
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Graph


class Pictures:
    """A maker of plain pictures that records their files."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, int, str, bool]] = []

    def __call__(self, path: Path, size: QSize, appearance: Appearance, ratio: float) -> QPixmap:
        theme = appearance.theme
        self.asked.append((path.stem, size.width(), size.height(), theme.name, appearance.has_curves))
        picture = QPixmap(size * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(theme.color("bg.canvas"))
        return picture


@pytest.fixture
def pictures() -> Pictures:
    return Pictures()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    made = Settings(tmp_path / "s.ini")
    there = tmp_path / "there.graph"
    there.write_text("{}")
    made.add_recent(tmp_path / "gone.graph")
    made.add_recent(there)
    return made


@pytest.fixture
def appearance(qapp: object) -> Appearance:
    return Appearance("dark")


@pytest.fixture
def page(settings: Settings, appearance: Appearance, pictures: Pictures, qtbot: QtBot) -> WelcomePage:
    made = WelcomePage(settings, appearance, pictures)
    qtbot.addWidget(made)
    made.resize(1600, 970)
    made.show()
    return made


def button(page: WelcomePage, name: str) -> QAbstractButton:
    found = page.findChild(QAbstractButton, name)
    assert isinstance(found, QAbstractButton)
    return found


@pytest.fixture
def searches(page: WelcomePage) -> list[tuple[str, str]]:
    """What the page asked the search for."""
    asked = list[tuple[str, str]]()
    page.search_requested.connect(lambda *what: asked.append(what))
    return asked


def test_the_field_gives_what_is_typed_to_the_search(page: WelcomePage, searches: list[tuple[str, str]]) -> None:
    QTest.keyClick(page.field, "e")
    page.field.setText("softmax(x)")
    QTest.keyClick(page.field, Qt.Key.Key_Return)
    QTest.mouseClick(page.field, Qt.MouseButton.LeftButton)
    QTest.mouseDClick(page, Qt.MouseButton.LeftButton, pos=QPoint(5, 5))
    assert searches == [("e", "add"), ("softmax(x)", "add"), ("", "add"), ("", "add"), ("", "add")]
    assert page.field.text() == ""


def test_the_first_tab_opens_the_search_and_the_next_ones_walk_down(
    page: WelcomePage, searches: list[tuple[str, str]], qtbot: QtBot
) -> None:
    page.activateWindow()
    qtbot.waitUntil(page.field.hasFocus)
    QTest.keyClick(page.field, Qt.Key.Key_Tab)
    assert searches == [("", "add")] and page.field.hasFocus()
    walked = []
    for _ in range(12):
        QTest.keyClick(page.focusWidget(), Qt.Key.Key_Tab)
        walked.append(page.focusWidget().objectName())
    assert walked == [
        "start_0", "start_1", "start_2", "open_file", "recent_0", "recent_1", "remove_recent", "all_lessons",
        "learn_first_steps", "learn_softmax_stable", "learn_spirals", "start_field",
    ]  # fmt: skip
    page.refresh()
    page.field.setFocus()
    QTest.keyClick(page.field, Qt.Key.Key_Backtab)
    assert len(searches) == 1 and not page.field.hasFocus()
    page.field.setFocus()
    QTest.keyClick(page.field, Qt.Key.Key_Tab)
    assert len(searches) == 2


def test_examples_of_what_can_be_typed_are_searched_for(page: WelcomePage, searches: list[tuple[str, str]]) -> None:
    for number in range(3):
        QTest.mouseClick(button(page, f"start_{number}"), Qt.MouseButton.LeftButton)
    button(page, "all_lessons").click()
    assert searches == [*((text, "add") for text in STARTS), ("", "learn")]


def test_a_file_dropped_on_the_field_goes_to_the_window(page: WelcomePage) -> None:
    assert not page.field.acceptDrops()


def test_a_lesson_is_an_example_or_the_first_steps(page: WelcomePage, qtbot: QtBot) -> None:
    for name in ("softmax_stable", "spirals"):
        with qtbot.waitSignal(page.example_requested) as requested:
            QTest.keyClick(button(page, f"learn_{name}"), Qt.Key.Key_Return)
        assert requested.args == [name]
    with qtbot.waitSignal(page.learn_requested) as requested:
        QTest.keyClick(button(page, "learn_first_steps"), Qt.Key.Key_Space)
    assert requested.args == ["first_steps"]


def test_the_link_to_open_a_file_names_its_key(page: WelcomePage, settings: Settings, qtbot: QtBot) -> None:
    keys = Keys(settings, [Bindable("open", "Open", "File", ("Ctrl+O",))], page)
    page.show_keys(keys)
    assert button(page, "open_file").text() == "Open a file  Ctrl+O"
    keys.remove("open", "Ctrl+O")
    page.show_keys(keys)
    assert button(page, "open_file").text() == "Open a file"
    with qtbot.waitSignal(page.open_requested):
        button(page, "open_file").click()


def test_only_three_files_are_listed_and_without_any_the_link_is_left(
    page: WelcomePage, settings: Settings, tmp_path: Path
) -> None:
    for number in range(4):
        settings.add_recent(tmp_path / f"{number}.graph")
    page.refresh()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    assert [row.text() for row in page.findChildren(RecentRow)] == ["3", "2", "1"]
    for file in settings.recent():
        settings.forget_recent(file.path)
    page.refresh()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    title = page.findChild(QLabel, "recent_title")
    assert page.findChildren(RecentRow) == [] and isinstance(title, QLabel) and title.isHidden()
    assert button(page, "open_file").isVisible()


def test_pictures_are_made_once_a_theme_and_shape_of_wires(
    page: WelcomePage, appearance: Appearance, pictures: Pictures, qtbot: QtBot
) -> None:
    names = {"first_run", "softmax_stable", "spirals"}
    qtbot.waitUntil(lambda: {item[0] for item in pictures.asked} == names)
    page.grab()
    assert len(pictures.asked) == 3 and {item[2:] for item in pictures.asked} == {(108, "dark", False)}
    appearance.choose("light")
    qtbot.waitUntil(lambda: {item[0] for item in pictures.asked if item[3] == "light"} == names)
    appearance.choose_curves(True)
    qtbot.waitUntil(lambda: {item[0] for item in pictures.asked if item[4]} == names)


@pytest.mark.parametrize(("width", "column"), [(1600, 640), (688, 640), (600, 552)])
def test_one_column_stands_in_the_middle(page: WelcomePage, width: int, column: int) -> None:
    """It is 640 px wide, or as wide as the page but for 24 px at each side."""
    page.resize(width, 970)
    QTest.qWait(0)
    field = page.field
    at = field.mapTo(page, QPoint())
    assert (field.width(), field.height()) == (column, 52) and abs(2 * at.x() + column - width) <= 1


def test_an_example_has_the_title_and_sentence_of_the_first_note() -> None:
    title, subtitle = example_texts(example_path("softmax_stable"))
    assert title == "Stable softmax"
    assert subtitle == "Why the maximum stays out of the gradient."


def test_a_file_without_notes_is_called_after_itself(tmp_path: Path) -> None:
    file = tmp_path / "two_words.graph"
    save(Graph(), file)
    assert example_texts(file) == ("Two words", "")


def test_a_recent_file_opens(page: WelcomePage, tmp_path: Path, qtbot: QtBot) -> None:
    with qtbot.waitSignal(page.path_requested) as requested:
        qtbot.mouseClick(button(page, "recent_0"), Qt.MouseButton.LeftButton)
    assert requested.args == [tmp_path / "there.graph"]


def test_a_file_that_is_gone_does_not_open_but_can_be_removed(
    page: WelcomePage, settings: Settings, qtbot: QtBot
) -> None:
    row = button(page, "recent_1")
    with qtbot.assertNotEmitted(page.path_requested):
        qtbot.keyClick(row, Qt.Key.Key_Return)
    cross = row.findChild(QToolButton, "remove_recent")
    assert isinstance(cross, QToolButton) and cross.isVisible()
    qtbot.mouseClick(cross, Qt.MouseButton.LeftButton)
    assert [file.path.name for file in settings.recent()] == ["there.graph"]


def test_delete_takes_a_file_off_the_list(page: WelcomePage, settings: Settings, qtbot: QtBot) -> None:
    qtbot.keyClick(button(page, "recent_0"), Qt.Key.Key_Delete)
    assert [file.path.name for file in settings.recent()] == ["gone.graph"]


def test_every_example_has_a_topic() -> None:
    assert {example_topic(name) for name in example_names()} <= {*TOPICS} - {OTHER}


def test_a_file_of_an_unknown_kind_has_a_topic_too() -> None:
    assert example_topic("zebra_1") == OTHER


def test_the_stable_softmax_comes_first_and_the_first_dozen_is_of_many_topics() -> None:
    assert example_names()[0] == "softmax_stable"
    assert len({example_topic(name) for name in example_names()[:12]}) >= 9


def test_the_places_of_the_first_are_told_by_their_files_each_once() -> None:
    told = {name: load(example_path(name)).graph.extra.get("signature") for name in example_names()}
    first = tuple(name for name, place in told.items() if place is not None)
    assert [told[name] for name in first] == list(range(1, len(first) + 1))
    assert example_names()[: len(first)] == first


def test_the_other_examples_come_topic_by_topic() -> None:
    topics = [
        example_topic(name) for name in example_names() if "signature" not in load(example_path(name)).graph.extra
    ]
    assert topics == sorted(topics, key=TOPICS.index)


@pytest.mark.parametrize(
    ("opened", "text"),
    [
        (datetime(2026, 3, 1, 14, 2), "today, 14:02"),
        (datetime(2026, 2, 28, 9, 0), "yesterday"),
        (datetime(2026, 1, 18, 9, 0), "18 Jan"),
        (datetime(2025, 11, 18, 9, 0), "18 Nov 2025"),
    ],
)
def test_when_a_file_was_opened(opened: datetime, text: str) -> None:
    assert time_text(opened, date(2026, 3, 1)) == text
