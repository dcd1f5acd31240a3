"""Fixtures of all window tests: the language is English on every machine, and no widgets are left over."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QLocale

QLocale.setDefault(QLocale.c())


@pytest.fixture(autouse=True)
def _nothing_put_off_is_left() -> Iterator[None]:
    """The deletion of widgets after each test.

    Outside an event loop Qt never deletes objects after `deleteLater`, and styles them again with every theme.
    """
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
