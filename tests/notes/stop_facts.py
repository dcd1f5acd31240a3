"""Facts in the notes about what StopGradients do: identities, estimators, targets, codebooks and two views."""

from __future__ import annotations

import numpy as np

from gradwire.engine.autodiff.status import Status
from tests.notes.facts import Facts, Shown, close, differ, of


def moves(s: Shown, gradient: float) -> bool:
    return close(s.gradient(), gradient)


def sg_grad_reversal(s: Shown) -> Facts:
    yield "The value passes, the gradient turns round.", close(s.value("d.z"), s.value("x.y"))
    yield "sg(2x) - x is x itself, 3, but its gradient is -1", [s.value("d.z"), s.gradient()]
    yield "what lies before it is trained to make the loss worse", s.gradient() < 0 < s.off().gradient()
    yield "Domain adaptation puts this between the features and the one that tells the domains apart.", None
    yield "Switch the stop off: 2 - 1 = 1, and it is a plain x again.", moves(s.off(), 2 - 1)


def sg_grad_scale_01(s: Shown) -> Facts:
    yield "All of the value, a tenth of the gradient.", close(s.gradient(), s.off().gradient() / 10)
    yield "x is split into 0.1 x, which learns, and 0.9 x, which is held fixed", [s.value("tenth.y"), s.value("rest.y")]
    yield "together 3, as before, with a gradient of 0.1", [s.value("s.z"), s.gradient()]
    yield "So one part of a network can be trained more slowly than the rest.", None
    halves = s.given(tenth=0.5, rest=0.5)
    yield "Change 0.1 and 0.9, keeping their sum 1.", close(halves.value("s.z"), 3) and moves(halves, 0.5)
    yield "Switch the stop off: the gradient is 1 again.", moves(s.off(), 1)


def sg_x_minus_sgx(s: Shown) -> Facts:
    yield "A term that is always zero, and still moves x.", s.value("d.z") == 0 != s.gradient()
    yield "x - sg(x) adds nothing to any value, but passes a gradient of 1", moves(s, 1)
    there = [s.given(x=x) for x in (-2, 0.5, 4)]
    yield "Move x: the value stays 0, the gradient 1.", all(moves(i, 1) and i.value("d.z") == 0 for i in there)
    yield "Switch the stop off: the two paths cancel, and the gradient is 0 too.", moves(s.off(), 0)


def sg_x_over_sgx(s: Shown) -> Facts:
    there = [s.given(x=x) for x in (-2, 0.5, 4)]
    yield (
        "The value is 1 for every x, the gradient 1/x.",
        all(i.value("q.z") == 1 and moves(i, 1 / i.value("x.y")) for i in there),
    )
    yield "x / sg(x) has the slope of log x, 1/3, without a logarithm", moves(s, 1 / 3)
    yield "Move x and compare.", None
    yield (
        "Switch the stop off: a constant 1 has no slope, and the gradient is 0 to rounding.",
        close(s.off().gradient(), 0, atol=1e-16),
    )


def sg_x_sgx(s: Shown) -> Facts:
    yield "One of two equal factors is held fixed.", s.wire("sg.x").status is Status.BLOCKED
    yield (
        "The value is x squared, 9, but only the factor that is not stopped receives a gradient: 3",
        [
            s.value("m.z"),
            s.along("m.x"),
        ],
    )
    yield "where the slope of the curve is 6", [s.off().gradient()]
    yield "Move x: the gradient is always x, never 2x.", all(moves(s.given(x=x), x) for x in (-2, 0.5, 4))
    yield "Switch the stop off and it doubles.", moves(s.off(), 2 * s.gradient())
    yield "What the stop withholds is the 3 on the wire into it.", [s.gradient("sg.y")]


def ste(s: Shown) -> Facts:
    yield "The value is rounded, the gradient does not notice.", close(s.gradient(), s.gradient("y.z"))
    yield "Round has no gradient", s.wire("round.x").status is Status.BLOCKED or not s.along("round.x").any()
    yield "x + sg(round(x) - x) has its value, [0, 1, -1, 2]", [s.value("y.z").round(15)]
    yield "and the gradient of x itself", close(s.gradient(), s.gradient("y.z"))
    yield (
        "the one element that misses its target, -1 instead of -2, receives a 1 and can be trained",
        [
            s.value("y.z")[2],
            s.value("t.y")[2],
            s.gradient()[2],
        ],
    )
    yield "2.5 becomes 2: ties go to the even number", [s.value("x.y")[3], s.value("round.y")[3]]
    yield (
        "Mute the stop: the path through Round is cut, the other is subtracted, and the gradient is 0.",
        moves(s.muted("sg"), 0),
    )


def td_semi(s: Shown) -> Facts:
    yield "The target of temporal differences is data, not something to train.", None
    w = s.value("w.y")
    yield "The error 1 + 0.9 V(s') - V(s) is 1.4.", [1, 0.9, 1 + 0.9 * w[1] - w[0]]
    yield (
        "w holds V of both states; with V(s') stopped only V(s) is moved towards the target",
        (s.gradient("w.y")[0] < 0 == s.gradient("w.y")[1]),
    )
    yield "w receives [-1.4, 0]", [s.gradient("w.y")]
    off = s.off()
    yield "Switch the stop off: the gradient of w becomes [-1.4, 1.26]", [off.gradient("w.y")]
    yield "V(s') is pushed down to meet V(s), as if the future had to fit the past", off.gradient("w.y")[1] > 0
    yield "The loss, 0.98, is the same: nothing but the gradient shows a missing stop.", [off.loss]


def td_residual(s: Shown) -> Facts:
    yield "both ends of the step are trained", bool(s.gradient("w.y").all())
    gradient, nudge, w = s.gradient("w.y"), 1e-6, s.value("w.y")
    slope = [(s.given(w=w + step).loss - s.given(w=w - step).loss) / 2e-6 for step in np.eye(2) * nudge]
    yield "it lowers V(s'), by 0.9 of the same error", [-gradient[1] / gradient[0]]
    yield "w receives [-1.4, 1.26] instead of [-1.4, 0]", [gradient, s.stopped("later.y").gradient("w.y")]
    yield "That is the true slope of the loss, 0.98", [s.loss] if close(slope, gradient, 1e-6) else False
    yield "still seldom what is wanted: it learns slowly, and where the next state is random, wrongly", None
    yield (
        "Insert a StopGradient behind V(s') for TD(0).",
        close(s.stopped("later.y").gradient("w.y"), of("td_semi").gradient("w.y")),
    )


def vq(s: Shown) -> Facts:
    yield (
        "Three stops decide who is trained by what.",
        sum(block.type == "StopGradient" for block in s.graph.pages[0].blocks.values()) == 3,
    )
    z, codes = s.value("ze.y"), s.value("E.y")
    nearest = codes[np.argmin(((codes - z) ** 2).sum(axis=1))]
    parts = {name: s.losing(name) for name in ("rec", "codebook", "commit")}
    yield "z is replaced by the nearest row of the codebook", close(s.value("zst.z"), nearest)
    yield "with the gradient of z itself", close(parts["rec"].gradient("ze.y"), parts["rec"].gradient("zst.z"))
    yield "rebuilding, 0.25, trains the encoder past the choice", [parts["rec"].loss]
    yield "The code is pulled to z, 0.05, with z held fixed", [parts["codebook"].loss]
    yield (
        "z is pulled to its code, 0.25 times 0.05, with the code held fixed",
        [
            s.value("beta.y"),
            parts["commit"].loss / s.value("beta.y"),
        ],
    )
    together = sum(item.loss for item in parts.values())
    yield (
        "Together 0.3125: z receives [0.45, -0.6], the chosen row [0.2, 0.4], the other nothing.",
        [
            together,
            s.gradient("ze.y"),
            s.gradient("E.y")[0],
        ]
        if not s.gradient("E.y")[1].any()
        else False,
    )
    trained = [bool(item.gradient(port).any()) for item in parts.values() for port in ("ze.y", "E.y")]
    yield "Choose one loss at a time to see who it trains.", trained == [True, False, False, True, True, False]
    yield "The number of the row of E that is nearest to z.", s.value("nearest.k") == 0
    yield "ArgMin has no gradient: the choice is not trained.", None


def end_of_simsiam(is_stopped: bool, rounds: int) -> tuple[float, float, float]:
    """Returns w, p and the similarity loss after descent at rate 0.1, from the formulas of the page."""
    x1, x2 = (of("simsiam_scalar").value(f"{name}.y") for name in ("x1", "x2"))
    w, p = 1.0, 0.5
    for _ in range(rounds):
        gap = w * p * x1 - w * x2
        slope = p * x1 if is_stopped else p * x1 - x2
        w, p = w - 0.1 * (np.mean(gap * slope) + 0.05 * w), p - 0.1 * (np.mean(gap * w * x1) + 0.05 * p)
    return w, p, float(np.mean((w * p * x1 - w * x2) ** 2) / 2)


def simsiam_scalar(s: Shown) -> Facts:
    yield (
        "w encodes both views, p predicts the second code from the first",
        close(s.value("pz.z"), s.value("p.y") * s.value("w.y") * s.value("x1.y")),
    )
    held, free = end_of_simsiam(True, 2000), end_of_simsiam(False, 100)
    end = (1 + np.sqrt(0.75)) / 2.5
    yield (
        "gradient descent at rate 0.1 ends at w = p = (1 + root 0.75)/2.5 = 0.7464",
        [0.1, 1, 0.75, 2.5, end] if close(held[:2], end, 1e-6) else False,
    )
    yield (
        "where the pull to be alike and weight decay balance",
        close([s.given(w=end, p=end).gradient(f"{name}.y") for name in "wp"], 0, atol=1e-15),
    )
    yield "after 100 steps w is 0.003", [100, free[0]]
    yield (
        "the similarity loss is 2e-6 instead of 0.126",
        [
            free[2],
            s.given(w=end, p=end).losing("similar").loss,
        ],
    )
    yield "both codes are nearly 0", free[0] * 1.5 < 0.005
    yield "Alike, and empty.", differ(free[0], end)
    yield "Two views of one thing are to look alike, but not by becoming 0.", end > 0.7
