"""Deep, wide and large graphs: no recursion, no walks path by path, no quadratic growth.

The full run prints its figures: `pytest -s` shows them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.autodiff import expand as expansion
from gradwire.engine.autodiff.expand import PortName, expand
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.autodiff.infer_update import update_inference
from gradwire.engine.base.errors import CycleError
from gradwire.engine.base.gc_pause import collection_paused
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.problems import Problem
from gradwire.engine.edits import edits
from gradwire.engine.edits.wire_edits import dissolve_blocks
from gradwire.engine.evaluation.evaluate import evaluate, run_graph
from gradwire.engine.explain.back_steps import back_steps
from gradwire.engine.explain.derivation import derivation
from gradwire.engine.explain.flow import flow_of
from gradwire.engine.explain.paths import LISTED, count_paths, paths_from
from gradwire.engine.files.files import dumps, loads
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Block, Graph, Page, Port, Wire
from gradwire.engine.layout.layout import Outline, arrange
from tests.app.programs import Program
from tests.torture.support.counts import IS_FULL, count
from tests.torture.support.shapes_of_graphs import (
    behind_a_ring,
    broken_twice,
    chain,
    crowd,
    diamonds,
    fan,
    frames_in_frames,
    joined,
    losses,
    many_ports,
    ring,
    rings,
    tower,
)

pytestmark = pytest.mark.long

# The full run takes long. Units: seconds.
PATIENCE = 7200.0
X = PortName("main/x", "y")
# On a busy machine, twice the work may take this many times as long.
MOST_GROWTH = 3.2


def run_script(folder: Path, name: str, *counts: int) -> str:
    """Returns the output of a script in `support`, which must succeed; its output is kept in a folder."""
    program = Program(f"from tests.torture.support.{name} import main; main{counts}", folder, variables={})
    code = program.wait(PATIENCE)
    assert code == 0, program.output[-2000:] + program.errors[-4000:]
    print(program.output)
    return program.output


def problems_of(graph: Graph, code: str) -> list[Problem]:
    return [problem for problem in infer_specs(graph).problems if problem.code == code]


def arranged(graph: Graph) -> dict[str, tuple[int, int]]:
    page = graph.pages[0]
    return arrange(page, dict.fromkeys(page.blocks, Outline(120.0, 60.0)))


# Depth


def test_the_engine_does_all_it_does_with_a_long_chain_without_recursion(tmp_path: Path) -> None:
    assert "export to jax" in run_script(tmp_path, "deep_engine", count(400, 100_000))


def test_a_window_shows_and_edits_a_long_chain_and_frames_in_frames_without_recursion(tmp_path: Path) -> None:
    counts = count(320, 10_000), count(320, 1_000), count(320, 10_000)
    assert "as SVG" in run_script(tmp_path, "deep_window", *counts)


def test_a_window_with_very_many_blocks_problems_and_paths_is_used_by_mouse_and_keyboard(tmp_path: Path) -> None:
    assert "take it apart" in run_script(tmp_path, "large_window", count(320, 10_000), count(320, 10_000))


def test_pages_inside_pages_as_deep_as_a_file_may_hold_them_are_evaluated() -> None:
    graph = loads(dumps(tower(count(400, LIMITS.pages)))).graph
    snapshot = evaluate(graph)
    assert snapshot.problems == ()
    np.testing.assert_allclose(snapshot.ports[X].gradient, 1 - np.tanh(0.5) ** 2)


def test_frames_inside_frames_are_laid_out_and_copied() -> None:
    graph = loads(dumps(frames_in_frames(count(400, 2_000)))).graph
    assert set(arranged(graph)) == set(graph.pages[0].blocks)
    fragment = edits.copy_blocks(graph, "main", ["x"])
    assert len(fragment.frames) == len(graph.pages[0].frames)


def test_thousands_of_edits_are_undone_and_done_again() -> None:
    number, graph = count(500, 10_000), chain(10)
    document = Document(graph, history_limit=number)
    for index in range(number):
        document.apply("Move", edits.move_blocks, "main", {"x": (index, index + 1)})
    last = document.graph
    assert all(document.undo() for _ in range(number))
    assert document.graph is graph
    assert all(document.redo() for _ in range(number))
    assert document.graph is last


# Paths


def test_more_paths_than_can_be_walked_are_counted() -> None:
    run = run_graph(diamonds(60))
    snapshot = run.snapshot
    assert snapshot.problems == ()
    np.testing.assert_array_equal(snapshot.ports[X].gradient, 2.0**60)
    assert count_paths(run.lowered)[X] == 2**60
    found = paths_from(run, X)
    assert found.total == 2**60
    assert [branch.count for branch in found.branches] == [2**59, 2**59]
    assert [float(branch.contribution) for branch in found.branches if branch.contribution is not None] == [2.0**59] * 2


def test_unfolding_a_few_of_them_gives_a_few_more() -> None:
    run = run_graph(diamonds(60))
    found = paths_from(run, X, {(0,), (0, 1)})
    assert [branch.count for branch in found.branches] == [2**58, 2**57, 2**57, 2**59]


def test_what_explains_so_many_paths_stays_short() -> None:
    run = run_graph(diamonds(60))
    assert len(flow_of(run).steps) == 120
    assert len(back_steps(run)) == 62
    assert len(derivation(run, X)) < 100_000


# Pages used again and again


@pytest.fixture
def _limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits of a graph, a fortieth of the real ones in the small run."""
    for name in ("EXPANDED_LIMIT", "WIRES_LIMIT", "PATHS_LIMIT"):
        monkeypatch.setattr(expansion, name, getattr(expansion, name) // count(40, 1))


@pytest.mark.usefixtures("_limits")
def test_a_page_used_twice_at_each_of_sixty_levels_is_refused_with_a_sentence() -> None:
    problems = problems_of(tower(61, uses=2), "memory")
    limit = f"{expansion.EXPANDED_LIMIT:,}"
    sentence = f"With this page the graph has more than {limit} blocks; use fewer pages inside pages."
    assert {problem.message for problem in problems} == {sentence}


@pytest.mark.usefixtures("_limits")
def test_a_large_page_used_often_is_refused_before_it_is_expanded() -> None:
    uses = count(100, 1_000)
    graph = crowd(uses, size=expansion.EXPANDED_LIMIT // 4)
    expanded = expand(graph)
    assert len(expanded.instances) <= expansion.EXPANDED_LIMIT
    assert sum(problem.code == "memory" for problem in expanded.problems) == uses - 3


@pytest.mark.usefixtures("_limits")
def test_wires_of_used_pages_count_too() -> None:
    limit = expansion.WIRES_LIMIT
    ends = [Port("b", f"p{index}") for index in range(limit // 50)]
    nowhere = {end: Wire(Port("a", "y"), end) for end in ends}
    uses = {f"u{index}": Block(f"u{index}", "Page", parameters={"page": "q"}) for index in range(100)}
    graph = Graph((Page("main", uses), Page("q", {}, nowhere)))
    expanded = expand(graph)
    assert len(expanded.broken) == limit
    refused = [problem.message for problem in expanded.problems if problem.code == "memory"]
    assert refused == [f"With this page the graph has more than {limit:,} wires; use fewer pages inside pages."] * 50


@pytest.mark.usefixtures("_limits")
def test_long_names_of_pages_inside_pages_do_not_fill_the_memory() -> None:
    graph = tower(count(40, 400))
    last, size = graph.pages[-1], count(4_000, 190_000)
    many = {f"c{index}": Block(f"c{index}", "Constant", parameters={"value": 1.0}) for index in range(size)}
    graph = graph.with_page(Page(last.name, {**last.blocks, **many}, last.wires))
    long = "n" * 60
    for page in graph.pages[1:-1]:
        graph = edits.rename_block(graph, page.name, "use0", long)
    expanded = expand(graph)
    assert [problem.code for problem in expanded.problems] == ["memory"]
    assert sum(map(len, expanded.instances)) < expansion.PATHS_LIMIT


# Cycles


def test_each_of_many_circles_is_told_once() -> None:
    number = count(4_000, 100_000)
    problems = problems_of(rings(number), "cycle")
    assert len(problems) == number // 2
    assert problems[0].message == "The wires run in a circle: b000000 -> b000001 -> b000000. Remove one of them."


def test_a_long_chain_behind_a_circle_is_walked_once() -> None:
    number = count(2_000, 100_000)
    (problem,) = problems_of(behind_a_ring(number), "cycle")
    assert f"b{number:06}" in problem.message


def test_a_very_long_circle_is_told_in_one_short_sentence() -> None:
    (problem,) = problems_of(ring(count(2_000, 100_000)), "cycle")
    assert len(problem.message) < 400
    graph = chain(1_000)
    with pytest.raises(CycleError, match="circle") as caught:
        edits.connect(graph, "main", Port("b900", "y"), Port("b1", "x"))
    assert len(str(caught.value)) < 400


# Thousands of wires at one block


def test_one_output_goes_to_thousands_of_inputs() -> None:
    number = count(1_000, 50_000)
    graph = fan(number)
    run = run_graph(graph)
    assert run.snapshot.problems == ()
    assert len(arranged(graph)) == number + 2
    after = edits.remove_blocks(graph, "main", "x")
    assert update_inference(infer_specs(graph), after) is not None
    assert not after.pages[0].wires.keys() - {Port("loss", "x")}


@pytest.mark.parametrize("kind", ["AddN", "Concat"])
def test_one_block_takes_thousands_of_inputs(kind: str) -> None:
    number = count(500, 10_000)
    graph = joined(number, kind)
    run = run_graph(graph)
    assert run.snapshot.problems == ()
    np.testing.assert_allclose(run.snapshot.ports[X].gradient, number * (1 - np.tanh(0.5) ** 2))
    found = paths_from(run, X)
    assert found.total == number > LISTED
    assert len(found.branches) == number
    after = edits.remove_blocks(graph, "main", "all")
    assert update_inference(infer_specs(graph), after) is not None


def test_a_thousand_losses_pull_at_one_variable() -> None:
    number = count(300, 1_000)
    run = run_graph(losses(number))
    np.testing.assert_array_equal(run.snapshot.ports[X].gradient, number)


def test_a_page_has_thousands_of_ports() -> None:
    number = count(2_000, 50_000)
    graph = many_ports(number)
    assert len(infer_specs(graph).specs) == number + 1


def test_thousands_of_wires_too_many_go_at_once() -> None:
    graph = broken_twice(count(2_000, 50_000))
    left = edits.remove_blocks(graph, "main", "x")
    assert not left.pages[0].surplus
    freed = edits.disconnect(graph, "main", *graph.pages[0].wires)
    assert not freed.pages[0].wires and not freed.pages[0].surplus


def test_blocks_with_the_names_they_get_by_themselves_are_copied_in_one_go() -> None:
    number = count(4_000, 100_000)
    names = ["Tanh", *(f"Tanh_{index}" for index in range(1, number))]
    graph = Graph((Page("main", {name: Block(name, "Tanh") for name in names}),))
    _, new = edits.paste(graph, "main", edits.copy_blocks(graph, "main", names))
    assert list(new.values()) == [f"Tanh_{index}" for index in range(number, 2 * number)]


def test_every_other_block_of_a_long_chain_is_taken_out_of_it() -> None:
    number = count(3_000, 30_000)
    graph = chain(number)
    left, reasons = dissolve_blocks(graph, "main", [f"b{index}" for index in range(2, number - 2, 2)])
    assert not reasons
    assert len(infer_specs(left).specs) == len(left.pages[0].blocks) == len(graph.pages[0].blocks) - (number - 3) // 2


# Growth


@pytest.mark.skipif(not IS_FULL, reason="times are taken in the full run only")
@pytest.mark.parametrize("make", [chain, fan, lambda number: joined(number, "AddN"), losses, rings, many_ports])
def test_work_grows_with_the_graph_and_not_with_its_square(make: Callable[[int], Graph]) -> None:
    small, large = _seconds(make(5_000)), _seconds(make(20_000))
    growth = {name: math.log(large[name] / small[name], 4) for name in small if large[name] > 0.2}
    for name, exponent in growth.items():
        print(f"figure: {name}: {large[name]:.2f} s, grows with the power {exponent:.2f}")
    assert all(2**exponent < MOST_GROWTH for exponent in growth.values())


def _seconds(graph: Graph) -> dict[str, float]:
    text, page, ids = dumps(graph), graph.pages[0], list(graph.pages[0].blocks)
    actions: dict[str, Callable[[], object]] = {
        "load": lambda: loads(text),
        "infer": lambda: infer_specs(graph),
        "evaluate": lambda: run_graph(graph).snapshot,
        "lay out": lambda: arranged(graph),
        "remove half": lambda: edits.remove_blocks(graph, "main", ids[::2]),
        "disconnect": lambda: edits.disconnect(graph, "main", *page.wires),
        "copy": lambda: edits.paste(graph, "main", edits.copy_blocks(graph, "main", ids)),
    }
    times = {}
    with collection_paused():
        for name, action in actions.items():
            start = time.process_time()
            action()
            times[name] = time.process_time() - start
    return times


def test_as_many_blocks_and_wires_as_a_file_may_hold_are_opened(tmp_path: Path) -> None:
    run_script(tmp_path, "largest_file", count(2_000, LIMITS.blocks))
