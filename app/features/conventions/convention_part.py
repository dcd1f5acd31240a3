"""The choice of each framework where the derivative at the selection is one, in its card."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from gradwire.app.base.translation import tr, tr_sentence
from gradwire.app.features.conventions.convention_questions import StandpointsName
from gradwire.app.kit.asking_part import AskingPart
from gradwire.app.kit.controls.form_parts import plain_label
from gradwire.app.kit.feature import Feature
from gradwire.app.kit.inspection import Found, Place
from gradwire.app.kit.lens.place_text import place_text
from gradwire.app.live.asking import ask_once
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.app.look.glossary import Term, explained
from gradwire.app.look.numbers import fmt, index_text
from gradwire.app.look.widgets import show_or_hide
from gradwire.blocks.support.conventions import FRAMEWORKS
from gradwire.blocks.support.standpoints import Numbers, Standpoint
from gradwire.engine.autodiff.expand import Link

NUMBERS_SHOWN, PLACES_SHOWN = 4, 3


class ConventionPart(AskingPart):
    """The rules at a kink, a tie or a point without a slope, above the check with finite differences."""

    def __init__(self, current: CurrentSession, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(current, appearance, parent, tr("Check and rule"), "conventions")
        self._said = plain_label("", "conventions_rules", "row", self, wraps=True)
        explained(self._said, Term.CONVENTIONS)
        self.body.addWidget(self._said)

    def question(self, place: Place) -> StandpointsName:
        """Returns the question for all points where frameworks choose."""
        return StandpointsName()

    def take(self, place: Place, answer: tuple[Standpoint, ...] | None) -> None:
        """Shows the rules at the inputs of a block, or at the end of a wire."""
        here = [item for item in answer or () if _is_at(item, place)]
        said = "\n".join(map(rules_text, here)) or tr("TensorFlow, PyTorch and JAX agree here.")
        show_or_hide(self._said, "" if answer is None else said)

    @staticmethod
    def first_place(session: Session, take: Found) -> None:
        """Hands over the block where the choice matters most."""

        def choose(answer: tuple[Standpoint, ...] | None) -> None:
            take(answer[0].port if answer else tr("No block is at a kink, a tie or a zero now."))

        ask_once(session, StandpointsName(), choose)


def _is_at(item: Standpoint, place: Place) -> bool:
    return item.port == place.target if isinstance(place, Link) else item.port.path == place.path


def rules_text(item: Standpoint) -> str:
    """Returns the point, and for each framework its slope there, the gradient that follows, and its rule."""
    shown = " ".join(index_text(place) for place in item.places[:PLACES_SHOWN]) + " …" * (item.count > PLACES_SHOWN)
    head = f"{tr_sentence(item.point)}: {place_text(item.port)} {shown}".strip()
    lines = [_line(item, number) for number in range(len(FRAMEWORKS))]
    if len(set(lines)) == 1:
        return "\n".join([head, tr("All three: {rule}", rule=lines[0])])
    told = [f"{name}: {line}" for name, line in zip(FRAMEWORKS, lines, strict=True)]
    return "\n".join([head, *told, tr("Gradwire follows TensorFlow 2.21.")])


def _line(item: Standpoint, framework: int) -> str:
    slope = _numbers_text(item.local[framework], item.count)
    here = "?" if item.here is None else _numbers_text(item.here[framework], item.count)
    return tr("slope {slope}, ∂L {here}. {rule}", slope=slope, here=here, rule=tr_sentence(item.sentences[framework]))


def _numbers_text(numbers: Numbers, count: int) -> str:
    if numbers is None:
        return tr("None")
    texts = [fmt(number) for number in numbers]
    if len(texts) > 2 and len(texts) == count and len(set(texts)) == 1:
        return f"{texts[0]} × {count}"
    return " ".join(texts[:NUMBERS_SHOWN]) + " …" * (count > NUMBERS_SHOWN)


FEATURE = Feature(
    "lens_conventions", "Conventions", "Gradients of TensorFlow, PyTorch and JAX at the kinks and ties of this graph",
    "book", part=ConventionPart,
)  # fmt: skip
