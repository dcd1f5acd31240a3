"""Rules of the linter: a graph where each must fire, one where it must not, and its fix's effect."""

from __future__ import annotations

import dataclasses
import pickle
from collections.abc import Callable, Iterator

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.advice.finding import Finding
from gradwire.engine.advice.linter import RULES, lint
from gradwire.engine.advice.remedies import _MAKERS, remedies
from gradwire.engine.advice.step_graph import Flow
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.graph.graph import Graph, Port
from tests.engine.advice.mistakes import MISTAKES
from tests.engine.advice.parts import with_axes_from_the_other_end
from tests.engine.advice.stuck_models import WRONG

Make = Callable[[], Expression]
MASK = np.array([0.0, 1.0, 4.0])


def x_var(value: object = (1.0, 3.0, 3.0)) -> Expression:
    return gw.Variable(np.array(value, float), name="x")


def lse(stops_subtracted: bool, stops_added: bool) -> Expression:
    x = x_var()
    peak = gw.ReduceMax(x, name="peak")
    subtracted = gw.StopGradient(peak) if stops_subtracted else peak
    added = gw.StopGradient(peak) if stops_added else peak
    return gw.Loss(gw.Log(gw.ReduceSum(gw.Exp(x - subtracted))) + added)


def softmax_without_stop() -> Expression:
    x = x_var()
    e = gw.Exp(gw.Subtract(x, gw.ReduceMax(x, name="peak"), name="z"))
    return gw.Loss(np.array([1.0, 2.0, 3.0]) * (e / gw.ReduceSum(e)))


def shifted_log_sum() -> Expression:
    x = x_var()
    return gw.Loss(gw.Log(gw.ReduceSum(gw.Exp(gw.Subtract(x, gw.ReduceMax(x), name="z")))))


def rows_without_stop() -> Expression:
    x = x_var([[1.0, 2.0], [4.0, 4.0]])
    e = gw.Exp(x - gw.ReduceMax(x, axis=1, keepdims=True))
    return gw.Loss(np.array([1.0, 2.0]) * (e / gw.ReduceSum(e, axis=1, keepdims=True)))


def clipped_square(kind: str, clips: bool = True) -> Expression:
    d = x_var([-2.0, -0.5, 0.5, 2.0])
    c = gw.ClipByValue(d, -1.0, 1.0, name="clip") if clips else d
    squares = {"Square": lambda: gw.Square(c), "L2Loss": lambda: gw.L2Loss(c), "Multiply": lambda: c * c}
    return gw.Loss(squares[kind]())


def where(kind: str, is_safe: bool = False, at: object = MASK) -> Expression:
    x = x_var(at)
    condition = gw.Less(gw.Constant(0.0), x)
    u = gw.Where(condition, x, gw.Constant(1.0)) if is_safe else x
    y = {"Log": lambda: gw.Log(u), "Divide": lambda: gw.Constant(1.0) / u, "Sqrt": lambda: -gw.Sqrt(u)}[kind]()
    return gw.Loss(gw.Where(condition, y, gw.Constant(0.0)))


def where_otherwise() -> Expression:
    x = x_var(MASK)
    return gw.Loss(gw.Where(gw.LessEqual(x, gw.Constant(0.0)), gw.Constant(0.0), gw.Log(x)))


def where_of_another() -> Expression:
    chosen = gw.Input(np.array([True, False, True]))
    return gw.Loss(gw.Where(chosen, gw.Log(x_var([1.0, 2.0, 3.0])), gw.Constant(0.0)))


def norm(value: object, epsilon: bool = False, **parameters: object) -> Expression:
    x = x_var(value)
    return gw.Loss(gw.Sqrt(gw.ReduceSum(x * x) + 1e-9) if epsilon else gw.Norm(x, **parameters))


def td(stops: bool, trains: bool = True) -> Expression:
    w = gw.Variable(np.array([0.5, 1.0]), name="w", trainable=trains)
    v, later = gw.Gather(w, gw.Constant(np.array(0))), gw.Gather(w, gw.Constant(np.array(1)))
    target = gw.Constant(1.0) + gw.Constant(0.9) * (gw.StopGradient(later) if stops else later)
    return gw.Loss(gw.L2Loss(gw.Subtract(target, v, name="delta")))


def residual() -> Expression:
    w, x = gw.Variable(np.array([0.5, 1.0]), name="w"), gw.Constant(np.array([0.2, 0.7]))
    return gw.Loss(gw.L2Loss(gw.ReduceSum(w * x) + gw.Variable(0.1, name="b") - gw.Input(2.0)))


def policy(stops: bool, trains: bool = True) -> Expression:
    th = gw.Variable(np.array([0.1, 0.5, -0.3]), name="th")
    b = gw.Variable(0.8, name="b", trainable=trains)
    advantage = gw.Constant(2.0) - b
    score = -gw.Gather(gw.LogSoftmax(th), gw.Constant(np.array(1)))
    return gw.Loss(score * (gw.StopGradient(advantage) if stops else advantage))


def focal() -> Expression:
    p = gw.Sigmoid(x_var([0.3, -0.2]))
    return gw.Loss((1.0 - p) * gw.LogSigmoid(p))


def stopped_twice() -> Expression:
    x = x_var()
    return gw.Loss(x * gw.StopGradient(gw.Square(gw.StopGradient(x, name="first")), name="second"))


def stopped_constant() -> Expression:
    return gw.Loss(x_var() * gw.StopGradient(gw.Exp(gw.Constant(2.0)), name="second"))


def rounded(is_straight: bool) -> Expression:
    x = x_var([0.2, 1.7])
    y = gw.Round(x, name="cut")
    return gw.Loss(gw.Square(x + gw.StopGradient(y - x) if is_straight else y))


def rounded_and_not() -> Expression:
    x = x_var()
    return gw.Loss(gw.Round(x) * x)


def counted() -> Expression:
    return gw.Loss(gw.Cast(gw.ArgMax(x_var()), dtype="float64"))


def log_loss(is_fused: bool) -> Expression:
    logits, y = x_var([0.3, -2.0, 1.5]), gw.Input(np.array([1.0, 0.0, 0.3]), name="y")
    if is_fused:
        return gw.Loss(gw.SigmoidCrossEntropyWithLogits(y, logits))
    p = gw.Sigmoid(logits)
    return gw.Loss(-(y * gw.Log(p) + (1.0 - y) * gw.Log(1.0 - p)), reduction="mean")


def log_loss_reversed() -> Expression:
    logits, y = x_var([0.3, -2.0, 1.5]), gw.Input(np.array([1.0, 0.0, 0.3]), name="y")
    p = gw.Sigmoid(logits)
    return gw.Loss(-gw.ReduceMean(gw.Log(1.0 - p) * (1.0 - y) + gw.Log(p) * y))


def log_sigmoid(is_of_rest: bool) -> Expression:
    p = gw.Sigmoid(x_var([0.3, -2.0]))
    return gw.Loss(gw.Log(1.0 - p if is_of_rest else p))


def network(first: object, second: object) -> Expression:
    data = gw.Input(np.array([[0.0, 1.0], [1.0, 1.0], [1.0, 0.5]]))
    w1 = gw.Variable(np.array(first, float), name="W1")
    w2 = gw.Variable(np.array(second, float), name="W2")
    hidden = gw.Tanh(gw.MatMul(data, w1) + gw.Variable(np.zeros(2), name="b1"))
    return gw.Loss(gw.SigmoidCrossEntropyWithLogits(gw.Input(np.array([[1.0], [0.0], [1.0]])), gw.MatMul(hidden, w2)))


FIRES: dict[str, list[Make]] = {
    "max_not_stopped": [softmax_without_stop, shifted_log_sum, rows_without_stop],
    "half_stopped": [lambda: lse(True, False), lambda: lse(False, True)],
    "clip_then_square": [
        lambda: clipped_square("Square"),
        lambda: clipped_square("L2Loss"),
        lambda: clipped_square("Multiply"),
    ],
    "guarded_by_where": [
        lambda: where("Log"),
        lambda: where("Divide"),
        lambda: where("Sqrt"),
        lambda: where("Log", at=[1.0, 2.0]),
        where_otherwise,
    ],
    "root_at_zero": [
        lambda: norm([0.0, 0.0]),
        lambda: norm([[0.0, 0.0], [3.0, 4.0]], axis=1, keepdims=True),
        lambda: gw.Loss(gw.Sqrt(x_var([0.0, 4.0]))),
        lambda: gw.Loss(gw.ReduceEuclideanNorm(x_var([0.0, 0.0]))),
    ],
    "log_of_softmax": [
        lambda: gw.Loss(gw.Log(gw.Softmax(x_var()))),
        lambda: gw.Loss(gw.ReduceSum(gw.Log(gw.Softmax(x_var([[1.0, 2.0], [0.0, 5.0]]), axis=0)))),
    ],
    "target_not_stopped": [lambda: td(stops=False)],
    "baseline_not_stopped": [lambda: policy(stops=False)],
    "stop_redundant": [stopped_twice, stopped_constant],
    "only_way_cut": [lambda: rounded(is_straight=False), counted],
    "log_of_sigmoid": [
        lambda: log_loss(is_fused=False),
        log_loss_reversed,
        lambda: log_sigmoid(is_of_rest=False),
        lambda: log_sigmoid(is_of_rest=True),
    ],
    "equal_weights": [
        lambda: network(np.zeros((2, 2)), np.zeros((2, 1))),
        lambda: network(np.full((2, 2), 0.5), np.ones((2, 1))),
    ],
}
STAYS_SILENT: dict[str, list[Make]] = {
    "max_not_stopped": [
        lambda: lse(True, True),
        lambda: lse(False, False),
        # The rule half_stopped says it: one mistake, one advice.
        lambda: lse(False, True),
        lambda: gw.Loss(gw.Softmax(x_var())),
    ],
    "half_stopped": [lambda: lse(True, True), lambda: lse(False, False), softmax_without_stop],
    "clip_then_square": [lambda: clipped_square("Square", clips=False), lambda: gw.Loss(gw.Huber(x_var(), MASK))],
    "guarded_by_where": [lambda: where("Log", is_safe=True), where_of_another],
    "root_at_zero": [lambda: norm([3.0, 4.0]), lambda: norm([0.0, 0.0], epsilon=True)],
    "log_of_softmax": [lambda: gw.Loss(gw.LogSoftmax(x_var())), lambda: gw.Loss(gw.Log(gw.Exp(x_var())))],
    "target_not_stopped": [lambda: td(stops=True), lambda: td(stops=False, trains=False), residual],
    "baseline_not_stopped": [lambda: policy(stops=True), lambda: policy(stops=False, trains=False), focal],
    "stop_redundant": [lambda: lse(True, True), lambda: policy(stops=True), lambda: rounded(is_straight=True)],
    "only_way_cut": [lambda: rounded(is_straight=True), rounded_and_not],
    "log_of_sigmoid": [lambda: log_loss(is_fused=True), lambda: gw.Loss(gw.Log(gw.Softplus(x_var())))],
    "equal_weights": [
        lambda: network([[1, -1], [1, -1]], [[1], [1]]),
        lambda: network(np.zeros((2, 2)), [[1], [2]]),
        lambda: network([[0.5, 0.6], [0.5, 0.1]], np.zeros((2, 1))),
    ],
}
# Fixes that change values on purpose: the Huber loss grows more slowly, a small number is added, weights are drawn. A
# softmax in place of a choice does so, too.
CHANGES_VALUES = {"clip_then_square", "root_at_zero", "equal_weights"}


def cases(table: dict[str, list[Make]]) -> list[tuple[str, Make]]:
    return [(rule, make) for rule, makes in table.items() for make in makes]


def found(run: Evaluation, rule: str) -> list[Finding]:
    return [finding for finding in lint(run) if finding.rule == rule]


def the_finding(graph: Graph, rule: str) -> Finding:
    (finding,) = found(run_graph(graph), rule)
    return finding


def fixed(make: Make, rule: str) -> Graph:
    graph = gw.graph(make())
    fix = the_finding(graph, rule).fix
    assert fix is not None
    return fix.edit(graph)


def gradient(graph: Graph, name: str) -> np.ndarray:
    found = gw.evaluate(graph).gradient(f"{name}.y")
    assert found is not None
    return found


def test_every_rule_has_a_graph_where_it_fires_and_one_where_it_is_silent() -> None:
    assert [rule.name for rule in RULES] == list(dict.fromkeys(rule.name for rule in RULES))
    elsewhere = {rule for rule, _ in (MISTAKES | WRONG).values()} | {"odd_layer"}
    assert FIRES.keys() == STAYS_SILENT.keys()
    assert {rule.name for rule in RULES} == FIRES.keys() | elsewhere


@pytest.mark.parametrize(("rule", "make"), cases(FIRES))
def test_a_rule_fires_once_on_its_mistake_and_not_after_its_fix(rule: str, make: Make) -> None:
    graph = gw.graph(make())
    before = run_graph(graph)
    (finding,) = found(before, rule)
    assert finding.at in before.lowered.inferred.expanded.instances
    assert finding.message[0].isupper() and finding.message.endswith(".")
    assert finding.fix is not None
    after = run_graph(finding.fix.edit(graph))
    assert not found(after, rule)
    assert not after.snapshot.has_errors
    assert finding.fix.changes_loss == (rule in CHANGES_VALUES or make is counted)
    if not finding.fix.changes_loss:
        assert before.snapshot.loss is not None and after.snapshot.loss is not None
        assert np.allclose(after.snapshot.loss.value, before.snapshot.loss.value, rtol=1e-12, equal_nan=True)


@pytest.mark.parametrize(("rule", "make"), cases(FIRES))
def test_advice_does_not_depend_on_the_end_from_which_axes_are_counted(rule: str, make: Make) -> None:
    graph = gw.graph(make())
    other = with_axes_from_the_other_end(graph)
    if other is not graph:
        assert [(item.rule, item.at) for item in lint(run_graph(other))] == [
            (item.rule, item.at) for item in lint(run_graph(graph))
        ]


@pytest.mark.parametrize(("rule", "make"), cases(STAYS_SILENT))
def test_a_rule_is_silent_where_all_is_well(rule: str, make: Make) -> None:
    assert not found(run_graph(gw.graph(make())), rule)


def test_a_maximum_whose_gradient_cancels_is_a_notice_and_one_that_does_not_a_warning() -> None:
    assert the_finding(gw.graph(softmax_without_stop()), "max_not_stopped").severity == "info"
    finding = the_finding(gw.graph(shifted_log_sum()), "max_not_stopped")
    assert finding.severity == "warning" and "-1 flows back" in finding.message


@pytest.mark.parametrize("stops", [(True, False), (False, True)])
def test_a_half_stopped_log_sum_exp_is_wrong_by_one_and_its_fix_gives_softmax(stops: tuple[bool, bool]) -> None:
    graph = gw.graph(lse(*stops))
    too_much = {(True, False): "1 too much", (False, True): "-1 too much"}[stops]
    assert too_much in the_finding(graph, "half_stopped").message
    softmax = [0.06337893833303762, 0.46831053083348, 0.46831053083348]
    assert np.allclose(gradient(fixed(lambda: lse(*stops), "half_stopped"), "x"), softmax, rtol=1e-12)


@pytest.mark.parametrize(("kind", "factor"), [("Square", 2.0), ("L2Loss", 1.0), ("Multiply", 2.0)])
def test_clipped_squares_become_huber(kind: str, factor: float) -> None:
    graph = fixed(lambda: clipped_square(kind), "clip_then_square")
    assert np.allclose(gradient(graph, "x"), factor * np.array([-1.0, -0.5, 0.5, 1.0]), rtol=1e-12)
    assert np.isclose(gw.evaluate(graph).loss, factor * (1.5 + 0.125 + 0.125 + 1.5))


def test_a_second_where_ends_nan() -> None:
    assert np.isnan(gradient(gw.graph(where("Log")), "x")[0])
    assert np.array_equal(gradient(fixed(lambda: where("Log"), "guarded_by_where"), "x"), [0.0, 1.0, 0.25])
    assert np.array_equal(gradient(fixed(where_otherwise, "guarded_by_where"), "x"), [0.0, 1.0, 0.25])


def test_a_where_that_is_safe_now_is_a_notice() -> None:
    assert the_finding(gw.graph(where("Log")), "guarded_by_where").severity == "warning"
    assert the_finding(gw.graph(where("Log", at=[1.0, 2.0])), "guarded_by_where").severity == "info"


@pytest.mark.parametrize("make", FIRES["root_at_zero"])
def test_a_small_number_under_the_root_keeps_the_gradient_finite(make: Make) -> None:
    graph = gw.graph(make())
    assert not np.isfinite(gradient(graph, "x")).all()
    changed = fixed(make, "root_at_zero")
    assert np.isfinite(gradient(changed, "x")).all()
    # sqrt(0 + 1e-12) for each of at most two roots at 0.
    assert np.isclose(gw.evaluate(changed).loss, gw.evaluate(graph).loss, atol=2.1e-6, rtol=0)


def test_a_stopped_target_gives_the_semi_gradient() -> None:
    assert np.allclose(gradient(gw.graph(td(stops=False)), "w"), [-1.4, 1.26], rtol=1e-12)
    assert np.allclose(gradient(fixed(lambda: td(stops=False), "target_not_stopped"), "w"), [-1.4, 0.0], rtol=1e-12)


def test_a_stopped_advantage_leaves_the_baseline_alone() -> None:
    run = gw.evaluate(fixed(lambda: policy(stops=False), "baseline_not_stopped"))
    assert run.status("b.y") == "blocked"
    assert 'Variable "b"' in the_finding(gw.graph(policy(stops=False)), "baseline_not_stopped").message


def test_the_second_of_two_stops_is_the_redundant_one() -> None:
    assert the_finding(gw.graph(stopped_twice()), "stop_redundant").at == "main/second"


def test_a_straight_through_gradient_is_that_of_the_rounded_value() -> None:
    assert np.allclose(gradient(fixed(lambda: rounded(is_straight=False), "only_way_cut"), "x"), [0.0, 4.0])


def test_a_choice_becomes_a_softmax_from_which_its_variable_learns() -> None:
    graph = gw.graph(counted())
    fix = the_finding(graph, "only_way_cut").fix
    assert fix is not None and fix.text == "Replace it by a softmax"
    assert gradient(fix.edit(graph), "x").all()
    pickle.dumps(fix)


@pytest.mark.parametrize("make", FIRES["log_of_softmax"] + FIRES["log_of_sigmoid"])
def test_fused_logarithms_have_the_same_gradients(make: Make) -> None:
    graph = gw.graph(make())
    (finding,) = lint(run_graph(graph))
    assert finding.fix is not None
    assert np.allclose(gradient(finding.fix.edit(graph), "x"), gradient(graph, "x"), rtol=1e-10)


def test_logarithms_that_are_lost_are_warnings_and_their_fix_is_finite() -> None:
    graph = gw.graph(gw.Loss(gw.Log(gw.Softmax(x_var([0.0, 1000.0])))))
    finding = the_finding(graph, "log_of_softmax")
    assert finding.severity == "warning" and "1 of 2 elements are -inf" in finding.message
    assert finding.fix is not None
    assert gw.evaluate(finding.fix.edit(graph)).loss == -1000.0


def test_fused_graphs_have_no_idle_blocks_left() -> None:
    graph = fixed(lambda: log_loss(is_fused=False), "log_of_sigmoid")
    types = sorted(block.type for block in graph.pages[0].blocks.values())
    assert types == ["Input", "Loss", "Negative", "Negative", "SigmoidCrossEntropyWithLogits", "Variable"]


def test_random_weights_break_the_symmetry() -> None:
    make = FIRES["equal_weights"][1]
    first = gradient(gw.graph(make()), "W1")
    assert np.array_equal(first[:, 0], first[:, 1])
    changed = gradient(fixed(make, "equal_weights"), "W1")
    assert not np.allclose(changed[:, 0], changed[:, 1])


def test_rules_see_through_dots_and_muted_blocks() -> None:
    x = x_var([0.0, 1000.0])
    graph = gw.graph(gw.Loss(gw.Log(gw.Reroute(gw.Negative(gw.Softmax(x), name="passed")))))
    page = graph.pages[0]
    muted = dataclasses.replace(page.blocks["passed"], is_muted=True)
    graph = graph.with_page(dataclasses.replace(page, blocks={**page.blocks, "passed": muted}))
    assert the_finding(graph, "log_of_softmax").severity == "warning"


def broken(flow: Flow) -> Iterator[Finding]:
    yield Finding("log_of_softmax", "info", "main/nobody", "This is never told.")
    raise KeyError("main/nobody")


def test_a_rule_that_raises_is_told_with_its_title_and_the_others_go_on() -> None:
    run = run_graph(gw.graph(softmax_without_stop()))
    rules = [dataclasses.replace(rule, find=broken) if rule.name == "log_of_softmax" else rule for rule in RULES]
    told, *others = lint(run, rules)
    assert [item.problem for item in others] == [item.problem for item in lint(run)] != []
    assert (told.rule, told.at, told.fix) == ("log_of_softmax", "", None)
    assert told.message.startswith('A rule of the linter failed: "The logarithm of a softmax".')
    assert "hide the rule" in told.message and told.message.endswith("report it with the graph.")


def test_a_fix_that_cannot_be_made_leaves_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = gw.graph(gw.Loss(gw.Log(gw.Input([0.0, 1.0], name="x"))))
    graph, _ = edits.add_block(graph, "main", "StopGradient", id="stop")
    graph = edits.connect(graph, "main", Port("x", "y"), Port("stop", "x"))
    run = run_graph(graph)
    assert {problem.code for problem in remedies(run)} == {"nonfinite", "stop_unused"}
    monkeypatch.setitem(_MAKERS, "nonfinite", lambda *_: list(broken(None)))
    assert {problem.code for problem in remedies(run)} == {"stop_unused"}


@pytest.mark.parametrize(
    ("x", "y", "crossed"),
    [((3, 1), (3,), True), ((3,), (3, 1), True), ((1, 1), (1,), False), ((3, 3, 1), (3, 3), True),
     ((3, 1), (3, 1), False), ((3, 1), (2,), False), ((3, 1), (1,), False), ((3,), (), False), ((1,), (3,), False)],
)  # fmt: skip
def test_a_column_against_a_row_of_as_many_is_crossed(x: tuple[int, ...], y: tuple[int, ...], crossed: bool) -> None:
    w, seen = gw.Variable(np.arange(1.0, 1 + np.prod(x)).reshape(x), name="w"), gw.Input(np.ones(y))
    rules = {item.rule for item in lint(run_graph(gw.graph(gw.Loss(gw.ReduceMean(gw.Square(w - seen))))))}
    assert ("crossed_shapes" in rules) is crossed


@pytest.mark.parametrize(
    ("factors", "blamed"),
    [((1, 2), None), ((1, 1e30), None), ((1, 2, 1e30), "w2"), ((1, 2, 3, 1e30), "w3"), ((1, 2, 3), None)],
)
def test_a_gradient_far_above_at_least_two_others_is_told(factors: tuple[float, ...], blamed: str | None) -> None:
    terms = [gw.Variable([0.5], name=f"w{place}") * factor for place, factor in enumerate(factors)]
    found = [item.at for item in lint(run_graph(gw.graph(gw.Loss(gw.AddN(terms))))) if item.rule == "never_learns"]
    assert found == ([] if blamed is None else [f"main/{blamed}"])
