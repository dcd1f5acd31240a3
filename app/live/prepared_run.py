"""A run of a graph that is not shown yet, with the answers that are to be shown with its results."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gradwire.app.live.questions.questions import Question, Reply
from gradwire.app.live.readings.readings import Results
from gradwire.engine.graph.graph import Graph

# Says whether all is there that can be shown; else the run was given up for one that is more urgent.
Done = Callable[[bool], None]


class PreparedRun:
    """A run whose results wait for the answers to some questions about it, so that both are shown at once.

    `done` is called once.
    """

    def __init__(self, revision: int, graph: Graph, questions: Iterable[Question], done: Done) -> None:
        self.revision, self.graph = revision, graph
        self.questions = tuple(dict.fromkeys(questions))
        self.results: Results | None = None
        self.answers: dict[Question, Reply] = {}
        self._done: Done | None = done

    @property
    def is_complete(self) -> bool:
        """Whether the results and all answers are there."""
        return self.results is not None and all(question in self.answers for question in self.questions)

    def take(self, reply: Reply) -> None:
        """Takes an answer about this run."""
        self.answers[reply.question] = reply

    def replace(self, question: Question) -> None:
        """Waits for another question of the same topic in place of the one before."""
        self.questions = tuple(question if item.topic == question.topic else item for item in self.questions)

    def end(self, can_be_shown: bool) -> None:
        """Calls `done`, unless that has been called."""
        done, self._done = self._done, None
        if done is not None:
            done(can_be_shown)
