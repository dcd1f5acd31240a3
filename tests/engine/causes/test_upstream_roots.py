"""Roots behind roots: where the gradient ended that does not arrive at a block."""

from __future__ import annotations

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.causes.upstream_roots import UpstreamRoots
from gradwire.engine.causes.zero_codes import Root
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from tests.engine.cause_graphs import Line, x


def of(line: Line) -> tuple[Evaluation, UpstreamRoots, Root]:
    """Returns a run, its roots, and the main root of the zeros of x."""
    run = run_graph(line.loss())
    roots = run.zeros.of_total(run.lowered.ports[PortName("main/x", "y")])
    return run, UpstreamRoots(run.zeros, run.lowered.backward.totals), max(roots, key=lambda root: roots[root])


def told(run: Evaluation, root: Root | None) -> str:
    return "" if root is None else f"{root.cause.value} {run.lowered.owners[root.application].removeprefix('main/')}"


def cut(line: Line, *sizes: int) -> Line:
    """Appends slices that keep the first elements, named by their sizes."""
    for size in sizes:
        line.then(f"s{size}", "Slice", begin=[0], size=[size])
    return line


def test_past_blocks_that_receive_nothing_the_last_one_is_the_end() -> None:
    line = cut(x([1.0] * 9).source("zero", 0.0, "Constant"), 5, 2).then("m", "Multiply", "zero.y")
    run, found, root = of(line.then("e", "Exp"))
    assert told(run, root) == "not_selected s5"
    further = found.behind(root)
    assert further is not None and further[0] is run.lowered.ports[PortName("main/s5", "y")]
    # Of several roots there, that of most elements counts.
    assert told(run, further[1]) == "not_selected s2"
    last = found.behind(further[1])
    assert last is not None and last[0] is run.lowered.ports[PortName("main/s2", "y")]
    for _ in range(2):
        assert told(run, last[1]) == told(run, found.end(root)) == told(run, found.end(further[1])) == "zero_factor m"
        assert found.end(last[1]) is None and found.behind(last[1]) is None
    assert found.behind(root) is further


def test_a_block_that_receives_something_is_the_end_itself() -> None:
    line = cut(x([1.0] * 9).source("w", [0.0, 1.0], "Constant"), 2).then("m", "Multiply", "w.y")
    run, found, root = of(line)
    assert told(run, root) == "not_selected s2"
    assert found.behind(root) is None and found.end(root) is None


def test_wires_that_cancel_have_nothing_behind_them() -> None:
    run, found, root = of(x([2.0, 5.0]).then("n", "Negative").then("a", "Add", "x.y"))
    assert told(run, root) == "cancelled x" and root.edge is None
    assert found.behind(root) is None and found.end(root) is None
