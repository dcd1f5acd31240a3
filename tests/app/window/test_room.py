"""Nothing is cut off in the tightest case: German, texts of 125 %, and the smallest window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QPoint, QRect, QRectF, Qt
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QPushButton,
    QScrollArea,
    QSlider,
    QSpinBox,
    QTableView,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.base.settings import Settings
from gradwire.app.base.translation import catalogue
from gradwire.app.canvas.overlays.corner import Minimap
from gradwire.app.commands.keyboard_map import KeyboardMap
from gradwire.app.lenses.kinds import LENSES
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.panels.palette.block_help import code_line
from tests.app.window.driver import Driver
from tests.app.window.graphs import chain, misfits, wired, with_block
from tests.app.windows import SETTINGS, windows

WORN = "gradwire_worn"


@pytest.fixture
def cramped(tmp_path: Path, qtbot: QtBot) -> Iterator[Driver]:
    program = QApplication.instance()
    assert isinstance(program, QApplication)
    kept = program.palette(), program.styleSheet(), program.font(), program.property(WORN)
    german = catalogue("de")
    QCoreApplication.installTranslator(german)
    QLocale.setDefault(QLocale("de"))
    # Without a window the sheet of styles is changed at once.
    Settings(tmp_path / SETTINGS).set_text("text_scale", "125")
    with windows(tmp_path) as make:
        window = make(InlineEvaluator)
        window.resize(1024, 640)
        user = Driver(window, qtbot)
        user.settle()
        yield user
    QLocale.setDefault(QLocale.c())
    QCoreApplication.removeTranslator(german)
    program.setPalette(kept[0])
    program.setStyleSheet(kept[1])
    program.setFont(kept[2])
    program.setProperty(WORN, kept[3])


def squeezed(root: QWidget, kind: type[QWidget]) -> list[str]:
    """Returns the visible widgets of a kind that are narrower than their size hint."""
    return [item.objectName() for item in root.findChildren(kind) if item.isVisible() and too_narrow(item)]


def too_narrow(item: QWidget) -> bool:
    return item.width() < item.sizeHint().width()


def test_the_toolbar_and_the_status_bar_cut_no_text(cramped: Driver) -> None:
    two_losses = wired(with_block(chain(), "other", "Loss", (480, 240)), "t.y > other.x")
    for graph in (chain(), two_losses, misfits()):
        cramped.show(graph)
        assert squeezed(cramped.window.bars.toolbar, QToolButton) == []
        assert squeezed(cramped.window.parts.status, QWidget) == []


def test_texts_are_larger_in_switches_that_were_made_before_the_window_was_shown(cramped: Driver) -> None:
    for size in ("100", "125"):
        cramped.window.settings.set_text("text_scale", size)
    cramped.show(chain())
    assert cramped.child(QWidget, "stop_switch").font().pixelSize() == 15


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
    cramped.window.parts.tour.stop()


def test_the_welcome_page_is_no_wider_than_its_room(cramped: Driver) -> None:
    areas = cramped.window.parts.welcome.findChildren(QScrollArea)
    assert areas
    for area in areas:
        content = area.widget()
        assert content.width() <= area.viewport().width()
        for part in content.findChildren(QWidget):
            if part.isVisible():
                assert part.mapTo(content, QPoint(part.width(), 0)).x() <= content.width() + 5, part.objectName()


def test_the_cards_of_the_welcome_page_do_not_lie_over_each_other(cramped: Driver) -> None:
    cards = [
        item for item in cramped.window.parts.welcome.findChildren(QWidget) if item.objectName().startswith("example_")
    ]
    assert len(cards) > 60
    # The rings of the focus around two cards may share the gap between them.
    boxes = [card.geometry().adjusted(5, 5, -5, -5) for card in cards]
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


def test_a_long_name_of_a_document_is_shortened_in_its_middle(user: Driver) -> None:
    user.show(chain())
    user.window.parts.document.title = "name " * 60
    user.window.parts.refreshing.now()
    shown = user.child(QLabel, "document_name")
    assert "…" in shown.text()
    assert shown.width() >= shown.sizeHint().width()


def test_a_message_is_not_written_over_what_changes_meanwhile(user: Driver) -> None:
    user.show(chain())
    user.window.parts.status.showMessage("A message.")
    user.session.select(Selection(frozenset(["t"])))
    user.settle()
    user.trigger("delete")
    assert not user.child(QWidget, "status_size").isVisible()
    user.window.parts.status.clearMessage()
    assert user.child(QLabel, "status_size_text").isVisible()
    assert user.child(QLabel, "status_size_text").text() == "5 blocks · 3 wires"


def test_the_frame_in_the_minimap_stays_inside_it(user: Driver) -> None:
    user.show(chain(), scale=0.1)
    minimap = user.child(Minimap, "minimap")
    assert QRectF(minimap.rect()).contains(minimap.frame())


def test_an_empty_graph_has_no_problem(user: Driver) -> None:
    user.trigger("new")
    assert user.session.problems == ()


def test_a_slice_has_arrows_to_press(user: Driver) -> None:
    user.show(with_block(chain(), "cube", "Constant", (480, 240), value=np.arange(4.0).reshape(2, 1, 2)))
    user.session.select(Selection(frozenset(["cube"])))
    user.settle()
    box = next(item for item in user.window.parts.inspector.findChildren(QSpinBox) if item.isVisible())
    user.qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(box.width() - 9, 6))
    assert box.value() == 1


@pytest.mark.parametrize(
    ("template", "shown"),
    [("np.max({x}, axis={axis!r})", "np.max(x, axis=axis)"), ("{x} @ {y}", "x @ y"), ("{{'a': {x}}}", "{'a': x}")],
)
def test_code_in_the_help_names_ports_without_braces(template: str, shown: str) -> None:
    assert code_line(template) == shown


@pytest.mark.parametrize("name", [kind.id for kind in LENSES if kind.id != "steps"])
def test_no_lens_is_wider_than_its_room(cramped: Driver, name: str) -> None:
    cramped.open(example_path("softmax_stable"))
    cramped.session.select(Selection(blocks=frozenset(["x"])))
    lens = next(kind for kind in LENSES if kind.id == name).make(cramped.session, cramped.window.appearance)
    lens.setParent(cramped.window)
    lens.setGeometry(0, 0, 640, 188)
    lens.show()
    cramped.settle()
    for table in lens.findChildren(QTableView):
        assert table.horizontalScrollBar().maximum() == 0
    for button in lens.findChildren(QPushButton):
        assert not button.isVisible() or not too_narrow(button), button.objectName()
