"""The topics of the examples on the welcome page: names, colours, and buttons to choose one."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QLayout, QLayoutItem, QToolButton, QWidget

from gradwire.app.base.examples import TOPICS, example_names, example_topic
from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.radio_button import RadioButton, RadioGroup
from gradwire.app.look.widgets import named

# The name and the colour of each topic.
TOPIC_LOOKS = {
    "training": ("Trainings", "accent"),
    "softmax": ("Softmax", "value"),
    "regression": ("Regression", "ok"),
    "networks": ("Networks", "cat.activation"),
    "mixtures": ("Mixtures and RBM", "cat.linalg"),
    "adversarial": ("Adversarial", "cat.variable"),
    "straight_through": ("Straight-through", "stop"),
    "reinforcement": ("Reinforcement", "cat.monitor"),
    "depth": ("Long chains", "grad.text"),
    "loops": ("Loops", "cat.linalg"),
    "second_order": ("Second order", "cat.math"),
    "guide": ("TensorFlow's guide", "cat.gradient"),
    "identities": ("Identities", "cat.shape"),
    "own_gradients": ("Own gradients", "cat.reduce"),
    "zeros": ("Zeros and NaN", "alarm"),
    "other": ("More", "text.tertiary"),
}
_ROW_GAP, _SIDE = 6, 11


def topic_text(topic: str) -> str:
    """Returns the displayed name of a topic."""
    return tr(TOPIC_LOOKS[topic][0])


def topic_color(topic: str) -> str:
    """Returns the colour token of a topic."""
    return TOPIC_LOOKS[topic][1]


class TopicSegment(RadioGroup):
    """One button for each topic that has examples; `chosen(str)` carries the topic, "" for all."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__(tr("Topic of the examples"), None)
        self.setObjectName("topic_segment")
        known = {example_topic(name) for name in example_names()}
        layout = _Rows(self)
        for topic in ("", *(topic for topic in TOPICS if topic in known)):
            layout.addWidget(self._made_button(topic))
        self.setLayout(layout)

    def _made_button(self, topic: str) -> RadioButton:
        button = RadioButton(self)
        button.setText(topic_text(topic) if topic else tr("All"))
        button.setChecked(not topic)
        button.clicked.connect(lambda _=False, chosen=topic: self.chosen.emit(chosen))
        name, focus = f"topic_{topic or 'all'}", Qt.FocusPolicy.StrongFocus
        return named(button, name, look="middle", height=28, focus=focus)


class _Rows(QLayout):
    """A layout of buttons side by side without gaps, in as many rows as they need."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._known_widths: list[int] | None = None

    def invalidate(self) -> None:
        """Drops the cached widths: a text or its size has changed."""
        self._known_widths = None
        super().invalidate()

    def addItem(self, item: QLayoutItem) -> None:
        """Adds a button."""
        self._items.append(item)
        self._known_widths = None

    def count(self) -> int:
        """Returns the number of buttons."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Returns the button at an index."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Removes the button at an index and returns it."""
        self._known_widths = None
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def hasHeightForWidth(self) -> bool:
        """Returns True: a narrower layout needs more rows."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Returns the height of all rows."""
        return len(self._broken(width)) * (self._height() + _ROW_GAP) - _ROW_GAP

    def sizeHint(self) -> QSize:
        """Returns the size of all buttons in one row."""
        return QSize(sum(self._widths()), self._height())

    def minimumSize(self) -> QSize:
        """Returns the size of the widest button."""
        return QSize(max(self._widths(), default=0), self._height())

    def setGeometry(self, room: QRect) -> None:
        """Puts each button in its place."""
        super().setGeometry(room)
        for number, row in enumerate(self._broken(room.width())):
            left, top = room.left(), room.top() + number * (self._height() + _ROW_GAP)
            for button in row:
                _wear(button, "first" if button is row[0] else "last" if button is row[-1] else "middle")
                button.setGeometry(left, top, _width(button), self._height())
                left += _width(button)

    def _broken(self, width: int) -> list[list[QToolButton]]:
        rows: list[list[QToolButton]] = [[]]
        taken = 0
        for button, wide in zip(self._buttons(), self._widths(), strict=True):
            taken += wide
            if rows[-1] and taken > width:
                rows.append([])
                taken = wide
            rows[-1].append(button)
        return rows

    def _widths(self) -> list[int]:
        if self._known_widths is None:
            self._known_widths = [_width(button) for button in self._buttons()]
        return self._known_widths

    def _buttons(self) -> list[QToolButton]:
        return [button for item in self._items if isinstance(button := item.widget(), QToolButton)]

    def _height(self) -> int:
        return max((button.minimumHeight() for button in self._buttons()), default=0)


def _width(button: QToolButton) -> int:
    """Returns the width of a chosen button, whose text is bold."""
    bold = button.font()
    bold.setWeight(QFont.Weight.DemiBold)
    return QFontMetrics(bold).horizontalAdvance(button.text()) + 2 * _SIDE


def _wear(button: QToolButton, look: str) -> None:
    """Sets the look for a place in a row, and makes the style sheet apply it."""
    if button.property("look") != look:
        button.setProperty("look", look)
        button.style().unpolish(button)
        button.style().polish(button)
