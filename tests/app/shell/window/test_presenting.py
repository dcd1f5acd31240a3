"""Presenting: the page alone with larger texts, its notes and steps as captions, and all as it was afterwards."""

from __future__ import annotations

import dataclasses

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QScrollArea, QWidget

import gradwire as gw
from gradwire import HOME
from gradwire.app.base.examples import example_path
from gradwire.app.features.compare.compare_desk import CompareDesk
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.shell.window.caption import Said, said_of_note
from gradwire.app.shell.window.modes import Mode
from gradwire.engine.graph.graph import Note
from tests.app.window.driver import LEFT, Driver, Key
from tests.sweeps import long

SENTENCES = (
    "Why the maximum stays out of the gradient.",
    "Subtracting it changes nothing in the result and keeps exp from overflowing.",
    "StopGradient says that it is only a shift: the wire into it shows zero, and the gradient of x is the same as "
    "without it.",
)


@pytest.fixture
def talk(user: Driver) -> Driver:
    user.window.resize(1366, 768)
    user.open(example_path("softmax_stable"))
    user.settle()
    return user


def press(user: Driver, key: Key, shift: bool = False) -> None:
    QTest.keyClick(user.canvas, key, Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier)
    user.settle()


def at_rest(user: Driver) -> QImage:
    """Returns the picture of the canvas once it stays the same: what is old is painted anew in a moment."""
    seen = [QImage()]

    def is_still() -> bool:
        user.qtbot.wait(150)
        seen.append(user.canvas.grab().toImage())
        return seen[-1] == seen[-2]

    user.qtbot.waitUntil(is_still)
    return seen[-1]


def said(user: Driver) -> tuple[str, str, str]:
    seen, asked, count = (user.child(QLabel, f"caption_{name}").text() for name in ("seen", "asked", "count"))
    return seen, asked, count


@pytest.mark.long
def test_a_talk_ends_with_the_window_as_it_was_to_the_pixel(talk: Driver) -> None:
    canvas, appearance, caption = talk.canvas, talk.window.appearance, talk.child(QWidget, "caption")
    canvas.viewport.zoom_by(1)
    talk.qtbot.waitUntil(lambda: canvas.camera == canvas.viewport.destination)
    before, camera, size = at_rest(talk), canvas.camera, canvas.size()
    assert not caption.isVisible()
    talk.trigger("only_canvas")
    talk.settle()
    assert caption.isVisible() and caption.height() == 84 and appearance.text_scale == 1.5
    assert not canvas.page_look.now().has_notes and canvas.camera != camera
    bounds = canvas.camera.rect_to_view(canvas.mirror.block_bounds() | canvas.mirror.wire_bounds())
    assert canvas.rect().toRectF().contains(bounds) and canvas.camera.scale <= 1.5
    talk.escape()
    talk.qtbot.waitUntil(lambda: canvas.size() == size and canvas.camera == camera)
    talk.settle()
    assert appearance.text_scale == 1.0 and not caption.isVisible()
    assert at_rest(talk) == before


@pytest.mark.parametrize(("mode", "height"), [(Mode.STEP, 84), long((Mode.COMPARE, 104))])
def test_a_talk_from_a_strip_ends_with_the_strip_and_the_view_as_they_were(
    talk: Driver, mode: Mode, height: int
) -> None:
    bottom, canvas = talk.window.parts.panels.bottom, talk.canvas
    home = canvas.size(), canvas.camera
    talk.window.parts.modes.choose(mode)
    before = at_rest(talk)
    camera, size = canvas.camera, canvas.size()
    assert bottom.height() == height
    talk.trigger("only_canvas")
    talk.settle()
    assert not bottom.isVisible() and canvas.camera != camera
    talk.escape()
    talk.qtbot.waitUntil(lambda: (canvas.size(), canvas.camera) == (size, camera))
    assert bottom.height() == height and at_rest(talk) == before
    assert not talk.window.parts.actions_by_id["only_canvas"].isChecked()
    # A strip that goes while the page is presented leaves the view that was there before it.
    talk.trigger("only_canvas")
    talk.settle()
    talk.window.parts.modes.choose(mode)
    talk.escape()
    talk.qtbot.waitUntil(lambda: (canvas.size(), canvas.camera) == home)


def test_space_goes_through_the_sentences_of_the_notes_and_back(talk: Driver) -> None:
    talk.trigger("only_canvas")
    talk.settle()
    dots = talk.child(QLabel, "caption_dots")
    for number, sentence in enumerate(SENTENCES, start=1):
        assert said(talk) == ("Stable softmax", sentence, f"{number} / 3")
        shown = QTextDocumentFragment.fromHtml(dots.text()).toPlainText()
        assert dots.isVisible() and shown == ("● ○ ○", "● ● ○", "● ● ●")[number - 1]
        press(talk, Key.Key_Space)
    assert said(talk)[2] == "1 / 3"
    press(talk, Key.Key_Space, shift=True)
    assert said(talk)[2] == "3 / 3"
    talk.escape()


def test_the_screen_turns_black_by_b_and_back(talk: Driver) -> None:
    black = talk.child(QWidget, "black")
    talk.trigger("only_canvas")
    talk.settle()
    press(talk, Key.Key_B)
    assert black.isVisible() and black.rect() == talk.window.rect()
    press(talk, Key.Key_B)
    assert not black.isVisible()
    press(talk, Key.Key_B)
    talk.trigger("only_canvas")
    assert not black.isVisible()


def test_in_steps_the_caption_has_the_rule_and_a_question_that_a_digit_answers(talk: Driver) -> None:
    talk.window.parts.modes.choose(Mode.STEP)
    steps = talk.session.part(StepMode)
    talk.qtbot.waitUntil(lambda: steps.count > 0 and steps.ahead is not None)
    talk.trigger("only_canvas")
    talk.settle()
    assert said(talk)[2] == "1 / 8" and "Which sign does Divide send next?" in said(talk)[1]
    # The largest number that Divide sends is that to x: the weight 3 by a positive sum.
    press(talk, Key.Key_3)
    talk.qtbot.waitUntil(lambda: said(talk)[2] == "2 / 8")
    assert said(talk)[1].startswith("Right.") and said(talk)[0].startswith("Divide")
    press(talk, Key.Key_Space, shift=True)
    talk.qtbot.waitUntil(lambda: said(talk)[2] == "1 / 8")
    press(talk, Key.Key_Space)
    talk.qtbot.waitUntil(lambda: said(talk)[2] == "2 / 8")
    talk.escape()
    assert steps.is_on


@pytest.mark.parametrize(
    ("texts", "told"),
    [
        ((), [Said()]),
        (("", "  "), [Said()]),
        (("Only a title",), [Said("Only a title", "", 1, 1), Said("Only a title", "", 1, 1)]),
        (("T\nOne.  Two!\nThree? 4.5 is one", "U\nLast"), [
            Said("T", "One.", 1, 5), Said("T", "Two!", 2, 5), Said("T", "Three?", 3, 5), Said("T", "4.5 is one", 4, 5),
            Said("U", "Last", 5, 5),
        ]),
    ],
)  # fmt: skip
def test_each_sentence_of_a_note_is_a_caption(qapp: object, texts: tuple[str, ...], told: list[Said]) -> None:
    graph = gw.graph(gw.Loss(gw.Input(1.0)))
    notes = tuple(Note(f"n{place}", text) for place, text in enumerate(texts))
    pages = (dataclasses.replace(graph.pages[0], notes=notes),)
    session = Session(dataclasses.replace(graph, pages=pages), InlineEvaluator)
    assert [said_of_note(session, number) for number in range(len(told))] == told
    session.close()


def test_a_comparison_ends_with_the_page_as_it_was_to_the_pixel(user: Driver) -> None:
    user.window.resize(1366, 768)
    user.open(example_path("td_semi"))
    user.settle()
    canvas, desk = user.canvas, user.session.part(CompareDesk)
    before = at_rest(user)
    user.window.parts.modes.choose(Mode.COMPARE)
    user.qtbot.waitUntil(lambda: desk.reached is not None)
    desk.go_to(9)
    user.qtbot.waitUntil(lambda: user.session.results is not None and user.session.results.comparison == desk.against)
    user.settle()
    assert canvas.grab().toImage() != before
    user.window.parts.modes.choose(Mode.BUILD)
    assert at_rest(user) == before


def test_the_card_of_a_stopped_wire_leads_to_its_comparison_and_lets_it_pass(talk: Driver) -> None:
    wire = talk.wire("stop.x")
    talk.session.select(Selection(wires=frozenset([wire])))
    talk.settle()
    talk.qtbot.waitUntil(lambda: talk.child(QPushButton, "why_compare_0").isVisible())
    assert talk.child(QLabel, "why_verdict_0").isVisible()
    talk.qtbot.mouseClick(talk.child(QPushButton, "why_pass_0"), LEFT)
    assert talk.session.runs.ignores_stops
    talk.session.runs.set_ignores_stops(False)
    talk.settle()
    talk.qtbot.mouseClick(talk.child(QPushButton, "why_compare_0"), LEFT)
    choice = talk.session.part(CompareDesk).choice
    assert choice is not None and choice.id == "stop main/stop"
    talk.window.parts.modes.choose(Mode.BUILD)


@pytest.mark.parametrize("name", ["first_run", "softmax_naive"])
def test_a_card_with_room_shows_all_of_an_answer_without_a_scroll_bar(user: Driver, name: str) -> None:
    user.window.resize(1366, 768)
    user.open(HOME / "assets" / "first_run.graph" if name == "first_run" else example_path(name))
    user.settle()
    user.session.select(Selection(wires=frozenset([user.wire("Pow.x" if name == "first_run" else "e.x")])))
    user.qtbot.waitUntil(lambda: user.child(QPushButton, "why_fix_0").isVisible())
    user.settle()
    area = user.child(QScrollArea, "inspector_scroll")
    assert area.viewport().height() >= area.widget().height() and area.verticalScrollBar().maximum() == 0
    assert not area.verticalScrollBar().isVisible()
