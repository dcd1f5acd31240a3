from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.lenses.run_lens import RunLens
from app.live.evaluator import InlineEvaluator
from app.live.questions import Question, TensorName
from app.live.session import Session
from app.look.appearance import Appearance
from engine.expand import PortName
from tests.app.window.graphs import chain


class Slow(RunLens):
    """A lens whose answers are still on their way."""

    question = TensorName(PortName("main/x", "y"))

    def __init__(self, session: Session) -> None:
        self.asked: list[Question] = []
        super().__init__(session, Appearance("dark"))

    def ask(self, question: Question) -> None:
        self.asked.append(question)


def test_a_run_is_asked_once_and_again_for_a_lens_that_was_away_when_the_answer_came(qtbot: QtBot) -> None:
    session = Session(chain(), InlineEvaluator)
    qtbot.waitUntil(lambda: session.results is not None)
    lens = Slow(session)
    qtbot.addWidget(lens)
    lens.show()
    qtbot.waitUntil(lambda: lens.asked == [Slow.question])
    lens.refresh()
    assert len(lens.asked) == 1
    lens.hide()
    lens.show()
    qtbot.waitUntil(lambda: len(lens.asked) == 2)
