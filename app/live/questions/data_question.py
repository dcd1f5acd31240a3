"""A file of examples beside the graph, read in the evaluator's process: what is wrong in it harms no window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gradwire.app.live.questions.questions import OwnTopic
from gradwire.engine.base.errors import FileError
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.files.data_files import Examples, read_examples
from gradwire.engine.files.data_kinds import DataOptions


@dataclass(frozen=True)
class DataQuestion(OwnTopic):
    """Asks for the examples of a file in a folder that somebody has allowed; see `read_examples`."""

    folder: Path
    file: str
    options: DataOptions

    def answer(self, _: Evaluation) -> Examples | str:
        """Returns the examples, or the sentence that says why there are none."""
        try:
            return read_examples(self.folder, self.file, self.options)
        except FileError as error:
            return str(error)
