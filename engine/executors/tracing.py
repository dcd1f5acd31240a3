"""Tracing: records a block's function as calls of NumPy's inner loops by running it on stand-ins for arrays.

Source: tracing by operator overloading, as in Frostig, Johnson and Leary, Compiling Machine Learning Programs via
High-Level Tracing (2018). Cost: one call of the function on stand-ins.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import gradwire.engine.executors.traced_einsum
import gradwire.engine.executors.traced_functions  # noqa: F401  # registers what tracers record
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.expression import Application
from gradwire.engine.executors.traced_array import Recorder, TracedArray
from gradwire.engine.executors.ufunc_loops import Call, Strided


@dataclass(frozen=True)
class Recording:
    """Calls that replace a function.

    Buffers are numbered: the inputs first, then those in `sizes`, made for results. `constants` holds the contents of
    some of these. `outputs` has the places of the results; one may lie in the buffer of an input.
    """

    calls: tuple[Call, ...]
    sizes: Mapping[int, int]
    constants: Mapping[int, Array]
    outputs: tuple[Strided, ...]
    guards: tuple[Strided, ...] = ()


def record(
    function: Callable[..., Any], inputs: Sequence[Strided | None], parameters: Mapping[str, Any]
) -> Recording | None:
    """Traces a function of arrays; returns None if its calls depend on more than shapes and dtypes."""
    recorder = Recorder(len(inputs))
    stand_ins = [None if item is None else TracedArray(recorder, item) for item in inputs]
    try:
        with np.errstate(all="ignore"):
            outcome = function(*stand_ins, **parameters)
        outputs = [recorder.finished(item) for item in (outcome if isinstance(outcome, tuple) else (outcome,))]
    except Exception:  # A stand-in lacks most features of an array, so a function may fail on it in any way.
        return None
    return Recording(tuple(recorder.calls), recorder.sizes, recorder.constants, tuple(outputs), tuple(recorder.guards))


def recorded(application: Application, inputs: Sequence[Strided | None]) -> Recording | None:
    """Traces an application for inputs of these layouts; returns None if its outputs differ from the inferred specs."""
    numbered = [None if item is None else item._replace(buffer=number, offset=0) for number, item in enumerate(inputs)]
    found = record(application.type.function, numbered, application.parameters)
    specs = [(item.shape, item.dtype) for item in found.outputs] if found is not None else []
    if found is None or specs != [(item.shape, item.dtype) for item in application.outputs]:
        return None
    return found if not found.guards or _can_be_written(found) else None


def _can_be_written(recording: Recording) -> bool:
    """Returns whether a call of the function could write its results to the places of a recording's outputs."""
    own = recording.sizes.keys() - recording.constants.keys()
    axes = [axis for item in recording.outputs for axis in zip(item.shape, item.strides, strict=True)]
    is_own = bool(recording.outputs) and all(item.buffer in own for item in recording.outputs)
    return is_own and all(step or size == 1 for size, step in axes)


def key_of(application: Application, layouts: Hashable) -> Hashable | None:
    """Returns the cache key of a recording; None if a parameter is unhashable, such as a list or an array."""
    if not application.parameters:
        return application.type, layouts
    items = tuple(application.parameters.items())
    try:
        hash(items)
    except TypeError:
        return None
    # 0.0, -0.0 and False are equal but not interchangeable.
    return application.type, layouts, items, repr(items)


class Recordings:
    """Cache of recordings: a graph applies few functions to few layouts, again and again."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Recording | None] = {}

    def of(self, application: Application, inputs: Sequence[Strided | None]) -> Recording | None:
        """Returns the recording of an application to inputs of these layouts."""
        layouts = tuple(None if item is None else item[2:] for item in inputs)
        # The shapes of some outputs depend on the numbers of inputs.
        key = key_of(application, (layouts, tuple(item.spec for item in application.outputs)))
        if key is None:
            return recorded(application, inputs)
        if key not in self._known:
            self._known[key] = recorded(application, inputs)
        return self._known[key]
