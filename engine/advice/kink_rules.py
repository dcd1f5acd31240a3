"""Rules about steps whose derivative is infinite, or 0 where it should be largest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from gradwire.engine.advice import fixes
from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.step_graph import SHAPING, Flow, count_of, root
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.problems import Severity
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.expression import Application, Expression
from gradwire.engine.graph.graph import Port

# Block types with an infinite derivative somewhere, and the input concerned.
_DANGEROUS = {"Sqrt": 0, "Rsqrt": 0, "Log": 0, "Reciprocal": 0, "Divide": 1, "Pow": 0}
_ROOTS = ("Sqrt", "Norm", "ReduceEuclideanNorm")
_BOUNDED = ("Where", "Maximum", "ClipByValue")
# Steps between an error and the loss that it belongs to.
_SCALING = (*SHAPING, "Add", "AddN", "Negative", "ReduceSum", "ReduceMean", "Cast", "Multiply", "Divide")
# Causes of a zero gradient by which a block selects other elements.
_SELECTING = (Cause.NOT_SELECTED, Cause.ZERO_FACTOR)
# Numbers at which steps have finite values and slopes: most at 1, those that end there, such as Acos, at 1/2.
_SAFE = (1.0, 0.5)


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


def clipped_loss(flow: Flow) -> Iterator[Finding]:
    """Finds errors that are clamped from above after they were squared: the largest ones teach nothing."""
    for clip in flow.of_type("ClipByValue", "Minimum"):
        for slot in (0,) if clip.type.name == "ClipByValue" else (0, 1):
            x = clip.inputs[slot]
            before, after = None if x is None else flow.value(x), flow.value(clip.outputs[0])
            if x is None or before is None or after is None or not flow.trainable(x) or not _is_error(flow, clip, x):
                continue
            outside: Array = before > after
            if outside.any():
                message = (
                    f"{flow.title(clip)} clamps the error itself. {count_of(outside)} lie above the bound: their "
                    "gradient is 0 where the error is largest."
                )
                yield Finding("clipped_loss", "warning", flow.path(clip), message, _unclipped(flow, Edge(clip, slot)))


def _is_error(flow: Flow, clip: Application, x: Expression) -> bool:
    """Returns whether a tensor is an error that the loss adds up, and the bounds are data."""

    def is_error(step: Application) -> bool:
        is_square = step.type.name == "Multiply" and step.inputs[0] is step.inputs[1]
        return step.type.is_penalty or is_square or step.type.name in ("Square", "Abs")

    others = [item for item in clip.inputs if item is not None and item is not x]
    error = next(flow.makers_behind(x, is_error, lambda step: step.type.name in _SCALING), None)
    if error is None or any(flow.depends(item) for item in others) or not flow.is_of_data(x):
        return False
    return any(flow.leads_to(clip.outputs[0], ("Loss",), _SCALING))


def _unclipped(flow: Flow, edge: Edge) -> Fix | None:
    clip = edge.application
    return flow.fix(
        "Remove the clamp",
        fixes.bypass_block,
        clip,
        changes_loss=True,
        target=flow.target(edge),
        output=Port(flow.block(clip), clip.type.outputs[0].name),
    )


def root_at_zero(flow: Flow) -> Iterator[Finding]:
    """Finds roots and norms that are 0: their slope there is infinite."""
    selected = {late.step for late in late_steps(flow)}
    for step in flow.of_type(*_ROOTS):
        back, value = flow.gradient(Edge(step, 0)), flow.value(step.outputs[0])
        users = [edge.application.type.name for edge in flow.users(step.outputs[0])]
        is_selected = step in selected or set(users) == {"Where"}
        if back is None or value is None or not (value == 0).any() or is_selected:
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


def _input(step: Application) -> Expression:
    item = step.inputs[0]
    assert item is not None
    return item


# Selected too late


@dataclass(frozen=True)
class _Late:
    """Step with elements that are not finite though `selector` gives them a gradient of 0.

    `edges` are the inputs whose gradients break; `is_value` says that the value breaks too.
    """

    step: Application
    selector: Application
    lost: Array
    edges: tuple[Edge, ...]
    is_value: bool
    is_factor: bool


def guarded_by_where(flow: Flow) -> Iterator[Finding]:
    """Finds steps that are not finite at elements which a later step does not select: 0 times infinity is NaN."""
    found = {late.step: late for late in late_steps(flow)}
    yield from (_selected_late(flow, late) for late in found.values())
    for where in flow.of_type("Where"):
        for slot in (1, 2):
            side = where.inputs[slot]
            assert side is not None
            for step in flow.makers_behind(side, _is_dangerous, _is_elementwise):
                edge = Edge(step, _DANGEROUS[step.type.name])
                if step not in found and _is_guarded(flow, edge, where) and _is_steep(flow, step):
                    yield _guarded(flow, edge, where, slot)


def late_steps(flow: Flow) -> Iterator[_Late]:
    """Yields the steps whose inputs and incoming gradient are finite, and that break where this gradient is 0."""
    for step in flow.steps if flow.run.facts.broken_slots() else ():
        late = _late(flow, step) if len(step.outputs) == 1 and step.inputs else None
        if late is not None:
            yield late


def _late(flow: Flow, step: Application) -> _Late | None:
    output = step.outputs[0]
    value, arriving = flow.value(output), flow.total(output)
    edges = [Edge(step, slot) for slot, item in enumerate(step.inputs) if item is not None]
    if value is None or arriving is None or not np.isfinite(arriving).all():
        return None
    back = {edge: bad for edge in edges if (bad := _broken(flow, edge)) is not None}
    is_born = all(np.isfinite(array).all() for edge in edges if (array := _given(flow, edge)) is not None)
    for selector, is_factor, mask in _unselected(flow, step):
        bad_value = mask & ~np.isfinite(value) if is_factor and is_born else np.zeros(mask.shape, bool)
        broken = {edge: mask & bad for edge, bad in back.items()}
        lost: Array = sum(broken.values(), start=bad_value)
        if lost.any():
            hit = tuple(edge for edge, bad in broken.items() if bad.any()) or tuple(edges)
            return _Late(step, selector, lost, hit, bool(bad_value.any()), is_factor)
    return None


def _broken(flow: Flow, edge: Edge) -> Array | None:
    """Returns which elements of a step's output have a gradient at an input that is not finite; None without any."""
    back = flow.gradient(edge)
    return None if back is None or np.isfinite(back).all() else _aligned(~np.isfinite(back), edge.application)


def _given(flow: Flow, edge: Edge) -> Array | None:
    item = edge.application.inputs[edge.slot]
    value = None if item is None else flow.value(item)
    return value if value is not None and value.dtype.kind == "f" else None


def _unselected(flow: Flow, step: Application) -> Iterator[tuple[Application, bool, Array]]:
    """Yields the blocks that select other elements of a step, whether by a factor of 0, and a mask of the elements."""
    output, zeros = step.outputs[0], flow.run.zeros
    for cause in zeros.of_total(output):
        if cause.cause in _SELECTING and flow.has(cause.application) and _selects(cause.application):
            yield cause.application, cause.cause is Cause.ZERO_FACTOR, zeros.marks(output, cause)


def _selects(step: Application) -> bool:
    """Returns whether a step chooses among elements or factors; one such as Relu only has a slope of 0."""
    return step.type.name in ("Where", "Multiply") or not step.type.by_element


def _aligned(broken: Array, step: Application) -> Array | None:
    """Returns which elements of a step's output have broken elements of its input; None where that is unknown."""
    shape = step.outputs[0].shape
    axis = step.parameters.get("axis")
    if broken.ndim > len(shape) or (broken.ndim == len(shape) and step.parameters.get("keepdims")):
        axes = tuple(axis) if isinstance(axis, list) else axis
        reduced = np.asarray(broken.any(axis=axes))
        return reduced.reshape(shape) if reduced.size == np.prod(shape) else None
    try:
        return np.broadcast_to(broken, shape)
    except ValueError:
        return None


def _selected_late(flow: Flow, late: _Late) -> Finding:
    w, f, count = flow.title(late.selector), flow.title(late.step), count_of(late.lost)
    if late.is_factor:
        message = (
            f"{w} multiplies by 0 too late: the value or slope of {f} is not finite at {count}, and 0 times that is "
            "NaN."
        )
    else:
        message = f"{w} selects too late: the value or slope of {f} is not finite at {count}, and 0 times that is NaN."
    also, made = (flow.path(late.selector),), tuple(_fixes(flow, late))
    fix = made[0] if made else None
    return Finding("guarded_by_where", "warning", flow.path(late.step), message, fix, also, made[1:])


def _fixes(flow: Flow, late: _Late) -> Iterator[Fix]:
    """Yields fixes to try: a logarithm that knows a factor of 0, a guard before each input, a root away from 0."""
    if late.is_factor:
        yield from _xlogy(flow, late)
    for edge, safe in product(late.edges, _SAFE):
        fix = _guard_of_factor(flow, late, edge, safe) if late.is_factor else _guard(flow, late, edge, safe)
        if fix is not None:
            yield fix
    root_fix = _with_epsilon(flow, late.step) if late.step.type.name in _ROOTS else None
    if root_fix is not None:
        yield root_fix


def _xlogy(flow: Flow, late: _Late) -> Iterator[Fix]:
    readers = flow.users(late.step.outputs[0])
    if late.step.type.name != "Log" or [edge.application for edge in readers] != [late.selector]:
        return
    fix = flow.fix(
        "Use Xlogy",
        fixes.as_xlogy,
        late.step,
        late.selector,
        changes_loss=late.is_value,
        product=flow.block(late.selector),
        log=flow.block(late.step),
        slot=flow.target(readers[0]),
    )
    if fix is not None and late.selector.type.name == "Multiply":
        yield fix


def _guard(flow: Flow, late: _Late, edge: Edge, safe: float) -> Fix | None:
    """Returns the second Where before a step; None where the first one selects in another shape, or does not select."""
    where = late.selector
    item = where.inputs[0] if where.type.name == "Where" else None
    condition = None if item is None else flow.value(item)
    if condition is None or not _fits(flow, condition.shape, edge):
        return None
    # The lost elements are those that are not chosen.
    chosen = np.broadcast_to(condition, late.lost.shape)[late.lost]
    return None if chosen.any() != chosen.all() else _guarding(flow, edge, where, 2 if chosen.any() else 1, safe)


def _guarding(flow: Flow, edge: Edge, where: Application, slot: int, safe: float = 1.0) -> Fix | None:
    step = edge.application
    fix = flow.fix(
        "Insert Where before it",
        fixes.guard,
        where,
        step,
        where=flow.block(where),
        target=flow.target(edge),
        is_chosen=slot == 1,
        dtype=step.outputs[0].dtype.name,
        safe=safe,
    )
    return None if fix is None else replace(fix, detail=_guard_sentence(flow, edge, where, safe))


def _guard_of_factor(flow: Flow, late: _Late, edge: Edge, safe: float) -> Fix | None:
    """Returns a Where before a step, which passes the elements whose factor is not 0."""
    factors = [slot for slot in (0, 1) if late.step not in _behind(flow, late.selector, slot)]
    factor = late.selector.inputs[factors[0]] if late.selector.type.name == "Multiply" and factors else None
    if factor is None or not _fits(flow, factor.shape, edge):
        return None
    step = edge.application
    return flow.fix(
        "Insert Where before it",
        fixes.guard_of_factor,
        late.selector,
        step,
        changes_loss=late.is_value,
        factor=Port(flow.block(late.selector), flow.target(Edge(late.selector, factors[0])).name),
        target=flow.target(edge),
        dtype=step.outputs[0].dtype.name,
        safe=safe,
    )


def _behind(flow: Flow, selector: Application, slot: int) -> set[Application]:
    item = selector.inputs[slot] if slot < len(selector.inputs) else None
    return set() if item is None else flow.ancestors(item)


def _fits(flow: Flow, shape: tuple[int, ...], edge: Edge) -> bool:
    """Returns whether a condition of a shape selects elements of an input, without meeting other axes."""
    item = edge.application.inputs[edge.slot]
    return item is not None and (shape == () or shape == item.shape == edge.application.outputs[0].shape)


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
    """Returns the finding about a step that would break if an element were not selected."""
    step = edge.application
    w, f = flow.title(where), flow.title(step)
    message = f"{w} selects too late: where it does not select {f}, 0 times an infinite slope would be NaN."
    return Finding("guarded_by_where", "info", flow.path(step), message, _guarding(flow, edge, where, slot))


def _guard_sentence(flow: Flow, edge: Edge, where: Application, safe: float) -> str:
    """Returns what the new Where does, with the blocks' names."""
    f, w, source = flow.block(edge.application), flow.block(where), edge.application.inputs[edge.slot]
    x = "its input" if source is None else flow.block(source.application)
    return f"Insert a second Where before {f}. It passes {x} where {w} selects {f}, else {safe:g}."


def _is_dangerous(step: Application) -> bool:
    return step.type.name in _DANGEROUS


def _is_elementwise(step: Application) -> bool:
    return step.type.by_element


def _is_comparing(step: Application) -> bool:
    return step.type.category == "Comparison" or step.type.by_element
