"""Runs the tests as on other processors: with other kernels of OpenBLAS and NumPy, and without the extension.

The last bits of products, solvers and functions differ from one processor to another. No test may depend on them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from scripts.copied_checkout import ROOT, copy_checkout

COPY = ROOT / "build" / "uncompiled"
KERNELS, FEATURES = "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES"
# Each of them decides what computes; a setting starts without all.
DECIDING = (KERNELS, FEATURES, "OPENBLAS_L2_SIZE", "NPY_ENABLE_CPU_FEATURES", "GRADWIRE_EXECUTOR")
AVX512 = "X86_V4 AVX512_ICL AVX512_SPR"


@dataclass(frozen=True)
class Setting:
    """One way to compute. `needs` is the flag of the processor without which its instructions end the program."""

    title: str
    variables: Mapping[str, str] = field(default_factory=dict)
    needs: str = ""
    is_compiled: bool = True


SETTINGS = (
    Setting("this processor, as users have it"),
    Setting("OpenBLAS for Prescott", {KERNELS: "Prescott"}, "pni"),
    Setting("OpenBLAS for Haswell", {KERNELS: "Haswell"}, "avx2"),
    Setting("OpenBLAS for SkylakeX", {KERNELS: "SkylakeX"}, "avx512f"),
    Setting("OpenBLAS for Zen", {KERNELS: "Zen"}, "avx2"),
    Setting("NumPy without AVX-512", {FEATURES: AVX512}, "avx2"),
    Setting("NumPy without AVX-512 and AVX2", {FEATURES: f"{AVX512} X86_V3"}, "pni"),
    Setting("without the extension", is_compiled=False),
)


def flags() -> set[str]:
    """Returns what this processor has, in the words of Linux; nothing on other systems."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return set()
    return {flag for line in lines if line.startswith("flags") for flag in line.partition(":")[2].split()}


def environment(setting: Setting, inherited: Mapping[str, str]) -> dict[str, str]:
    """Returns the variables of a process that computes in this way, one thread in each."""
    others = {name: value for name, value in inherited.items() if name not in DECIDING}
    return {**others, "OPENBLAS_NUM_THREADS": "1", "QT_QPA_PLATFORM": "offscreen", **setting.variables}


def run(setting: Setting, tests: Sequence[str]) -> int:
    """Runs the tests in this way and returns the exit code of pytest."""
    folder = ROOT if setting.is_compiled else COPY
    if not setting.is_compiled:
        copy_checkout(COPY)
    command = [sys.executable, "-m", "pytest", "-n", "auto", "--dist", "worksteal", *tests]
    return subprocess.run(command, cwd=folder, env=environment(setting, os.environ), check=False).returncode


def main(tests: Sequence[str]) -> int:
    """Runs the tests in each way that this processor has, prints a table, and returns 1 if one of them failed."""
    known, outcomes = flags(), {}
    for setting in SETTINGS:
        if setting.needs and setting.needs not in known:
            outcomes[setting.title] = f"not run: this processor has no {setting.needs}"
            continue
        print(f"== {setting.title}", flush=True)
        code = run(setting, tests)
        outcomes[setting.title] = f"FAILED, exit code {code}" if code else "passed"
    print("\n".join(f"{title:34} {outcome}" for title, outcome in outcomes.items()))
    return int(any(outcome.startswith("FAILED") for outcome in outcomes.values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
