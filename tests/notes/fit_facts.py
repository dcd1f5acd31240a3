"""Facts in the notes about fitting: regressions, XOR, mixtures, Rosenbrock's valley and attention."""

from __future__ import annotations

import numpy as np

from gradwire.engine.blocktypes.cause import Cause
from tests.notes.facts import Facts, Shown, close, differ, of


def linreg(s: Shown) -> Facts:
    x, y, w, b = (s.value(f"{name}.y") for name in ("X", "Y", "W", "b"))
    errors = x @ w + b - y
    yield (
        "Eight rows, three weights and a bias: the mean of the squared errors.",
        x.shape == (8, 3) and close(s.loss, (errors**2).mean()),
    )
    yield (
        "The loss is 2790.3, the gradient of W is [-606.75, -470.875, -2523.625] and that of b -62.5",
        [
            s.loss,
            s.gradient("W.y"),
            s.gradient("b.y"),
        ],
    )
    yield (
        "the third column of X holds the largest numbers, so its weight receives the largest gradient",
        (np.argmax(np.linalg.norm(x, axis=0)) == 2 == np.argmax(np.abs(s.gradient("W.y")))),
    )
    best = s.given(W=[1, 2, 3], b=5)
    yield (
        "Set W = [1, 2, 3] and b = 5: the loss is exactly 0, and so is every gradient.",
        best.loss == 0 and not (best.gradient("W.y").any() or best.gradient("b.y").any()),
    )
    rate = 0.0005
    step = s.given(W=w - rate * s.gradient("W.y"), b=b - rate * s.gradient("b.y"))
    rows = np.column_stack([x, np.ones(8)])
    limit = 2 / np.linalg.eigvalsh(2 * rows.T @ rows / 8).max()
    yield (
        "A step of gradient descent at rate 0.0005 brings the loss to 1151.5; above 0.000765 it diverges.",
        [
            rate,
            step.loss,
            limit,
        ],
    )


def logreg_or(s: Shown) -> Facts:
    x, y, w, b = (s.value(f"{name}.y") for name in ("X", "Y", "W", "b"))
    p = 1 / (1 + np.exp(-x @ w - b))
    yield (
        "Four points, two weights and a bias: cross entropy from the logits.",
        x.shape == (4, 2) and close(s.loss, -(y * np.log(p) + (1 - y) * np.log(1 - p)).mean()),
    )
    yield "The loss is 0.7086.", [s.loss]
    yield (
        "The gradient of the logits is (p - y)/4, the error of the probability",
        close(s.gradient("logits.z"), (p - y) / 4),
    )
    yield (
        "W receives the transpose of X times that, [-0.219, -0.281], and b its sum, -0.25",
        [
            x.T @ (p - y) / 4,
            (p - y).sum() / 4,
        ]
        if close(s.gradient("W.y"), x.T @ (p - y) / 4) and close(s.gradient("b.y"), (p - y).sum() / 4)
        else False,
    )
    far = s.given(W=[2000, 2000], b=-1000)
    with np.errstate(all="ignore"):
        apart = np.log(1 / (1 + np.exp(1000.0)))
    yield (
        "Sigmoid and logarithm stay in one block: as two they would overflow.",
        np.isfinite(far.loss) and bool(np.isinf(apart)),
    )
    for _ in range(100):
        p = 1 / (1 + np.exp(-x @ w - b))
        w, b = w - x.T @ (p - y) / 4, b - (p - y).mean()
    yield "with rate 1 it is 0.089 after 100 steps", [1, s.given(W=w, b=b).loss, 100]


def descend(s: Shown, rounds: int) -> Shown:
    """Returns a network for XOR after descent at rate 1, by the formulas of its page."""
    x, y, w1, b1, w2, b2 = (s.value(f"{name}.y") for name in ("X", "Y", "W1", "b1", "W2", "b2"))
    y = y.reshape(-1, 1)
    for _ in range(rounds):
        h = np.tanh(x @ w1 + b1)
        g = (1 / (1 + np.exp(-h @ w2 - b2)) - y) / len(y)
        back = g @ w2.T * (1 - h * h)
        w1, b1, w2, b2 = w1 - x.T @ back, b1 - back.sum(axis=0), w2 - h.T @ g, b2 - g.sum()
    return s.given(W1=w1, b1=b1, W2=w2, b2=b2)


def size_of_gradients(s: Shown) -> float:
    return float(np.sqrt(sum(s.norm(f"{name}.y") ** 2 for name in ("W1", "b1", "W2", "b2"))))


def xor_221_good(s: Shown) -> Facts:
    yield "Two hidden units that already lean in the right direction: every gradient helps.", None
    hidden = s.value("hidden.y").reshape(4, 2)
    yield (
        "One unit starts towards OR, the other towards NAND",
        (np.argmin(hidden[:, 0]) == 0 and np.argmin(hidden[:, 1]) == 3),
    )
    both = hidden.sum(axis=1)
    yield "their sum is XOR", bool(both[1:3].min() > both[[0, 3]].max())
    yield (
        "The loss is 0.637; with rate 1 it falls to 0.046 in 100 steps and to 0.0016 in 2000.",
        [
            s.loss,
            1,
            descend(s, 100).loss,
            100,
            descend(s, 2000).loss,
            2000,
        ],
    )
    ratio = size_of_gradients(of("xor_221_stuck")) / size_of_gradients(s)
    yield "Compare with the stuck start: the gradients there are of the same size.", 0.5 < ratio < 2


def xor_221_stuck(s: Shown) -> Facts:
    end = descend(s, 5000)
    logits = end.value("logits.z").ravel()
    yield "A start like any other, but training ends on a plateau.", size_of_gradients(end) < 1e-3
    yield "The loss is 0.722 and the gradients look healthy", [s.loss] if size_of_gradients(s) > 0.1 else False
    yield (
        "with rate 1 it comes to rest near ln(2)/2 = 0.3466",
        abs(end.loss - 0.3466) < 5e-4 and close(np.log(2) / 2, 0.3466, 1e-4),
    )
    y = s.value("Y.y").ravel()
    sure = (np.abs(logits) > 3) & ((logits > 0) == (y == 1))
    yield "two of the four points right and the other two undecided", sure.sum() == (np.abs(logits) < 0.1).sum() == 2
    yield "A gradient shows the direction down from here, not where that leads.", None
    yield (
        "Change b1 or W1 and watch the four logits.",
        differ(s.given(b1=[1, 1]).value("logits.z"), s.value("logits.z")),
    )


def xor_zero_init(s: Shown) -> Facts:
    names = ("W1", "b1", "W2", "b2")
    yield (
        "Everything starts at 0, and every gradient is 0, for three different reasons.",
        not any(s.value(f"{name}.y").any() or s.gradient(f"{name}.y").any() for name in names),
    )
    yield "Ask why at each variable.", None
    errors = s.gradient("logits.z")
    yield "b2: the four errors add up to 0, they cancel.", s.cause("b2.y") is Cause.CANCELLED and errors.sum() == 0
    yield (
        "W2: the hidden units give 0, and that is the factor.",
        s.cause("W2.y") is Cause.ZERO_FACTOR and not s.value("hidden.y").any(),
    )
    yield "W1 and b1: W2 is 0, so nothing comes through.", not s.along("hidden.x").any()
    yield "The loss is ln 2 and stays there.", close(s.loss, np.log(2)) and close(descend(s, 100).loss, s.loss)
    moved = s.given(W1=[[0.3, 0], [0, 0]], W2=[[0.2], [0]])
    yield (
        "Move one number of W1 and one of W2 off zero: everything wakes up.",
        all(moved.gradient(f"{name}.y").any() for name in names),
    )


def joint(s: Shown) -> np.ndarray:
    """Returns log p(x, k) of each point and component, by the textbook."""
    a, mu, ls, x = (s.value(f"{name}.y") for name in ("a", "mu", "ls", "x"))
    prior = a - np.log(np.exp(a).sum())
    t = (x.reshape(-1, 1) - mu) / np.exp(ls)
    return prior - ls - np.log(2 * np.pi) / 2 - t**2 / 2


def shares(s: Shown) -> np.ndarray:
    powers = np.exp(joint(s))
    return powers / powers.sum(axis=1, keepdims=True)


def likelihood(s: Shown) -> float:
    return float(np.log(np.exp(joint(s)).sum(axis=1)).sum())


def variables(s: Shown) -> np.ndarray:
    return np.concatenate([s.gradient(f"{name}.y").ravel() for name in ("a", "mu", "ls")])


def log_joint(s: Shown) -> Facts:
    yield (
        (
            "log softmax(a) - log sigma - log(2 pi)/2 - t²/2 with t = d/sigma, d = x - mu and sigma = exp(ls), for each"
            " point and component."
        ),
        close(s.value("joint.J"), joint(s)),
    )


def em_ll(s: Shown) -> Facts:
    yield "The log-likelihood of six points, differentiated as it is.", s.value("x.y").size == 6
    yield (
        "a holds the logits of their weights, mu the means, ls the logarithms of the deviations",
        close(s.value("joint.J"), joint(s)),
    )
    yield "logsumexp adds up the components", close(s.loss, likelihood(s))
    yield "The value is -11.348 and the gradient of mu [-0.505, -0.121].", [s.loss, s.gradient("mu.y")]
    r = shares(s)
    step = (r * s.value("x.y").reshape(-1, 1)).sum(axis=0) / r.sum(axis=0)
    yield (
        "move mu towards [-1.154, 1.419], where the next EM step would put it, and watch the value grow",
        [step] if s.given(mu=step).loss > s.given(mu=(s.value("mu.y") + step) / 2).loss > s.loss else False,
    )
    yield from log_joint(s)


def em_Q_stop(s: Shown) -> Facts:
    ll = s.losing("LL")
    yield "With r stopped, the gradient of Q is that of the log-likelihood.", close(variables(s), variables(ll), 1e-11)
    yield (
        "Q weighs log p(x, k) with the responsibilities r = softmax(J) and holds them fixed",
        close(s.loss, (shares(s) * joint(s)).sum()),
    )
    yield "its value, -13.100, is another than LL = -11.348", [s.loss, likelihood(s)]
    yield (
        "both have the gradient [-0.505, -0.121] of mu, to the last digit: Fisher's identity, the heart of EM",
        [s.gradient("mu.y")] if close(s.gradient("mu.y"), ll.gradient("mu.y"), 1e-14) else False,
    )
    yield "Make LL the loss and compare.", None
    yield (
        "Switch the stop off: a, mu and ls all turn wrong, mu to [-0.986, 0.525].",
        [s.off().gradient("mu.y")]
        if all(differ(s.off().gradient(f"{name}.y"), s.gradient(f"{name}.y")) for name in ("a", "mu", "ls"))
        else False,
    )
    yield from log_joint(s)


def em_Q_nostop(s: Shown) -> Facts:
    yield (
        "With r differentiated too, Q no longer follows the likelihood.",
        differ(variables(s), variables(s.losing("LL"))),
    )
    elbo = of("em_elbo_nostop")
    r = shares(s)
    yield "Raising Q can now bend the responsibilities instead of the model.", bool(s.gradient("r.y").any())
    # LL is Q plus the entropy of r.
    entropy = -(r * np.log(r)).sum()
    yield "The result is the gradient of LL less that of the entropy of r", close(s.loss + entropy, elbo.loss)
    yield (
        "mu receives [-0.986, 0.525] instead of [-0.505, -0.121], and even the signs for a turn",
        [
            s.gradient("mu.y"),
            s.losing("LL").gradient("mu.y"),
        ]
        if (s.gradient("a.y") * s.losing("LL").gradient("a.y") < 0).all()
        else False,
    )
    yield (
        "Make LL the loss to see the right ones, or insert a StopGradient behind r.",
        close(variables(s.stopped("rJ.y")), variables(s.losing("LL")), 1e-11),
    )
    yield from log_joint(s)


def em_elbo_nostop(s: Shown) -> Facts:
    ll = s.losing("LL")
    yield (
        "Value and gradient are then those of the log-likelihood.",
        close(s.loss, ll.loss) and close(variables(s), variables(ll), 1e-10),
    )
    yield (
        "its slope along r is 0, so it does not matter that r depends on the variables",
        close(s.along("r.x"), 0, atol=1e-14),
    )
    q = of("em_Q_nostop")
    yield (
        ("Value -11.348 and gradient [-0.505, -0.121] of mu agree with LL, where Q without the entropy went wrong."),
        [s.loss, s.gradient("mu.y")] if differ(q.gradient("mu.y"), s.gradient("mu.y")) else False,
    )
    yield "Ask why the wire into Softmax carries next to nothing.", np.abs(s.along("r.x")).max() < 1e-14
    yield (
        "Insert a StopGradient behind r: nothing changes for a, mu and ls.",
        close(variables(s.stopped("weighed.y")), variables(s), 1e-10),
    )
    yield "Add the entropy of r to Q, and no stop is needed.", None
    yield from log_joint(s)


def rosenbrock(x: float, y: float) -> float:
    return (1 - x) ** 2 + 100 * (y - x * x) ** 2


def valley(x: float, y: float) -> tuple[np.ndarray, np.ndarray]:
    """Returns gradient and Hessian of Rosenbrock's function."""
    gradient = np.array([-2 * (1 - x) - 400 * x * (y - x * x), 200 * (y - x * x)])
    return gradient, np.array([[2 - 400 * (y - 3 * x * x), -400 * x], [-400 * x, 200]])


def newton(s: Shown) -> Facts:
    gradient, hessian = valley(-1.2, 1)
    yield "Gradients of gradients make the Hessian, and the Hessian makes the step.", None
    yield (
        (
            "A Gradients block gives [-215.6, -88]; one for each of its two parts gives the rows of the Hessian,"
            " [[1330, 480], [480, 200]]."
        ),
        [s.value("g.g_0"), s.value("H.y")]
        if close(gradient, s.value("g.g_0")) and close(hessian, s.value("H.y"))
        else False,
    )
    yield (
        "Solving with it leads from (-1.2, 1) to (-1.1753, 1.3807), and f falls from 24.2 to 4.73.",
        [
            s.value("v.y"),
            s.value("next.z"),
            s.loss,
            s.losing("loss2").loss,
        ],
    )
    found, shown = [], s
    for _ in range(6):
        shown = shown.given(v=shown.value("next.z"))
        found.append(shown.losing("loss2").loss)
    yield (
        ("Type the new point into v and go on: 1411.8, for one step up the wall, then 0.056, 0.313, 1.9e-11, 3.4e-20."),
        found[:5],
    )
    yield (
        "(1 - x) squared + 100 (y - x squared) squared; its minimum is 0 at (1, 1).",
        close(s.loss, rosenbrock(-1.2, 1)) and s.given(v=[1, 1]).loss == 0,
    )


def rosenbrock_start(s: Shown) -> Facts:
    gradient, hessian = valley(-1.2, 1)
    across = np.linalg.eigh(hessian)[1][:, 1]
    yield "A curved valley on which plain gradient descent crawls.", None
    yield (
        "(1 - x) squared + 100 (y - x squared) squared has its minimum 0 at (1, 1)",
        close(s.loss, rosenbrock(-1.2, 1)) and s.given(v=[1, 1]).loss == 0,
    )
    yield (
        "At the usual start, (-1.2, 1), f is 24.2 and the gradient [-215.6, -88]",
        [
            s.value("v.y"),
            s.loss,
            s.gradient("v.y"),
        ],
    )
    yield "it points across the valley, not along it", abs(across @ gradient) > 0.99 * np.linalg.norm(gradient)
    yield "Move v to (1, 1): both gradients are 0, the optimum.", not s.given(v=[1, 1]).gradient("v.y").any()
    yield "The example Newton takes one step with the second derivatives.", "H" in of("newton").graph.pages[0].blocks


def attention(s: Shown) -> Facts:
    yield "Softmax ties the weights of a row together, and so their gradients.", None
    yield (
        "Each row of A sums to 1, so each row of dL/dS sums to 0: more attention here is less there.",
        [
            1,
            0,
        ]
        if close(s.value("A.y").sum(axis=1), 1) and close(s.gradient("S.z").sum(axis=1), 0, atol=1e-15)
        else False,
    )
    yield (
        "Both sums are computed at the right, the gradient with a Gradients block.",
        close(s.value("rowsA.y"), 1) and close(s.value("rowsS.y"), 0, atol=1e-15),
    )
    yield "The loss is 1.337.", [s.loss]
    yield (
        ("most of the gradient reaches Wv, norm 2.67; what goes through Softmax to Wq and Wk is only 0.12 and 0.13"),
        [s.norm(f"{name}.y") for name in ("Wv", "Wq", "Wk")],
    )
    full = s.given(Wq=np.full((2, 2), 40.0))
    yield (
        "Fill Wq with 40: attention saturates, and they receive 3e-8 and 3e-6.",
        [
            40,
            full.norm("Wq.y"),
            full.norm("Wk.y"),
        ],
    )
