"""The glossary: one sentence for each term that a student may not know, shown where the term stands."""

from __future__ import annotations

from enum import Enum

from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.tips import literal_tip


class Term(Enum):
    """A term of the field, or a notation of the program, with the English sentence that explains it."""

    SEED = "Seed: backpropagation starts at the loss with ∂L/∂L = 1."
    NORM = "Size |∂L|: the length of the gradient, the root of the sum of its squared elements."
    ZERO_FACTOR = "Zero factor: the local derivative is multiplied by a value that is 0."
    DIGITS = "Digits lost: where terms cancel, a sum amplifies their rounding errors; each factor of 10 costs a digit."
    BROADCAST_SUM = "Broadcast sum: adds the gradients of all copies that broadcasting made of one element."
    CONVENTIONS = "Convention: the gradient that a framework chooses where the derivative does not exist."
    CENTRAL_DIFFERENCES = "Central difference: (L(x + h) − L(x − h)) / 2h, a slope measured without gradients."
    PORT_NAME = "Port names: x.y is output y of block x."
    SCALAR_SHAPE = "Shape: the size of each axis; [] is a scalar, a single number."
    BROADCASTING = "Broadcasting: axes that are missing or of size 1 are repeated to fit the other tensor."


def meaning(term: Term) -> str:
    """Returns the sentence that explains a term, in the current language."""
    return tr(term.value)


def explanation(*terms: Term) -> str:
    """Returns the sentences of terms, one a line."""
    return "\n".join(map(meaning, terms))


def explained(widget: QWidget, *terms: Term, tip: str = "") -> None:
    """Explains terms on hover and to screen readers; `tip` is the widget's own tip, shown above them."""
    widget.setToolTip(literal_tip("\n".join(filter(None, (tip, explanation(*terms))))))
    widget.setAccessibleDescription(explanation(*terms))
