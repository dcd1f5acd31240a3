"""Facts in the notes about losses that share variables: GANs, policies with a baseline, and an RBM."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

import numpy as np

from gradwire.engine.autodiff.status import Status
from tests.notes.facts import Facts, Shown, close, differ, of


def sigmoid(a: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-a))


def rbm_pages(s: Shown) -> Facts:
    w, b, c, v0 = (s.value(f"{name}.y") for name in ("W", "b", "c", "v0"))
    hidden = sigmoid(v0 @ w.T + c)
    yield (
        "What the hidden units receive from visible ones: v times W transposed, plus c.",
        close(s.value("up0.pre"), v0 @ w.T + c),
    )
    yield (
        "The hidden units fire with probability h, and give the visible ones the probabilities v.",
        close(s.value("down.v"), sigmoid(hidden @ w + b)),
    )
    yield (
        "F(v) = -v b - the sum over the hidden units of log(1 + exp(pre)).",
        close(s.value("F0.F"), -v0 @ b - np.log1p(np.exp(v0 @ w.T + c)).sum(axis=1)),
    )


def cd_gradients(s: Shown) -> tuple[np.ndarray, np.ndarray]:
    """Returns what contrastive divergence has for W and b, by its own rule."""
    w, b, c, v0 = (s.value(f"{name}.y") for name in ("W", "b", "c", "v0"))
    h0 = sigmoid(v0 @ w.T + c)
    v1 = sigmoid(h0 @ w + b)
    h1 = sigmoid(v1 @ w.T + c)
    return (h1.T @ v1 - h0.T @ v0) / len(v0), -(v0 - v1).mean(axis=0)


def cd1_nostop(s: Shown) -> Facts:
    yield (
        "The reconstruction is differentiated too: not contrastive divergence.",
        differ(s.gradient("W.y"), cd_gradients(s)[0]),
    )
    yield "the gradient now also moves v1 to where the free energy is high", bool(s.gradient("down.v").any())
    yield (
        (
            "W receives [[0.074, -0.041, -0.203], [0.086, -0.014, -0.161]] instead of"
            " [[0.018, -0.021, -0.257], [0.036, 0.006, -0.207]]"
        ),
        [s.gradient("W.y"), cd_gradients(s)[0]],
    )
    yield "The loss is the same, -0.097.", [s.loss] if close(s.loss, of("cd1_stop").loss) else False
    yield (
        "Insert a StopGradient behind down and the rule is back.",
        close(s.stopped("F1.v").stopped("up1.v").gradient("W.y"), cd_gradients(s)[0]),
    )
    yield from rbm_pages(s)


def cd1_stop(s: Shown) -> Facts:
    rule = cd_gradients(s)
    yield "The reconstruction is stopped: what remains is the rule of an RBM.", close(s.gradient("W.y"), rule[0])
    yield (
        "v1 is one step up and down from the data v0; the loss is the mean of F(v0) - F(v1)",
        close(s.loss, (s.value("F0.F") - s.value("F1.F")).mean()),
    )
    yield (
        (
            "Its gradient of W is the pairs that fire together in the reconstruction less those in the data,"
            " (h1ʹv1 - h0ʹv0)/2: [[0.018, -0.021, -0.257], [0.036, 0.006, -0.207]]"
        ),
        [len(s.value("v0.y")), rule[0]],
    )
    yield "that of b is -mean(v0 - v1)", close(s.gradient("b.y"), rule[1])
    yield "The loss, -0.097, is rightly negative: it is no distance.", [s.loss]
    yield (
        "Switch the stop off: W receives another gradient, as the model is now also paid for moving v1.",
        differ(s.off().gradient("W.y"), rule[0]),
    )
    yield from rbm_pages(s)


def discriminator(s: Shown) -> Facts:
    w, c, x = (float(s.value(f"{name}.y")) for name in ("w", "c", "x_r"))
    yield "The logit w x + c: large where x looks real.", close(s.value("real.logit"), w * x + c)


def of_loss(s: Shown, loss: str) -> Iterator[np.ndarray]:
    alone = s.losing(loss)
    return (alone.gradient(f"{name}.y") for name in "abwc")


def gan_nostop(s: Shown) -> Facts:
    pair = of("gan_stop")
    own = {name: float(pair.gradient(f"{name}.y")) for name in "abwc"}
    yield (
        "Each player is trained by the loss of the other, too.",
        all(item.any() for item in chain(of_loss(s, "L_D"), of_loss(s, "L_G"))),
    )
    yield (
        "The sum of both losses has the same value, 1.702, but a receives 0.016 instead of -0.167",
        [
            s.losing("L_D").loss + s.losing("L_G").loss,
            sum(float(s.losing(loss).gradient("a.y")) for loss in ("L_D", "L_G")),
            own["a"],
        ],
    )
    yield (
        "what the generator gains by looking real the discriminator's loss takes away again",
        bool(s.losing("L_D").gradient("a.y") > 0 > s.losing("L_G").gradient("a.y")),
    )
    both = {name: sum(float(s.losing(loss).gradient(f"{name}.y")) for loss in ("L_D", "L_G")) for name in "wc"}
    yield (
        "w and c are pulled by the generator too, and receive -0.506 and -0.224 instead of -0.172 and 0.254",
        [
            both["w"],
            both["c"],
            own["w"],
            own["c"],
        ],
    )
    yield "Choose L_G alone and see it reach w.", s.losing("L_G").status("w.y") is Status.FLOW
    yield from discriminator(s)


def gan_stop(s: Shown) -> Facts:
    yield (
        "One graph, two players, and no one trains the other.",
        not any(item.any() for item in [*of_loss(s, "L_D")][:2] + [*of_loss(s, "L_G")][2:]),
    )
    yield (
        "The discriminator's loss L_D sees the generated point behind a stop, so a and b receive nothing from it",
        (s.losing("L_D").status("a.y") is s.losing("L_D").status("b.y") is Status.BLOCKED),
    )
    yield (
        "the generator's loss L_G sees w and c behind stops",
        (s.losing("L_G").status("w.y") is s.losing("L_G").status("c.y") is Status.BLOCKED),
    )
    yield (
        (
            "The sum of both losses, 1.702, then gives each player the gradient of its own:"
            " a -0.167, b -0.334, w -0.172, c 0.254."
        ),
        [s.losing("L_D").loss + s.losing("L_G").loss, [*of_loss(s, "L_G")][:2], [*of_loss(s, "L_D")][2:]],
    )
    blank = {loss: [s.losing(loss).status(f"{name}.y") is Status.BLOCKED for name in "abwc"] for loss in ("L_D", "L_G")}
    yield (
        "Choose L_D or L_G alone: half of the variables go blank.",
        (blank == {"L_D": [True, True, False, False], "L_G": [False, False, True, True]}),
    )
    off = s.off()
    yield (
        "Switch the stops off: L_D pulls a and b the other way.",
        all(off.losing("L_D").gradient(port) * s.losing("L_G").gradient(port) < 0 for port in ("a.y", "b.y")),
    )
    yield from discriminator(s)


def probabilities(s: Shown) -> np.ndarray:
    powers = np.exp(s.value("th.y"))
    return powers / powers.sum()


def spread(s: Shown, baseline: float) -> float:
    """Returns the variance of the sampled policy gradient: the trace of its covariance."""
    pi = probabilities(s)
    samples = (np.eye(3) - pi) * (s.value("R.y") - baseline)[:, None]
    return float(pi @ (samples**2).sum(axis=1) - ((pi @ samples) ** 2).sum())


def pg_exact(s: Shown) -> Facts:
    surrogate = s.losing("surrogate")
    yield (
        "Averaged, the policy gradient is the slope of the expected reward.",
        close(surrogate.gradient("th.y"), s.gradient("th.y")),
    )
    moved = [surrogate.given(b=b) for b in (-2, 0, 3)]
    yield "That holds for every baseline.", all(close(i.gradient("th.y"), s.gradient("th.y"), 1e-11) for i in moved)
    yield (
        "E[R] = 1.366 has the gradient [-0.116, 0.299, -0.184] of th.",
        [
            probabilities(s) @ s.value("R.y"),
            s.gradient("th.y"),
        ],
    )
    yield (
        "every action's log pi (R - b) is weighed by its probability, held fixed",
        close(s.value("weighed.z"), probabilities(s) * np.log(probabilities(s)) * (s.value("R.y") - s.value("b.y"))),
    )
    yield (
        "make that Loss the one that is shown, and th receives the same",
        close(surrogate.gradient("th.y"), s.gradient("th.y")),
    )
    yield (
        "Move the baseline b: the surrogate's value changes, its gradient does not.",
        differ(moved[0].loss, moved[1].loss),
    )
    yield (
        "Sampled one at a time, b matters: the variance falls from 0.946 at b = 0 to 0.179 at 0.8.",
        [
            spread(s, 0),
            0,
            spread(s, 0.8),
            0.8,
        ],
    )


def onehot_rule(s: Shown, advantage: float) -> np.ndarray:
    return (probabilities(s) - np.eye(3)[1]) * advantage


def pg_nostop(s: Shown) -> Facts:
    pair, logp = of("pg_stop"), float(np.log(probabilities(s)[1]))
    total = sum(float(s.losing(name).gradient("b.y")) for name in ("actor", "critic"))
    yield "The stop is missing, and the actor's loss trains the baseline.", bool(s.losing("actor").gradient("b.y"))
    yield "The policy's gradient is right", close(s.losing("actor").gradient("th.y"), onehot_rule(s, 1.2))
    both = [sum(i.losing(name).loss for name in ("actor", "critic")) for i in (s, pair)]
    yield "so is the loss, 1.622: only b gives it away", [both[0]] if close(*both) else False
    yield (
        "Its gradient is -1.951 instead of -1.2, the rest, log pi(a) = -0.751, comes from the actor's loss.",
        [
            total,
            s.losing("critic").gradient("b.y"),
            s.losing("actor").gradient("b.y"),
        ]
        if close(s.losing("actor").gradient("b.y"), logp)
        else False,
    )
    yield "Choose each of the two losses in turn to see who trains whom.", None
    yield (
        "Insert a StopGradient before the product to repair it.",
        not s.stopped("prod.y").losing("actor").gradient("b.y"),
    )


def pg_stop(s: Shown) -> Facts:
    yield "Two losses, two variables, and a stop that keeps them apart.", None
    yield (
        "The actor's loss is -log pi(a) times the advantage 2 - 0.8 = 1.2, the critic's half the square of it.",
        [
            s.value("reward.y"),
            s.value("b.y"),
            s.value("adv.z"),
        ]
        if close(s.losing("critic").loss, 1.2**2 / 2)
        and close(s.losing("actor").loss, -1.2 * np.log(probabilities(s)[1]))
        else False,
    )
    yield (
        "With the advantage stopped, the policy receives (pi - onehot) 1.2 = [0.379, -0.634, 0.254]",
        [
            s.value("adv.z"),
            s.losing("actor").gradient("th.y"),
        ]
        if close(s.losing("actor").gradient("th.y"), onehot_rule(s, 1.2))
        else False,
    )
    yield "the baseline learns from its own loss alone: -1.2", [s.losing("critic").gradient("b.y")]
    off = s.off()
    yield (
        "Switch the stop off: the baseline receives -1.951, as the actor now bends it to look better.",
        [sum(float(off.losing(name).gradient("b.y")) for name in ("actor", "critic"))],
    )
