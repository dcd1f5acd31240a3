"""Training beside `tf.function`, and in the window: `python -m benchmarks.learning [case ...]`, as Markdown.

Each figure comes from a process of its own with one thread; float64; losses of both engines agree within 1e-9.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from typing import Any

from benchmarks.learning.cases import CASES
from benchmarks.peers.processes import ONE_THREAD, PINNED, QUIET


def asked(*command: str) -> Any:  # Any: what the process prints
    """Returns the result of a benchmark in a process of its own."""
    environment = {name: text for name, text in os.environ.items() if name not in PINNED} | ONE_THREAD | QUIET
    done = subprocess.run([sys.executable, "-m", *command], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])


def main(names: list[str]) -> None:
    """Prints one table of paces and one of the window."""
    has_other = importlib.util.find_spec("tensorflow") is not None
    print("| rounds a second | headless | all sizes measured | in the window | tf.function | headless to it |")
    print("|---|---|---|---|---|---|")
    windows = {}
    for name in names or CASES:
        headless, measured = (asked("benchmarks.learning.one", kind, name) for kind in ("headless", "measured"))
        windows[name] = asked("benchmarks.learning.window", name)
        other = asked("benchmarks.learning.one", "tensorflow", name) if has_other else None
        share, cost = windows[name]["share"], 1 - measured / headless
        beside = "– | –" if other is None else f"{other:,.0f} | {headless / other:.1f}"
        print(
            f"| {CASES[name].title} | {headless:,.0f} | {measured:,.0f}; costs {cost:.0%} "
            f"| {windows[name]['pace']:,.0f}; {share:.2f} | {beside} |",
            flush=True,
        )
    print()
    print(
        "| in the window | frame, 99th percentile; longest, ms | pictures a second "
        "| to the first number, ms | to rest, ms |"
    )
    print("|---|---|---|---|---|")
    for name, found in windows.items():
        print(
            f"| {CASES[name].title} | {found['frame']:.1f}; {found['longest']:.1f} | {found['pictures']:.0f} "
            f"| {found['first point']:.0f} | {found['still']:.1f} |"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
