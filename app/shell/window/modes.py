"""The four modes of a window, of which one is on: Build, Step, Train and Compare."""

from __future__ import annotations

from enum import StrEnum

from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.shell.window.docking import Docking


class Mode(StrEnum):
    """What the window is for at present; each but Build has its lens at the bottom."""

    BUILD = "build"
    STEP = "step"
    TRAIN = "train"
    COMPARE = "compare"


_LENSES = {Mode.STEP: "steps", Mode.TRAIN: "training", Mode.COMPARE: "compare"}


class Modes:
    """Turns from one mode to another, and tells which one is on."""

    def __init__(self, docking: Docking, current: CurrentSession) -> None:
        self._docking, self._current = docking, current

    @property
    def current(self) -> Mode:
        """The mode that is on."""
        if self._steps.is_on:
            return Mode.STEP
        shown = self._docking.shown_lens
        return next((mode for mode, lens in _LENSES.items() if lens == shown and mode is not Mode.STEP), Mode.BUILD)

    def choose(self, mode: Mode) -> None:
        """Turns to a mode; the one that is on leads back to Build."""
        was = self.current
        if was is Mode.STEP:
            self._steps.leave()
        if was is not Mode.BUILD:
            self._docking.close_bottom()
        if mode is was:
            return
        if mode is Mode.STEP:
            self._steps.toggle()
        elif mode is not Mode.BUILD:
            self._docking.open_lens(_LENSES[mode])

    @property
    def _steps(self) -> StepMode:
        return self._current.session.part(StepMode)
