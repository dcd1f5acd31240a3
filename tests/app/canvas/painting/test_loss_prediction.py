"""The predicted loss stands below each Loss whose gradient is shown, and below no other."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QSize
from pytestqt.qtbot import QtBot

from gradwire.app.canvas.geometry.mirror import Mirror
from gradwire.app.canvas.painting.look import Look
from gradwire.app.canvas.painting.loss_prediction import paint_predictions
from gradwire.app.live.loss_prediction import LossPrediction
from gradwire.app.live.process.evaluator import InlineEvaluator
from gradwire.app.live.session import Session
from gradwire.app.look.theme import theme
from gradwire.engine.edits import edits
from tests.app.canvas.pages import MAIN, chain, painted, pixels, wired, with_block

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.mark.parametrize("used", [None, "loss", "other"])
def test_only_a_used_loss_has_a_prediction_below_it(qtbot: QtBot, used: str | None) -> None:
    graph = wired(with_block(chain(1.0), "other", "Loss", (720, 300)), "s.y > other.x")
    session = Session(edits.set_loss(graph, used and f"{MAIN}/{used}"), InlineEvaluator)
    session.part(LossPrediction).begin()
    session.apply("Set", edits.set_parameter, MAIN, "x", "value", np.array([1.1]))
    qtbot.waitUntil(lambda: not session.scheduler.is_busy)
    mirror = Mirror(session)
    mirror.rebuild()
    picture = pixels(painted(QSize(1200, 600), lambda on: paint_predictions(on, Look(theme("dark")), mirror)))
    for name in ("loss", "other"):
        box = mirror.rect(name).toRect()
        below = picture[box.bottom() + 2 : box.bottom() + 40, box.left() : box.right(), :3]
        assert below.any() == (used in (None, name))
