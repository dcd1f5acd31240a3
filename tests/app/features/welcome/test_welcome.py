"""The welcome page leads to a new graph, a file or an example."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QAbstractButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import OTHER, TOPICS, example_names, example_path, example_texts, example_topic
from gradwire.app.base.settings import Settings
from gradwire.app.features.welcome.example_topics import TopicSegment
from gradwire.app.features.welcome.welcome import SHOW_KEY, WelcomePage
from gradwire.app.features.welcome.welcome_rows import time_text
from gradwire.app.look.appearance import Appearance
from gradwire.engine.files.files import load, save
from gradwire.engine.graph.graph import Graph
from tests.sweeps import a_third_of


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


def cards_in_sight(page: WelcomePage) -> set[str]:
    return {name for name in example_names() if not button(page, f"example_{name}").visibleRegion().isEmpty()}


@pytest.mark.parametrize(("name", "signal"), [("new_graph", "new_requested"), ("open_graph", "open_requested")])
def test_the_two_buttons(page: WelcomePage, qtbot: QtBot, name: str, signal: str) -> None:
    with qtbot.waitSignal(getattr(page, signal)):
        qtbot.mouseClick(button(page, name), Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(getattr(page, signal)):
        qtbot.keyClick(button(page, name), Qt.Key.Key_Return)


def test_every_example_is_a_card_that_opens_it(page: WelcomePage, qtbot: QtBot) -> None:
    for name in example_names():
        with qtbot.waitSignal(page.example_requested) as requested:
            qtbot.keyClick(button(page, f"example_{name}"), Qt.Key.Key_Return)
        assert requested.args == [name]


def test_arrows_move_between_cards(page: WelcomePage, qtbot: QtBot) -> None:
    page.activateWindow()
    first, second = (button(page, f"example_{name}") for name in example_names()[:2])
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Right)
    qtbot.waitUntil(second.hasFocus)
    qtbot.keyClick(second, Qt.Key.Key_Left)
    qtbot.waitUntil(first.hasFocus)
    qtbot.keyClick(first, Qt.Key.Key_Left)
    assert first.hasFocus()


def test_a_card_has_the_title_and_sentence_of_the_first_note() -> None:
    title, subtitle = example_texts(example_path("softmax_stable"))
    assert title == "Stable softmax"
    assert subtitle == "Why the maximum stays out of the gradient."


def test_a_file_without_notes_is_called_after_itself(tmp_path: Path) -> None:
    file = tmp_path / "two_words.graph"
    save(Graph(), file)
    assert example_texts(file) == ("Two words", "")


def test_pictures_are_made_once_a_theme_and_after_the_page_is_seen(
    page: WelcomePage, appearance: Appearance, pictures: Pictures, qtbot: QtBot
) -> None:
    seen = cards_in_sight(page)
    qtbot.waitUntil(lambda: {item[0] for item in pictures.asked} == seen)
    assert {item[1:] for item in pictures.asked} == {(264, 106, "dark", False)}
    page.grab()
    assert len(pictures.asked) == len(seen)
    appearance.choose("light")
    qtbot.waitUntil(lambda: {item[0] for item in pictures.asked if item[3] == "light"} == seen)


def test_pictures_follow_the_choice_of_curved_wires(
    page: WelcomePage, appearance: Appearance, pictures: Pictures, qtbot: QtBot
) -> None:
    seen = cards_in_sight(page)
    qtbot.waitUntil(lambda: {item[0] for item in pictures.asked} == seen)
    appearance.choose_curves(True)
    qtbot.waitUntil(lambda: {item[0] for item in pictures.asked if item[4]} == seen)


def test_a_picture_is_made_when_its_card_is_scrolled_to(page: WelcomePage, pictures: Pictures, qtbot: QtBot) -> None:
    last = example_names()[-1]
    qtbot.waitUntil(lambda: {item[0] for item in pictures.asked} == cards_in_sight(page))
    assert last not in cards_in_sight(page)
    qtbot.keyClick(button(page, f"example_{example_names()[0]}"), Qt.Key.Key_End)
    qtbot.waitUntil(lambda: last in {item[0] for item in pictures.asked})


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


def test_the_switch_is_remembered(page: WelcomePage, settings: Settings, qtbot: QtBot) -> None:
    switch = button(page, "show_at_start")
    assert switch.isChecked()
    qtbot.keyClick(switch, Qt.Key.Key_Space)
    assert not settings.flag(SHOW_KEY, True)


def test_the_switch_follows_the_settings(page: WelcomePage, settings: Settings) -> None:
    settings.set_flag(SHOW_KEY, False)
    assert not button(page, "show_at_start").isChecked()


def test_columns_follow_the_width(page: WelcomePage, qtbot: QtBot) -> None:
    cards = [button(page, f"example_{name}") for name in example_names()[:4]]
    qtbot.waitUntil(lambda: len({card.y() for card in cards}) == 1)
    page.resize(1024, 640)
    qtbot.waitUntil(lambda: len({card.y() for card in cards}) == 2)


def test_the_segment_shows_the_examples_of_a_topic(page: WelcomePage, qtbot: QtBot) -> None:
    for topic in TOPICS:
        names = {name for name in example_names() if example_topic(name) == topic}
        if names:
            qtbot.mouseClick(button(page, f"topic_{topic}"), Qt.MouseButton.LeftButton)
            shown = {name for name in example_names() if button(page, f"example_{name}").isVisible()}
            assert shown == names
    qtbot.keyClick(button(page, "topic_all"), Qt.Key.Key_Space)
    assert all(button(page, f"example_{name}").isVisible() for name in example_names())


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


def test_the_topics_take_another_row_where_one_is_too_narrow(qtbot: QtBot) -> None:
    segment = TopicSegment()
    qtbot.addWidget(segment)
    buttons = segment.findChildren(QToolButton)
    for width, has_rows in ((2000, False), (250, True)):
        segment.resize(width, segment.heightForWidth(width))
        segment.show()
        assert (len({item.y() for item in buttons}) > 1) is has_rows
        assert all(item.geometry().right() < width for item in buttons)
        assert segment.height() == max(item.geometry().bottom() for item in buttons) + 1


def test_the_key_to_the_wires_stays_in_sight_while_the_cards_scroll(page: WelcomePage, qtbot: QtBot) -> None:
    key = page.findChild(QWidget, "welcome_key")
    assert key is not None
    qtbot.keyClick(button(page, f"example_{example_names()[0]}"), Qt.Key.Key_End)
    assert key.visibleRegion().boundingRect() == key.rect()


@pytest.mark.parametrize(("name", "height"), a_third_of([("recent_0", 44), ("learn_tour", 28), ("new_graph", 38)]))
def test_rows_are_as_high_as_designed(page: WelcomePage, name: str, height: int) -> None:
    assert button(page, name).height() == height


@pytest.mark.parametrize("command", a_third_of(["tour", "keyboard_map", "wire_help"]))
def test_what_there_is_to_learn(page: WelcomePage, qtbot: QtBot, command: str) -> None:
    with qtbot.waitSignal(page.learn_requested) as requested:
        qtbot.keyClick(button(page, f"learn_{command}"), Qt.Key.Key_Return)
    assert requested.args == [command]


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
