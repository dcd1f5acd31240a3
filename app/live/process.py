"""Starting the process that evaluates, which the window does before it imports anything large itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
# Results of a large graph are some MB: with room for one of them the two processes take turns less often.
# Units: bytes.
PIPE_SIZE = 2**20


def start_process() -> subprocess.Popen[bytes]:
    """A process that imports what it needs, and then answers through its pipes until the window closes them."""
    # -c, not -m: the folder the user stands in must not be searched for packages of our names.
    script = f"import sys; sys.path[0] = {str(ROOT)!r}; from app.live.evaluator import serve; serve()"
    return subprocess.Popen(
        [sys.executable, "-c", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=ROOT,
        pipesize=PIPE_SIZE,
    )
