"""The list of explanations: what each entry shows, hides and emits."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QLabel, QListWidget, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gradwire.app.kit.why.fixes import Fix
from gradwire.app.kit.why.why import Why
from gradwire.app.kit.why.why_list import WhyList, top_in
from gradwire.app.kit.why.why_product import Factor, ProductText
from gradwire.app.live.current_session import ViewRequests
from gradwire.app.live.explanation.zero_sentences import Step
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.theme import font
from gradwire.engine.advice.gradient_edits import widen
from gradwire.engine.advice.trials import Amount, GradientPair, State, Trial
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from tests.app.drawn_shapes import drawn

FLOW = Why(Status.FLOW, "flow", "size 1", "It flows.")
ZERO = Why(Status.ZERO, "zero", "0", "Because.")
FIX = Fix("Use <float64> & more", widen)
PRODUCT = ProductText("wire", (Factor("0", "a", "value"), Factor("1", "b", "value"), Factor("0", "c", "value")))
STATE = State(None, 0)
TRIAL = Trial(STATE, STATE, (), False)


@pytest.fixture
def shown(qtbot: QtBot) -> WhyList:
    holder = QWidget()
    qtbot.addWidget(holder)
    made = WhyList(ViewRequests(), Appearance("dark"), holder)
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
    names = (
        "heading", "result", "sentence", "way", "origin", "product", "title", "detail", "trial", "verdict", "fix",
        "later", "pass", "compare",
    )  # fmt: skip
    return {name for name in names if part(shown, name, place).isVisibleTo(shown)}


def test_entries_have_heading_result_in_its_colour_and_sentence(shown: WhyList) -> None:
    shown.show_all([("a", FLOW), ("b", ZERO)])
    css = Appearance("dark").theme.css
    for place, (heading, why, token) in enumerate((("a", FLOW, "grad.text"), ("b", ZERO, "text.secondary"))):
        assert [text(shown, name, place) for name in ("heading", "result", "sentence")] == [
            heading, why.result, why.sentence,
        ]  # fmt: skip
        assert visible(shown, place) == {"heading", "result", "sentence"}
        assert part(shown, "result", place).styleSheet() == f"color: {css(token)};"
    assert shown.accessibleDescription() == "a: size 1. It flows.\nb: 0. Because."
    shown.show_all([("c", replace(ZERO, sentence=""))])
    assert not part(shown, "heading", 1).isVisibleTo(shown)
    assert visible(shown) == {"heading", "result"}
    assert part(shown, "result").styleSheet() == f"color: {css('text.secondary')};"
    shown.show_all([("c", FLOW), ("d", FLOW)])
    assert part(shown, "heading", 1).isVisibleTo(shown)


def test_the_steps_to_a_cause_are_numbered_and_a_click_goes_to_one(shown: WhyList, qtbot: QtBot) -> None:
    steps = tuple(Step(f"main/use/s{place}", f"step {place}") for place in range(9))
    way = part(shown_with(shown, replace(ZERO, steps=steps[:2])), "way")
    assert isinstance(way, QListWidget)
    assert [way.item(row).text() for row in range(way.count())] == ["1  step 0", "2  step 1"]
    assert way.item(0).toolTip() == "Go to main / use / s0" and way.currentRow() == 0 and not way.selectedItems()
    row, frame = max(way.sizeHintForRow(0), 24), 2 * way.frameWidth()
    assert way.height() == 2 * row + frame
    with qtbot.waitSignal(shown.requests.place_chosen) as chosen:
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
    with qtbot.waitSignal(shown.requests.place_chosen) as chosen:
        qtbot.mouseClick(origin, Qt.MouseButton.LeftButton)
    assert chosen.args == ["main/use/e"]


def test_a_fix_has_a_title_a_sentence_and_two_buttons(shown: WhyList, qtbot: QtBot) -> None:
    button = part(shown_with(shown, replace(ZERO, fix=FIX)), "fix")
    assert visible(shown) == {"heading", "result", "sentence", "title", "fix", "later"}
    assert (text(shown, "title"), text(shown, "fix")) == (f"Fix: {FIX.text}", "Apply the fix")
    assert (button.accessibleName(), button.property("look")) == (FIX.text, "primary")
    with qtbot.waitSignal(shown.requests.fix_chosen) as chosen:
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert chosen.args == [FIX]
    with qtbot.waitSignal(shown.requests.fix_refused):
        qtbot.mouseClick(part(shown, "later"), Qt.MouseButton.LeftButton)
    told = replace(FIX, title="Keep 0 away", detail="It is selected first.")
    shown_with(shown, replace(ZERO, fix=told, trial=replace(TRIAL, helps=True)))
    assert (text(shown, "title"), text(shown, "detail")) == (told.title, told.detail)
    assert visible(shown) == {"heading", "result", "sentence", "title", "detail", "trial", "fix", "later"}


def test_an_answer_has_no_heading_and_stands_above_its_product(shown: WhyList) -> None:
    shown.show_all([("a", replace(ZERO, product=PRODUCT)), ("b", ZERO)], is_answer=True)
    assert visible(shown) == {"sentence", "product"}
    assert visible(shown, 1) == {"heading", "result", "sentence"}
    fonts = [part(shown, "sentence", place).font() for place in (0, 1)]
    assert fonts == [font("ui", 14), font("ui", 12)]
    tops = [top_in(part(shown, name), shown) for name in ("sentence", "product")]
    assert tops[0] < tops[1]


def test_what_an_answer_is_about_is_bold_and_no_name_is_markup(shown: WhyList) -> None:
    told = replace(ZERO, sentence="<i>a</i> & b is 0.", subject="<i>a</i> & b")
    for is_answer, said in ((True, '<span style="font-weight: 600">&lt;i&gt;a&lt;/i&gt; &amp; b</span> is 0.'),
                            (False, told.sentence)):  # fmt: skip
        shown.show_all([("a", told)], is_answer)
        label = part(shown, "sentence")
        assert isinstance(label, QLabel) and label.text() == said
        read = QAccessible.queryAccessibleInterface(label)
        assert read is not None and read.text(QAccessible.Text.Name) == told.sentence
    shown.show_all([("a", ZERO)], is_answer=True)
    assert text(shown, "sentence") == "Because."


@pytest.mark.parametrize(
    ("count", "is_answer", "is_shown"), [(0, True, False), (1, True, False), (2, True, True), (1, False, True)]
)
def test_one_step_to_a_cause_is_told_by_the_answer(shown: WhyList, count: int, is_answer: bool, is_shown: bool) -> None:
    steps = tuple(Step(f"main/s{place}", "step") for place in range(count))
    shown.show_all([("a", replace(ZERO, steps=steps))], is_answer)
    assert ("way" in visible(shown)) is is_shown


CHANGED = GradientPair(PortName("main/x", "y"), Amount(1, 0.0, 0, (0.0,)), Amount(1, 1.0, 0, (1.0,)))


@pytest.mark.parametrize(
    ("fix", "trial", "expected", "button"),
    [
        (None, None, set(), None),
        (None, TRIAL, {"title", "trial", "verdict", "pass", "compare"}, None),
        (None, replace(TRIAL, gradients=(CHANGED,)), {"title", "trial", "pass", "compare"}, None),
        (FIX, replace(TRIAL, gradients=(CHANGED,), helps=True), {"title", "trial", "fix", "compare"}, "Mute it"),
    ],
)
def test_a_stop_shows_what_is_without_it(
    shown: WhyList, qtbot: QtBot, fix: Fix | None, trial: Trial | None, expected: set[str], button: str | None
) -> None:
    shown.show_all([("x", replace(ZERO, is_stopped=True, fix=fix, trial=trial))], is_answer=True)
    assert visible(shown) == {"sentence", *expected}
    if trial is None:
        return
    assert text(shown, "title") == "Without this StopGradient"
    assert button is None or text(shown, "fix") == button
    for name, command in (("compare", "mode_compare"), *[("pass", "ignore_stops")] * ("pass" in expected)):
        with qtbot.waitSignal(shown.requests.command_chosen) as chosen:
            qtbot.mouseClick(part(shown, name), Qt.MouseButton.LeftButton)
        assert chosen.args == [command]


def test_the_sentence_has_a_ring_with_the_keyboard_and_tab_goes_through_its_entries(
    shown: WhyList, qtbot: QtBot
) -> None:
    shown.show_all([("a", replace(ZERO, origin="main/x", fix=FIX)), ("b", replace(ZERO, fix=FIX))])
    shown.clearFocus()
    assert not any("focus" in line for line in drawn(shown, 300, 400))
    shown.activateWindow()
    shown.setFocus()
    qtbot.waitUntil(shown.hasFocus)
    ring, sentence = drawn(shown, 300, 400)[0], part(shown, "sentence")
    at, size = sentence.mapTo(shown, QPoint()), sentence.size()
    around = f"{at.x() - 5} {at.y() - 2} {size.width() + 10} {size.height() + 4}"
    assert ring == f"rect {around} round 4 2px focus"
    stops, at = list[str](), shown.nextInFocusChain()
    while at is not shown and len(stops) < 60:
        stops.append(at.objectName())
        at = at.nextInFocusChain()
    wanted = [
        f"why_{name}_{place}" for place in (0, 1) for name in ("way", "origin", "fix", "later", "pass", "compare")
    ]
    assert [name for name in stops if name in wanted] == wanted


def test_the_top_of_a_widget_in_another(shown: WhyList) -> None:
    inner = QWidget(shown)
    inner.move(5, 30)
    assert top_in(inner, shown) == 30
