"""An adversarial step built by mouse and keys with a Gradients block, from an empty canvas."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from engine.graph import Port
from tests.app.window.driver import Driver
from tests.app.window.test_build_softmax import name_block, type_value

# golden/gallery.json, adv_sign_stop.
LOSS, WEIGHTS = 0.8543552444685271, [-0.2297770067246636, -0.20105488088408066]


def add(user: Driver, search: str, name: str, column: int, row: int) -> None:
    corner = user.canvas.camera.to_scene(QPointF(90, 30))
    name_block(user, user.add(search, corner + QPointF(230 * column, 150 * row)), name)


def logistic_loss(user: Driver, suffix: str, x: str, row: int) -> str:
    """softplus(-w . x), and the name of its output."""
    for column, kind in enumerate(("Multiply", "ReduceSum", "Negative", "Softplus"), start=1):
        add(user, kind, f"{kind.lower()}{suffix}", column, row)
    user.connect(user.output("w.y"), user.port(f"multiply{suffix}.x"))
    user.connect(user.output(x), user.port(f"multiply{suffix}.y"))
    user.connect(user.output(f"multiply{suffix}.z"), user.port(f"reducesum{suffix}.x"))
    user.connect(user.output(f"reducesum{suffix}.y"), user.port(f"negative{suffix}.x"))
    user.connect(user.output(f"negative{suffix}.y"), user.port(f"softplus{suffix}.x"))
    return f"softplus{suffix}.y"


def build(user: Driver) -> None:
    user.trigger("new")
    user.canvas.zoom_to(0.5)
    user.settle()
    add(user, "Variable", "w", 0, 0)
    add(user, "Input", "x", 0, 1)
    type_value(user, "w", "1, -2")
    type_value(user, "x", "0.5, 0.25")
    clean = logistic_loss(user, "", "x.y", 0)
    add(user, "tf.gradients", "g", 1, 2)
    user.connect(user.output(clean), user.port("g.y"))
    user.connect(user.output("x.y"), user.port("g.xs_0"))
    for column, (kind, name) in enumerate([("Sign", "sign"), ("Multiply", "step"), ("Add", "moved")], start=2):
        add(user, kind, name, column, 2)
    add(user, "0.1", "eps", 2, 3)
    add(user, "StopGradient", "stop", 0, 4)
    user.connect(user.output("g.g_0"), user.port("sign.x"))
    user.connect(user.output("sign.y"), user.port("step.x"))
    user.connect(user.output("eps.y"), user.port("step.y"))
    user.connect(user.output("step.z"), user.port("moved.x"))
    user.connect(user.output("x.y"), user.port("moved.y"))
    user.connect(user.output("moved.z"), user.port("stop.x"))
    attacked = logistic_loss(user, "2", "stop.y", 4)
    add(user, "Loss", "loss", 4, 3)
    user.connect(user.output(attacked), user.port("loss.x"))


def test_an_adversarial_step_built_by_hand_has_the_recorded_loss_and_gradient(user: Driver) -> None:
    build(user)
    assert user.session.results is not None and user.session.results.loss is not None
    assert float(user.session.results.loss.value) == pytest.approx(LOSS, rel=1e-12)
    reading = user.session.port(Port("w", "y"))
    assert reading is not None and reading.gradient is not None
    np.testing.assert_allclose(reading.gradient.first, WEIGHTS, rtol=1e-12)
