"""The slice of each tensor of rank 3 or more that is shown, port by port: a view state, in no file and no history."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from gradwire.app.canvas.painting.blocks.slice_question import SliceThumbnail
from gradwire.app.live.questions.questions import Reply, TensorName
from gradwire.app.live.readings.readings import Results
from gradwire.app.live.session import Session
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.tensor_spec import Array


class SliceMaps(QObject):
    """The slices that were picked, and their heat maps from the newest run. `changed(str)` carries a block's path.

    The first slice is in every reading; nothing is asked for it.
    """

    changed = Signal(str)

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._picked: dict[PortName, int] = {}
        self._thumbnails: dict[TensorName, Array] = {}
        session.results_changed.connect(self._ask_anew)
        session.replied.connect(self._take)

    def picked(self, port: PortName) -> int:
        """Returns the index of the slice shown; the first one where none was picked."""
        return self._picked.get(port, 0)

    def pick(self, port: PortName, index: int) -> None:
        """Shows another slice."""
        if index == self.picked(port):
            return
        for is_gradient in (False, True):
            self._thumbnails.pop(TensorName(port, is_gradient), None)
        self._picked[port] = index
        if index:
            self._ask(port, index)
        else:
            del self._picked[port]
        self.changed.emit(port.path)

    def thumbnail(self, port: PortName, is_gradient: bool = False) -> Array | None:
        """Returns the heat map of the picked slice, of values or gradient; None if it is not known yet."""
        return self._thumbnails.get(TensorName(port, is_gradient))

    def _ask_anew(self, results: Results | None) -> None:
        for port, index in self._picked.items():
            if results is not None and port in results.ports.row_of:
                self._ask(port, index)

    def _ask(self, port: PortName, index: int) -> None:
        for is_gradient in (False, True):
            self._session.ask(SliceThumbnail(TensorName(port, is_gradient), index))

    def _take(self, reply: Reply) -> None:
        question = reply.question
        if not isinstance(question, SliceThumbnail) or not isinstance(question.tensor.place, PortName):
            return
        if question.index != self.picked(question.tensor.place):
            return
        self._thumbnails.pop(question.tensor, None)
        if reply.answer is not None:
            self._thumbnails[question.tensor] = reply.answer
        self.changed.emit(question.tensor.place.path)
