"""Times and sizes as texts, in the format of the locale."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtCore import QDateTime, QLocale


def moment_text(at: datetime) -> str:
    """Returns day and time to the second, as versions may be a few seconds apart."""
    moment = QDateTime.fromMSecsSinceEpoch(round(at.timestamp() * 1000))
    day = QLocale().toString(moment.date(), QLocale.FormatType.ShortFormat)
    return f"{day} {moment.time().toString('HH:mm:ss')}"


def size_text(size: int) -> str:
    """Returns a size in bytes as text, in a suitable unit."""
    return QLocale().formattedDataSize(size, 1, QLocale.DataSizeFormat.DataSizeIecFormat)
