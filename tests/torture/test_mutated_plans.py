"""Plans, checks and states with mutated values: never a fault of the program, and each refusal names its place."""

from __future__ import annotations

import functools
import io
import json
import random
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gradwire.engine.base.errors import FileError, GradwireError
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.explain.contracts import run_checks
from gradwire.engine.files.files import loads
from gradwire.engine.files.json_places import fault_at, offset_of
from gradwire.engine.files.json_text import JsonFault
from gradwire.engine.files.wanted_files import wanted_files
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.checks import read_check
from gradwire.engine.training.kept_state import has_state, initial_of, rounds_kept, state_of
from gradwire.engine.training.plan_reading import plan_of
from gradwire.engine.training.run import TrainingRun
from gradwire.engine.training.state import State, state_from_bytes
from gradwire.engine.training.trainer import TrainingStopped
from tests.torture.support.counts import count
from tests.torture.support.mutated_values import MANY, TENSORS, changed
from tests.torture.support.whole_plan import PLAN, whole_file, whole_graph

AT_ONCE = count(25, 1_000)
SECONDS, BYTES = 10, 2 * 2**30
whole = functools.cache(whole_file)


def read_all(text: str) -> Graph:
    """Reads a file, its plan, its checks and its state, as commands and the window do.

    Raises: JsonFault or FileError for the first of them that is wrong.
    """
    graph = loads(text).graph
    wanted_files(graph), initial_of(graph), rounds_kept(graph)
    plan = plan_of(graph)
    for number, record in enumerate(plan.checks):
        try:
            read_check(dict(record), graph, [step.name for step in plan.steps])
        except JsonFault as fault:
            raise fault.under("training", "checks", number) from None
    for n in (0, 1, 7, 10**9):
        assert all(isinstance(step.rule.rate.at(n), float) for step in plan.steps if step.rule is not None)
    if has_state(graph):
        state_of(graph, None)
    return graph


def refusal(text: str) -> str:
    """Returns why a file is refused; it must name a place in the file. "" for one that is read."""
    try:
        read_all(text)
        return ""
    except FileError as error:
        found = error
    if isinstance(found, JsonFault):
        assert found.path
        assert fault_at(text, offset_of(text, found.path), str(found)).line > 0
    else:
        # A state has its place in the sentence, and a file that is too large has none.
        assert found.line > 0 or "training state" in str(found) or "can be opened" in str(found)
    return str(found)


def mutants(seed: int) -> Iterator[str]:
    choose = random.Random(seed)
    for _ in range(AT_ONCE):
        yield json.dumps({**whole(), "training": changed(whole()["training"], choose)})


@pytest.mark.parametrize("seed", range(count(2, 700)))
def test_mutated_plans_are_read_or_refused_at_their_place(seed: int) -> None:
    refused = 0
    for text in mutants(seed):
        began = time.process_time()
        refused += bool(refusal(text))
        assert time.process_time() - began < SECONDS
    assert refused > AT_ONCE / 5
    resource = pytest.importorskip("resource")
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 < BYTES or sys.platform == "darwin"


@pytest.mark.parametrize("seed", range(count(1, 50)))
def test_a_mutated_plan_that_is_read_trains_or_stops(seed: int) -> None:
    """Whatever is read is carried out: two rounds end, by themselves or by a number that is not finite."""
    for text in list(mutants(-1 - seed))[: AT_ONCE // 4]:
        if not refusal(text):
            graph = read_all(text)
            if all(step.times <= 4 for step in plan_of(graph).steps):
                try:
                    run = TrainingRun(graph)
                    list(run.rounds(2))
                except (GradwireError, TrainingStopped):
                    continue


@pytest.mark.parametrize("seed", range(count(1, 20)))
def test_mutated_checks_of_a_graph_fail_with_a_sentence(seed: int) -> None:
    choose = random.Random(seed)
    checks = [
        {"at": "main/loss.y", "finite": True},
        {"at": "main/w.y", "value": [1, 2], "rtol": 0.1},
        {"at": "main/w.y", "norm": [0, 5]},
        {"wire": ["main/w.y", "main/mul.b"], "status": "flow"},
        {"at": "main/w.y", "gradient_equals": "main/w.y", "loss": "main/loss", "other_loss": "main/other"},
    ]
    snapshot = evaluate(whole_graph())
    for _ in range(AT_ONCE):
        text = json.dumps({**whole(), "checks": changed(checks, choose)})
        try:
            graph = loads(text).graph
        except FileError:
            continue
        results = run_checks(graph, snapshot)
        assert all(item.holds or item.message for item in results)


@functools.cache
def state() -> bytes:
    run = TrainingRun(replace(whole_graph(), training=PLAN))
    list(run.rounds(2))
    return run.trainer.state().to_bytes()


def members() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(state())) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def zipped(parts: dict[str, bytes], how: int = zipfile.ZIP_STORED) -> bytes:
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", how) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return written.getvalue()


def npy(array: Any, **how: bool) -> bytes:
    written = io.BytesIO()
    np.save(written, array, **how)
    return written.getvalue()


def mutated_state(choose: random.Random) -> bytes:
    """Returns the bytes of a state with other facts, another member, or other bytes somewhere."""
    parts, kind = members(), choose.randrange(5)
    if kind == 0:
        parts["training.json"] = json.dumps(changed(json.loads(parts["training.json"]), choose)).encode()
    elif kind == 1:
        other = [zipped({"a.npy": npy(np.zeros(2))}), npy(np.array([{}], object), allow_pickle=True), b"", npy("x")]
        parts[choose.choice(list(parts))] = choose.choice([*other, npy(np.zeros((0, 3))), npy(1j)])
    elif kind == 2:
        del parts[choose.choice(list(parts))]
    content = bytearray(zipped(parts, choose.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)) if kind == 3 else 0))
    for _ in range(choose.randrange(4) if kind == 4 else 0):
        content[choose.randrange(len(content))] = choose.randrange(256)
    return bytes(content[: choose.randrange(len(content))] if kind == 4 and choose.random() < 0.3 else content)


@pytest.mark.parametrize("seed", range(count(2, 300)))
def test_mutated_states_are_read_or_refused(seed: int) -> None:
    choose, graph = random.Random(seed), replace(whole_graph(), training=PLAN)
    trainer, refused = TrainingRun(graph).trainer, 0
    for _ in range(AT_ONCE):
        try:
            trainer.load_state(state_from_bytes(mutated_state(choose), '"a.npz"'))
        except GradwireError:
            refused += 1
    assert refused > AT_ONCE / 5


def compressed(size: int) -> bytes:
    parts = members()
    return zipped({**parts, "0.npy": npy(np.zeros(size))}, zipfile.ZIP_DEFLATED)


REFUSED: dict[str, tuple[Callable[[], bytes], str]] = {
    "a member that is an archive": (lambda: zipped({**members(), "0.npy": state()}), "0.npy is no NPY file"),
    "a bomb": (lambda: compressed(2**16), "is compressed"),
    "facts without end": (
        lambda: zipped({**members(), "training.json": bytes(2**24 + 1)}),
        "has 16,777,217 bytes, above",
    ),
    "rounds below 0": (lambda: zipped(with_facts(round=-5)), "round must be a whole number of at least 0, not -5"),
    "rounds beyond all": (lambda: zipped(with_facts(round=1e30)), "round must be a whole number of at least 0, not 1e"),
    "rounds that are a text": (lambda: zipped(with_facts(round="x")), "round must be a whole number"),
    "a key of memory": (lambda: zipped(with_facts(memory=[[1]])), r"memory\[0\]: memory must be a step"),
}


def with_facts(**facts: object) -> dict[str, bytes]:
    parts = members()
    return {**parts, "training.json": json.dumps({**json.loads(parts["training.json"]), **facts}).encode()}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_state_is_refused_with_its_place(name: str) -> None:
    made, said = REFUSED[name]
    with pytest.raises(FileError, match=said):
        state_from_bytes(made(), '"a.npz"')


def test_the_state_itself_is_read() -> None:
    found = state_from_bytes(state(), "a")
    assert isinstance(found, State) and found.round == 2 and found.to_bytes() == state()


def test_a_plan_of_too_many_steps_is_refused_at_once() -> None:
    text = json.dumps({**whole(), "training": {"steps": [{}] * MANY}})
    assert refusal(text) == "steps has 100,000 steps; at most 250 are allowed"


LONG = ["a" * 5_000] * 2_000
WITH_TEXTS: dict[str, dict[str, Any]] = {
    "a check": {"checks": [{"at": "main/w.y", "value": LONG}]},
    "a check of rows": {"checks": [{"at": "main/w.y", "value": [LONG, LONG]}]},
    "a block": {"pages": [{"name": "main", "blocks": [{"id": "w", "type": "Input", "parameters": {"value": LONG}}]}]},
}


@pytest.mark.parametrize("name", WITH_TEXTS)
def test_texts_among_numbers_take_no_more_memory_than_they_have(name: str) -> None:
    """NumPy would give each of many texts as many bytes as the longest one has: 60 GB for a file of 64 MiB."""
    file = {**whole(), **WITH_TEXTS[name]}
    graph = loads(json.dumps({**file, "pages": [{"wires": [], **page} for page in file["pages"]]})).graph
    tracemalloc.start()
    try:
        snapshot = evaluate(graph)
        results = run_checks(graph, snapshot)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 8 * 2**20
    assert [item.message for item in results if not item.holds] or snapshot.problems


def test_a_tensor_where_data_wants_a_word_is_a_problem_of_its_block() -> None:
    file = whole()
    (page,) = file["pages"]
    odd = {"parameters": {"set": TENSORS[0]}}
    blocks = [block | odd if block["id"] == "data" else block for block in page["blocks"]]
    graph = loads(json.dumps({**file, "pages": [page | {"blocks": blocks}]})).graph
    assert wanted_files(graph) == ()
    said = [problem.message for problem in evaluate(graph).problems if problem.at == "main/data"]
    assert said[0].startswith("Parameter set must be one of ")
