"""Facts in the notes about zeros, kinks, ties and NaN."""

from __future__ import annotations

import numpy as np

from gradwire.engine.autodiff.status import Status
from gradwire.engine.blocktypes.cause import Cause
from tests.notes.facts import Facts, Shown, close, of


def causes(s: Shown) -> Facts:
    inputs = [name for name in s.graph.pages[0].blocks if name.startswith("x_")]
    wires = {name[2:]: s.wire(f"{name[2:]}.x") for name in inputs}
    reasons = {item.zero.cause if item.zero else item.status for item in wires.values()}
    yield "A gradient of 0 can mean eleven things, and only some of them are mistakes.", len(wires) == 11
    yield (
        "In every frame the wire at x shows 0, each for another reason",
        len(reasons) == 11
        and all(item.gradient is None or not item.gradient.round(12).any() for item in wires.values()),
    )
    titles = [frame.blocks[0] for frame in s.graph.pages[0].frames]
    yield (
        "by structure for the first four, by numbers for the others",
        [wires[title.removeprefix("x_")].status is Status.ZERO for title in titles] == [False] * 4 + [True] * 7,
    )
    ends = {name: s.wire(f"{name}.x").zero for name in wires}
    yield (
        "the chain of reasons ends at the block in the middle",
        all(zero is None or zero.at == f"main/{name}" for name, zero in ends.items()),
    )
    yield (
        "set x of Relu above 0 and x of Sigmoid to 3",
        bool(
            s.given(x_not_selected=0.5).losing("loss_not_selected").gradient("x_not_selected.y")
            and s.given(x_saturated=3).losing("loss_saturated").gradient("x_saturated.y")
        ),
    )
    changed = s.given(x_zero_factor=[1, 3, 2]).losing("loss_zero_factor")
    yield (
        "change two of the three factors; or switch the stop off",
        bool(changed.gradient("x_zero_factor.y").all() and s.losing("loss_blocked").off().gradient("x_blocked.y")),
    )


def clip_then_square(s: Shown) -> Facts:
    d = s.value("d.y")
    yield "The largest errors receive no gradient at all.", not s.gradient("d.y")[np.abs(d) == np.abs(d).max()].any()
    yield (
        "To tame errors beyond 1 the first DQN programs clipped the error and then squared it",
        close(s.loss, (np.clip(d, -1, 1) ** 2).sum() / 2),
    )
    yield (
        "outside [-1, 1] the clip is flat, so -2 and 2 receive 0 and the worst states stop learning",
        [
            s.value("low.y"),
            s.value("high.y"),
            d[0],
            d[3],
            s.gradient("d.y")[3],
        ],
    )
    yield (
        "Ask why element 0 is zero: it was not selected, the bound was.",
        s.wire("clip.x").zero.cause is Cause.NOT_SELECTED,
    )
    yield "Move 2 to 0.9 and its gradient comes back.", close(s.given(d=[*d[:3], 0.9]).gradient("d.y")[3], 0.9)
    yield "The example Huber shows what was meant.", bool(of("huber").gradient("d.y").all())


def huber(s: Shown) -> Facts:
    d = s.value("d.y")
    sizes = np.abs(d)
    yield (
        "Square near zero, straight beyond 1: the gradient is clipped, not lost.",
        close(s.gradient("d.y"), np.clip(d, -1, 1)),
    )
    yield (
        "The error is split into a part up to 1, which is squared, and the rest, which counts as it is.",
        close(s.loss, (np.minimum(sizes, 1) ** 2 / 2 + (sizes - np.minimum(sizes, 1))).sum()),
    )
    clipped = of("clip_then_square")
    yield (
        "-2 and 2 receive -1 and 1 where clip-then-square gives 0",
        [
            d[0],
            d[3],
            s.gradient("d.y")[[0, 3]],
            clipped.gradient("d.y")[3],
        ],
    )
    yield "small errors receive themselves", close(s.gradient("d.y")[1:3], d[1:3])
    yield "The loss is 3.25 instead of 1.25: large errors still count.", [s.loss, clipped.loss]
    yield "Try 20: the gradient stays 1.", [20, s.given(d=[*d[:3], 20]).gradient("d.y")[3]]


def cnn_micro(s: Shown) -> Facts:
    trained = s.gradient("relu.y").ravel()
    even = s.losing("even")
    yield (
        "Of equal maxima MaxPool trains the first, ReduceMax all of them.",
        (trained.tolist() == [1, 0, 0, 0] and even.gradient("relu.y").all()),
    )
    yield (
        "The filter finds the same edge, 6, in all four places.",
        [s.value("relu.y")[0, 0, 0]] if (np.ptp(s.value("relu.y")) == 0 and s.value("relu.y").size == 4) else False,
    )
    image = s.gradient("x.y").reshape(4, 4)
    yield (
        "MaxPool2D sends the whole gradient to the first: the image receives [-1, 0, 1, 0] in three rows",
        [image[0]] if (image[:3] == image[0]).all() else False,
    )
    yield "the last row nothing", not image[3].any()
    yield "ReduceMax gives each of the four a quarter", (even.gradient("relu.y") == 0.25).all()
    tenth = s.given(x=s.value("x.y") / 10)
    yield (
        "Divide the image by ten: then rounding makes some of the four 0.5999999999999999",
        0.5999999999999999 in (tenth.value("relu.y")) and np.ptp(tenth.value("relu.y")) > 0,
    )
    yield "picks the one that is trained", tenth.gradient("relu.y").ravel()[tenth.value("relu.y").argmax()] == 1


def where_bad(s: Shown) -> Facts:
    yield "A logarithm that is not chosen still makes the gradient NaN.", bool(np.isnan(s.gradient()[0]))
    yield "The value is fine: [0, 0, 1.386].", [s.value("pick.z")]
    yield "backwards Where sends 0 to the element that it did not choose", s.along("pick.x")[0] == 0
    yield (
        "Log multiplies this with 1/0, and 0 times infinity is NaN",
        bool(np.isnan(s.gradient()[0])) and (s.value("x.y")[0] == 0),
    )
    origin = s.snapshot.port("main/x.y").origin
    yield "Ask where the NaN comes from: Log, element 0.", origin is not None and "log" in str(origin)
    yield (
        "The remedy is to choose before the logarithm too: the example with two Wheres.",
        bool(np.isfinite(of("where_double").gradient()).all()),
    )


def where_double(s: Shown) -> Facts:
    yield "Choose before the logarithm, not only after it.", None
    safe = s.value("safe.z")
    yield (
        "Where x is not positive, the first Where puts a 1 in its place, so Log never sees a 0",
        (safe.tolist() == [1, 1, 4] and s.value("x.y")[0] == 0),
    )
    yield "has no infinite slope", bool(np.isfinite(1 / safe).all())
    yield "Value and gradient: [0, 0, 1.386] and [0, 1, 0.25], without NaN.", [s.value("pick.z"), s.gradient()]
    straight = s.rewired("x.y", "log.x")
    yield (
        "Wire x straight into Log and the NaN is back, though no value changes.",
        bool(np.isnan(straight.gradient()[0])) and np.array_equal(straight.value("pick.z"), s.value("pick.z")),
    )
