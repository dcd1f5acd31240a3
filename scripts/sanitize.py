"""Runs the tests of the compiled interpreter with address and undefined-behaviour sanitizers.

They run in a copy of the checkout. What a sanitizer finds ends the run. It needs gcc and its libasan, on Linux.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from scripts.copied_checkout import ROOT, compile_copy, copy_checkout

COPY = ROOT / "build" / "sanitized"
# What a number too large for an integer becomes is undefined, too, but no part of "undefined".
FLAGS = ("-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all", "-g", "-O1")
# The rooms that compute in the compiled interpreter. Where a test names "bound", NumPy computes instead.
TESTS = ("tests/engine/executors", "tests/engine/step_compiler", "tests/engine/training", "-k", "not bound")


def make_copy() -> Path:
    """Copies what belongs to the checkout, and compiles the interpreter there with the sanitizers."""
    copy_checkout(COPY)
    return compile_copy(COPY, FLAGS)


# The first looks for what throws exceptions in C++, as SciPy does; Python itself does not load the second.
LIBRARIES = ("libasan.so", "libstdc++.so.6")


def libraries() -> str:
    """Returns the paths of the libraries that must be loaded before Python."""
    commands = [["gcc", f"-print-file-name={name}"] for name in LIBRARIES]
    found = [subprocess.run(command, capture_output=True, text=True, check=True).stdout for command in commands]
    return " ".join(path.strip() for path in found)


def main(tests: Sequence[str]) -> int:
    """Makes the copy and runs the tests in it; returns their exit code."""
    print(f"Compiled with {' '.join(FLAGS)}: {make_copy()}", flush=True)
    environment = {
        **os.environ,
        "LD_PRELOAD": libraries(),
        # Python itself keeps memory until the end, and has an allocator of its own that hides mistakes.
        "ASAN_OPTIONS": "detect_leaks=0:abort_on_error=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "PYTHONMALLOC": "malloc",
        "OPENBLAS_NUM_THREADS": "1",
        "QT_QPA_PLATFORM": "offscreen",
    }
    # What a sanitizer writes as it ends the process must not be captured.
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--capture=sys", *(tests or TESTS)]
    return subprocess.run(command, cwd=COPY, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
