"""The commands that train."""

from __future__ import annotations

from gradwire.app.commands.command import Command, is_open
from gradwire.app.commands.window_parts import WindowParts


def _trains(window: WindowParts) -> bool:
    return window.has_document and window.session.training.is_running


def _train(window: WindowParts) -> None:
    """Trains or pauses; the first training of a document shows its numbers."""
    if not window.session.training.can_reset:
        window.docking.open_lens("training")
    window.session.train()


def _rests(window: WindowParts) -> bool:
    return window.has_document and not window.session.training.is_running


TRAINING = (
    Command("train", "Train", "Run", _train, ("F9",), "play", 4, is_possible=is_open,
            is_on=_trains, tip="Move the Variables along their gradients, round by round; once more pauses"),
    Command("train_step", "Train one round", "Run", lambda w: w.session.train(1), ("Shift+F9",), "step-fwd", 4,
            is_possible=_rests),
    Command("train_ten", "Train 10 rounds", "Run", lambda w: w.session.train(10), (), "", 4, is_possible=_rests),
    Command("train_reset", "Reset the training", "Run", lambda w: w.session.training.reset(), (), "refresh", 4,
            is_possible=lambda w: w.has_document and w.session.training.can_reset,
            tip="Return to the values before the first round"),
)  # fmt: skip
