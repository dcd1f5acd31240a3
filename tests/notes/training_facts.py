"""Facts in the notes of trainings about depth, regressions, small networks and rates."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from tests.notes.facts import Facts, Moment, close
from tests.notes.trainings import Training, training


def falls(numbers: list[float]) -> bool:
    return all(first > second for first, second in pairwise(numbers))


def batch_noise(t: Training) -> Facts:
    start, middle, end = t.at(0), t.at(30), t.at(60)
    yield (
        "Twice 128 weights look for the mean 0 of random numbers, from 2, with batches of 4 and of 256.",
        [start.value("w4.y").size, 0, start.value("w4.y").mean(), len(start.value("batch4.y")), 256]
        if start.value("w4.y").size == start.value("w256.y").size and len(start.value("batch256.y")) == 256
        else False,
    )
    yield "All come near it in the same time", max(np.abs(end.value(f"{name}.y")).max() for name in ("w4", "w256")) < 1
    yield (
        "and then keep moving, as the histograms show",
        all(np.abs(end.value(f"{name}.y") - middle.value(f"{name}.y")).max() > 0 for name in ("w4", "w256")),
    )
    spreads = [float(end.value(f"spread{size}.y")) for size in (4, 256)]
    yield (
        "the spread that stays is the root of 1 / 9 through the size of the batch",
        all(abs(found / np.sqrt(1 / 9 / size) - 1) < 0.2 for found, size in zip(spreads, (4, 256), strict=True)),
    )
    yield "With 256 it is an eighth of that with 4", abs(8 * spreads[1] / spreads[0] - 1) < 0.25
    yield "a smaller rate would help too", t.at_rate(t.rule("rate") / 8).at(300).value("spread4.y") < spreads[0] / 1.5


def dying_relu(t: Training) -> Facts:
    start, third, fiftieth = t.at(0), t.at(3), t.at(50)
    yield (
        "Twelve relus are to fit a sine, and the rate 0.3 is too high.",
        ([t.rule("rate")] if start.value("b1.y").size == 12 else False),
    )
    yield "Three rounds throw all biases below 0", third.value("b1.y").max() < 0
    yield "then no relu passes anything for any point", not third.value("hidden.y").any()
    yield (
        "so no gradient reaches W1 and b1 ever again",
        np.array_equal(third.value("W1.y"), fiftieth.value("W1.y")) and not fiftieth.norm("W1.y", "b1.y"),
    )
    yield (
        "Only b2 still learns, and finds the mean.",
        close(t.end().value("b2.y"), t.end().value("sine.y").mean(), 1e-6, 1e-6),
    )
    yield "With the rate 0.1 eight relus stay alive.", [0.1] if t.at_rate(0.1).at(100).value("alive.y") == 8 else False


def linear_regression(t: Training) -> Facts:
    start, first, end = t.at(0), t.at(1), t.at(1000)
    yield (
        "Gradient descent moves three weights and a bias towards [1, 2, 3] and 5.",
        [1, 2, 3, 5] if (np.abs(t.given(W=[1, 2, 3], b=5).at(0).loss) == 0) else False,
    )
    yield (
        "The loss falls from 2790 to 1151 in the first round and to 1.04 in 1,000.",
        [
            start.loss,
            first.loss - 0.1,
            end.loss,
            1000,
        ],
    )
    rows = np.column_stack([start.value("X.y"), np.ones(8)])
    curvatures, directions = np.linalg.eigh(2 * rows.T @ rows / 8)
    yield (
        "The bias comes last and is at 0.77 then",
        [end.value("b.y")] if (np.abs(end.value("W.y") - [1, 2, 3]).max() < 0.1 < abs(end.value("b.y") - 5)) else False,
    )
    yield (
        "along it the loss is curved least, 0.12 instead of 230 and more",
        [
            curvatures[0],
            230,
        ]
        if abs(directions[3, 0]) > 0.999 and curvatures[1] > 230
        else False,
    )
    fast = t.at_rate(0.001)
    yield (
        "With the rate 0.001 instead of 0.0005 each step is too long, and the loss grows.",
        [
            0.001,
            t.rule("rate"),
        ]
        if falls([-fast.at(n).loss for n in range(5)])
        else False,
    )


def rate_too_large(t: Training) -> Facts:
    start = t.at(0)
    yield "The linear regression at the rate 0.001.", [t.rule("rate")]
    rows = np.column_stack([start.value("X.y"), np.ones(8)])
    steepest = np.linalg.eigvalsh(2 * rows.T @ rows / 8).max()
    yield (
        (
            "Along the direction in which the loss is most curved, 2614, a step multiplies the error by"
            " 1 - 0.001 * 2614 = -1.6"
        ),
        [steepest, 1, 0.001, steepest, 1 - 0.001 * steepest],
    )
    yield "it goes to the other side, and further each time", 1 - 0.001 * steepest < -1
    yield "The loss grows 2.6 times a round.", [t.at(10).loss / t.at(9).loss] if t.at(9) else False
    yield (
        "Below 2 / 2614 = 0.00076 it falls.",
        [2, steepest, 2 / steepest] if falls([t.at_rate(0.00076).at(n).loss for n in (0, 200, 400)]) else False,
    )


def logistic_regression(t: Training) -> Facts:
    found = [t.at(number) for number in range(1, 401, 20)]
    yield (
        "Two weights and a bias learn OR.",
        np.array_equal((found[-1].value("logits.z") > 0).ravel(), t.at(401).value("Y.y").ravel() == 1),
    )
    yield "The loss falls forever, for the weights may always grow", falls([item.loss for item in found])
    yield (
        "watch their gradients shrink while W grows longer",
        falls([item.norm("W.y") for item in found])
        and falls([-float(np.linalg.norm(item.value("W.y"))) for item in found]),
    )
    p = 1 / (1 + np.exp(-found[0].value("logits.z")))
    yield (
        "The error of a probability, p - y, is all that flows back.",
        close(found[0].gradient("logits.z"), (p - found[0].value("Y.y")) / p.size),
    )


def xor(t: Training) -> Facts:
    hidden = t.at(0).value("hidden.y").reshape(4, 2)
    yield (
        "One hidden unit leans towards OR, the other towards NAND",
        (np.argmin(hidden[:, 0]) == 0 and np.argmin(hidden[:, 1]) == 3),
    )
    apart = [float(np.ptp(t.at(number).value("W1.y"), axis=1).max()) for number in (0, 100)]
    yield "training pulls both apart", apart[0] < apart[1]
    yield "After 100 rounds the loss is 0.046, after 2,000 it is 0.0016.", [100, t.at(100).loss, 2000, t.at(2000).loss]
    same = t.given(W1=[[1, 1], [0.5, 0.5]], b1=[-0.5, -0.5]).at(50)
    half = t.given(W1=[[1, 1], [0.5, 0.5]]).at(1)
    yield (
        "Set both columns of W1 and both numbers of b1 to the same: the units always receive the same gradient and"
        " stay one unit.",
        np.ptp(same.value("W1.y"), axis=1).max()
        == np.ptp(same.value("b1.y"))
        == 0
        < np.ptp(half.value("W1.y"), axis=1).max(),
    )


def spirals(t: Training) -> Facts:
    start, end = t.at(0), t.end()
    yield (
        "A network 2-8-8-2 learns to tell two spirals apart.",
        [start.value(f"W{n}.y").shape for n in (1, 2, 3)]
        == [
            (2, 8),
            (8, 8),
            (8, 2),
        ],
    )
    yield "Run it: the boundary bends round by round.", None
    sizes = [
        float(np.linalg.norm(item.along(port)))
        for port in ("cross_entropy.logits", "hidden1.x")
        for item in (start, end)
    ]
    yield "As the loss falls, the gradient of the logits fades from 0.045 to 0.007", sizes[:2]
    yield (
        "the weights grow and enlarge it on its way back, so before the first tanh it grows from 0.01 to 0.73",
        (sizes[2:] if grown(start, end) else False),
    )
    yield (
        "One fifth of the points is held back, and is told apart too.",
        (t.block("spirals")["test"] == 0.2 and t.kept("test", "accuracy.y") >= 0.95),
    )


def grown(start: Moment, end: Moment) -> bool:
    return all(np.linalg.norm(end.value(f"W{n}.y")) > np.linalg.norm(start.value(f"W{n}.y")) for n in (1, 2, 3))


def moons(t: Training) -> Facts:
    yield (
        "Six hidden units bend a line into the gap between two half moons, with 32 points a round.",
        [len(t.at(0).value("moons.x"))] if t.at(0).value("b1.y").size == 6 else False,
    )
    worst = [item.value("moons.x")[np.argsort(-item.value("cross_entropy.loss"))[:2]] for item in (t.at(10), t.at(20))]
    tips = np.array([[1.0, 0.0], [0.0, 0.5]])
    yield "At first the boundary is straight and cuts the tips off", None
    yield (
        "the points there have the largest errors, and pull it into an S",
        all(np.linalg.norm(points[:, None] - tips, axis=2).min(axis=1).max() < 0.35 for points in worst),
    )


def sine(t: Training) -> Facts:
    yield "Twelve tanh units add up to one period of a sine.", t.at(0).value("b1.y").size == 12
    yield "Each is a smooth step; training moves, tilts and weighs the steps until their sum is the curve.", None
    yield (
        "R2 says how much of the variance is explained: below 0 at first, then nearly 1.",
        (t.at(0).value("r2.y") < 0 and t.kept(None, "r2.y") == 0.999),
    )


def vanishing(t: Training) -> Facts:
    start = t.at(0)
    yield "Three weights stand before 5, 20 and 80 sigmoids and have the same goal.", True
    found = [abs(float(start.gradient(f"w{depth}.y"))) for depth in (5, 20, 80)]
    y = 0.6590460684
    yield "The slope of a sigmoid is at most a quarter, here 0.22, so each takes most of the gradient", [y * (1 - y)]
    yield "1.5e-4, 2.9e-14 and 3.6e-53 remain", found
    moved = [abs(float(t.end().value(f"w{depth}.y")) - 1) for depth in (5, 20, 80)]
    yield (
        "At the same rate the first weight moves, the second hardly, and the third not even in its last bit.",
        (moved[0] > 0.1 and 0 < moved[1] < 1e-9 and moved[2] == 0),
    )


def rnn_exploding(t: Training) -> Facts:
    sizes = [t.at(number).norm("w.y", "b.y") for number in (0, 50, 105, 106, 107)]
    yield "Fifty steps of x -> w sigmoid(x) + b are to end at a goal.", None
    yield (
        "The loss has a cliff: for 106 rounds the gradient is small, then its norm is 192.",
        [
            106,
            sizes[3],
        ]
        if max(sizes[:3]) < 0.2
        else False,
    )
    yield (
        "One step along it throws w and b far away, where every sigmoid is flat: the gradient is below 1e-15",
        (max(sizes[4], t.at(300).norm("w.y", "b.y")) < 1e-15),
    )
    yield "nothing brings them back", close(t.at(107 + 193).value("w.y"), t.at(301).value("w.y"), 1e-15)
    yield "Compare with the training that clips.", None


def rnn_clipped(t: Training) -> Facts:
    yield (
        "The same fifty steps from the same start",
        all(
            np.array_equal(t.at(0).value(f"{name}.y"), training("rnn_exploding").at(0).value(f"{name}.y"))
            for name in "wb"
        ),
    )
    yield "no gradient is longer than 0.1", [t.graph.training["clip"]["global_norm"]]
    sizes = []
    w, b = (float(t.at(0).value(f"{name}.y")) for name in "wb")
    for _ in range(300):
        slope = np.array(cliff_slope(w, b, float(t.at(0).value("x0.y")), float(t.at(0).value("goal.y"))))
        sizes.append(float(np.linalg.norm(slope)))
        w, b = np.array([w, b]) - t.rule("rate") * slope * min(1, 0.1 / sizes[-1])
    yield (
        "At the cliff the step has the direction of the gradient and the length of any other",
        close(t.end().value("w.y"), w, 1e-6) and close(t.end().value("b.y"), b, 1e-6),
    )
    yield "so w and b walk along the edge and down to the goal", t.end().loss < 0.01
    yield "The norms still reach 1,815 on the path.", [max(sizes)]


def cliff_slope(w: float, b: float, x: float, goal: float) -> tuple[float, float]:
    """Returns the slopes of (sigmoid(x) - goal)² after fifty steps of x -> w sigmoid(x) + b, computed forwards."""
    dw = db = 0.0
    for _ in range(50):
        y = 1 / (1 + np.exp(-x))
        slope = w * y * (1 - y)
        x, dw, db = w * y + b, y + slope * dw, 1 + slope * db
    y = 1 / (1 + np.exp(-x))
    back = 2 * (y - goal) * y * (1 - y)
    return back * dw, back * db
