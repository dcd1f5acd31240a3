"""What the examples of the welcome page are about: names and colours of the topics, and the buttons to choose one."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.examples import TOPICS, example_names, example_topic
from app.look.theme import font
from app.words import tr

_TEXTS = {
    "softmax": "Softmax",
    "regression": "Regression",
    "networks": "Networks",
    "mixtures": "Mixtures and RBM",
    "adversarial": "Adversarial",
    "straight_through": "Straight-through",
    "reinforcement": "Reinforcement",
    "depth": "Vanishing and exploding",
    "second_order": "Second order",
    "identities": "Identities",
    "zeros": "Zeros and NaN",
    "other": "More",
}
_COLORS = {
    "softmax": "value",
    "regression": "ok",
    "networks": "cat.activation",
    "mixtures": "cat.linalg",
    "adversarial": "cat.variable",
    "straight_through": "stop",
    "reinforcement": "cat.monitor",
    "depth": "grad.text",
    "second_order": "cat.math",
    "identities": "cat.shape",
    "zeros": "alarm",
    "other": "text.tertiary",
}
_HEIGHT, _ROW_GAP, _SIDE = 28, 6, 11


def topic_text(topic: str) -> str:
    """The name of a topic as it is shown."""
    return tr(_TEXTS[topic])


def topic_color(topic: str) -> str:
    """The colour token of a topic."""
    return _COLORS[topic]


class TopicSegment(QWidget):
    """One button a topic that there are examples for; `chosen(str)` carries the topic, "" for all.

    The buttons stand in as many rows as they need.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("topic_segment")
        self.setAccessibleName(tr("Topic of the examples"))
        known = {example_topic(name) for name in example_names()}
        self._buttons = [self._made_button(topic) for topic in ("", *(topic for topic in TOPICS if topic in known))]
        self._buttons[0].setChecked(True)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Puts the buttons in rows again."""
        super().resizeEvent(event)
        self._place()

    def _made_button(self, topic: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"topic_{topic or 'all'}")
        button.setText(topic_text(topic) if topic else tr("All"))
        button.setProperty("look", "middle")
        button.setCheckable(True)
        button.setAutoExclusive(True)
        button.clicked.connect(lambda _=False, chosen=topic: self.chosen.emit(chosen))
        return button

    def _place(self) -> None:
        rows = self._rows()
        for number, row in enumerate(rows):
            left = 0
            for button in row:
                _wear(button, "first" if button is row[0] else "last" if button is row[-1] else "middle")
                button.setGeometry(left, number * (_HEIGHT + _ROW_GAP), _width(button), _HEIGHT)
                left += _width(button)
        self.setFixedHeight(len(rows) * (_HEIGHT + _ROW_GAP) - _ROW_GAP)

    def _rows(self) -> list[list[QToolButton]]:
        rows: list[list[QToolButton]] = [[]]
        room = self.width()
        for button in self._buttons:
            if rows[-1] and _width(button) > room:
                rows.append([])
                room = self.width()
            rows[-1].append(button)
            room -= _width(button)
        return rows


def _width(button: QToolButton) -> int:
    """Wide enough also while it is chosen and its text bold."""
    return QFontMetrics(font("ui", 12, 600)).horizontalAdvance(button.text()) + 2 * _SIDE


def _wear(button: QToolButton, look: str) -> None:
    """The look of its place in a row; the style sheet reads it only when it is told to."""
    if button.property("look") != look:
        button.setProperty("look", look)
        button.style().unpolish(button)
        button.style().polish(button)
