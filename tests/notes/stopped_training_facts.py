"""Facts in the notes of trainings about stops and slow copies: mixtures, GANs, codes, targets and machines."""

from __future__ import annotations

import numpy as np

from gradwire.engine.autodiff.status import Status
from tests.notes.facts import Facts, close
from tests.notes.trainings import Training, training

# Where SimSiam ends: the pull to be alike balances the decay.
BALANCE = (1 + np.sqrt(0.75)) / 2.5


def byol(t: Training) -> Facts:
    yield (
        "The goal comes from a slow copy of the encoder, which every second round moves a fifth of the way to it.",
        t.graph.training["steps"][1]["every"] == 2 and float(t.at(0).value("takes.y")) == 0.2,
    )
    yield (
        "The copy is assigned, not trained, and both end where SimSiam does.",
        close([t.end().value(f"{name}.y") for name in ("w", "w_slow")], BALANCE, 1e-6)
        and t.at(0).status("w_slow.y") is Status.BLOCKED,
    )
    yield (
        "Ignore the stop: the copy is trained to meet the guess, and all three weights become 0.",
        max(abs(float(t.end("stop").value(f"{name}.y"))) for name in ("w", "w_slow", "p")) < 1e-4,
    )


def simsiam(t: Training) -> Facts:
    start = t.at(0)
    yield (
        "Two views of one thing are to be alike: p guesses the second code w x2 from the first.",
        close(start.value("z2.z"), start.value("w.y") * start.value("x2.y")),
    )
    yield (
        "With the second one held fixed, w ends where the pull to be alike balances the decay, at 0.7464.",
        [t.end().value("w.y")] if close(t.end().value("w.y"), BALANCE, 1e-6) else False,
    )
    yield (
        "Ignore the stop: the easiest way to be alike is to be 0, and after 100 rounds w is.",
        abs(t.at(100, "sg").value("w.y")) < 1e-6,
    )


def em_closed(t: Training) -> Facts:
    yield "Two Gaussians share fifty points.", (t.at(0).value("mean.y").size, t.at(0).value("x.y").size) == (2, 50)
    start = t.at(0)
    r, x = start.value("r.y"), start.value("x.y").reshape(-1, 1)
    means = (r * x).sum(axis=0) / r.sum(axis=0)
    variances = (r * (x - means) ** 2).sum(axis=0) / r.sum(axis=0)
    after = [t.at(1).value(f"{name}.y") for name in ("mean", "variance", "weight")]
    yield (
        "Each round asks which point belongs to which by r, and then assigns to each Gaussian the mean, variance and"
        " weight of its points.",
        close(after, [means, variances, r.mean(axis=0)]),
    )
    found = [t.at(number) for number in (5, 10, 20, 60)]
    fading = [[float(np.abs(item.gradient(f"{name}.y")).max()) for item in found] for name in ("mean", "variance")]
    yield (
        "No gradient is used, but watch those of mean and variance fade to 0, as the log-likelihood LL comes to its"
        " top.",
        all(sizes == sorted(sizes, reverse=True) and sizes[-1] < 1e-12 for sizes in fading),
    )
    heights = [float(item.value("LL.z")) for item in (start, t.at(1), *found)]
    yield "It never falls.", heights == sorted(heights)


def em_gradient(t: Training) -> Facts:
    yield (
        "Q climbs with the responsibilities r held fixed, and ends at the very mixture that EM in closed form finds.",
        close(t.end().value("mean.y"), training("em_closed").at(60).value("mean.y"), 1e-5),
    )
    held, free = t.end(), t.end("stop")
    yield "Ignore the stop, and r is trained too", bool(t.at(0, "stop").along("stop.x").any())
    yield (
        "each point is to belong to one Gaussian alone",
        free.value("r.y").max(axis=1).mean() > held.value("r.y").max(axis=1).mean(),
    )
    yield "the means move apart", np.ptp(free.value("mean.y")) > np.ptp(held.value("mean.y"))
    yield "the log-likelihood LL ends lower", free.value("LL.z") < held.value("LL.z")


def gan(t: Training) -> Facts:
    start = t.at(0)
    yield (
        "The critic D learns to tell real points (mean 3, deviation 0.5) from a z + b, and the generator learns to"
        " fool it.",
        [start.value("mean.y"), start.value("deviation.y")],
    )
    yield "One step descends on both losses at once; stops keep them apart.", len(t.graph.training["steps"]) == 1
    yield "The histogram has the fakes as bars and the real points as an outline", None
    yield "after 800 rounds the fakes spread by 0.3", [800, t.at(800).value("spread.y")]
    free = t.at(800, "stop")
    yield (
        "Ignore main/stop: D's loss trains the generator too, and all fakes fall onto one point.",
        np.ptp(free.value("fake.z")) < 0.05 < np.ptp(t.at(800).value("fake.z")),
    )


def gan_open(t: Training) -> Facts:
    yield (
        "Here the generator's loss trains the critic as well, to take fakes for real.",
        all(t.at(0).along(f"{page}.theta").any() for page in ("judged", "on_fake")),
    )
    yield "What D's own loss says still wins, and the fakes reach mean 3.", [round(float(t.end().value("b.y")), 1)]
    free = [t.at(number, "stop").value("b.y") for number in (700, 800)]
    yield (
        "Ignore main/stop too: on the fakes the two losses pull against each other until nothing remains, and the"
        " generator stays at -0.4 forever.",
        [free[1]] if close(*free, 0.01) else False,
    )


def gan_twice(t: Training) -> Facts:
    steps = t.graph.training["steps"]
    yield (
        "The same players take turns: two steps of the critic D, then one of the generator G.",
        [step.get("times", 1) for step in steps] == [2, 1],
    )
    yield (
        "Each step lists what it trains, so the losses stay apart without any stop: ignore main/stop, and every number"
        " stays the same.",
        all(np.array_equal(t.at(50).value(port), t.at(50, "stop").value(port)) for port in ("a.y", "b.y", "theta.y")),
    )
    yield "What the stop says here is that D's loss need not go back through the fakes at all.", None


def gradient_reversal(t: Training) -> Facts:
    points, end, free = t.at(0).value("points.y"), t.end(), t.end("stop")
    classes, truth = t.at(0).value("classes.y").ravel(), t.at(0).value("truth.y").ravel() > 0
    source, target = points[:60, 1], points[60:, 1]

    def apart(column: np.ndarray, labels: np.ndarray) -> float:
        return abs(float(column[labels].mean() - column[~labels].mean())) / float(column.std())

    yield (
        "Points of the source have classes, those of the target have none; there the second column, which shouts the"
        " class in the source, says nothing.",
        apart(source, classes[:60] > 0) > 1.5 and apart(target, truth) < 0.5,
    )
    yield (
        "A critic is to tell the domains apart by one feature u x; the histogram has it for the source as bars and for"
        " the target as an outline.",
        close(t.at(0).value("feature.y"), points @ t.at(0).value("u.y")),
    )
    back, sent = t.at(0).gradient("reversed.z"), t.at(0).along("reversed.y") + t.at(0).along("stop.x")
    yield (
        "The critic's gradient comes back reversed, by 2 stop(f) - f, so u turns away from what differs",
        close(sent, -back) and abs(float(end.value("u.y")[1])) < abs(float(free.value("u.y")[1])),
    )
    yield "93 % of the target are right", [round(100 * float(end.value("accuracy.y")))]
    yield (
        "Ignore the stop: u helps the critic, and half are wrong.",
        float(free.value("accuracy.y")) == 0.5,
    )


def mean_teacher(t: Training) -> Facts:
    yield (
        "Six of 120 points have a class.",
        [len(t.at(0).value("moons.x"))] if t.at(0).value("labels.y").size == 6 else False,
    )
    slow, theta = t.at(0).value("slow.y"), t.at(1).value("theta.y")
    yield (
        "For all others the student is to answer as a teacher does, the slow mean of its own weights, while noise"
        " shakes the points of both: so the boundary moves out of the crowd.",
        close(t.at(1).value("slow.y"), 0.95 * slow + 0.05 * theta) and bool(t.at(0).value("shake1.y").any()),
    )
    right = 120 * float(t.end().value("accuracy.y"))
    yield "116 points are right", [right]
    yield "by the six alone 112", [120 * float(t.given(weight=0).at(300).value("accuracy.y"))]
    yield (
        "Ignore the stop: the teacher is trained to agree with the student, and teaches less.",
        t.end("stop").value("accuracy.y") < t.end().value("accuracy.y"),
    )


def policy_gradient(t: Training) -> Facts:
    b = [float(t.at(number).value("b.y")) for number in (0, 1, 2)]
    yield (
        "The action pays 2, and the baseline b learns to expect it: from 0.8 it comes a tenth of the way in each"
        " round.",
        [t.at(0).value("reward.y"), b[0]] if close([(2 - b[1]) / (2 - b[0]), (2 - b[2]) / (2 - b[1])], 0.9) else False,
    )
    free = [t.at(number, "sg") for number in (20, 60, 100)]
    likely = [float(np.exp(item.value("logp.y")[1])) for item in free]
    yield (
        "Ignore the stop: the actor's loss becomes smaller, too, if b grows beyond the reward, and the more it grows"
        " the less likely the action becomes.",
        likely == sorted(likely, reverse=True)
        and [float(item.value("prod.z")) for item in free]
        == sorted([float(item.value("prod.z")) for item in free], reverse=True),
    )
    yield "After 100 rounds b is above 100, and nothing holds it.", free[-1].value("b.y") > 100


def q_learning(t: Training) -> Facts:
    yield (
        "Five places in a corridor; the last door pays 1.",
        [t.at(0).value("reward.y").max()] if len(t.at(0).value("Q.y")) == 5 else False,
    )
    start = t.at(0)
    yield (
        "Q moves towards the reward plus 0.9 times the best that the slow copy knows of the next place, and every 20"
        " rounds the copy takes over Q.",
        [start.value("discount.y").max(), t.graph.training["steps"][1]["every"]],
    )
    found = [t.at(number).value("Q.y") for number in (20, 40, 60, 80)]
    yield (
        "The reward travels one place back with each copy.",
        [int((table.max(axis=1) > 0).sum()) for table in found] == [1, 2, 3, 4],
    )
    yield (
        "Ignore the stop, and the copy is trained to please Q.",
        t.at(0).status("Q_slow.y") is Status.BLOCKED and bool(t.at(100, "stop").gradient("Q_slow.y").any()),
    )


def rbm_cd1(t: Training) -> Facts:
    yield "A Boltzmann machine learns bars of 3 x 3.", t.at(0).value("bars.y").shape[1] == 9
    yield (
        "Contrastive divergence makes the data likely and what the machine makes of them in one step unlikely; how it"
        " was made is no part of the gradient.",
        t.at(0).wire("stop.x").status is Status.BLOCKED,
    )
    heights = [float(t.at(number).value("LL.z")) for number in (0, 200, 600)]
    yield (
        "LL is the exact log- likelihood: it rises to about -3.3.",
        [heights[-1]] if heights == sorted(heights) else False,
    )
    free = [float(t.at(number, "stop").value("LL.z")) for number in (100, 200, 400, 600)]
    yield "Without the stop it falls again after 200 rounds.", [200] if free[0] < free[1] > free[2] > free[3] else False


def rbm_cd5(t: Training) -> Facts:
    yield (
        "The same machine with a chain of five steps, which forgets the data better",
        sum(name.startswith("gibbs") for name in t.graph.pages[0].blocks) == 5,
    )
    yield "the exact log-likelihood LL rises to -2.94 in 300 rounds", [t.at(300).value("LL.z"), 300]
    bars = np.unique(t.at(0).value("bars.y"), axis=0)
    yield "the best possible is log 1/14 = -2.64", [1, len(bars), np.log(1 / len(bars))]
    yield "Without the stop it comes to -3.4 only.", [t.at(300, "stop").value("LL.z")]


def straight_through(t: Training) -> Facts:
    start = t.at(0)
    yield (
        "An encoder gives each of eight things three bits, and a decoder tells the things apart.",
        start.value("bits.y").shape == (8, 3) and len(np.unique(t.end().value("bits.y"), axis=0)) == 8,
    )
    yield (
        "Rounding passes no gradient, so code = share + stop(bits - share): the value of the bits with the gradient of"
        " share.",
        close(start.value("code.z"), start.value("bits.y"), atol=1e-15)
        and close(start.gradient("share.y"), start.gradient("code.z")),
    )
    free = t.end("stop")
    yield (
        "Ignore the stop: the encoder never moves from its first numbers, and several things keep the same code.",
        np.array_equal(free.value("W1.y"), start.value("W1.y")) and len(np.unique(free.value("bits.y"), axis=0)) < 7,
    )


def td(t: Training) -> Facts:
    walk = (np.eye(5, k=1) + np.eye(5, k=-1)) / 2
    truth = np.linalg.solve(np.eye(5) - 0.9 * walk, [0, 0, 0, 0, 0.5])
    yield (
        "A walk on five places goes left or right by chance, and pays 1 at the right end.",
        t.at(0).value("reward.y").max() == 1 and t.at(0).value("V.y").size == 5,
    )
    end, free = t.end(), t.end("stop")
    yield (
        "With the target held fixed V becomes the true expectation, from 0.07 to 0.69.",
        [end.value("V.y").min(), end.value("V.y").max()] if close(end.value("V.y"), truth, 1e-6) else False,
    )
    yield (
        "Ignore the stop, and V is also bent to make the future fit the past: the loss becomes smaller, and all values"
        " are wrong.",
        free.loss < end.loss and bool((np.abs(free.value("V.y") - truth) > 0.01).all()),
    )


def truncated(t: Training) -> Facts:
    yield (
        "A network reads a bit in step 1, something else in step 6, and is asked for the bit in step 10.",
        set(t.at(0).value("bit.y").ravel()) == {-1, 1} and len(t.graph.pages[1].blocks) > 10,
    )
    yield (
        "The stop after step 5 cuts the gradient short, as for long sequences: u hears of step 6 alone",
        not t.at(0).along("steps_1_to_5.u").any() and bool(t.at(0).along("steps_6_to_10.u").any()),
    )
    yield "the loss stays at 1", [round(t.end().loss, 1)]
    yield (
        "Here the stop is the mistake: ignore it, and the loss falls to 0.0001 in 200 rounds.",
        [
            t.at(200, "stop").loss,
            200,
        ],
    )


def vq_vae(t: Training) -> Facts:
    start = t.at(0)
    apart = ((start.value("sum_in.z")[:, None] - start.value("codebook.y")) ** 2).sum(axis=2)
    chosen = start.value("codebook.y")[apart.argmin(axis=1)]
    yield (
        "Each point is replaced by the nearest of four entries and rebuilt from it.",
        close(start.value("nearest.entry"), chosen) and len(start.value("codebook.y")) == 4,
    )
    yield (
        "Three losses with three stops: rebuild trains encoder and decoder past the choice, code pulls the entry to z,"
        " commit pulls z to its entry.",
        [sum(b.type == kind for b in t.graph.pages[0].blocks.values()) for kind in ("Loss", "StopGradient")] == [3, 3],
    )
    lost = float(t.end().value("miss.z").mean())
    yield "What is lost in the end is about the noise.", abs(lost / 0.15**2 - 1) < 0.05
    yield (
        "Ignore main/stop, and rebuilding trains the encoder no more: six times as much is lost.",
        round(float(t.end("stop").value("miss.z").mean()) / lost) == 6,
    )
