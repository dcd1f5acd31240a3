"""The four modes of a window, of which one is on: Build, Step, Train and Compare."""

from __future__ import annotations

from enum import StrEnum

from gradwire.app.features.compare.compare_desk import CompareDesk
from gradwire.app.features.compare.variants import choices
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.shell.status.sentences import Wish, lack_of
from gradwire.app.shell.window.bottom import Bottom


class Mode(StrEnum):
    """What the window is for at present; each but Build has its lens at the bottom."""

    BUILD = "build"
    STEP = "step"
    TRAIN = "train"
    COMPARE = "compare"


_LENSES = {Mode.STEP: "steps", Mode.TRAIN: "training", Mode.COMPARE: "compare"}


class Modes:
    """Turns from one mode to another, and tells which one is on."""

    def __init__(self, bottom: Bottom, current: CurrentSession) -> None:
        self._bottom, self._current = bottom, current
        bottom.changed.connect(self._follow_bottom)

    @property
    def current(self) -> Mode:
        """The mode that is on."""
        return next((mode for mode, lens in _LENSES.items() if lens == self._bottom.mode), Mode.BUILD)

    def choose(self, mode: Mode) -> None:
        """Turns to a mode; the one that is on leads back to Build, as does one that lacks what it needs."""
        session = self._current.session
        is_lacking = bool(lack_of(mode, session).text)
        session.part(Wish).mode = mode if is_lacking else ""
        self._bottom.show_mode("" if is_lacking or mode is self.current else _LENSES.get(mode, ""))

    def follow_steps(self, is_on: bool) -> None:
        """Turns to Step as the steps begin, and back to Build as they end."""
        if is_on and self.current is not Mode.STEP:
            self._bottom.show_mode(_LENSES[Mode.STEP])
        elif not is_on and self.current is Mode.STEP:
            self._bottom.end_mode()

    def _follow_bottom(self) -> None:
        """Lets the steps and the comparison begin and end with their strips."""
        is_there, steps = self.current is Mode.STEP, self._current.session.part(StepMode)
        if is_there is not steps.is_on:
            steps.enter() if is_there else steps.leave()
        desk = self._current.session.part(CompareDesk)
        if self.current is not Mode.COMPARE:
            desk.end()
        elif desk.choice is None and (offered := choices(self._current.session)):
            desk.choose(offered[0])
