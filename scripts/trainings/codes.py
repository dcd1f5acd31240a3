"""Lessons with codes: rounding and choosing that training passes by, and views that must not become nothing."""

from __future__ import annotations

import math

import numpy as np

import gradwire as gw
from scripts.trainings.drawing import (
    Lesson,
    Uses,
    adam,
    after,
    dense,
    descent,
    drawn,
    normal,
    of_example,
    steps,
    without,
)


def straight_through() -> Lesson:
    """Eight things coded in three bits. Without the stop no gradient reaches the encoder, so it stays as it is."""
    things = gw.Constant(np.eye(8), name="things")
    start = normal(6, 8, 3)
    share = gw.Sigmoid(dense(things, start, np.zeros(3), "1"), name="share")
    lost = gw.Subtract(gw.Round(share, name="bits"), share, name="lost")
    code = gw.Add(share, gw.StopGradient(lost, name="stop"), name="code")
    logits = dense(code, normal(2, 3, 8, scale=0.5), np.zeros(8), "2")
    loss = gw.Loss(gw.SoftmaxCrossEntropyWithLogits(things, logits, name="entropy"), reduction="mean", name="loss")
    checks = [
        after(300, "main/loss.y", "Every thing has a code of its own", below=0.05),
        without(
            "main/stop", 300, "main/W1.y", "Without the stop the encoder stays", value=start.tolist(), rtol=0, atol=0
        ),
        without("main/stop", 300, "main/loss.y", "... and things share codes", above=0.4),
    ]
    return Lesson(
        "straight_through",
        "Codes of three bits",
        "An encoder gives each of eight things three bits, and a decoder tells the things apart. Rounding passes no "
        "gradient, so code = share + stop(bits - share): the value of the bits with the gradient of share. Ignore the "
        "stop: the encoder never moves from its first numbers, and several things keep the same code.",
        drawn(loss, frames={"Straight-through estimator": ["bits", "lost", "stop", "code"]}),
        steps(adam(0.05), rounds=300, checks=checks),
    )


def _nearest() -> Uses:
    """Returns the page that gives the nearest entry of a codebook for each point."""
    uses = Uses()
    z, book = gw.Input(np.zeros((120, 2)), name="z"), gw.Input(np.zeros((4, 2)), name="codebook")
    apart = gw.Subtract(gw.ExpandDims(z, axis=1, name="column"), book, name="apart")
    far = gw.ReduceSum(gw.Square(apart, name="squares"), axis=2, name="far")
    uses.page("nearest", {"entry": gw.Gather(book, gw.ArgMin(far, axis=1, name="which"), name="chosen")})
    return uses


def vq_vae() -> Lesson:
    """A codebook of four entries for four clusters, trained by three losses."""
    uses = _nearest()
    x, _ = gw.Data(set="blobs", n=120, classes=4, noise=0.15, seed=3, order="in_order", name="points")
    z = dense(x, np.eye(2), np.zeros(2), "_in")
    book = gw.Variable(normal(2, 4, 2, scale=0.5), name="codebook")
    entry = uses.use("nearest", "nearest", "entry", np.zeros((120, 2)), "nearest entry", z=z, codebook=book)
    through = gw.Add(z, gw.StopGradient(gw.Subtract(entry, z, name="jump"), name="stop"), name="through")
    rebuilt = dense(through, np.eye(2), np.zeros(2), "_out")
    rebuild = gw.Loss(gw.SquaredDifference(rebuilt, x, name="miss"), reduction="mean", name="rebuild")
    pull = gw.SquaredDifference(entry, gw.StopGradient(z, name="stop_z"), name="pull_entry")
    code = gw.Loss(pull, reduction="mean", name="code")
    hold = gw.SquaredDifference(z, gw.StopGradient(entry, name="stop_entry"), name="pull_z")
    commit = gw.Loss(gw.Multiply(hold, gw.Constant(0.25, name="beta"), name="weak"), reduction="mean", name="commit")
    checks = [
        after(300, "main/rebuild.y", "What is lost is about the noise, 0.15 squared", value=0.15**2, rtol=0.05),
        after(
            300,
            "main/rebuild.y",
            "Loss of rebuilding, as in TensorFlow",
            value=0.022868022457453667,
            rtol=1e-6,
        ),
        without(
            "main/stop",
            300,
            "main/rebuild.y",
            "Without stop the encoder learns nothing",
            value=0.1449620458493188,
            rtol=1e-6,
        ),
        without(
            "main/stop_z",
            300,
            "main/rebuild.y",
            "Without stop_z the points move instead",
            value=0.03182786588712312,
            rtol=1e-6,
        ),
    ]
    return Lesson(
        "vq_vae",
        "A codebook (VQ-VAE)",
        "Each point is replaced by the nearest of four entries and rebuilt from it. Three losses with three stops: "
        "rebuild trains encoder and decoder past the choice, code pulls the entry to z, commit pulls z to its entry. "
        "What is lost in the end is about the noise. Ignore main/stop, and rebuilding trains the encoder no more: six "
        "times as much is lost.",
        drawn(rebuild, code, commit, uses=uses),
        steps(adam(0.02), rounds=300, checks=checks),
    )


BALANCE = (1 + math.sqrt(0.75)) / 2.5


def simsiam() -> Lesson:
    """The example with one weight and one predictor; where the pull to be alike and the decay balance is known."""
    checks = [
        after(400, "main/w.y", "w is (1 + root of 3/4) / 2.5", value=BALANCE, rtol=1e-8),
        after(400, "main/p.y", "p is the same", value=BALANCE, rtol=1e-8),
        without("main/sg", 100, "main/w.y", "Without the stop both views become 0", below=1e-6),
    ]
    return Lesson(
        "simsiam",
        "SimSiam: two views alike",
        "Two views of one thing are to be alike: p guesses the second code w x2 from the first. With the second one "
        "held fixed, w ends where the pull to be alike balances the decay, at 0.7464. Ignore the stop: the easiest "
        "way to be alike is to be 0, and after 100 rounds w is.",
        of_example("simsiam_scalar"),
        steps(descent(0.5), rounds=400, checks=checks),
    )


def byol() -> Lesson:
    """The same with a slow copy of the encoder for the second view, moved a tenth of the way every second round."""
    views = [-1.5, -1.5, -0.5, -0.5, 0.5, 0.5, 1.5, 1.5], [-1.5, -0.5, -1.5, -0.5, 0.5, 1.5, 0.5, 1.5]
    x1, x2 = (gw.Input(np.array(view), name=f"x{number}") for number, view in enumerate(views, 1))
    w, p = gw.Variable(1.0, name="w"), gw.Variable(0.5, name="p")
    slow = gw.Variable(1.0, name="w_slow")
    guess = gw.Multiply(p, gw.Multiply(w, x1, name="z1"), name="guess")
    goal = gw.StopGradient(gw.Multiply(slow, x2, name="z2"), name="stop")
    far = gw.Square(gw.Subtract(guess, goal, name="apart"), name="square")
    similar = gw.Loss(
        gw.Multiply(far, gw.Constant(0.5, name="half"), name="half_square"), reduction="mean", name="similar"
    )
    size = gw.Add(gw.L2Loss(w, name="w_w"), gw.L2Loss(p, name="p_p"), name="size")
    decay = gw.Loss(gw.Multiply(size, gw.Constant(0.05, name="eta"), name="weak"), name="decay")
    kept = gw.Multiply(slow, gw.Constant(0.8, name="keeps"), name="kept")
    mixed = gw.Add(kept, gw.Multiply(w, gw.Constant(0.2, name="takes"), name="taken"), name="mixed")
    learn = descent(0.5, name="learn", loss=None)
    copy = {"name": "copy", "assign": {"main/w_slow": "main/mixed.z"}, "every": 2}
    checks = [
        {"title": "The copy is not trained", "step": "learn", "trains": ["main/p", "main/w"]},
        after(600, "main/w.y", "w is (1 + root of 3/4) / 2.5, as in SimSiam", value=BALANCE, rtol=1e-8),
        without("main/stop", 600, "main/w.y", "Without the stop all becomes 0", below=1e-5),
        without("main/stop", 600, "main/w_slow.y", "... the copy too", below=1e-5),
    ]
    return Lesson(
        "byol",
        "BYOL: a slow copy as goal",
        "The goal comes from a slow copy of the encoder, which every second round moves a fifth of the way to it. The "
        "copy is assigned, not trained, and both end where SimSiam does. Ignore the stop: the copy is trained to meet "
        "the guess, and all three weights become 0.",
        drawn(similar, decay, mixed, frames={"Slow copy": ["kept", "keeps", "taken", "takes", "mixed"]}),
        steps(learn, copy, rounds=600, checks=checks),
    )
