"""Gradient flow: known chains shrink and grow by known factors."""

from __future__ import annotations

import dataclasses
import itertools
import math

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import Link, PortName
from gradwire.engine.base.norms import norm_of
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.flow import UNUSUAL, Flow, FlowStep, flow_of
from gradwire.engine.graph.graph import Block, Graph
from tests.gallery import example
from tests.recorded import make_graph


def chain(kind: str, count: int, value: object = 0.5, dtype: str = "float64") -> Graph:
    """Returns an Input x through `count` blocks of a type into a Loss."""
    names = [f"b{number}" for number in range(1, count + 1)]
    blocks = [Block("x", "Input", parameters={"value": np.array(value, dtype)}), Block("loss", "Loss")]
    blocks += [Block(name, kind) for name in names]
    ends = zip(["x", *names], [*names, "loss"], strict=True)
    return make_graph(blocks, [(f"{source}.y", f"{target}.x") for source, target in ends])


def recurrent(weight: float, start: float, count: int) -> Graph:
    """Returns h <- w * h, repeated `count` times."""
    blocks = [Block("w", "Variable", parameters={"value": np.array(weight)}), Block("loss", "Loss")]
    blocks += [Block("h0", "Input", parameters={"value": np.array(start)})]
    blocks += [Block(f"h{number}", "Multiply") for number in range(1, count + 1)]
    wires = [("h0.y", "h1.x"), *((f"h{number}.z", f"h{number + 1}.x") for number in range(1, count))]
    wires += [("w.y", f"h{number}.y") for number in range(1, count + 1)]
    return make_graph(blocks, [*wires, (f"h{count}.z", "loss.x")])


def of(graph: Graph) -> Flow:
    return flow_of(run_graph(graph))


def ratio(flow: Flow, source: str, target: str) -> float:
    ends = f"main/{source}", f"main/{target}"
    (found,) = [step.ratio for step in flow.steps if (step.link.source.path, step.link.target.path) == ends]
    return found


def test_each_sigmoid_of_a_long_chain_passes_on_0_2247043481() -> None:
    flow = of(chain("Sigmoid", 80))
    # The derivative s (1 - s) at the fixed point s = 0.6590460684 of the sigmoid.
    assert ratio(flow, "b79", "b80") == pytest.approx(0.2247043481, abs=1e-10)
    assert flow.typical == pytest.approx(0.2247043481, abs=1e-10)


@pytest.mark.parametrize(("count", "left"), [(5, 6.0799e-4), (20, 1.1431e-13), (80, 1.428141498485379e-52)])
def test_what_is_left_at_the_far_end_is_the_gradient_there(count: int, left: float) -> None:
    end = of(chain("Sigmoid", count)).end
    assert end is not None and (end.path, end.steps) == ("main/x", count)
    assert end.left == pytest.approx(left, rel=1e-4)
    assert end.per_step == pytest.approx(left ** (1 / count), rel=1e-4)


def test_the_mean_of_a_chain_of_tanh_is_the_root_of_what_is_left() -> None:
    end = of(chain("Tanh", 20)).end
    assert end is not None and end.per_step == pytest.approx(0.10727401260867428 ** (1 / 20), rel=1e-12)


def test_relus_that_are_on_pass_on_everything_and_none_is_unusual() -> None:
    flow = of(chain("Relu", 12))
    assert [step.ratio for step in flow.steps] == [1.0] * 12
    assert not any(step.is_unusual for step in flow.steps)


def test_a_recurrent_network_grows_by_its_weight_at_every_step() -> None:
    flow = of(recurrent(1.5, 0.1, 20))
    assert all(ratio(flow, f"h{at}", f"h{at + 1}") == pytest.approx(1.5, rel=1e-12) for at in range(20))
    assert flow.end is not None and (flow.end.path, flow.end.steps) == ("main/h0", 20)
    assert flow.end.per_step == pytest.approx(1.5, rel=1e-12)


def test_the_block_unlike_the_rest_comes_first_whatever_the_rest_does() -> None:
    for kind, other in (("Relu", "Sigmoid"), ("Sigmoid", "Relu")):
        graph = chain(kind, 9)
        page = graph.pages[0]
        odd = make_graph(
            [*(block for name, block in page.blocks.items() if name != "b5"), Block("b5", other)],
            [(str(wire.source), str(wire.target)) for wire in page.wires.values()],
        )
        flow = of(odd)
        assert flow.steps[0].link.target.path == "main/b5"
        assert [step.is_unusual for step in flow.steps] == [True] + [False] * 8
        assert (flow.steps[0].unusual < 0) is (other == "Sigmoid")


def dead(*after: str) -> Graph:
    """Returns x -> Exp -> Negative -> Relu, which is off, through blocks of these types into a Loss."""
    types = ["Exp", "Negative", "Relu", *after]
    names = ["x", *(kind.lower() for kind in types), "loss"]
    blocks = [Block("x", "Input", parameters={"value": np.array(-1.0)}), Block("loss", "Loss")]
    blocks += [Block(kind.lower(), kind) for kind in types]
    return make_graph(blocks, [(f"{source}.y", f"{target}.x") for source, target in itertools.pairwise(names)])


def test_a_block_that_passes_on_nothing_is_the_worst() -> None:
    steps = of(dead("Tanh")).steps
    # No gradient reaches the blocks before it, so there is nothing to say about them.
    found = [(step.link.target.path, step.ratio, step.unusual) for step in steps]
    assert found == [("main/relu", 0.0, -math.inf), ("main/tanh", 1.0, 0.0)]


def test_where_nothing_is_passed_on_no_block_is_unlike_the_rest() -> None:
    flow = of(dead())
    assert [(step.link.target.path, step.ratio, step.is_unusual) for step in flow.steps] == [("main/relu", 0.0, False)]
    assert flow.typical is None


def test_what_only_rounding_leaves_is_nothing_and_goes_no_further() -> None:
    flow = of(example("softmax_stable_nostop"))
    ends = {(step.link.source.path, step.link.target.path): step for step in flow.steps}
    cancelled = ends["main/m", "main/z"]
    assert (cancelled.sent, cancelled.ratio, cancelled.is_rounded) == (0.0, 0.0, True)
    assert ("main/x", "main/m") not in ends
    assert not any(step.is_unusual for step in ends.values())
    assert not any(step.is_rounded for step in flow.steps if step is not cancelled)


def test_points_on_wires_and_muted_blocks_are_no_steps() -> None:
    graph = make_graph(
        [
            Block("x", "Input", parameters={"value": np.array(2.0)}),
            Block("dot", "Reroute"),
            Block("off", "Exp", is_muted=True),
            Block("q", "Square"),
            Block("loss", "Loss"),
        ],
        [("x.y", "dot.x"), ("dot.y", "off.x"), ("off.y", "q.x"), ("q.y", "loss.x")],
    )
    flow = of(graph)
    assert [step.link.target.path for step in flow.steps] == ["main/q"]
    assert flow.end is not None and (flow.end.path, flow.end.steps, flow.end.left) == ("main/x", 1, 4.0)


def test_each_wire_of_a_block_has_its_own_ratio() -> None:
    flow = of(recurrent(3.0, 5.0, 1))
    assert (ratio(flow, "h0", "h1"), ratio(flow, "w", "h1")) == (3.0, 5.0)


def test_the_far_end_is_a_variable_or_an_input_before_any_constant() -> None:
    page = chain("Square", 3).pages[0]
    blocks = [
        *page.blocks.values(),
        Block("w", "Variable", parameters={"value": np.array(2.0)}),
        Block("m", "Multiply"),
    ]
    blocks = [Block("x", "Constant", parameters=block.parameters) if block.id == "x" else block for block in blocks]
    wires = [(str(wire.source), str(wire.target)) for wire in page.wires.values() if wire.target.block != "loss"]
    end = of(make_graph(blocks, [*wires, ("b3.y", "m.x"), ("w.y", "m.y"), ("m.z", "loss.x")])).end
    assert end is not None and (end.path, end.steps) == ("main/w", 1)


def test_wires_with_nan_are_counted_and_have_no_ratio() -> None:
    flow = of(chain("Log", 2, [1.0, -1.0]))
    assert (flow.steps, flow.end, flow.broken) == ((), None, 2)


def test_without_a_loss_nothing_flows() -> None:
    graph = make_graph([Block("x", "Input", parameters={"value": np.array(1.0)})], [])
    assert of(graph) == Flow((), None, None, 0)


@pytest.mark.parametrize("size", [1e-300, 1.0, 1e300])
def test_a_norm_neither_overflows_nor_underflows(size: float) -> None:
    assert norm_of(np.array([3.0, 4.0]) * size) == pytest.approx(5 * size, rel=1e-15)


def test_the_norm_of_nan_is_nan_and_that_of_infinity_infinite() -> None:
    assert math.isnan(norm_of(np.array([1.0, np.nan]))) and norm_of(np.array([1.0, -np.inf])) == math.inf
    assert norm_of(np.zeros((0, 2))) == 0.0


def scaled(factors: dict[str, float]) -> Graph:
    """Returns the sum of some sources, each times a factor of its own."""
    blocks, wires, last = [Block("loss", "Loss")], [], ""
    for name, factor in factors.items():
        blocks += [Block(name, "Input", parameters={"value": np.array(2.0)}), Block(f"m{name}", "Multiply")]
        blocks += [Block(f"c{name}", "Constant", parameters={"value": np.array(factor)})]
        wires += [(f"{name}.y", f"m{name}.x"), (f"c{name}.y", f"m{name}.y")]
        if last:
            blocks.append(Block(f"a{name}", "Add"))
            wires += [(last, f"a{name}.x"), (f"m{name}.z", f"a{name}.y")]
        last = f"a{name}.z" if last else f"m{name}.z"
    return make_graph(blocks, [*wires, (last, "loss.x")])


@pytest.mark.parametrize(
    ("first", "second", "farthest"),
    [(2.0, 4.0, "y"), (4.0, 2.0, "x"), (0.5, 0.1, "y"), (0.1, 0.5, "x"), (0.5, 4.0, "y"), (4.0, 0.1, "y")],
)
def test_of_two_ends_as_far_the_one_whose_gradient_has_changed_most_is_told(
    first: float, second: float, farthest: str
) -> None:
    end = of(scaled({"x": first, "y": second})).end
    assert end is not None and (end.path, end.steps) == (f"main/{farthest}", 2)
    assert end.left == {"x": first, "y": second}[farthest]


def test_ratios_are_rated_by_their_distance_from_the_median_in_robust_deviations() -> None:
    """Ratios 1, 1 (both sums of both ends), 2, 4 and 64: logarithms, their median and deviations by hand."""
    flow = of(scaled({"x": 2.0, "y": 4.0, "z": 64.0}))
    found = {str(step.link.target): step for step in flow.steps}
    # Four wires into sums have ratio 1, three into products 2, 4 and 64, three constants 2.
    logs = np.log([1, 1, 1, 1, 2, 4, 64, 2, 2, 2])
    typical = float(np.median(logs))
    scale = max(math.log(2) / 3.5, 1.4826 * float(np.median(np.abs(logs - typical))))
    assert flow.typical == pytest.approx(math.exp(typical))
    for target, ratio_ in (("main/mz.x", 64), ("main/my.x", 4), ("main/mx.y", 2), ("main/az.x", 1)):
        assert found[target].unusual == pytest.approx((math.log(ratio_) - typical) / scale)
    assert flow.steps[0].link.target.path == "main/mz"
    assert [abs(step.unusual) for step in flow.steps] == sorted((abs(s.unusual) for s in flow.steps), reverse=True)


def test_a_source_right_before_the_loss_is_no_end() -> None:
    assert (
        of(
            make_graph(
                [Block("x", "Input", parameters={"value": np.array(2.0)}), Block("loss", "Loss")], [("x.y", "loss.x")]
            )
        ).end
        is None
    )


@pytest.mark.parametrize(("unusual", "is_it"), [(0.0, False), (1e9, True), (-1e9, True), (-math.inf, True)])
def test_a_ratio_far_from_the_typical_one_is_unusual(unusual: float, is_it: bool) -> None:
    step = FlowStep(Link(PortName("main/a", "y"), PortName("main/b", "x")), 2.0, 1.0, 4, unusual)
    assert step.is_unusual is is_it and step.ratio == 0.5
    assert dataclasses.replace(step, unusual=UNUSUAL).is_unusual is False
    assert dataclasses.replace(step, unusual=UNUSUAL * 1.001).is_unusual is True


def test_steps_are_counted_from_the_loss_along_the_largest_contribution() -> None:
    found = of(chain("Sigmoid", 4))
    steps = {step.link.target.path: step.steps for step in found.steps}
    assert steps == {f"main/b{number}": 5 - number for number in range(1, 5)}
    # Of two ways, one through two blocks with the larger gradient and one through a single block.
    blocks = [Block("x", "Input", parameters={"value": np.array(2.0)}), Block("loss", "Loss"), Block("sum", "Add")]
    blocks += [Block("s", "Square"), Block("t", "Square"), Block("h", "Tanh")]
    wires = [("x.y", "s.x"), ("s.y", "t.x"), ("t.y", "sum.x"), ("x.y", "h.x"), ("h.y", "sum.y"), ("sum.z", "loss.x")]
    both = of(make_graph(blocks, wires))
    steps = {step.link.target.path + "." + step.link.target.port: step.steps for step in both.steps}
    assert steps == {"main/sum.x": 1, "main/sum.y": 1, "main/t.x": 2, "main/s.x": 3, "main/h.x": 2}
    assert both.end is not None and (both.end.path, both.end.steps) == ("main/x", 3)


def test_ends_are_variables_and_inputs_and_all_sources_without_them() -> None:
    def end(kind: str, other: str) -> str:
        blocks = [Block("a", kind, parameters={"value": np.array(2.0)}), Block("loss", "Loss"), Block("sum", "Add")]
        blocks += [Block("b", other, parameters={"value": np.array(3.0)}), Block("s", "Square"), Block("t", "Square")]
        wires = [("a.y", "sum.x"), ("b.y", "s.x"), ("s.y", "t.x"), ("t.y", "sum.y"), ("sum.z", "loss.x")]
        found = of(make_graph(blocks, wires)).end
        assert found is not None
        return found.path

    assert end("Variable", "Constant") == end("Input", "Constant") == "main/a"
    assert end("Variable", "Input") == end("Input", "Variable") == end("Constant", "Constant") == "main/b"
