"""What the patterns of the wires mean: a sentence each."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from app.look.appearance import Appearance
from app.panels.wire_key import WirePattern, wire_patterns
from app.words import tr

WIDTH = 560


def pattern_sentences() -> dict[str, str]:
    """What each pattern says."""
    return {
        "flow": tr("The wider and brighter, the larger the gradient on this wire."),
        "zero": tr("A gradient arrives, but it is 0, or its terms cancel. Another input may change that."),
        "blocked": tr("Every way from here to the loss passes a StopGradient: nothing comes back, whatever the input."),
        "no path": tr("The loss does not depend on this value."),
        "nonfinite": tr("Value or gradient is infinite or not a number. The status bar leads to the first such wire."),
        "unknown": tr("There is no Loss, or the graph has not been evaluated."),
    }


class WireHelp(QDialog):
    """A drawn piece of wire beside each sentence."""

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("wire_help")
        self.setWindowTitle(tr("What the wire patterns mean"))
        self.setMinimumWidth(WIDTH)
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(14)
        grid.setColumnStretch(1, 1)
        sentences = pattern_sentences()
        for row, (pattern, name) in enumerate(wire_patterns()):
            grid.addWidget(WirePattern(pattern, appearance, QSize(72, 34)), row, 0)
            grid.addLayout(_texts(name, sentences[pattern]), row, 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 16)
        layout.setSpacing(18)
        layout.addLayout(grid)
        layout.addWidget(buttons)


def _texts(name: str, sentence: str) -> QVBoxLayout:
    layout = QVBoxLayout()
    layout.setSpacing(2)
    for text, look in ((name[:1].upper() + name[1:], "strong"), (sentence, "")):
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("look", look)
        label.setWordWrap(True)
        layout.addWidget(label)
    return layout
