"""All rules of the linter, with what each is about and why it matters, and the run over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from engine.errors import told
from engine.evaluate import Evaluation
from lint import kink_rules, softmax_rules, stop_rules, training_rules
from lint.finding import Finding
from lint.flow import Flow


@dataclass(frozen=True)
class Rule:
    """One rule: its name, a title, why it matters in plain words, and the function that finds its places."""

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
        "The maximum is subtracted and added back; both derivatives cancel. With a StopGradient on only one way, the "
        "other is left over: the value is right, the gradient is not softmax, and it adds up to 2 or 0, not 1.",
        softmax_rules.half_stopped,
    ),
    Rule(
        "clip_then_square",
        "An error that is clipped before it is squared",
        "The first programs for deep Q-learning clipped the error to bound the gradient, and made it 0 where the error "
        "is largest: what is most wrong learns nothing. The Huber loss bounds the gradient and keeps it.",
        kink_rules.clip_then_square,
    ),
    Rule(
        "guarded_by_where",
        "Where behind a root, a logarithm or a division",
        "Where chooses values, but both sides are computed and differentiated. The side not chosen gets a gradient of "
        "0, and 0 times the infinite slope of the root, logarithm or quotient is NaN. Choose a safe input before it as "
        "well.",
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
        "stop_redundant",
        "A StopGradient that stops nothing",
        "It is harmless, but it suggests to readers that a gradient would otherwise flow. Often the StopGradient that "
        "is needed stands on another way.",
        stop_rules.stop_redundant,
    ),
    Rule(
        "only_way_cut",
        "A variable behind a step without a derivative",
        "Rounding, comparing, casting to integers and the place of a maximum change in jumps: there is no slope to "
        "follow. A variable whose only way leads through one is skipped by every optimiser. Use a soft version, or "
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
        "Units that start with the same weights compute the same and get the same gradient: they stay copies of each "
        "other, as if there were one. If all weights are 0, their gradients are too. Start with small random numbers.",
        training_rules.equal_weights,
    ),
)
RULE_OF = {rule.name: rule for rule in RULES}


def lint(run: Evaluation, rules: Iterable[Rule] = RULES) -> list[Finding]:
    """What the rules find in a finished run, in the order of the blocks, and first which of them fail."""
    flow = Flow(run)
    found = [finding for rule in rules for finding in _found(rule, flow)]
    order = {path: place for place, path in enumerate(run.lowered.inferred.expanded.instances)}
    return sorted(found, key=lambda finding: order.get(finding.at, -1))


def _found(rule: Rule, flow: Flow) -> list[Finding]:
    """What one rule finds; a rule that raises finds nothing but that, and the others go on."""
    try:
        return list(rule.find(flow))
    except Exception as error:  # advice is extra: no mistake in it may cost a run or other advice
        message = (
            f'A rule of the linter failed: "{rule.title}". All else is as it would be. This is a mistake in Gradwire: '
            f"hide the rule if it goes on, and please report the graph with this: {told(error)}."
        )
        return [Finding(rule.name, "info", "", message)]
