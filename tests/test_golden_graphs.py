"""Every recorded graph: the value and gradient of every tensor in it, to rtol 1e-9 and atol 1e-12 in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.evaluation.snapshot import Snapshot
from tests.recorded import NO_GRADIENT, load, port_of, recorded_graphs, run_of_recording, tensor

# TensorFlow fills in zeros where another output of the same operation has a gradient, and its derivative of Relu reads
# the output where ours reads the input. Structurally both are cut; the number, zero, is the same.
FILLED_IN = {("stop_split_one_blocked", "split1:0"), ("higher_relu", "relu1")}


@pytest.mark.parametrize("name", recorded_graphs())
def test_recorded_graph(name: str, record_property: Any) -> None:
    recording = load("graphs", name)
    snapshot = run_of_recording(name).snapshot
    faults = [str(problem) for problem in snapshot.problems if problem.severity == "error"]
    for reference, expected in recording["tensors"].items():
        result = snapshot.port(f"main/{port_of(recording, reference)}")
        is_filled_in = (name, reference) in FILLED_IN
        faults += [f"{reference}: {fault}" for fault in faults_of(result, expected, is_filled_in)]
    faults += failed_checks(snapshot, recording)
    record_property("recorded graphs run", 1)
    record_property("recorded tensors compared", len(recording["tensors"]))
    record_property("recorded graphs passed", int(not faults))
    assert not faults, "\n".join(faults[:20])


def faults_of(result: Any, expected: dict[str, Any], is_filled_in: bool) -> list[str]:
    faults = compared("value", result.value, expected["value"])
    if "grad" not in expected:
        return faults + ([] if result.status == "no_gradient_dtype" else [f"is {result.status}"])
    if expected["grad"] is None:
        return faults + ([] if result.status in NO_GRADIENT else [f"is {result.status}, not cut"])
    if result.status in NO_GRADIENT and not is_filled_in:
        return [*faults, f"is {result.status}"]
    return faults + compared("gradient", result.gradient, expected["grad"])


def compared(what: str, found: np.ndarray | None, recorded: dict[str, Any]) -> list[str]:
    expected = tensor(recorded)
    if found is None or found.shape != expected.shape or found.dtype != expected.dtype:
        return [f"{what} is {found!r}, not {expected!r}"]
    if np.allclose(found, expected, rtol=1e-9, atol=1e-12, equal_nan=True):
        return []
    return [f"{what} is {found!r}, not {expected!r}"]


def failed_checks(snapshot: Snapshot, recording: dict[str, Any]) -> list[str]:
    checks = recording["checks"]
    faults = []
    for node, numbers in checks.get("grad", {}).items():
        found = snapshot.port(f"main/{port_of(recording, node)}").gradient
        expected = np.array(numbers["data"] if isinstance(numbers, dict) else numbers, float)
        tolerance = {"rtol": checks.get("rtol", 1e-9), "atol": checks.get("atol", 1e-12)}
        if found is None or not np.allclose(np.ravel(found), np.ravel(expected), **tolerance):
            faults.append(f"check of {node}: {found!r}, not {expected!r}")
    for node in checks.get("zero_grad", []):
        found = snapshot.port(f"main/{port_of(recording, node)}").gradient
        if found is None or np.abs(found).max() > 1e-12:
            faults.append(f"check of {node}: {found!r}, not zero")
    for node in checks.get("none_grad", []):
        if (status := snapshot.port(f"main/{port_of(recording, node)}").status) not in NO_GRADIENT:
            faults.append(f"check of {node}: {status}, not cut")
    return faults
