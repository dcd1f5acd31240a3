"""Rules about subtracted maxima, and about logarithms of softmax and sigmoid."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gradwire.engine.advice import fixes
from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.patterns import axes_of, is_all
from gradwire.engine.advice.step_graph import SHAPING, Flow, count_of, opposite, peel, root
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.blocktypes.expression import Application
from gradwire.engine.graph.graph import Port


class _Shift(NamedTuple):
    """Tensor minus its own maximum, before an Exp; `is_stopped` if a StopGradient lies between."""

    subtract: Application
    maximum: Application
    is_stopped: bool


def max_not_stopped(flow: Flow) -> Iterator[Finding]:
    """Finds tensors minus their maximum whose gradient flows through the maximum."""
    half = {edge for edge, *_ in _halves(flow)}
    for subtract, maximum, is_stopped in _shifts(flow):
        edge, peak = Edge(subtract, 1), maximum.outputs[0]
        back = flow.gradient(edge)
        if is_stopped or edge in half or back is None or not np.isfinite(back).all():
            continue
        ends = _ends_of_sums(flow, subtract, maximum)
        z, m = flow.title(subtract), flow.title(maximum)
        if ends and flow.is_zero(edge):
            message = f"{z} subtracts {m} without StopGradient. The gradient through the maximum cancels to 0."
            yield Finding("max_not_stopped", "info", flow.path(subtract), message, flow.stop(edge))
        elif "Log" in ends and not flow.is_zero_in_all(peak):
            message = f"{z} subtracts {m} without StopGradient. {back.sum():g} flows back into the largest elements."
            port = Port(flow.block(maximum), "y")
            fix = flow.fix("Insert StopGradient", fixes.stop_port, maximum, source=port)
            yield Finding("max_not_stopped", "warning", flow.path(subtract), message, fix)


def half_stopped(flow: Flow) -> Iterator[Finding]:
    """Finds maxima that are stopped at only one of two places: where they are subtracted, or added back."""
    for edge, add, maximum in _halves(flow):
        back = flow.gradient(edge)
        if back is None:
            continue
        if edge.application is add:
            message = (
                f"{flow.title(maximum)} is stopped where it is subtracted, but not where {flow.title(add)} adds it "
                f"back. {back.sum():g} too much flows into the largest elements."
            )
        else:
            message = (
                f"{flow.title(maximum)} is stopped where {flow.title(add)} adds it back, but not where it is "
                f"subtracted. {back.sum():g} too much flows into the largest elements."
            )
        yield Finding("half_stopped", "warning", flow.path(add), message, flow.stop(edge))


def log_of_softmax(flow: Flow) -> Iterator[Finding]:
    """Finds logarithms of a softmax, which are -inf where the softmax underflows."""
    for log in flow.of_type("Log"):
        softmax = flow.maker(log.inputs[0], "Softmax")
        if softmax is None:
            continue
        fix = flow.fix(
            "Use LogSoftmax",
            fixes.as_log_softmax,
            log,
            softmax,
            softmax=flow.block(softmax),
            log=flow.block(log),
            axis=softmax.parameters["axis"],
        )
        yield _of_a_logarithm(flow, "log_of_softmax", log, softmax, fix)


def log_of_sigmoid(flow: Flow) -> Iterator[Finding]:
    """Finds logarithms of a sigmoid, or of 1 minus a sigmoid: log losses that are not fused."""
    done: set[Application] = set()
    for add in flow.of_type("Add"):
        found = _log_loss(flow, add)
        if found is not None:
            done |= {found.log, found.other_log}
            yield _unfused(flow, add, found)
    for log in flow.of_type("Log"):
        if log in done:
            continue
        sigmoid, rest = _sigmoid_behind(flow, log)
        if sigmoid is None:
            continue
        # Any: arguments of an edit.
        ids: dict[str, Any] = {"sigmoid": flow.block(sigmoid), "log": flow.block(log)}
        if rest is None:
            fix = flow.fix("Use LogSigmoid", fixes.as_log_sigmoid, log, sigmoid, **ids)
        else:
            edit, ids["rest"] = fixes.as_log_one_minus_sigmoid, flow.block(rest)
            fix = flow.fix("Use LogSigmoid", edit, log, sigmoid, rest, **ids)
        yield _of_a_logarithm(flow, "log_of_sigmoid", log, sigmoid, fix)


def _of_a_logarithm(flow: Flow, rule: str, log: Application, inner: Application, fix: Fix | None) -> Finding:
    outer, of, better = flow.title(log), flow.title(inner), f"Log{inner.type.name}"
    value = flow.value(log.outputs[0])
    lost = np.isneginf(value) if value is not None else np.zeros(0, bool)
    if lost.any():
        message = f"{outer} is taken of {of}: {count_of(lost)} are -inf, where {better} is finite."
        return Finding(rule, "warning", flow.path(log), message, fix)
    message = f"{outer} is taken of {of}: far out it gives -inf and loses its gradient, where {better} is exact."
    return Finding(rule, "info", flow.path(log), message, fix)


def _shifts(flow: Flow) -> Iterator[_Shift]:
    for subtract in flow.of_type("Subtract"):
        x, other = subtract.inputs
        assert x is not None and other is not None
        peak, is_stopped = peel(other)
        maximum = flow.maker(peak, "ReduceMax")
        if maximum is None or maximum.inputs[0] is None or root(maximum.inputs[0]) is not root(x):
            continue
        if any(flow.leads_to(subtract.outputs[0], ("Exp",), ("Multiply", "Divide"))):
            yield _Shift(subtract, maximum, is_stopped)


def _ends_of_sums(flow: Flow, subtract: Application, maximum: Application) -> set[str]:
    """Returns what is done with the sums of a softmax or log-sum-exp: "Divide", "Reciprocal" or "Log".

    Empty if there is no such sum, or if it runs over elements with different maxima.
    """
    scaling = ("Multiply", "Divide", "Where", *SHAPING)
    exps = {edge.application for edge in flow.leads_to(subtract.outputs[0], ("Exp",), scaling)}
    sums = {
        edge.application
        for exp in exps
        for edge in flow.leads_to(exp.outputs[0], ("ReduceSum", "ReduceMean"), scaling)
        if axes_of(edge.application) <= axes_of(maximum)
    }
    guards = ("Add", "Maximum", "StopGradient", *SHAPING)
    readers = [
        edge for item in sums for edge in flow.leads_to(item.outputs[0], ("Divide", "Reciprocal", "Log"), guards)
    ]
    return {edge.application.type.name for edge in readers if edge.application.type.name != "Divide" or edge.slot == 1}


def _halves(flow: Flow) -> Iterator[tuple[Edge, Application, Application]]:
    """Yields the open input where only the other is stopped, the Add of a log-sum-exp, and the maximum."""
    for subtract, maximum, is_stopped in _shifts(flow):
        through = ("Exp", "ReduceSum", "Log", "Multiply", "Divide", "ExpandDims", "Squeeze", "Reshape")
        for edge in flow.leads_to(subtract.outputs[0], ("Add",), through):
            add, slot = edge.application, opposite(edge.slot)
            back = add.inputs[slot]
            assert back is not None
            peak, is_back_stopped = peel(back)
            if peak is maximum.outputs[0] and is_stopped is not is_back_stopped:
                yield Edge(add, slot) if is_stopped else Edge(subtract, 1), add, maximum


class _LogLoss(NamedTuple):
    """Parts of a log loss by hand; `idle` are the steps that the fused block replaces.

    The log loss is `y log p + (1 - y) log (1 - p)`.
    """

    sigmoid: Application
    labels: Edge
    log: Application
    other_log: Application
    idle: tuple[Application, ...]


def _sigmoid_behind(flow: Flow, log: Application) -> tuple[Application | None, Application | None]:
    """Returns the Sigmoid p under a logarithm, and the Subtract if it is the logarithm of 1 - p."""
    sigmoid = flow.maker(log.inputs[0], "Sigmoid")
    if sigmoid is not None:
        return sigmoid, None
    rest = flow.maker(log.inputs[0], "Subtract")
    if rest is None or not is_all(flow, rest.inputs[0], 1):
        return None, None
    return flow.maker(rest.inputs[1], "Sigmoid"), rest


def _log_loss(flow: Flow, add: Application) -> _LogLoss | None:
    products = [flow.maker(item, "Multiply") for item in add.inputs]
    first, second = (_weighed_log(flow, product) for product in products)
    if first is None or second is None:
        return None
    (edge, log), (other_edge, other_log) = first, second
    (sigmoid, rest), (other, other_rest) = _sigmoid_behind(flow, log), _sigmoid_behind(flow, other_log)
    if sigmoid is None or sigmoid is not other or (rest is None) is (other_rest is None):
        return None
    if rest is not None:
        (edge, log, rest), (other_edge, other_log, other_rest) = (other_edge, other_log, other_rest), (edge, log, rest)
    remainder = flow.maker(other_edge.application.inputs[other_edge.slot], "Subtract")
    y = edge.application.inputs[edge.slot]
    if remainder is None or not is_all(flow, remainder.inputs[0], 1) or y is None or remainder.inputs[1] is None:
        return None
    if root(remainder.inputs[1]) is not root(y) or other_rest is None:
        return None
    idle = (edge.application, other_edge.application, log, other_log, other_rest, remainder)
    return _LogLoss(sigmoid, edge, log, other_log, idle)


def _weighed_log(flow: Flow, product: Application | None) -> tuple[Edge, Application] | None:
    """Returns the other factor of a product with a logarithm, and the logarithm."""
    for slot, item in enumerate(product.inputs if product is not None else ()):
        log = flow.maker(item, "Log")
        if log is not None and product is not None and _sigmoid_behind(flow, log)[0] is not None:
            return Edge(product, opposite(slot)), log
    return None


def _unfused(flow: Flow, add: Application, found: _LogLoss) -> Finding:
    message = (
        f"{flow.title(add)} adds up a log loss of {flow.title(found.sigmoid)} by hand. Where the sigmoid is 0 or 1 it "
        "is infinite; SigmoidCrossEntropyWithLogits is exact."
    )
    fix = None
    labels, logits = found.labels.application.inputs[found.labels.slot], found.sigmoid.inputs[0]
    if labels is not None and logits is not None and labels.spec == logits.spec:
        fix = flow.fix(
            "Use SigmoidCrossEntropyWithLogits",
            fixes.as_cross_entropy,
            add,
            found.sigmoid,
            *found.idle,
            total=flow.block(add),
            labels=flow.target(found.labels),
            sigmoid=flow.block(found.sigmoid),
            idle=tuple(flow.block(step) for step in found.idle),
        )
    value = flow.value(add.outputs[0])
    is_lost = value is not None and not np.isfinite(value).all()
    return Finding("log_of_sigmoid", "warning" if is_lost else "info", flow.path(add), message, fix)
