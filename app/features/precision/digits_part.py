"""How many digits the gradient of the selection has lost, in its card."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr
from gradwire.app.features.precision.digits_texts import findings, sentences_of
from gradwire.app.features.precision.precision_question import PrecisionName
from gradwire.app.kit.asking_part import AskingPart
from gradwire.app.kit.controls.form_parts import plain_label
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.inspection import Found, Place
from gradwire.app.live.asking import ask_once
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.glossary import Term, explained
from gradwire.app.look.widgets import show_or_hide
from gradwire.engine.explain.precision import Precision


class DigitsPart(AskingPart):
    """Sentences on the digits lost here, and on zeros that are underflows."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(current, appearance, parent, tr("Digits"), "digits")
        self._said = plain_label("", "digits_said", "row", self, wraps=True)
        explained(self._said, Term.DIGITS, Term.BROADCAST_SUM, Term.BROADCASTING)
        self.body.addWidget(self._said)

    def question(self, place: Place) -> PrecisionName:
        """Returns the question for the digits of all gradients."""
        return PrecisionName()

    def take(self, place: Place, answer: Precision | None) -> None:
        """Shows what is told of a place."""
        show_or_hide(self._said, "" if answer is None else "\n".join(sentences_of(answer, place)))

    @staticmethod
    def first_place(session: Session, take: Found) -> None:
        """Hands over the worst place."""

        def choose(answer: Precision | None) -> None:
            found = [] if answer is None else findings(answer)
            take(found[0].place if found else tr("No digits are lost, and no zero is an underflow."))

        ask_once(session, PrecisionName(), choose)


FEATURE = Feature(
    "lens_precision", "Precision", "How many digits of the gradient are lost, and which zeros are underflows",
    "target", part=DigitsPart,
)  # fmt: skip
