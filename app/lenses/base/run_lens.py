"""A lens that asks one question of every run, and says in a sentence above what it shows what the answer is."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from app.lenses.lens import Lens
from app.live.questions import Question
from app.live.readings import Results
from app.live.session import Session
from app.look.appearance import Appearance


class RunLens(Lens):
    """Asks `question` of every run while it is seen; a lens fills in `take`, and `show_nothing` for before a run."""

    question: Question

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        self._asked_of: Results | None = None
        super().__init__(session, appearance, parent)

    def refresh(self) -> None:
        """Asks of the newest run, once."""
        if self.session.results is None:
            self.show_nothing()
        elif self.session.results is not self._asked_of:
            self._asked_of = self.session.results
            self.ask(self.question)

    def show_nothing(self) -> None:
        """Shows that nothing has been evaluated yet."""

    def hideEvent(self, event: QHideEvent) -> None:  # Qt's name
        """What is answered meanwhile is not taken; the lens asks again when it is seen."""
        self._asked_of = None
        super().hideEvent(event)

    def lay_out(self, name: str, table: QWidget) -> QLabel:
        """Puts a sentence above a table, and gives the label for it."""
        said = QLabel(self)
        said.setObjectName(name)
        said.setTextFormat(Qt.TextFormat.PlainText)
        said.setWordWrap(True)
        said.setContentsMargins(8, 6, 8, 4)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(said, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(table, 1)
        return said
