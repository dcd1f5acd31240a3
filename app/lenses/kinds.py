"""The table of all lenses: one row each, and the command and tab of a lens are made from its row."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.lenses.compare_lens import CompareLens
from app.lenses.convention_lens import ConventionLens
from app.lenses.lens import Lens
from app.lenses.predict_lens import PredictLens
from app.live.session import Session
from app.look.appearance import Appearance


@dataclass(frozen=True)
class LensKind:
    """A lens as commands and tabs know it: its id, its name, what it shows in a sentence, its icon and its class."""

    id: str
    title: str
    tip: str
    icon: str
    make: Callable[[Session, Appearance], Lens]
    keys: tuple[str, ...] = ()


LENSES: tuple[LensKind, ...] = (
    LensKind(
        "conventions",
        "Conventions",
        "What TensorFlow, PyTorch and JAX send back at the kinks and ties of this graph",
        "book",
        ConventionLens,
    ),
    LensKind(
        "compare", "Compare", "How values and gradients differ from those of another graph", "compare", CompareLens
    ),
    LensKind(
        "predict",
        "Predict",
        "Hides all gradients; you predict them wire by wire, and each is revealed",
        "eye-off",
        PredictLens,
    ),
)
