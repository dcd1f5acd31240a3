"""Facts about the examples of loops: each note in its words, tried on the graph."""

from __future__ import annotations

import dataclasses

import numpy as np

from gradwire.engine.autodiff.status import Status
from gradwire.engine.edits import edits
from tests.notes.facts import Facts, Shown, close


def scan_1_recurrence(s: Shown) -> Facts:
    h, rows, w = s.value("h0.y"), s.value("x.y"), s.value("w.y")
    for row in rows:
        h = np.tanh(w @ h + row)
    yield (
        "h = tanh(w h + x) runs 12 times as one block: round i takes row i of x, and h goes from round to round.",
        [len(rows)] if close(s.value("rec.h"), h) else False,
    )
    yield (
        "The plot in the block is the size of the gradient of h by round, 0.689 at round 11 and 0.00024 at round 0.",
        [s.norm("rec[11]/h.y"), 11, s.norm("rec[0]/h.y"), 0],
    )
    sizes = np.linalg.norm(s.gradient("x.y"), axis=1)
    yield "So the last row of x receives 1.05 and the first one 0.00033.", [sizes[-1], sizes[0]]
    parts = [s.along(f"rec[{number}]/wh.a") for number in range(12)]
    yield (
        "The matrix w is the same in all rounds, and its gradient is the sum over them.",
        close(s.gradient("w.y"), np.sum(parts, axis=0)),
    )
    stopped = with_setting(s, "rec", "stop_every", 5)
    before = [stopped.gradient(f"rec[{number}]/h.y") for number in range(10)]
    yield (
        "With stop_every 5 the gradient ends at round 10, and the rounds before receive 0.",
        [5, 10, *set(np.ravel(before))] if stopped.wire("rec[10].h").status is Status.BLOCKED else False,
    )


def scan_2_power_iteration(s: Shown) -> Facts:
    a, v = s.value("a.y"), s.value("v.y")
    for _ in range(20):
        v = a @ v / np.linalg.norm(a @ v)
    yield (
        "20 rounds, each of which multiplies v by a and divides by the length.",
        [20] if close(s.value("power.v"), v) else False,
    )
    second, largest = np.linalg.eigvalsh(a)[-2:]
    yield (
        "Then L = v a v is the largest eigenvalue of the matrix a, 3.9298.",
        [largest] if close(s.loss, largest, 1e-9) and close(s.loss, v @ a @ v) else False,
    )
    yield (
        "Its gradient by a is v times v transposed, as it is for an eigenvalue of a symmetric matrix.",
        close(a, a.T) and close(s.gradient("a.y"), np.outer(v, v), 1e-5),
    )
    yield (
        "The start receives 8e-13: it is forgotten, by a factor of 2.2 in each round, the largest eigenvalue divided "
        "by the next one.",
        [s.norm("v.y"), s.norm("power[16]/v.y") / s.norm("power[15]/v.y")]
        if close(s.norm("power[16]/v.y") / s.norm("power[15]/v.y"), largest / second, 0.02)
        else False,
    )


def scan_3_optimiser(s: Shown) -> Facts:
    curvature, x, rate = s.value("curvature.y"), s.value("x.y"), float(s.value("rate.y"))
    left = x * (1 - rate * curvature) ** 10
    yield (
        "10 steps of gradient descent on a bowl are one block, and L is what they leave of x, 0.0388.",
        [10, s.loss] if close(s.value("descent.x"), left) else False,
    )
    faster = s.given(rate=rate + 0.01)
    yield (
        "The rate receives -0.456: larger steps would have left less.",
        [s.gradient("rate.y")] if faster.loss < s.loss else False,
    )
    slope = np.sum(2 * left * x * 10 * (1 - rate * curvature) ** 9 * -curvature)
    yield (
        "Each step multiplies x by 1 - rate times curvature, so L has a formula, and its derivative by the rate is the "
        "same number.",
        [1] if close(s.gradient("rate.y"), slope) and close(s.loss, np.sum(left**2)) else False,
    )
    shares = left**2 / np.sum(left**2)
    yield (
        "Nearly all that remains lies along the flattest direction, of curvature 0.5.",
        [curvature.min()] if shares[np.argmin(curvature)] > 0.999 else False,
    )


def scan_4_heat(s: Shown) -> Facts:
    u, c = s.value("u.y"), float(s.value("c.y"))
    for _ in range(30):
        u = u + c * (np.roll(u, 1) - u) + c * (np.roll(u, -1) - u)
    yield (
        "Of 16 points one is hot; in each of 30 steps a point takes the share c of the differences to its neighbours.",
        [u.size, 30] if close(s.value("heat.u"), u) and np.count_nonzero(s.value("u.y")) == 1 else False,
    )
    yield "L is the temperature at point 10, 0.11.", [10, s.loss] if close(s.loss, u[10]) else False
    shares = s.gradient("u.y")
    yield (
        "The gradient of the start says how much the heat of each point counts there: 0.115 at point 10 itself, 0.016 "
        "at point 2 opposite.",
        [shares.max(), np.argmax(shares), shares.min(), np.argmin(shares)],
    )
    yield "These shares add up to 1, for no heat is lost.", [shares.sum()] if close(u.sum(), 4) else False
    yield "With c = 0.6 each step overshoots, and L explodes.", [0.6] if abs(s.given(c=0.6).loss) > 1000 else False


def with_setting(s: Shown, block: str, name: str, value: object) -> Shown:
    """Returns an example with another parameter of a block."""
    return dataclasses.replace(s, graph=edits.set_parameter(s.graph, "main", block, name, value))
