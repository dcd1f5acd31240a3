"""Derivatives without a slope of their own: between kinks, a network of Relus is linear and its gradient constant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gradwire.engine.autodiff.expand import PortName
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import Role
from gradwire.engine.blocktypes.expression import Application, Expression, topological_order
from gradwire.engine.blocktypes.plan import make_plan
from gradwire.engine.blocktypes.plan import run as run_plan
from gradwire.engine.causes.linear_steps import generic_numbers, run_application
from gradwire.engine.evaluation.evaluate import Evaluation

# Larger than rounding errors, and small beside the distance of most numbers from a kink.
# What is linear across 0 has the same slope on both sides but for the last share.
_NUDGE, _SAME, _BENT = 1e-5, 1e-9, 1e-3


def constant_slopes(run: Evaluation, path: str) -> tuple[str, ...] | None:
    """Returns the blocks whose slopes are constant around the numbers of a Gradients block, which makes it constant.

    None for another block, and if its result changes when what it differentiates by moves a little.
    """
    instance, ports = run.lowered.inferred.expanded.instances[path], run.lowered.ports
    if instance.role is not Role.GRADIENTS:
        return None
    ends = {name: ports.get(port) for name, port in instance.inputs.items() if port is not None}
    found = [ports.get(PortName(path, name)) for name in run.lowered.inferred.outputs[path]]
    xs = [item for name, item in ends.items() if name != "y" and item is not None]
    made, y = [item for item in found if item is not None], ends.get("y")
    if y is None or not xs or not made or not _is_constant(run, xs, made):
        return None
    inner = dict.fromkeys(item.application for item in xs)
    between = [item for item in topological_order([y], known=inner) if _is_kinked(run, item)]
    return tuple(dict.fromkeys(run.lowered.owners[item] for item in between if item in run.lowered.owners))


def _is_constant(run: Evaluation, xs: Sequence[Expression], made: Sequence[Expression]) -> bool:
    plan = make_plan(made)
    for sign in (1, -1):
        moved = {
            plan.slots[x]: _moved(array, sign) for x in xs if x in plan.slots and (array := run.results[x]) is not None
        }
        results = run_plan(plan, moved)
        for item in made:
            before, after = run.results[item], results[item]
            if before is None or after is None or not np.allclose(before, after, rtol=_SAME, atol=0):
                return False
    return True


def _moved(array: Array, sign: int) -> Array:
    numbers = generic_numbers(array.shape) * np.maximum(1, np.abs(array)) * _NUDGE * sign
    return (array + numbers).astype(array.dtype)


def _is_kinked(run: Evaluation, application: Application) -> bool:
    """Returns whether a block of one tensor is linear nowhere across 0, as a Relu."""
    arrays = [None if item is None else run.results[item] for item in application.inputs]
    floats = [slot for slot, array in enumerate(arrays) if array is not None and array.dtype.kind == "f"]
    if len(floats) != 1:
        return False
    (slot,) = floats
    array = arrays[slot]
    assert array is not None
    numbers = generic_numbers(array.shape, dtype=array.dtype)
    tried = [
        run_application(application, [numbers * scale if at == slot else item for at, item in enumerate(arrays)])[0]
        for scale in (array.dtype.type(1), array.dtype.type(-1), array.dtype.type(0))
    ]
    if any(item.dtype.kind != "f" for item in tried):
        return False
    above, below, middle = tried
    return not np.allclose(above + below, 2 * middle, rtol=_BENT)
