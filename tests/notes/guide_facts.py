"""Facts in the notes of TensorFlow's guide: tapes that pause, gradients of gradients, Jacobians and Hessians."""

from __future__ import annotations

import numpy as np

from gradwire.engine.autodiff.status import Status
from tests.notes.facts import Facts, Shown, close, differ

MOVED = (-2, 0.5, 2.5)


def guide_1_stop_recording(s: Shown) -> Facts:
    off = s.off()
    yield (
        "What is computed while a tape pauses counts as a plain number.",
        s.value("unseen.y") == 9 and s.gradient("y.y") == 0,
    )
    yield (
        "The frame holds that part, and the stop at its end lets no gradient in.",
        set(s.graph.pages[0].frames[0].blocks) == {"unseen", "stop"} and s.wire("stop.x").status is Status.BLOCKED,
    )
    yield (
        "z is 13; x receives 4, y nothing: TensorFlow returns None.",
        [s.value("z.z"), s.gradient()] if s.status("y.y") is Status.BLOCKED else False,
    )
    yield "Switch the stop off: y receives 6, as if the tape had not paused.", [off.gradient("y.y")]


def guide_2_reset(s: Shown) -> Facts:
    yield "A tape that is reset forgets what came before.", s.wire("earlier.x").status is Status.BLOCKED
    yield (
        "y squared was computed earlier, so it is a plain 9; the product with y came later and counts.",
        [s.value("earlier.y")] if s.wire("later.y").status is Status.FLOW else False,
    )
    there = [s.given(y=y) for y in MOVED]
    yield "So y receives 9", [s.gradient("y.y")]
    yield "the number that it is multiplied by", all(i.gradient("y.y") == i.value("earlier.y") for i in there)
    yield (
        "Switch the stop off, as if there were no reset: the part is y to the power of 3, and y receives 27.",
        [round(float(np.log(s.value("later.z")) / np.log(s.value("y.y"))), 12), s.off().gradient("y.y")],
    )


def guide_3_stop_gradient(s: Shown) -> Facts:
    yield (
        "A stop stands on a wire, so one use of a tensor can be held fixed while another counts.",
        (s.wire("stop.x").status, s.wire("z.x").status) == (Status.BLOCKED, Status.FLOW),
    )
    yield (
        "y squared is added as it is, and once more as a factor of x, behind a stop.",
        s.value("z.z") == 3**2 + 2 * 3**2,
    )
    yield (
        "x receives 9, the value that passes the stop; y receives 6, from the open path alone.",
        [s.value("stop.y"), 2 * s.value("y.y")]
        if (s.gradient(), s.gradient("y.y")) == (s.value("stop.y"), 2 * s.value("y.y"))
        else False,
    )
    yield "Switch the stop off: y receives 18.", [s.off().gradient("y.y")]


def guide_4_custom_gradient(s: Shown) -> Facts:
    there = [s, *(s.given(v=v) for v in MOVED)]
    pages = {page.name: page for page in s.graph.pages}
    yield (
        "The page clip lets every value pass, but has a rule of its own for the way back: another page, which shortens"
        " what comes in to a length of 0.5.",
        [np.abs(s.along("clip.x"))]
        if pages["clip"].gradient == "clip_gradient" and all(i.value("clip.y") == i.value("square.y") for i in there)
        else False,
    )
    v = s.value("v.y")
    yield (
        "8 comes in, 0.5 goes on, and v receives 2 where the slope of v to the power of 4 is 32.",
        [s.along("fourth.x"), s.along("clip.x"), s.gradient("v.y"), 4, 4 * v**3],
    )
    yield "The rule is saved with the graph.", "own_gradients" in s.graph.saved_needs
    small = s.given(v=0.4)
    yield (
        "Move v to 0.4: what comes in is shorter than 0.5, and nothing is cut.",
        bool(small.along("fourth.x") < 0.5) and close(small.gradient("v.y"), 4 * 0.4**3),
    )
    yield "The value passes as it is.", all(i.value("clip.y") == i.value("square.y") for i in there)
    yield (
        "The incoming gradient, shortened to a length of 0.5 if it is longer.",
        all(close(np.abs(i.along("clip.x")), min(0.5, np.abs(i.along("fourth.x")))) for i in (small, *there)),
    )


def guide_5_two_tapes(s: Shown) -> Facts:
    page = s.graph.pages[0]
    wired = {str(target): str(wire.source) for target, wire in page.wires.items()}
    yield (
        "Each Gradients block is a tape of its own: both read y, and each watches one input.",
        [wired[f"{tape}.{port}"] for tape in ("first", "second") for port in ("y", "xs_0")]
        == ["y.z", "x0.y", "y.z", "x1.y"],
    )
    yield (
        "The first gives the cosine of 0, 1; the second the slope of the sigmoid at 0, 0.25.",
        [0, s.value("first.g_0"), 0, s.value("second.g_0")],
    )
    yield (
        "The Loss is a third one, which watches everything.",
        (s.gradient("x0.y"), s.gradient("x1.y")) == (s.value("first.g_0"), s.value("second.g_0")),
    )
    there = [s.given(x0=x) for x in MOVED]
    yield (
        "Move x0: the second tape does not notice.",
        all(close(i.value("first.g_0"), np.cos(i.value("x0.y"))) and i.value("second.g_0") == 0.25 for i in there),
    )


def guide_6_higher_order(s: Shown) -> Facts:
    yield "A gradient is a value, so it has a gradient too.", None
    there = [s, *(s.given(x=x) for x in MOVED)]
    yield (
        "Three Gradients blocks in a row give 6.75, 9 and 6: three times x squared, six times x, and a constant.",
        [s.value(f"{name}.g_0") for name in ("first", "second", "third")]
        if all(
            close(i.value("first.g_0"), 3 * i.value("x.y") ** 2) and close(i.value("second.g_0"), 6 * i.value("x.y"))
            for i in there
        )
        else False,
    )
    yield "Move x: the third stays.", all(close(i.value("third.g_0"), 6) for i in there)
    onto = [s.rewired(f"{name}.g_0", "loss.x").gradient() for name in ("first", "second")]
    yield (
        "Put a Loss on any of them, and x receives the next one.",
        close(onto, [s.value("second.g_0"), s.value("third.g_0")]) and s.rewired("third.g_0", "loss.x").gradient() == 0,
    )


def guide_7_input_gradient(s: Shown) -> Facts:
    yield "How strongly a loss reacts to its input can be a penalty.", None
    slope = s.losing("fit").gradient("x.y")
    yield (
        "Gradients gives the slope of fit by x, and Norm its length, 9.143.",
        [np.linalg.norm(slope)]
        if close(slope, s.value("slope.g_0")) and close(s.loss, np.linalg.norm(slope))
        else False,
    )
    yield (
        "The Loss penalty shows what that asks of w and b: second derivatives of fit, [2.628, 1.302] for b.",
        [s.gradient("b.y")] if s.norm("w.y") else False,
    )
    yield (
        "In row 1 of x no unit is on, so its slope is 0 and adds nothing.",
        not s.value("y.y")[1].any() and not slope[1].any(),
    )
    yield (
        "Make fit the loss to see what the data alone asks for.",
        differ(s.losing("fit").gradient("w.y"), s.gradient("w.y")),
    )


def guide_8_scalar_jacobian(s: Shown) -> Facts:
    x, slopes = s.value("x.y"), s.value("slopes.j_0")
    yield (
        "One number, delta, moves every point of the curve, and the Jacobian keeps their slopes apart.",
        s.value("delta.y").size == 1 and close(s.given(delta=1).value("moved.z"), x + 1),
    )
    y = 1 / (1 + np.exp(-x))
    yield (
        "It has the shape of y: nine slopes of the sigmoid, 0.25 in the middle and 0.0177 at the ends.",
        [slopes[4], slopes[0]]
        if slopes.shape == s.value("y.y").shape == (9,) and close(slopes, y * (1 - y)) and close(slopes[8], slopes[0])
        else False,
    )
    yield (
        "A Loss adds them up: delta receives 0.979, which is also the total below.",
        [s.gradient("delta.y")] if close(s.gradient("delta.y"), s.value("total.y")) else False,
    )
    moved = [s.given(delta=delta) for delta in (-3, -1, 2)]
    yield (
        "Move delta: the steepest point is where x + delta is 0.",
        all(x[np.argmax(i.value("slopes.j_0"))] + i.value("delta.y") == 0 for i in moved),
    )


def guide_9_tensor_jacobian(s: Shown) -> Facts:
    found = s.value("jacobian.j_0")
    yield (
        "Every output by every weight: the shape of y, 4 by 2, then the shape of w, 3 by 2.",
        [*found.shape] if found.shape == s.value("y.y").shape + s.value("w.y").shape else False,
    )
    others = [found[:, 0, :, 1], found[:, 1, :, 0]]
    yield (
        "A column of y depends on the same column of w alone, so at least half of the 48 numbers are 0",
        [found.size, 0] if not np.any(others) and 2 * np.size(others) == found.size else False,
    )
    is_off = s.value("y.y") == 0
    yield "where Relu is off, the others are too", bool(is_off.any()) and not found[is_off].any()
    yield (
        "The sum over y is the gradient that w receives, [[2, 1], [-0.5, 2.5], [1.75, 1.25]].",
        [s.gradient("w.y")] if close(s.value("total.y"), s.gradient("w.y")) else False,
    )


def guide_10_hessian(s: Shown) -> Facts:
    ours, block = s.value("J.j_0"), s.value("H.h_0")
    yield "The Jacobian of a gradient is a Hessian.", close(ours, block, atol=1e-15)
    x, p = s.value("x.y"), s.value("g.g_0")
    yield (
        "The gradient of the log-sum-exp is softmax, p = [0.09, 0.245, 0.665]",
        [p] if close(p, np.exp(x) / np.exp(x).sum()) else False,
    )
    yield (
        "and both ways give its slopes: p (1 - p) on the diagonal, minus the products of the others beside it.",
        all(close(found, np.diag(p) - np.outer(p, p), atol=1e-15) for found in (ours, block)),
    )
    yield (
        "Each row adds up to 0, for raising all of x together changes no probability.",
        close(block.sum(axis=1), 0, atol=1e-15) and close(s.given(x=x + 5).value("g.g_0"), p),
    )
    sure = s.given(x=[0, 0, 9])
    yield (
        "Set x to [0, 0, 9]: softmax is nearly sure, and the Hessian all but vanishes.",
        sure.value("g.g_0").max() > 0.999 and np.abs(sure.value("H.h_0")).max() < 0.001,
    )


def guide_11_newton(s: Shown) -> Facts:
    yield "The gradient says where down is, the Hessian how far.", None
    matrix = s.value("newton/matrix.y")
    yield (
        "By w1 it has four axes; as a matrix, inside the page step, it is 6 by 6.",
        [*matrix.shape] if s.value("hessian.h_0").ndim == 4 else False,
    )
    hidden = s.value("net/hidden.y")
    has_zeros = not matrix[[1, 4]].any() and (matrix[[0, 2, 3, 5]] != 0).any(axis=1).all()
    yield "Hidden unit 1 is never on, so two rows are 0", bool(has_zeros and not hidden[:, 1].any())
    unsolved = s.given(damping=0)
    (problem,) = (item for item in unsolved.snapshot.problems if item.severity == "error")
    is_refused = problem.at == "main/newton/solve" and "singular" in problem.message
    yield (
        "and only the damping, 0.001 on the diagonal, lets the equation be solved.",
        [s.value("newton/damped.z")[1, 1]] if is_refused else False,
    )
    yield "One step takes the loss from 1.318 to 0.0013.", [s.loss, s.value("net2.loss")]
    careful = s.given(damping=1)
    shorter = np.linalg.norm(careful.value("newton.step")) < np.linalg.norm(s.value("newton.step"))
    yield (
        "Raise the damping to 1: the step is more careful and ends at 0.239.",
        [1, careful.value("net2.loss")] if shorter else False,
    )
    yield "Set it to 0: the page reports a singular matrix.", is_refused
    x, w2 = s.value("net/x.y"), s.value("net/w2.y")
    y = np.maximum(np.maximum(x @ s.value("w1.y"), 0) @ w2, 0)
    yield "The mean of the squares of relu(relu(x w1) w2).", close(s.loss, (y**2).mean())
    step = np.linalg.solve(matrix + 0.001 * np.eye(6), s.value("gradient.g_0").ravel())
    yield (
        "Hessian and gradient of all weights, one after the other, as a matrix and a column.",
        close(s.value("newton.step").ravel(), step, 1e-9),
    )


def squares(s: Shown) -> np.ndarray:
    """Returns the derivatives of each example by itself, out of those of all by all."""
    return np.stack([s.value("all.j_0")[row, :, row, :] for row in range(3)])


def guide_12_batch_jacobian(s: Shown) -> Facts:
    found = s.value("all.j_0")
    yield (
        "No example looks at another, so most of the full Jacobian is 0: 12 of 36 numbers remain, a square for each"
        " example.",
        [0, np.count_nonzero(found), found.size] if np.count_nonzero(squares(s)) == np.count_nonzero(found) else False,
    )
    size, examples = s.value("y.y").size, len(s.value("x.y"))
    yield (
        "BatchJacobian gives these squares alone, and walks back 2 times, not 6.",
        [size // examples, size] if close(s.value("each.j_0"), squares(s)) else False,
    )
    yield (
        "Einsum cuts them out of the full one: the difference is 0.",
        close(s.value("own.y"), squares(s)) and close(s.value("error.z"), 0, atol=1e-15),
    )


def guide_13_batch_norm(s: Shown) -> Facts:
    found = s.value("all.j_0")
    yield (
        "Normalized by the batch, each output depends on every example, and none of the 36 numbers of the full Jacobian"
        " is 0.",
        np.count_nonzero(found) == 36,
    )
    yield "BatchJacobian takes it that they were alone", None
    yield (
        "it adds up what all outputs owe to an example.",
        close(s.value("each.j_0"), found.sum(axis=0).transpose(1, 0, 2), atol=1e-15),
    )
    yield "The difference to the squares of the full one is not 0 here.", np.abs(s.value("error.z")).min() > 0.01
    rows = s.value("product.product")
    yield (
        "Each column less its mean, over its deviation.",
        close(s.value("norm.y"), (rows - rows.mean(axis=0)) / rows.std(axis=0)),
    )
    yield "Compare with the graph before: its numbers agree.", None
