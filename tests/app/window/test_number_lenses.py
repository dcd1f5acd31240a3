"""Losses × variables, digits and the check, each computed in the evaluator's process."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QPushButton

from gradwire.app.live.selection import Selection
from tests.app.window.driver import LEFT, Driver
from tests.engine.explain.test_loss_matrix import gan

PATIENCE_MS = 20_000


@pytest.mark.long
def test_the_process_answers_all_of_them(live_user: Driver) -> None:
    user = live_user
    user.show(gan(stops=True))
    user.qtbot.waitUntil(lambda: user.session.results is not None, timeout=PATIENCE_MS)
    user.trigger("lens_matrix")
    user.qtbot.waitUntil(lambda: bool(user.child(QLabel, "trained_by").text()), timeout=PATIENCE_MS)
    user.session.select(Selection(frozenset(["w"])))
    user.settle()
    user.trigger("lens_precision")
    digits = user.child(QLabel, "digits_said")
    user.qtbot.waitUntil(digits.isVisible, timeout=PATIENCE_MS)
    user.qtbot.mouseClick(user.child(QPushButton, "check_gradient"), LEFT)
    said = user.child(QLabel, "check_outcome")
    user.qtbot.waitUntil(said.isVisible, timeout=PATIENCE_MS)
    assert said.text() == "It agrees with its central difference."
