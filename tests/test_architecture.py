"""The house keeps its floors: imports point one way, and the headless parts load no Qt."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_the_import_contract_holds() -> None:
    done = run(str(Path(sys.executable).with_name("lint-imports")), "--no-cache")
    assert done.returncode == 0, done.stdout
    assert "5 kept, 0 broken" in done.stdout


@pytest.mark.parametrize("unwanted", ["PySide6", "shiboken6", "scipy"])
def test_engine_and_blocks_load_only_what_they_need(unwanted: str) -> None:
    done = run(sys.executable, "-c", f"import sys, gradwire; sys.exit({unwanted!r} in sys.modules)")
    assert done.returncode == 0, done.stderr


def test_nothing_committed_reads_from_outside_the_project() -> None:
    files = [
        path
        for folder in ("engine", "blocks", "lint", "app", "tests", "benchmarks")
        for path in (ROOT / folder).rglob("*.py")
    ]
    outside = "../" + "shared"
    assert len(files) > 50
    assert not [path for path in files if outside in path.read_text()]


def test_qt_keeps_its_references_to_none() -> None:
    """PySide6 6.12.0 on Python older than 3.12 loses one with nearly every call, and ends the process."""
    script = (
        "import sys\nfrom PySide6.QtCore import QObject\nthing = QObject()\nbefore = sys.getrefcount(None)\n"
        "for _ in range(1000):\n    thing.setObjectName('a')\n    thing.setParent(None)\n"
        "lost = before - sys.getrefcount(None)\nsys.exit(abs(lost) > 100)"
    )
    done = run(sys.executable, "-c", script)
    if "cannot open shared object file" in done.stderr:
        pytest.skip("a system library that Qt needs is missing; the headless program does without")
    assert done.returncode == 0, done.stderr
