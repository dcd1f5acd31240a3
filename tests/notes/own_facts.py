"""Facts in the notes of pages with gradients of their own."""

from __future__ import annotations

import numpy as np

from gradwire.engine.autodiff.status import Status
from gradwire.engine.edits.page_edits import set_gradient
from gradwire.engine.explain.checks.check import check_gradients
from tests.notes.facts import Facts, Shown, close


def by_its_blocks(s: Shown, page: str) -> Shown:
    return Shown(set_gradient(s.graph, page, None))


def differs_on_purpose(s: Shown) -> bool:
    found = check_gradients(s.graph)
    return bool(found.meant) and not found.mismatches


def own_clip(s: Shown) -> Facts:
    yield (
        "The page clip passes its value on; page clip_gradient gives its gradient: clipped to -1 and 1.",
        [s.value("clip[gradient]/low.y"), s.value("clip[gradient]/high.y")],
    )
    yield "The square sends back 1, -3 and 6; x receives 1, -1 and 1.", [s.gradient("clip.y"), s.gradient()]
    yield "A gradient check says that this differs on purpose, with both numbers.", differs_on_purpose(s)
    arriving = s.value("clip[gradient]/d_y.y")
    yield "Page clip_gradient shows what is incoming.", close(arriving, s.gradient("clip.y"))


def own_reversal(s: Shown) -> Facts:
    yield "A feature serves a task, and is not to tell a domain.", None
    yield (
        "Page turn passes it on; its own gradient is -0.5 times the incoming one.",
        [s.value("turn[gradient]/amount.y")] if s.value("turn.y") == s.value("f.z") else False,
    )
    yield (
        "From the task comes -4, from the domain 2, turned to -1",
        [s.along("error.x"), s.gradient("turn.y"), s.along("turn.x")],
    )
    yield "the feature receives -5, and w -10.", [s.gradient("f.z"), s.gradient("w.y")]
    yield "Domain adversarial networks put such a layer there.", None


def own_straight_through(s: Shown) -> Facts:
    inside = s.wire("rounded/round.x").status
    yield "Round is flat everywhere: nothing could train x through it.", inside is Status.NON_DIFFERENTIABLE
    yield (
        "The page has a gradient of its own, which passes the incoming one straight through.",
        close(s.along("rounded.x"), s.gradient("rounded.y")),
    )
    yield (
        "x is rounded to 0, 1 and 2; the error sends back -2, 0 and 2, and x receives the same.",
        [s.value("rounded.y"), s.gradient()] if close(s.gradient("rounded.y"), s.gradient()) else False,
    )
    alone = by_its_blocks(s, "round").snapshot.port("main/x.y")
    yield "Without its own gradient the page is cut at Round.", alone.by == ("main/rounded/round",)


def own_log1pexp(s: Shown) -> Facts:
    x = s.value("x.y")
    with np.errstate(over="ignore"):
        is_infinite = np.isinf(np.exp(x)).any()
    yield (
        "The exponential of a large x is infinite, so page log1pexp computes the same number in another way.",
        bool(is_infinite) and close(s.value("soft.y"), np.logaddexp(0, x)),
    )
    alone = by_its_blocks(s, "log1pexp").gradient()
    yield "At 0 two kinks meet, and the rules of the blocks would give 1.", [x[1], alone[1]]
    yield "Its own gradient is the sigmoid of x times the incoming one: 0, 0.5 and 1.", [s.gradient()]
    found = check_gradients(s.graph)
    yield "A gradient check finds no difference.", not (found.meant or found.mismatches)


def own_scale(s: Shown) -> Facts:
    yield (
        "Page scale passes x on; its own gradient is the incoming one times amount, an input of the page.",
        close(s.along("slow.x"), s.gradient("slow.y") * s.value("amount.y")),
    )
    yield (
        "The square sends back 6, of which 0.6 remains; with the path beside the page x receives 1.6.",
        [s.gradient("slow.y"), s.along("slow.x"), s.gradient()],
    )
    port = s.snapshot.port("main/amount.y")
    yield "The rule gives amount no gradient: the page blocks it.", port.by == ("main/slow",)
