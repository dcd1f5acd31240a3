"""The topics on the welcome page, in as many rows as they need."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QFont, QFontMetrics
from pytestqt.qtbot import QtBot

from gradwire.app.features.welcome.example_topics import TopicSegment


def test_topics_break_into_rows_before_they_are_too_wide(qtbot: QtBot) -> None:
    segment = TopicSegment()
    qtbot.addWidget(segment)
    layout = segment.layout()
    buttons = [layout.itemAt(at).widget() for at in range(layout.count())]
    layout.setGeometry(QRect(0, 0, 100_000, 28))
    widths = [button.width() for button in buttons]
    for button in buttons:
        bold = button.font()
        bold.setWeight(QFont.Weight.DemiBold)
        # 11 px are at each side of a text that is chosen.
        assert button.width() == QFontMetrics(bold).horizontalAdvance(button.text()) + 22
    assert layout.sizeHint().width() == sum(widths) and layout.sizeHint().height() == 28
    assert layout.minimumSize().width() == max(widths)
    assert layout.heightForWidth(sum(widths)) == 28
    assert layout.heightForWidth(sum(widths) - 1) == 28 + 6 + 28
    assert layout.heightForWidth(1) == len(buttons) * 34 - 6
    room = sum(widths[:3])
    layout.setGeometry(QRect(5, 7, room, 500))
    assert [button.x() for button in buttons[:4]] == [5, 5 + widths[0], 5 + widths[0] + widths[1], 5]
    assert [button.y() for button in buttons[:4]] == [7, 7, 7, 7 + 34]
    assert [button.property("look") for button in buttons[:4]] == ["first", "middle", "last", "first"]
    assert layout.itemAt(-1) is None and layout.itemAt(len(buttons)) is None
    taken = layout.takeAt(0)
    assert taken is not None and layout.count() == len(buttons) - 1
    assert layout.takeAt(99) is None
