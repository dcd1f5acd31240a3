"""Recorded cases of every block type in the library: a case is a graph, run as a user would run it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.blocktypes.library import library
from tests.recorded import NO_GRADIENT, load, recorded_types, runs_of_cases, tensor


@pytest.mark.parametrize("op", recorded_types())
def test_recorded_cases(op: str, record_property: Any) -> None:
    assert op in library, "the recorded operation has no block"
    recorded = load("cases", op) | {"deviations": []}
    failures = [f"{case['id']}: {fault}" for case in recorded["cases"] for fault in faults_of(op, case, recorded)]
    failed = {failure.split(":")[0] for failure in failures}
    record_property("recorded cases run", len(recorded["cases"]))
    record_property("recorded cases passed", len(recorded["cases"]) - len(failed))
    record_property(f"deviation in {recorded['family']}", max(recorded["deviations"], default=0.0))
    assert not failures, "\n".join(failures)


def faults_of(op: str, case: dict[str, Any], recorded: dict[str, Any]) -> list[str]:
    if "upstream" in case and has_foreign_upstream(case):
        return faults_of_rule(op, case, recorded)
    snapshot = runs_of_cases(op)[case["id"]].snapshot
    errors = [problem for problem in snapshot.problems if problem.severity == "error"]
    if "error" in case:
        return [] if any(problem.at == "main/op" for problem in errors) else ["TensorFlow refuses it, we do not"]
    if errors:
        return [] if "error_or_nan" in case["tags"] else [str(errors)]
    other = case.get("disputed", {}) if recorded.get("quirk") else {}
    faults = []
    for port, expected in case["outputs"].items():
        result = snapshot.port(f"main/op.{port}")
        faults += differences(
            f"value of {port}", result.value, expected, recorded, other.get("outputs", {}).get(port, {})
        )
        if "sign_of_zero" in case["tags"] and not np.array_equal(
            np.signbit(result.value), np.signbit(tensor(expected))
        ):
            faults.append(f"value of {port} is a zero of the other sign")
    for port in case["inputs"]:
        result = snapshot.port(f"main/in_{port}.y")
        expected = case.get("grads", {}).get(port, "none of this dtype")
        alternatives = other.get("grads", {}).get(port, {})
        if expected == "none of this dtype":
            faults += (
                [] if result.status == "no_gradient_dtype" or is_unrecorded(case) else [f"{port} is {result.status}"]
            )
        elif expected is None:
            faults += [] if result.status in NO_GRADIENT or is_unrecorded(case) else [f"{port} is {result.status}"]
        elif result.status in NO_GRADIENT:
            faults.append(f"{port} is {result.status}")
        else:
            faults += differences(f"gradient of {port}", result.gradient, expected, recorded, alternatives)
    return faults


def has_foreign_upstream(case: dict[str, Any]) -> bool:
    """Returns whether a case feeds a vector as a scalar's gradient, which a rule can do but no graph."""
    return any(case["outputs"][port]["shape"] != upstream["shape"] for port, upstream in case["upstream"].items())


def faults_of_rule(op: str, case: dict[str, Any], recorded: dict[str, Any]) -> list[str]:
    block_type = library[op]
    (port,) = case["inputs"]
    x, g = tensor(case["inputs"][port]), tensor(next(iter(case["upstream"].values())))
    found = block_type.rule(g, x, block_type(x), **block_type.normalize(case["attrs"]))
    return differences(f"gradient of {port}", found, case["grads"][port], recorded, {})


def is_unrecorded(case: dict[str, Any]) -> bool:
    """Returns whether TensorFlow could not differentiate, so that any true gradient passes."""
    return "grads" not in case or "gradient_error" in case or "no_gradient_registered" in case


def differences(
    what: str, found: np.ndarray | None, recorded: dict[str, Any], header: dict[str, Any], other: dict[str, Any]
) -> list[str]:
    expected = tensor(recorded)
    if found is None or found.dtype != expected.dtype or found.shape != expected.shape:
        return [f"{what} is {found!r}, not {expected!r}"]
    if expected.dtype.kind != "f":
        close = found == expected
    else:
        tolerance = header["tolerance"].get(expected.dtype.name, {"rtol": 1e-2, "atol": 1e-3})
        close = np.isclose(found, expected, **tolerance, equal_nan=True)
        header["deviations"].append(deviation(found, expected))
    wrong = [int(index) for index in np.flatnonzero(~close) if not agrees_with_other(found, index, other)]
    return [f"{what} at {index}: {found.flat[index]!r}, not {expected.flat[index]!r}" for index in wrong[:3]]


def deviation(found: np.ndarray, expected: np.ndarray) -> float:
    """Returns the largest difference in float64 relative to the recorded number, or to 1 for smaller numbers."""
    both = np.isfinite(found) & np.isfinite(expected)
    if expected.dtype != np.float64 or not both.any():
        return 0.0
    a, b = found[both], expected[both]
    return float(np.max(np.abs(a - b) / np.maximum(np.abs(b), 1)))


def agrees_with_other(found: np.ndarray, index: int, other: dict[str, Any]) -> bool:
    numbers = [float(number) for number in other.get(str(index), {}).values()]
    return any(np.isclose(float(found.flat[index]), number, rtol=1e-9, equal_nan=True) for number in numbers)
