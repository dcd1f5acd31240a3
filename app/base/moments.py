"""Moments and sizes as texts, in the way of the locale."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale


def moment_text(at: datetime) -> str:
    """Day and time, to the second: versions may be a few apart."""
    moment = QDateTime.fromMSecsSinceEpoch(round(at.timestamp() * 1000))
    day = QLocale().toString(moment.date(), QLocale.FormatType.ShortFormat)
    return f"{day} {moment.time().toString('HH:mm:ss')}"


def size_text(size: int) -> str:
    """A size in bytes, in the unit that suits it."""
    return QLocale().formattedDataSize(size, 1, QLocale.DataSizeFormat.DataSizeIecFormat)
