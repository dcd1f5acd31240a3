"""The loss along one element of the selected Input or Variable, in its card: a curve with the gradient as tangent."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QToolButton, QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.slice.slice_plot import SlicePlot
from gradwire.app.features.slice.slice_question import SliceName
from gradwire.app.features.slice.slice_text import csv_of, sentence_of
from gradwire.app.kit.asking_part import AskingPart
from gradwire.app.kit.controls.form_parts import plain_label
from gradwire.app.kit.controls.themed import themed
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.inspection import Found, Place
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.numbers import index_text
from gradwire.app.look.ticks import LADDER, rung_below
from gradwire.app.look.widgets import STRETCH, Does, add_items, make_row, make_tool, named, show_or_hide
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.explain.slices import Slice

HEIGHT, BUTTON = 150, (24, 24)


class SlicePart(AskingPart):
    """The curve around the present value of one element; arrows choose another, and a wider or narrower range."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(current, appearance, parent, "", "slice")
        self._at, self._rung = 0, LADDER.index(1.0)
        self._measured: Place | None = None
        self._shown: tuple[Slice, str] | None = None
        self.plot = named(SlicePlot(appearance, self), height=HEIGHT)
        self._sentence = plain_label("", "slice_sentence", "row", self, wraps=True)
        self._steps = (
            self._button("previous", "chev-left", tr("Previous element"), partial(self.step, -1)),
            self._button("next", "chev-right", tr("Next element"), partial(self.step, 1)),
        )
        ends = (
            self._button("wider", "minus", tr("Wider range"), partial(self.widen, 1)),
            self._button("narrower", "plus", tr("Narrower range"), partial(self.widen, -1)),
            self._button("copy", "copy", tr("Copy as CSV"), self._copy),
        )
        add_items(self.body, make_row(*self._steps, STRETCH, *ends, spacing=2), self.plot, self._sentence)
        self.plot.stepped.connect(self.step)
        self.plot.widened.connect(self.widen)

    def is_about(self, place: Place | None) -> bool:
        """Returns whether a place is the output of an Input, a Variable or another source, with elements."""
        if not isinstance(place, PortName) or not _is_source(self.session, place):
            return False
        return bool(self._size(place))

    def show_place(self, place: Place | None) -> None:
        """Is about another block, at first about its first element, in a range of about its size."""
        if place != self._measured and isinstance(place, PortName):
            reading = None if self.session.results is None else self.session.results.port(place)
            value = None if reading is None else reading.value
            top = 0.0 if value is None else max(abs(value.low), abs(value.high))
            self._measured, self._at = place, 0
            self._rung = rung_below(top) if top else LADDER.index(1.0)
        super().show_place(place)

    def question(self, place: Place) -> SliceName:
        """Returns the question for the losses around an element."""
        assert isinstance(place, PortName)
        self._at = min(self._at, self._size(place) - 1)
        index = np.unravel_index(self._at, self._shape(place))
        return SliceName(place, tuple(map(int, index)), LADDER[self._rung])

    def take(self, place: Place, answer: Slice | None) -> None:
        """Shows the curve."""
        assert isinstance(place, PortName)
        element = place.path.rpartition("/")[2] + index_text(self.question(place).index)
        self.set_title(tr("L along {element}", element=element))
        for button in self._steps:
            button.setVisible(self._size(place) > 1)
        self._shown = None if answer is None or not answer.is_anywhere_finite else (answer, element)
        self.plot.setVisible(self._shown is not None)
        if answer is None:
            self._sentence.hide()
        elif self._shown is None:
            show_or_hide(self._sentence, tr("L is NaN or infinite over this range. Widen it, or see Problems."))
        else:
            show_or_hide(self._sentence, sentence_of(answer, element))
            self.plot.show_slice(answer, element, self._sentence.text())

    def choose_element(self, index: tuple[int, ...]) -> None:
        """Shows the loss along another element."""
        if isinstance(self.place, PortName) and len(index) == len(self._shape(self.place)):
            self._at = int(np.ravel_multi_index(index, self._shape(self.place))) if index else 0
            self.ask()

    def step(self, by: int) -> None:
        """Goes to the element before or after."""
        if self.place is not None:
            self._at = (self._at + by) % self._size(self.place)
            self.ask()

    def widen(self, steps: int) -> None:
        """Widens the range around the element; a negative number narrows it."""
        self._rung = min(max(self._rung + steps, 0), len(LADDER) - 1)
        self.ask()

    @staticmethod
    def first_place(session: Session, take: Found) -> None:
        """Hands over the first Variable or Input of the page, or another source."""
        ports = [port for port in session.inferred.specs if port.path.rpartition("/")[0] == session.prefix]
        sources = [
            port for port in ports if _is_source(session, port) and session.inferred.specs[port].dtype.kind == "f"
        ]
        types = {port: session.page.blocks[port.path.rpartition("/")[2]].type for port in sources}
        first = min(sources, key=lambda port: types[port] not in ("Input", "Variable"), default=None)
        if first is None:
            take(tr("Place an Input or a Variable: the loss along one of its elements is shown in its card."))
        else:
            take(first if session.losses else tr("There is no loss yet. Add a Loss block."))

    def _shape(self, place: Place) -> tuple[int, ...]:
        spec = self.session.inferred.specs.get(place) if isinstance(place, PortName) else None
        return (0,) if spec is None or spec.shape is None or spec.dtype.kind != "f" else spec.shape

    def _size(self, place: Place) -> int:
        return int(np.prod(self._shape(place)))

    def _copy(self) -> None:
        if self._shown is not None:
            QGuiApplication.clipboard().setText(csv_of(*self._shown))

    def _button(self, name: str, picture: str, text: str, does: Does) -> QToolButton:
        button = make_tool(does, self, name=f"slice_{name}", words=text, size=BUTTON)
        return themed(button, self._appearance, picture, px=14)


def _is_source(session: Session, place: PortName) -> bool:
    instance = session.inferred.expanded.instances.get(place.path)
    return instance is not None and instance.role is Role.SOURCE


FEATURE = Feature(
    "slice", "Loss curve", "The loss along one element of an input, with the gradient as the slope of its tangent",
    "monitor", part=SlicePart,
)  # fmt: skip
