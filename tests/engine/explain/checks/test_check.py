"""Gradients and central differences: correct ones pass, wrong ones fail, kinks are skipped."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.lower import infer_and_measure, lower
from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.explain.checks import check as check_module
from gradwire.engine.explain.checks.check import GradientCheck, check_gradients, in_double, in_single
from gradwire.engine.explain.checks.differences import nudged
from gradwire.engine.explain.checks.element_check import Verdict, check_place
from gradwire.engine.explain.checks.nudged_loss import NudgedLoss
from gradwire.engine.graph.graph import Block, Graph
from tests.calls import calls_of
from tests.engine.calls import count_calls
from tests.gallery import example
from tests.recorded import graph_of_recording, load, make_graph, recorded_graphs
from tests.sweeps import a_third_of


def source(name: str, value: object, dtype: str = "float64") -> Block:
    return Block(name, "Input", parameters={"value": np.asarray(value, dtype)})


def check(*blocks: Block, wires: list[tuple[str, str]]) -> GradientCheck:
    return check_gradients(make_graph(list(blocks), wires))


def test_the_gradient_of_every_wire_is_compared() -> None:
    outcome = check(
        source("x", [0.3, 1.2]), Block("s", "Sin"), Block("loss", "Loss"), wires=[("x.y", "s.x"), ("s.y", "loss.x")]
    )
    assert (outcome.wires, outcome.elements, outcome.skipped, outcome.mismatches) == (2, 4, 0, ())


def test_a_wrong_rule_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library["Sin"], "rule", lambda g, *_: g * 0.5)
    outcome = check(
        source("x", [0.3]), Block("s", "Sin"), Block("loss", "Loss"), wires=[("x.y", "s.x"), ("s.y", "loss.x")]
    )
    (mismatch,) = outcome.mismatches
    assert str(mismatch.link.target) == "main/s.x"
    assert mismatch.gradient == 0.5
    np.testing.assert_allclose(mismatch.difference, np.cos(0.3), rtol=1e-9)


@pytest.mark.parametrize(("kind", "at"), [("Relu", 0.0), ("Relu", 1e-13), ("Abs", 0.0), ("Round", 0.5), ("Sign", 0.0)])
def test_an_element_at_a_kink_or_a_jump_is_skipped(kind: str, at: float) -> None:
    outcome = check(
        source("x", [at]), Block("k", kind), Block("loss", "Loss"), wires=[("x.y", "k.x"), ("k.y", "loss.x")]
    )
    assert (outcome.skipped, outcome.mismatches) == (1, ())


@pytest.mark.parametrize(("kind", "at"), [("Log", 1e-9), ("Log", 1e-4), ("Reciprocal", 2e-5), ("Relu", 1e-7)])
def test_near_a_pole_or_a_kink_the_step_becomes_shorter(kind: str, at: float) -> None:
    outcome = check(
        source("x", [at]), Block("k", kind), Block("loss", "Loss"), wires=[("x.y", "k.x"), ("k.y", "loss.x")]
    )
    assert (outcome.elements, outcome.skipped, outcome.mismatches) == (2, 0, ())


def test_a_tie_is_skipped() -> None:
    outcome = check(
        source("x", [1, 3, 3]),
        Block("m", "ReduceMax"),
        Block("loss", "Loss"),
        wires=[("x.y", "m.x"), ("m.y", "loss.x")],
    )
    assert (outcome.skipped, outcome.mismatches) == (2, ())


def test_two_ties_that_hide_each_other_are_skipped() -> None:
    """The loss min(max(3, 3), 3) is flat on both sides, the gradients of the ties are 1/2: neither is wrong."""
    outcome = check(
        source("x", [3, 3, 1]),
        source("c", 3),
        Block("m", "ReduceMax"),
        Block("n", "Minimum"),
        Block("loss", "Loss"),
        wires=[("x.y", "m.x"), ("m.y", "n.x"), ("c.y", "n.y"), ("n.z", "loss.x")],
    )
    assert (outcome.elements, outcome.skipped, outcome.mismatches) == (2, 4, ())


def test_a_wrong_rule_beside_a_kink_far_away_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library["Sin"], "rule", lambda g, *_: g * 0.5)
    wires = [("x.y", "s.x"), ("x.y", "r.x"), ("s.y", "a.x"), ("r.y", "a.y"), ("a.z", "loss.x")]
    outcome = check(
        source("x", [1.0]), Block("s", "Sin"), Block("r", "Relu"), Block("a", "Add"), Block("loss", "Loss"), wires=wires
    )
    assert [str(mismatch.link.target) for mismatch in outcome.mismatches] == ["main/s.x"]


def test_what_a_stop_gives_is_frozen() -> None:
    """y = x + stop(round(x) - x): moving the wire into the stop changes nothing, moving the other one counts fully."""
    blocks = [
        source("x", [0.3]),
        Block("r", "Round"),
        Block("d", "Subtract"),
        Block("stop", "StopGradient"),
        Block("a", "Add"),
    ]
    wires = [
        ("x.y", "r.x"),
        ("r.y", "d.x"),
        ("x.y", "d.y"),
        ("d.z", "stop.x"),
        ("x.y", "a.x"),
        ("stop.y", "a.y"),
        ("a.z", "loss.x"),
    ]
    outcome = check(*blocks, Block("loss", "Loss"), wires=wires)
    assert outcome.mismatches == ()
    assert outcome.wires == 7


def test_each_wire_is_moved_alone() -> None:
    """x * x: each of the two wires has the gradient x, not 2 x."""
    wires = [("x.y", "m.x"), ("x.y", "m.y"), ("m.z", "loss.x")]
    assert check(source("x", [1.7]), Block("m", "Multiply"), Block("loss", "Loss"), wires=wires).mismatches == ()


def test_single_precision_is_checked_in_double() -> None:
    blocks = [
        source("x", [0.3], "float32"),
        Block("c", "Cast", parameters={"dtype": "float32"}),
        Block("e", "Exp"),
        Block("loss", "Loss"),
    ]
    graph = make_graph(blocks, [("x.y", "c.x"), ("c.y", "e.x"), ("e.y", "loss.x")])
    assert in_double(graph).pages[0].blocks["c"].parameters == {"dtype": "float64"}
    assert check_gradients(graph).mismatches == ()


def test_a_large_tensor_is_sampled() -> None:
    outcome = check(source("x", np.linspace(0, 1, 1000)), Block("loss", "Loss"), wires=[("x.y", "loss.x")])
    assert outcome.elements == 32


def test_without_a_loss_nothing_is_compared() -> None:
    assert check(source("x", [1.0]), Block("e", "Exp"), wires=[("x.y", "e.x")]).wires == 0


# By definition these gradients are no slopes: labels that do not add up to 1.
@pytest.mark.parametrize("name", a_third_of(name for name in recorded_graphs() if not name.startswith("random_")))
def test_recorded_graphs_agree_with_central_differences(name: str) -> None:
    outcome = check_gradients(graph_of_recording(load("graphs", name)))
    assert outcome.mismatches == ()


@pytest.mark.parametrize(("change", "dtype"), [(in_double, "float64"), (in_single, "float32")])
def test_blocks_that_name_no_dtype_change_theirs_too(change: Callable[[Graph], Graph], dtype: str) -> None:
    blocks = [Block("x", "Input", parameters={"value": np.ones((2, 2), np.float16)})]
    blocks += [Block("one", "Eye", parameters={"num_rows": 2}), Block("m", "MatMul"), Block("loss", "Loss")]
    graph = make_graph(blocks, [("x.y", "m.a"), ("one.y", "m.b"), ("m.product", "loss.x")])
    value = evaluate(change(graph)).port("main/m.product").value
    assert value is not None and value.dtype == dtype


def chain(length: int, elements: int) -> Graph:
    blocks = [source("x", np.linspace(-1, 1, elements)), *(Block(f"t{at}", "Tanh") for at in range(length))]
    ends = ["x", *(f"t{at}" for at in range(length)), "loss"]
    return make_graph([*blocks, Block("loss", "Loss")], [(f"{a}.y", f"{b}.x") for a, b in pairwise(ends)])


@pytest.mark.long
def test_more_elements_of_a_wire_take_few_more_calls() -> None:
    """No step calls Python when an element moves: a longer chain has no more calls for each element of a wire."""

    def more(length: int) -> float:
        few, many = (count_calls(functools.partial(check_gradients, chain(length, elements))) for elements in (4, 32))
        return (many - few) / length

    assert more(100) < 1.2 * more(25)


def test_work_grows_with_the_wires() -> None:
    small, large = chain(40, 2), chain(160, 2)
    check_gradients(small)  # what is made once
    work = [calls_of(functools.partial(check_gradients, graph)) for graph in (small, large)]
    assert work[1] <= 4.6 * work[0]


@pytest.mark.parametrize("name", ["attention", "cnn_micro", "lse_both", "ste", "where_double"])
def test_a_compiled_loss_has_the_bits_of_one_step_by_step(name: str) -> None:
    lowered = lower(infer_and_measure(in_double(example(name))))
    nudge = NudgedLoss(lowered)
    for edge in lowered.edges.values():
        value = nudge.value(edge)
        if value is not None and value.dtype.kind == "f" and value.size:
            moved = nudged(value, value.size // 2, 1e-3)
            found, expected = nudge.compile(edge, value, 1000)(moved), nudge.loss(edge, moved)
            assert np.float64(found).tobytes() == np.float64(expected).tobytes()


def chain_of_sines(count: int) -> Graph:
    """Returns a chain of Sin from x to the loss."""
    names = ["x", *(f"s{place}" for place in range(count)), "loss"]
    blocks = [source("x", [0.3]), *(Block(name, "Sin") for name in names[1:-1]), Block("loss", "Loss")]
    return make_graph(blocks, [(f"{first}.y", f"{second}.x") for first, second in pairwise(names)])


def test_of_a_heavy_graph_some_wires_are_compared_evenly_spread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_module, "MOST_BYTES", 1)
    monkeypatch.setattr(check_module, "LEAST_ELEMENTS", 3)
    outcome = check_gradients(chain_of_sines(8))
    assert (outcome.wires, outcome.elements, outcome.left_out, outcome.mismatches) == (3, 3, 6, ())
    monkeypatch.setattr(library["Sin"], "rule", lambda g, *_: g * 0.5)
    wrong = [str(item.link.target) for item in check_gradients(chain_of_sines(8)).mismatches]
    assert wrong == ["main/s0.x", "main/s4.x"]


def test_a_light_graph_leaves_no_wire_out() -> None:
    outcome = check_gradients(chain_of_sines(8))
    assert (outcome.wires, outcome.left_out) == (9, 0)


@pytest.mark.parametrize("size", [0, 1, 2, 8, 9, 10, 31, 32, 33])
def test_all_elements_of_a_small_wire_are_compared(size: int) -> None:
    outcome = check_gradients(chain(1, size))
    assert (outcome.wires, outcome.elements) == (2 if size else 0, 2 * min(size, 32))


# Four wires lead through five blocks, and a loss takes half of these steps on average.
@pytest.mark.parametrize(("runs", "each"), [(1, 1), (79, 1), (80, 2), (279, 6), (280, 7), (10_000, 32)])
def test_of_many_steps_fewer_elements_are_compared(runs: int, each: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_module, "RUNS_OF_STEPS", runs)
    assert check_gradients(chain(3, 100)).elements == 4 * each


# Of 100 numbers, four blocks write them, three of these and the loss read them, and the loss writes one.
WEIGHT = 8 * (8 * 100 + 1)


@pytest.mark.parametrize(
    ("losses", "wires", "each"), [(1, 1, 1), (3, 3, 1), (4, 4, 1), (7, 4, 1), (8, 4, 2), (12, 4, 3)]
)
def test_of_a_heavy_graph_fewer_elements_are_compared(
    losses: int, wires: int, each: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_module, "LEAST_ELEMENTS", 1)
    # Each element takes four losses, of half the weight on average.
    monkeypatch.setattr(check_module, "MOST_BYTES", losses * 4 * WEIGHT // 2)
    outcome = check_gradients(chain(3, 100))
    assert (outcome.wires, outcome.elements) == (wires, wires * each)
    monkeypatch.setattr(check_module, "MOST_BYTES", losses * 4 * WEIGHT // 2 - 1)
    less = check_gradients(chain(3, 100))
    assert (less.elements < outcome.elements) is (losses in (3, 4, 8, 12))


def factor(x: list[list[float]]) -> Graph:
    """Returns the sum of w times the Cholesky factor of x, which takes x for symmetric."""
    blocks = [source("x", x), source("w", [[1.0, 0.0], [2.0, 5.0]]), Block("c", "Cholesky"), Block("m", "Multiply")]
    wires = [("x.y", "c.x"), ("c.y", "m.x"), ("w.y", "m.y"), ("m.z", "loss.x")]
    return make_graph([*blocks, Block("loss", "Loss")], wires)


def test_elements_of_a_symmetric_matrix_move_with_their_mirror_images(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = factor([[4.0, 1.0], [1.0, 3.0]])
    outcome = check_gradients(graph)
    assert (outcome.wires, outcome.elements, outcome.skipped, outcome.mismatches) == (4, 16, 0, ())
    found = check_place(graph, PortName("main/x", "y"))
    assert [item.verdict for item in found.elements] == [Verdict.AGREES] * 4
    # With L the factor, L[1, 0] = x[1, 0] / 2 and L[1, 1] = sqrt(x[1, 1] - L[1, 0]²) = sqrt(2.75).
    slope = 2 / 2 - 5 * 0.5 / 2 / np.sqrt(2.75)
    # Each of the two moves by half as far, so that the quotient is their mean.
    assert [found.elements[at].gradient for at in (1, 2)] == pytest.approx([slope / 2] * 2)
    assert [found.elements[at].difference for at in (1, 2)] == pytest.approx([slope / 2] * 2)
    rule = library["Cholesky"].rule
    assert rule is not None
    monkeypatch.setattr(library["Cholesky"], "rule", lambda *given, **named: rule(*given, **named) * 1.5)
    wrong = check_gradients(graph).mismatches
    assert {str(item.link.target) for item in wrong} == {"main/c.x"} and len(wrong) == 4
    assert {item.verdict for item in check_place(graph, PortName("main/x", "y")).elements} == {Verdict.DIFFERS}


def labels_of(*sums: float) -> Graph:
    """Returns a cross entropy of labels with these sums; its rule is the derivative only where the sum is 1."""
    blocks = [source("x", [[0.5, -1.0]] * len(sums)), Block("i", "Identity"), Block("loss", "Loss")]
    blocks += [source("t", [[total / 2] * 2 for total in sums]), Block("c", "SoftmaxCrossEntropyWithLogits")]
    return make_graph(blocks, [("x.y", "i.x"), ("i.y", "c.logits"), ("t.y", "c.labels"), ("c.loss", "loss.x")])


def test_a_rule_that_deviates_by_convention_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    assert check_gradients(labels_of(1.0, 1.0)).mismatches == ()
    found = check_gradients(labels_of(1.0, 3.0)).mismatches
    assert [(str(item.link.target), item.index, item.by and (item.by.path, item.by.port)) for item in found] == [
        (f"main/{end}", (1, column), ("main/c", "logits")) for end in ("i.x", "c.logits") for column in (0, 1)
    ]
    # The loss is -1.5 Σ log softmax, and its slope 3 softmax - 1.5.
    slopes = 3 * np.exp([0.5, -1.0]) / np.exp([0.5, -1.0]).sum() - 1.5
    assert [item.difference for item in found] == pytest.approx([*slopes, *slopes])
    # A mistake before the block is not one of the block's convention.
    monkeypatch.setattr(library["Identity"], "rule", lambda g, *_: g * 0.5)
    before = check_gradients(labels_of(1.0, 1.0)).mismatches
    assert [(str(item.link.target), item.by) for item in before] == [("main/i.x", None)] * 4


@pytest.mark.parametrize("count", [0, 1, 3])
def test_elements_that_are_not_finite_are_skipped_one_by_one(count: int) -> None:
    graph = make_graph(
        [source("x", [math.inf] * count + [0.5] * 4), Block("t", "Tanh"), Block("loss", "Loss")],
        [("x.y", "t.x"), ("t.y", "loss.x")],
    )
    outcome = check_gradients(graph)
    assert (outcome.wires, outcome.elements, outcome.skipped) == (2, 8 + count, count)


@pytest.mark.parametrize(("change", "dtype"), [(in_double, "float64"), (in_single, "float32")])
def test_only_dtypes_of_floats_are_exchanged(change: Callable[[Graph], Graph], dtype: str) -> None:
    whole, half = np.array([1, 2]), np.array([0.5, 1.5], np.float16)
    given: dict[str, tuple[str, dict[str, object]]] = {
        "whole": ("Input", {"value": whole}), "half": ("Input", {"value": half}), "name": ("Input", {"value": "x"}),
        "cast": ("Cast", {"dtype": "float16"}), "to_int": ("Cast", {"dtype": "int64"}), "gone": ("Gone", {"dtype": 7}),
        "most": ("ArgMax", {}), "eye": ("Eye", {}), "text": ("Gone", {"other": "float16"}), "sin": ("Sin", {}),
    }  # fmt: skip
    graph = make_graph([Block(name, kind, parameters=held) for name, (kind, held) in given.items()], [])
    found = {name: block.parameters for name, block in change(graph).pages[0].blocks.items()}
    assert found["whole"]["value"].dtype == np.int64 and found["half"]["value"].dtype == dtype
    np.testing.assert_array_equal(found["half"]["value"], half)
    assert found["cast"] == {"dtype": dtype} == found["eye"] and found["to_int"] == {"dtype": "int64"}
    assert (found["gone"], found["most"], found["text"], found["sin"]) == ({"dtype": 7}, {}, {"other": "float16"}, {})
