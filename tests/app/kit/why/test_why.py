"""Every status of a gradient is explained in plain sentences with the numbers of the run."""

from __future__ import annotations

import dataclasses
import math

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.examples import example_path
from gradwire.app.kit.why.why import Why, why_of
from gradwire.app.kit.why.why_nonfinite import nonfinite_texts
from gradwire.app.live.explanation.explanation import Explanation
from gradwire.app.live.explanation.run_facts import Facts
from gradwire.app.live.readings.readings import Reading, reading_of, results_of
from gradwire.app.live.why import WhyDeviates, WhyZero
from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.autodiff.status import Status
from gradwire.engine.edits.edits import add_block, connect, remove_blocks, set_parameter
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.files.files import load
from gradwire.engine.graph.graph import Graph, Port

Placed = dict[str, tuple[str, dict[str, object]]]


def graph_of(placed: Placed, wires: list[tuple[str, str]]) -> Graph:
    graph = Graph()
    for name, (type_name, parameters) in placed.items():
        graph, _ = add_block(graph, "main", type_name, id=name, parameters=parameters)
    for source, target in wires:
        graph = connect(graph, "main", Port(*source.split(".")), Port(*target.split(".")))
    return graph


def facts_of(graph: Graph, *asked: PortName | Link) -> Facts:
    """Runs a graph; returns what is known once the places asked for have answers, by default all."""
    run = run_graph(graph)
    places = asked or (*run.snapshot.ports, *run.snapshot.wires)
    answers = {ask(place): ask(place).answer(run) for ask in (WhyZero, WhyDeviates) for place in places}
    expanded = infer_specs(graph).expanded
    results = results_of(run.snapshot, 1)
    return Facts(expanded, results, run.snapshot.problems, graph, answers)


def port(facts: Facts, name: str) -> Why:
    block, _, output = name.partition(".")
    return why_of(facts, PortName(f"main/{block}", output))


def wire(facts: Facts, source: str, target: str) -> Why:
    ends = [PortName(f"main/{block}", end) for block, _, end in (source.partition("."), target.partition("."))]
    return why_of(facts, Link(*ends))


@pytest.fixture(scope="module")
def softmax() -> Facts:
    """The stable softmax of [1, 3, 3] with weights [1, 2, 3].

    By hand, e = [e^-2, 1, 1] and s = 2 + e^-2.
    """
    return facts_of(load(example_path("softmax_stable")).graph)


@pytest.fixture(scope="module")
def stopped() -> Facts:
    """L = 3 stop(x) + floor(x): the StopGradient withholds 3, the Floor has no derivative."""
    placed: Placed = {
        "x": ("Input", {"value": 2.0}),
        "three": ("Constant", {"value": 3.0}),
        "stop": ("StopGradient", {}),
        "times": ("Multiply", {}),
        "floor": ("Floor", {}),
        "sum": ("Add", {}),
        "loss": ("Loss", {}),
        "which": ("ArgMax", {"axis": 0}),
        "many": ("Input", {"value": [5.0, 7.0]}),
    }
    wires = [("x.y", "stop.x"), ("stop.y", "times.x"), ("three.y", "times.y"), ("times.z", "sum.x")]
    wires += [("x.y", "floor.x"), ("floor.y", "sum.y"), ("sum.z", "loss.x"), ("many.y", "which.x")]
    return facts_of(graph_of(placed, wires))


def test_a_wire_that_carries_names_the_block_that_sends_the_gradient_and_its_norm(softmax: Facts) -> None:
    total = 2 + math.exp(-2)
    loss = (math.exp(-2) + 2 + 3) / total
    norm = math.hypot(*(p / total * (w - loss) for p, w in ((math.exp(-2), 1), (1, 2), (1, 3))))
    why = wire(softmax, "x.y", "z.x")
    assert why.status is Status.FLOW
    assert why.mark == "flow"
    assert why.result == f"size {norm:.3f}"
    assert why.sentence.startswith(f'Subtract "z" returns a gradient of size {norm:.3f}.')


def test_the_gradient_of_a_scalar_says_how_the_loss_follows(softmax: Facts) -> None:
    total = 2 + math.exp(-2)
    slope = (math.exp(-2) + 2 + 3) / total**2
    why = port(softmax, "s.y")
    assert why.result == f"−{slope:.4g}"
    assert why.sentence == f"By the gradient, +0.01 at s changes the loss by about −{0.01 * slope:.3g}."


def test_the_element_that_matters_most_is_named(softmax: Facts) -> None:
    assert port(softmax, "p.z").sentence == (
        "By the gradient, p[2] matters most: +0.01 there changes the loss by about +0.03."
    )


def test_the_sum_over_several_wires_is_said(softmax: Facts) -> None:
    assert "sum of the gradients of 2 wires" in port(softmax, "x.y").sentence


def test_the_loss_itself_has_gradient_1_by_definition(softmax: Facts) -> None:
    why = port(softmax, "loss.y")
    assert (why.result, why.sentence) == ("1", "This is the loss itself: ∂L/∂L is 1 by definition.")


def test_a_port_behind_a_stop_names_the_stop(softmax: Facts) -> None:
    why = port(softmax, "m.y")
    assert (why.status, why.mark, why.result) == (Status.BLOCKED, "blocked", "0 blocked")
    start = 'The only path from m to the loss runs through StopGradient "stop", which always returns 0'
    assert why.sentence.startswith(start)


def test_a_wire_into_a_stop_says_what_is_kept_back(stopped: Facts) -> None:
    assert wire(stopped, "x.y", "stop.x").sentence == (
        'This wire ends at StopGradient "stop", which always returns 0 (withheld: 3).'
    )


def test_a_rounding_error_counts_as_zero(softmax: Facts) -> None:
    why = wire(softmax, "stop.y", "z.y")
    assert (why.status, why.mark, why.result) == (Status.ZERO, "cancelled", "≈ 0")
    assert why.sentence.endswith("The number 1.7e−16 is rounding error.")


def test_an_exact_zero_is_no_rounding_error() -> None:
    placed: Placed = {
        "x": ("Input", {"value": 2.0}),
        "zero": ("Constant", {"value": 0.0}),
        "times": ("Multiply", {}),
        "loss": ("Loss", {}),
    }
    facts = facts_of(graph_of(placed, [("x.y", "times.x"), ("zero.y", "times.y"), ("times.z", "loss.x")]))
    assert (port(facts, "x.y").result, port(facts, "x.y").sentence) == (
        "0",
        '0 because Multiply "times" multiplies by zero, which is 0.',
    )


def test_a_block_without_derivative_is_named(stopped: Facts) -> None:
    why = wire(stopped, "x.y", "floor.x")
    assert (why.status, why.mark, why.result) == (Status.NON_DIFFERENTIABLE, "non_differentiable", "0 no derivative")
    assert 'runs through Floor "floor", which has no derivative' in why.sentence


def test_several_cuts_are_all_named(stopped: Facts) -> None:
    sentence = port(stopped, "x.y").sentence
    assert sentence.startswith("Every path from x to the loss is blocked by ")
    assert 'StopGradient "stop"' in sentence
    assert 'Floor "floor"' in sentence


def test_no_path_says_that_the_loss_does_not_depend_on_it(stopped: Facts) -> None:
    why = port(stopped, "many.y")
    assert (why.status, why.mark, why.result) == (Status.NO_PATH, "no_path", "no path")
    assert why.sentence == "No path leads from many to the loss: the loss does not depend on it."


def test_without_a_loss_that_is_the_reason(stopped: Facts) -> None:
    graph = remove_blocks(load(example_path("softmax_stable")).graph, "main", "loss")
    assert port(facts_of(graph), "x.y").sentence.startswith("There is no loss")


def test_integers_have_no_gradient_and_the_dtype_is_said(stopped: Facts) -> None:
    why = port(stopped, "which.y")
    assert (why.status, why.result) == (Status.NO_GRADIENT_DTYPE, "no gradient")
    assert "int64" in why.sentence


def test_nan_and_infinite_elements_are_counted() -> None:
    placed: Placed = {
        "x": ("Input", {"value": np.array([1.0, math.nan, 4.0])}),
        "root": ("Sqrt", {}),
        "loss": ("Loss", {}),
    }
    why = port(facts_of(graph_of(placed, [("x.y", "root.x"), ("root.y", "loss.x")])), "x.y")
    assert (why.status, why.mark, why.result) == (Status.NONFINITE, "nonfinite", "NaN 1 of 3")
    assert why.sentence.startswith('Input "x" holds NaN at element 1. ')


def test_nan_names_the_broken_value_and_the_step_backward_and_where_to_look() -> None:
    """Explains NaN: exp(1000) is infinite, and the rule of the quotient meets it first in the backward pass."""
    placed: Placed = {
        "x": ("Input", {"value": [1000.0, 1001.0]}),
        "e": ("Exp", {}),
        "s": ("ReduceSum", {}),
        "p": ("Divide", {}),
        "loss": ("Loss", {}),
    }
    wires = [("x.y", "e.x"), ("e.y", "s.x"), ("e.y", "p.x"), ("s.y", "p.y"), ("p.z", "loss.x")]
    why = port(facts_of(graph_of(placed, wires)), "x.y")
    assert (why.result, why.origin) == ("NaN 2 of 2", "main/e")
    assert why.sentence == (
        'Exp "e" makes inf at element 0: exp(1000) = inf, since 1000 > 709.78, the largest argument in float64. '
        'Divide "p" makes the gradient of y NaN: in its derivative (-inf) / inf = NaN.'
    )


def test_a_gradient_that_breaks_only_backward_leads_to_that_block(softmax: Facts) -> None:
    placed: Placed = {"x": ("Input", {"value": 0.0}), "root": ("Sqrt", {}), "loss": ("Loss", {})}
    why = wire(facts_of(graph_of(placed, [("x.y", "root.x"), ("root.y", "loss.x")])), "x.y", "root.x")
    assert (why.result, why.origin) == ("inf 1 of 1", "")
    assert 'Sqrt "root" makes the gradient of x inf: sqrt\'(0) = inf.' in why.sentence
    assert why.sentence.endswith('Keep the input of Sqrt "root" above 0, for example by adding 1e−8 to it.')
    assert port(softmax, "x.y").origin == ""


def test_an_error_explains_what_is_unknown() -> None:
    placed: Placed = {"e": ("Exp", {}), "loss": ("Loss", {})}
    why = port(facts_of(graph_of(placed, [("e.y", "loss.x")])), "e.y")
    assert (why.status, why.mark, why.result) == (Status.UNKNOWN, "unknown", "?")
    assert why.sentence.startswith('Exp "e" has an error: ')


def test_before_the_first_run_nothing_has_been_computed(softmax: Facts) -> None:
    facts = dataclasses.replace(softmax, results=None)
    assert port(facts, "x.y").sentence == "Nothing has been computed yet."


def test_a_tie_is_told_where_the_gradient_is_shared() -> None:
    placed: Placed = {
        "x": ("Input", {"value": [1.0, 3.0, 3.0]}),
        "m": ("ReduceMax", {}),
        "loss": ("Loss", {}),
    }
    facts = facts_of(graph_of(placed, [("x.y", "m.x"), ("m.y", "loss.x")]))
    assert wire(facts, "x.y", "m.x").sentence.endswith("2 equal maxima share the gradient.")


def test_a_wire_into_gradients_only_says_what_to_differentiate() -> None:
    placed: Placed = {"x": ("Input", {"value": 2.0}), "s": ("Square", {}), "g": ("Gradients", {}), "loss": ("Loss", {})}
    wires = [("x.y", "s.x"), ("s.y", "g.y"), ("x.y", "g.xs_0"), ("g.g_0", "loss.x")]
    facts = facts_of(graph_of(placed, wires))
    for ends in (("s.y", "g.y"), ("x.y", "g.xs_0")):
        why = wire(facts, *ends)
        assert (why.status, why.result) == (Status.NO_PATH, "no path")
        assert why.sentence.startswith('This wire only names what Gradients "g" differentiates.')


def running_product() -> Graph:
    """L = y1 + 2 y2 + 3 y3 of the running product y of (2, 0, 5): dL/dx2 = 2 · 2 + 3 · 2 · 5."""
    placed: Placed = {
        "x": ("Variable", {"value": [2.0, 0.0, 5.0]}),
        "f": ("Cumprod", {}),
        "w": ("Constant", {"value": [1.0, 2.0, 3.0]}),
        "loss": ("Loss", {}),
    }
    return graph_of(placed, [("x.y", "f.x"), ("f.y", "loss.x"), ("w.y", "loss.weights")])


def test_a_rule_that_is_not_the_derivative_is_named_at_its_wire_and_at_the_port_before_it() -> None:
    facts = facts_of(running_product())
    for sentence in (wire(facts, "x.y", "f.x").sentence, port(facts, "x.y").sentence):
        assert sentence.endswith("the derivative is 34. PyTorch and JAX give the derivative.")
    assert "the derivative is" not in wire(facts, "f.y", "loss.x").sentence


def test_a_rule_that_is_the_derivative_at_these_numbers_is_not_named() -> None:
    graph = set_parameter(running_product(), "main", "x", "value", np.array([2.0, 3.0, 5.0]))
    assert "the derivative is" not in port(facts_of(graph), "x.y").sentence


def test_a_broken_value_without_a_gradient_is_told_as_such() -> None:
    """Tells of the gradient first, then of the value, then only that something breaks."""
    facts = facts_of(running_product())
    fine, broken = reading_of(np.ones(3)), reading_of(np.array([1.0, math.nan, math.inf]))

    def told(value: Reading | None, gradient: Reading | None) -> tuple[str, str]:
        place = PortName("main/x", "y")
        return nonfinite_texts(facts, Explanation(place, "main/x", None, Status.NONFINITE, value, gradient))

    half = "1 NaN and 1 infinite of 3 elements"
    assert told(broken, broken) == told(fine, broken) == ("NaN 1 of 3, inf 1", f"The gradient has {half}.")
    assert told(broken, None) == told(broken, fine) == ("NaN 1 of 3, inf 1", f"The value has {half}.")
    assert told(None, None) == told(fine, fine) == ("NaN", "NaN or infinity arises here.")
    only = reading_of(np.array([math.inf]))
    assert told(only, None) == ("inf 1 of 1", "The value has 1 infinite of 1 element.")
