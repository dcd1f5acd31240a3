"""Stand-ins for arrays: they have shape and dtype, and record all operations on them as loops over buffers."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from gradwire.engine.base.tensor_spec import Array, Shape, StandIn, broadcast_shapes, normalize_axis
from gradwire.engine.executors.ufunc_loops import (
    Call,
    Loop,
    Strided,
    accumulation,
    along_axis,
    broadcast,
    by_element,
    contiguous,
    is_contiguous,
    loop_of,
    memory_order,
    product,
)

CASTS = frozenset(
    f"cast_{source}_{target}"
    for source, targets in {
        "bool": ("float32", "float64", "int32", "int64"),
        "int32": ("float32", "float64", "int64"),
        "int64": ("float32", "float64", "int32"),
        "float32": ("float64", "int32", "int64"),
        "float64": ("float32", "int32", "int64"),
    }.items()
    for target in targets
)
COPIES = frozenset(f"copy_{size}" for size in (1, 2, 4, 8))
TAKES = frozenset(f"take_{size}" for size in (1, 2, 4, 8))
INCREMENTS = frozenset(f"increment_{name}" for name in ("float32", "float64", "int32", "int64"))


class Unrecordable(Exception):
    """Function that loops cannot express: it reads numbers, or calls an unknown function."""


class Recorder:
    """Collector of calls and allocator of buffers.

    `guards` has the places of booleans. If one of them is false after a run, the recording does not hold for it.
    """

    def __init__(self, inputs: int) -> None:
        self._next = inputs
        self.calls: list[Call] = []
        self.sizes: dict[int, int] = {}
        self.constants: dict[int, Array] = {}
        self.guards: list[Strided] = []

    def strided(self, value: Any) -> Strided:
        """Returns the place of an operand: a stand-in's elements, or a new constant."""
        if isinstance(value, TracedArray):
            return value.strided
        if not isinstance(value, np.ndarray | np.generic):
            raise Unrecordable
        array = np.asarray(value)
        small = array[tuple(slice(0, 1) if not step else slice(None) for step in array.strides)]
        made = self.new(small.shape, array.dtype)
        self.constants[made.buffer] = np.ascontiguousarray(small).reshape(small.shape)
        strides = [step if whole else 0 for step, whole in zip(made.strides, array.strides, strict=True)]
        return Strided(made.buffer, 0, array.shape, tuple(strides), array.dtype)

    def new(self, shape: Shape, dtype: np.dtype[Any], order: Sequence[int] | None = None) -> Strided:
        """Returns a new buffer for an array of this shape and dtype, with the axes in this order."""
        number, self._next = self._next, self._next + 1
        self.sizes[number] = math.prod(shape) * dtype.itemsize
        return Strided(number, 0, shape, contiguous(shape, dtype.itemsize, order), dtype)

    def computed(self, loop: Loop | None, operands: Sequence[Strided], dtype: np.dtype[Any]) -> TracedArray:
        """Records an elementwise call that makes a new array, which is laid out as NumPy does it."""
        shape = broadcast_shapes([item.shape for item in operands])
        out = self.new(shape, dtype, memory_order(operands, shape))
        self.apply(loop, operands, out)
        return TracedArray(self, out)

    def apply(self, loop: Loop | None, operands: Iterable[Strided], out: Strided) -> None:
        """Records an elementwise call that writes to a place."""
        if loop is None:
            raise Unrecordable
        self.add(by_element(loop, [*operands, out], out.shape))

    def write(self, loop: Loop | None, operands: Sequence[Strided], out: Strided) -> None:
        """Records an elementwise call that changes a part of an array which the function has made itself."""
        is_own = out.buffer in self.sizes and out.buffer not in self.constants
        if not is_own or any(item.buffer == out.buffer and item != out for item in operands):
            raise Unrecordable
        if broadcast_shapes([item.shape for item in (*operands, out)]) != out.shape:
            raise Unrecordable
        self.apply(loop, operands, out)

    def copied(self, item: Strided, out: Strided) -> TracedArray:
        """Records a copy of elements to a new place, to which they are broadcast."""
        if f"copy_{item.dtype.itemsize}" not in COPIES:
            raise Unrecordable
        self.apply(f"copy_{item.dtype.itemsize}", [item], out)
        return TracedArray(self, out)

    def indices(self, indices: Any, size: int) -> TracedArray:
        """Returns indices into an axis as int64; constant ones are checked now, others in each run."""
        if not isinstance(indices, np.ndarray | TracedArray) or indices.dtype.kind != "i":
            raise Unrecordable
        if isinstance(indices, TracedArray):
            self.assume((indices >= -size) & (indices < size))
            return indices.astype(np.int64, copy=False)
        if np.any((indices < -size) | (indices >= size)):
            raise Unrecordable
        return TracedArray(self, self.strided(np.asarray(indices, np.int64)))

    def take(self, item: Strided, indices: Strided, size: int, step: int) -> TracedArray:
        """Records the choice of elements along one more axis of this size and step, by int64 indices.

        `item` and `indices` have the shape of the result, or are broadcast to it.
        """
        shape = broadcast_shapes((item.shape, indices.shape))
        loop = f"take_{item.dtype.itemsize}"
        if loop not in TAKES or indices.dtype != np.int64 or not size:
            raise Unrecordable
        out = self.new(shape, item.dtype)
        x, places = broadcast(item, shape), broadcast(indices, shape)
        # The axis belongs to the operand: choices along different ones are different.
        whole = x._replace(shape=(*shape, size), strides=(*x.strides, step))
        strides = [x.strides, places.strides, out.strides]
        self.add(along_axis(loop, [whole, places, out], strides, shape, (size, step)))
        return TracedArray(self, out)

    def increment(self, out: Strided, indices: Strided, x: Strided) -> None:
        """Records `np.add.at`: adds elements to the rows that int64 indices name, one after another."""
        shape, loop = (*indices.shape, *out.shape[1:]), f"increment_{out.dtype.name}"
        is_own = out.buffer in self.sizes and out.buffer not in self.constants and x.buffer != out.buffer
        if loop not in INCREMENTS or not is_own:
            raise Unrecordable
        rest = (1,) * (len(out.shape) - 1)
        places = broadcast(indices._replace(shape=(*indices.shape, *rest), strides=(*indices.strides, *rest)), shape)
        row = broadcast(out._replace(shape=out.shape[1:], strides=out.strides[1:]), shape)
        operands = (row, broadcast(x, shape), places, row)
        self.add(along_axis(loop, operands, [item.strides for item in operands], shape, (out.shape[0], out.strides[0])))

    def assume(self, condition: TracedArray) -> None:
        """Records a check of elements: where one is false, the recording does not hold."""
        flag: TracedArray = condition.all()
        self.guards.append(flag.strided)

    def add(self, call: Call | None) -> None:
        """Records a call, if there is anything to do."""
        if call is not None:
            self.calls.append(call)

    def finished(self, item: Any) -> Strided:
        """Returns the place of a result; plans bring new arrays to C order, but not views of others."""
        if not isinstance(item, TracedArray) or item.is_view or is_contiguous(item.strided):
            return self.strided(item)
        return self.copied(item.strided, self.new(item.shape, item.dtype)).strided


class TracedArray(StandIn):
    """Tracer that replaces an array: it has shape and dtype, and records all operations on it."""

    def __init__(self, recorder: Recorder, strided: Strided, is_view: bool = False) -> None:
        self.recorder, self.strided, self.is_view = recorder, strided, is_view

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
        return self.transpose()

    def __array__(self, *_: Any, **__: Any) -> Array:
        # Without this NumPy would gather the stand-ins of all elements, one by one.
        raise Unrecordable

    def __bool__(self) -> bool:
        raise Unrecordable

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError
        return self.shape[0]

    def __getattr__(self, name: str) -> Any:
        """Returns a method that NumPy also has as a function of the same arguments."""
        if name not in _METHODS:
            raise AttributeError(name)
        return functools.partial(_METHODS[name], self)

    def __getitem__(self, index: Any) -> TracedArray:
        parts = index if isinstance(index, tuple) else (index,)
        # With an ellipsis a single element is a view, too.
        whole = parts if any(item is Ellipsis for item in parts) else (*parts, Ellipsis)
        chosen = [place for place, item in enumerate(whole) if isinstance(item, np.ndarray | TracedArray)]
        if not all(
            place in chosen or item is None or item is Ellipsis or isinstance(item, int | np.integer | slice)
            for place, item in enumerate(whole)
        ):
            raise Unrecordable
        if not chosen:
            return self._viewed(lambda array: array[whole])
        # NumPy moves the axes of several arrays, and of an array beside a number, to the front.
        if len(chosen) > 1 or any(isinstance(item, int | np.integer) for item in whole):
            raise Unrecordable
        return self._chosen(whole, chosen[0])

    def _chosen(self, parts: tuple[Any, ...], place: int) -> TracedArray:
        """Returns the elements that an array among other indices chooses."""
        indices = parts[place]
        if indices.dtype.kind != "i":
            raise Unrecordable
        view: TracedArray = self[(*parts[:place], slice(None), *parts[place + 1 :])]
        is_behind = any(item is Ellipsis for item in parts[:place])
        axis = view.ndim - len(parts[place:]) if is_behind else place
        found: TracedArray = view.take(indices, axis)
        return found

    def __setitem__(self, index: Any, value: Any) -> None:
        chosen = self[index]
        # An array of indices makes a copy.
        if not chosen.is_view:
            raise Unrecordable
        part = chosen.strided
        self.recorder.write(f"copy_{part.dtype.itemsize}", [self._operand(value, part.dtype)], part)

    def astype(self, dtype: Any, copy: bool = True, **_: Any) -> TracedArray:
        """Returns the elements in another dtype; a copy of the same ones is left out where nothing tells it apart."""
        wanted = np.dtype(dtype)
        if wanted == self.dtype:
            return self.copy("K") if copy and not is_contiguous(self.strided) else self
        if wanted == np.bool_:
            found: TracedArray = np.not_equal(self, self.dtype.type(0))
            return found
        name = f"cast_{self.dtype.name}_{wanted.name}"
        if name not in CASTS:
            raise Unrecordable
        if self.dtype.kind == "f" and wanted.kind == "i":
            # C leaves open what becomes of numbers that the dtype cannot hold.
            limit = self.dtype.type(2.0 ** (8 * wanted.itemsize - 1))
            self.recorder.assume((self >= -limit) & (self < limit))
        return self.recorder.computed(name, [self.strided], wanted)

    def copy(self, order: str = "C") -> TracedArray:
        """Returns a copy, in C order or in that of the elements."""
        axes = memory_order([self.strided], self.shape) if order == "K" else None
        return self.recorder.copied(self.strided, self.recorder.new(self.shape, self.dtype, axes))

    def reshape(self, *shape: Any) -> TracedArray:
        """Returns the elements in another shape; copies them if strides cannot express it."""
        wanted = shape[0] if len(shape) == 1 and not isinstance(shape[0], int | np.integer) else shape
        try:
            return self._viewed(lambda array: np.reshape(array, wanted, copy=False))
        except ValueError:
            return self.copy()._viewed(lambda array: array.reshape(wanted))

    def transpose(self, *axes: Any) -> TracedArray:
        """Returns a view with the axes in another order."""
        return self._viewed(lambda array: array.transpose(*axes))

    def _viewed(self, view: Callable[[Array], Array]) -> TracedArray:
        return self.views(lambda array: (view(array),))[0]

    def views(self, view: Callable[[Array], Iterable[Array]]) -> list[TracedArray]:
        """Returns other views of the same memory; NumPy computes them on a dummy array that nobody reads."""
        item = self.strided
        anchor = np.empty(1, item.dtype)
        found = []
        for seen in view(as_strided(anchor, item.shape, item.strides)):
            if seen.flags.owndata:
                raise Unrecordable
            moved = seen.__array_interface__["data"][0] - anchor.__array_interface__["data"][0]
            offset = item.offset + (moved if seen.size else 0)
            place = Strided(item.buffer, offset, seen.shape, seen.strides, item.dtype)
            found.append(TracedArray(self.recorder, place, is_view=True))
        return found

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **keywords: Any) -> Any:
        if method == "accumulate":
            return self._accumulated(ufunc, *inputs, **keywords)
        if method == "at" and ufunc is np.add:
            return self._incremented(*inputs)
        if method != "__call__" or ufunc.nout != 1 or not keywords.keys() <= {"out", "dtype"}:
            raise Unrecordable
        (out,) = keywords.get("out", (None,))
        wanted: dict[str, Any] = {}
        if "dtype" in keywords:
            wanted["signature"] = (*(None,) * ufunc.nin, keywords["dtype"])
        dtypes = ufunc.resolve_dtypes((*map(_kind, inputs), None), **wanted)
        operands = [self._operand(item, dtype) for item, dtype in zip(inputs, dtypes[:-1], strict=True)]
        loop = loop_of(ufunc, tuple(dtypes))
        if ufunc is np.matmul and out is None:
            return self._multiplied(loop, operands, dtypes[-1])
        if ufunc.signature is not None:
            raise Unrecordable
        if out is None:
            return self.recorder.computed(loop, operands, dtypes[-1])
        if out.dtype != dtypes[-1]:
            raise Unrecordable
        self.recorder.write(loop, operands, out.strided)
        return out

    def __array_function__(self, function: Any, types: Any, arguments: Any, keywords: Any) -> Any:
        if function not in FUNCTIONS:
            raise Unrecordable
        return FUNCTIONS[function](self.recorder, *arguments, **keywords)

    def _operand(self, item: Any, dtype: np.dtype[Any]) -> Strided:
        if isinstance(item, TracedArray):
            return item.astype(dtype, copy=False).strided
        return self.recorder.strided(np.asarray(item).astype(dtype))

    def _accumulated(self, ufunc: np.ufunc, x: TracedArray, axis: int = 0, dtype: Any = None) -> TracedArray:
        # NumPy widens small integers unless it is told not to.
        if dtype is None and self.dtype.kind != "f":
            raise Unrecordable
        x = x.astype(self.dtype if dtype is None else dtype, copy=False)
        loop, place = loop_of(ufunc, (x.dtype,) * 3), normalize_axis(axis, x.ndim)
        if loop is None or ufunc.nin != 2:
            raise Unrecordable
        out = TracedArray(self.recorder, self.recorder.new(x.shape, x.dtype, memory_order([x.strided], x.shape)))
        first = (*(slice(None),) * place, slice(0, 1))
        out[first] = x[first]
        self.recorder.add(accumulation(loop, x.strided, out.strided, place))
        return out

    def _incremented(self, target: Any, indices: Any, x: Any) -> None:
        if not isinstance(target, TracedArray) or not target.shape or not target.shape[0]:
            raise Unrecordable
        places = self.recorder.indices(indices, target.shape[0])
        self.recorder.increment(target.strided, places.strided, self._operand(x, target.dtype))

    def _multiplied(self, loop: Loop | None, operands: Sequence[Strided], dtype: np.dtype[Any]) -> TracedArray:
        if loop is None or not all(item.shape for item in operands):
            raise Unrecordable
        a, b = (TracedArray(self.recorder, item) for item in operands)
        units = [axis for axis, item in ((-2, a), (-1, b)) if item.ndim == 1]
        out = self._product(
            loop, (a[None] if a.ndim == 1 else a).strided, (b[:, None] if b.ndim == 1 else b).strided, dtype
        )
        return out.without(tuple(units)) if units else out

    def _product(self, loop: Loop, a: Strided, b: Strided, dtype: np.dtype[Any]) -> TracedArray:
        batch = broadcast_shapes((a.shape[:-2], b.shape[:-2]))
        leading = [item._replace(shape=item.shape[:-2], strides=item.strides[:-2]) for item in (a, b)]
        order = (*memory_order(leading, batch), len(batch), len(batch) + 1)
        out = self.recorder.new((*batch, a.shape[-2], b.shape[-1]), dtype, order)
        if a.shape[-1] == 0:
            return self.recorder.copied(self.recorder.strided(dtype.type(0)), out)
        self.recorder.add(product(loop, a, b, out))
        return TracedArray(self.recorder, out)

    def without(self, axes: tuple[int, ...]) -> TracedArray:
        """Returns an array that has just been made without axes of size 1; like NumPy's results it is no view."""
        return TracedArray(self.recorder, self._viewed(lambda array: np.squeeze(array, axes)).strided)


# Functions that tracers replace, with theirs, whose first argument is the recorder.
FUNCTIONS: dict[Any, Callable[..., Any]] = {}
_METHODS: dict[str, Callable[..., Any]] = {
    name: getattr(np, name)
    for name in (
        "all", "any", "argmax", "argmin", "clip", "cumprod", "cumsum", "diagonal", "max", "min", "prod", "ravel",
        "repeat", "round", "squeeze", "sum", "swapaxes", "take",
    )
}  # fmt: skip


def _kind(item: Any) -> Any:
    """Returns the argument's type for dtype resolution: a Python number is weak."""
    return (
        type(item) if type(item) in (int, float) else item.dtype if hasattr(item, "dtype") else np.asarray(item).dtype
    )
