"""The sentences on gradients and zeros, word for word, and the facts that they are made of."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gradwire.app.live.explanation.explanation import Case, Explanation, Zeros, explain
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.explanation.sentences import (
    gradient_sentence,
    own_gradient_sentence,
    own_rule_page,
    stopped_sentence,
    tie_sentence,
)
from gradwire.app.live.explanation.zero_sentences import Step, cut_steps, steps_of, zero_sentences
from gradwire.app.live.readings.hidden import Hidden
from gradwire.app.live.readings.readings import reading_of
from gradwire.app.live.why import WhyZero
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.problems import Problem
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.edits.edits import add_block, connect, remove_blocks
from gradwire.engine.evaluation.snapshot import Tie
from gradwire.engine.explain.why_zero import Kind, Reason
from gradwire.engine.graph.graph import Block, Graph, Port
from tests.app.kit.why.test_why import facts_of, graph_of
from tests.app.kit.why.test_why_zero import SENTENCES, ZERO_NETWORK
from tests.app.window.graphs import decay
from tests.engine.cause_graphs import NAMED, OTHER_STATUSES, sigmoids, x
from tests.engine.own_gradients import of_cube

X = PortName("main/x", "y")


def place(text: str) -> PortName | Link:
    ends = [PortName(f"main/{end.rpartition('.')[0]}", end.rpartition(".")[2]) for end in text.split(" > ")]
    return Link(*ends) if len(ends) == 2 else ends[0]


@pytest.mark.parametrize("name", SENTENCES)
def test_a_zero_names_its_root_with_numbers(name: str) -> None:
    facts = facts_of(NAMED[name][0])
    assert zero_sentences(facts, explain(facts, X)) == SENTENCES[name]


FLAT = x([1.5, 2.5]).then("t", "Tanh").then("f", "Floor").loss()


def zeros(**changes: Any) -> Zeros:
    return dataclasses.replace(Zeros(Cause.SATURATED, "main/t", 2, 2, False, {}, None, ()), **changes)


@pytest.mark.parametrize(
    ("changes", "norm", "sentence"),
    [
        ({}, 0.0, '0 because the slope of Tanh "t" is about 0.'),
        ({}, 1e-17, '≈ 0 because the slope of Tanh "t" is about 0. The number 1e−17 is rounding error.'),
        ({"is_tiny": True}, 1e-9, 'The gradient is almost 0, because the slope of Tanh "t" is about 0.'),
        ({"count": 1}, 1.0, '1 of 2 elements is 0: the slope of Tanh "t" is about 0.'),
        ({"count": 2, "size": 3000}, 1.0, '2 of 3,000 elements are 0: the slope of Tanh "t" is about 0.'),
        (
            {"count": 1, "is_tiny": True}, 1.0,
            '1 of 2 elements receives almost no gradient: the slope of Tanh "t" is about 0.',
        ),
        (
            {"count": 2, "size": 3, "is_tiny": True}, 1.0,
            '2 of 3 elements receive almost no gradient: the slope of Tanh "t" is about 0.',
        ),
        (
            {"count": 1, "others": {Cause.ZERO_FACTOR: 1200, Cause.CANCELLED: 1}}, 1.0,
            '1 of 2 elements is 0: the slope of Tanh "t" is about 0. Also: 1,200 zero factor, 1 cancelled.',
        ),
        (
            {"upstream": (Cause.FLAT, "main/f")}, 0.0,
            '0 because the slope of Tanh "t" is about 0. Tanh "t" itself receives nothing: '
            'the gradient rule of Floor "f" is 0.',
        ),
    ],
)  # fmt: skip
def test_which_elements_are_zero_and_what_is_beside_them(changes: dict[str, Any], norm: float, sentence: str) -> None:
    facts, gradient = facts_of(FLAT), reading_of(np.array([norm]))
    found = Explanation(X, "main/x", None, Status.ZERO, None, gradient, zeros=zeros(**changes))
    assert zero_sentences(facts, found) == sentence
    assert zero_sentences(facts, dataclasses.replace(found, zeros=None)) == ""
    assert zero_sentences(facts, dataclasses.replace(found, gradient=None)) == ""


def steps(graph: Graph, at: str) -> list[tuple[str, str]]:
    facts = facts_of(graph)
    found = explain(facts, place(at))
    assert found.zeros is not None
    return [(step.path.removeprefix("main/"), step.text) for step in steps_of(facts, found.place, found.zeros)]


def test_the_steps_to_a_root_are_its_blocks_each_once() -> None:
    assert steps(ZERO_NETWORK, "w1.y") == [
        ("m1", 'MatMul "m1" receives 0'),
        ("a1", 'Add "a1" receives 0'),
        ("h", 'Tanh "h" receives 0'),
        ("m2", 'MatMul "m2" multiplies the gradient by 0'),
    ]
    assert steps(ZERO_NETWORK, "b2.y") == [("a2", 'terms cancel at Add "a2"')]
    line = x([1.0, 2.0]).then("a", "Exp").source("z", [0.0, 0.0], "Constant")
    both = line.on("a.y").then("p", "Multiply", "z.y").on("a.y").then("q", "Multiply", "z.y").then("s", "Add", "p.z")
    found = steps(both.loss(), "x.y")
    assert found[0] == ("a", 'Exp "a" receives 0 from all its wires')
    assert found[-1][1].endswith("multiplies the gradient by 0")


@pytest.mark.parametrize("start", [PortName("main/a", "y"), PortName("main/other", "y")])
def test_the_steps_end_at_the_root_and_where_its_own_gradient_ended(start: PortName) -> None:
    def link(name: str, kind: Kind, *upstream: Reason) -> Reason:
        return dataclasses.replace(Reason(None, kind, (f"main/{name}",)), upstream=upstream)

    passes, all_wires = Kind.ARRIVES, Kind.ALL_WIRES
    far = link("far", passes)
    chain = (
        link("a", passes),
        link("b", passes, link("never", passes)),
        link("b", all_wires),
        link("r", Kind.FLAT, far),
    )
    zeros: Any = SimpleNamespace(chain=chain, at="main/r", cause=next(iter(Cause)))
    facts: Any = SimpleNamespace(title=lambda path: path)
    found = steps_of(facts, start, zeros)
    paths = [step.path.removeprefix("main/") for step in found]
    assert paths == [*(["a"] if start.path != "main/a" else []), "b", "r", "far"]
    texts = {step.path: step.text for step in found}
    assert texts["main/b"] == "main/b receives 0 from all its wires" and texts["main/far"] == "main/far receives 0"
    zeros.chain = ()
    assert steps_of(facts, start, zeros) == ()


def test_the_blocks_that_cut_are_steps_of_their_own() -> None:
    facts = facts_of(OTHER_STATUSES["blocked"])
    assert cut_steps(facts, ["main/s"], Status.BLOCKED) == (Step("main/s", 'StopGradient "s" blocks it'),)
    floor = facts_of(FLAT)
    assert cut_steps(floor, ["main/f"], Status.NON_DIFFERENTIABLE) == (Step("main/f", 'Floor "f" returns no gradient'),)


def test_a_chain_is_believed_only_if_it_ends_at_the_cause_of_the_run() -> None:
    facts = facts_of(ZERO_NETWORK)
    w1 = place("w1.y")
    known = explain(facts, w1).zeros
    assert known is not None and known.is_whole and known.cause is Cause.ZERO_FACTOR and known.chain
    other = {**facts.answers, WhyZero(w1): facts.answers[WhyZero(place("b2.y"))]}
    found = explain(dataclasses.replace(facts, answers=other), w1).zeros
    assert found is not None and found.chain == () and found.at == known.at


GRADIENTS = graph_of(
    {"x": ("Input", {"value": 2.0}), "s": ("Square", {}), "g": ("Gradients", {}), "loss": ("Loss", {})},
    [("x.y", "s.x"), ("s.y", "g.y"), ("x.y", "g.xs_0"), ("g.g_0", "loss.x")],
)
STOPPED = x([1.0, 2.0]).then("stop", "StopGradient").then("e", "Exp").loss()


def two_losses() -> Graph:
    graph, _ = add_block(x([1.0, 2.0]).then("s", "Square").loss(), "main", "Loss", id="second")
    return connect(graph, "main", Port("s", "y"), Port("second", "x"))


@pytest.mark.parametrize(
    ("graph", "at", "case"),
    [
        (STOPPED, "x.y > stop.x", Case.ENDS_AT_STOP),
        (STOPPED, "x.y", None),
        (GRADIENTS, "s.y > g.y", Case.ASKED_FOR),
        (GRADIENTS, "s.y", None),
        (remove_blocks(STOPPED, "main", "loss"), "x.y", Case.NO_LOSS),
        (remove_blocks(STOPPED, "main", "loss"), "x.y > stop.x", Case.NO_LOSS),
        (STOPPED, "loss.y", Case.SEED),
        (STOPPED, "e.y > loss.x", None),
        (STOPPED, "e.y", None),
        (FLAT, "x.y > t.x", None),
    ],
)
def test_some_gradients_are_a_case_of_their_own(graph: Graph, at: str, case: Case | None) -> None:
    assert explain(facts_of(graph), place(at)).case is case


# The stop withholds the slopes of exp: their norm is that of (e, e²).
WITHHELD = f"(withheld: a gradient of size {np.hypot(np.e, np.e**2):.4g})"
NO_LOSS = "There is no loss, so nothing has a gradient. Add a Loss block."


@pytest.mark.parametrize(
    ("graph", "at", "sentence"),
    [
        (STOPPED, "x.y > stop.x", f'This wire ends at StopGradient "stop", which always returns 0 {WITHHELD}.'),
        (STOPPED, "loss.y", "This is the loss itself: ∂L/∂L is 1 by definition."),
        (remove_blocks(STOPPED, "main", "loss"), "x.y", NO_LOSS),
        (FLAT, "t.y", 'The only path from t to the loss runs through Floor "f", which has no derivative.'),
        (FLAT, "x.y > t.x", 'The only path from x along this wire to the loss runs through Floor "f", which has no '
         "derivative."),
        (x([1.0, 2.0]).source("z", 3.0).on("z.y").then("s", "Square").loss(), "x.y",
         "No path leads from x to the loss: the loss does not depend on it."),
        (x([1.0, 3.0]).then("f", "ArgMax").then("c", "Cast", dtype="float64").loss(), "f.y",
         "The values here are int64; only floating point values have a gradient."),
        (STOPPED, "e.y", ""),
    ],
)  # fmt: skip
def test_a_gradient_is_explained_in_a_sentence(graph: Graph, at: str, sentence: str) -> None:
    facts = facts_of(graph)
    assert gradient_sentence(facts, explain(facts, place(at))) == sentence


def stops(count: int) -> Graph:
    line = x([1.0, 2.0])
    for number in range(count):
        line.on("x.y").then(f"s{number}", "StopGradient")
    line.on("s0.y")
    for number in range(1, count):
        line.then(f"a{number}", "Add", f"s{number}.y")
    return line.loss()


@pytest.mark.parametrize(("count", "more"), [(2, ""), (3, ""), (4, "; by 1 more block"), (5, "; by 2 more blocks")])
def test_three_of_the_blocks_that_cut_are_named(count: int, more: str) -> None:
    facts = facts_of(stops(count))
    said = gradient_sentence(facts, explain(facts, X))
    assert said.startswith("Every path from x to the loss is blocked by ")
    assert said.count("StopGradient") == min(count, 3)
    assert said.endswith(f"{more}.") and ("more block" in said) is bool(more)


def test_what_is_unknown_says_why() -> None:
    facts = facts_of(
        x([1.0, 2.0]).source("y", [1.0, 2.0, 3.0]).on("x.y").then("s", "Add", "y.y").then("e", "Exp").loss()
    )

    def said(facts: Facts, at: str) -> str:
        return gradient_sentence(facts, explain(facts, place(at)))

    assert said(facts, "s.z").startswith('Add "s" has an error: ')
    assert said(facts, "e.y") == "Unknown until the error or missing input on this path is fixed."
    assert said(dataclasses.replace(facts, results=None), "e.y") == "Nothing has been computed yet."
    assert facts.results is not None
    hidden = dataclasses.replace(facts, results=dataclasses.replace(facts.results, hidden=Hidden.AHEAD))
    assert said(hidden, "e.y") == said(hidden, "s.z") == "Step mode has not reached it yet."
    warned = dataclasses.replace(facts, problems=(Problem("warning", "main/s", "parameter", "Odd."),))
    assert said(warned, "s.z") == "Unknown until the error or missing input on this path is fixed."


def test_a_gradient_without_a_number_is_unknown() -> None:
    facts = facts_of(STOPPED)
    reading = facts.reading(place("e.y"))
    assert reading is not None and explain(facts, place("e.y")).status is Status.FLOW
    assert explain(facts, place("gone.y")).status is Status.UNKNOWN
    assert (explain(facts, place("x.y > e.x")).path, explain(facts, place("x.y > stop.x")).path) == ("main/e", "main/x")


def test_what_is_carried_into_a_round_may_stop_there() -> None:
    found = {path: stopped_sentence(item) for path, item in facts_of(decay(4, 2)).instances.items()}
    told = sorted(text for text in found.values() if text)
    assert told and all(
        text.startswith("The gradient stops here: what is carried into round ")
        and " passes a StopGradient, so round " in text
        for text in told
    )
    for text in told:
        into, before = (int(word.strip(",")) for word in text.split() if word.strip(",").isdigit())
        assert before == into - 1
    assert stopped_sentence(None) == ""
    assert not any(stopped_sentence(item) for item in facts_of(decay(4)).instances.values())


def test_equal_elements_are_told_in_the_words_of_their_problem_or_counted() -> None:
    facts, tie = facts_of(FLAT), Tie("main/t", 2000)
    assert tie_sentence(facts, None) == ""
    assert tie_sentence(facts, tie) == '2,000 elements are equal at Tanh "t".'
    problems = [Problem("info", at, code, f"{at} {code}.") for at in ("main/t", "main/f") for code in ("tie", "other")]
    assert tie_sentence(dataclasses.replace(facts, problems=problems), tie) == "main/t tie."


def test_facts_name_blocks_and_find_their_errors() -> None:
    facts = facts_of(FLAT)
    assert (facts.title("main/t"), facts.name("main/t"), facts.title("gone"), facts.name("gone")) == (
        'Tanh "t"', "t", "gone", "gone",
    )  # fmt: skip
    assert facts.is_a("main/t", ["Tanh"]) and not facts.is_a("main/t", ["Exp"]) and not facts.is_a("gone", ["Tanh"])
    assert facts.role("gone") is None and facts.reading(None) is None
    errors = [
        Problem("warning", "main/t", "a", "A."),
        Problem("error", "main/f", "b", "B."),
        Problem("error", "main/t", "c", "C."),
    ]
    assert dataclasses.replace(facts, problems=errors).error_at("main/t") == errors[2]
    assert facts.error_at("main/t") is None


def test_a_narrow_dtype_is_blamed_for_an_underflow() -> None:
    facts = facts_of(sigmoids(80, "float32"))
    said = zero_sentences(facts, explain(facts, X))
    assert "is too small for float32" in said and said.endswith("A wider dtype would represent it.")


def test_a_page_with_a_gradient_of_its_own_is_named() -> None:
    graph = of_cube()
    facts = facts_of(graph)
    (used,) = [block for block in graph.page("main").blocks.values() if block.type == "Page"]
    page_name = own_gradient_sentence(graph, used)
    assert page_name.startswith("Own gradient: page ") and page_name.endswith(" computes it, not the blocks inside.")
    assert own_gradient_sentence(graph, Block("e", "Exp")) == ""
    (wire,) = [
        link for link in (facts.results.wires.row_of if facts.results else ()) if link.target.path == f"main/{used.id}"
    ]
    name = own_rule_page(facts, explain(facts, wire))
    assert name and name in page_name
    assert own_rule_page(facts, explain(facts, wire.source)) == ""
    plain = graph_without_rule(graph)
    assert own_gradient_sentence(plain, used) == ""


def graph_without_rule(graph: Graph) -> Graph:
    pages = tuple(dataclasses.replace(item, gradient=None) for item in graph.pages)
    return dataclasses.replace(graph, pages=pages)


def test_a_stop_that_no_run_has_read_withholds_nothing_that_is_known() -> None:
    facts = facts_of(x([1.0]).then("stop", "StopGradient").loss())
    found = explain(facts, X)
    said = 'The only path from x to the loss runs through StopGradient "stop", which always returns 0'
    assert gradient_sentence(facts, found) == f"{said} (withheld: 1)."
    assert gradient_sentence(dataclasses.replace(facts, results=None), found) == f"{said}."
