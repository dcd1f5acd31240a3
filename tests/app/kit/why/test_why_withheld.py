"""What a StopGradient withholds, as it stands in the card."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gradwire.app.base.examples import example_path
from gradwire.app.kit.why.why import why_of
from gradwire.app.kit.why.why_product import calculated_sentence, calculated_text
from gradwire.app.kit.why.why_withheld import WithheldView
from gradwire.app.live.explanation.run_facts import Facts, facts_of_session
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.questions.product_question import ProductWanted
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.files import load


def explained(name: str, link: Link) -> Facts:
    """Returns the facts about an example, with the answer for a wire."""
    graph = load(example_path(name)).graph
    session = Session(graph, InlineEvaluator)
    facts = facts_of_session(session)
    asked = ProductWanted(link)
    facts = Facts(facts.expanded, facts.results, graph=graph, answers={asked: asked.answer(run_graph(graph))})
    session.close()
    return facts


def test_the_terms_of_a_withheld_sum_stand_in_a_table(qtbot: QtBot) -> None:
    link = Link(PortName("main/m", "y"), PortName("main/stop", "x"))
    why = why_of(explained("softmax_stable", link), link)
    assert why.sentence == "StopGradient stands on the only path from here to the loss. Its rule is 0."
    assert why.subject == "StopGradient"
    made = WithheldView(Appearance("dark"), "held", None)
    qtbot.addWidget(made)
    made.show_withheld(why.withheld)
    texts = [label.text() for label in made.findChildren(QLabel)]
    assert texts == [
        "≈ 0", "What it holds back", "from x[0] − 3", "+0.0890", "from x[1] − 3", "+0.190", "from x[2] − 3", "−0.279",
        "sum: the 3 terms cancel", "≈ 0",
    ]  # fmt: skip
    assert made.accessibleName().splitlines()[1] == "from x[0] − 3 +0.0890"
    made.show_withheld(None)
    assert made.isHidden()


def test_an_overflow_is_told_with_its_numbers_and_the_nan_that_comes_of_it() -> None:
    link = Link(PortName("main/x", "y"), PortName("main/e", "x"))
    facts = explained("softmax_naive", link)
    found = facts.product(link)
    assert found is not None
    said = "exp(1000) is larger than a number can be (the limit is 709.78). Divide then makes ∞ ÷ ∞."
    assert calculated_sentence(facts, found.calculations) == said
    product = calculated_text(facts, found.calculations)
    told = [(box.number, box.origin, box.is_ringed) for box in product.boxes]
    assert told == [("∞", "from Exp", False), ("∞", "from ReduceSum", False), ("NaN", "value of Divide", True)]
    assert product.sign == "÷" and why_of(facts, link).sentence.startswith(said)
    assert why_of(facts, link).subject == "exp(1000)"
