"""Table of the linter's rules, each with its subject and its reason, and the function that runs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from gradwire.engine.advice import (
    adversary_rules,
    deviation_rules,
    estimator_rules,
    kink_rules,
    learning_rules,
    probability_rules,
    shape_rules,
    siamese_rules,
    softmax_rules,
    stop_rules,
    training_rules,
    vanishing_rules,
    variable_rules,
)
from gradwire.engine.advice.finding import Finding
from gradwire.engine.advice.step_graph import Flow
from gradwire.engine.base.mistakes import log_mistake
from gradwire.engine.evaluation.evaluate import Evaluation


@dataclass(frozen=True)
class Rule:
    """One rule: its name, a title, a reason in plain words, and a function that finds its places."""

    name: str
    title: str
    why: str
    find: Callable[[Flow], Iterator[Finding]]


RULES = (
    Rule(
        "max_not_stopped",
        "A subtracted maximum without StopGradient",
        "The maximum is subtracted only so that Exp does not overflow; softmax is the same without it. Its gradient "
        "cancels at best. Where it does not, equal maxima share a gradient that belongs to other elements. Programs "
        "such as TensorFlow and JAX stop it for this reason.",
        softmax_rules.max_not_stopped,
    ),
    Rule(
        "half_stopped",
        "A log-sum-exp with its maximum stopped only once",
        "The maximum is subtracted and added back; both derivatives cancel. With a StopGradient on only one "
        "path, the other remains: the value is right, the gradient is not softmax, and it sums to 2 or 0, not 1.",
        softmax_rules.half_stopped,
    ),
    Rule(
        "clip_then_square",
        "An error that is clipped before it is squared",
        "The first programs for deep Q-learning clipped the error to bound the gradient, and made it 0 where the "
        "error is largest: the largest errors teach nothing. The Huber loss bounds the gradient and keeps it.",
        kink_rules.clip_then_square,
    ),
    Rule(
        "clipped_loss",
        "An error that is clamped",
        "A bound on the error bounds the loss, and makes the gradient 0 where the error is largest: the examples that "
        "are most wrong teach nothing. Clip the gradient in the plan of training, or use the Huber loss.",
        kink_rules.clipped_loss,
    ),
    Rule(
        "guarded_by_where",
        "Elements that are selected too late",
        "Where, a mask of zeros or a slice selects values, but all are computed and differentiated. Those not selected "
        "receive a gradient of 0, and 0 times an infinite value or slope is NaN. Select a safe input before the step "
        "as well.",
        kink_rules.guarded_by_where,
    ),
    Rule(
        "root_at_zero",
        "A root or a norm at 0",
        "The slope of a root grows without bound towards 0, and a norm is a root. One element that is exactly 0, such "
        "as the distance of a point from itself, makes every weight NaN in one step of training.",
        kink_rules.root_at_zero,
    ),
    Rule(
        "not_the_derivative",
        "A gradient that is not the derivative",
        "Gradwire follows TensorFlow, whose rules of a few types are not the derivative for some numbers: running "
        "products with zeros, places written twice, labels that do not add up to 1. Training then follows another "
        "direction than the loss falls in.",
        deviation_rules.not_the_derivative,
    ),
    Rule(
        "log_of_softmax",
        "The logarithm of a softmax",
        "A probability below the smallest number of its dtype becomes 0, its logarithm -inf, and the gradient NaN or "
        "0. LogSoftmax computes the logarithm directly and never leaves the numbers.",
        softmax_rules.log_of_softmax,
    ),
    Rule(
        "target_not_stopped",
        "A moving target that is trained too",
        "In temporal-difference and Q-learning the target r + gamma V(s') counts as data. Without StopGradient the "
        "gradient also moves V(s') towards V(s): another method, the residual gradient, and mostly an oversight.",
        stop_rules.target_not_stopped,
    ),
    Rule(
        "baseline_not_stopped",
        "A policy gradient that trains its baseline",
        "The advantage only weighs the log-probability. Without StopGradient the policy's loss also trains the critic, "
        "to make the weights larger, not to predict better. Published actor-critic examples have had this mistake.",
        stop_rules.baseline_not_stopped,
    ),
    Rule(
        "statistics_stopped",
        "A normalisation whose statistics are stopped",
        "Batch normalisation is differentiated through its mean and variance. With both stopped, the gradient moves a "
        "mean that the normalisation takes away again: the output stays, and the bias before it runs away.",
        stop_rules.statistics_stopped,
    ),
    Rule(
        "stop_redundant",
        "A StopGradient without effect",
        "It is harmless, but it suggests to readers that a gradient would otherwise flow. Often the StopGradient "
        "is needed on another path.",
        stop_rules.stop_redundant,
    ),
    Rule(
        "only_way_cut",
        "A variable behind a step without a derivative",
        "Rounding, comparing, casting to integers and the place of a maximum change in jumps: there is no slope "
        "to follow. Every optimiser skips a variable whose only path runs through one. Use a soft version, or "
        "pass the gradient straight through.",
        training_rules.only_way_cut,
    ),
    Rule(
        "log_of_sigmoid",
        "A log loss of a sigmoid by hand",
        "Where the sigmoid rounds to 0 or 1, its logarithm is -inf and the gradient is lost, for the examples that are "
        "most wrong. SigmoidCrossEntropyWithLogits and LogSigmoid take the number before the sigmoid and are exact.",
        softmax_rules.log_of_sigmoid,
    ),
    Rule(
        "equal_weights",
        "A hidden layer of equal units",
        "Units that start with the same weights compute the same and receive the same gradient: they stay copies "
        "of each other, as if there were one. If all weights are 0, their gradients are too. Start with small "
        "random numbers.",
        training_rules.equal_weights,
    ),
    Rule(
        "softmax_twice",
        "A softmax before a softmax cross entropy",
        "SoftmaxCrossEntropyWithLogits and LogSoftmax contain a softmax and expect any numbers. Probabilities lie "
        "between 0 and 1: of two classes a second softmax gives none less than 0.27. Training runs, but is slow and "
        "ends far from 0.",
        probability_rules.softmax_twice,
    ),
    Rule(
        "sigmoid_twice",
        "A sigmoid before a sigmoid cross entropy",
        "SigmoidCrossEntropyWithLogits and LogSigmoid contain a sigmoid and expect any number. A second sigmoid makes "
        "probabilities between 0.5 and 0.73 from it: a label of 0 can never be met.",
        probability_rules.sigmoid_twice,
    ),
    Rule(
        "padded_log",
        "The logarithm of a softmax with a floor",
        "A small number keeps the logarithm finite, but not the gradient: it shrinks where the probability is below "
        "the number, for the examples that are most wrong. A clamp makes it 0. LogSoftmax needs no floor.",
        probability_rules.padded_log,
    ),
    Rule(
        "crossed_shapes",
        "A column against a row",
        "An array of shape [N, 1] minus one of shape [N] has shape [N, N], without an error. The loss then compares "
        "each prediction with all labels, and its best answer is their mean for every example.",
        shape_rules.crossed_shapes,
    ),
    Rule(
        "nothing_learns",
        "A prediction that is detached from the loss",
        "A StopGradient between prediction and loss blocks every gradient: the loss has a value, and no variable "
        "moves. In PyTorch, detach, item, or a new tensor have the same effect.",
        learning_rules.nothing_learns,
    ),
    Rule(
        "never_learns",
        "A variable that cannot learn",
        "Training moves a variable along its gradient. Where that is blocked, always 0 or next to nothing, the "
        "variable keeps its first value, and all that it computes stays random.",
        variable_rules.never_learns,
    ),
    Rule(
        "dead_units",
        "Units that are 0 for every example",
        "A rectifier passes no gradient where it is 0. A unit that is 0 for all examples receives no gradient, "
        "so it stays dead. Reasons are a large negative bias or a step of training that was too long.",
        learning_rules.dead_units,
    ),
    Rule(
        "vanishing_chain",
        "A gradient that fades along a chain",
        "Each saturating activation and each small factor shrinks the gradient, and shares multiply: the first layers "
        "hardly learn. Rectifiers, residual connections, normalisation and larger initial weights keep it.",
        vanishing_rules.vanishing_chain,
    ),
    Rule(
        "exploding_chain",
        "A gradient that explodes along a chain",
        "Each factor above 1 enlarges the gradient, and factors multiply: after many steps no rate of training fits. "
        "Smaller initial weights, normalisation, gates and clipped gradients bound it.",
        vanishing_rules.exploding_chain,
    ),
    Rule(
        "odd_layer",
        "One layer that changes the gradient most",
        "Layers that are alike should pass on gradients alike. One whose numbers are far smaller or larger than those "
        "of the others makes the gradient too small or too large for all layers before it.",
        vanishing_rules.odd_layer,
    ),
    Rule(
        "fake_not_stopped",
        "A discriminator's loss that trains the generator",
        "The discriminator learns to separate samples from data. Without a StopGradient before it, its loss also "
        "moves the generator, to make samples that are easier to separate: both losses work against each other.",
        adversary_rules.fake_not_stopped,
    ),
    Rule(
        "siamese_not_stopped",
        "Two outputs that are pulled together without a stop",
        "If a loss only rewards that two outputs are alike, the best answer is one constant for every input. SimSiam "
        "and BYOL stop one side; other methods add pairs that must differ.",
        siamese_rules.siamese_not_stopped,
    ),
    Rule(
        "straight_through_sign",
        "A reversed straight-through gradient",
        "The estimator is x + stopped(q - x): its value is q, and x receives the gradient. With another sign the "
        "value is not q, or the gradient points away from the minimum.",
        estimator_rules.straight_through_sign,
    ),
    Rule(
        "ratio_not_stopped",
        "A ratio of probabilities without a stop",
        "In PPO and importance sampling the old probability counts as data. Without StopGradient its gradient cancels "
        "that of the new one, or trains the old policy.",
        estimator_rules.ratio_not_stopped,
    ),
)
RULE_OF = {rule.name: rule for rule in RULES}


def lint(run: Evaluation, rules: Iterable[Rule] = RULES) -> list[Finding]:
    """Returns the findings in a finished run, in the order of the blocks; failures of rules come first.

    Rules that the graph silences are left out.
    """
    flow = Flow(run)
    found = [finding for rule in rules if rule.name not in run.graph.silenced for finding in _found(rule, flow)]
    order = {path: place for place, path in enumerate(run.lowered.inferred.expanded.instances)}
    return sorted(found, key=lambda finding: order.get(finding.at, -1))


def _found(rule: Rule, flow: Flow) -> list[Finding]:
    """Returns the findings of one rule; a rule that raises yields only a finding about that."""
    try:
        return list(rule.find(flow))
    except Exception as error:  # Advice is extra; no mistake in it may cost a run or other advice.
        log_mistake(f"The rule {rule.name} failed", error)
        message = (
            f'A rule of the linter failed: "{rule.title}". All other results are right. This is a mistake in '
            "Gradwire: hide the rule if it fails again, and please report it with the graph."
        )
        return [Finding(rule.name, "info", "", message)]
