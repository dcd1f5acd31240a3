"""Tracing: records a block's function as calls of NumPy's inner loops by running it on stand-ins for arrays.

Source: tracing by operator overloading, as in Frostig, Johnson and Leary, Compiling Machine Learning Programs via
High-Level Tracing (2018). Cost: one call of the function on stand-ins.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin
from numpy.lib.stride_tricks import as_strided, sliding_window_view

from gradwire.engine.base.tensor_spec import Array, Shape, broadcast_shapes, normalize_axis
from gradwire.engine.blocktypes.expression import Application
from gradwire.engine.executors.ufunc_loops import (
    Call,
    Loop,
    Strided,
    by_element,
    contiguous,
    loop_of,
    over_parts,
    product,
)
from gradwire.engine.executors.windows import first_greatest, put_into


class _Unrecordable(Exception):
    """Function that loops cannot express: it reads numbers, or calls an unknown function."""


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


def record(
    function: Callable[..., Any], inputs: Sequence[Strided | None], parameters: Mapping[str, Any]
) -> Recording | None:
    """Traces a function of arrays; returns None if its calls depend on more than shapes and dtypes."""
    recorder = _Recorder(len(inputs))
    stand_ins = [None if item is None else TracedArray(recorder, item) for item in inputs]
    try:
        with np.errstate(all="ignore"):
            outcome = function(*stand_ins, **parameters)
        outputs = [recorder.strided(item) for item in (outcome if isinstance(outcome, tuple) else (outcome,))]
    except Exception:  # A stand-in lacks most features of an array, so a function may fail on it in any way.
        return None
    return Recording(tuple(recorder.calls), recorder.sizes, recorder.constants, tuple(outputs))


def recorded(application: Application, inputs: Sequence[Strided | None]) -> Recording | None:
    """Traces an application for inputs of these layouts; returns None if its outputs differ from the inferred specs."""
    numbered = [None if item is None else item._replace(buffer=number, offset=0) for number, item in enumerate(inputs)]
    found = record(application.type.function, numbered, application.parameters)
    specs = [(item.shape, item.dtype) for item in found.outputs] if found is not None else []
    return found if specs == [(item.shape, item.dtype) for item in application.outputs] else None


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
        key = key_of(application, tuple(None if item is None else item[2:] for item in inputs))
        if key is None:
            return recorded(application, inputs)
        if key not in self._known:
            self._known[key] = recorded(application, inputs)
        return self._known[key]


class _Recorder:
    """Collector of calls and allocator of buffers."""

    def __init__(self, inputs: int) -> None:
        self._next = inputs
        self.calls: list[Call] = []
        self.sizes: dict[int, int] = {}
        self.constants: dict[int, Array] = {}

    def strided(self, value: Any) -> Strided:
        """Returns the place of an operand: a stand-in's elements, or a new constant."""
        if isinstance(value, TracedArray):
            return value.strided
        if not isinstance(value, np.ndarray | np.generic):
            raise _Unrecordable
        array = np.asarray(value)
        small = array[tuple(slice(0, 1) if not step else slice(None) for step in array.strides)]
        made = self.new(small.shape, array.dtype)
        self.constants[made.buffer] = np.ascontiguousarray(small).reshape(small.shape)
        strides = [step if whole else 0 for step, whole in zip(made.strides, array.strides, strict=True)]
        return Strided(made.buffer, 0, array.shape, tuple(strides), array.dtype)

    def new(self, shape: Shape, dtype: np.dtype[Any]) -> Strided:
        """Returns a new buffer for an array of this shape and dtype."""
        number, self._next = self._next, self._next + 1
        self.sizes[number] = math.prod(shape) * dtype.itemsize
        return Strided(number, 0, shape, contiguous(shape, dtype.itemsize), dtype)

    def apply(self, loop: Loop | None, operands: Iterable[Strided], out: Strided) -> TracedArray:
        """Records an elementwise call."""
        if loop is None:
            raise _Unrecordable
        self.add(by_element(loop, [*operands, out], out.shape))
        return TracedArray(self, out)

    def add(self, call: Call | None) -> None:
        """Records a call, if there is anything to do."""
        if call is not None:
            self.calls.append(call)


class TracedArray(NDArrayOperatorsMixin):
    """Tracer that replaces an array: it has shape and dtype, and records all operations on it."""

    def __init__(self, recorder: _Recorder, strided: Strided) -> None:
        self._recorder, self.strided = recorder, strided

    @property
    def shape(self) -> Shape:
        """Shape of the array."""
        return self.strided.shape

    @property
    def dtype(self) -> np.dtype[Any]:
        """Dtype of the array."""
        return self.strided.dtype

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    @property
    def T(self) -> TracedArray:
        """View with the axes in reverse order."""
        return self._viewed(np.transpose)

    def __array__(self, *_: Any, **__: Any) -> Array:
        # Without this NumPy would gather the stand-ins of all elements, one by one.
        raise _Unrecordable

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError
        return self.shape[0]

    def __getitem__(self, index: Any) -> TracedArray:
        parts = index if isinstance(index, tuple) else (index,)
        if not all(item is None or item is Ellipsis or isinstance(item, int | slice) for item in parts):
            raise _Unrecordable
        # With an ellipsis a single element is a view, too.
        whole = parts if Ellipsis in parts else (*parts, Ellipsis)
        return self._viewed(lambda array: array[whole])

    def __setitem__(self, index: Any, value: Any) -> None:
        part = self[index].strided
        if part.buffer not in self._recorder.sizes:
            raise _Unrecordable
        self._recorder.apply(f"copy_{part.dtype.itemsize}", [self._operand(value, part.dtype)], part)

    def astype(self, dtype: Any, **_: bool) -> TracedArray:
        """Returns the elements in another dtype; the copy argument makes no difference."""
        wanted = np.dtype(dtype)
        if wanted == self.dtype:
            return self
        name = f"cast_{self.dtype.name}_{wanted.name}"
        if name not in CASTS:
            raise _Unrecordable
        return self._recorder.apply(name, [self.strided], self._recorder.new(self.shape, wanted))

    def reshape(self, *shape: Any) -> TracedArray:
        """Returns the elements in another shape; copies them if strides cannot express it."""
        wanted = shape[0] if len(shape) == 1 and not isinstance(shape[0], int) else shape
        try:
            return self._viewed(lambda array: np.reshape(array, wanted, copy=False))
        except ValueError:
            return self._copied()._viewed(lambda array: array.reshape(wanted))

    def _copied(self) -> TracedArray:
        size = self.dtype.itemsize
        if f"copy_{size}" not in COPIES:
            raise _Unrecordable
        return self._recorder.apply(f"copy_{size}", [self.strided], self._recorder.new(self.shape, self.dtype))

    def _viewed(self, view: Callable[[Array], Array]) -> TracedArray:
        """Returns another view of the same memory; NumPy computes it on a dummy array that nobody reads."""
        item = self.strided
        anchor = np.empty(1, item.dtype)
        seen = view(as_strided(anchor, item.shape, item.strides))
        if seen.flags.owndata:
            raise _Unrecordable
        moved = seen.__array_interface__["data"][0] - anchor.__array_interface__["data"][0]
        offset = item.offset + (moved if seen.size else 0)
        return TracedArray(self._recorder, Strided(item.buffer, offset, seen.shape, seen.strides, item.dtype))

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        if method != "__call__" or keywords or ufunc.nout != 1:
            raise _Unrecordable
        dtypes = ufunc.resolve_dtypes((*map(_kind, inputs), None))
        operands = [self._operand(item, dtype) for item, dtype in zip(inputs, dtypes[:-1], strict=True)]
        loop = loop_of(ufunc, tuple(dtypes))
        if ufunc is np.matmul:
            return self._multiplied(loop, operands, dtypes[-1])
        if ufunc.signature is not None:
            raise _Unrecordable
        shape = broadcast_shapes([item.shape for item in operands])
        return self._recorder.apply(loop, operands, self._recorder.new(shape, dtypes[-1]))

    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        if function in _VIEWS:
            return arguments[0]._viewed(lambda array: function(array, *arguments[1:], **keywords))
        if function not in _FUNCTIONS:
            raise _Unrecordable
        return _FUNCTIONS[function](self._recorder, *arguments, **keywords)

    def _operand(self, item: Any, dtype: np.dtype[Any]) -> Strided:
        if isinstance(item, TracedArray):
            return item.astype(dtype).strided
        return self._recorder.strided(np.asarray(item).astype(dtype))

    def _multiplied(self, loop: Loop | None, operands: Sequence[Strided], dtype: np.dtype[Any]) -> TracedArray:
        a, b = operands
        if loop is None or len(a.shape) < 2 or len(b.shape) < 2:
            raise _Unrecordable
        batch = broadcast_shapes((a.shape[:-2], b.shape[:-2]))
        out = self._recorder.new((*batch, a.shape[-2], b.shape[-1]), dtype)
        if a.shape[-1] == 0:
            raise _Unrecordable
        self._recorder.add(product(loop, a, b, out))
        return TracedArray(self._recorder, out)


CASTS = frozenset(
    f"cast_{source}_{target}"
    for source, targets in {
        "bool": ("float32", "float64", "int32", "int64"),
        "int32": ("float32", "float64", "int64"),
        "int64": ("float32", "float64"),
        "float32": ("float64",),
        "float64": ("float32",),
    }.items()
    for target in targets
)
COPIES = frozenset(f"copy_{size}" for size in (1, 2, 4, 8))
GREATEST = frozenset(f"greatest_{name}" for name in ("float32", "float64", "int32", "int64"))
PUTS = frozenset(f"put_{size}" for size in (4, 8))


def _kind(item: Any) -> Any:
    """Returns the argument's type for dtype resolution: a Python number is weak."""
    return (
        type(item) if type(item) in (int, float) else item.dtype if hasattr(item, "dtype") else np.asarray(item).dtype
    )


def _where(recorder: _Recorder, condition: Any, x: Any, y: Any) -> TracedArray:
    dtype = np.result_type(*(item if type(item) in (int, float) else item.dtype for item in (x, y)))
    operands = [recorder.strided(condition)]
    for item in (x, y):
        operands.append(
            item.astype(dtype).strided if isinstance(item, TracedArray) else recorder.strided(dtype.type(item))
        )
    if operands[0].dtype != np.bool_ or f"copy_{dtype.itemsize}" not in COPIES:
        raise _Unrecordable
    out = recorder.new(broadcast_shapes([item.shape for item in operands]), dtype)
    return recorder.apply(f"choose_{dtype.itemsize}", operands, out)


def _reduction(ufunc: np.ufunc, start: Callable[[np.dtype[Any]], Any]) -> Callable[..., TracedArray]:
    def reduce(
        recorder: _Recorder,
        x: TracedArray,
        axis: Any = None,
        dtype: Any = None,
        keepdims: bool = False,
        initial: Any = None,
    ) -> TracedArray:
        if dtype is not None:
            x = x.astype(dtype)
        loop = loop_of(ufunc, (x.dtype,) * 3)
        if loop is None or (x.dtype.kind != "f" and dtype is None and ufunc is np.add):
            raise _Unrecordable
        axes = _axes(axis, x.ndim)
        kept = tuple(1 if place in axes else size for place, size in enumerate(x.shape))
        out = recorder.new(kept, x.dtype)
        first = recorder.strided(x.dtype.type(start(x.dtype) if initial is None else initial))
        recorder.apply(f"copy_{x.dtype.itemsize}", [first], out)
        recorder.add(by_element(loop, [out, x.strided, out], x.shape))
        return (
            TracedArray(recorder, out)
            if keepdims
            else TracedArray(recorder, out)._viewed(lambda a: np.squeeze(a, axes))
        )

    return reduce


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(ndim))
    return tuple(normalize_axis(item, ndim) for item in (axis if isinstance(axis, tuple | list) else (axis,)))


def _unknown(_: np.dtype[Any]) -> Any:
    raise _Unrecordable


def _filled(
    recorder: _Recorder, x: TracedArray, value: Any, dtype: Any = None, *, shape: Shape | None = None
) -> TracedArray:
    kind = np.dtype(x.dtype if dtype is None else dtype)
    out = recorder.new(x.shape if shape is None else tuple(shape), kind)
    return recorder.apply(f"copy_{kind.itemsize}", [recorder.strided(kind.type(value))], out)


def _empty(recorder: _Recorder, x: TracedArray, dtype: Any = None, *, shape: Shape | None = None) -> TracedArray:
    kind = np.dtype(x.dtype if dtype is None else dtype)
    return TracedArray(recorder, recorder.new(x.shape if shape is None else tuple(shape), kind))


def _first_greatest(recorder: _Recorder, parts: Sequence[TracedArray]) -> TracedArray:
    first = parts[0].strided
    out = recorder.new(first.shape, np.dtype(np.int32))
    _over_parts(recorder, f"greatest_{first.dtype.name}", GREATEST, parts, [first, out])
    return TracedArray(recorder, out)


def _put(recorder: _Recorder, parts: Sequence[TracedArray], x: TracedArray, numbers: TracedArray) -> None:
    target = parts[0].strided
    if target.buffer not in recorder.sizes or x.dtype != target.dtype or numbers.dtype != np.int32:
        raise _Unrecordable
    _over_parts(recorder, f"put_{x.dtype.itemsize}", PUTS, parts, [x.strided, numbers.strided, target])


def _over_parts(
    recorder: _Recorder, loop: str, known: Set[str], parts: Sequence[TracedArray], operands: Sequence[Strided]
) -> None:
    """Records a loop over windows whose parts lie in one buffer and differ only in their offsets."""
    first, shape = parts[0].strided, operands[0].shape
    is_alike = all(part.strided == first._replace(offset=part.strided.offset) for part in parts)
    if loop not in known or not is_alike or len(shape) < 2 or any(item.shape != shape for item in operands):
        raise _Unrecordable
    table = recorder.strided(np.array([part.strided.offset - first.offset for part in parts], np.int64))
    recorder.add(over_parts(loop, table, operands))


_FUNCTIONS: dict[Any, Callable[..., TracedArray | None]] = {
    np.where: _where,
    np.sum: _reduction(np.add, lambda _: 0),
    # Without an initial value the first element is the start, which loops cannot express.
    np.max: _reduction(np.maximum, _unknown),
    np.min: _reduction(np.minimum, _unknown),
    np.full_like: _filled,
    np.empty_like: _empty,
    first_greatest: _first_greatest,
    put_into: _put,
    np.reshape: lambda _, x, shape: x.reshape(shape),
}
_VIEWS = {
    np.broadcast_to,
    np.transpose,
    np.swapaxes,
    np.moveaxis,
    np.expand_dims,
    np.squeeze,
    np.flip,
    sliding_window_view,
}
