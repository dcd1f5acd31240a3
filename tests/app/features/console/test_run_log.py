"""The log of runs, from results given by hand: what is new, and which runs belong to one gesture."""

from __future__ import annotations

import dataclasses

import numpy as np

from gradwire.app.features.console.run_log import RunLog
from gradwire.app.live.readings.readings import Results, results_of
from gradwire.engine.base.problems import Problem
from gradwire.engine.edits import edits
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.graph.document import Document
from gradwire.engine.graph.graph import Graph
from tests.engine.cause_graphs import x


def graph(number: float = 1.0) -> Graph:
    return x([number, 2.0]).then("e", "Exp").loss()


def run(revision: int, *messages: str, number: float = 1.0, severity: str = "error") -> Results:
    problems = tuple(Problem(severity, "main/e", "shape", text) for text in messages)  # type: ignore[arg-type]
    results = results_of(evaluate(graph(number)), revision)
    return dataclasses.replace(results, problems=problems, seconds=0.25)


def test_only_errors_that_the_run_before_did_not_have_are_told() -> None:
    log = RunLog(Document(graph()))
    told = [log.record(run(place, *texts))[0] for place, texts in enumerate([(), ("a.",), ("a.", "b."), (), ("a.",)])]
    assert [ran.errors for ran in told] == [(), ("a.",), ("b.",), (), ("a.",)]
    assert [ran.is_bad for ran in told] == [False, True, True, False, True]
    assert {(ran.seconds, ran.count) for ran in told} == {(0.25, 1)}
    warned, _ = log.record(run(6, "w.", severity="warning"))
    assert warned.errors == () and not warned.is_bad


def test_wires_with_nan_are_told_once() -> None:
    log = RunLog(Document(graph()))
    told = [log.record(run(place, number=number))[0] for place, number in enumerate((1.0, np.inf, np.inf, 1.0, np.nan))]
    counts = [ran.nonfinite for ran in told]
    assert counts[0] == counts[2] == counts[3] == 0 and counts[1] > 0 and counts[4] > 0
    assert [ran.is_bad for ran in told] == [count > 0 for count in counts]


def test_blocks_with_a_value_are_counted() -> None:
    log = RunLog(Document(graph()))
    first = run(1)
    # x, e and the loss.
    paths = {name.path for name in first.ports.row_of}
    assert log.record(first)[0].blocks == len(paths) == 3
    known = dataclasses.replace(first.values, shapes=(None, *first.values.shapes[1:]))
    fewer = dataclasses.replace(first, values=known)
    assert log.record(fewer)[0].blocks == 2
    names = dict(list(first.ports.row_of.items())[:1])
    assert log.record(dataclasses.replace(first, ports=dataclasses.replace(first.ports, row_of=names)))[0].blocks == 1
    assert log.record(first)[0].blocks == 3


def test_a_run_is_known_once_it_is_recorded() -> None:
    log = RunLog(Document(graph()))
    log.record(run(3))
    assert [log.knows(run(revision)) for revision in (2, 3, 4)] == [False, True, False]


def test_runs_of_one_gesture_go_on() -> None:
    """What one undo takes back is one gesture; a run that no edit has asked for goes on with none."""
    document = Document(graph())
    log = RunLog(document)
    key, goes_on, revision = object(), [], 0
    for merge_key in (None, key, key, key, None, None):
        document.apply("Set", edits.set_parameter, "main", "x", "value", np.array([revision, 0.0]), merge_key=merge_key)
        revision += 1
        log.note_edit(revision)
        goes_on.append(log.record(run(revision))[1])
    assert goes_on == [False, False, True, True, False, False]
    assert log.record(run(revision + 1))[1] is False
    assert log.record(run(revision + 2))[1] is False
    # Several edits of a gesture may have one run.
    for _ in range(3):
        document.apply("Set", edits.set_parameter, "main", "x", "value", np.array([revision, 1.0]), merge_key=key)
        revision += 1
        log.note_edit(revision)
    assert [log.record(run(number))[1] for number in (revision - 1, revision)] == [False, True]
