"""Rules about estimators that rest on a StopGradient: straight-through gradients and ratios of probabilities."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gradwire.engine.advice import fixes
from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.linear_sums import ADDING, Term, terms_of
from gradwire.engine.advice.step_graph import SHAPING, Flow, input_of, makers, root
from gradwire.engine.advice.stop_rules import is_log_probability
from gradwire.engine.autodiff.backward import Edge, lets_gradients_pass
from gradwire.engine.base.problems import Severity
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.graph.graph import Port

# Steps behind which a quantised tensor is looked for, counted from it.
_NEARBY = 64


class _Share(NamedTuple):
    """Tensor in a sum: its factor in the value, its factor in the gradient, and the terms that hold it."""

    value: float
    gradient: float
    terms: list[Term]

    @property
    def is_on_both_sides(self) -> bool:
        """Whether the tensor occurs behind a StopGradient and elsewhere too."""
        return len({term.is_stopped for term in self.terms}) == 2


def straight_through_sign(flow: Flow) -> Iterator[Finding]:
    """Finds sums of x and its quantised q with a StopGradient whose value or gradient is wrong."""
    claimed: set[Application] = set()
    for step in flow.of_type(*ADDING):
        if claimed.intersection(makers(step)):
            claimed.add(step)
            continue
        shares = _shares(terms_of(flow, step))
        for x, q in ((x, q) for x in shares for q in shares if x is not q):
            mistake = _mistake(flow, shares, x, q)
            if mistake and _is_quantised(flow, q, x):
                claimed.add(step)
                yield _wrong_way(flow, step, shares, x, q, mistake)
                break


def ratio_not_stopped(flow: Flow) -> Iterator[Finding]:
    """Finds ratios of a new to an old probability through whose old one a gradient flows."""
    for step in flow.of_type("Exp", "Divide"):
        difference = flow.maker(step.inputs[0], "Subtract") if step.type.name == "Exp" else step
        if difference is None or not all(flow.trainable(input_of(difference, slot)) for slot in (0, 1)):
            continue
        back = flow.gradient(Edge(difference, 1))
        if back is None or not _is_ratio(flow, step, difference):
            continue
        also = (flow.path(difference),)
        fix = flow.stop(Edge(difference, 1))
        severity: Severity = "warning"
        if root(input_of(difference, 0)) is root(input_of(difference, 1)):
            message = (
                f"{flow.title(step)} is the ratio of a probability to itself, and nothing stops the old one. It is 1 "
                "everywhere and both gradients cancel to 0: the policy learns nothing."
            )
        else:
            message = (
                f"{flow.title(step)} is the ratio of a new to an old probability, and nothing stops the old one. "
                f"A gradient of up to {np.abs(back).max(initial=0):g} moves the old policy in the opposite direction."
            )
        yield Finding("ratio_not_stopped", severity, flow.path(step), message, fix, also)


def _shares(terms: list[Term]) -> dict[Expression, _Share]:
    if all(term.is_stopped for term in terms):
        return {}
    found: dict[Expression, _Share] = {}
    for term in terms:
        if term.number is None:
            continue
        old = found.get(term.tensor, _Share(0.0, 0.0, []))
        slope = 0.0 if term.is_stopped else term.number
        found[term.tensor] = _Share(old.value + term.number, old.gradient + slope, [*old.terms, term])
    return found


def _mistake(flow: Flow, shares: dict[Expression, _Share], x: Expression, q: Expression) -> str:
    """Returns what is wrong with a straight-through sum of x and q: its value, sign, operand or stop, or nothing."""
    of_x, of_q = shares[x], shares[q]
    is_cancelled = (of_x.value, of_x.gradient, abs(of_q.value)) == (0.0, 0.0, 1.0) and len(of_x.terms) > 1
    if is_cancelled and not of_x.is_on_both_sides and flow.trainable(x):
        return "stop"
    # All sources of all steps take a walk through the graph, so they come last.
    if not (of_x.is_on_both_sides or of_q.is_on_both_sides) or not flow.sources().get(x, 0):
        return ""
    if (of_x.value, of_q.value) in ((2.0, -1.0), (-2.0, 1.0)):
        return "value"
    if of_x.value == 0 and abs(of_q.value) == 1 and of_x.gradient == -of_q.value:
        return "sign"
    if (of_x.value, of_q.value) == (1.0, 0.0) and (of_x.gradient, of_q.gradient) == (0.0, 1.0):
        return "operand"
    return ""


def _is_quantised(flow: Flow, q: Expression, x: Expression) -> bool:
    """Returns whether q is made from x through a step without a slope."""
    goals = _before(x)
    waiting = [(root(q).application, False)]
    seen: set[tuple[Application, bool]] = set()
    while waiting and len(seen) < _NEARBY:
        step, is_cut = waiting.pop(0)
        if (step, is_cut) in seen:
            continue
        seen.add((step, is_cut))
        if step in goals:
            if is_cut:
                return True
            continue
        has_no_slope = not lets_gradients_pass(step) or step.type.name == "Sign" or step.type.role is Role.STOP
        waiting += [(maker, is_cut or has_no_slope) for maker in makers(step)]
    return False


def _before(x: Expression) -> set[Application]:
    """Returns the step that makes x, and those of which x is an elementwise function, such as of a clamp."""
    found = [root(x).application]
    for step in found:
        if step.type.by_element or step.type.name in ("ClipByValue", "Softmax", *SHAPING):
            found += [maker for maker in makers(step)[:1] if maker not in found]
    return set(found)


def _wrong_way(
    flow: Flow, step: Application, shares: dict[Expression, _Share], x: Expression, q: Expression, mistake: str
) -> Finding:
    y, name, other = flow.title(step), flow.title(x.application), flow.title(q.application)
    if mistake == "value":
        message = (
            f"{y} adds the straight-through difference with the wrong sign. Its value is twice {name} minus {other}, "
            "not the quantised number."
        )
    elif mistake == "stop":
        message = (
            f"{y} adds {name} and subtracts it again, and nothing stops the difference. Both gradients cancel to 0: "
            f"none passes straight through {other}."
        )
    elif mistake == "sign":
        message = (
            f"{y} passes the gradient straight through with the wrong sign. Its value is {other}, but the gradient of "
            f"{name} is -1 times the incoming one."
        )
    else:
        message = (
            f"{y} has the operands of a straight-through gradient exchanged. Its value is {name}, and the gradient "
            f"goes to {other}, where it ends."
        )
    fix = _straight(
        flow, step, _whole(step, shares[x].terms[0].edge), shares[q].terms[0].edge, mistake not in ("sign", "stop")
    )
    also = (flow.path(x.application), flow.path(q.application))
    return Finding("straight_through_sign", "warning", flow.path(step), message, fix, also)


def _whole(step: Application, part: Edge) -> Edge:
    """Returns the input of a sum with the tensor that the sum reads twice, of which a term may be only a part."""
    waiting, read = [step], dict[Expression, Edge]()
    for current in waiting:
        for slot, item in enumerate(current.inputs):
            if item is None:
                continue
            edge = read.setdefault(root(item), Edge(current, slot))
            if edge.application is not current:
                return edge
            maker = root(item).application
            if maker.type.role is Role.STOP or maker.type.name in (*ADDING, *SHAPING, "Negative"):
                waiting.append(maker)
    return part


def _straight(flow: Flow, step: Application, x: Edge, q: Edge, changes_loss: bool) -> Fix | None:
    return flow.fix(
        "Pass the gradient straight through",
        fixes.as_straight_through,
        step,
        x.application,
        q.application,
        changes_loss=changes_loss,
        output=Port(flow.block(step), step.type.outputs[0].name),
        x=flow.target(x),
        q=flow.target(q),
    )


def _is_ratio(flow: Flow, step: Application, difference: Application) -> bool:
    """Returns whether a quotient is clamped around 1, or weighs something as a ratio of two log-probabilities."""
    users = list(flow.leads_to(step.outputs[0], ("ClipByValue", "Multiply", "Minimum"), SHAPING))
    clips = [edge.application for edge in users if edge.application.type.name == "ClipByValue"]
    if any(_is_around_one(flow, clip) for clip in clips):
        return True
    if step.type.name != "Exp" or not any(edge.application.type.name == "Multiply" for edge in users):
        return False
    return all(is_log_probability(flow, input_of(difference, slot)) for slot in (0, 1))


def _is_around_one(flow: Flow, clip: Application) -> bool:
    low, high = flow.value(input_of(clip, 1)), flow.value(input_of(clip, 2))
    return low is not None and high is not None and bool((low > 0).all() and (low < 1).all() and (high > 1).all())
