"""A benchmark of the memory that a block takes in a whole window and its evaluator together.

Each size is measured in a process of its own, after a dragged number, by the pages that the window and all its child
processes hold, of shared ones the share (PSS, from Linux). The output has the memory at each size, and what each block
takes beyond the smallest size.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtWidgets import QApplication

from benchmarks.canvas import placed
from benchmarks.end_to_end import as_it_opens, open_drag
from benchmarks.windows import rest
from gradwire.engine.files.files import save
from tests.random_graphs import random_graph

SIZES = (200, 1_000, 5_000, 10_000)
# Causes and advice come within this time after the results. Units: seconds.
QUIET = 5.0


def family(process: int) -> Iterator[int]:
    """Yields a process and all that it has started."""
    yield process
    for child in Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split():
        yield from family(int(child))


def held(process: int) -> int:
    """Returns the memory of one process, pages shared with others divided between them. Units: KiB."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text("ascii").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


def measure(count: int) -> None:
    """Prints the memory of the window and of its child processes with a graph of so many blocks. Units: KiB."""
    application = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "benchmark.graph"
        save(placed(random_graph(count)), file)
        with open_drag(file, as_it_opens) as drag:
            for _ in range(5):
                drag.step(0.1)
            rest(QUIET)
            window, *children = family(os.getpid())
            print(held(window), sum(map(held, children)))
    application.quit()


def main() -> None:
    """Prints the memory at each size, measured in a process of its own."""
    print("blocks        window    evaluators    KiB a block beyond the first line")
    first = None
    for count in SIZES:
        command = [sys.executable, "-m", "benchmarks.memory", str(count)]
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
        window, children = map(int, answer.stdout.split()[-2:])
        first = first or (count, window + children)
        more = f"{(window + children - first[1]) / (count - first[0]):10.1f}" if count > first[0] else ""
        print(f"{count:6,} {window / 1024:9.1f} MiB {children / 1024:9.1f} MiB {more}", flush=True)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    if sys.argv[1:]:
        measure(int(sys.argv[1]))
    else:
        main()
