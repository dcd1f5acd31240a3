"""A fresh process with one thread for each case in each framework."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from typing import Any, NamedTuple

# Compilers need minutes for thousands of small blocks; a process is stopped after this time. Units: s.
LIMIT = 150
ONE_THREAD = {
    **{f"{library}_NUM_THREADS": "1" for library in ("OMP", "MKL", "OPENBLAS", "NUMEXPR", "VECLIB")},
    "TF_NUM_INTRAOP_THREADS": "1",
    "TF_NUM_INTEROP_THREADS": "1",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}
# These would make OpenBLAS use the kernels of another processor.
PINNED = {"OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"}
QUIET = {"CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu", "TF_CPP_MIN_LOG_LEVEL": "3", "PYTHONWARNINGS": "ignore"}
# The modules here, and the package that each needs.
NEEDS = {
    "ours": "numpy",
    "ours_bound": "numpy",
    "pytorch": "torch",
    "jax_jit": "jax",
    "tensorflow_function": "tensorflow",
    "autograd_tape": "autograd",
}
# autograd has no convolution.
LEFT_OUT = {("autograd_tape", "cnn_32")}
TITLES = {
    "ours": "ours, compiled",
    "ours_bound": "ours, NumPy",
    "pytorch": "PyTorch",
    "jax_jit": "jax.jit",
    "tensorflow_function": "tf.function",
    "autograd_tape": "autograd",
}


class Outcome(NamedTuple):
    """The result of a process, or the reason for its failure."""

    numbers: dict[str, Any] | None
    reason: str = ""

    @property
    def is_over_limit(self) -> bool:
        """True if the process was stopped because it took too long."""
        return self.numbers is None and not self.reason


def installed() -> list[str]:
    """Returns the installed frameworks, ours first."""
    return [name for name, package in NEEDS.items() if importlib.util.find_spec(package) is not None]


def time_alone(framework: str, case: str) -> Outcome:
    """Runs one case in a separate process."""
    command = [sys.executable, "-m", "benchmarks.peers.one", framework, case]
    environment = {name: text for name, text in os.environ.items() if name not in PINNED} | ONE_THREAD | QUIET
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=LIMIT)
    except subprocess.TimeoutExpired:
        return Outcome(None)
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"its process ended with code {done.returncode}"]
        return Outcome(None, said[-1][:100])
    return Outcome(json.loads(done.stdout.splitlines()[-1]))
