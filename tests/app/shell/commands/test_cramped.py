"""Nothing is cut off in the tightest case: German, texts of 125 %, and the smallest window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QPoint, QRect
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QScrollArea, QSlider, QTableView, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import catalogue
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.shell.commands.keyboard_map import KeyboardMap
from gradwire.app.shell.features import LENSES
from gradwire.app.start.main_window import MainWindow
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain, misfits, wired, with_block
from tests.app.window.sharing import SharedWindow
from tests.app.windows import SETTINGS, windows

pytestmark = pytest.mark.long

WORN = "gradwire_worn"


@pytest.fixture(scope="module")
def cramped_window(
    tmp_path_factory: pytest.TempPathFactory, qapp: QApplication, shared_window: SharedWindow
) -> Iterator[MainWindow]:
    """One window for all tests of this file; afterwards the program looks as before, and is English again."""
    shared_window.close()
    kept = qapp.palette(), qapp.styleSheet(), qapp.font(), qapp.property(WORN)
    german = catalogue("de")
    QCoreApplication.installTranslator(german)
    QLocale.setDefault(QLocale("de"))
    folder = tmp_path_factory.mktemp("settings")
    # Without a window the sheet of styles is changed at once.
    Settings(folder / SETTINGS).set_text("text_scale", "125")
    with windows(folder) as make:
        window = make(InlineEvaluator)
        window.resize(1024, 640)
        yield window
    QLocale.setDefault(QLocale.c())
    QCoreApplication.removeTranslator(german)
    qapp.setPalette(kept[0])
    qapp.setStyleSheet(kept[1])
    qapp.setFont(kept[2])
    qapp.setProperty(WORN, kept[3])


@pytest.fixture
def cramped(cramped_window: MainWindow, qtbot: QtBot) -> Iterator[Driver]:
    """A user in front of the welcome page."""
    user = Driver(cramped_window, qtbot)
    user.settle()
    yield user
    user.session.document.mark_saved()
    user.window.parts.document.leave()
    user.window.parts.layout.show_welcome()
    user.settle()


def squeezed(root: QWidget, kind: type[QWidget]) -> list[str]:
    """Returns the visible widgets of a kind that are narrower than their size hint."""
    return [item.objectName() for item in root.findChildren(kind) if item.isVisible() and too_narrow(item)]


def too_narrow(item: QWidget) -> bool:
    return item.width() < item.sizeHint().width()


def test_the_bar_and_the_status_line_cut_no_text(cramped: Driver) -> None:
    two_losses = wired(with_block(chain(), "other", "Loss", (480, 240)), "t.y > other.x")
    for graph in (chain(), two_losses, misfits()):
        cramped.show(graph)
        assert squeezed(cramped.window.bars.top, QToolButton) == []
        assert squeezed(cramped.window.parts.layout.status, QWidget) == []


def test_the_cards_of_the_tour_hold_their_sentences_and_buttons(cramped: Driver) -> None:
    cramped.trigger("tour")
    card = cramped.child(QWidget, "tour_card")
    for _ in range(5):
        for part in card.findChildren(QWidget):
            if part.isVisible():
                assert card.rect().contains(QRect(part.pos(), part.size())), part.objectName()
                assert not too_narrow(part) or part.objectName() == "tour_sentence"
        cramped.child(QWidget, "tour_next").click()  # type: ignore[attr-defined]
        cramped.settle()
    cramped.window.parts.help.tour.stop()


def test_the_welcome_page_is_no_wider_than_its_room(cramped: Driver) -> None:
    areas = cramped.window.parts.layout.welcome.findChildren(QScrollArea)
    assert areas
    for area in areas:
        content = area.widget()
        assert content.width() <= area.viewport().width()
        for part in content.findChildren(QWidget):
            if part.isVisible():
                assert part.mapTo(content, QPoint(part.width(), 0)).x() <= content.width() + 5, part.objectName()


def test_the_cards_of_the_welcome_page_do_not_lie_over_each_other(cramped: Driver) -> None:
    cards = [
        item
        for item in cramped.window.parts.layout.welcome.findChildren(QWidget)
        if item.objectName().startswith("learn_")
    ]
    assert len(cards) == 3
    boxes = [card.geometry() for card in cards]
    assert not any(one.intersects(other) for row, one in enumerate(boxes) for other in boxes[:row])


def test_the_keyboard_map_has_only_as_many_columns_as_fit(cramped: Driver) -> None:
    cramped.show(chain())
    cramped.trigger("keyboard_map")
    sheet = cramped.child(KeyboardMap, "keyboard_map")
    lines = [item for item in sheet.findChildren(QLabel) if hasattr(item, "needed_width")]
    assert lines
    assert [line.text() for line in lines if line.width() < line.needed_width] == []
    sheet.reject()


def test_the_settings_show_the_size_that_the_menu_chose(cramped: Driver) -> None:
    cramped.trigger("settings")
    slider = cramped.child(QSlider, "setting_text_scale")
    assert slider.parentWidget().findChild(QLabel).text() == "125 %"
    cramped.child(QWidget, "settings_close").click()  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", [lens.id for lens in LENSES if lens.id != "steps"])
def test_no_lens_is_wider_than_its_room(cramped: Driver, name: str) -> None:
    cramped.open(example_path("softmax_stable"))
    cramped.session.select(Selection(blocks=frozenset(["x"])))
    make = next(feature.lens for feature in LENSES if feature.id == name)
    lens = make(cramped.window.parts.document.current, cramped.window.appearance)
    lens.setParent(cramped.window)
    lens.setGeometry(0, 0, cramped.window.width(), 188)
    lens.show()
    cramped.settle()
    for table in lens.findChildren(QTableView):
        assert table.horizontalScrollBar().maximum() == 0
    for button in lens.findChildren(QPushButton):
        assert not button.isVisible() or not too_narrow(button), button.objectName()
    lens.close()
    lens.deleteLater()
