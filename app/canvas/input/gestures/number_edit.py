"""One element of a block's value while a user changes it."""

from __future__ import annotations

from gradwire.app.base.translation import tr
from gradwire.app.live import editing
from gradwire.app.live.loss_prediction import LossPrediction
from gradwire.app.live.session import Session
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.edits import edits


class NumberEdit:
    """The changes of one element, all of them one entry in the history; meanwhile the loss is predicted."""

    def __init__(self, session: Session, block_id: str, index: int) -> None:
        self._session, self._block, self._index = session, block_id, index
        self._key = object()
        self.has_changed = False

    def begin(self) -> None:
        """Predicts the loss from here on, or already does."""
        self._session.part(LossPrediction).begin()

    def set(self, value: Array, number: float) -> None:
        """Sets the element in a copy of `value`, which becomes the value of the block."""
        session, before = self._session, self._session.graph
        args = session.page_name, self._block, "value", editing.scaled(value, self._index, number)
        session.apply(tr("Set {block}", block=self._block), edits.set_parameter, *args, merge_key=self._key)
        self.has_changed = self.has_changed or session.graph is not before

    def end(self) -> None:
        """Predicts nothing any longer; the number stays."""
        self._session.part(LossPrediction).end()

    def cancel(self) -> None:
        """Predicts nothing any longer; the number is what it was."""
        self.end()
        if self.has_changed:
            self._session.withdraw(self._key)
