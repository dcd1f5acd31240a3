"""Eight statuses with `by` and `withheld`, on graphs small enough to check by hand."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.engine.blocktypes.library import library
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.graph.graph import Block, Graph
from tests.recorded import make_graph


def source(name: str, value: object, type_name: str = "Input") -> Block:
    array = np.asarray(value) if isinstance(value, np.ndarray) else np.asarray(value, float)
    return Block(name, type_name, parameters={"value": array})


def softmax(x: list[float], *, is_stopped: bool) -> Graph:
    """Returns the loss L = sum(w * softmax(x)) with w = [1, 2, 3]."""
    maximum = "stop.y" if is_stopped else "m.y"
    blocks = [
        source("x", x),
        source("w", [1, 2, 3], "Constant"),
        Block("m", "ReduceMax"),
        Block("stop", "StopGradient"),
    ]
    blocks += [
        Block("z", "Subtract"),
        Block("e", "Exp"),
        Block("s", "ReduceSum"),
        Block("p", "Divide"),
        Block("loss", "Loss"),
    ]
    wires = [("x.y", "m.x"), ("m.y", "stop.x"), ("x.y", "z.x"), (maximum, "z.y"), ("z.z", "e.x"), ("e.y", "s.x")]
    wires += [("e.y", "p.x"), ("s.y", "p.y"), ("p.z", "loss.x"), ("w.y", "loss.weights")]
    return make_graph(blocks, wires)


def status(snapshot: Snapshot, start: str, end: str) -> str:
    return str(snapshot.wire(f"main/{start}", f"main/{end}").status)


def test_stop_blocks_the_wire_into_it_and_says_what_it_withholds() -> None:
    blocks = [source("x", [1, 3, 3]), Block("m", "ReduceMax"), Block("stop", "StopGradient"), Block("z", "Subtract")]
    wires = [("x.y", "m.x"), ("m.y", "stop.x"), ("x.y", "z.x"), ("stop.y", "z.y"), ("z.z", "loss.x")]
    snapshot = evaluate(make_graph([*blocks, Block("loss", "Loss")], wires))
    wire = snapshot.wire("main/m.y", "main/stop.x")
    assert (wire.status, wire.by) == ("blocked", ("main/stop",))
    assert wire.gradient is not None and wire.gradient == 0
    assert wire.withheld == -3
    assert snapshot.port("main/stop.y").gradient == -3
    np.testing.assert_array_equal(snapshot.port("main/x.y").gradient, [1, 1, 1])
    assert snapshot.loss is not None and snapshot.loss.value == -2


def test_a_wire_before_a_blocked_one_is_blocked_by_the_same_stop() -> None:
    wire = evaluate(softmax([1, 3, 3], is_stopped=True)).wire("main/x.y", "main/m.x")
    assert (wire.status, wire.by) == ("blocked", ("main/stop",))


def test_without_stop_the_gradient_of_the_maximum_cancels_to_a_numerical_zero() -> None:
    snapshot = evaluate(softmax([1, 3, 3], is_stopped=False))
    wire = snapshot.wire("main/m.y", "main/z.y")
    assert wire.status == "zero"
    assert wire.gradient is not None and 0 < abs(float(wire.gradient)) < 1e-15
    assert snapshot.port("main/m.y").status == "zero"


def test_what_a_linear_rule_makes_of_a_numerical_zero_is_a_numerical_zero() -> None:
    assert status(evaluate(softmax([1, 3, 3], is_stopped=False)), "x.y", "m.x") == "zero"


@pytest.mark.parametrize("is_stopped", [True, False])
def test_stable_softmax_gives_the_gradient_of_the_gallery(is_stopped: bool) -> None:
    snapshot = evaluate(softmax([1, 3, 3], is_stopped=is_stopped))
    expected = [-0.0890430728, -0.189633729, 0.2786768018]
    np.testing.assert_allclose(snapshot.port("main/x.y").gradient, expected, rtol=1e-8)
    np.testing.assert_allclose(snapshot.loss.value, 2.4049315925, rtol=1e-9)


def test_naive_softmax_overflows_and_says_where() -> None:
    blocks = [source("x", [1000, 1001, 1002]), Block("e", "Exp"), Block("s", "ReduceSum"), Block("p", "Divide")]
    wires = [("x.y", "e.x"), ("e.y", "s.x"), ("e.y", "p.x"), ("s.y", "p.y"), ("p.z", "loss.x")]
    snapshot = evaluate(make_graph([*blocks, Block("loss", "Loss")], wires))
    assert np.isnan(snapshot.port("main/p.z").value).all()
    assert snapshot.port("main/x.y").status == "nonfinite"
    warned = [problem.at for problem in snapshot.problems if problem.code == "nonfinite"]
    assert warned[0] == "main/e"
    assert not snapshot.has_errors


def test_rounding_is_non_differentiable() -> None:
    blocks = [source("x", [0.4, 1.6]), Block("r", "Round"), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "r.x"), ("r.y", "loss.x")]))
    wire = snapshot.wire("main/x.y", "main/r.x")
    assert (wire.status, wire.by) == ("non_differentiable", ("main/r",))
    assert status(snapshot, "r.y", "loss.x") == "flow"


def test_a_way_through_integers_is_cut_where_they_begin() -> None:
    blocks = [source("x", [0.4, 1.6]), Block("i", "Cast", parameters={"dtype": "int32"})]
    blocks += [Block("f", "Cast", parameters={"dtype": "float64"}), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "i.x"), ("i.y", "f.x"), ("f.y", "loss.x")]))
    assert snapshot.wire("main/x.y", "main/i.x").by == ("main/i",)
    assert status(snapshot, "x.y", "i.x") == "non_differentiable"
    wire = snapshot.wire("main/i.y", "main/f.x")
    assert (wire.status, wire.gradient) == ("no_gradient_dtype", None)


def test_a_stop_among_the_cuts_makes_it_blocked_and_names_every_first_cut() -> None:
    blocks = [
        source("x", [0.4]),
        Block("r", "Round"),
        Block("stop", "StopGradient"),
        Block("a", "Add"),
        Block("loss", "Loss"),
    ]
    wires = [("x.y", "r.x"), ("x.y", "stop.x"), ("r.y", "a.x"), ("stop.y", "a.y"), ("a.z", "loss.x")]
    port = evaluate(make_graph(blocks, wires)).port("main/x.y")
    assert (port.status, port.by) == ("blocked", ("main/r", "main/stop"))


def test_a_stop_behind_a_stop_is_not_the_first_cut() -> None:
    blocks = [source("x", [1]), Block("first", "StopGradient"), Block("second", "StopGradient"), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "first.x"), ("first.y", "second.x"), ("second.y", "loss.x")]))
    assert snapshot.wire("main/x.y", "main/first.x").by == ("main/first",)
    assert snapshot.wire("main/first.y", "main/second.x").by == ("main/second",)
    np.testing.assert_array_equal(snapshot.wire("main/x.y", "main/first.x").withheld, [0])


def test_what_leads_to_no_loss_has_no_path() -> None:
    blocks = [source("x", [1.0]), Block("e", "Exp"), Block("stop", "StopGradient"), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "e.x"), ("x.y", "loss.x"), ("e.y", "stop.x")]))
    assert status(snapshot, "x.y", "e.x") == "no_path"
    assert status(snapshot, "e.y", "stop.x") == "no_path"
    assert [problem.code for problem in snapshot.problems] == ["stop_unused"]


def test_without_a_loss_everything_has_no_path() -> None:
    snapshot = evaluate(make_graph([source("x", [1.0]), Block("e", "Exp")], [("x.y", "e.x")]))
    assert snapshot.loss is None
    assert {port.status for port in snapshot.ports.values()} == {"no_path"}
    assert [(problem.severity, problem.code) for problem in snapshot.problems] == [("info", "no_loss")]


def test_an_empty_gradient_flows() -> None:
    snapshot = evaluate(make_graph([source("x", np.zeros((0, 3))), Block("loss", "Loss")], [("x.y", "loss.x")]))
    assert snapshot.port("main/x.y").status == "flow"
    assert snapshot.port("main/x.y").gradient.shape == (0, 3)


def test_sign_gives_zeros_that_arrive() -> None:
    snapshot = evaluate(
        make_graph(
            [source("x", [2, -1]), Block("g", "Sign"), Block("loss", "Loss")], [("x.y", "g.x"), ("g.y", "loss.x")]
        )
    )
    assert status(snapshot, "x.y", "g.x") == "zero"


def test_an_error_makes_what_lies_before_and_after_it_unknown_and_leaves_the_rest() -> None:
    blocks = [source("x", [1, 2]), source("u", [1, 2, 3]), Block("bad", "Add"), Block("e", "Exp")]
    blocks += [Block("loss", "Loss"), Block("other", "Loss")]
    wires = [("x.y", "bad.x"), ("u.y", "bad.y"), ("bad.z", "loss.x"), ("x.y", "e.x"), ("e.y", "other.x")]
    snapshot = evaluate(make_graph(blocks, wires))
    assert status(snapshot, "x.y", "bad.x") == "unknown"
    assert status(snapshot, "bad.z", "loss.x") == "unknown"
    assert snapshot.port("main/x.y").status == "unknown"
    assert status(snapshot, "e.y", "other.x") == "flow"
    np.testing.assert_allclose(snapshot.wire("main/x.y", "main/e.x").gradient, np.exp([1, 2]))
    problem = next(problem for problem in snapshot.problems if problem.severity == "error")
    assert (problem.at, problem.code) == ("main/bad", "shape")


def test_an_error_that_leads_to_no_loss_leaves_no_path() -> None:
    blocks = [source("x", [1, 2]), source("u", [1, 2, 3]), Block("bad", "Add"), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "bad.x"), ("u.y", "bad.y"), ("x.y", "loss.x")]))
    assert status(snapshot, "x.y", "bad.x") == "no_path"
    assert snapshot.port("main/x.y").status == "flow"


def test_a_stop_before_an_error_still_blocks() -> None:
    blocks = [
        source("x", [1, 2]),
        source("u", [1, 2, 3]),
        Block("stop", "StopGradient"),
        Block("bad", "Add"),
        Block("loss", "Loss"),
    ]
    wires = [("x.y", "stop.x"), ("stop.y", "bad.x"), ("u.y", "bad.y"), ("bad.z", "loss.x")]
    wire = evaluate(make_graph(blocks, wires)).wire("main/x.y", "main/stop.x")
    assert (wire.status, wire.by, wire.withheld) == ("blocked", ("main/stop",), None)


def test_a_value_that_cannot_be_computed_is_a_runtime_problem() -> None:
    blocks = [source("x", [1, 2]), source("i", np.array([5], np.int32)), Block("g", "Gather"), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "g.params"), ("i.y", "g.indices"), ("g.y", "loss.x")]))
    assert [(problem.at, problem.code) for problem in snapshot.problems] == [("main/g", "runtime")]
    assert snapshot.port("main/g.y").value is None
    assert snapshot.port("main/g.y").status == "unknown"
    assert snapshot.loss is not None and snapshot.loss.value is None


def test_prevent_gradient_is_an_error_and_hides_what_lies_behind() -> None:
    blocks = [
        source("x", [1.0]),
        Block("p", "PreventGradient", parameters={"message": "not here"}),
        Block("loss", "Loss"),
    ]
    snapshot = evaluate(make_graph(blocks, [("x.y", "p.x"), ("p.y", "loss.x")]))
    problem = snapshot.problems[0]
    assert (problem.severity, problem.at, problem.code) == ("error", "main/p", "prevented")
    assert "not here" in problem.message
    assert status(snapshot, "x.y", "p.x") == "unknown"
    assert snapshot.port("main/x.y").gradient is None
    np.testing.assert_array_equal(snapshot.port("main/p.y").gradient, [1])
    np.testing.assert_array_equal(snapshot.port("main/x.y").value, [1])


def test_prevent_gradient_behind_a_stop_is_never_reached() -> None:
    blocks = [source("x", [1.0]), Block("p", "PreventGradient"), Block("stop", "StopGradient"), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "p.x"), ("p.y", "stop.x"), ("stop.y", "loss.x")]))
    assert not snapshot.problems
    assert snapshot.port("main/x.y").status == "blocked"


def test_ignoring_one_stop_lets_its_gradient_pass() -> None:
    graph = make_graph(
        [source("x", [2.0]), Block("stop", "StopGradient"), Block("loss", "Loss")],
        [("x.y", "stop.x"), ("stop.y", "loss.x")],
    )
    for ignored in (frozenset({"main/stop"}), None):
        wire = evaluate(graph, ignored).wire("main/x.y", "main/stop.x")
        assert (wire.status, wire.withheld) == ("flow", None)
        np.testing.assert_array_equal(wire.gradient, [1])


def test_a_value_added_to_itself_sixty_times_has_two_to_the_sixty_paths() -> None:
    blocks = [source("x", 1.0), *(Block(f"a{index}", "Add") for index in range(60)), Block("loss", "Loss")]
    wires = []
    previous = "x.y"
    for index in range(60):
        wires += [(previous, f"a{index}.x"), (previous, f"a{index}.y")]
        previous = f"a{index}.z"
    snapshot = evaluate(make_graph(blocks, [*wires, (previous, "loss.x")]))
    assert snapshot.port("main/x.y").gradient == 2.0**60


def test_tied_maxima_are_mentioned() -> None:
    blocks = [source("x", [1, 3, 3]), Block("m", "ReduceMax"), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "m.x"), ("m.y", "loss.x")]))
    problem = snapshot.problems[0]
    assert (problem.severity, problem.at, problem.code) == ("info", "main/m", "tie")
    assert problem.message == "2 equal maxima share the gradient."


@pytest.mark.parametrize(("dtype", "expected"), [("float64", "zero"), ("float32", "zero")])
def test_cancelled_terms_are_a_zero_in_every_float_dtype(dtype: str, expected: str) -> None:
    weights = np.array([0.3, 0.6, -0.9], dtype)
    blocks = [source("b", np.zeros((), dtype)), source("z", np.zeros(3, dtype)), source("w", weights, "Constant")]
    blocks += [Block("a", "Add"), Block("loss", "Loss")]
    wires = [("b.y", "a.x"), ("z.y", "a.y"), ("a.z", "loss.x"), ("w.y", "loss.weights")]
    snapshot = evaluate(make_graph(blocks, wires))
    assert snapshot.port("main/b.y").gradient != 0
    assert snapshot.port("main/b.y").status == expected


def test_a_small_gradient_that_is_no_rounding_error_flows() -> None:
    blocks = [source("x", [1.0, 2.0]), source("w", [1e-300, 2e-300], "Constant"), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "loss.x"), ("w.y", "loss.weights")]))
    assert snapshot.port("main/x.y").status == "flow"


def test_the_whole_graph_of_losses_is_their_sum() -> None:
    blocks = [source("x", [1.0, 2.0]), Block("l1", "Loss"), Block("l2", "Loss", parameters={"reduction": "mean"})]
    snapshot = evaluate(make_graph(blocks, [("x.y", "l1.x"), ("x.y", "l2.x")]))
    assert snapshot.loss is not None and (snapshot.loss.name, snapshot.loss.value) == (None, 4.5)
    np.testing.assert_array_equal(snapshot.port("main/x.y").gradient, [1.5, 1.5])


def test_a_result_without_room_is_a_problem_and_the_rest_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(x: np.ndarray) -> np.ndarray:
        raise MemoryError

    monkeypatch.setattr(library["Exp"], "function", fail)
    blocks = [source("x", [1, 2]), Block("e", "Exp"), Block("s", "Sin"), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "e.x"), ("x.y", "s.x"), ("s.y", "loss.x")]))
    assert [(problem.at, problem.code) for problem in snapshot.problems] == [("main/e", "memory")]
    np.testing.assert_allclose(snapshot.port("main/x.y").gradient, np.cos([1, 2]))


def test_a_tensor_that_no_machine_holds_is_refused_before_it_is_made() -> None:
    huge = Block("b", "BroadcastTo", parameters={"shape": [10**6, 10**6]})
    snapshot = evaluate(make_graph([source("x", [1.0]), huge], [("x.y", "b.x")]))
    assert [problem.at for problem in snapshot.problems if problem.code == "memory"] == ["main/b"]


def test_an_empty_graph_misses_no_loss() -> None:
    assert evaluate(make_graph([], [])).problems == ()


def test_a_stop_gradient_without_any_wire_is_new_and_no_problem() -> None:
    blocks = [source("x", [1.0]), Block("stop", "StopGradient"), Block("loss", "Loss")]
    snapshot = evaluate(make_graph(blocks, [("x.y", "loss.x")]))
    assert "stop_unused" not in [problem.code for problem in snapshot.problems]
