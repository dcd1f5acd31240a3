"""The commands of step mode."""

from __future__ import annotations

from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.kit.command import Command, CommandWindow


def _mode(window: CommandWindow) -> StepMode:
    return window.session.part(StepMode)


def _steps(window: CommandWindow) -> bool:
    return _mode(window).is_on


def _walks(window: CommandWindow, is_forward: bool) -> bool:
    return _steps(window) and _mode(window).is_forward is is_forward


STEPS: tuple[Command[CommandWindow], ...] = (
    Command("step_backward", "Step backward", "Run", lambda w: _mode(w).toggle(), ("B",), "step-back",
            on_canvas=True, is_on=lambda w: _walks(w, False), tip="Step through back-propagation one block at a time"),
    Command("step_forward", "Step forward", "Run", lambda w: _mode(w).toggle(True), ("Shift+B",), "step-fwd",
            on_canvas=True, is_on=lambda w: _walks(w, True), tip="Step through the values one block at a time"),
    Command("lens_predict", "Predict", "Run", lambda w: _mode(w).enter(), icon="eye-off",
            tip="Hides the gradients that steps have not reached: guess the sign of each, then see it"),
    Command("step_here", "Step to the selection", "Run", lambda w: _mode(w).step_here(), (), "step-back",
            is_possible=lambda w: w.session.selection.blocks or w.session.selection.wires,
            tip="Step through back-propagation up to the selected block or wire"),
    Command("step_next", "Next step", "Run", lambda w: _mode(w).next(), (".",), on_canvas=True,
            is_possible=_steps, tip="In step mode; Space and the right arrow too"),
    Command("step_back", "Previous step", "Run", lambda w: _mode(w).back(), (",",), on_canvas=True,
            is_possible=_steps, tip="In step mode; the left arrow too"),
    Command("step_play", "Play the steps", "Run", lambda w: _mode(w).turn(), is_possible=_steps,
            is_on=lambda w: _steps(w) and _mode(w).is_playing, tip="In step mode"),
    Command("step_leave", "Leave step mode", "Run", lambda w: _mode(w).leave(), is_possible=_steps,
            tip="Escape too"),
)  # fmt: skip
