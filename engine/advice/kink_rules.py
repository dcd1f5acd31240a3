"""Rules about steps whose derivative is infinite, or 0 where it should be largest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from gradwire.engine.advice import fixes
from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.step_graph import Flow, count_of, root
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.problems import Severity
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.graph.graph import Port

# Block types with an infinite derivative somewhere, and the input concerned.
_DANGEROUS = {"Sqrt": 0, "Rsqrt": 0, "Log": 0, "Reciprocal": 0, "Divide": 1, "Pow": 0}
_BOUNDED = ("Where", "Maximum", "ClipByValue")


def clip_then_square(flow: Flow) -> Iterator[Finding]:
    """Finds squares of clipped differences: their gradient is 0 exactly where the difference is largest."""
    for square in flow.of_type("Square", "L2Loss", "Multiply"):
        clips = {flow.maker(item, "ClipByValue") for item in square.inputs}
        clip = clips.pop()
        if clips or clip is None or flow.gradient(Edge(clip, 0)) is None:
            continue
        before, after = flow.value(_input(clip)), flow.value(clip.outputs[0])
        outside = np.zeros(0, bool) if before is None or after is None else before != after
        if outside.any():
            message = (
                f"{flow.title(square)} squares what {flow.title(clip)} clips. {count_of(outside)} lie outside the "
                "bounds: their gradient is 0 where the error is largest."
            )
        else:
            message = (
                f"{flow.title(square)} squares what {flow.title(clip)} clips. Outside the bounds the gradient would "
                "be 0, where the error is largest."
            )
        severity: Severity = "warning" if outside.any() else "info"
        yield Finding("clip_then_square", severity, flow.path(clip), message, _huber(flow, clip, square))


def guarded_by_where(flow: Flow) -> Iterator[Finding]:
    """Finds dangerous steps before a Where on the same tensor: 0 times an infinite derivative is NaN."""
    for where in flow.of_type("Where"):
        for slot in (1, 2):
            side = where.inputs[slot]
            assert side is not None
            for step in flow.makers_behind(side, _is_dangerous, _is_elementwise):
                edge = Edge(step, _DANGEROUS[step.type.name])
                if _is_guarded(flow, edge, where) and _is_steep(flow, step):
                    yield _guarded(flow, edge, where, slot)


def root_at_zero(flow: Flow) -> Iterator[Finding]:
    """Finds roots and norms that are 0: their slope there is infinite."""
    for step in flow.of_type("Sqrt", "Norm", "ReduceEuclideanNorm"):
        back, value = flow.gradient(Edge(step, 0)), flow.value(step.outputs[0])
        users = [edge.application.type.name for edge in flow.users(step.outputs[0])]
        if back is None or value is None or not (value == 0).any() or set(users) == {"Where"}:
            continue
        title, count = flow.title(step), count_of(value == 0)
        if np.isfinite(back).all():
            message = (
                f"{title} is 0 at {count}, where its slope is infinite. The incoming gradient is 0 there, so the "
                "result is not affected yet."
            )
        else:
            message = f"{title} is 0 at {count}, where its slope is infinite. The gradient becomes NaN or infinity."
        severity: Severity = "info" if np.isfinite(back).all() else "warning"
        yield Finding("root_at_zero", severity, flow.path(step), message, _with_epsilon(flow, step))


def _huber(flow: Flow, clip: Application, square: Application) -> Fix | None:
    return flow.fix(
        "Use the Huber loss",
        fixes.as_huber,
        clip,
        square,
        clip=flow.block(clip),
        square=Port(flow.block(square), square.type.outputs[0].name),
        changes_loss=True,
        is_half_sum=square.type.name == "L2Loss",
        dtype=clip.outputs[0].dtype.name,
    )


def _is_guarded(flow: Flow, edge: Edge, where: Application) -> bool:
    """Returns whether the condition tests the dangerous input, and nothing else keeps it safe."""
    x, condition = edge.application.inputs[edge.slot], where.inputs[0]
    assert x is not None and condition is not None
    if flow.maker(x, *_BOUNDED) is not None or flow.gradient(edge) is None:
        return False
    looked_at = root(x).application
    behind = flow.makers_behind(condition, lambda step: step is looked_at, _is_comparing)
    return next(behind, None) is not None


def _is_steep(flow: Flow, step: Application) -> bool:
    """Returns whether the slope of a step has no bound; that of a power has none where an exponent is below 1."""
    exponent = step.inputs[1] if step.type.name == "Pow" else None
    value = None if exponent is None else flow.value(exponent)
    return exponent is None or (value is not None and bool((value < 1).any()))


def _guarded(flow: Flow, edge: Edge, where: Application, slot: int) -> Finding:
    step, back = edge.application, flow.gradient(edge)
    lost: Array = np.zeros(0, bool) if back is None else ~np.isfinite(back)
    w, f, count = flow.title(where), flow.title(step), count_of(lost)
    if lost.any():
        message = (
            f"{w} selects after {f}, which is too late. The gradient of {count} is not finite: 0 times an "
            "infinite slope."
        )
    else:
        message = (
            f"{w} selects after {f}, which is too late. Where it is not selected, 0 times an infinite slope "
            "would be NaN."
        )
    fix = flow.fix(
        "Insert Where before it",
        fixes.guard,
        where,
        step,
        where=flow.block(where),
        target=flow.target(edge),
        is_chosen=slot == 1,
        dtype=step.outputs[0].dtype.name,
    )
    if fix is not None:
        fix = replace(fix, detail=_guard_sentence(flow, edge, where))
    return Finding("guarded_by_where", "warning" if lost.any() else "info", flow.path(step), message, fix)


def _guard_sentence(flow: Flow, edge: Edge, where: Application) -> str:
    """Returns what the new Where does, with the blocks' names."""
    f, w, source = flow.block(edge.application), flow.block(where), edge.application.inputs[edge.slot]
    x = "its input" if source is None else flow.block(source.application)
    return f"Insert a second Where before {f}. It passes {x} where {w} selects {f}, else 1."


def _with_epsilon(flow: Flow, step: Application) -> Fix | None:
    dtype = step.outputs[0].dtype.name
    text = "Add a small number under the root"
    if step.type.name == "Sqrt":
        arguments = {"target": flow.target(Edge(step, 0)), "dtype": dtype}
        return flow.fix(text, fixes.add_epsilon, step, changes_loss=True, **arguments)
    if step.parameters.get("ord", "euclidean") not in ("euclidean", "fro"):
        return None
    chosen = {name: step.parameters[name] for name in ("axis", "keepdims")}
    norm = flow.block(step)
    return flow.fix(text, fixes.norm_with_epsilon, step, changes_loss=True, norm=norm, dtype=dtype, **chosen)


def _is_dangerous(step: Application) -> bool:
    return step.type.name in _DANGEROUS


def _is_elementwise(step: Application) -> bool:
    return step.type.by_element


def _is_comparing(step: Application) -> bool:
    return step.type.category == "Comparison" or step.type.by_element


def _input(step: Application) -> Expression:
    item = step.inputs[0]
    assert item is not None
    return item
