"""Rules about variables that cannot learn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from engine.expand import PortName
from engine.expression import Application
from engine.soft_choice import can_soften, soften
from engine.status import Status
from engine.tensor_spec import Array
from lint import fixes
from lint.finding import Finding, Fix
from lint.flow import Flow, is_trainable

# Their value is near their input: it can be passed on with the gradient of the input.
_NEARLY_IDENTITY = ("Round", "Floor", "Ceil", "Rint")


def only_way_cut(flow: Flow) -> Iterator[Finding]:
    """A step without a derivative on the only way from a variable to the loss."""
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
        message = f"{flow.title(step)} has no derivative and cuts the only way to the loss: {names} cannot learn."
        yield Finding("only_way_cut", "warning", path, message, _way_on(flow, step))


def _way_on(flow: Flow, step: Application) -> Fix | None:
    """Past what is nearly its input; a softmax in place of the place of an extreme."""
    if step.type.name in _NEARLY_IDENTITY:
        return flow.fix("Pass the gradient straight through", fixes.straight_through, step, block_id=flow.block(step))
    page, block, x = flow.page(step), flow.block(step), step.inputs[0]
    if page is None or x is None or not can_soften(flow.run.graph.page(page), block, x.shape):
        return None
    return Fix(
        "Replace it by a softmax", partial(soften, page_name=page, block_id=block, shape=x.shape, dtype=x.dtype.name)
    )


class _Layer(NamedTuple):
    """A hidden layer: weights before and behind it, both oriented inputs by outputs, and what is between."""

    before: Application
    behind: Application
    weights: Array
    further: Array
    hidden: Array


def equal_weights(flow: Flow) -> Iterator[Finding]:
    """A hidden layer whose units all start alike, and so stay alike."""
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
            variable=flow.block(layer.before),
            inputs=inputs,
            outputs=outputs,
        )
        yield Finding("equal_weights", "warning", flow.path(layer.before), message, fix)


def _start_at_zero(names: str, units: int) -> str:
    if units == 2:
        return f"{names} start at 0. Both units between them get a gradient of 0, or the same one, for ever."
    return f"{names} start at 0. All {units} units between them get a gradient of 0, or the same one, for ever."


def _start_alike(names: str, units: int) -> str:
    if units == 2:
        return f"{names} give both units between them the same weights. They get equal gradients for ever."
    return f"{names} give all {units} units between them the same weights. They get equal gradients for ever."


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
    """The trainable variable that a product multiplies by, and its value, inputs by outputs."""
    variable = flow.maker(product.inputs[1], "Variable")
    value = None if variable is None or not is_trainable(variable) else flow.value(variable.outputs[0])
    if value is None or value.ndim != 2 or product.parameters["transpose_a"]:
        return None, None
    return variable, value.T if product.parameters["transpose_b"] else value


def _all_alike(array: Array) -> bool:
    """Whether all columns, along the last axis, are the same."""
    return array.size > 0 and bool((array == array[..., :1]).all())
