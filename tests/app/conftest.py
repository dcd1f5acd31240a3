"""The window is tested in English, whatever the language of the machine, and each test begins with no widgets left."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale

QLocale.setDefault(QLocale.c())


@pytest.fixture(autouse=True)
def _nothing_put_off_is_left() -> Iterator[None]:
    """Outside an event loop Qt never deletes what is to be deleted later, and dresses it anew with every theme."""
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
