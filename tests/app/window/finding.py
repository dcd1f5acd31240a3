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


def let_paint(window: QWidget) -> None:
    """Lets a window be painted again.

    Qt drops its request to paint while a window must not be painted, and takes what is not painted yet as requested.
    """
    window.setUpdatesEnabled(True)
    QApplication.postEvent(window, QEvent(QEvent.Type.UpdateRequest))


def child_of(window: QWidget, kind: type[Found], name: str) -> Found:
    """The object of that name, anywhere in a window; of widgets one that is shown, if any is."""
    found = [item for item in window.findChildren(kind, name) if isinstance(item, kind)]
    assert found, f"nothing is called {name}"
    return next((item for item in found if isinstance(item, QWidget) and item.isVisible()), found[0])
