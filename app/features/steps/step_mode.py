"""Step mode: going through the newest run of a document one block at a time, back from the loss or forward."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from gradwire.app.base.timers import make_timer
from gradwire.app.features.steps.step_questions import Detail, Outline, StepQuestion, StepsQuestion
from gradwire.app.features.steps.step_reach import StepReach, backward_reach, forward_reach
from gradwire.app.live.gradient_mask import GradientMask
from gradwire.app.live.questions.questions import Reply
from gradwire.app.live.readings.hidden import Hidden
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.expand import Link
from gradwire.engine.explain.back_steps import BackStep
from gradwire.engine.explain.quiz import QuizQuestion, is_sign_of
from gradwire.engine.graph.graph import Port

# How long a step stays while the steps are played.
STEP_MS = 1600


class StepMode(QObject):
    """The step mode of a document. While it is on, edits wait until the user has said whether to leave it.

    `changed()` comes after everything that shows, `advanced()` when the next step has been taken, and `interrupted()`
    when the first edit waits. Steps count from 1; what step `at` does has been done. `ahead` asks about the next one,
    `judged` says whether the last guess was right, with the true number, `score` how many were, and of how many.
    """

    changed = Signal()
    advanced = Signal()
    interrupted = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._runs = session, session.runs
        self.is_on = self.is_forward = False
        self.at = 1
        self.outline = Outline()
        self.has_outline = False
        self.detail: Detail | None = None
        self.judged: tuple[bool, float] | None = None
        self.score = 0, 0
        self.held: Callable[[], object] | None = None
        self._reach = StepReach()
        self._goal: str | Link | None = None
        self._clock = make_timer(self, self._tick, repeats=True)
        self.changed.connect(session.pause_changed)
        self._runs.arrived.connect(self._ask_again)
        session.replied.connect(self._take)

    # What is there

    @property
    def count(self) -> int:
        """The number of steps."""
        return len(self.outline.forward if self.is_forward else self.outline.backward)

    @property
    def path(self) -> str:
        """The path of the block of the current step; "" where there is none."""
        return self.path_of(self.at)

    @property
    def ahead(self) -> QuizQuestion | None:
        """What can be guessed about the next step."""
        return None if self.detail is None else self.detail.ahead

    def path_of(self, number: int) -> str:
        """Returns the path of the block of a step."""
        if not 0 < number <= self.count:
            return ""
        return self.outline.forward[number - 1] if self.is_forward else self.outline.backward[number - 1].path

    @property
    def step(self) -> BackStep | None:
        """The current step back."""
        return None if self.is_forward or not 0 < self.at <= self.count else self.outline.backward[self.at - 1]

    def step_of_link(self, link: Link) -> int | None:
        """Returns the number of the step that reaches a wire, None if none does."""
        return self._reach.links.get(link)

    def is_seen(self, link: Link) -> bool:
        """Returns whether a wire's gradient is seen: a wire that no step reaches has no path to the loss."""
        return self._reach.links.get(link, 0) <= self.at

    @property
    def gradient_mask(self) -> GradientMask | None:
        """The mask over all gradients that no step has reached; None if nothing is hidden."""
        if not self.is_on:
            return None
        if self.is_forward:
            return GradientMask(why=Hidden.FORWARD)
        # Nothing is hidden before there are steps: all would be unknown for a moment.
        return None if self.at >= self.count else self._mask_back()

    def _mask_back(self) -> GradientMask:
        results = self._runs.true_results
        links = () if results is None else results.wires.row_of
        whole = frozenset(port for port, number in self._reach.ports.items() if number <= self.at)
        return GradientMask(frozenset(filter(self.is_seen, links)), whole, Hidden.AHEAD)

    @property
    def reached(self) -> int:
        """The number of wires that something has gone along."""
        return sum(number <= self.at for number in self._reach.links.values())

    @property
    def is_playing(self) -> bool:
        """Whether the steps follow each other by themselves."""
        return self._clock.isActive()

    # Going

    def enter(self, is_forward: bool = False) -> None:
        """Begins at the first step."""
        self.is_on, self.is_forward, self.at, self.detail = True, is_forward, 1, None
        self.judged, self.score, self._goal = None, (0, 0), None
        self._session.pause, self.held = self, None
        self._clock.stop()
        if self._runs.are_stale and not self._runs.scheduler.is_busy:
            self._runs.evaluate()
        self._read()
        self._ask()
        self.changed.emit()

    def toggle(self, is_forward: bool = False) -> None:
        """Enters step mode in a direction, or leaves it if that is in progress."""
        if self.is_on and self.is_forward is is_forward:
            self.leave()
        else:
            self.enter(is_forward)

    def step_here(self) -> None:
        """Steps back to the selected block or wire."""
        session, chosen = self._session, self._session.selection
        goal: str | Link | None = next((session.port_name(Port(name, "")).path for name in sorted(chosen.blocks)), None)
        goal = goal or next((session.link(wire) for wire in chosen.wires), None)
        if goal is not None:
            if not self.is_on or self.is_forward:
                self.enter()
            # Once the steps are known, if any reaches it.
            self._goal = goal
            self._reach_goal()

    def leave(self) -> None:
        """Ends step mode; an edit that waits is forgotten."""
        if self.is_on:
            self._clock.stop()
            self.is_on, self.has_outline, self.outline, self.detail = False, False, Outline(), None
            self._reach = StepReach()
            self._session.pause = self.held = None
            self.changed.emit()

    def go(self, number: int) -> None:
        """Goes to a step, or to the nearest there is."""
        number = min(max(number, 1), max(self.count, 1))
        if not self.is_on or number == self.at:
            return
        is_next = number == self.at + 1
        self.at, self.detail, self.judged = number, None, None
        self._ask_detail()
        self.changed.emit()
        if is_next:
            self.advanced.emit()

    def _reach_goal(self) -> None:
        if self._goal is None or not self.has_outline:
            return
        goal, self._goal = self._goal, None
        number = self.step_of_link(goal) if isinstance(goal, Link) else self._step_of_block(goal)
        if number is not None:
            self.go(number)

    def _step_of_block(self, path: str) -> int | None:
        """Returns the step of a block; one without its own, as a constant, is reached by another's."""
        own = (number for number in range(1, self.count + 1) if self.path_of(number) == path)
        return next(own, self._reach.paths.get(path))

    def next(self) -> None:
        """Takes the next step."""
        self.go(self.at + 1)

    def back(self) -> None:
        """Takes the last step back."""
        self.go(self.at - 1)

    def turn(self) -> None:
        """Plays the steps, from the first one if the last is shown; pauses them where they are played."""
        if self.is_playing or not self.is_on:
            self._clock.stop()
        else:
            if self.at == self.count:
                self.go(1)
            self._clock.start(STEP_MS)
        self.changed.emit()

    def guess(self, sign: int) -> None:
        """Takes the next step, and judges the guess which sign its number has: -1, 0 or 1."""
        asked = self.ahead
        if asked is not None:
            self.next()
            is_right = is_sign_of(sign, asked.number)
            self.judged, self.score = (is_right, asked.number), (self.score[0] + is_right, self.score[1] + 1)
            self.changed.emit()

    # Edits

    def hold(self, edit: Callable[[], object]) -> None:
        """Lets an edit wait; of several the last one does."""
        is_first, self.held = self.held is None, edit
        self._clock.stop()
        if is_first:
            self.interrupted.emit()

    def forget(self) -> None:
        """Lets no edit wait any more."""
        self.held = None

    # Parts

    def _tick(self) -> None:
        if self.at >= self.count:
            self._clock.stop()
            self.changed.emit()
        else:
            self.next()

    def _ask_again(self, _: object) -> None:
        if self.is_on:
            self._ask()

    def _ask(self) -> None:
        self._runs.ask(StepsQuestion())
        self._ask_detail()

    def _ask_detail(self) -> None:
        self._runs.ask(StepQuestion(self.is_forward, self.at))

    def _take(self, reply: Reply) -> None:
        if not self.is_on:
            return
        if isinstance(reply.question, StepsQuestion):
            self.outline, self.has_outline = reply.answer or Outline(), True
            self._read()
            if self.at > max(self.count, 1):
                self.at = max(self.count, 1)
                self._ask_detail()
            self._reach_goal()
            self.changed.emit()
        elif reply.question == StepQuestion(self.is_forward, self.at):
            self.detail = reply.answer
            self.changed.emit()

    def _read(self) -> None:
        """Notes which step reaches which wires, blocks and ports."""
        if self.is_forward:
            results = self._runs.results
            self._reach = forward_reach(self.outline, () if results is None else results.wires.row_of)
        else:
            self._reach = backward_reach(self.outline)
