"""Root causes of zero gradients: each on graphs where it is one, and on near misses."""

from __future__ import annotations

import pickle
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.evaluation.evaluate import Evaluation, evaluate, run_graph
from gradwire.engine.evaluation.snapshot import PortResult, Snapshot, WireResult
from gradwire.engine.explain.why_zero import Kind, why_zero
from gradwire.engine.graph.graph import Block, Graph
from tests.engine.autodiff.test_statuses import softmax, source
from tests.engine.cause_graphs import (
    MASK,
    NAMED,
    NEAR_MISSES,
    OTHER_STATUSES,
    Line,
    eleven_columns,
    eleven_zeros,
    sigmoids,
    x,
    xor,
)
from tests.engine.edit_sequences import page_from
from tests.gallery import example_names, run_of_example
from tests.recorded import recorded_graphs, recorded_types, run_of_recording, runs_of_cases
from tests.sweeps import a_third_of
from tests.test_laws import graphs, law


def found(graph: Graph, name: str = "main/x.y") -> tuple[str, dict[str, int], str] | None:
    """Returns the cause, its counts and the place of an output port; None without a cause."""
    zero = evaluate(graph).port(name).zero
    return None if zero is None else (str(zero.cause), {str(key): n for key, n in zero.details.items()}, zero.at)


@pytest.mark.parametrize("name", NAMED)
def test_a_zero_is_named_and_placed(name: str) -> None:
    graph, expected = NAMED[name]
    assert found(graph) == expected


def test_every_cause_has_two_graphs_where_it_is_named_and_two_near_misses() -> None:
    """The eleven causes of a zero gradient."""
    cuts = [Status.BLOCKED, Status.NO_PATH, Status.NON_DIFFERENTIABLE, Status.NO_GRADIENT_DTYPE]
    named = Counter(name.partition(",")[0] for name in [*NAMED, *OTHER_STATUSES])
    missed = Counter(name.partition(",")[0] for name in NEAR_MISSES)
    assert named.keys() == missed.keys() == {*map(str, Cause), *map(str, cuts)} == eleven_columns().keys()
    assert min(named.values()) >= 2 and min(missed.values()) >= 2
    assert all(expected[0] == name.partition(",")[0] for name, (_, expected) in NAMED.items())


@pytest.mark.parametrize("name", NEAR_MISSES)
def test_a_gradient_that_flows_everywhere_has_no_cause(name: str) -> None:
    port = evaluate(NEAR_MISSES[name]).port("main/x.y")
    assert (port.status, port.zero) == ("flow", None)


@pytest.mark.parametrize("name", OTHER_STATUSES)
def test_what_structure_decides_has_no_cause(name: str) -> None:
    port = evaluate(OTHER_STATUSES[name]).port("main/x.y")
    assert (port.status, port.zero) == (name.partition(",")[0], None)


@pytest.mark.parametrize("kind", ["StopGradient", "Floor"])
def test_a_zero_beside_a_cut_way_keeps_its_cause(kind: str) -> None:
    graph = x([0, 1]).then("cut", kind).then("m", "Multiply", "x.y").loss()
    assert found(graph) == ("zero_factor", {"zero_factor": 1}, "main/m")


def test_the_branch_that_where_does_not_choose_gets_nothing() -> None:
    line = x([1, 3]).source("c", MASK, "Constant").source("z", [5, 5])
    graph = line.then("w", "Where", "c.y", "z.y", at=1).loss()
    assert found(graph) == ("not_selected", {"not_selected": 1}, "main/w")
    assert found(graph, "main/z.y") == ("not_selected", {"not_selected": 1}, "main/w")


def test_a_loser_behind_a_zero_is_put_down_to_the_zero() -> None:
    graph = x([-1, 2]).then("r", "Relu").source("w", [0, 0], "Constant").then("m", "Multiply", "w.y").loss()
    assert found(graph) == ("zero_factor", {"zero_factor": 2}, "main/m")


def test_mixed_zeros_are_counted_and_the_most_frequent_names_the_cause() -> None:
    line = x([-1, -2, 5, 1]).then("r", "Relu").source("w", [1, 1, 0, 1], "Constant").then("m", "Multiply", "w.y")
    assert found(line.loss()) == ("not_selected", {"not_selected": 2, "zero_factor": 1}, "main/r")


def test_of_equally_many_the_first_in_the_table_names_the_cause() -> None:
    line = x([-1, 5]).then("r", "Relu").source("w", [1, 0], "Constant").then("m", "Multiply", "w.y")
    assert found(line.loss()) == ("not_selected", {"not_selected": 1, "zero_factor": 1}, "main/r")


def test_stable_softmax_without_stop_cancels_in_the_subtraction() -> None:
    """The sum down of the broadcast, at the block that repeats the maximum."""
    snapshot = evaluate(softmax([1, 3, 3], is_stopped=False))
    for ends in (("main/x.y", "main/m.x"), ("main/m.y", "main/z.y")):
        zero = snapshot.wire(*ends).zero
        assert zero is not None
        assert (zero.cause, zero.at) == ("cancelled", "main/z")


def test_zero_weights_stop_a_network_for_three_reasons() -> None:
    """Everything is zero, above the second layer, in it, and over the batch."""
    snapshot = evaluate(xor(np.zeros((2, 2)), np.zeros((2, 1))))
    causes = {name: snapshot.port(f"main/{name}.y").zero for name in ("w1", "b1", "w2", "b2")}
    named = {name: (str(zero.cause), zero.at) for name, zero in causes.items() if zero is not None}
    above = ("zero_factor", "main/m2")
    assert named == {"w1": above, "b1": above, "w2": above, "b2": ("cancelled", "main/a2")}


def test_a_network_with_small_weights_has_no_zeros() -> None:
    snapshot = evaluate(xor([[0.5, -0.4], [0.3, 0.6]], [[0.7], [-0.8]]))
    assert {snapshot.port(f"main/{name}.y").status for name in ("w1", "b1", "w2", "b2")} == {"flow"}


def test_eighty_sigmoids_underflow_in_float32_alone() -> None:
    """The true gradient is 1.4281e-52."""
    single, double = found(sigmoids(80, "float32")), evaluate(sigmoids(80, "float64")).port("main/x.y")
    assert single is not None
    assert single[:2] == ("underflow", {"underflow": 1})
    assert (double.status, double.zero) == ("flow", None)
    np.testing.assert_allclose(double.gradient, 1.4281e-52, rtol=1e-4)


def test_eleven_zeros_have_eleven_names() -> None:
    snapshot = evaluate(eleven_zeros())
    named = {}
    for name, port in snapshot.ports.items():
        if name.path.endswith("_x"):
            named[name.path.removeprefix("main/").removesuffix("_x")] = str(
                port.zero.cause if port.zero else port.status
            )
            assert port.gradient is None or not port.gradient.any()
    assert named == {name: name for name in named}
    assert len(named) == 11


def test_a_row_of_softmax_that_all_of_the_loss_weighs_equally_cancels() -> None:
    zero = evaluate(x([0, 0]).then("p", "Softmax").loss()).port("main/x.y").zero
    assert zero is not None
    assert (zero.cause, zero.at) == ("cancelled", "main/p")


def test_the_derivative_in_a_gradients_block_has_the_place_of_that_block() -> None:
    line = x([0, 1]).then("s", "Square").then("q", "Square").then("d", "Gradients", "x.y")
    zero = evaluate(line.loss()).port("main/x.y").zero
    assert zero is not None
    assert zero.at == "main/d"


def positive_part(*, is_muted: bool = False) -> Graph:
    """Returns a page that computes the positive part of its input, used once by the page main."""
    inside = [Block("start", "PageInput", parameters={"name": "in"}), Block("r", "Relu", is_muted=is_muted)]
    inside.append(Block("end", "PageOutput", parameters={"name": "out"}))
    used = page_from("half", inside, ("start.y", "r.x"), ("r.y", "end.x"))
    outside = [source("x", [-1, 2]), Block("use", "Page", parameters={"page": "half"}), Block("loss", "Loss")]
    return Graph(pages=(page_from("main", outside, ("x.y", "use.in"), ("use.out", "loss.x")), used))


def test_a_zero_inside_a_page_has_the_place_of_that_use() -> None:
    assert found(positive_part()) == ("not_selected", {"not_selected": 1}, "main/use/r")
    chain = why_zero(run_graph(positive_part()), PortName("main/x", "y"))
    assert (chain[-1].kind, chain[-1].at) == (Kind.NOT_SELECTED, ("main/use/r",))


def test_a_muted_block_makes_no_zeros() -> None:
    port = evaluate(positive_part(is_muted=True)).port("main/x.y")
    assert (port.status, port.zero) == ("flow", None)


def test_a_dot_on_a_wire_changes_no_cause() -> None:
    graph = x([-1, 2]).then("dot", "Reroute").then("r", "Relu").then("again", "Reroute").loss()
    assert found(graph) == ("not_selected", {"not_selected": 1}, "main/r")


def test_a_tie_is_told_with_the_number_of_equals() -> None:
    snapshot = evaluate(softmax([1, 3, 3], is_stopped=False))
    tie, none = snapshot.wire("main/x.y", "main/m.x").tie, snapshot.wire("main/x.y", "main/z.x").tie
    assert tie is not None
    assert (tie.at, tie.count, none) == ("main/m", 2, None)
    assert snapshot.port("main/x.y").tie == tie
    assert evaluate(softmax([1, 2, 3], is_stopped=False)).port("main/x.y").tie is None


def ones(*shape: int) -> Line:
    return x(np.ones(shape))


WINDOW = {"ksize": [2], "strides": [1], "padding": "VALID"}
TIES = {
    "of a maximum, all in one": (x([1, 3, 3, 3]).then("b", "ReduceMax"), 3),
    "of minima, by row": (x([[1, 1, 2], [5, 4, 4]]).then("b", "ReduceMin", axis=1), 4),
    "of a pair": (x([1, 2]).source("c", [1, 5]).then("b", "Maximum", "c.y"), 2),
    "of an element that is repeated": (x([1, 1, 2]).source("c", 1).then("b", "Minimum", "c.y"), 3),
    "of a tensor and itself": (x([1, 2]).then("b", "Maximum", "x.y"), 4),
    "at the cut of the greatest": (x([2, 2, 2, 1, 1]).then("b", "TopK", k=1), 3),
    "within the greatest": (x([2, 2, 1, 1]).then("b", "TopK", k=2), 2),
    "of what is sorted": (x([3, 1, 3, 1, 3]).then("b", "Sort"), 5),
    "in each of two windows": (ones(1, 3, 1).then("b", "MaxPool1D", **WINDOW), 4),
    "in a segment": (
        x([2, 2, 1]).source("i", np.array([0, 0, 1]), "Constant").then("b", "SegmentMax", "i.y"), 2
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TIES)
def test_the_count_of_a_tie_is_that_of_the_elements_that_have_an_equal(name: str) -> None:
    """TIE_SPLIT(k) of k equal elements, whether a block shares the gradient or takes the first."""
    line, count = TIES[name]
    tie = evaluate(line.loss()).port("main/x.y").tie
    assert tie is not None
    assert (tie.at, tie.count) == ("main/b", count)


def test_a_tie_on_a_blocked_wire_shares_nothing_of_the_port() -> None:
    snapshot = evaluate(softmax([1, 3, 3], is_stopped=True))
    assert snapshot.wire("main/x.y", "main/m.x").tie is not None
    assert snapshot.port("main/x.y").tie is None


def results(snapshot: Snapshot) -> list[PortResult | WireResult]:
    return [*snapshot.ports.values(), *snapshot.wires.values()]


def assert_every_zero_is_explained(evaluation: Evaluation) -> None:
    """Asserts that a zero gradient has a cause for every element, a flowing one for each zero, others none."""
    for result in results(evaluation.snapshot):
        explained = 0 if result.zero is None else sum(result.zero.details.values())
        if result.status is Status.ZERO:
            assert result.gradient is not None
            assert explained == result.gradient.size
        elif result.status is Status.FLOW:
            assert result.gradient is not None
            assert explained >= np.count_nonzero(result.gradient == 0)
        else:
            assert result.zero is None
    for place in [*evaluation.snapshot.ports, *evaluation.snapshot.wires]:
        chain = why_zero(evaluation, place)
        assert [reason.kind.is_root for reason in chain] == [*[False] * (len(chain) - 1), True]
        assert chain[-1].at


@given(graphs())
@law
def test_every_zero_of_a_random_graph_has_a_root(graph: Graph) -> None:
    assert_every_zero_is_explained(run_graph(graph))


@pytest.mark.parametrize("name", example_names())
def test_every_zero_of_an_example_has_a_root(name: str) -> None:
    assert_every_zero_is_explained(run_of_example(name))


@pytest.mark.parametrize("name", a_third_of(recorded_graphs()))
def test_every_zero_of_a_recorded_graph_has_a_root(name: str) -> None:
    assert_every_zero_is_explained(run_of_recording(name))


@pytest.mark.parametrize("name", a_third_of(recorded_types(), 1))
def test_every_zero_of_a_recorded_case_has_a_root(name: str) -> None:
    for run in runs_of_cases(name).values():
        assert_every_zero_is_explained(run)


@pytest.mark.long
def test_a_chain_of_many_blocks_is_followed_to_its_end() -> None:
    line = x([0.5, -0.5])
    for index in range(3000):
        line.then(f"n{index}", "Negative")
    evaluation = run_graph(line.then("s", "Sign").loss())
    zero = evaluation.snapshot.port("main/x.y").zero
    assert zero is not None
    assert (zero.cause, zero.at) == (Cause.FLAT, "main/s")
    chain = why_zero(evaluation, next(iter(evaluation.snapshot.ports)))
    assert (chain[-1].kind, len(chain)) == (Kind.FLAT, 6002)


def test_an_infinite_divisor_is_a_factor_of_zero() -> None:
    """x / inf: the derivative 1 / inf is 0."""
    line = Line().source("x", [1.0, 2.0]).source("s", np.inf).then("p", "Divide", "s.y").then("loss", "Loss")
    zero = evaluate(line.graph()).wire("main/x.y", "main/p.x").zero
    assert zero is not None and (zero.cause, zero.at) == (Cause.ZERO_FACTOR, "main/p")


def test_a_choice_hands_on_the_zeros_of_what_it_takes_and_names_what_it_leaves() -> None:
    line = x([1, 2, 3]).source("c", 2).source("k", [0, 1, 1], "Constant")
    graph = line.then("m", "Maximum", "c.y").then("p", "Multiply", "k.y").loss()
    assert found(graph) == ("not_selected", {"not_selected": 1}, "main/m")
    chosen = x([9, 9, 9]).source("k", [0, 1, 1], "Constant").source("c", [2, 2, 20])
    graph = chosen.then("m", "Maximum", "c.y").then("p", "Multiply", "k.y").loss()
    zero = evaluate(graph).port("main/x.y").zero
    assert zero is not None
    assert zero.details == {Cause.NOT_SELECTED: 1, Cause.ZERO_FACTOR: 1}


def test_factors_that_are_zero_or_too_small_are_told_apart_in_one_step() -> None:
    tiny = np.float32(1e-30)
    line = x(np.ones(3, np.float32)).source("a", np.array([tiny, 0, 1], np.float32), "Constant")
    line.source("b", np.array([tiny, 1, 0], np.float32), "Constant").then("p", "Multiply", "a.y").then(
        "q", "Multiply", "b.y"
    )
    zero = evaluate(line.loss()).port("main/x.y").zero
    assert zero is not None
    assert zero.details == {Cause.UNDERFLOW: 1, Cause.ZERO_FACTOR: 2}


def test_the_documented_causes_are_those_of_the_engine_in_their_order() -> None:
    text = (Path(__file__).parents[3] / "docs" / "file-format.md").read_text(encoding="utf-8")
    table = text.split("| cause | meaning |\n|---|---|\n")[1].split("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(Cause)


def test_each_cause_has_words_of_its_own() -> None:
    for words in ([cause.word for cause in Cause], [cause.clause for cause in Cause], [c.sentence for c in Cause]):
        assert len(set(words)) == len(Cause)
    assert all("{block}" in cause.clause for cause in Cause)
    assert pickle.loads(pickle.dumps(Cause.FLAT)) is Cause("flat") is Cause.FLAT
