"""Rules about models that cannot learn: detached predictions, dead units, gradients that vanish."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gradwire.engine.advice import fixes
from gradwire.engine.advice.finding import Finding
from gradwire.engine.advice.patterns import is_all
from gradwire.engine.advice.step_graph import SHAPING, Flow, input_of, makers, opposite, root
from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression

# Steps that a loss consists of, between its terms and the Loss.
_SUMMING = (*SHAPING, "Add", "AddN", "Subtract", "Negative", "ReduceSum", "ReduceMean", "Cast")
_LOGARITHMS = ("Log", "LogSoftmax", "LogSigmoid", "Softplus")
_PENALTIES = ("Square", "Abs", "Pow", "Sqrt", "L2Loss")
# A unit counts as dead if its best example is this many standard deviations below 0, and not near it by chance.
_FAR = 2.0
# A layer of so many numbers is not 0 altogether by chance.
_ENOUGH, _ROWS = 8, 4
# Steps between a convolution and a rectifier, such as those of a normalisation.
_NEAR = 8


def nothing_learns(flow: Flow) -> Iterator[Finding]:
    """Finds detached predictions: no gradient of the loss that depends on data remains, or none of a reconstruction."""
    detached = list(_nothing(flow))
    yield from detached or _reconstructions(flow)


def _reconstructions(flow: Flow) -> Iterator[Finding]:
    """Finds codes that are stopped between the data and its reconstruction."""
    done: set[Application] = set()
    for error in (step for step in flow.steps if step.type.name == "Subtract" or step.type.is_penalty):
        sides = [item for item in error.inputs if item is not None]
        data = {root(item).application for item in sides if flow.maker(item, "Input", "Constant") is not None}
        for rebuilt in (item for item in sides if flow.trainable(item) and flow.blocked(item)):
            for stop in flow.ancestors(rebuilt) - done:
                if stop.type.role is Role.STOP and _hides_code(flow, stop, rebuilt, data):
                    done.add(stop)
                    yield _stopped_code(flow, stop, error)


def _hides_code(flow: Flow, stop: Application, rebuilt: Expression, data: set[Application]) -> bool:
    """Returns whether a stop keeps all that a code of the data depends on from the error of its reconstruction."""
    code = flow.trainable(input_of(stop))
    return bool(code) and not code & flow.trainable(rebuilt) and not data.isdisjoint(flow.ancestors(input_of(stop)))


def _stopped_code(flow: Flow, stop: Application, error: Application) -> Finding:
    names = ", ".join(flow.title(variable) for variable in flow.variables(flow.trainable(input_of(stop))))
    message = (
        f"{flow.title(stop)} stops the code from which the data is rebuilt. The error of the reconstruction at "
        f"{flow.title(error)} never reaches {names}."
    )
    fix = flow.fix("Remove the StopGradient", fixes.dissolve, stop, block_id=flow.block(stop))
    return Finding("nothing_learns", "warning", flow.path(stop), message, fix, (flow.path(error),))


def _nothing(flow: Flow) -> Iterator[Finding]:
    """Finds losses from which StopGradients keep back every gradient that depends on data."""
    cut: set[Application] = set()
    for loss in flow.losses:
        for term in _terms(flow, input_of(loss)):
            if flow.trainable(term) and flow.is_of_data(term):
                return
            if flow.blocked(term) and flow.is_of_data(term):
                cut.update(stop for stop, is_error in _stops(flow, term) if is_error)
    for stop in (step for step in flow.steps if step in cut):
        count = flow.blocked(stop.outputs[0]).bit_count()
        message = (
            f"{flow.title(stop)} detaches the prediction from the loss. {count} of {len(flow.variables(-1))} trainable "
            "variables lie behind it, and none learns from data."
        )
        fix = flow.fix("Remove the StopGradient", fixes.dissolve, stop, block_id=flow.block(stop))
        yield Finding("nothing_learns", "warning", flow.path(stop), message, fix if len(cut) == 1 else None)


def _terms(flow: Flow, expression: Expression) -> Iterator[Expression]:
    """Yields the terms that a loss adds up."""
    waiting, seen = [root(expression)], set[Expression]()
    for item in waiting:
        if item in seen:
            continue
        seen.add(item)
        step = item.application
        if step.type.name in _SUMMING and flow.has(step):
            waiting += [root(source) for source in step.inputs if source is not None]
        else:
            yield item


def _stops(flow: Flow, term: Expression) -> Iterator[tuple[Application, bool]]:
    """Yields the StopGradients that keep gradients of a term from variables, and whether an error lies between."""
    waiting, seen = [(root(term).application, False)], set[tuple[Application, bool]]()
    for item in waiting:
        if item in seen:
            continue
        seen.add(item)
        step, is_error = item
        if step.type.role is Role.STOP:
            if flow.blocked(step.outputs[0]):
                yield step, is_error or _is_of_error(flow, step)
        elif any(flow.blocked(output) for output in step.outputs):
            is_square = step.type.name == "Multiply" and step.inputs[0] is step.inputs[1]
            is_error = is_error or is_square or step.type.is_penalty or step.type.name in _LOGARITHMS
            waiting += [(maker, is_error) for maker in makers(step)]


def _is_of_error(flow: Flow, stop: Application) -> bool:
    """Returns whether a StopGradient follows the error itself."""

    def is_error(step: Application) -> bool:
        return step.type.is_penalty

    found = flow.makers_behind(input_of(stop), is_error, lambda step: step.type.name in _SUMMING)
    return next(found, None) is not None


# Dead units


class _Rectifier(NamedTuple):
    """Step that is 0 for negative numbers: its input before, and the gradient's mask."""

    step: Application
    slot: int


def dead_units(flow: Flow) -> Iterator[Finding]:
    """Finds rectified layers with units that are 0 for every example of the batch."""
    for unit in _rectifiers(flow):
        x = input_of(unit.step, unit.slot)
        before, after = flow.value(x), flow.value(unit.step.outputs[0])
        if not flow.trainable(x) or before is None or after is None or before.size < 2:
            continue
        axis = _axis_of_units(flow, x)
        before, after = _with_units_last(before, axis), _with_units_last(after, axis)
        dead = _dead(before, after, flow.is_of_data(x))
        if not dead.any() or _is_margin(flow, unit.step):
            continue
        count, examples = int(dead.sum()), before.size // dead.size
        message = (
            f"{flow.title(unit.step)} passes nothing for {count} of {dead.size} units in any of {examples} examples. "
            f"Their inputs are {before[..., dead].max():g} at most, so no gradient can bring them back."
        )
        fix = flow.fix(
            "Use LeakyRelu",
            fixes.as_leaky,
            unit.step,
            changes_loss=True,
            block_id=flow.block(unit.step),
            source=flow.target(Edge(*unit)),
        )
        yield Finding("dead_units", "warning", flow.path(unit.step), message, fix)


def _rectifiers(flow: Flow) -> Iterator[_Rectifier]:
    for step in flow.of_type("Relu", "Relu6", "Maximum", "Where"):
        if step.type.name in ("Relu", "Relu6"):
            yield _Rectifier(step, 0)
        elif step.type.name == "Maximum":
            yield from (_Rectifier(step, slot) for slot in (0, 1) if is_all(flow, step.inputs[opposite(slot)], 0))
        elif is_all(flow, step.inputs[2], 0) and _is_of_positive(flow, step):
            yield _Rectifier(step, 1)


def _axis_of_units(flow: Flow, x: Expression) -> int:
    """Returns the axis of the channels where a convolution says that it is not the last one."""
    step = root(x).application
    for _ in range(_NEAR):
        layout = str(step.parameters.get("data_format", ""))
        if layout or step.type.sums_products or not step.inputs or not flow.has(step):
            return 1 if layout.startswith("NC") else -1
        step = root(input_of(step)).application
    return -1


def _is_of_positive(flow: Flow, where: Application) -> bool:
    """Returns whether a Where chooses its first tensor where that is positive."""
    compared = flow.maker(where.inputs[0], "Greater", "GreaterEqual", "Less", "LessEqual")
    return compared is not None and any(
        item is not None and root(item) is root(input_of(where, 1)) for item in compared.inputs
    )


def _with_units_last(array: Array, axis: int) -> Array:
    """Returns an array with its units on the last axis; numbers on one axis alone are examples of one unit."""
    return array[:, np.newaxis] if array.ndim == 1 else np.moveaxis(array, axis, -1)


def _dead(before: Array, after: Array, has_data: bool) -> Array:
    """Returns which units, those of the last axis, are 0 for all examples."""
    if before.shape != after.shape or not np.isfinite(before).all() or not has_data:
        return np.zeros(0, bool)
    rows = before.reshape(-1, before.shape[-1])
    # The question is the same for other units of the numbers, whose squares then neither overflow nor vanish.
    rows = rows / (np.abs(rows).max(initial=0) or 1)
    silent: Array = (after.reshape(rows.shape) == 0).all(axis=0)
    if len(rows) < 2:
        return np.zeros(0, bool)
    # Behind other rectifiers examples are alike: there the other units say how far from 0 is far.
    typical = np.sqrt(np.mean(np.square(rows[:, ~silent]))) if not silent.all() else 0.0
    is_far: Array = rows.max(axis=0) <= -_FAR * np.maximum(rows.std(axis=0), typical)
    if silent.all() and (before.size >= _ENOUGH or is_far.all()):
        return silent
    dead: Array = silent & is_far
    return dead if len(rows) >= _ROWS else np.zeros(0, bool)


def _is_margin(flow: Flow, step: Application) -> bool:
    """Returns whether a rectifier is itself a penalty, as in a hinge loss: 0 then means that all is well."""
    waiting, seen = [(step, False)], set[tuple[Application, bool]]()
    for item in waiting:
        if item in seen:
            continue
        seen.add(item)
        current, is_compared = item
        for edge in flow.users(current.outputs[0]):
            name, user = edge.application.type.name, edge.application
            if user in flow.losses or flow.gradient(edge) is None:
                continue
            if name in _PENALTIES and not is_compared:
                waiting.append((user, False))
            elif name in ("Add", "AddN", "Subtract") and input_of(user, edge.slot).shape:
                waiting.append((user, True))
            elif name in _SUMMING or _is_scaling(flow, edge):
                waiting.append((user, is_compared))
            else:
                return False
    return True


def _is_scaling(flow: Flow, edge: Edge) -> bool:
    if edge.application.type.name == "Multiply":
        return not flow.trainable(input_of(edge.application, opposite(edge.slot)))
    return edge.application.type.name == "Divide" and edge.slot == 0
