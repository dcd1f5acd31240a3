"""From a table in a file to a trained network, by mouse and keyboard, in few actions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QPushButton

from gradwire.app.features.training.training_desk import TrainingDesk
from tests.app.window.driver import LEFT, Driver, Key

ACTIONS = 15


@pytest.mark.long
def test_a_table_becomes_a_trained_network_in_fifteen_actions(user: Driver, tmp_path: Path) -> None:
    """An action is a click, a drag, a key, or a text with Enter."""
    numbers = np.random.default_rng(0)
    kinds = [number % 3 for number in range(60)]
    rows = [",".join(f"{item:.3f}" for item in numbers.normal(size=3) + 2 * kind) + f",{'uvw'[kind]}" for kind in kinds]
    (tmp_path / "flowers.csv").write_text("\n".join(["a,b,c,kind", *rows]))
    actions = 0

    def add(text: str) -> None:
        nonlocal actions
        QTest.keyClick(user.canvas, Key.Key_Tab)
        user.settle()
        field = user.child(QLineEdit, "search_field")
        QTest.keyClicks(field, text)
        user.settle()
        QTest.keyClick(field, Key.Key_Return)
        user.settle()
        actions += 2

    user.hand.drop_file(tmp_path / "flowers.csv")
    assert user.window.parts.layout.status.sentence.text.startswith("Read flowers.csv: 60 rows; x has 3 of 4 columns")
    for text in ("dense 8 tanh", "dense 3", "cross entropy"):
        add(text)
    entropy = user.only("SoftmaxCrossEntropyWithLogits")
    user.hand.connect(user.points.output("Data.y"), user.points.port(f"{entropy}.labels"))
    for text in ("mean", "loss"):
        add(text)
    user.ctrl(Key.Key_3)
    begin = float(user.session.results.loss.value)
    user.qtbot.mouseClick(user.child(QPushButton, "training_run"), LEFT)
    actions += 4
    assert actions <= ACTIONS
    training = user.session.part(TrainingDesk)
    user.qtbot.waitUntil(lambda: not training.is_running, timeout=60_000)
    end = float(user.session.results.loss.value)
    # Three kinds that lie apart; guessing would stay at log 3.
    assert begin > np.log(3) / 2 and end < 0.1
