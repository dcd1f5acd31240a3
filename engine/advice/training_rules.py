"""Rules about variables that cannot learn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from gradwire.engine.advice import fixes
from gradwire.engine.advice.finding import Finding, Fix
from gradwire.engine.advice.gradient_edits import can_soften, soften
from gradwire.engine.advice.step_graph import Flow, is_trainable
from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.autodiff.status import Status
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application

# Outputs near the input, to which a straight-through gradient applies.
_NEARLY_IDENTITY = ("Round", "Floor", "Ceil", "Rint")


def only_way_cut(flow: Flow) -> Iterator[Finding]:
    """Finds steps without a derivative on the only path from a variable to the loss."""
    cuts: dict[str, list[Application]] = {}
    for variable in filter(is_trainable, flow.of_type("Variable")):
        result = flow.run.snapshot.ports.get(PortName(flow.path(variable), "y"))
        if result is not None and result.status is Status.NON_DIFFERENTIABLE and result.by:
            cuts.setdefault(result.by[0], []).append(variable)
    steps = {flow.path(step): step for step in flow.steps}
    for path, variables in cuts.items():
        step = steps.get(path)
        if step is None:
            continue
        names = ", ".join(flow.title(variable) for variable in variables)
        message = f"{flow.title(step)} has no derivative and blocks the only path to the loss: {names} cannot learn."
        yield Finding("only_way_cut", "warning", path, message, _way_on(flow, step))


def _way_on(flow: Flow, step: Application) -> Fix | None:
    """Returns a straight-through fix for steps near the identity, and a softmax for ArgMax or ArgMin."""
    if step.type.name in _NEARLY_IDENTITY:
        return flow.fix("Pass the gradient straight through", fixes.straight_through, step, block_id=flow.block(step))
    page, block, x = flow.page(step), flow.block(step), step.inputs[0]
    if page is None or x is None or not can_soften(flow.run.graph.page(page), block, x.shape):
        return None
    edit = partial(soften, page_name=page, block_id=block, shape=x.shape, dtype=x.dtype.name)
    return Fix("Replace it by a softmax", edit, changes_loss=True)


class _Layer(NamedTuple):
    """Hidden layer: weights before and after it, both oriented inputs by outputs, and its values."""

    before: Application
    behind: Application
    weights: Array
    further: Array
    hidden: Array


def equal_weights(flow: Flow) -> Iterator[Finding]:
    """Finds hidden layers whose units all start alike, and therefore stay alike."""
    for layer in _layers(flow):
        units = layer.hidden.shape[-1]
        alike = _all_alike(layer.weights) and _all_alike(layer.further.T) and _all_alike(layer.hidden)
        if units < 2 or not alike:
            continue
        names = f"{flow.title(layer.before)} and {flow.title(layer.behind)}"
        is_zero = not layer.weights.any() and not layer.further.any()
        message = _start_at_zero(names, units) if is_zero else _start_alike(names, units)
        inputs, outputs = layer.weights.shape
        fix = flow.fix(
            "Fill in small random numbers",
            fixes.with_random_values,
            layer.before,
            changes_loss=True,
            variable=flow.block(layer.before),
            inputs=inputs,
            outputs=outputs,
        )
        yield Finding("equal_weights", "warning", flow.path(layer.before), message, fix)


def _start_at_zero(names: str, units: int) -> str:
    if units == 2:
        return (
            f"{names} start at 0. Both hidden units always receive the same gradient, so they never become different."
        )
    return (
        f"{names} start at 0. All {units} hidden units always receive the same gradient, so they never become "
        "different."
    )


def _start_alike(names: str, units: int) -> str:
    if units == 2:
        return f"{names} give both units between them the same weights. They always receive the same gradient."
    return f"{names} give all {units} units between them the same weights. They always receive the same gradient."


def _layers(flow: Flow) -> Iterator[_Layer]:
    elementwise = {step.type.name for step in flow.steps if step.type.by_element} | {"BiasAdd"}
    for product in flow.of_type("MatMul"):
        before, weights = _weights(flow, product)
        if before is None or weights is None:
            continue
        for edge in flow.leads_to(product.outputs[0], ("MatMul",), elementwise):
            behind, further = _weights(flow, edge.application)
            item = edge.application.inputs[0]
            hidden = None if item is None or edge.slot != 0 else flow.value(item)
            is_between = hidden is not None and hidden.shape[-1:] == weights.shape[1:]
            if behind is not None and further is not None and hidden is not None and is_between:
                yield _Layer(before, behind, weights, further, hidden)


def _weights(flow: Flow, product: Application) -> tuple[Application | None, Array | None]:
    """Returns the trainable variable by which a product multiplies, and its value, inputs by outputs."""
    variable = flow.maker(product.inputs[1], "Variable")
    value = None if variable is None or not is_trainable(variable) else flow.value(variable.outputs[0])
    if value is None or value.ndim != 2 or product.parameters["transpose_a"]:
        return None, None
    return variable, value.T if product.parameters["transpose_b"] else value


def _all_alike(array: Array) -> bool:
    """Returns whether all columns, along the last axis, are equal."""
    return array.size > 0 and bool((array == array[..., :1]).all())
