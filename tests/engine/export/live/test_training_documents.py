"""The data of a training in a page, entry by entry as docs/live-pages.md has them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import GradwireError
from gradwire.engine.blocktypes.expression import Expression
from gradwire.engine.export.live import trainable
from gradwire.engine.export.live.drawn import shown_noise
from gradwire.engine.export.live.program import LiveProgram, live_program
from gradwire.engine.export.live.trainable import LiveTraining, live_training
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.run import USUAL_ROUNDS

# Of a document, which is JSON.
Json = Any
GO = {"rule": {"type": "descent", "rate": 0.1}}


def made(graph: Graph, has_data: bool = True, **plan: object) -> tuple[LiveProgram, LiveTraining]:
    graph = replace(graph, training=plan)
    program = live_program(graph, noise=shown_noise(graph))
    return program, live_training(graph, program, has_data)


def document(graph: Graph, has_data: bool = True, **plan: object) -> Json:
    return made(graph, has_data, **plan)[1].document


def line() -> Graph:
    """Returns the square of w - 1, whose m is a metric."""
    w = gw.Variable(2.0, name="w")
    return gw.graph(gw.Loss(gw.Square(w - gw.Variable(1.0, name="k", trainable=False), name="m"), name="loss"))


def noisy(stops: int = 1) -> Graph:
    """Returns a loss of a variable and noise, with some stops, each of which is one term."""
    w = gw.Variable(np.array([2.0, 1.0]), name="w")
    total: Expression = w * gw.RandomNormal(shape=[2], seed=4, every="step", name="noise")
    for place in range(stops):
        total = total - gw.StopGradient(gw.Exp(w), name=f"stop{place}")
    return gw.graph(gw.Loss(gw.ReduceSum(gw.Square(total), name="m"), name="loss"))


def rows() -> Graph:
    """Returns a loss of batches of 8 points; a quarter of them is held back."""
    x, y = gw.Data(set="moons", batch=8, test=0.25, name="data")
    w = gw.Variable(np.array([2.0, 1.0]), name="w")
    rest = gw.ReduceSum(gw.MatMul(x, gw.Reshape(w, shape=(2, 1)))) - gw.ReduceSum(y)
    return gw.graph(gw.Loss(gw.Square(rest), name="loss"))


def test_a_plan_stands_in_the_document_as_it_is() -> None:
    adam = {"type": "adam", "rate": {"warmup": [0.0, 5, {"step": [0.5, 10, 0.5]}]}, "beta1": 0.8}
    first = {"name": "go", "rule": {**adam, "decay": {"decoupled": 0.1}}, "every": 2, "accumulate": 4}
    second = {"name": "mean", "assign": {"main/k": "main/m.y"}, "times": 3, "when": {"from": 7, "to": 9}}
    until = {"steps": 9, "below": {"main/loss": 0.5}, "outside": {"main/w": [-1.5, 3]}}
    found = document(line(), seed=3, steps=[first, second], metrics=["main/m.y"], until=until)
    assert [found[key] for key in ("seed", "until", "metrics")] == [3, 9, ("main/m.y",)]
    kinds = {(item[0], *item[1:4]) for item in found["ends"]}
    assert kinds == {("number", "main/loss", 0.5, None), ("value", "main/w", -1.5, 3)}
    go, mean = found["plan"]
    assert (go["title"], go["runs"], go["rule"], go["decoupled"]) == ("go", [1, 2, 0, None, 4], "adam", 0.1)
    assert go["how"]["beta1"] == 0.8 and set(go["how"]) >= {"beta1", "beta2", "epsilon"}
    assert go["rate"] == ["warmup", (0.0, 5.0), ["step", (0.5, 10.0, 0.5)]]
    assert mean == {"title": "mean", "runs": [3, 1, 7, 9, 1]}


def test_a_plan_without_an_end_has_the_usual_rounds() -> None:
    found = document(line(), steps=[GO])
    assert (found["until"], found["ends"], found["seed"], found["meter"]) == (USUAL_ROUNDS, [], 0, 0)
    assert "test" not in found and found["sets"] == found["shown"] == []


def test_a_step_tests_loss_gradients_and_new_values_before_it_writes() -> None:
    program, training = made(line(), steps=[GO], metrics=["main/m.y"])
    document: Json = training.document
    ((job,),) = [run["jobs"] for run in document["runs"]]
    ((new, targets),) = job["updates"]
    assert targets == job["uses"]["main/w"] and new not in targets
    assert job["tested"] == list(dict.fromkeys([job["loss"], job["gradients"]["main/w"], new]))
    assert (set(job["gradients"]), job["written"], set(job["uses"])) == ({"main/w"}, ["main/w"], {"main/w", "main/k"})
    assert [name for name, _ in job["scalars"]] == ["rate"]
    assert (job["shared"], job["draws"], job["guards"], len(job["metrics"])) == (0, [], [], 1)
    # The memories: that of the job, and an empty one of rows; the sizes are those without zeros.
    assert [len(item) for item in training.memories] == [job["memory"][0], 0]
    assert training.size == len(training.memories[0].replace(b"\0", b""))
    assert job["memory"][1] == 0 and program.size > 0


def test_a_step_that_assigns_has_no_loss_and_writes_what_it_assigns() -> None:
    mean = {"name": "mean", "assign": {"main/k": "main/m.y"}}
    document_: Json = document(line(), steps=[GO, mean], metrics=["main/m.y"])
    move, assign = document_["runs"][0]["jobs"]
    assert assign["loss"] == -1 and assign["written"] == ["main/k"] and assign["scalars"] == []
    ((new, targets),) = assign["updates"]
    assert assign["tested"] == [new] and targets == assign["uses"]["main/k"]
    # Metrics are measured by the first step alone, as it runs in each round.
    assert (len(move["metrics"]), assign["metrics"], document_["meter"]) == (1, [], 0)


@pytest.mark.parametrize("how", [{"every": 2}, {"when": {"from": 1}}, {"when": {"to": 3}}])
def test_metrics_have_a_program_of_their_own_where_the_first_step_skips_rounds(how: dict[str, object]) -> None:
    found = document(line(), steps=[{**GO, **how}], metrics=["main/m.y"])
    move, measure = found["runs"][0]["jobs"]
    assert (found["meter"], move["metrics"], len(measure["metrics"])) == (1, [], 1)
    assert measure["updates"] == measure["tested"] == measure["written"] == []
    # Without metrics there is nothing to measure.
    assert len(document(line(), steps=[{**GO, **how}])["runs"][0]["jobs"]) == 1


@pytest.mark.parametrize(
    ("stops", "opened"),
    [
        (0, [()]),
        (1, [(), ("main/stop0",)]),
        (2, [(), ("main/stop0",), ("main/stop1",), ("main/stop0", "main/stop1")]),
        (3, [(), *(("main/stop0",), ("main/stop1",), ("main/stop2",)), ("main/stop0", "main/stop1", "main/stop2")]),
        (4, [(), tuple(f"main/stop{place}" for place in range(4))]),
    ],
)
def test_each_stop_is_opened_alone_and_all_together(stops: int, opened: list[tuple[str, ...]]) -> None:
    found = document(noisy(stops), steps=[GO])
    assert [run["open"] for run in found["runs"]] == opened


def test_another_run_begins_as_the_first_and_holds_what_differs() -> None:
    _, training = made(noisy(), steps=[GO])
    found: Json = training.document
    first, second = (run["jobs"][0] for run in found["runs"])
    assert first["shared"] == 0 and 0 < second["shared"] < len(first["rows"])
    assert second["memory"][1] > 0 == first["memory"][1]
    assert [len(item) for item in training.memories] == [
        *(job["memory"][0] - job["memory"][1] for job in (first, second)),
        0,
    ]


def test_noise_is_drawn_into_the_step_and_shown_in_each_variant() -> None:
    program, training = made(noisy(), steps=[GO])
    document: Json = training.document
    (draw,) = document["runs"][0]["jobs"][0]["draws"]
    (shown,) = document["shown"]
    assert draw[:3] == shown[:3] == ["normal", "main/noise", 4]
    assert len(draw[3]) == 1 and draw[3][0] >= 0
    variants: Json = program.document["variants"]
    assert shown[3] == [[variant["ports"]["main/noise.y"][0] for variant in variants]]


def test_rows_of_a_set_are_drawn_into_the_step_and_shown() -> None:
    program, training = made(rows(), steps=[GO])
    found: Json = training.document
    (draw,), (entry,) = found["runs"][0]["jobs"][0]["draws"], found["sets"]
    assert draw[:2] == ["rows", 0] and entry["batch"] == 8 and not training.is_tested
    ports: Json = program.document["variants"][0]["ports"]  # type: ignore[index]
    assert found["shown"] == [["rows", 0, [[ports["main/data.x"][0]], [ports["main/data.y"][0]]]]]
    assert training.held == (("moons", entry["rows"]),)
    views: Json = program.numbers.entries["views"]
    assert [views[view][1][0] for view in draw[2]] == [8, 8]


def test_rows_held_back_have_programs_behind_those_of_the_steps() -> None:
    mean = {"name": "mean", "assign": {"main/w": "main/w.y"}}
    plan = {"steps": [{**GO, "name": "go"}, mean], "metrics": ["main/loss.y"], "test_every": 3}
    _, training = made(rows(), **plan)
    document_: Json = training.document
    jobs = document_["runs"][0]["jobs"]
    assert training.is_tested and document_["test"] == {"every": 3, "first": 2, "jobs": [2, None]}
    assert len(jobs) == 3 and len(jobs[2]["metrics"]) == 1 and jobs[2]["updates"] == []
    assert len(document_["sets"]) == 2 or document_["sets"][0]["rows"] > 0
    _, without = made(rows(), has_data=False, **plan)
    assert not without.is_tested and "test" not in without.document and without.held == (("moons", 8),)


def test_a_page_with_too_little_room_for_rows_held_back_trains_without_them(monkeypatch: pytest.MonkeyPatch) -> None:
    program, training = made(rows(), steps=[GO])
    monkeypatch.setattr(trainable, "LARGEST_MEMORY", program.size + training.size)
    _, tested = made(rows(), steps=[GO], test_every=1)
    assert not tested.is_tested and "test" not in tested.document


def test_a_page_holds_up_to_its_bound_and_says_what_is_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    program, training = made(line(), steps=[GO])
    whole = program.size + training.size
    monkeypatch.setattr(trainable, "LARGEST_MEMORY", whole)
    assert made(line(), steps=[GO])[1].size == training.size
    monkeypatch.setattr(trainable, "LARGEST_MEMORY", whole - 1)
    with pytest.raises(GradwireError, match="This training has more numbers than a page can hold"):
        made(line(), steps=[GO])


def test_rows_of_more_than_half_of_the_room_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    rows_ = len(made(rows(), steps=[GO])[1].memories[-1])
    monkeypatch.setattr(trainable, "LARGEST_MEMORY", 2 * rows_ - 2)
    with monkeypatch.context() as inner:
        inner.setattr(trainable, "held_bytes", lambda _: rows_)
        with pytest.raises(GradwireError, match="rows of moons are more than a page can hold"):
            made(rows(), steps=[GO])
        inner.setattr(trainable, "LARGEST_MEMORY", 2 * rows_)
        with pytest.raises(GradwireError, match="This training has more numbers"):
            made(rows(), steps=[GO])


def test_a_plan_that_ends_by_a_status_or_is_wrong_stays_in_gradwire() -> None:
    with pytest.raises(GradwireError, match="ends where a status changes"):
        document(line(), steps=[GO], until={"changes": ["main/m.y"]})
    with pytest.raises(GradwireError, match="main/none"):
        document(line(), steps=[{**GO, "variables": ["main/none"]}])
    with pytest.raises(GradwireError, match="The plan of training, step 1"):
        document(line(), steps=[{"nothing": 1}])


def test_numbers_of_a_dtype_that_pages_lack_stay_in_gradwire() -> None:
    w = gw.Variable(np.float16(2), name="w")
    graph = gw.graph(gw.Loss(gw.Square(w), name="loss"))
    with pytest.raises(GradwireError, match="Numbers of float16 are for Gradwire alone"):
        document(graph, steps=[GO])


def test_a_step_has_no_use_of_a_source_that_the_page_lacks() -> None:
    half = gw.Cast(gw.Input(np.float16(3), name="f"), dtype="float64")
    graph = gw.graph(gw.Loss(gw.Square(gw.Variable(2.0, name="w") - half), name="loss"))
    ((job,),) = [run["jobs"] for run in document(graph, steps=[GO])["runs"]]
    assert set(job["uses"]) == {"main/w"}


def test_whole_numbers_are_never_tested_for_being_finite() -> None:
    count = gw.Variable(np.array([1, 2]), name="count", trainable=False)
    loss = gw.Loss(gw.Square(gw.Variable(2.0, name="w")), name="loss")
    graph = gw.graph(loss, gw.Add(count, gw.Input(np.array([1, 1]), name="one"), name="next"))
    step = {"name": "count", "assign": {"main/count": "main/next.z"}}
    _, counting = document(graph, steps=[GO, step])["runs"][0]["jobs"]
    assert counting["tested"] == [] and len(counting["updates"]) == 1
