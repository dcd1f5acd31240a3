"""Starting the process that evaluates, which the window does before it imports anything large itself."""

from __future__ import annotations

import mmap
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from app.live.shared_memory import new_memory

ROOT = Path(__file__).parent.parent.parent
# The names in the first answer of a large graph are some MB: with room for them the processes take turns less often.
# Units: bytes.
PIPE_SIZE = 2**20


class Started(NamedTuple):
    """A process that evaluates, and the memory that its answers lie in."""

    process: subprocess.Popen[bytes]
    memory: mmap.mmap


def start_process() -> Started:
    """A process that imports what it needs, and then answers through its pipes until the window closes them."""
    with new_memory() as (memory, handle):
        # -c, not -m: the folder the user stands in must not be searched for packages of our names.
        script = f"import sys; sys.path[0] = {str(ROOT)!r}; from app.live.serving import serve; serve({handle!r})"
        process = subprocess.Popen(
            [sys.executable, "-c", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
            pipesize=PIPE_SIZE,
            pass_fds=[handle] if isinstance(handle, int) else [],
        )
    return Started(process, memory)
