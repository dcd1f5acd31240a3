"""The process that reads a model: it answers with the graph, with what has to be chosen first, or with a refusal."""

from __future__ import annotations

import json
import os
import pickle
import sys
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.base.errors import GradwireError
from gradwire.interop.model_files.formats import free_sizes, read_model
from gradwire.interop.models.graphs import Model
from gradwire.interop.models.inputs import Drawn, FreeSize


@dataclass(frozen=True)
class Choices:
    """What the user chose: free sizes by their symbols, and how inputs are filled."""

    sizes: Mapping[str, int] = field(default_factory=dict)
    seed: int = 0
    number: float | None = None

    def text(self) -> str:
        """Returns the choices as an argument of a process."""
        return json.dumps([dict(self.sizes), self.seed, self.number])


# A model, the sizes that it leaves open, or the sentence why it cannot come in.
Answer = Model | list[FreeSize] | str


def serve(path: str, choices: str) -> None:
    """Writes the answer about a file to standard output; `choices` is "" as long as nobody was asked."""
    warnings.simplefilter("ignore")
    found = answer(Path(path), Choices(*json.loads(choices)) if choices else None)
    pickle.dump(_arranged(found) if isinstance(found, Model) else found, sys.stdout.buffer)


def _arranged(model: Model) -> Model:
    """Returns a graph in which each block has a place, which takes as long as all else."""
    from PySide6.QtGui import QGuiApplication  # takes longer than to find that there is nothing to arrange

    from gradwire.app.canvas.painting.picture import with_places

    # Texts are measured, for which Qt needs an application but no screen.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    application = QGuiApplication([])
    placed = replace(model, graph=with_places(model.graph))
    application.shutdown()
    return placed


def answer(path: Path, choices: Choices | None) -> Answer:
    """Returns the answer about a file; without choices it says what is open."""
    try:
        if choices is None and (found := free_sizes(path)):
            return found
        chosen = choices or Choices()
        return read_model(path, sizes=chosen.sizes, drawn=Drawn(chosen.seed, chosen.number))
    except GradwireError as error:
        return str(error)
    except MemoryError:
        return "There is not enough memory to open this file."
