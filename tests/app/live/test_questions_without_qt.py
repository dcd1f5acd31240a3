"""What travels to the evaluator's process imports no Qt there: Qt's start beside another import ends the process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
WANTED = "; ".join(
    (
        "import sys",
        "from importlib import import_module",
        "[import_module(name) for name in sys.argv[1:]]",
        "sys.exit('PySide6' in sys.modules)",
    )
)


def modules_of_questions() -> list[str]:
    """Returns the modules with a class that answers about a run, and those of what else travels."""
    paths = [path for path in sorted((ROOT / "app").rglob("*.py")) if "    def answer" in path.read_text()]
    found = [".".join(("gradwire", *path.relative_to(ROOT).with_suffix("").parts)) for path in paths]
    return [*found, "gradwire.app.features.training.orders", "gradwire.app.live.process.updates"]


def test_no_question_imports_qt() -> None:
    names = modules_of_questions()
    assert len(names) > 15
    assert subprocess.run([sys.executable, "-c", WANTED, *names], check=False, cwd=ROOT).returncode == 0
