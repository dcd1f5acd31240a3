"""Gallery: every example is a saved file that explains itself, and gives its recorded numbers."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.app.base.examples import example_names, example_path, example_texts, example_topic
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.evaluation.snapshot import Snapshot
from gradwire.engine.explain.contracts import run_checks
from gradwire.engine.files.files import dumps, load

NAMES = example_names()
FOLDER = Path(__file__).parent
# The examples of TensorFlow's guide are recorded by scripts/record_guide.py.
GUIDE: dict[str, dict[str, Any]] = json.loads((FOLDER / "data" / "guide.json").read_text("utf-8"))
# Pages with gradients of their own are recorded by scripts/record_own_examples.py, loops by scripts/record_loops.py.
OWN: dict[str, dict[str, Any]] = json.loads((FOLDER / "data" / "own_examples.json").read_text("utf-8"))
LOOPS: dict[str, dict[str, Any]] = json.loads((FOLDER / "data" / "loops.json").read_text("utf-8"))
BESIDES = GUIDE | OWN | LOOPS
RECORDED: dict[str, dict[str, Any]] = json.loads((FOLDER / "golden" / "gallery.json").read_text("utf-8")) | BESIDES
DRAWN = [key for key, found in RECORDED.items() if "grads" in found and key in NAMES]
# Sums of exponentials over many terms: the order of the additions affects the last digits.
ROUGHER = ("em_", "attention")


@functools.cache
def snapshot_of(name: str) -> Snapshot:
    return evaluate(load(example_path(name)).graph)


def assert_same(found: object, expected: object, key: str) -> None:
    """Asserts equality to 12 digits; zeros and NaN exactly."""
    rtol = 1e-11 if key.startswith(ROUGHER) else 1e-12
    np.testing.assert_allclose(np.asarray(found), np.asarray(expected, float), rtol=rtol, atol=0)


@pytest.mark.parametrize("key", DRAWN)
def test_the_loss_is_the_one_recorded(key: str) -> None:
    loss = snapshot_of(key).loss
    assert loss is not None
    assert_same(loss.value, RECORDED[key]["loss"], key)


@pytest.mark.parametrize("key", DRAWN)
def test_the_gradients_are_those_recorded(key: str) -> None:
    ports = snapshot_of(key).ports
    for name, expected in RECORDED[key]["grads"].items():
        port = ports[PortName(f"main/{name}", "y")]
        assert (port.status is Status.BLOCKED) == (expected is None)
        assert_same(port.gradient, 0 if expected is None else expected, key)


@pytest.mark.parametrize("key", DRAWN)
def test_what_is_differentiated_has_the_values_recorded(key: str) -> None:
    ports = snapshot_of(key).ports
    for name in RECORDED[key]["grads"].keys() & RECORDED[key]["inputs"].keys():
        assert_same(ports[PortName(f"main/{name}", "y")].value, RECORDED[key]["inputs"][name], key)


@pytest.mark.parametrize("key", GUIDE | LOOPS)
def test_the_values_inside_are_those_recorded(key: str) -> None:
    assert BESIDES[key]["values"]
    for name, expected in BESIDES[key]["values"].items():
        found = snapshot_of(key).port(f"main/{name}").value
        # Zeros of a Jacobian may be sums of terms that cancel.
        np.testing.assert_allclose(np.asarray(found), np.asarray(expected, float), rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("key", LOOPS)
def test_the_gradients_of_all_rounds_are_those_recorded(key: str) -> None:
    assert len(LOOPS[key]["rounds"]) >= 10
    for name, expected in LOOPS[key]["rounds"].items():
        found = snapshot_of(key).port(f"main/{name}").gradient
        # Near an eigenvector, differences of numbers around 1 are left.
        np.testing.assert_allclose(np.asarray(found), np.asarray(expected, float), rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize(("records", "topic"), [(GUIDE, "guide"), (OWN, "own_gradients"), (LOOPS, "loops")])
def test_every_example_of_a_topic_is_recorded(records: dict[str, Any], topic: str) -> None:
    assert records.keys() == {name for name in NAMES if example_topic(name) == topic}


@pytest.mark.parametrize("name", NAMES)
def test_its_own_checks_hold(name: str) -> None:
    graph = load(example_path(name)).graph
    results = run_checks(graph, snapshot_of(name))
    assert (results or graph.training) and not [
        f"{result.title}: {result.message}" for result in results if not result.holds
    ]


@pytest.mark.parametrize("name", NAMES)
def test_saving_it_gives_the_same_bytes(name: str) -> None:
    path = example_path(name)
    assert dumps(load(path).graph).encode() == path.read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_it_has_no_errors(name: str) -> None:
    assert not [problem.message for problem in snapshot_of(name).problems if problem.severity == "error"]


@pytest.mark.parametrize("name", NAMES)
def test_its_page_has_one_note_with_a_title_that_fits_a_card(name: str) -> None:
    (note,) = load(example_path(name)).graph.pages[0].notes
    title, _, paragraph = note.text.partition("\n")
    assert 4 <= len(title) <= 36 and not title.endswith(".")
    assert paragraph.strip().endswith(".") and "\n" not in paragraph


def test_no_two_examples_have_the_same_title() -> None:
    titles = [example_texts(example_path(name))[0] for name in NAMES]
    assert len(set(titles)) == len(titles)
