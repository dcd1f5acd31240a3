"""The table of all lenses; the command and the tab of a lens are made from its row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gradwire.app.features.checks.check_lens import CheckLens
from gradwire.app.features.compare.compare_lens import CompareLens
from gradwire.app.features.console.console_lens import ConsoleLens
from gradwire.app.features.conventions.convention_lens import ConventionLens
from gradwire.app.features.flow.flow_lens import FlowLens
from gradwire.app.features.matrix.matrix_lens import MatrixLens
from gradwire.app.features.paths.path_lens import PathLens
from gradwire.app.features.precision.precision_lens import PrecisionLens
from gradwire.app.features.predict.predict_lens import PredictLens
from gradwire.app.features.steps.step_lens import StepLens
from gradwire.app.features.stops.stop_lens import StopLens
from gradwire.app.features.training.training_lens import TrainingLens
from gradwire.app.kit.lens.lens import Lens
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.look.appearance import Appearance


@dataclass(frozen=True)
class LensKind:
    """A lens as commands and tabs list it: its id, its name, its tip, its icon and its class."""

    id: str
    title: str
    tip: str
    icon: str
    make: Callable[[CurrentSession, Appearance], Lens]
    keys: tuple[str, ...] = ()


LENSES: tuple[LensKind, ...] = (
    LensKind("training", "Training", "Trains the Variables, and shows loss and gradients round by round", "play",
             TrainingLens),
    LensKind("steps", "Backward steps", "Back-propagation one block at a time", "step-back", StepLens),
    LensKind("checks", "Checks", "The checks of this graph, and whether they pass", "check-circle", CheckLens),
    LensKind("stops", "StopGradients", "What each StopGradient changes, and what one on the selected wire would",
             "stopgrad", StopLens),
    LensKind("paths", "Paths", "Contribution of each path from the selection to the loss", "branch", PathLens),
    LensKind("flow", "Gradient flow by block", "How much of the gradient each block passes on", "activation", FlowLens),
    LensKind("matrix", "Who trains whom", "Which loss trains which variable", "table", MatrixLens),
    LensKind("precision", "Precision", "Which gradients have few reliable digits, and which zeros are underflows",
             "target", PrecisionLens),
    LensKind("conventions", "Conventions",
             "Gradients of TensorFlow, PyTorch and JAX at the kinks and ties of this graph", "book", ConventionLens),
    LensKind("compare", "Compare", "How values and gradients differ from those of another graph", "compare",
             CompareLens),
    LensKind("predict", "Predict", "Hides all gradients; you predict each wire's gradient, then see it",
             "eye-off", PredictLens),
    LensKind("console", "Console", "When the graph was evaluated, and Python that asks about the newest run",
             "terminal", ConsoleLens, ("Ctrl+`",)),
)  # fmt: skip
