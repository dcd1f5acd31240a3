"""Loops: a page in several rounds gives the values and gradients of as many pages one behind the other."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Set

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import LEFT_CLOSED, expand
from gradwire.engine.autodiff.infer import Inferred, infer_specs
from gradwire.engine.autodiff.infer_update import update_inference
from gradwire.engine.autodiff.status import Status
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.evaluation.rerun import Rerun, new_values
from gradwire.engine.graph.graph import Block, Graph, Page, Port
from tests.engine.loop_graphs import ByHand, entry, facts, leaving, page_from, random_loop, scan, source
from tests.sweeps import a_third_of


def assert_as_by_hand(graph: Graph, ignored_stops: Set[str] | None = frozenset()) -> None:
    """Asserts that all values, gradients, statuses, causes and problems are those of the graph without loops."""
    other = ByHand(graph)
    stops = None if ignored_stops is None else frozenset(map(other.path, ignored_stops))
    found, wanted = evaluate(graph, ignored_stops), evaluate(other.graph, stops)
    ours, theirs = other.facts(found), facts(wanted)
    assert ours == {name: theirs[name] for name in ours}
    assert (found.loss is None) == (wanted.loss is None)
    problems = Counter((item.severity, other.path(item.at), item.code) for item in found.problems)
    assert problems == Counter((item.severity, item.at, item.code) for item in wanted.problems)


@pytest.mark.parametrize("seed", a_third_of(range(100)))
def test_a_loop_gives_what_its_rounds_give_by_hand(seed: int) -> None:
    assert_as_by_hand(random_loop(seed))


@pytest.mark.parametrize("seed", a_third_of(range(0, 100, 7), 1))
def test_a_loop_without_its_stops_gives_what_its_rounds_give_without_theirs(seed: int) -> None:
    assert_as_by_hand(random_loop(seed), None)


def cell(**value: object) -> Page:
    """Returns a page that carries h * w + x, and gives h * w as o."""
    blocks = [entry("h"), entry("x", 1), entry("w", 2, **value), Block("m", "Multiply"), Block("a", "Add")]
    wires = [("h.y", "m.x"), ("w.y", "m.y"), ("m.z", "a.x"), ("x.y", "a.y"), ("a.z", "h_out.x"), ("m.z", "o_out.x")]
    return page_from("cell", [*blocks, leaving("h"), leaving("o", 1)], wires)


def recurrence(rec: Block, *others: Page, **sources: object) -> Graph:
    """Returns a graph with sources wired to the inputs of a loop, whose h is the loss."""
    blocks = [source(name, value) for name, value in sources.items()]
    wires = [(f"{name}.y", f"{rec.id}.{name}") for name in sources]
    main = page_from("main", [*blocks, rec, Block("loss", "Loss")], [*wires, (f"{rec.id}.h", "loss.x")])
    return Graph(pages=(main, *others))


def test_a_loop_carries_and_gives_each_round_its_element() -> None:
    rec = scan("rec", "cell", 3, each=("x",), collect=("o",))
    found = evaluate(recurrence(rec, cell(), h=5, x=[1, 2, 3], w=2))
    assert found.problems == ()
    assert [found.port(f"main/rec[{number}].h").value for number in range(3)] == [11, 24, 51]
    assert found.port("main/rec.h").value == 51
    assert found.port("main/rec.o").value.tolist() == [10, 22, 48]
    # d/dw of ((5 w + 1) w + 2) w + 3 at 2
    assert found.port("main/w.y").gradient == 15 * 4 + 2 * 2 + 2
    assert found.wire("main/x.y", "main/rec.x").gradient.tolist() == [4, 2, 1]
    assert found.wire("main/w.y", "main/rec.w").gradient == 66
    assert found.port("main/rec[2]/w.y").gradient == 24


def test_stop_every_blocks_what_is_carried_into_these_rounds_and_nothing_else() -> None:
    graph = recurrence(scan("rec", "cell", 5, stop_every=2), cell(), h=1, x=1, w=2)
    found = evaluate(graph)
    carried = [found.wire(f"main/rec[{number - 1}].h", f"main/rec[{number}].h") for number in range(1, 5)]
    assert [item.by for item in carried] == [("main/rec[2]/h",)] * 2 + [("main/rec[4]/h",)] * 2
    assert [item.withheld for item in carried] == [None, 0, None, 2]
    assert found.port("main/rec[4]/h.y").gradient == 2
    assert found.port("main/rec[4]/h.y").status is Status.FLOW


def test_without_one_stop_the_gradient_passes_there() -> None:
    graph = recurrence(scan("rec", "cell", 5, stop_every=2), cell(), h=1, x=1, w=2)
    found = evaluate(graph, frozenset(["main/rec[4]/h"]))
    assert found.wire("main/rec[3].h", "main/rec[4].h").status is Status.FLOW
    assert found.wire("main/rec[1].h", "main/rec[2].h").by == ("main/rec[2]/h",)


def test_an_unconnected_input_gets_the_value_of_its_page_in_every_round() -> None:
    value = np.array(2.0)
    found = evaluate(recurrence(scan("rec", "cell", 3, each=("x",)), cell(value=value), h=5, x=[1, 2, 3]))
    assert found.port("main/rec.h").value == 51


def test_loops_and_pages_nest() -> None:
    turn = page_from(
        "turn",
        [entry("h"), entry("w", 1), scan("lb", "cell", 3, stop_every=2), leaving("h"), Block("k", "Tanh")],
        [("h.y", "lb.h"), ("w.y", "lb.w"), ("w.y", "lb.x"), ("lb.h", "k.x"), ("k.y", "h_out.x")],
    )
    half = page_from(
        "half",
        [entry("h"), entry("w", 1), scan("la", "turn", 4, collect=("h",)), Block("t", "ReduceSum"), leaving("h")],
        [("h.y", "la.h"), ("w.y", "la.w"), ("la.h", "t.x"), ("t.y", "h_out.x")],
    )
    main = page_from(
        "main",
        [source("s", 0.3), source("w", 0.9), Block("use", "Page", parameters={"page": "half"}), Block("loss", "Loss")],
        [("s.y", "use.h"), ("w.y", "use.w"), ("use.h", "loss.x")],
    )
    graph = Graph(pages=(main, half, turn, cell()))
    assert_as_by_hand(graph)
    assert evaluate(graph).port("main/use/la[2]/lb[1]/m.z").gradient is not None


def test_a_muted_loop_passes_on_like_a_muted_page() -> None:
    rec = dataclasses.replace(scan("rec", "cell", 2, collect=("h",)), is_muted=True)
    found = evaluate(recurrence(rec, cell(), h=[5, 4], x=3, w=2))
    assert found.port("main/rec.h").value.tolist() == [5, 4]
    assert found.port("main/h.y").gradient.tolist() == [1, 1]
    rec = dataclasses.replace(scan("rec", "cell", 2, each=("x",), collect=("h",)), is_muted=True)
    # The collected output has a shape that only x has.
    assert evaluate(recurrence(rec, cell(), h=5, x=[7, 8], w=2)).port("main/rec.h").value.tolist() == [7, 8]


BAD = {
    "times": (scan("rec", "cell", 0), "parameter", "from 1 to 10,000, not 0"),
    "too many": (scan("rec", "cell", 10_001), "parameter", "from 1 to 10,000, not 10,001"),
    "no times": (Block("rec", "Scan", parameters={"page": "cell"}), "parameter", "times is missing"),
    "no page": (scan("rec", "there", 2), "parameter", 'There is no page "there"'),
    "stop_every": (scan("rec", "cell", 2, stop_every=-1), "parameter", "stop_every must be at least 0"),
    "each": (scan("rec", "cell", 2, each=("z",)), "parameter", 'each names "z"'),
    "collect": (scan("rec", "cell", 2, collect=("x",)), "parameter", 'collect names "x"'),
    "both": (scan("rec", "cell", 2, each=("h",)), "parameter", "so it is carried"),
    "size": (scan("rec", "cell", 2, each=("x",)), "shape", "x has shape [3], but axis 0 must have size 2"),
    "spec": (scan("rec", "cell", 2), "shape", "goes in as float64[] and comes out as float64[3]"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_loop_that_does_not_fit_has_one_sentence_and_all_else_is_computed(name: str) -> None:
    rec, code, sentence = BAD[name]
    found = evaluate(recurrence(rec, cell(), h=5, x=[1, 2, 3], w=2))
    errors = [(item.at, item.code) for item in found.problems if item.severity == "error"]
    assert errors == [("main/rec", code)]
    assert sentence in found.problems[0].message
    assert found.port("main/w.y").value == 2
    assert found.port("main/w.y").status is Status.UNKNOWN


def test_an_error_in_every_round_is_told_once() -> None:
    wires = [("x.y", "m.x"), ("m.y", "o_out.x"), ("gone.y", "m.y")]
    body = page_from("body", [entry("x"), Block("m", "Transpose", parameters={"perm": (1, 0)}), leaving("o")], wires)
    main = page_from("main", [source("xs", [[1, 2], [3, 4]]), scan("rec", "body", 2, each=("x",))], [("xs.y", "rec.x")])
    problems = [(item.at, item.code) for item in evaluate(Graph((main, body))).problems if item.severity == "error"]
    assert sorted(problems) == [("main/rec[0]/m", "broken_wire"), ("main/rec[0]/m", "shape")]


def test_a_loop_where_nothing_changes_is_a_problem() -> None:
    body = page_from("body", [entry("x"), leaving("o")], [("x.y", "o_out.x")])
    main = page_from("main", [source("xs", [1, 2]), scan("rec", "body", 2)], [("xs.y", "rec.x")])
    (problem, *_) = evaluate(Graph((main, body))).problems
    assert (problem.at, problem.code) == ("main/rec", "parameter")
    assert problem.message.startswith("Nothing changes from round to round")


def test_a_page_cannot_lie_in_itself_by_a_loop() -> None:
    ring = page_from(
        "ring", [entry("h"), scan("rec", "ring", 2), leaving("h")], [("h.y", "rec.h"), ("rec.h", "h_out.x")]
    )
    problems = evaluate(Graph((page_from("main", [], []), ring))).problems
    assert [(item.at, item.code) for item in problems if item.severity == "error"] == [("ring/rec", "cycle")]


def of_20_blocks() -> Page:
    """Returns a page for a loop, with 20 blocks."""
    extra = [Block(f"k{number}", "Constant", parameters={"value": np.array(1.0)}) for number in range(13)]
    big = dataclasses.replace(cell(), blocks={**cell().blocks, **{block.id: block for block in extra}})
    assert len(big.blocks) == 20
    return big


@pytest.mark.long
def test_a_loop_of_almost_200_000_blocks_is_expanded() -> None:
    most = expand(recurrence(scan("rec", "cell", 9_000), of_20_blocks(), h=1, x=1, w=1))
    assert most.problems == [] and len(most.instances) > 180_000


def test_a_loop_has_at_most_200_000_blocks_with_all_pages_inside() -> None:
    big = of_20_blocks()
    (problem,) = expand(recurrence(scan("rec", "outer", 101), outer_of(big), big, h=1, x=1, w=1)).problems
    assert (problem.at, problem.code) == ("main/rec", "parameter")
    assert "101 rounds of 2," in problem.message


def outer_of(inner: Page) -> Page:
    """Returns a page with a loop of 100 rounds."""
    names = ("h", "x", "w")
    blocks = [*(entry(name) for name in names), scan("in", inner.name, 100), leaving("h")]
    return page_from("outer", blocks, [*((f"{name}.y", f"in.{name}") for name in names), ("in.h", "h_out.x")])


def test_rounds_count_where_pages_are_left_closed() -> None:
    graph = recurrence(scan("rec", "cell", 100), cell(), h=1, x=1, w=1)
    (problem,) = expand(graph, inside=100).problems
    assert (problem.at, problem.code) == ("main/rec", LEFT_CLOSED)
    assert expand(graph, inside=1000).problems == []


def edited(graph: Graph) -> list[Graph]:
    """Returns a graph after each of several edits, one after the other."""
    found = [edits.set_parameter(graph, "main", "w", "value", np.array([0.5, 1.5, 2.5]))]
    found.append(edits.move_blocks(found[-1], "main", {"rec": (64, 96)}))
    found.append(edits.set_label(found[-1], "main", "rec", "the loop"))
    with_block, block_id = edits.add_block(found[-1], "main", "Tanh")
    found.append(edits.connect(with_block, "main", Port("rec", "h"), Port(block_id, "x")))
    found.append(edits.connect(found[-1], "main", Port(block_id, "y"), Port("loss", "x")))
    found.append(edits.set_parameter(found[-1], "main", "w", "value", np.array(2.0)))
    found.append(edits.disconnect(found[-1], "main", found[-1].page("main").wires[Port("rec", "x")]))
    found.append(edits.set_parameter(found[-1], "main", "rec", "times", 3))
    return found


def test_edits_around_a_loop_are_followed_as_if_it_were_inferred_anew() -> None:
    graph = recurrence(scan("rec", "cell", 4, stop_every=2), cell(value=np.ones(3)), h=np.ones(3), w=np.ones(3), x=1)
    known = infer_specs(graph)
    # The first edits change neither rounds nor specs.
    kept = 0
    for number, following in enumerate(edited(graph)):
        updated = update_inference(known, following)
        kept += updated is not None
        assert updated is not None or number > 4
        known = infer_specs(following) if updated is None else updated[0]
        assert facts_of(known) == facts_of(infer_specs(following))
    assert kept >= 5


def facts_of(known: Inferred) -> object:
    instances = {path: (item.block, item.inputs, item.port) for path, item in known.expanded.instances.items()}
    return known.specs, known.inputs, known.outputs, set(known.leading), known.problems, instances


def test_other_numbers_run_through_a_loop_without_a_new_plan() -> None:
    graph = recurrence(scan("rec", "cell", 4, stop_every=2), cell(), h=np.ones(3), w=np.ones(3), x=np.ones(3))
    rerun = Rerun(run_graph(graph))
    moved = edits.set_parameter(graph, "main", "w", "value", np.array([0.5, 1.5, 2.5]))
    values = new_values(graph, moved)
    assert values is not None
    again = rerun.run(moved, values)
    assert again is not None
    assert facts(again.snapshot) == facts(evaluate(moved))
    rewired = edited(graph)[4]
    updated = rerun.update(rewired)
    assert updated is not None
    assert facts(updated[0].snapshot) == facts(evaluate(rewired))
