"""A record of the texts that painters draw."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QPainter


def painted_texts(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Returns a list that grows with every text painted from now on."""
    painted: list[str] = []
    draw = QPainter.drawText

    def note(painter: QPainter, *args: object) -> object:
        painted.extend(item for item in args if isinstance(item, str))
        return draw(painter, *args)  # type: ignore[call-overload]

    monkeypatch.setattr(QPainter, "drawText", note)
    return painted
