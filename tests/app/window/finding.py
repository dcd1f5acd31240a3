"""Finding objects of a window by name, and waiting for its events."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

Found = TypeVar("Found", bound=QObject)


def settle() -> None:
    """Lets everything that waits for the event loop happen."""
    for _ in range(3):
        QApplication.processEvents()
        # Outside an event loop Qt puts these off for ever.
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def child_of(window: QWidget, kind: type[Found], name: str) -> Found:
    """The object of that name, anywhere in a window; of widgets one that is shown, if any is."""
    found = [item for item in window.findChildren(kind, name) if isinstance(item, kind)]
    assert found, f"nothing is called {name}"
    return next((item for item in found if isinstance(item, QWidget) and item.isVisible()), found[0])
