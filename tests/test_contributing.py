"""The pages of the developer's documents that say how to add something: what they show works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gradwire.engine.export.export import TARGETS, export, targets
from tests.engine.programs import run_program
from tests.gallery import example

FOLDER = Path(__file__).parent.parent / "docs" / "contributing"


def code_of(page: str) -> str:
    """The Python of a page."""
    return "\n".join(re.findall(r"```python\n(.*?)```", (FOLDER / page).read_text("utf-8"), re.DOTALL))


def test_the_target_of_the_page_writes_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    # NumPy takes the place of CuPy, which needs a graphics card.
    text = code_of("export_target.md").replace("import cupy as cp", "import numpy as cp").replace("asnumpy", "asarray")
    names: dict[str, object] = {}
    exec(text, names)
    monkeypatch.setitem(TARGETS, "cupy", names["TARGET"])
    assert list(targets()) == ["numpy", "tensorflow", "torch", "jax", "cupy"]
    assert run_program(export(example("softmax_stable"), "cupy"))["largest"] == 0
