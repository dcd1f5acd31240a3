"""The glossary: one sentence for each term that a student may not know, shown where the term stands."""

from __future__ import annotations

from enum import Enum, auto

from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.look.tips import literal_tip


class Term(Enum):
    """A term of the field, or a notation of the program."""

    SEED = auto()
    NORM = auto()
    ZERO_FACTOR = auto()
    KAPPA = auto()
    BROADCAST_SUM = auto()
    CONVENTIONS = auto()
    CENTRAL_DIFFERENCES = auto()
    PORT_NAME = auto()
    SCALAR_SHAPE = auto()
    BROADCASTING = auto()


def meaning(term: Term) -> str:
    """Returns the sentence that explains a term, in the current language."""
    return {
        Term.SEED: tr("Seed: backpropagation starts at the loss with ∂L/∂L = 1."),
        Term.NORM: tr("Norm |∂L|: the length of the gradient, the root of the sum of its squared elements."),
        Term.ZERO_FACTOR: tr("Zero factor: the local derivative is multiplied by a value that is 0."),
        Term.KAPPA: tr("κ, the condition of a sum: how many times the sum amplifies rounding errors of its terms."),
        Term.BROADCAST_SUM: tr(
            "Broadcast sum: adds the gradients of all copies that broadcasting made of one element."
        ),
        Term.CONVENTIONS: tr("Convention: the gradient that a framework chooses where the derivative does not exist."),
        Term.CENTRAL_DIFFERENCES: tr(
            "Central difference: (L(x + h) − L(x − h)) / 2h, a slope measured without gradients."
        ),
        Term.PORT_NAME: tr("Port names: x.y is output y of block x."),
        Term.SCALAR_SHAPE: tr("Shape: the size of each axis; [] is a scalar, a single number."),
        Term.BROADCASTING: tr("Broadcasting: axes that are missing or of size 1 are repeated to fit the other tensor."),
    }[term]


def explanation(*terms: Term) -> str:
    """Returns the sentences of terms, one a line."""
    return "\n".join(map(meaning, terms))


def explained(widget: QWidget, *terms: Term, tip: str = "") -> None:
    """Explains terms on hover and to screen readers; `tip` is the widget's own tip, shown above them."""
    widget.setToolTip(literal_tip("\n".join(filter(None, (tip, explanation(*terms))))))
    widget.setAccessibleDescription(explanation(*terms))
