"""The comparison with the installed frameworks, printed as Markdown: `python -m benchmarks.peers [case ...]`.

With `--write` before the cases, it replaces the end of README.md by the result.
"""

from __future__ import annotations

import platform
import sys
from pathlib import Path

import numpy as np

from benchmarks.peers.cases import CASES
from benchmarks.peers.processes import LEFT_OUT, LIMIT, NEEDS, Outcome, installed, time_alone
from benchmarks.peers.table import goals_table, joined, remarks, times_table

README, HEADING = Path(__file__).parent.parent / "README.md", "## Beside other engines\n"


def compared(names: list[str]) -> str:
    """Returns the progress towards the goals, all times, and the missing frameworks."""
    outcomes: dict[tuple[str, str], Outcome] = {}
    versions: dict[str, str] = {}
    for case in names or CASES:
        for framework in installed():
            if (framework, case) in LEFT_OUT:
                outcomes[case, framework] = Outcome(None, "it has no convolution")
                continue
            print(f"{framework}: {case} ...", file=sys.stderr, flush=True)
            outcomes[case, framework] = outcome = time_alone(framework, case)
            if outcome.numbers is not None:
                versions[framework] = outcome.numbers["name"]
    return joined(
        [_machine(list(versions.values()))],
        [*goals_table(outcomes)],
        [*times_table(outcomes)],
        [*remarks(outcomes), *_missing()],
    )


def write(table: str) -> None:
    """Writes the result below its heading in README.md."""
    before, heading, _ = README.read_text(encoding="utf-8").partition(HEADING)
    README.write_text(f"{before}{heading}\n{table}\n", encoding="utf-8")


def _machine(versions: list[str]) -> str:
    software = ", ".join([f"Python {platform.python_version()}", f"NumPy {np.__version__}", *versions])
    return (
        f"{_processor()}; {software}. One thread each, a fresh process for each case, every result checked against\n"
        f"float64 before it is timed, the shortest of many runs; a process is stopped after {LIMIT} s."
    )


def _processor() -> str:
    """Returns the name of the processor, if the system reports it."""
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
    is_written = sys.argv[1:2] == ["--write"]
    found = compared(sys.argv[2:] if is_written else sys.argv[1:])
    print(found)
    if is_written:
        write(found)
