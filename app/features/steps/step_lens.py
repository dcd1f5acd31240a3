"""The lens of step mode: all steps side by side, and the buttons that step through them."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QLabel, QPushButton, QStackedWidget, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.steps.step_columns import StepDelegate, StepModel, step_columns
from gradwire.app.features.steps.step_commands import STEPS
from gradwire.app.features.steps.step_controls import StepControls
from gradwire.app.features.steps.step_mode import StepMode
from gradwire.app.features.steps.step_view import StepView
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.widgets import STRETCH, make_button, make_column, make_label


class StepLens(Lens):
    """The steps of the backward or the forward pass. A selected step becomes the current one."""

    tells_gradients = False

    def __init__(self, current: CurrentSession, appearance: Appearance) -> None:
        super().__init__(current, appearance)
        self.controls: StepControls = StepControls(current, appearance)
        self._columns = step_columns(self)
        self._model = StepModel(current, self)
        self._delegate = StepDelegate(appearance, False, self)
        self._columns.setModel(self._model)
        self._columns.setItemDelegate(self._delegate)
        self._columns.selectionModel().currentChanged.connect(self._choose)
        self._is_showing = False
        self._empty, self._sentence, self._begin = self._made_empty()
        self._pages = QStackedWidget(self)
        self._pages.addWidget(self._empty)
        self._pages.addWidget(self._columns)
        make_column(self._pages, inside=self, margins=(8, 6, 8, 4))
        current.changed.connect(self.refresh)
        current.of(StepMode).changed.connect(self.refresh)
        appearance.changed.connect(self._restyle)
        self.refresh()

    def _made_empty(self) -> tuple[QWidget, QLabel, QPushButton]:
        page, sentence = QWidget(self), make_label(parent=self, name="steps_empty", wraps=True)
        sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        begin = make_button(tr("Step backward"), lambda: self.session.part(StepMode).enter(), self, name="steps_begin")
        make_column(STRETCH, sentence, (begin, 0, Qt.AlignmentFlag.AlignHCenter), STRETCH, inside=page)
        return page, sentence, begin

    def refresh(self) -> None:
        """Shows the present step."""
        steps = self.session.part(StepMode)
        self._is_showing = True
        self._delegate.is_forward = steps.is_forward
        self._model.show()
        if steps.count:
            index = self._model.index(steps.at - 1, 0)
            self._columns.setCurrentIndex(index)
            self._columns.scrollTo(index)
        self._is_showing = False
        self._pages.setCurrentWidget(self._columns if steps.is_on and steps.count else self._empty)
        self._begin.setVisible(not steps.is_on)
        self._sentence.setText(self._what_to_do())
        self.controls.show_state()

    def _what_to_do(self) -> str:
        steps = self.session.part(StepMode)
        if not steps.is_on:
            return tr("Step through back-propagation one block at a time: incoming gradient, rule, result.")
        if not steps.has_outline:
            return ""
        if steps.is_forward:
            return tr("There are no steps: nothing has been computed.")
        return tr("There are no steps without a gradient. Add a Loss block to see gradients.")

    def _choose(self, index: QModelIndex, _: QModelIndex) -> None:
        if index.isValid() and not self._is_showing:
            self.session.part(StepMode).go(index.row() + 1)

    def _restyle(self, _: object) -> None:
        self.refresh()
        self._columns.doItemsLayout()


FEATURE = Feature(
    "steps", "Backward steps", "Back-propagation one block at a time", "step-back", StepLens, view=StepView,
    commands=STEPS,
)  # fmt: skip
