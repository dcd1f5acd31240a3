"""A benchmark of files of data: how soon hostile ones are refused, and how soon a large table is read.

`python -m benchmarks.data_files` prints the times of the processor, the dearest files first. Units: ms.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import gradwire.blocks  # noqa: F401  # fills the library
from gradwire.engine.base.errors import FileError
from gradwire.engine.files.data_files import read_examples
from gradwire.engine.files.data_kinds import DataOptions
from tests.engine.files.test_data_files import HOSTILE, Y, idx

SHOWN, ROWS = 5, 1_000_000
# Milliseconds, from the file to its refusal.
GOAL = 100


def refused(folder: Path) -> dict[str, float]:
    """Returns the time until each hostile file is refused."""
    (folder / "labels.idx").write_bytes(idx(Y))
    times = {}
    for name, content in HOSTILE.items():
        (folder / name).write_bytes(content() if callable(content) else content)
        begun = time.process_time()
        try:
            read_examples(folder, name, DataOptions("labels.idx" if name.endswith((".gz", ".idx")) else ""))
        except FileError:
            times[name] = (time.process_time() - begun) * 1000
        else:
            raise SystemExit(f"{name} is not refused.")
    return times


def main() -> None:
    """Prints the times."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        times = refused(folder)
        print(f"{len(times)} hostile files; goal {GOAL} ms each")
        for name in sorted(times, key=lambda name: -times[name])[:SHOWN]:
            print(f"  {name:20} {times[name]:8.1f} ms")
        (folder / "large.csv").write_bytes(b"a,b,c,y\n" + b"0.123456,-1.25,3.5,1\n" * ROWS)
        begun = time.process_time()
        read_examples(folder, "large.csv")
        print(f"a table of {ROWS:,} rows  {(time.process_time() - begun) * 1000:.0f} ms; goal 2000 ms")


if __name__ == "__main__":
    main()
