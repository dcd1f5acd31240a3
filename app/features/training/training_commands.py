"""The commands that train."""

from __future__ import annotations

from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.kit.command import Command, CommandWindow


def _desk(window: CommandWindow) -> TrainingDesk:
    return window.session.part(TrainingDesk)


def _trains(window: CommandWindow) -> bool:
    return _desk(window).is_running


def _train(window: CommandWindow) -> None:
    """Trains or pauses; the first training of a document shows its numbers."""
    if not _desk(window).reached.is_begun:
        window.panels.open_lens("training")
    _desk(window).train()


def _rests(window: CommandWindow) -> bool:
    return not _desk(window).is_running


def _wire(window: CommandWindow) -> str | None:
    """Returns the target of the only selected wire."""
    wires = window.session.selection.wires
    return str(window.session.port_name(next(iter(wires)).target)) if len(wires) == 1 else None


def _is_tracked(window: CommandWindow) -> bool:
    return _wire(window) in _desk(window).tracked


def _track(window: CommandWindow) -> None:
    """Begins or ends the log of the gradient on the selected wire."""
    target = _wire(window)
    if target is not None:
        _desk(window).track(target, not _is_tracked(window))


def _has_epochs(window: CommandWindow) -> bool:
    return _rests(window) and bool(_desk(window).plan.batches)


TRAINING: tuple[Command[CommandWindow], ...] = (
    Command("train", "Train or pause", "Run", _train, ("F9",), "play", is_on=_trains,
            tip="Move the Variables along their gradients, round by round; once more pauses"),
    Command("train_step", "Train one round", "Run", lambda w: _desk(w).train(1), ("Shift+F9",), "step-fwd",
            is_possible=_rests),
    Command("train_ten", "Train 10 rounds", "Run", lambda w: _desk(w).train(10), is_possible=_rests),
    Command("train_epoch", "Train one epoch", "Run", lambda w: _desk(w).train(_desk(w).plan.batches),
            is_possible=_has_epochs, tip="One pass through the data, where a Data block has batches"),
    Command("track", "Track in training", "Run", _track, is_possible=lambda w: _wire(w) is not None,
            is_on=_is_tracked, tip="Log the size of the gradient on this wire while the graph trains"),
    Command("train_reset", "Back to the start", "Run", lambda w: _desk(w).reset(), (), "refresh",
            is_possible=lambda w: _desk(w).can_reset, tip="Return to the values before the first round"),
)  # fmt: skip
