"""The pages of the developer's documents that say how to add something: what they show works as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

import gradwire as gw
from gradwire.app.live.current_session import CurrentSession
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.appearance import Appearance
from gradwire.blocks import update_rules
from gradwire.blocks.support import update_formulas
from gradwire.engine.blocktypes.update_rule import RULES
from gradwire.engine.export.export import TARGETS, export, targets
from tests.app.canvas.pages import chain
from tests.engine.programs import run_program
from tests.gallery import example

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "contributing"


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


def test_the_optimizer_of_the_page_trains(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RULES, "_kinds", dict(RULES))
    formula, row = re.findall(r"```python\n(.*?)```", (FOLDER / "optimizer.md").read_text("utf-8"), re.DOTALL)
    exec(formula, vars(update_formulas))
    exec(row, vars(update_rules))
    w = gw.Variable([3.0, -2.0], name="w")
    training = gw.training((w * w).sum(), gw.signum(0.25))
    training.step()
    # One step of the size of the rate, whatever the gradient's.
    assert training.graph.pages[0].blocks["w"].parameters["value"].tolist() == [2.75, -1.75]
    monkeypatch.delattr(update_formulas, "sign_step")


def test_the_document_of_training_names_every_rule() -> None:
    text = (ROOT / "docs" / "training.md").read_text("utf-8")
    listed = re.search(r"### Rules\n(.*?)Their\nparameters", text, re.DOTALL)
    assert listed is not None
    assert re.findall(r"`(\w+)`", listed[1]) == list(RULES)


def test_the_lens_of_the_page_follows_the_document(qtbot: QtBot) -> None:
    names: dict[str, Any] = {}
    exec(code_of("lens.md"), names)
    lens = names["TypeLens"](CurrentSession(Session(chain(1.0), InlineEvaluator)), Appearance("dark"))
    qtbot.addWidget(lens)
    lens.show()
    found = lens.findChild(QLabel, "type_counts")
    qtbot.waitUntil(lambda: found.text() == "Input: 1\nExp: 1\nReduceSum: 1\nLoss: 1")
