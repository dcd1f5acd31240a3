"""Facts in the notes about depth: chains of sigmoids and tanhs, and a recurrent network."""

from __future__ import annotations

import numpy as np

from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from tests.notes.facts import Facts, Shown, close, of

TINIEST_FLOAT32 = float(np.finfo(np.float32).smallest_subnormal)


def factors(s: Shown) -> list[float]:
    """Returns the derivative of each block of a chain."""
    blocks = s.graph.pages[0].blocks
    values = [float(s.value(f"s{number}.y")) for number in range(1, len(blocks) - 1)]
    return [y * (1 - y) if blocks["s1"].type == "Sigmoid" else 1 - y * y for y in values]


def last(s: Shown) -> float:
    return factors(s)[-1]


def fixed_point() -> float:
    """Returns the number that a sigmoid returns unchanged."""
    y = 0.5
    for _ in range(100):
        y = 1 / (1 + np.exp(-y))
    return y


def sigmoid_chain_5(s: Shown) -> Facts:
    found = factors(s)
    yield "The gradient of x is 6.1e-4 after only five steps.", [s.gradient()]
    yield "A sigmoid passes on y (1 - y) of its incoming gradient, at most a quarter", max(found) <= 0.25
    yield "here 0.22 to 0.24 at each block", [min(found), max(found)]
    yield "five of these multiply to 0.0006", [np.prod(found)]
    sizes = [abs(float(s.along(f"s{number}.x"))) for number in range(1, 6)]
    yield "Follow the wires from the loss to x and watch them fade.", sizes == sorted(sizes)
    yield "Move x: it hardly matters.", abs(s.given(x=-5).loss - s.given(x=5).loss) < 0.01


def sigmoid_chain_10(s: Shown) -> Facts:
    yield "Ten sigmoids leave 3.5e-7 of the gradient.", [s.gradient()]
    yield (
        "The values run into 0.659, where a sigmoid returns its input",
        [s.loss] if close(s.loss, fixed_point(), 1e-6) else False,
    )
    yield "there every step passes on 0.2247", [last(s)]
    yield "The loss no longer knows x, and the gradient says so.", close(s.given(x=-5).loss, s.given(x=5).loss, 1e-5)


def sigmoid_chain_20(s: Shown) -> Facts:
    yield "Twenty sigmoids leave 1.1e-13 of the gradient.", [s.gradient()]
    yield "It is not zero, but no optimizer will notice it.", s.status("x.y") is Status.FLOW
    ends = [s.given(x=x).loss for x in (-5, 0.5, 5)]
    yield "The values, 0.6590460684, are the same for every x", [s.loss] if np.ptp(ends) < 5e-11 else False
    yield "the wires fade by the factor 0.2247 from block to block", [last(s)]
    relus = s.retyped("Relu", "s15", "s16", "s17")
    yield (
        "Replace some Sigmoid by Relu and see the gradient come back by that factor for each.",
        close(relus.gradient() / s.gradient(), last(s) ** -3, 0.01),
    )


def sigmoid_chain_50(s: Shown) -> Facts:
    yield "Fifty sigmoids leave 4.0e-33, by a factor of 0.2247 a step.", [s.gradient(), last(s)]
    yield "In float64 that is an ordinary number, far from the smallest", s.gradient() > 1e200 * np.finfo(float).tiny
    yield "the wires say flow, not zero", s.wire("s1.x").status is Status.FLOW
    yield "compare the wire into the loss with the wire at x", s.along("loss.x") > 1e32 * s.along("s1.x")


def sigmoid_chain_80(s: Shown) -> Facts:
    yield (
        "Eighty sigmoids leave 1.4e-52, which float64 can hold and float32 cannot.",
        [s.gradient()] if (np.float32(s.gradient()) == 0) else False,
    )
    yield "Its smallest number is 1.4e-45", [TINIEST_FLOAT32]
    narrow = s.with_block("Cast", "s1.x", dtype="float32")
    yield "insert a Cast to float32 behind x, and the gradient of x is exactly 0", narrow.gradient() == 0
    yield "Ask why: underflow, the true value is too small to write down.", narrow.cause("x.y") is Cause.UNDERFLOW
    yield "That zero is no stop and no flat place; every factor, 0.2247, is well.", [last(s)]


def tanh_chain_5(s: Shown) -> Facts:
    yield "Tanh fades more slowly than a sigmoid does.", s.gradient() > of("sigmoid_chain_5").gradient()
    yield (
        "0.393 remains after five steps, where five sigmoids leave 0.0006",
        [
            s.gradient(),
            of("sigmoid_chain_5").gradient(),
        ],
    )
    yield "Its slope at 0 is 1, and it falls only as the value leaves 0", s.given(x=0).gradient() == 1
    yield "each block passes on 1 - y squared", close(s.gradient(), np.prod(factors(s)))
    yield "Move x to 3: the first block alone takes 99 % of it.", [3, 100 - round(100 * factors(s.given(x=3))[0])]


def tanh_chain_10(s: Shown) -> Facts:
    yield "Ten times tanh leave 0.223 of the gradient.", [s.gradient()]
    found = factors(s)
    yield "The values shrink towards 0, where the slope is 1", s.loss < s.value("x.y") and s.given(x=0).gradient() == 1
    yield "so every further step costs less than the one before: the opposite of saturation", found == sorted(found)
    yield "Compare the same with sigmoids: 3.5e-7.", [of("sigmoid_chain_10").gradient()]


def tanh_chain_20(s: Shown) -> Facts:
    yield "Twenty times tanh leave 0.107: a network that can still be trained.", [s.gradient()]
    yield "The value has come down from 0.5 to 0.239", [s.value("x.y"), s.loss]
    yield "near 0 tanh is almost the identity: the last block passes on 0.943", [0, last(s)]
    yield "With sigmoids 1.1e-13 would be left.", [of("sigmoid_chain_20").gradient()]


def tanh_chain_50(s: Shown) -> Facts:
    sigmoid = last(of("sigmoid_chain_50"))
    yield (
        "Fifty times tanh leave 0.034, less than two sigmoids do and more than three.",
        [s.gradient()] if (sigmoid**3 < s.gradient() < sigmoid**2) else False,
    )
    sizes = {count: float(of(f"tanh_chain_{count}").gradient()) for count in (10, 20, 50, 80)}
    powers = [np.log(sizes[a] / sizes[b]) / np.log(b / a) for a, b in ((10, 20), (20, 50), (50, 80))]
    yield "The gradient falls like a power of the depth and not like a power of a factor", np.ptp(powers) < 0.4
    yield "from 20 to 50 steps to a third", abs(sizes[50] / sizes[20] - 1 / 3) < 0.03
    yield "Hence tanh took the place of the sigmoid long before Relu.", None


def tanh_chain_80(s: Shown) -> Facts:
    yield (
        "Eighty times tanh still leave 0.018, where eighty sigmoids leave 1.4e-52.",
        [
            s.gradient(),
            of("sigmoid_chain_80").gradient(),
        ],
    )
    yield (
        "Every block passes on 1 - y squared, and y is down to 0.13 at the end: a factor of 0.983.",
        [
            1,
            s.loss,
            last(s),
        ],
    )
    yield (
        "Start x at 5 instead of 0.5: the first block alone takes all but 0.0002.",
        [
            5,
            s.value("x.y"),
            factors(s.given(x=5))[0],
        ],
    )


def rnn20(s: Shown) -> Facts:
    yield "Twenty steps of h = w h: the gradient grows by half at every one.", close(s.gradient("h.y"), 1.5**20)
    yield (
        "Backwards every step multiplies by 1.5, so the gradient of h0 is 1.5 to the 20th, 3325.257",
        [
            s.value("w.y"),
            1.5,
            s.gradient("h.y"),
        ]
        if s.value("w.y") ** 20 == 1.5**20
        else False,
    )
    pages = [s.along(f"steps{number}.w") for number in range(1, 5)]
    yield (
        "each of the four pages of five steps adds 1108.419 to that of w",
        [pages[0]] if close(pages, pages[0]) else False,
    )
    yield "together 4433.676", [s.gradient("w.y")]
    yield "Set w to 1: no explosion, 2 for w.", [1, s.given(w=1).gradient("w.y").round(12)]
    yield "Set w to 0.5: all that reaches h0 is 9.5e-7.", [0.5, s.given(w=0.5).gradient("h.y")]
    yield "The truncated example cuts the path back.", of("rnn20_tbptt5").status("h.y") is Status.BLOCKED
    yield from five_steps(s)


def five_steps(s: Shown) -> Facts:
    yield "Five times h becomes w h.", close(s.value("steps1.out"), s.value("h.y") * s.value("w.y") ** 5)
    yield (
        "Each of the five brings w the same gradient, h of the end divided by w, and they add up.",
        close(s.along("steps4.w"), 5 * s.loss / s.value("w.y")),
    )


def rnn20_tbptt5(s: Shown) -> Facts:
    yield (
        "A stop before the last five steps keeps a quarter of the gradient.",
        close(s.gradient("w.y"), s.off().gradient("w.y") / 4),
    )
    yield "h is still 332.526, but what lies before the stop counts as data", [s.loss]
    yield (
        "w receives 1108.419 from the last five steps instead of 4433.676",
        [
            s.gradient("w.y"),
            s.off().gradient("w.y"),
        ],
    )
    yield "and h0 nothing, it is blocked", s.status("h.y") is Status.BLOCKED
    yield "So recurrent networks are trained on endless sequences, at the price of what happened long ago.", None
    yield "Switch the stop off, or move it by taking it out and inserting it in another wire.", None
    yield from five_steps(s)
