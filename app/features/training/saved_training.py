"""Saving a document together with what its file keeps of the training."""

from __future__ import annotations

from pathlib import Path

from gradwire.app.features.training.training_desk import TrainingDesk
from gradwire.app.live.session import Session
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.disk import Stamp
from gradwire.engine.files.files import save
from gradwire.engine.training.kept_state import has_state, save_kept, state_of, write_kept


def save_document(session: Session, path: Path, over: Stamp | None) -> Stamp:
    """Saves the graph of a session, with the values before its training, and the state if the file is to keep it.

    Raises: FileError if it cannot be written, FileChangedError if the path holds anything but `over`.
    """
    graph, training = session.graph, session.part(TrainingDesk)
    state = training.state
    if state is None and has_state(graph):
        if training.keeps_state and path.absolute() == session.document.path:
            return save(graph, path, over)
        # What lies beside the file of before has to lie beside the new one too.
        try:
            state = state_of(graph, session.document.path)
        except FileError:
            return save(graph, path, over)
    elif state is None:
        return write_kept(None, path, lambda: save(graph, path, over))
    return save_kept(graph, path, state if training.keeps_state else None, training.initial, over)
