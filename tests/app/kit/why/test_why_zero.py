"""The explanation of a zero: its root with numbers of the run, the path there, and a safe fix."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import numpy as np
import pytest

from gradwire.app.kit.why.why import Why, why_of
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import ZeroCause
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph
from tests.app.kit.why.test_why import facts_of, wire
from tests.engine.autodiff.test_statuses import softmax
from tests.engine.cause_graphs import NAMED, NEAR_MISSES, OTHER_STATUSES, sigmoids, x, xor
from tests.sweeps import a_third_of


def why(graph: Graph, name: str = "x") -> Why:
    return why_of(facts_of(graph), PortName(f"main/{name}", "y"))


ZERO_NETWORK = xor(np.zeros((2, 2)), np.zeros((2, 1)))

SENTENCES = {
    "cancelled, over a broadcast":
        '0 because the terms summed at Multiply "m" cancel: 6 in size, remainder 0.',
    "cancelled, two wires":
        '0 because the gradients of the wires of Input "x" cancel: 2 in size, remainder 0.',
    "not_selected, left of Relu": '1 of 2 elements is 0: not selected by Relu "r" (x = −1 at element 1).',
    "not_selected, smaller than the maximum":
        '2 of 3 elements are 0: not selected by ReduceMax "m" (x = 1, y = 3 at element 0).',
    "flat, before the sign":
        '0 because the gradient rule of Sign "s" is 0 everywhere (x ≈ 2.718 at element 0).'
        " A small change of its input does not change its output.",
    "saturated, a hyperbolic tangent":
        '0 because Tanh "t" is saturated (y = 1 at element 0). Inputs nearer to 0 give a larger gradient.',
    "saturated, not yet zero":
        '1 of 2 elements receives almost no gradient: Sigmoid "s" is saturated (y ≈ 1 at element 1).'
        " Inputs nearer to 0 give a larger gradient.",
    "zero_factor, the other operand": '1 of 2 elements is 0: Multiply "m" multiplies by w, which is 0 at element 0.',
    "underflow, a product of small factors":
        '0 because the gradient that Multiply "a" returns is too small for float32 (y = 1e−30 at element 0).'
        " A wider dtype would represent it.",
    "at_optimum, behind a network":
        '0 because the derivative of MeanSquaredError "e" itself is 0 (y_true = 2, y_pred = 2 at element 0).'
        " Nothing is wrong: the loss has slope 0 here.",
}  # fmt: skip


@pytest.mark.parametrize("name", SENTENCES)
def test_the_sentence_names_the_root_with_its_numbers(name: str) -> None:
    found = why(NAMED[name][0])
    assert found.sentence.endswith(SENTENCES[name])
    assert found.sentence == SENTENCES[name] or found.status == "flow"


@pytest.mark.parametrize("name", a_third_of(NAMED, 1))
def test_the_way_ends_at_the_block_where_the_zero_arises(name: str) -> None:
    graph, (_, _, at) = NAMED[name]
    assert why(graph).steps[-1].path == at


@pytest.mark.parametrize("name", a_third_of(NAMED))
def test_the_glyph_of_a_zero_is_that_of_its_cause(name: str) -> None:
    graph, (cause, _, _) = NAMED[name]
    found = why(graph)
    assert found.mark == (cause if found.status == "zero" else "flow")


@pytest.mark.parametrize(
    ("variable", "sentence", "way"),
    [
        ("w1", '0 because MatMul "m2" multiplies by w2, which is 0 everywhere.', ["m1", "a1", "h", "m2"]),
        ("w2", '0 because MatMul "m2" multiplies by h, which is 0 everywhere.', ["m2"]),
        ("b2", '0 because the terms summed at Add "a2" cancel: 0.5 in size, remainder 0.', ["a2"]),
    ],
)
def test_a_network_of_zeros_has_three_reasons(variable: str, sentence: str, way: list[str]) -> None:
    """Checks the three reasons; of the four terms of 1/8, two are positive and two negative."""
    found = why(ZERO_NETWORK, variable)
    assert found.sentence == sentence
    assert [step.path.removeprefix("main/") for step in found.steps] == way


def test_the_wire_into_the_maximum_of_a_softmax_has_what_is_left_of_its_terms() -> None:
    """Checks the cancelled sum, whose absolute terms add up to 0.557354."""
    found = wire(facts_of(softmax([1, 3, 3], is_stopped=False)), "x.y", "m.x")
    assert found.sentence.startswith('≈ 0 because the terms summed at Subtract "z" cancel: 0.557 in size')
    assert [step.text for step in found.steps] == ['ReduceMax "m" receives 0', 'terms cancel at Subtract "z"']


def test_a_block_that_receives_nothing_itself_is_named_with_the_end_of_the_gradient() -> None:
    line = x([-5, 0.5]).source("low", [-1, -1], "Constant").source("high", [1, 1], "Constant")
    line = line.then("clip", "ClipByValue", "low.y", "high.y").source("w", [0, 0], "Constant")
    found = why(line.then("m", "Multiply", "w.y").loss())
    assert 'not selected by ClipByValue "clip"' in found.sentence
    assert 'ClipByValue "clip" itself receives nothing: Multiply "m" multiplies the gradient by 0.' in found.sentence
    assert [step.path for step in found.steps] == ["main/clip", "main/m"]


def test_a_port_behind_a_tie_says_how_many_share() -> None:
    assert why(NEAR_MISSES["not_selected, maxima that tie"]).sentence.endswith("2 equal maxima share the gradient.")


def test_several_causes_are_counted() -> None:
    line = x([-1, -2, 5, 1]).then("r", "Relu").source("w", [1, 1, 0, 1], "Constant").then("m", "Multiply", "w.y")
    sentence = why(line.loss()).sentence
    assert '2 of 4 elements are 0: not selected by Relu "r"' in sentence
    assert sentence.endswith("Also: 1 zero factor.")


def test_a_chain_of_a_run_with_another_cause_is_not_believed() -> None:
    facts, name = facts_of(ZERO_NETWORK), PortName("main/w1", "y")
    (row,) = [row for port, row in facts.results.ports.row_of.items() if port == name] if facts.results else [0]
    assert facts.results is not None
    zero = facts.results.ports.zeros[row]
    other = {**facts.results.ports.zeros, row: ZeroCause(zero.cause, "main/b1", zero.details)}
    ports = dataclasses.replace(facts.results.ports, zeros=other)
    changed = dataclasses.replace(facts, results=dataclasses.replace(facts.results, ports=ports))
    assert why_of(changed, name).steps == ()


# Fixes


def chosen(kind: str) -> Graph:
    return x([1, 3, 2]).then("f", kind).then("c", "Cast", dtype="float64").then("s", "Square").loss()


def weighed(kind: str) -> Graph:
    return x([1, 2]).source("w", [0, 0], kind).then("m", "Multiply", "w.y").loss()


FIXED = {
    "blocked": ("x", OTHER_STATUSES["blocked"], 'Mute StopGradient "s"'),
    "non_differentiable": ("x", OTHER_STATUSES["non_differentiable"], "Pass the gradient straight through"),
    "flat": ("x", NAMED["flat, before the sign"][0], "Pass the gradient straight through"),
    "underflow": ("x", sigmoids(80, "float32"), "Use float64"),
    "a choice": ("x", chosen("ArgMax"), 'Replace ArgMax "f" by a softmax'),
    "a choice of the smallest": ("x", chosen("ArgMin"), 'Replace ArgMin "f" by a softmax'),
    "a weight of zeros": ("x", weighed("Variable"), "Fill w with small random numbers"),
    # Weights of the second layer wait for the weights of the first, not for its bias.
    "weights behind a layer of zeros": ("w2", ZERO_NETWORK, "Fill w1 with small random numbers"),
}


@pytest.mark.parametrize("name", FIXED)
def test_a_fix_makes_the_gradient_flow(name: str) -> None:
    block, graph, text = FIXED[name]
    fix = why(graph, block).fix
    assert fix is not None
    assert fix.text == text
    assert evaluate(fix.edit(graph, *fix.args)).port(f"main/{block}.y").status == "flow"


@pytest.mark.parametrize("kind", ["Constant", "Input"])
def test_data_that_is_0_is_not_filled(kind: str) -> None:
    assert why(weighed(kind)).fix is None


@pytest.mark.parametrize("name", ["non_differentiable", "flat"])
def test_what_is_passed_straight_through_is_not_offered_a_fix_again(name: str) -> None:
    """Offers no fix: the wire is still cut, but muting the new stop would lose its port's gradient."""
    _, graph, _ = FIXED[name]
    fix = why(graph).fix
    assert fix is not None
    facts = facts_of(fix.edit(graph, *fix.args))
    assert facts.results is not None
    passed = [link for link in facts.results.wires.row_of if why_of(facts, link.source).status == "flow"]
    cut = [found for link in passed if (found := why_of(facts, link)).status != "flow"]
    assert cut and not any(found.fix for found in cut)


def test_weights_of_zeros_can_be_filled() -> None:
    fix = why(ZERO_NETWORK, "w1").fix
    assert fix is not None
    assert fix.text == "Fill w2 with small random numbers"
    assert evaluate(fix.edit(ZERO_NETWORK, *fix.args)).port("main/h.y").status == "flow"


@pytest.mark.parametrize(
    "graph",
    [
        NAMED["zero_factor, the other operand"][0],
        NAMED["saturated, a hyperbolic tangent"][0],
        NAMED["underflow, far left of the exponential"][0],
        NAMED["cancelled, two wires"][0],
        OTHER_STATUSES["no_path"],
        # The block needs whole numbers: no soft substitute can replace them.
        x([1, 3]).then("f", "ArgMax").then("g", "Gather", "x.y").then("r", "Round").loss(),
        # No source of the zero is zero itself.
        x([1, 2])
        .source("c", [3, 4])
        .then("d", "Subtract", "c.y")
        .then("e", "Subtract", "d.z")
        .on("c.y")
        .then("m", "Multiply", "e.z")
        .on("x.y")
        .then("n", "Multiply", "e.z")
        .loss(),
    ],
)
def test_where_nothing_is_safe_nothing_is_offered(graph: Graph) -> None:
    assert why(graph).fix is None


# Graphs of people


def of_people(name: str, place: str) -> str:
    (file,) = (Path(__file__).parents[3] / "data" / "field").glob(f"{name}*.graph")
    ends = [PortName(*end.rsplit(".", 1)) for end in place.split(" -> ")]
    facts = facts_of(load(file).graph)
    return why_of(facts, Link(*ends) if len(ends) == 2 else ends[0]).sentence


def test_a_softmax_over_one_element_says_that_it_never_changes() -> None:
    said = of_people("06", "main/MatMul.product -> main/Softmax.x")
    assert 'Softmax "Softmax" has only one input there, so its result never changes.' in said
    assert said.endswith("For a single output use Sigmoid; a softmax needs one output for each class.")


def test_a_row_that_may_see_one_place_only_says_so() -> None:
    said = of_people("04", "main/Add.z -> main/att.x")
    assert said.endswith('Softmax "att" has only one finite input there, so its result never changes.')


def test_the_second_slope_of_a_network_of_kinks_is_constant() -> None:
    assert of_people("12", "main/x.y") == (
        '0 because Gradients "slope" is constant here: the slope of LeakyRelu "act" does not change.'
    )


def test_an_exponent_above_a_negative_base_names_the_rule_and_no_zero() -> None:
    """TensorFlow's rule gives 0 there; neither the base nor the exponent is 0."""
    graph = x(-2.0).source("b", 3.0).then("p", "Pow", "b.y").loss()
    assert why(graph, "b").sentence == '0 because the rule of Pow "p" gives 0 (x = −2).'


def test_a_masked_entry_is_no_optimum() -> None:
    graph = x([0.5, 1.0]).source("mask", [0.0, 1.0]).then("m", "Multiply", "mask.y").then("s", "Square").loss()
    assert why(graph).sentence.endswith("The loss stays the same, however this element changes.")
