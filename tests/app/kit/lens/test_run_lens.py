from __future__ import annotations

from pytestqt.qtbot import QtBot

from gradwire.app.kit.lens.run_lens import RunLens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.questions import Question, TensorName
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import PortName
from tests.app.window.graphs import chain


class Slow(RunLens):
    """A lens whose answers have not arrived yet."""

    question = TensorName(PortName("main/x", "y"))

    def __init__(self, current: CurrentSession) -> None:
        self.asked: list[Question] = []
        super().__init__(current, Appearance("dark"))

    def ask(self, question: Question) -> None:
        self.asked.append(question)


def test_a_run_is_asked_once_and_again_for_a_lens_that_was_away_when_the_answer_came(qtbot: QtBot) -> None:
    session = Session(chain(), InlineEvaluator)
    qtbot.waitUntil(lambda: session.results is not None)
    lens = Slow(CurrentSession(session))
    qtbot.addWidget(lens)
    lens.show()
    qtbot.waitUntil(lambda: lens.asked == [Slow.question])
    lens.refresh()
    assert len(lens.asked) == 1
    lens.hide()
    lens.show()
    qtbot.waitUntil(lambda: len(lens.asked) == 2)
