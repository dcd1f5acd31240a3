"""Several signals that call the same, in one call."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import SignalInstance


def call_on(does: Callable[..., object] | SignalInstance, *signals: SignalInstance) -> None:
    """Lets each of some signals do the same thing."""
    for signal in signals:
        signal.connect(does)
