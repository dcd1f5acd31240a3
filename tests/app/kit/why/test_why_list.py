"""The list of explanations: what each entry shows, hides and emits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.why.fixes import Fix
from gradwire.app.kit.why.why import Why
from gradwire.app.kit.why.why_list import WhyList, top_in
from gradwire.app.kit.why.why_slope import SlopeText
from gradwire.app.live.explanation.zero_sentences import Step
from gradwire.app.look.appearance import Appearance
from gradwire.engine.advice.gradient_edits import widen
from gradwire.engine.autodiff.status import Status
from tests.app.drawn_shapes import drawn

FLOW = Why(Status.FLOW, "flow", "norm 1", "It flows.")
ZERO = Why(Status.ZERO, "zero", "0", "Because.")
FIX = Fix("Use <float64> & more", widen)
SLOPE = SlopeText("wire", (("0", "a"), ("inf", "b"), ("NaN", "c")), ("x",), (), frozenset(), "", "Fix", "Detail")


@pytest.fixture
def shown(qtbot: QtBot) -> WhyList:
    holder = QWidget()
    qtbot.addWidget(holder)
    made = WhyList(Appearance("dark"), holder)
    made.resize(300, 400)
    holder.show()
    return made


def part(shown: WhyList, name: str, place: int = 0) -> QWidget:
    found = shown.findChild(QWidget, f"why_{name}_{place}")
    assert found is not None
    return found


def text(shown: WhyList, name: str, place: int = 0) -> str:
    label = part(shown, name, place)
    assert isinstance(label, QLabel | QPushButton)
    return label.text()


def visible(shown: WhyList, place: int = 0) -> set[str]:
    names = ("heading", "result", "sentence", "way", "origin", "slope", "trial", "fix", "later")
    return {name for name in names if not part(shown, name, place).isHidden()}


def test_entries_have_heading_result_in_its_colour_and_sentence(shown: WhyList) -> None:
    shown.show_all([("a", FLOW), ("b", ZERO)])
    css = Appearance("dark").theme.css
    for place, (heading, why, token) in enumerate((("a", FLOW, "grad.text"), ("b", ZERO, "text.secondary"))):
        assert [text(shown, name, place) for name in ("heading", "result", "sentence")] == [
            heading, why.result, why.sentence,
        ]  # fmt: skip
        assert visible(shown, place) == {"heading", "result", "sentence"}
        assert part(shown, "result", place).styleSheet() == f"color: {css(token)};"
    assert shown.accessibleDescription() == "a: norm 1. It flows.\nb: 0. Because."
    shown.show_all([("c", replace(ZERO, sentence=""))])
    assert part(shown, "heading", 1).parentWidget().isHidden()
    assert visible(shown) == {"heading", "result"}
    assert part(shown, "result").styleSheet() == f"color: {css('text.secondary')};"
    shown.show_all([("c", FLOW), ("d", FLOW)])
    assert not part(shown, "heading", 1).parentWidget().isHidden()


def test_the_steps_to_a_cause_are_numbered_and_a_click_goes_to_one(shown: WhyList, qtbot: QtBot) -> None:
    steps = tuple(Step(f"main/use/s{place}", f"step {place}") for place in range(9))
    way = part(shown_with(shown, replace(ZERO, steps=steps[:2])), "way")
    assert isinstance(way, QListWidget)
    assert [way.item(row).text() for row in range(way.count())] == ["1  step 0", "2  step 1"]
    assert way.item(0).toolTip() == "Go to main / use / s0" and way.currentRow() == 0 and not way.selectedItems()
    row, frame = max(way.sizeHintForRow(0), 24), 2 * way.frameWidth()
    assert way.height() == 2 * row + frame
    with qtbot.waitSignal(shown.place_chosen) as chosen:
        qtbot.mouseClick(way.viewport(), Qt.MouseButton.LeftButton, pos=way.visualItemRect(way.item(1)).center())
    assert chosen.args == ["main/use/s1"]
    way.setCurrentRow(1)
    shown_with(shown, replace(ZERO, steps=steps[:2]))
    assert way.currentRow() == 1
    shown_with(shown, replace(ZERO, steps=steps))
    # Eight rows are seen at once.
    assert way.height() == 8 * row + frame and way.currentRow() == 0
    shown_with(shown, ZERO)
    assert way.isHidden() and way.count() == 0


def shown_with(shown: WhyList, why: Why) -> WhyList:
    shown.show_all([("x", why)])
    return shown


def test_the_origin_is_a_button_that_goes_there(shown: WhyList, qtbot: QtBot) -> None:
    origin = part(shown_with(shown, replace(ZERO, origin="main/use/e")), "origin")
    assert visible(shown) == {"heading", "result", "sentence", "origin"} and origin.toolTip() == "main / use / e"
    with qtbot.waitSignal(shown.place_chosen) as chosen:
        qtbot.mouseClick(origin, Qt.MouseButton.LeftButton)
    assert chosen.args == ["main/use/e"]


def test_a_fix_is_a_button_whose_text_loses_its_middle_where_room_lacks(shown: WhyList, qtbot: QtBot) -> None:
    button = part(shown_with(shown, replace(ZERO, fix=FIX)), "fix")
    assert isinstance(button, QPushButton)
    assert visible(shown) == {"heading", "result", "sentence", "fix"}
    assert (button.accessibleName(), "&lt;float64&gt;" in button.toolTip()) == (FIX.text, True)
    assert button.text() == "Use <float64> && more"
    with qtbot.waitSignal(shown.fix_chosen) as chosen:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert chosen.args == [FIX]
    # The text is indented by 22 px, and the button is 27 px wider than it.
    long, entry = replace(FIX, text="a" * 40), button.parentWidget()
    shown_with(shown, replace(ZERO, fix=long))
    needed = button.fontMetrics().horizontalAdvance(long.text)
    for width, is_whole in ((needed + 49, True), (needed + 48, False), (120, False)):
        entry.resize(width, 200)
        assert (button.text() == long.text) is is_whole
        assert button.fontMetrics().horizontalAdvance(button.text()) <= width - 49


def test_a_product_takes_the_place_of_heading_and_sentence(shown: WhyList, qtbot: QtBot) -> None:
    shown_with(shown, replace(ZERO, slope=SLOPE, fix=FIX))
    assert visible(shown) == {"slope", "fix", "later"}
    button = part(shown, "fix")
    assert (button.property("look"), button.accessibleName()) == ("primary", "Apply the fix")
    with qtbot.waitSignal(shown.fix_refused):
        qtbot.mouseClick(part(shown, "later"), Qt.MouseButton.LeftButton)
    shown_with(shown, replace(ZERO, slope=SLOPE))
    assert visible(shown) == {"slope"}
    left = {
        name: part(shown_with(shown, why), name).mapTo(shown, part(shown, name).rect().topLeft()).x()
        for name, why in (("fix", replace(ZERO, slope=SLOPE, fix=FIX)), ("heading", ZERO))
    }
    assert left["fix"] == 6
    shown_with(shown, replace(ZERO, fix=FIX))
    assert button.property("look") == ""


def test_the_list_has_a_ring_with_the_keyboard_and_tab_goes_through_its_entries(shown: WhyList, qtbot: QtBot) -> None:
    shown.show_all([("a", replace(ZERO, origin="main/x", fix=FIX)), ("b", replace(ZERO, fix=FIX))])
    shown.clearFocus()
    assert not any("focus" in line for line in drawn(shown, 300, 400))
    shown.activateWindow()
    shown.setFocus()
    qtbot.waitUntil(shown.hasFocus)
    assert drawn(shown, 300, 400)[0] == "rect 1 1 298 398 round 4 2px focus"
    stops, at = list[str](), shown.nextInFocusChain()
    while at is not shown and len(stops) < 60:
        stops.append(at.objectName())
        at = at.nextInFocusChain()
    wanted = [f"why_{name}_{place}" for place in (0, 1) for name in ("way", "origin", "fix", "later")]
    assert [name for name in stops if name in wanted] == wanted


def test_the_top_of_a_widget_in_another(shown: WhyList) -> None:
    inner = QWidget(shown)
    inner.move(5, 30)
    assert top_in(inner, shown) == 30
