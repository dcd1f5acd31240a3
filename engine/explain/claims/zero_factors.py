"""Zero by which a block multiplies a gradient: any other number there lets some gradient pass, as a trial shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gradwire.engine.autodiff.backward import Edge
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.causes.linear_steps import generic_numbers
from gradwire.engine.causes.zero_codes import Root
from gradwire.engine.evaluation.evaluate import Evaluation
from gradwire.engine.explain.claims.local_trials import LocalTrial, element
from gradwire.engine.explain.zero_amounts import Index

# So many zeros are tried one by one for the one that matters.
_TRIED = 64
_ROUNDING = 1e-9


@dataclass(frozen=True)
class ZeroFactor:
    """Port of a block by whose zero an element's gradient is multiplied: any other number there gives a gradient.

    `index` is the element of the port, None if several zeros must change; `is_all` says that all of it is zero.
    """

    port: str
    index: Index | None
    is_all: bool


def zero_factor_of(run: Evaluation, root: Root, index: Index, named: Sequence[str] = ()) -> ZeroFactor | None:
    """Returns the zero by which a block multiplies an element of its gradient; `named` are the ports to try first.

    None if no other number in one port alone would give a gradient.
    """
    if root.edge is None:
        return None
    trial, application = LocalTrial(run, root.edge), root.edge.application
    names = application.type.input_names(len(application.inputs))
    order = sorted(range(len(names)), key=lambda slot: names[slot] not in named)
    for slot in order:
        array = trial.inputs[slot]
        if array is not None and array.dtype.kind == "f" and (array == 0).any():
            found = _zero_in(trial, slot, array, index)
            if found is not None:
                return ZeroFactor(names[slot], *found)
    return _zero_result(trial, root.edge, index)


def _zero_in(trial: LocalTrial, slot: int, array: Array, index: Index) -> tuple[Index | None, bool] | None:
    zeros = array == 0
    if not _has_gradient(trial, slot, _filled(array), index):
        return None
    if zeros.all():
        return None if zeros.size > 1 else (0,) * array.ndim, True
    places = [tuple(map(int, place)) for place in np.argwhere(zeros)[:_TRIED]]
    # The zero at the same place is the most likely one.
    for place in sorted(places, key=lambda item: item != index[len(index) - len(item) :]):
        moved = array.copy()
        moved[place] = _filled(array)[place]
        if _has_gradient(trial, slot, moved, index):
            return place, False
    return None, False


def _filled(array: Array) -> Array:
    """Returns an array with ordinary numbers in place of its zeros; sums of these do not cancel."""
    return np.where(array == 0, generic_numbers(array.shape, dtype=array.dtype), array)


def _has_gradient(trial: LocalTrial, slot: int, moved: Array, index: Index) -> bool:
    inputs = [moved if at == slot else item for at, item in enumerate(trial.inputs)]
    return _is_there(trial.gradient(inputs), index)


def _is_there(gradient: Array | None, index: Index) -> bool:
    """Returns whether an element is more than the rounding error of a gradient."""
    if gradient is None:
        return False
    return abs(element(gradient, index)) > _ROUNDING * float(np.abs(np.nan_to_num(gradient)).max(initial=0))


def _zero_result(trial: LocalTrial, edge: Edge, index: Index) -> ZeroFactor | None:
    """Returns the block's own result as the factor, as of an exponential."""
    outputs = [np.asarray(item) for item in trial.outputs(trial.inputs)]
    names = edge.application.type.output_names(len(outputs))
    for place, array in enumerate(outputs):
        if array.dtype.kind != "f" or not (array == 0).any():
            continue
        moved = [_filled(item) if at == place else item for at, item in enumerate(outputs)]
        if _is_there(trial.gradient(trial.inputs, moved), index):
            same = index if array.ndim == len(index) and element(array, index) == 0 else None
            return ZeroFactor(names[place], same, bool((array == 0).all()))
    return None
