"""Backpropagation steps: laws of the sums on every recorded graph, and the steps of the stable softmax."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.explain.back_steps import CARRYING, BackStep, Kind, Part, back_steps, sum_so_far
from gradwire.engine.explain.step_numbers import number_table
from gradwire.engine.graph.graph import Block, Graph, Page
from tests.engine.autodiff.test_gradients_block import source
from tests.engine.autodiff.test_pages import squares, user
from tests.engine.cause_graphs import x
from tests.gallery import example
from tests.recorded import graphs_of_each_wiring, make_graph, run_of_recording
from tests.sweeps import a_third_of
from tests.test_laws import graphs, law


def second_order() -> Graph:
    """Returns c = x³ via a square, and the loss of its derivative: a part of x's gradient has no wire."""
    built = [source("x", [2.0, -1.0]), Block("s", "Square"), Block("c", "Multiply")]
    built += [Block("g", "Gradients"), Block("loss", "Loss")]
    wires = [("x.y", "s.x"), ("s.y", "c.x"), ("x.y", "c.y"), ("c.z", "g.y"), ("x.y", "g.xs_0"), ("g.g_0", "loss.x")]
    return make_graph(built, wires)


def check_laws(run: Evaluation) -> None:
    """Asserts that sums grow by the sent parts, end as the gradient, and use every carrying wire once."""
    steps = back_steps(run)
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    sent = [part.link for step in steps for part in step.parts if part.is_carried and part.link is not None]
    assert len(sent) == len(set(sent))
    assert set(sent) == {link for link, wire in run.snapshot.wires.items() if wire.status in CARRYING}
    for port in {part.port for step in steps for part in step.parts if part.is_carried}:
        check_sums(run, steps, port)


def check_sums(run: Evaluation, steps: tuple[BackStep, ...], port: PortName) -> None:
    total, places = None, []
    arrivals = [step for step in steps if any(part.port == port and part.is_carried for part in step.parts)]
    # Checks the sum where it has grown, and at the last step before it grows again.
    for step, last in zip(arrivals, [*(step.number - 1 for step in arrivals[1:]), len(steps)], strict=True):
        for part in step.parts:
            if part.port == port and part.is_carried:
                places.append((part.place, part.count))
                total = part.gradient if total is None else total + part.gradient
        for number in (step.number, last):
            np.testing.assert_array_equal(sum_so_far(steps, port, number), total)
    assert places == [(place, len(places)) for place in range(1, len(places) + 1)]
    gradient = run.snapshot.ports[port].gradient
    if gradient is not None and total is not None:
        # The engine adds in another order, which is a rounding error of the largest part.
        parts = [part.gradient for step in steps for part in step.parts if part.port == port and part.is_carried]
        largest = max(float(np.abs(part).max(initial=0)) for part in parts)
        scale = largest if np.isfinite(largest) else 0.0
        np.testing.assert_allclose(total, gradient, rtol=1e-9, atol=1e-14 * scale * len(parts), equal_nan=True)


@pytest.mark.parametrize("name", a_third_of(graphs_of_each_wiring(), 1))
def test_sums_grow_by_what_is_sent_and_end_as_the_gradient(name: str) -> None:
    check_laws(run_of_recording(name))


@pytest.mark.long
@law
@given(graphs())
def test_the_laws_hold_on_random_graphs(graph: Graph) -> None:
    check_laws(run_graph(graph))


def test_the_laws_hold_on_pages_within_pages_and_each_of_their_blocks_has_its_turn() -> None:
    main: Page = make_graph(
        [source("x", [1.0, 2.0]), user(), Block("loss", "Loss")], [("x.y", "use.a"), ("use.out", "loss.x")]
    ).pages[0]
    run = run_graph(Graph(pages=(main, squares())))
    check_laws(run)
    paths = [step.path.removeprefix("main/") for step in back_steps(run)]
    assert paths[:4] == ["loss", "use", "use/out", "use/m"]
    entry = next(step for step in back_steps(run) if step.path == "main/use/a")
    # The gradient passes the wire into the page where the page reads it: d(10 a²)/da = 20 a.
    np.testing.assert_allclose(entry.parts[0].gradient, [20.0, 40.0])


def test_the_laws_hold_where_a_part_comes_back_without_a_wire() -> None:
    run = run_graph(second_order())
    check_laws(run)
    (derivative,) = [step for step in back_steps(run) if step.path == "main/g"]
    # Of d/dx 3x² = 6x the wire into Square carries the rest of 12, -6.
    assert {part.port: part.link for part in derivative.parts if part.is_carried}[PortName("main/x", "y")] is None


def softmax() -> Evaluation:
    return run_graph(example("softmax_stable"))


def test_the_stable_softmax_goes_back_in_reverse_order_from_the_loss_without_its_constant() -> None:
    steps = back_steps(softmax())
    assert [(step.path.removeprefix("main/"), step.kind) for step in steps] == [
        ("loss", Kind.SEED),
        ("p", Kind.SENDS),
        ("s", Kind.SENDS),
        ("e", Kind.SENDS),
        ("z", Kind.SENDS),
        ("stop", Kind.STOPS),
        ("m", Kind.CUT),
        ("x", Kind.ENDS),
    ]


def test_of_two_parts_the_first_names_the_step_of_the_second() -> None:
    steps = back_steps(softmax())
    first, last = steps[1].parts[0], steps[2].parts[0]
    assert (first.port, first.place, first.count, first.next_step) == (PortName("main/e", "y"), 1, 2, 3)
    assert (last.port, last.place, last.count, last.next_step) == (PortName("main/e", "y"), 2, 2, None)


def test_the_recorded_gradient_of_the_softmax_has_arrived_in_the_end() -> None:
    steps = back_steps(softmax())
    found = sum_so_far(steps, PortName("main/x", "y"), len(steps))
    # Recorded from TensorFlow: stable softmax of 1, 3, 3, weighted 1, 2, 3.
    np.testing.assert_allclose(found, [-0.0890430728, -0.189633729, 0.2786768018], rtol=1e-8)
    assert sum_so_far(steps, PortName("main/x", "y"), 4) is None


def test_a_stop_gradient_sends_nothing_and_says_what_it_keeps_back() -> None:
    (part,) = back_steps(softmax())[5].parts
    assert part.status is Status.BLOCKED and not part.is_carried and not np.any(part.gradient)
    assert part.withheld is not None and abs(float(part.withheld)) < 1e-15


def test_the_terms_of_a_broadcast_are_listed_beside_the_input_and_add_up() -> None:
    run = softmax()
    table = number_table(run, back_steps(run)[1])
    assert [(column.name, column.role) for column in table.columns] == [
        ("z", "arrives"), ("x", "value"), ("y", "value"), ("x", "sends"), ("y", "part"),
    ]  # fmt: skip
    g, x, y, to_x, terms = (np.array(column.numbers) for column in table.columns)
    np.testing.assert_allclose(to_x, g / y, rtol=1e-12)
    np.testing.assert_allclose(terms, -g * x / y**2, rtol=1e-12)
    total = table.columns[-1].total
    assert total is not None
    np.testing.assert_allclose(terms.sum(), total, rtol=1e-12)


def test_rows_of_a_reduction_along_one_axis_are_not_put_beside_elements_they_do_not_belong_to() -> None:
    built = [source("x", np.arange(9.0).reshape(3, 3)), Block("s", "ReduceSum", parameters={"axis": (1,)})]
    run = run_graph(make_graph([*built, Block("loss", "Loss")], [("x.y", "s.x"), ("s.y", "loss.x")]))
    (step,) = [step for step in back_steps(run) if step.path == "main/s"]
    table = number_table(run, step)
    assert [len(column.numbers) for column in table.columns] == [3, 8, 8] and table.size == 9


def test_without_a_loss_there_are_no_steps() -> None:
    assert back_steps(run_graph(make_graph([source("x", [1.0]), Block("e", "Exp")], [("x.y", "e.x")]))) == ()


def test_the_first_step_is_the_loss_that_gives_one_to_itself() -> None:
    """Where the loss is unknown, so is what it gives."""
    for value, status in ((np.eye(2), Status.FLOW), (np.zeros((2, 2)), Status.UNKNOWN)):
        blocks = [Block("x", "Input", parameters={"value": value}), Block("i", "MatrixInverse"), Block("loss", "Loss")]
        first = back_steps(run_graph(make_graph(blocks, [("x.y", "i.x"), ("i.y", "loss.x")])))[0]
        own = first.arrives["y"]
        assert (first.path, first.number, first.kind, own.status) == ("main/loss", 1, Kind.SEED, status)
        assert (None if own.gradient is None else float(own.gradient)) == (1.0 if status is Status.FLOW else None)


def part_of(port: str, gradient: object, status: Status = Status.FLOW) -> Part:
    return Part(PortName("main/x", port), None, None if gradient is None else np.asarray(gradient, float), status)


def test_a_sum_so_far_has_what_came_to_its_port_in_the_first_steps() -> None:
    rows = [
        [part_of("y", [1, 2]), part_of("z", [50, 60])],
        [part_of("y", [10, 20], Status.BLOCKED), part_of("y", [100, 200])],
        [part_of("z", None), part_of("y", [1000, 2000], Status.ZERO)],
    ]
    steps = [BackStep(number, f"main/{number}", Kind.SENDS, {}, tuple(row)) for number, row in enumerate(rows, 1)]

    def so_far(port: str, number: int) -> list[float] | None:
        found = sum_so_far(steps, PortName("main/x", port), number)
        return None if found is None else found.tolist()

    assert [so_far("y", number) for number in range(4)] == [None, [1, 2], [101, 202], [1101, 2202]]
    assert [so_far("z", number) for number in range(4)] == [None, [50, 60], [50, 60], None]
    assert so_far("other", 3) is None


def test_what_a_derivative_gives_without_a_wire_flows() -> None:
    """The loss is the sum of (d/dx Σ x²)² = 4 x², so the derivative gives 8 x to x."""
    line = x([1.0, 2.0], "Variable").then("q", "Square").then("s", "ReduceSum").then("d", "Gradients", "x.y")
    steps = {step.path: step for step in back_steps(run_graph(line.then("l", "Square").loss()))}
    (part,) = [part for part in steps["main/d"].parts if part.link is None]
    assert (part.port, part.status) == (PortName("main/x", "y"), Status.FLOW)
    assert part.gradient is not None and part.gradient.tolist() == [8, 16]
