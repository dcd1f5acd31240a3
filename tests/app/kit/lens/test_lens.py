"""The base of lenses: a lens in sight follows its document, a hidden one does nothing."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from gradwire.app.kit.lens.lens import Lens
from gradwire.app.kit.lens.place_text import place_text
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Reply, TensorName
from gradwire.app.live.selection import Selection
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.edits.edits import remove_blocks
from tests.app.window.graphs import chain

E = PortName("main/e", "y")
LINK = Link(E, PortName("main/s", "x"))


class Counting(Lens):
    """A lens that counts its refreshes and notes its answers."""

    def __init__(self, current: CurrentSession) -> None:
        self.count, self.taken = 0, list[Reply]()
        super().__init__(current, Appearance("dark"))

    def refresh(self) -> None:
        self.count += 1

    def take(self, reply: Reply) -> None:
        self.taken.append(reply)


@pytest.fixture
def lens(qtbot: QtBot) -> Counting:
    session = Session(chain(), InlineEvaluator)
    qtbot.waitUntil(lambda: session.results is not None)
    made = Counting(CurrentSession(session))
    qtbot.addWidget(made)
    return made


def test_a_lens_in_sight_refreshes_once_for_changes_that_come_together(lens: Counting, qtbot: QtBot) -> None:
    for change in (lens.refresh_soon, lens._refresh_in_drag, lens._refresh_if_seen):
        change()
    qtbot.wait(5)
    assert lens.count == 0
    lens.show()
    qtbot.waitUntil(lambda: lens.count == 1)
    for _ in range(2):
        lens.session.select(Selection(frozenset(["e"])))
        lens.session.select(Selection(frozenset(["t"])))
    qtbot.waitUntil(lambda: lens.count == 2)
    lens.session.apply("Remove", remove_blocks, "main", "e")
    qtbot.waitUntil(lambda: lens.count >= 3)
    lens.hide()
    before = lens.count
    lens.session.select(Selection(frozenset(["c"])))
    qtbot.wait(5)
    assert lens.count == before


def test_a_lens_in_sight_follows_a_drag(lens: Counting, qtbot: QtBot) -> None:
    lens._refresh_in_drag()
    lens.show()
    qtbot.waitUntil(lambda: lens.count == 1)
    lens._refresh_in_drag()
    qtbot.waitUntil(lambda: lens.count == 2)
    lens.hide()
    lens._refresh_in_drag()
    qtbot.wait(20)
    assert lens.count == 2


def test_a_lens_takes_the_answer_to_its_last_question_while_it_is_in_sight(lens: Counting) -> None:
    first, last = Reply(TensorName(E), 1, None), Reply(TensorName(E, True), 1, None)
    lens.show()
    lens._asked = last.question
    for reply in (first, last):
        lens._take_reply(reply)
    assert lens.taken == [last]
    lens.begin_document()
    lens._take_reply(last)
    lens._asked = last.question
    lens.hide()
    lens._take_reply(last)
    assert lens.taken == [last]


def test_a_lens_leads_to_a_wire_or_to_the_block_of_a_port(lens: Counting, qtbot: QtBot) -> None:
    with qtbot.waitSignal(lens.current.requests.wire_chosen) as wire:
        lens.go_to(LINK)
    with qtbot.waitSignal(lens.current.requests.place_chosen) as block:
        lens.go_to(E)
    assert (wire.args, block.args) == ([LINK], ["main/e"])


def test_places_are_named_as_on_the_canvas() -> None:
    assert (place_text(E), place_text(LINK)) == ("e.y", "e → s.x")
