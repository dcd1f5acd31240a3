"""The check and timing of one case in one framework and process: `python -m benchmarks.peers.one ours mlp_32`."""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.peers.case import Array, Case, Mode
from benchmarks.peers.cases import CASES
from benchmarks.peers.reference import expected

# The least time of a batch of runs, and of all batches together. Units: s.
BATCH, BUDGET = 0.002, 1.5
FEWEST, MOST = 5, 200


def main(framework: str, name: str) -> None:
    """Prints the result as one line of JSON."""
    case = CASES[name]()
    engine = importlib.import_module(f"benchmarks.peers.{framework}")
    before = _peak_megabytes()
    start = time.perf_counter()
    prepared = engine.prepare(case)
    ready = time.perf_counter()
    found = prepared.action()
    first, grown = time.perf_counter() - start, _peak_megabytes() - before
    error = worst_error(case, prepared.read(found))
    del found
    is_slow = case.mode is Mode.ONE_EDIT and start + first - ready > BUDGET
    seconds, cores = (start + first - ready, None) if is_slow else fastest(prepared.action)
    print(
        json.dumps(
            {
                "name": f"{engine.NAME} {engine.VERSION}",
                "seconds": seconds,
                "first": first,
                "cores": cores,
                "error": error,
                "megabytes": grown,
            }
        )
    )


def _peak_megabytes() -> float:
    import resource  # Windows has none

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def worst_error(case: Case, found: list[Array]) -> float:
    """Returns the largest difference from the reference, relative to the reference's largest number.

    Raises: ValueError if a result differs from the reference by more than rounding.
    """
    right = expected(case)
    dtype = next(iter(case.inputs.values())).dtype
    worst = max(_difference(np.asarray(a, float), b) for a, b in zip(found, right, strict=True))
    allowed = {"float32": 2e-3, "float64": 1e-9}[dtype.name]
    if not worst <= allowed:
        raise ValueError(f"{case.name}: {case.mode} is off by {worst:.1e}")
    return worst


def _difference(found: Array, right: Array) -> float:
    if found.shape != right.shape:
        raise ValueError(f"shape {found.shape} instead of {right.shape}")
    return float(np.max(np.abs(found - right)) / max(float(np.max(np.abs(right))), 1e-30))


def fastest(action: Callable[[], Any]) -> tuple[float, float]:
    """Returns the shortest of many times, and the average number of busy processors.

    Other processes only ever add to a time. Units: s.
    """
    start = time.perf_counter()
    action()
    times = max(1, int(BATCH / (time.perf_counter() - start)))
    best, count, begin, used = np.inf, 0, time.perf_counter(), time.process_time()
    while count < FEWEST or (time.perf_counter() - begin < BUDGET and count < MOST):
        start = time.perf_counter()
        for _ in range(times):
            action()
        best, count = min(best, (time.perf_counter() - start) / times), count + 1
    return best, (time.process_time() - used) / (time.perf_counter() - begin)


if __name__ == "__main__":
    main(*sys.argv[1:])
