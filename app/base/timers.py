"""Timers with what they do in one call."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, SignalInstance


def make_timer(
    parent: QObject | None,
    does: Callable[..., object] | SignalInstance,
    milliseconds: int = 0,
    *,
    repeats: bool = False,
) -> QTimer:
    """Returns a timer that does something once after each start, or again and again. Units: milliseconds."""
    made = QTimer(parent, singleShot=not repeats, interval=milliseconds)
    made.timeout.connect(does)
    return made
