"""One explanation and its three renderers: card, voice and inspector name the same cause and the same blocks."""

from __future__ import annotations

import pytest

from gradwire.app.canvas.access.sentences import block_words, explained, gradient_words
from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.geometry.target import Target
from gradwire.app.canvas.overlays.cards.card_facts import facts_of as card_of
from gradwire.app.kit.why.why import why_of
from gradwire.app.live.explanation.explanation import Case
from gradwire.app.live.explanation.run_facts import facts_of_session
from gradwire.app.look.status_texts import cause_clause, status_label
from gradwire.engine.autodiff.status import Status
from gradwire.engine.graph.graph import Wire
from tests.app.canvas.pages import example, mirror_of
from tests.gallery import examples_of_each_wiring
from tests.sweeps import a_third_of

pytestmark = pytest.mark.usefixtures("qapp")


def said_of(mirror: Mirror, wire: Wire) -> tuple[str, str, str]:
    """Returns what card, voice and inspector say about the gradient of a wire."""
    card = card_of(mirror, Target(wire=wire))
    assert card is not None
    link = mirror.session.link(wire)
    why = why_of(facts_of_session(mirror.session), link)
    return card.text, gradient_words(mirror, explained(mirror, link)), f"{why.result} {why.sentence}"


@pytest.mark.parametrize("name", a_third_of(examples_of_each_wiring()))
def test_card_voice_and_inspector_say_the_same(name: str) -> None:
    mirror = mirror_of(example(name))
    for wire in mirror.wires:
        found = explained(mirror, mirror.session.link(wire))
        card, voice, inspector = said_of(mirror, wire)
        if found.zeros is not None:
            parts = cause_clause(found.zeros.cause, "§").split("§")
            assert all(part in text for part in parts for text in (card, voice, inspector))
        if found.status in (Status.BLOCKED, Status.NON_DIFFERENTIABLE):
            assert status_label(found.status) in card and status_label(found.status) in inspector
            titles = list(map(facts_of_session(mirror.session).title, found.by[:3]))
            assert titles and all(title in card and title in inspector for title in titles)
            assert all(block_words(mirror, path) in voice for path in found.by)


def test_a_wire_behind_a_stop_ends_there_and_one_before_it_is_cut() -> None:
    mirror = mirror_of(example("softmax_stable"))
    found = {str(wire.target): explained(mirror, mirror.session.link(wire)) for wire in mirror.wires}
    assert {found["stop.x"].status, found["m.x"].status} == {Status.BLOCKED}
    assert (found["stop.x"].case, found["m.x"].case) == (Case.ENDS_AT_STOP, None)
    assert (found["z.y"].status, found["loss.x"].status) == (Status.ZERO, Status.FLOW)


def test_without_a_run_an_explanation_says_so() -> None:
    mirror = mirror_of(example("softmax_stable"))
    mirror.session.runs.results = None
    found = explained(mirror, mirror.session.link(mirror.wires[0]))
    assert (found.case, found.status, found.mark) == (None, Status.UNKNOWN, "unknown")
