"""What travels to the evaluator's process imports no Qt there: Qt's start beside another import ends the process."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

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
    """Returns the modules with a class that answers about a run, and those of orders to a training."""
    found = []
    for path in sorted((ROOT / "app").rglob("*.py")):
        names = {node.name for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)}
        if {"topic", "answer"} <= names:
            found.append(".".join(("gradwire", *path.relative_to(ROOT).with_suffix("").parts)))
    return [*found, "gradwire.app.live.training.orders", "gradwire.app.live.process.updates"]


def test_there_are_questions() -> None:
    assert len(modules_of_questions()) > 15


@pytest.mark.parametrize("place", range(3))
def test_no_question_imports_qt(place: int) -> None:
    """Each third is tried in a process of its own: one alone might import what another lacks."""
    names = modules_of_questions()[place::3]
    assert subprocess.run([sys.executable, "-c", WANTED, *names], check=False, cwd=ROOT).returncode == 0, names
