"""Lessons with examples without labels: features alike in two domains, and a teacher that is the student's mean."""

from __future__ import annotations

import numpy as np

import gradwire as gw
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Expression
from scripts.trainings.drawing import Lesson, Uses, adam, after, descent, drawn, normal, steps, without

POINTS = 60


def _domains() -> tuple[Array, Array, Array]:
    """Returns points of a source and of a target, and their classes -1 and 1.

    The first column means the same in both; the second one shouts the class in the source, and is 2 in the target.
    """
    y = np.tile([-1.0, 1.0], POINTS // 2)
    noise = normal(21, 2, POINTS, 2, scale=0.4)
    source = np.stack([y, 1.5 * y], axis=1) + noise[0]
    target = np.stack([y, np.full(POINTS, 2.0)], axis=1) + noise[1]
    return np.round(source, 4), np.round(target, 4), y


def _linear(x: Expression, w: float, suffix: str) -> Expression:
    slope = gw.Multiply(x, gw.Variable(w, name=f"w_{suffix}"), name=f"slope_{suffix}")
    made: Expression = gw.Add(slope, gw.Variable(0.0, name=f"b_{suffix}"), name=f"logit_{suffix}")
    return made


def gradient_reversal() -> Lesson:
    """One feature, a classifier that sees the source alone, and a critic that is to tell the domains apart."""
    source, target, y = _domains()
    both = gw.Constant(np.concatenate([source, target]), name="points")
    u = gw.Variable(np.array([0.5, 0.5]), name="u")
    feature = gw.MatVec(both, u, name="feature")
    seen = gw.Slice(feature, begin=[0], size=[POINTS], name="of_source")
    unseen = gw.Slice(feature, begin=[POINTS], size=[POINTS], name="of_target")
    classes = gw.Constant((y + 1) / 2, name="classes")
    w, b = gw.Variable(1.0, name="w_class"), gw.Variable(0.0, name="b_class")
    logit = gw.Add(gw.Multiply(w, seen, name="w_seen"), b, name="logit")
    told = gw.SigmoidCrossEntropyWithLogits(classes, logit, name="told")
    held = gw.StopGradient(feature, name="stop")
    reverse = gw.Subtract(gw.Multiply(held, gw.Constant(2.0, name="two"), name="twice"), feature, name="reversed")
    domain = gw.Constant(np.repeat([0.0, 1.0], POINTS), name="domains")
    where = gw.SigmoidCrossEntropyWithLogits(domain, _linear(reverse, 0.5, "domain"), name="where")
    loss_class = gw.Loss(told, reduction="mean", name="L_class")
    loss_domain = gw.Loss(where, reduction="mean", name="L_domain")
    there = gw.Add(gw.Multiply(w, unseen, name="w_unseen"), b, name="guess")
    right = gw.Equal(gw.Sign(there, name="sign"), gw.Constant(y, name="truth"), name="right")
    share = gw.ReduceMean(gw.Cast(right, dtype="float64", name="hits"), name="accuracy")
    checks = [
        after(400, "main/accuracy.y", "Points of the target, as in TensorFlow", value=56 / 60),
        after(
            400, "main/u.y", "The feature, as in TensorFlow", value=[2.350012757194098, 0.3670204752945497], rtol=1e-9
        ),
        without("main/stop", 400, "main/accuracy.y", "Without the stop half of them are wrong", value=0.5),
        without(
            "main/stop",
            400,
            "main/u.y",
            "... as the feature tells the domains apart",
            value=[-0.7294893859025138, 2.235227331460531],
            rtol=1e-9,
        ),
    ]
    return Lesson(
        "gradient_reversal",
        "A gradient, reversed",
        "Points of the source have classes, those of the target have none; there the second column, which shouts the "
        "class in the source, says nothing. A critic is to tell the domains apart by one feature u x; the histogram "
        "has it for the source as bars and for the target as an outline. The critic's gradient comes back reversed, "
        "by 2 stop(f) - f, so u turns away from what differs: 93 % of the target are right. Ignore the stop: u helps "
        "the critic, and half are wrong.",
        drawn(loss_class, loss_domain, share, monitors={"features": (seen, "histogram", unseen)}),
        steps(descent(0.1), rounds=400, checks=checks, metrics=["main/accuracy.y"]),
    )


KNOWN, UNITS = 6, 12


def _student() -> Uses:
    """Returns the pages of a network 2-12-1, of which `theta` has slopes, biases and votes, and of the slow mean."""
    uses = Uses()
    x, theta = gw.Input(np.zeros((POINTS * 2, 2)), name="x"), gw.Input(np.zeros((4, UNITS)), name="theta")
    slopes = gw.Slice(theta, begin=[0, 0], size=[2, UNITS], name="slopes")
    votes = gw.Slice(theta, begin=[3, 0], size=[1, UNITS], name="votes")
    biases = gw.Slice(theta, begin=[2, 0], size=[1, UNITS], name="biases")
    hidden = gw.Tanh(gw.Add(gw.MatMul(x, slopes, name="along"), biases, name="sum"), name="hidden")
    score = gw.MatMul(hidden, votes, transpose_b=True, name="score")
    uses.page("network", {"logit": score, "p": gw.Sigmoid(score, name="share")})
    slow = gw.Input(np.zeros((4, UNITS)), name="slow")
    kept = gw.Multiply(slow, gw.Constant(0.95, name="keeps"), name="kept")
    taken = gw.Multiply(theta, gw.Constant(0.05, name="takes"), name="taken")
    uses.page("slow_mean", {"mean": gw.Add(kept, taken, name="sum")})
    return uses


def mean_teacher() -> Lesson:
    """Two moons of which six points have labels; the teacher is a slow mean of the student."""
    uses, like = _student(), np.zeros((POINTS * 2, 1))
    data = gw.Data(set="moons", n=2 * POINTS, noise=0.08, seed=1, order="in_order", labels="value", name="moons")
    x, y = data
    start = np.concatenate([normal(4, 2, UNITS, scale=1.5), normal(5, 1, UNITS), normal(6, 1, UNITS, scale=0.5)])
    theta, slow = gw.Variable(start, name="theta"), gw.Variable(start, name="slow")
    none, size = gw.Constant(0.0, name="none"), gw.Constant(0.1, name="size")
    shaken = [
        gw.RandomNormal(none, size, shape=(2 * POINTS, 2), seed=k, every="step", name=f"shake{k}") for k in (1, 2)
    ]
    moved = [gw.Add(x, shake, name=f"moved{k}") for k, shake in enumerate(shaken, 1)]
    guess, probability = (
        uses.use("student", "network", port, like, "student", x=moved[0], theta=theta) for port in ("logit", "p")
    )
    answer = uses.use("teacher", "network", "p", like, "teacher", x=moved[1], theta=slow)
    known = gw.Slice(guess, begin=[0, 0], size=[KNOWN, 1], name="of_known")
    labels = gw.Slice(y, begin=[0, 0], size=[KNOWN, 1], name="labels")
    entropy = gw.SigmoidCrossEntropyWithLogits(labels, known, name="entropy")
    loss = gw.Loss(entropy, reduction="mean", name="L_known")
    goal = gw.StopGradient(answer, name="stop")
    apart = gw.SquaredDifference(probability, goal, name="apart")
    weighed = gw.Multiply(apart, gw.Constant(10.0, name="weight"), name="weighed")
    agree = gw.Loss(weighed, reduction="mean", name="L_agree")
    uses.use("slow_mean", "slow_mean", "mean", start, "slow mean", slow=slow, theta=theta)
    judged = uses.use("judged", "network", "logit", like, "teacher", x=x, theta=slow)
    share = gw.Accuracy(y, judged, threshold=0.0, name="accuracy")
    learn = adam(0.01, name="learn", loss=None)
    copy = {"name": "copy", "assign": {"main/slow": "main/slow_mean.mean"}}
    checks = [
        {"title": "The teacher is not trained", "step": "learn", "trains": ["main/theta"]},
        after(
            300, "main/accuracy.y", "Points that the teacher classifies correctly, as in TensorFlow", value=116 / 120
        ),
        after(300, "main/L_agree.y", "Loss of disagreement, as in TensorFlow", value=0.05463896125479095, rtol=1e-6),
        without("main/stop", 300, "main/accuracy.y", "Without the stop fewer", value=113 / 120),
        without("main/stop", 300, "main/L_agree.y", "... as in TensorFlow", value=0.05821754714714937, rtol=1e-6),
    ]
    return Lesson(
        "mean_teacher",
        "A mean teacher",
        "Six of 120 points have a class. For all others the student is to answer as a teacher does, the slow mean of "
        "its own weights, while noise shakes the points of both: so the boundary moves out of the crowd. 116 points "
        "are right, by the six alone 112. Ignore the stop: the teacher is trained to agree with the student, and "
        "teaches less.",
        drawn(loss, agree, share, uses=uses, monitors={"boundary": (judged, "boundary")}),
        steps(learn, copy, rounds=300, checks=checks, metrics=["main/accuracy.y"]),
    )
