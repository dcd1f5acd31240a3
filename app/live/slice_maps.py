"""Which slice of a tensor of rank 3 or more is looked at, port by port: a view state, in no file and no history."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.live.pictures import thumbnail_of
from app.live.questions import Reply, TensorName
from app.live.readings import Results
from engine.evaluate import Evaluation
from engine.expand import PortName
from engine.tensor_spec import Array

if TYPE_CHECKING:
    from app.live.session import Session


@dataclass(frozen=True)
class SliceThumbnail:
    """Asks for the heat map of one slice along the leading axes, counted through all of them."""

    tensor: TensorName
    index: int

    @property
    def topic(self) -> Hashable:
        """One slice of each tensor is shown at a time."""
        return SliceThumbnail, self.tensor

    def answer(self, run: Evaluation) -> Array | None:
        """The heat map, None if there is no such slice."""
        found = self.tensor.answer(run)
        if found is None or found.ndim < 3 or not found.size:
            return None
        slices = found.reshape(-1, *found.shape[-2:])
        return thumbnail_of(slices[min(self.index, len(slices) - 1)])


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
        """Which slice is looked at; the first one where none was picked."""
        return self._picked.get(port, 0)

    def pick(self, port: PortName, index: int) -> None:
        """Looks at another slice."""
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
        """The heat map of the picked slice, of the values or of the gradient; None if it is not known yet."""
        return self._thumbnails.get(TensorName(port, is_gradient))

    def _ask_anew(self, results: Results | None) -> None:
        for port, index in self._picked.items():
            if results is not None and port in results.port_rows:
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
