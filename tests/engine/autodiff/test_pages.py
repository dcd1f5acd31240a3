"""Pages used as blocks: expanded once per use, with values and gradients through their ports."""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence

import numpy as np
import pytest

from gradwire.engine.autodiff.expand import expand
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from tests.recorded import make_graph


def page(name: str, blocks: list[Block], wires: list[tuple[str, str]]) -> Page:
    return dataclasses.replace(make_graph(blocks, wires).pages[0], name=name)


def source(name: str, value: object) -> Block:
    return Block(name, "Input", parameters={"value": np.asarray(value, float)})


def entry(name: str, y: int = 0, **parameters: object) -> Block:
    return Block(name, "PageInput", at=(0, y), parameters={"name": name, **parameters})


def squares() -> Page:
    """Returns a page with ports `a` and `b` (optional, value 10), and a * a * b as `out`."""
    blocks = [entry("a"), entry("b", 96, value=np.array(10.0)), Block("s", "Square"), Block("m", "Multiply")]
    blocks.append(Block("out", "PageOutput", parameters={"name": "out"}))
    return page("squares", blocks, [("a.y", "s.x"), ("s.y", "m.x"), ("b.y", "m.y"), ("m.z", "out.x")])


def user(name: str = "use", used: str = "squares") -> Block:
    return Block(name, "Page", parameters={"page": used})


def run(main: Page, *others: Page) -> Snapshot:
    return evaluate(Graph(pages=(main, *others)))


def test_a_used_page_computes_and_differentiates() -> None:
    main = page("main", [source("x", 3), user(), Block("loss", "Loss")], [("x.y", "use.a"), ("use.out", "loss.x")])
    snapshot = run(main, squares())
    assert snapshot.port("main/use.out").value == 90
    assert snapshot.port("main/x.y").gradient == 60
    assert snapshot.wire("main/x.y", "main/use.a").gradient == 60
    assert snapshot.wire("main/use/m.z", "main/use/out.x").gradient == 1
    assert snapshot.port("main/use/s.y").gradient == 10


def test_an_unconnected_port_gets_the_value_of_its_page_input() -> None:
    main = page(
        "main",
        [source("x", 3), source("k", 2), user(), user("two"), Block("l1", "Loss"), Block("l2", "Loss")],
        [("x.y", "use.a"), ("use.out", "l1.x"), ("x.y", "two.a"), ("k.y", "two.b"), ("two.out", "l2.x")],
    )
    snapshot = run(main, squares())
    assert snapshot.port("main/use.out").value == 90
    assert snapshot.port("main/two.out").value == 18
    assert snapshot.port("main/x.y").gradient == 60 + 12
    assert snapshot.port("main/k.y").gradient == 9


def test_a_definition_appears_once_for_each_use_and_not_by_itself() -> None:
    main = page("main", [source("x", 3), user(), user("again")], [("x.y", "use.a"), ("x.y", "again.a")])
    names = {str(name) for name in run(main, squares()).ports}
    assert {"main/use/s.y", "main/again/s.y"} <= names
    assert not any(name.startswith("squares/") for name in names)


def test_a_page_that_nobody_uses_runs_with_the_values_of_its_inputs() -> None:
    alone = page(
        "alone",
        [entry("a", value=np.array(5.0)), Block("s", "Square"), Block("loss", "Loss")],
        [("a.y", "s.x"), ("s.y", "loss.x")],
    )
    snapshot = run(page("main", [], []), alone)
    assert snapshot.port("alone/a.y").gradient == 10


def test_pages_nest() -> None:
    outer = page(
        "outer",
        [entry("q"), user("inner"), Block("o", "PageOutput", parameters={"name": "r"})],
        [("q.y", "inner.a"), ("inner.out", "o.x")],
    )
    main = page(
        "main",
        [source("x", 3), Block("u", "Page", parameters={"page": "outer"}), Block("loss", "Loss")],
        [("x.y", "u.q"), ("u.r", "loss.x")],
    )
    snapshot = run(main, outer, squares())
    assert snapshot.port("main/u/inner/s.y").value == 9
    assert snapshot.port("main/x.y").gradient == 60


def test_a_missing_input_inside_a_use_is_named_by_its_path() -> None:
    main = page("main", [user(), Block("loss", "Loss")], [("use.out", "loss.x")])
    problems = [(problem.severity, problem.at, problem.code) for problem in run(main, squares()).problems]
    assert problems == [("error", "main/use/a", "missing_input")]


def test_a_page_that_uses_itself_is_a_cycle() -> None:
    ring = page("ring", [Block("again", "Page", parameters={"page": "ring"})], [])
    main = page("main", [source("x", 3), Block("loss", "Loss")], [("x.y", "loss.x")])
    snapshot = run(main, ring)
    assert [problem.code for problem in snapshot.problems] == ["cycle"]
    assert snapshot.port("main/x.y").gradient == 1


def web(names: Sequence[str], extra: Sequence[Block] = (), wires: Sequence[tuple[str, str]] = ()) -> list[Page]:
    """Returns pages that each use all of them."""
    return [page(name, [*extra, *(user(f"u_{other}", other) for other in names)], list(wires)) for name in names]


def test_pages_that_use_each_other_are_one_cycle_that_names_them() -> None:
    pages = [page(a, [user("other", b)], []) for a, b in (("first", "second"), ("second", "first"))]
    cycles = [problem for problem in run(page("main", [], []), *pages).problems if problem.code == "cycle"]
    assert [(problem.at, "first, second" in problem.message) for problem in cycles] == [("first/other", True)]


def test_a_ring_of_pages_is_found_before_anything_is_expanded() -> None:
    names = [f"p{number}" for number in range(40)]
    expanded = expand(Graph(tuple(web(names))))
    assert len(expanded.instances) == 40 * 40
    assert [problem.code for problem in expanded.problems] == ["cycle"]


def test_each_ring_of_pages_is_told_once_however_often_it_is_used() -> None:
    pages = [*web(["a", "b"]), *web(["c", "d", "e"])]
    main = page("main", [user(f"u{number}", name) for number, name in enumerate("abcde" * 3)], [])
    cycles = [problem.message for problem in expand(Graph((main, *pages))).problems]
    assert len(cycles) == 2
    assert any("a, b" in message for message in cycles) and any("c, d, e" in message for message in cycles)


def test_what_does_not_lie_on_a_ring_of_pages_is_computed() -> None:
    snapshot = run(*web(["a", "b"], [source("x", 3), Block("loss", "Loss")], [("x.y", "loss.x")]))
    assert [snapshot.port(f"{name}/x.y").gradient for name in "ab"] == [1, 1]


def test_a_muted_use_does_not_close_a_ring() -> None:
    muted = Block("other", "Page", parameters={"page": "first"}, is_muted=True)
    pages = [page("first", [user("other", "second")], []), page("second", [muted], [])]
    assert "cycle" not in {problem.code for problem in run(*pages).problems}


def test_pages_that_multiply_are_refused_where_they_begin() -> None:
    levels = [page(f"p{level}", [user(f"u{side}", f"p{level + 1}") for side in (0, 1)], []) for level in range(20)]
    expanded = expand(Graph((*levels, page("p20", [source("x", 3)], []))))
    assert list(expanded.instances) == ["p0/u0", "p0/u1"]
    assert {problem.code for problem in expanded.problems} == {"memory"}


def test_pages_can_be_left_closed_and_say_how_many_blocks_are_inside() -> None:
    main, inner = page("main", [user("u", "a"), user("v", "b"), user("w", "b")], []), [source("x", 3), source("z", 4)]
    graph = Graph((main, page("a", [user("one", "b"), user("two", "b")], []), page("b", inner, [])))
    whole = expand(graph)
    closed = expand(graph, inside=3)
    assert list(closed.instances) == ["main/u", "main/v", "main/w", "main/v/x", "main/v/z"]
    assert [(item.at, item.severity, item.message.split()[0]) for item in closed.problems] == [
        ("main/u", "info", "6"),
        ("main/w", "info", "2"),
    ]
    assert expand(graph, inside=len(whole.instances) - 3) == dataclasses.replace(whole, inside=len(whole.instances) - 3)


@pytest.mark.parametrize("count", [1, 2, 4, 6])
def test_an_expansion_ends_when_its_check_raises(count: int) -> None:
    calls = itertools.count(1)

    def check() -> None:
        if next(calls) == count:
            raise InterruptedError

    with pytest.raises(InterruptedError):
        infer_specs(Graph((page("main", [user("u", "a")], []), page("a", [source("x", 3)], []))), check=check)
    assert next(calls) == count + 1


def test_a_page_that_is_not_there_is_a_problem() -> None:
    main = page("main", [Block("u", "Page", parameters={"page": "nowhere"})], [])
    problem = run(main).problems[0]
    assert (problem.severity, problem.at, problem.code) == ("error", "main/u", "parameter")
    assert "nowhere" in problem.message


def test_a_loss_on_a_used_page_takes_no_part() -> None:
    inner = page("inner", [entry("a"), Block("loss", "Loss")], [("a.y", "loss.x")])
    main = page(
        "main",
        [source("x", 3), Block("u", "Page", parameters={"page": "inner"}), Block("loss", "Loss")],
        [("x.y", "u.a"), ("x.y", "loss.x")],
    )
    snapshot = run(main, inner)
    assert [(problem.at, problem.code) for problem in snapshot.problems] == [("main/u/loss", "loss_in_page")]
    assert snapshot.loss is not None and snapshot.loss.name == "main/loss"
    assert snapshot.wire("main/x.y", "main/u.a").status == "no_path"


def test_doubling_pages_a_hundred_deep_is_refused_before_it_is_built() -> None:
    levels = [
        page(f"p{level}", [Block(f"u{side}", "Page", parameters={"page": f"p{level + 1}"}) for side in (0, 1)], [])
        for level in range(100)
    ]
    snapshot = run(page("main", [Block("u", "Page", parameters={"page": "p0"})], []), *levels, page("p100", [], []))
    assert "memory" in {problem.code for problem in snapshot.problems}


def test_a_stop_inside_a_page_blocks_the_wire_outside() -> None:
    inner = page(
        "inner",
        [entry("a"), Block("stop", "StopGradient"), Block("o", "PageOutput", parameters={"name": "r"})],
        [("a.y", "stop.x"), ("stop.y", "o.x")],
    )
    main = page(
        "main",
        [source("x", 3), Block("u", "Page", parameters={"page": "inner"}), Block("loss", "Loss")],
        [("x.y", "u.a"), ("u.r", "loss.x")],
    )
    wire = run(main, inner).wire("main/x.y", "main/u.a")
    assert (wire.status, wire.by) == ("blocked", ("main/u/stop",))


def test_a_cycle_through_wires_is_named_and_the_rest_is_computed() -> None:
    wires = {
        Port(*t.split(".")): Wire(Port(*s.split(".")), Port(*t.split(".")))
        for s, t in [("a.z", "b.x"), ("b.y", "a.x"), ("x.y", "a.y"), ("x.y", "loss.x")]
    }
    blocks = [source("x", 1), Block("a", "Add"), Block("b", "Exp"), Block("loss", "Loss")]
    snapshot = run(Page("main", {block.id: block for block in blocks}, wires))
    problem = snapshot.problems[0]
    assert (problem.severity, problem.code) == ("error", "cycle")
    assert "a -> b -> a" in problem.message
    assert snapshot.port("main/x.y").gradient == 1
    assert snapshot.port("main/a.z").status == "unknown"


def test_two_ports_of_one_name_are_a_problem() -> None:
    blocks = [entry("a"), Block("b", "PageInput", at=(0, 96), parameters={"name": "a", "value": np.array(1.0)})]
    problems = run(page("main", [source("x", 3)], []), page("twice", blocks, [])).problems
    assert [(problem.at, problem.code) for problem in problems if problem.code == "parameter"] == [
        ("twice/b", "parameter")
    ]


def muted_user() -> Block:
    return Block("use", "Page", is_muted=True, parameters={"page": "dot"})


def dot_product() -> Page:
    """Returns a page with ports `scale` and `x`, and scale * x as `out` and its sum as `total`."""
    blocks = [entry("scale"), entry("x", 96), Block("m", "Multiply"), Block("r", "ReduceSum")]
    blocks += [
        Block("o", "PageOutput", parameters={"name": "out"}),
        Block("t", "PageOutput", parameters={"name": "total"}),
    ]
    return page("dot", blocks, [("scale.y", "m.x"), ("x.y", "m.y"), ("m.z", "o.x"), ("m.z", "r.x"), ("r.y", "t.x")])


def test_a_muted_page_passes_on_the_first_input_of_the_spec_of_each_output() -> None:
    blocks = [source("s", 5), source("x", [1, 2]), muted_user(), Block("l1", "Loss"), Block("l2", "Loss")]
    wires = [("s.y", "use.scale"), ("x.y", "use.x"), ("use.out", "l1.x"), ("use.total", "l2.x")]
    snapshot = run(page("main", blocks, wires), dot_product())
    np.testing.assert_array_equal(snapshot.port("main/use.out").value, [1, 2])
    assert snapshot.port("main/use.total").value == 5
    np.testing.assert_array_equal(snapshot.port("main/x.y").gradient, [1, 1])
    assert not snapshot.problems


def test_a_muted_page_that_would_not_work_passes_on_its_first_input() -> None:
    blocks = [source("s", [1, 2, 3]), source("x", [1, 2]), muted_user(), Block("loss", "Loss")]
    snapshot = run(page("main", blocks, [("s.y", "use.scale"), ("x.y", "use.x"), ("use.out", "loss.x")]), dot_product())
    np.testing.assert_array_equal(snapshot.port("main/use.out").value, [1, 2, 3])
    assert not snapshot.problems


def test_a_muted_page_that_contains_itself_ends() -> None:
    blocks = [entry("x"), Block("again", "Page", is_muted=True, parameters={"page": "ring"})]
    blocks.append(Block("o", "PageOutput", parameters={"name": "out"}))
    ring = page("ring", blocks, [("x.y", "again.x"), ("again.out", "o.x")])
    main = page(
        "main", [source("x", 3), Block("u", "Page", is_muted=True, parameters={"page": "ring"})], [("x.y", "u.x")]
    )
    assert run(main, ring).port("main/u.out").value == 3


def test_muted_pages_a_hundred_deep_are_worked_out_once_each() -> None:
    def level(number: int) -> Page:
        uses = [Block(side, "Page", is_muted=True, parameters={"page": f"p{number + 1}"}) for side in "ab"]
        ports = [entry("x"), Block("add", "Add"), Block("o", "PageOutput", parameters={"name": "out"})]
        wires = [("x.y", "a.x"), ("x.y", "b.x"), ("a.out", "add.x"), ("b.out", "add.y"), ("add.z", "o.x")]
        return page(f"p{number}", [*uses, *ports], wires)

    last = page("p100", [entry("x"), Block("o", "PageOutput", parameters={"name": "out"})], [("x.y", "o.x")])
    main = page("main", [source("x", 3), Block("u", "Page", parameters={"page": "p0"})], [("x.y", "u.x")])
    assert run(main, *map(level, range(100)), last).port("main/u.out").value == 6
