"""The dialog while a model is read: that it is being read, with Stop, or what the model leaves open."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialogButtonBox,
    QFormLayout,
    QSpinBox,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from gradwire.app.base.translation import tr
from gradwire.app.features.models.busy_bar import BusyBar
from gradwire.app.features.models.reading_process import Choices
from gradwire.app.kit.controls.choice_box import ChoiceBox
from gradwire.app.kit.controls.form_parts import plain_label
from gradwire.app.look.widgets import STRETCH, Dialog, add_items, make_column, named
from gradwire.engine.base.untrusted_text import plain
from gradwire.interop.models.inputs import FreeSize

# Units: px.
_WIDTH, _MARGIN, _SPACE = 420, 20, 12
_LARGEST_SIZE, _LARGEST_SEED = 1_000_000, 2**31 - 1
_MOST_AXES = 3


class ImportDialog(Dialog):
    """A dialog with two faces, `rejected` when the user wants no more of it; `chosen(Choices)` carries answers."""

    chosen = Signal(object)

    def __init__(self, name: str, parent: QWidget) -> None:
        super().__init__(parent, "import_dialog", tr("Import a model"))
        self.setMinimumWidth(_WIDTH)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._name = plain(name)
        self._faces = QStackedLayout(self)
        self._faces.addWidget(self._waiting_face())
        self._sizes: dict[str, QSpinBox] = {}

    def wait(self) -> None:
        """Says that the model is being read."""
        self._faces.setCurrentIndex(0)
        self.open()

    def ask(self, sizes: Sequence[FreeSize]) -> None:
        """Asks for free sizes and for the numbers of the inputs."""
        self._faces.setCurrentIndex(self._faces.addWidget(self._asking_face(sizes)))
        self.open()

    def _waiting_face(self) -> QWidget:
        face, layout = self._face(tr("Reading {name} …", name=self._name))
        buttons = QDialogButtonBox(face)
        named(buttons.addButton(tr("Stop"), QDialogButtonBox.ButtonRole.RejectRole), "import_stop")
        buttons.rejected.connect(self.reject)
        # The face that asked before may have been higher.
        add_items(layout, named(BusyBar(face), "import_progress"), STRETCH, buttons)
        return face

    def _asking_face(self, sizes: Sequence[FreeSize]) -> QWidget:
        face, layout = self._face(tr("{name} leaves sizes open:", name=self._name))
        form = QFormLayout()
        for item in sizes:
            field = self._sizes[item.symbol] = _number(f"size_{item.symbol}", item.size, 1, _LARGEST_SIZE, face)
            form.addRow(plain_label(_axes_text(item), "", "", face), field)
        self._fill = named(ChoiceBox(face), "import_fill")
        for text, number in ((tr("Random numbers"), None), (tr("Zeros"), 0.0), (tr("Ones"), 1.0)):
            self._fill.addItem(text, number)
        form.addRow(tr("Fill inputs with"), self._fill)
        self._seed = _number("import_seed", 0, 0, _LARGEST_SEED, face)
        form.addRow(tr("Seed"), self._seed)
        self._fill.currentIndexChanged.connect(self._show_seed)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, face)
        take = named(buttons.addButton(tr("Import"), QDialogButtonBox.ButtonRole.AcceptRole), "import_take")
        take.setDefault(True)
        buttons.accepted.connect(self._choose)
        buttons.rejected.connect(self.reject)
        add_items(layout, form, buttons)
        return face

    def _face(self, sentence: str) -> tuple[QWidget, QVBoxLayout]:
        face = QWidget(self)
        said = plain_label(sentence, "import_sentence", "", face, wraps=True)
        return face, make_column(said, inside=face, margins=_MARGIN, spacing=_SPACE)

    def _show_seed(self) -> None:
        self._seed.setEnabled(self._fill.currentData() is None)

    def _choose(self) -> None:
        sizes = {symbol: field.value() for symbol, field in self._sizes.items()}
        self.chosen.emit(Choices(sizes, self._seed.value(), self._fill.currentData()))


def _number(name: str, value: int, least: int, most: int, parent: QWidget) -> QSpinBox:
    field = named(QSpinBox(parent), name)
    # The style draws no arrows; the keys and the wheel step.
    field.setStyleSheet("QSpinBox::up-button, QSpinBox::down-button { width: 0; border: none; }")
    field.setRange(least, most)
    field.setValue(value)
    return field


def _axes_text(size: FreeSize) -> str:
    """Returns where a size stands: `x axis 0, labels axis 0`."""
    texts = [tr("{input} axis {axis}", input=plain(name), axis=axis) for name, axis in size.axes[:_MOST_AXES]]
    return ", ".join(texts) + (" …" if len(size.axes) > _MOST_AXES else "")
