"""Facts in the notes about adversarial attacks on a linear model."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gradwire.engine.blocktypes.cause import Cause
from tests.notes.facts import Facts, Shown, close, differ, of


def log_loss(w: np.ndarray, x: np.ndarray) -> float:
    return float(np.log1p(np.exp(-w @ x)))


def slope(f: Callable[[np.ndarray], float], at: np.ndarray) -> np.ndarray:
    """Returns the central differences of a function."""
    steps = np.eye(at.size) * 1e-5
    return np.array([(f(at + step) - f(at - step)) / 2e-5 for step in steps])


def logistic_loss(s: Shown) -> Facts:
    yield (
        "log(1 + exp(-w x)): small where w x is large.",
        close(s.value("clean.L"), log_loss(s.value("w.y"), s.value("x.y")))
        and bool(s.given(x=[9, -9]).value("clean.L") < 1e-9),
    )


def is_same_without_stop(s: Shown) -> bool:
    return close(s.gradient("w.y"), s.off().gradient("w.y"))


def adv_l2_nostop(s: Shown) -> Facts:
    yield "A gradient comes to L2Normalize", np.abs(s.gradient("direction.y")).max() > 0.01
    yield "nothing but rounding errors below 1e-16 leaves it", np.abs(s.along("direction.x")).max() < 1e-16
    along, g = s.gradient("direction.y"), s.value("g.g_0")
    yield "Normalizing lets pass only what would turn g", not s.along("direction.x").round(15).any()
    yield "for a linear model the whole incoming gradient points along g", close(along[0] * g[1], along[1] * g[0])
    stopped = s.stopped("attacked.x").gradient("w.y")
    yield (
        "w receives [-0.253, -0.189], with a stop or without",
        [s.gradient("w.y")] if close(s.gradient("w.y"), stopped) else False,
    )
    muted = s.muted("direction")
    yield (
        "Mute L2Normalize (M): the raw gradient has no such luck.",
        differ(muted.gradient("w.y"), muted.stopped("attacked.x").gradient("w.y")),
    )
    yield from logistic_loss(s)


def adv_l2_stop(s: Shown) -> Facts:
    yield "A step of length 0.1 along the gradient, held fixed.", [np.linalg.norm(s.value("step.z"))]
    yield (
        "The loss rises from 0.693 to 0.811, less than by Sign, whose step is longer.",
        [
            s.value("clean.L"),
            s.loss,
        ]
        if s.loss < of("adv_sign_stop").loss and np.linalg.norm(of("adv_sign_stop").value("step.z")) > 0.1
        else False,
    )
    yield "w receives [-0.253, -0.189]", [s.gradient("w.y")]
    yield "Switch the stop off: nothing changes", is_same_without_stop(s)
    yield (
        "as L2Normalize lets nothing through that points along g, and in a linear model all of it does",
        close(s.off().along("direction.x"), 0, atol=1e-15),
    )
    yield from logistic_loss(s)


def adv_raw_nostop(s: Shown) -> Facts:
    yield "The gradient goes through the gradient: a second derivative comes in.", bool(s.gradient("g.g_0").any())
    yield (
        "w receives [-0.260, -0.271] instead of [-0.253, -0.197]",
        [
            s.gradient("w.y"),
            s.stopped("attacked.x").gradient("w.y"),
        ],
    )
    steps = [s.given(w=np.array([1, -2]) * size).value("step.z") for size in (1, 2)]
    yield (
        "The step 0.1 dL/dx grows with w",
        [0.1]
        if close(steps[0], 0.1 * s.value("g.g_0")) and (np.linalg.norm(steps[1]) > np.linalg.norm(steps[0]))
        else False,
    )

    def attacked(w: np.ndarray) -> float:
        x = s.value("x.y")
        return log_loss(w, x + 0.1 * slope(lambda there: log_loss(w, there), x))

    yield (
        "w learns that too, through the block Gradients, which has rules of its own to be differentiated by",
        close(slope(attacked, s.value("w.y")), s.gradient("w.y"), 1e-4),
    )
    yield (
        "Insert a StopGradient before x_adv is used to see the difference.",
        differ(s.stopped("attacked.x").gradient("w.y"), s.gradient("w.y")),
    )
    yield from logistic_loss(s)


def adv_raw_stop(s: Shown) -> Facts:
    yield "A step along the raw gradient: here the stop decides.", not is_same_without_stop(s)
    yield (
        "x moves by 0.1 dL/dx, held fixed, and w receives [-0.253, -0.197]",
        [
            s.value("step.z")[1] / s.value("g.g_0")[1],
            s.gradient("w.y"),
        ],
    )
    yield "The loss at x_adv is 0.826.", [s.loss]
    yield (
        "Switch the stop off: w receives [-0.260, -0.271], as the model is now also to blame for how steep it is.",
        [s.off().gradient("w.y")],
    )
    yield from logistic_loss(s)


def adv_sign_nostop(s: Shown) -> Facts:
    yield "No stop is needed behind Sign: its slope is zero everywhere.", s.wire("direction.x").zero.cause is Cause.FLAT
    yield "x_adv depends on w", differ(s.given(w=[-1, -2]).value("x_adv.z"), s.value("x_adv.z"))
    x = s.value("x.y")
    worst = slope(lambda w: float(np.log1p(np.exp(-w @ x + 0.1 * np.abs(w).sum()))), s.value("w.y"))
    yield (
        "w receives [-0.230, -0.201] as with a StopGradient",
        [s.gradient("w.y")] if close(s.gradient("w.y"), s.stopped("attacked.x").gradient("w.y")) else False,
    )
    yield (
        "this is the gradient of log(1 + exp(-w x + 0.1 |w|)), the worst case in the box around x",
        close(worst, s.gradient("w.y"), 1e-6),
    )
    muted = s.muted("direction")
    yield (
        "Replace Sign by L2Normalize, or mute it (M), and compare.",
        differ(muted.gradient("w.y"), muted.stopped("attacked.x").gradient("w.y")),
    )
    yield from logistic_loss(s)


def adv_sign_stop(s: Shown) -> Facts:
    w, x = s.value("w.y"), s.value("x.y")
    corners = [log_loss(w, x + 0.1 * np.array(signs)) for signs in np.ndindex(3, 3) for signs in [np.array(signs) - 1]]
    yield "The step that hurts most, held fixed while w learns from it.", close(max(corners), s.loss)
    yield (
        "Gradients gives dL/dx of the clean loss, log 2",
        close(s.value("clean.L"), np.log(2))
        and close(s.value("g.g_0"), slope(lambda there: log_loss(w, there), x), 1e-6),
    )
    yield (
        "0.1 in the direction of its sign leads to x_adv, where the loss is 0.854",
        [
            np.abs(s.value("x_adv.z") - x).max(),
            s.loss,
        ],
    )
    yield "w receives [-0.230, -0.201]", [s.gradient("w.y")]
    yield "Switch the stop off: nothing changes, as Sign passes no gradient.", is_same_without_stop(s)
    yield "Then ask why the wire into Sign is zero.", not s.off().along("direction.x").any()
    yield from logistic_loss(s)
