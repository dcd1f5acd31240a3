"""Compares us with what is installed, and prints the result as Markdown: `python -m benchmarks.peers [case ...]`."""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import numpy as np

from benchmarks.peers.cases import CASES
from benchmarks.peers.processes import LIMIT, NEEDS, Outcome, installed, time_alone
from benchmarks.peers.table import goals_table, joined, remarks, times_table


def main(names: list[str]) -> None:
    """Prints how far the goals are, all times, and what is missing."""
    outcomes: dict[tuple[str, str], Outcome] = {}
    versions: dict[str, str] = {}
    for case in names or CASES:
        for framework in installed():
            print(f"{framework}: {case} ...", file=sys.stderr, flush=True)
            outcomes[case, framework] = outcome = time_alone(framework, case)
            if outcome.numbers is not None:
                versions[framework] = outcome.numbers["name"]
    print(joined([_machine(list(versions.values()))], [*goals_table(outcomes)], [*times_table(outcomes)]))
    print(joined([""], [*remarks(outcomes), *_missing()]))


def _machine(versions: list[str]) -> str:
    software = ", ".join([f"Python {platform.python_version()}", f"NumPy {np.__version__}", *versions])
    return (
        f"{_processor()}; {software}. One thread each, a fresh process for each case, every result checked against\n"
        f"float64 before it is timed, the shortest of many runs; a process is stopped after {LIMIT} s."
    )


def _processor() -> str:
    """The name of the processor, as far as the system tells it."""
    facts = Path("/proc/cpuinfo")
    lines = facts.read_text(encoding="utf-8").splitlines() if facts.exists() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _missing() -> list[str]:
    absent = [package for name, package in NEEDS.items() if name not in installed()]
    if not absent:
        return []
    return [f"Not installed, and so left out: {', '.join(absent)}. `make frameworks` installs them."]


if __name__ == "__main__":
    main(sys.argv[1:])
