"""The choice of what is drawn beside the losses of a training."""

from __future__ import annotations

import enum
import functools

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QStyle, QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.kit.controls.radio_button import RadioButton, RadioGroup
from gradwire.app.look.drawing import RIGHT
from gradwire.app.look.widgets import make_row, make_tool, named

# Units: px.
ARROW = 20


class Shown(enum.Enum):
    """Charts that the selector offers; the loss alone has all the room."""

    LOSS = "loss"
    GRADIENTS = "gradients"
    UPDATES = "updates"
    DEAD = "dead"


class ChartSelector(QWidget):
    """A row of buttons, one of them down; where that has no room, one button with a menu.

    `chosen(Shown)` carries the chart.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._buttons: dict[Shown, RadioButton] = {}
        self._row = RadioGroup(tr("Chart"), self)
        self._one = make_tool(parent=self, name="charts_menu", look="framed")
        self._lay_out()
        self._put_down(Shown.GRADIENTS)

    def sizeHint(self) -> QSize:
        """Returns the size of the row."""
        return self._row.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Returns the size of the button with the menu."""
        # Qt draws the arrow of the menu over what a framed button has for its text.
        return QSize(self._one.sizeHint().width() + ARROW, self._row.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:  # Qt's name
        """Shows the form that has room."""
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:  # Qt's name
        """Measures again where texts have another size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self.updateGeometry()
            self._fit()

    def _fit(self) -> None:
        self._row.setGeometry(self.rect())
        self._one.setGeometry(QStyle.alignedRect(self.layoutDirection(), RIGHT, self.minimumSizeHint(), self.rect()))
        has_room = self.width() >= self._row.sizeHint().width()
        self._row.setVisible(has_room)
        self._one.setVisible(not has_room)

    def _choose(self, shown: Shown, _: bool = True) -> None:
        self._put_down(shown)
        self.chosen.emit(shown)

    def _put_down(self, shown: Shown) -> None:
        button = self._buttons[shown]
        button.setChecked(True)
        self._one.setText(button.text())
        self._one.setAccessibleName(tr("Chart") + ": " + button.text())
        self._one.setToolTip(button.toolTip())

    def _lay_out(self) -> None:
        moves = tr("How far a round moves each Variable, in shares of its size; and the rate")
        texts = {
            Shown.LOSS: (tr("Loss"), tr("Loss, metrics and their test values, in all the room")),
            Shown.GRADIENTS: (tr("Gradients"), tr("Size of the gradient of each Variable and of each tracked wire")),
            Shown.UPDATES: (tr("Updates"), moves),
            Shown.DEAD: (tr("Dead"), tr("Shares of dead units and of saturated elements, for each activation")),
        }
        menu, looks = QMenu(self._one), ("first", "middle", "middle", "last")
        for look, (shown, (text, tip)) in zip(looks, texts.items(), strict=True):
            button = named(RadioButton(self._row), f"charts_{shown.value}", tip=tip, look=look)
            button.setText(text)
            self._buttons[shown] = button
            for chosen in (button.clicked, menu.addAction(text).triggered):
                chosen.connect(functools.partial(self._choose, shown))
        make_row(*self._buttons.values(), inside=self._row, margins=0, spacing=0)
        self._one.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._one.setMenu(menu)
