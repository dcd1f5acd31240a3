"""Facts in the notes about softmax and logsumexp, whose probabilities NumPy computes anew."""

from __future__ import annotations

import numpy as np

from gradwire.engine.advice.linter import lint
from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.evaluation.evaluate import run_graph
from tests.notes.facts import Facts, Shown, close, of, paths

X, ONE_TWO_THREE = np.array([1.0, 3, 3]), np.array([1.0, 2, 3])
# Eps of float64: differences below it are rounding.
EPS = 2.3e-16


def softmax(x: np.ndarray) -> np.ndarray:
    powers = np.exp(x - x.max())
    return powers / powers.sum()


def logsumexp(x: np.ndarray) -> float:
    return float(x.max() + np.log(np.exp(x - x.max()).sum()))


def numbers(s: Shown) -> np.ndarray:
    """Returns the loss and the gradient of x."""
    return np.array([s.loss, *s.gradient()])


def change(first: Shown, second: Shown) -> float:
    """Returns by how much the gradient of x differs."""
    return float(np.abs(first.gradient() - second.gradient()).max())


def is_softmax(s: Shown) -> bool:
    return close(s.gradient(), softmax(X))


def is_nan(s: Shown) -> bool:
    return bool(np.isnan(s.gradient()).all())


def total(s: Shown) -> float:
    return round(float(s.gradient().sum()), 14)


def at_maximum(s: Shown) -> float:
    """Returns what the maximum receives."""
    return abs(float(s.gradient("m.y" if "m" in s.graph.pages[0].blocks else "mx.y")))


def terms_at_maximum(s: Shown) -> tuple[float, float]:
    """Returns what the maximum receives through the numerator and through the sum, by the chain rule."""
    powers = s.value("e.y")
    return -float(s.along("p.x") @ powers), -float(s.along("s.x") @ powers)


def softmax_naive(s: Shown) -> Facts:
    yield "It overflows.", bool(np.isinf(s.value("e.y")).all())
    yield "exp(1000) is more than a float64 can hold", np.log(np.finfo(float).max) < 1000
    yield "the quotient is infinity by infinity, NaN", bool(np.isnan(s.value("p.z")).all())
    yield "Try x = [1, 2, 3]: then it works.", close(s.given(x=[1, 2, 3]).value("p.z"), softmax(ONE_TWO_THREE))


def softmax_naive_ok(s: Shown) -> Facts:
    yield "right as long as exp does not overflow", close(s.value("p.z"), softmax(ONE_TWO_THREE))
    yield "w = [1, 2, 3] make a loss of 2.575", [s.value("w.y"), ONE_TWO_THREE @ softmax(ONE_TWO_THREE)]
    yield "Two paths lead back to exp(x): through the quotient and through the sum", paths(s) == 2
    yield "its gradient is the sum of both, about [-0.052, -0.019, 0.014]", [s.along("p.x") + s.along("s.x")]
    yield "The gradient of x adds up to 0", total(s) == 0
    yield "moving all elements together changes nothing", close(s.given(x=[3, 4, 5]).loss, s.loss)
    yield "Try x = 710: exp is infinite and everything turns NaN.", is_nan(s.given(x=[710, 710, 710]))


def softmax_stable(s: Shown) -> Facts:
    yield "Why the maximum stays out of the gradient.", None
    yield "Subtracting it changes nothing in the result", close(s.value("p.z"), softmax(X))
    yield "keeps exp from overflowing", s.given(x=[1000, 3, 3]).value("e.y").max() == 1
    yield "the wire into it shows zero", not s.along("stop.x").any()
    yield "the gradient of x is the same as without it", change(s, s.off()) < EPS


def softmax_stable_nostop(s: Shown) -> Facts:
    yield "Two paths lead back to the maximum, and their contributions cancel.", s.cause("m.y") is Cause.CANCELLED
    yield "The gradient of x is right", change(s, s.stopped("z.y")) < EPS
    yield "every digit of the zero at the maximum is a rounding error", 0 < at_maximum(s) < 2 * EPS


def softmax_stable_nostop_ties(s: Shown) -> Facts:
    shared = s.along("m.x")
    yield "Who receives the gradient of the maximum?", None
    yield "Two elements are the maximum.", int((s.value("x.y") == s.value("m.y")).sum()) == 2
    yield "TensorFlow shares the gradient between them", shared[0] == 0 != shared[1] == shared[2]
    yield (
        "frameworks that give it to one of them give another number on each wire, and the same sum",
        close(shared.sum(), s.gradient("m.y")),
    )


def softmax_stable_big_nosg(s: Shown) -> Facts:
    yield "exp(1000) overflows, but exp(x - max) does not: the shift saves the value.", s.value("e.y").max() == 1
    small, naive = s.given(x=[1, 2, 3]), s.muted("z")
    yield (
        "x = [1000, 1001, 1002] gives to the last digit the loss and the gradient of x = [1, 2, 3]",
        np.array_equal(numbers(s), numbers(small)),
    )
    yield "softmax only sees differences", close(s.given(x=[-5, -4, -3]).loss, s.loss)
    yield "Mute Subtract (M) to see what happens without the shift", bool(np.isinf(naive.value("e.y")).all())
    yield "infinity by infinity, NaN everywhere", is_nan(naive)


def softmax_stable_big_sg(s: Shown) -> Facts:
    yield "where the naive one gives NaN", is_nan(of("softmax_naive").given(x=s.value("x.y")))
    yield "The shift makes the largest exponent 0, so exp stays between 0 and 1", s.value("z.z").max() == 0
    yield "StopGradient keeps the shift out of the gradient", s.wire("sg.x").status is Status.BLOCKED
    yield "Loss and gradient are those of x = [1, 2, 3].", close(numbers(s), numbers(of("softmax_naive_ok")))
    yield "Switch the stop off: the numbers stay.", close(numbers(s), numbers(s.off()))


def softmax_stable_plain_nosg(s: Shown) -> Facts:
    yield "comes out right because two terms cancel", s.cause("mx.y") is Cause.CANCELLED
    yield "Subtracting the maximum changes nothing in the result", close(s.value("p.z"), softmax(ONE_TWO_THREE))
    yield (
        "so the gradient at the maximum has to be 0: the terms that it receives are not 0, but their sum is, up to"
        " rounding",
        at_maximum(s) < 2 * EPS < 0.1 < min(map(abs, terms_at_maximum(s))),
    )
    yield "the wire into ReduceMax shows zero", s.wire("mx.x").status is Status.ZERO
    yield (
        "Then add a StopGradient behind it and compare: x keeps [-0.142, -0.141, 0.283].",
        [s.stopped("z.y").gradient()],
    )


def softmax_stable_plain_sg(s: Shown) -> Facts:
    yield "What is only a shift stays out of the gradient.", None
    yield "The wire into StopGradient is blocked, by structure and not by chance", s.status("mx.y") is Status.BLOCKED
    yield "the backward pass has two paths less", paths(s.off()) - paths(s) == 2
    yield (
        "Switch the stop off: loss 2.575 and gradient [-0.142, -0.141, 0.283] stay as they are.",
        [numbers(s.off())],
    )


def softmax_stable_tie_nosg(s: Shown) -> Facts:
    yield "Two paths lead back to the maximum, and their contributions cancel.", s.cause("mx.y") is Cause.CANCELLED
    shared = s.along("mx.x")
    yield "ReduceMax shares its gradient evenly between tied elements.", shared[0] == 0 != shared[1] == shared[2]
    first, second = terms_at_maximum(s)
    yield (
        "The maximum receives 2.405 through the numerator and -2.405 through the sum",
        sorted([first, second], reverse=True),
    )
    yield "each tied element receives half of either, 1.202 with both signs", [abs(first) / 2]
    yield "together nothing but a rounding error of about 1e-16", 5e-17 < at_maximum(s) < 5e-16
    yield (
        "Insert a StopGradient behind the maximum: no digit of the gradient of x changes that matters.",
        change(s, s.stopped("z.y")) < EPS,
    )
    moved = s.given(x=[1, 3, 2.5])
    yield "Move one slider off the tie: the same.", change(moved, moved.stopped("z.y")) < EPS


def softmax_stable_tie_sg(s: Shown) -> Facts:
    yield "How two equal maxima would share the gradient no longer matters.", not s.along("mx.x").any()
    yield "StopGradient cuts two of the four paths from the loss to x", (paths(s), paths(s.off())) == (2, 4)
    yield (
        "the two that it cuts add up to zero: it withholds a rounding error of about 1e-16",
        1e-17 < abs(s.gradient("sg.y")) < 1e-15,
    )
    yield "Switch it off: the gradient of x stays [-0.089, -0.190, 0.279].", [s.off().gradient()]
    yield (
        "It adds up to 0, as adding a number to all of x changes nothing.",
        total(s) == 0 and close(s.given(x=X + 5).loss, s.loss),
    )


def lse_both(s: Shown) -> Facts:
    yield "Stopped where it is subtracted and where it is added back: right.", is_softmax(s)
    yield "The gradient of logsumexp is softmax(x) = [0.063, 0.468, 0.468]: it adds up to 1.", [softmax(X), total(s)]
    yield (
        "Switch stop 2 off alone: the gradient adds up to 2; stop 1 alone: to 0; both: right again.",
        (total(s.off("sg2")), total(s.off("sg"))) == (2, 0) and is_softmax(s.off()),
    )


def lse_forgot_nosg_bug(s: Shown) -> Facts:
    yield "value and gradient are both wrong", not is_softmax(s)
    yield "The value is 0.759 instead of 3.759", [s.loss, logsumexp(X)]
    yield "the gradient [0.063, -0.032, -0.032] adds up to 0", [s.gradient(), total(s)]
    yield "this is the logsumexp of x - max", close(s.loss, logsumexp(X - X.max()))
    yield "which does not change when all of x moves", close(s.given(x=X + 5).loss, s.loss)
    stopped = s.stopped("z.y")
    yield (
        "Insert a StopGradient behind max: the gradient becomes right, the value does not.",
        is_softmax(stopped) and close(stopped.loss, s.loss),
    )


def lse_forgot_sg(s: Shown) -> Facts:
    yield "wrong value, right gradient", s.loss != logsumexp(X) and is_softmax(s)
    yield "The loss is 0.759 instead of 3.759", [s.loss, logsumexp(X)]
    yield "yet the gradient is softmax(x) = [0.063, 0.468, 0.468]", [s.gradient()]
    yield "Training would not notice; a plot of the loss would.", None
    yield "Switch the stop off: the gradient turns wrong too.", not is_softmax(s.off())


def lse_half_bug(s: Shown) -> Facts:
    yield "The value is right", close(s.loss, logsumexp(X))
    yield "the gradient is not: it adds up to 2 instead of 1", [total(s), softmax(X).sum()]
    yield "The maximum is stopped where it is subtracted, not where it is added back", close(s.along("lse.y"), 1)
    yield (
        "one more 1 reaches the maxima, 0.5 each: [0.063, 0.968, 0.968]",
        [
            s.along("mx.x").sum(),
            s.along("mx.x")[1],
            s.gradient(),
        ],
    )
    warned = {finding.rule for finding in lint(run_graph(s.graph))}
    yield "The loss does not show it; the advice does.", "half_stopped" in warned
    yield (
        "Switch the stop off, or take the lower wire from the stop: softmax(x) again.",
        is_softmax(s.off()) and is_softmax(s.rewired("sg.y", "lse.y")),
    )


def lse_none(s: Shown) -> Facts:
    yield "Subtract and Add cancel at the maximum", s.cause("mx.y") is Cause.CANCELLED
    sent = [s.along("z.y").round(14), s.along("lse.y"), s.gradient("mx.y").round(14)]
    yield "It receives -1 from one and 1 from the other, 0 in all", sent
    yield "the gradient is softmax(x) = [0.063, 0.468, 0.468] and adds up to 1", [s.gradient(), total(s)]
    yield (
        "insert a StopGradient on one of the two wires from max, and it is wrong",
        not is_softmax(s.stopped("dot.x")) and not is_softmax(s.stopped("lse.y")),
    )
