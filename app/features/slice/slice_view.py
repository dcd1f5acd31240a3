"""The Slice panel: the loss along one element of an input, with the gradient as a tangent."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QStackedWidget, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.slice.slice_controls import SliceControls
from gradwire.app.features.slice.slice_plot import SlicePlot
from gradwire.app.features.slice.slice_question import SliceName
from gradwire.app.features.slice.slice_text import csv_of, sentence_of, slope_hidden
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.questions.questions import Reply
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import index_text
from gradwire.app.look.ticks import LADDER, rung_below
from gradwire.app.look.widgets import make_column, make_label
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.library import library
from gradwire.engine.explain.slices import Slice
from gradwire.engine.graph.graph import Port
from gradwire.engine.graph.ports import role_of

LEAST_WIDTH = 280
# These types come first: users seldom ask about constants.
_USUAL = ("Input", "Variable")


class SliceView(Lens):
    """The panel for the selected source block, else the last one; while visible, it asks each run for a slice."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(current, appearance, parent)
        self._rung = LADDER.index(1.0)
        self.setObjectName("slice")
        self.setMinimumWidth(LEAST_WIDTH)
        self._controls = SliceControls(appearance, self)
        self.plot = SlicePlot(appearance, self)
        self._message = make_label(parent=self, name="slice_message", look="quiet", wraps=True)
        self._sentence = make_label(parent=self, name="slice_sentence", wraps=True)
        self._stack = QStackedWidget(self)
        self._lay_out()
        self._controls.chosen.connect(self._take_choice)
        self._controls.widened.connect(self.widen)
        self._controls.copy_asked.connect(self._copy)
        self.plot.stepped.connect(self._controls.element.stepBy)
        self.plot.widened.connect(self.widen)
        current.busy_changed.connect(self._refresh_in_drag)
        self.begin_document()

    def sizeHint(self) -> QSize:
        """Returns about a third of the width between the side panels."""
        return QSize(380, 180)

    def choose_element(self, index: tuple[int, ...]) -> None:
        """Shows another element if the slice's block is the selected one."""
        if self.session.selection.blocks == {self._block}:
            self._controls.element.set_index(index)

    def widen(self, steps: int) -> None:
        """Widens the range around the element; a negative number narrows it."""
        self._rung = min(max(self._rung + steps, 0), len(LADDER) - 1)
        self.refresh_soon()

    def _lay_out(self) -> None:
        self._message.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        curve = QWidget(self)
        make_column((self.plot, 1), self._sentence, inside=curve, margins=0, spacing=4)
        self._stack.addWidget(self._message)
        self._stack.addWidget(curve)
        make_column(self._controls, (self._stack, 1), inside=self, margins=(12, 6, 6, 6), spacing=6)

    # Following the session

    def begin_document(self) -> None:
        """Follows the selection of another document."""
        self._block = self._measured = ""
        self._followed: str | None = None
        self._shown: tuple[Slice, str] | None = None
        # The question whose answer is shown, and the run that it is about.
        self._answered: tuple[SliceName, int] | None = None
        super().begin_document()

    def _take_choice(self) -> None:
        self._block = self._controls.blocks.currentText()
        self.refresh_soon()

    def _follow(self) -> None:
        """Chooses the selected block if the loss can have a slice along it, else keeps the last one."""
        page, chosen = self.session.page, self.session.selection.blocks
        sources = [block for block in page.blocks.values() if role_of(block) is Role.SOURCE]
        names = [block.id for block in sorted(sources, key=lambda block: block.type not in _USUAL)]
        selected = next((name for name in names if chosen == {name}), None)
        if selected is not None and selected != self._followed:
            self._block = selected
        self._followed = selected
        if self._block not in names:
            self._block = next(iter(names), "")
        self._controls.show_blocks(names, self._block)

    def refresh(self) -> None:
        """Updates the controls, then asks for the slice or says why there is none."""
        self._follow()
        spec = self._spec()
        self._controls.show_shape(() if spec is None or not spec.shape else spec.shape)
        message = self._missing(spec)
        name = None if message else self._wanted()
        if name is None:
            self._say(message)
        elif not self._is_answered(name):  # another selection often leaves the slice as it is
            self.ask(name)

    def _is_answered(self, name: SliceName) -> bool:
        results = self.session.results
        return results is not None and self._answered == (name, results.revision)

    def _port(self) -> Port | None:
        block = self.session.page.blocks.get(self._block)
        block_type = None if block is None else library.get(block.type)
        return None if block_type is None else Port(self._block, block_type.outputs[0].name)

    def _spec(self) -> TensorSpec | None:
        port = self._port()
        return None if port is None else self.session.spec(port)

    def _wanted(self) -> SliceName | None:
        port = self._port()
        if port is None:
            return None
        self._measure(port)
        return SliceName(self.session.port_name(port), self._controls.element.index, LADDER[self._rung])

    def _measure(self, port: Port) -> None:
        """Sets the range of a new block to about the magnitude of its elements."""
        reading = self.session.port(port)
        if self._measured == self._block or reading is None or reading.value is None:
            return
        top = max(abs(reading.value.low), abs(reading.value.high))
        self._measured, self._rung = self._block, rung_below(top) if top else LADDER.index(1.0)

    def _missing(self, spec: TensorSpec | None) -> str:
        """Returns why there can be no slice and what the user can do; "" if there can be one."""
        block = self._block
        if not block:
            return tr("Place an Input or a Variable: the loss along one of its elements is shown here.")
        if not self.session.losses:
            return tr("There is no loss yet. Add a Loss block to see how it depends on {block}.", block=block)
        if spec is None:
            return tr("The value of {block} is unknown: fix its problem first.", block=block)
        if spec.dtype.kind != "f":
            return tr(
                "{block} is {dtype}, which has no slope. Select a floating-point Input or Variable.",
                block=block,
                dtype=spec.dtype.name,
            )
        if spec.shape and 0 in spec.shape:
            return tr("{block} has no elements: one of its sizes is 0.", block=block)
        if self.session.results is None:
            return tr("Nothing has been evaluated yet.")
        if self.session.results.hidden is not None:
            return slope_hidden(self.session.results.hidden)
        return ""

    # Showing

    def take(self, reply: Reply) -> None:
        """Shows the slice, unless another one is wanted by now."""
        name = reply.question
        if not isinstance(name, SliceName) or self._missing(self._spec()) or name != self._wanted():
            return
        element = self._block + index_text(name.index)
        found: Slice | None = reply.answer
        if found is None:
            self._say(tr("{element} is unknown, NaN or infinite: there is no curve around it.", element=element))
        elif not found.is_anywhere_finite and self._is_loss_hidden():
            self._say(tr("L is unknown: see Problems."))
        elif not found.is_anywhere_finite:
            why = tr("L is NaN or infinite over this range of {element}. Widen it, or see Problems.", element=element)
            self._say(why, has_range=True)
        else:
            self._show(found, element)
            self._answered = name, reply.revision

    def _show(self, found: Slice, element: str) -> None:
        self._shown = found, element
        sentence = sentence_of(found, element)
        if self._is_gradient_unknown():
            sentence = tr("{gradient} is unknown: see Problems.", gradient=f"∂L/∂{element}")
        self.plot.show_slice(found, element, sentence)
        self._sentence.setText(sentence)
        self._controls.set_possible(has_range=True, has_curve=True)
        self._stack.setCurrentIndex(1)

    def _is_gradient_unknown(self) -> bool:
        port = self._port()
        reading = None if port is None else self.session.port(port)
        return reading is not None and reading.status is Status.UNKNOWN

    def _is_loss_hidden(self) -> bool:
        """Returns whether an error prevents the computation of the loss."""
        loss = None if self.session.results is None else self.session.results.loss
        return loss is None or loss.value is None

    def _say(self, message: str, has_range: bool = False) -> None:
        self._shown = self._answered = None
        self._message.setText(message)
        self._controls.set_possible(has_range, has_curve=False)
        self._stack.setCurrentIndex(0)

    def _copy(self) -> None:
        if self._shown is not None:
            QGuiApplication.clipboard().setText(csv_of(*self._shown))


FEATURE = Feature(
    "slice", "Loss curve", "The loss along one element of an input, with the gradient as the slope of its tangent",
    "monitor",
)  # fmt: skip
