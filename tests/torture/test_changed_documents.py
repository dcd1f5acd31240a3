"""Documents changed by knowledge of their structure: one type of error, or a usable graph."""

from __future__ import annotations

import time
import tracemalloc
from contextlib import suppress
from random import Random

import numpy as np
import pytest

from gradwire.app.canvas.painting.picture import PagePicture, with_places
from gradwire.app.live import carrying
from gradwire.app.look.theme import theme
from gradwire.app.shell.window.clipboard_text import pasted_fragment
from gradwire.engine.advice.advice import advise
from gradwire.engine.autodiff.infer import Inferred, infer_specs
from gradwire.engine.base.errors import EditError, FileError
from gradwire.engine.evaluation.evaluate import run_graph
from gradwire.engine.explain.contracts import run_checks
from gradwire.engine.files.file_reading import Loaded, loads
from gradwire.engine.files.file_writing import dumps
from gradwire.engine.graph.graph import Graph
from tests.torture.support.counts import IS_FULL, count
from tests.torture.support.documents import attempt, everything, records, reread
from tests.torture.support.mutations import mutated

pytestmark = pytest.mark.long

PARTS = 40
RECORDS = records()
# Memory that a small document may take beside ten times its size, and the largest run. Units: bytes, elements.
SPARE, LARGEST_RUN = 2**19, 10**6


def opened(content: bytes) -> Loaded | None:
    """Returns the content of a document, None if it is refused with the one permitted type of error."""
    found = attempt(content)
    if isinstance(found, Loaded):
        return found
    assert type(found) is FileError, content
    assert found.message.endswith("."), content
    assert found.line >= 1, content
    return None


def is_worth_a_run(inferred: Inferred) -> bool:
    return sum(float(np.prod(spec.shape, dtype=float)) for spec in inferred.specs.values()) < LARGEST_RUN


def use(graph: Graph) -> None:
    """Does everything with a graph that the window does; any fault must be a problem, not an exception."""
    if is_worth_a_run(infer_specs(graph)):
        run = run_graph(graph)
        run_checks(graph, run.snapshot)
        advise(run)
        assert not [problem for problem in run.snapshot.problems if problem.code == "fault"]


def documents(part: int, number: int) -> list[bytes]:
    random = Random(part)
    return [mutated(random.choice(RECORDS), random) for _ in range(number)]


@pytest.mark.parametrize("part", range(PARTS))
def test_a_changed_document_is_refused_or_saves_back_to_itself(part):
    slowest = 0.0
    for content in documents(part, count(5, 5_000)):
        begun = time.process_time()
        loaded = opened(content)
        slowest = max(slowest, time.process_time() - begun)
        if loaded is not None:
            reread(loaded)
    if IS_FULL:
        print(f"figure: the slowest of 5,000 changed documents took {1000 * slowest:.0f} ms to read")
    assert slowest < 1


@pytest.mark.parametrize("part", range(4))
def test_a_changed_document_takes_at_most_ten_times_its_size(part):
    for content in documents(PARTS + part, count(10, 1_000)):
        tracemalloc.start()
        try:
            opened(content)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
        assert peak < 10 * len(content) + SPARE, content


@pytest.mark.parametrize("part", range(8))
def test_a_changed_document_that_opens_can_be_evaluated_checked_and_advised(part):
    for content in documents(100 + part, count(8, 1_000)):
        loaded = opened(content)
        if loaded is not None:
            use(loaded.graph)


@pytest.mark.parametrize("part", range(4))
def test_a_changed_document_that_opens_can_be_drawn(part, qapp):
    for content in documents(200 + part, count(2, 250)):
        loaded = opened(content)
        if loaded is not None and is_worth_a_run(infer_specs(loaded.graph)):
            picture = PagePicture(with_places(loaded.graph))
            assert not picture.thumbnail(theme("dark"), 300, 200, 1.0).isNull()
            picture.close()


@pytest.mark.parametrize("part", range(4))
def test_a_changed_document_is_pasted_or_refused(part):
    target = everything()
    for content in documents(300 + part, count(8, 1_000)):
        with suppress(EditError):
            fragment = pasted_fragment(content.decode("utf-8", "replace"))
            pasted, _ = carrying.paste(target, "main", fragment, (16, 16))
            assert loads(dumps(pasted)).graph == pasted
