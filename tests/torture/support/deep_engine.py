"""Program that runs every feature of the engine on a long chain with hardly any recursion.

Started as a process.
"""

from __future__ import annotations

import copy
import functools
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import cast

import numpy as np

from gradwire.app.live.process.updates import Update, update_between, updated
from gradwire.app.live.process.worker import Request, Worker
from gradwire.app.live.selection import Selection
from gradwire.app.shell.window.clipboard_text import copied_text, pasted_fragment
from gradwire.engine.advice.advice import advise
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.infer import infer_specs
from gradwire.engine.autodiff.lower import lower
from gradwire.engine.edits import edits
from gradwire.engine.edits.wire_edits import dissolve_blocks
from gradwire.engine.evaluation.evaluate import Evaluation, run_graph
from gradwire.engine.evaluation.rerun import Rerun, new_values
from gradwire.engine.explain.back_steps import back_steps
from gradwire.engine.explain.backward_page import add_backward_page
from gradwire.engine.explain.checks.element_check import Verdict, check_place
from gradwire.engine.explain.compare_graphs import compare_snapshots
from gradwire.engine.explain.derivation import derivation
from gradwire.engine.explain.flow import flow_of
from gradwire.engine.explain.forecast import predicted_loss, steps_between
from gradwire.engine.explain.loss_matrix import loss_matrix
from gradwire.engine.explain.paths import count_paths, paths_from, steps_along
from gradwire.engine.explain.precision import precision_of
from gradwire.engine.explain.slices import slice_of
from gradwire.engine.explain.stop_effects import effect_on_wire
from gradwire.engine.explain.why_zero import why_zero
from gradwire.engine.export.export import export
from gradwire.engine.files.files import BlockPlaces, dumps, load, save
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Graph, Port
from gradwire.engine.layout.initial_positions import with_missing_places
from gradwire.engine.layout.layout import Outline, arrange
from gradwire.engine.training.training import Training
from tests.torture.support.shapes_of_graphs import chain, chain_numbers
from tests.torture.support.stages import RECURSION_LIMIT, limit_recursion, stage

OTHER = np.array([0.25, 0.5, 1.0])
X = PortName("main/x", "y")


def main(count: int) -> None:
    limit_recursion()
    graph = _files(stage("build", lambda: chain(count)), count)
    run = _results(graph, count)
    _explanations(graph, run, count)
    _edits(graph, count)
    _following(graph, run)
    _worker(graph)
    _other_forms(graph, run, count)


def _files(graph: Graph, count: int) -> Graph:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chain.graph"
        stage("save", lambda: save(graph, path))
        loaded = stage("load", lambda: load(path))
    assert stage("equality", lambda: loaded.graph == graph)
    assert stage("find a line", lambda: BlockPlaces(loaded).find("main/loss")) > (count, 0)
    assert stage("deep copy", lambda: copy.deepcopy(graph)) == graph
    assert len(stage("as text", lambda: repr(graph.pages))) > count
    return loaded.graph


def _results(graph: Graph, count: int) -> Evaluation:
    inferred = stage("infer", lambda: infer_specs(graph))
    assert inferred.problems == []
    stage("differentiate", lambda: lower(inferred))
    run = stage("evaluate", lambda: run_graph(graph))
    snapshot = stage("causes of zeros", lambda: run.snapshot)
    loss, gradient = chain_numbers(count)
    assert run.loss is not None and run.loss.value is not None
    np.testing.assert_allclose(run.loss.value, loss, rtol=1e-9)
    np.testing.assert_allclose(snapshot.ports[X].gradient, gradient, rtol=1e-9)
    assert snapshot.problems == ()
    assert snapshot.ports[X].zero is not None
    return run


def _explanations(graph: Graph, run: Evaluation, count: int) -> None:
    assert len(stage("why zero", lambda: why_zero(run, X))) > 1
    assert stage("paths", lambda: paths_from(run, X)).total == 1
    assert set(stage("count paths", lambda: count_paths(run.lowered)).values()) == {1}
    assert len(stage("along a path", lambda: steps_along(run, X, (), False))) == count - 1
    assert stage("flow", lambda: flow_of(run)).end is not None
    assert len(stage("derivation", lambda: derivation(run, X))) > count
    assert len(stage("steps back", lambda: back_steps(run))) == count
    stage("precision", lambda: precision_of(run))
    assert stage("slice", lambda: slice_of(graph, "main/x.y", (0,), [0.4, 0.5])) is not None
    checked = stage("check a gradient", lambda: check_place(graph, X))
    assert not checked.count(Verdict.DIFFERS)
    assert stage("losses and variables", lambda: loss_matrix(graph)).losses == ("main/loss",)
    link = run.lowered.inferred.expanded.links[count // 2]
    stage("what a stop would change", lambda: effect_on_wire(run, link))
    stage("advice", lambda: advise(run))


def _edits(graph: Graph, count: int) -> None:
    document, ids = Document(graph), [f"b{index}" for index in range(1, count - 2)]
    middle, half = ids[len(ids) // 2], ids[len(ids) // 4 : len(ids) // 2]
    stage("add", lambda: document.apply("", edits.add_block, "main", "Tanh", id="more"))
    stage("connect", lambda: document.apply("", edits.connect, "main", Port(middle, "y"), Port("more", "x")))
    stage("rename", lambda: document.apply("", edits.rename_block, "main", middle, "middle"))
    stage("move", lambda: document.apply("", edits.move_blocks, "main", dict.fromkeys(half, (16, 16))))
    stage("mute", lambda: document.apply("", edits.set_muted, "main", half, True))
    stage("put into a frame", lambda: document.apply("", edits.add_frame, "main", "Half", half))
    stage("remove", lambda: document.apply("", edits.remove_blocks, "main", half))
    stage("undo", lambda: [document.undo() for _ in range(7)])
    assert document.graph is graph
    stage("redo", lambda: [document.redo() for _ in range(7)])
    stage("take out of the way", lambda: dissolve_blocks(graph, "main", half))
    grouped, use = stage("make a page", lambda: edits.group(graph, "main", half))
    opened, _ = stage("open the page", lambda: edits.ungroup(grouped, "main", use))
    assert set(opened.pages[0].blocks) == set(graph.pages[0].blocks)
    run = stage("evaluate with a page", lambda: run_graph(grouped))
    np.testing.assert_allclose(run.tensor(X, True), chain_numbers(count)[1], rtol=1e-9)
    text = stage("copy as text", lambda: copied_text(graph, "main", Selection(frozenset(ids))))
    fragment = stage("read a copy", lambda: pasted_fragment(text))
    pasted, names = stage("paste", lambda: edits.paste(graph, "main", fragment))
    assert len(names) == len(ids) and len(pasted.pages[0].blocks) == count + len(ids)


def _with_other_start(graph: Graph) -> Graph:
    return edits.set_parameter(graph, "main", "x", "value", OTHER)


def _with_one_more(graph: Graph) -> Graph:
    made, name = edits.add_block(graph, "main", "Identity")
    cut = edits.disconnect(made, "main", Port("b2", "x"))
    return edits.connect(
        edits.connect(cut, "main", Port("b1", "y"), Port(name, "x")), "main", Port(name, "y"), Port("b2", "x")
    )


def _following(graph: Graph, run: Evaluation) -> None:
    again = stage("lay out an arena", lambda: Rerun(run))
    stage("get ready for edits", again.prepare)
    other = _with_other_start(graph)
    values = new_values(graph, other)
    assert values is not None and stage("other numbers", lambda: again.run(other, values)) is not None
    assert steps_between(graph, other) is not None
    stage("forecast", lambda: predicted_loss(0.0, steps_between(graph, other) or {}, lambda *_: OTHER))
    edited = stage("an edit", lambda: _with_one_more(other))
    followed = stage("follow an edit", lambda: again.update(edited))
    assert followed is not None
    assert len(stage("causes after an edit", lambda: followed[0].snapshot).ports) == len(graph.pages[0].blocks) + 1


def _worker(graph: Graph) -> None:
    """Does the evaluator process's work, from its message to its answer."""
    worker, other = Worker(is_quick=True), _with_other_start(graph)
    data = stage("pickle a graph", lambda: pickle.dumps(update_between(Graph(()), graph)))
    update = stage("unpickle a graph", lambda: cast(Update, pickle.loads(data)))
    assert stage("put together", lambda: updated(Graph(()), update)) == graph
    stage("worker", lambda: worker.run(Request(1, update)))
    results = stage("worker, causes", worker.explained)
    told = stage("pickle results", lambda: pickle.dumps(results))
    stage("unpickle results", lambda: pickle.loads(told))
    stage("worker, getting ready", worker.prepare)
    stage("worker, other numbers", lambda: worker.run(Request(2, update_between(graph, other))))
    stage("worker, one more block", lambda: worker.run(Request(3, update_between(other, _with_one_more(other)))))


def _other_forms(graph: Graph, run: Evaluation, count: int) -> None:
    page, outline = graph.pages[0], Outline(120.0, 60.0)
    outlines = dict.fromkeys(page.blocks, outline)
    corners = stage("lay out", lambda: arrange(page, outlines))
    assert len({x for x, _ in corners.values()}) == count, "each block of a chain has a column to itself"
    stage("places", lambda: with_missing_places(graph, lambda *_: outline))
    backward, name = stage("backward page", lambda: add_backward_page(graph, "main"))
    assert stage("infer the backward page", lambda: infer_specs(backward)).problems == []
    assert len(backward.page(name).blocks) > count
    training = stage("lay out training", lambda: Training(graph))
    np.testing.assert_allclose(stage("train", training.step), chain_numbers(count)[0], rtol=1e-9)
    compared = stage("compare", lambda: compare_snapshots(run.snapshot, run.snapshot))
    assert compared.differences is not None
    for framework in ("numpy", "tensorflow", "torch", "jax"):
        text = stage(f"export to {framework}", functools.partial(export, graph, framework))
        assert text.count("\n") > count
        if framework == "numpy":
            stage("run the export", functools.partial(_run_program, text))
    assert len(stage("write", lambda: dumps(graph))) > count


def _run_program(text: str) -> None:
    program = f"import sys; sys.setrecursionlimit({RECURSION_LIMIT}); exec(compile(sys.stdin.read(), 'p', 'exec'))"
    done = subprocess.run([sys.executable, "-c", program], input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    assert "largest deviation" in done.stdout
