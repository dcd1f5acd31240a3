"""Setup of tests that need PyTorch, JAX or TensorFlow; `make test-frameworks` installs them.

Gradwire itself does not need them.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tests.frameworks.installed import INSTALLED

# Each program runs once: to compile it well would take longer.
os.environ.setdefault("XLA_FLAGS", "--xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true")
# Triton, which PyTorch's builds for graphics load with the exporter, crashes behind TensorFlow: both carry LLVM.
if "torch" in INSTALLED:
    import torch._dynamo  # noqa: F401
collect_ignore_glob = [] if INSTALLED else ["test_*.py"]
_COUNTED = "counted: "


@pytest.fixture
def counted(record_property: Callable[[str, object], None]) -> Callable[[str, int], None]:
    """Function that adds to a count, by its name; the counts of all tests are printed at the end."""
    return lambda name, count: record_property(_COUNTED + name, count)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Prints the counts of all tests, of whatever process."""
    counts = Counter[str]()
    for reports in terminalreporter.stats.values():
        for report in reports:
            for name, count in getattr(report, "user_properties", []) if getattr(report, "when", "") == "call" else []:
                if name.startswith(_COUNTED):
                    counts[name.removeprefix(_COUNTED)] += count
    if calls := counts.pop("calls beside TensorFlow", 0):
        types, wrong = counts.pop("types beside TensorFlow"), counts.pop("calls beside TensorFlow that differ")
        terminalreporter.write_line(f"{calls:,} cases of {types} types beside TensorFlow, {wrong} differ")
    for name, count in sorted(counts.items()):
        terminalreporter.write_line(f"{name}: {count}")
