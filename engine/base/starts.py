"""Starts of Variables: numbers that a shape, a kind and a seed stand for until training writes others.

The numbers come from counters (`counter_random`), one for each element and seed. Only + - * / and roots follow, in a
given order, and no BLAS, LAPACK or mathematical library of the system. So every machine gives the same bits.
Source: Glorot and Bengio (2010); He et al. (2015); Saxe et al. (2014); scales as in Keras 3, VarianceScaling.
"""

from __future__ import annotations

import json
import math
import weakref
from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple, TypeVar

import numpy as np

from gradwire.engine.base import schema
from gradwire.engine.base.counter_random import normals, uniforms
from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.limits import LIMITS, size_text
from gradwire.engine.base.schema import JsonFault
from gradwire.engine.base.tensor_spec import DTYPES, Array, Shape

T = TypeVar("T")
VALUE: Final = "value"
SHAPE: Final = "shape"
START: Final = "start"
FLOATS = ("float16", "float32", "float64")

# A start in normal form: its kind first, then what was given beside it.
Start = Mapping[str, Any]  # Any: numbers, and the names of a kind and a dtype
_Draw = Callable[[Shape, Start], Array]

# Deviation of normal numbers of which those beyond two deviations were drawn again.
_TRUNCATED = 0.87962566103423978
# Products of an orthogonal start: rows times columns times the smaller of both. It takes some seconds then.
MOST_PRODUCTS = 2**29


class _Kind(NamedTuple):
    """One kind of start: what it takes beside seed and dtype, with its default, and how it draws."""

    settings: Mapping[str, float]
    draw: _Draw


def read_start(value: object) -> dict[str, Any]:
    """Returns a start in its normal form: the kind, then what is given beside it.

    Raises: JsonFault for anything that is no start.
    """
    if not isinstance(value, Mapping):
        raise JsonFault(f'must be an object such as {{"kind": "glorot_uniform", "seed": 1}}, not {schema.shown(value)}')
    if "kind" not in value:
        raise JsonFault(f"needs a kind: one of {', '.join(KINDS)}")
    kind = _read("kind", value["kind"], lambda item: schema.choice(item, KINDS))
    found: dict[str, Any] = {"kind": kind}
    readers = _readers(kind)
    for key in sorted(value.keys() - found.keys(), key=str):
        if key not in readers:
            raise JsonFault(f"has no {schema.shown(key)}; {kind} takes {', '.join(readers)}")
        found[key] = _read(key, value[key], readers[key])
    return found


def settings_of(kind: str) -> Mapping[str, float]:
    """Returns what a kind of start takes beside seed and dtype, with the defaults."""
    return _KINDS[kind].settings


def needs_seed(kind: str) -> bool:
    """Returns whether other seeds give other numbers."""
    return kind not in ("zeros", "ones", "constant")


def drawn(shape: Shape, start: Start) -> Array:
    """Returns the numbers of a start, read-only; they are shared with whoever asked for the same before.

    Shapes: the result has `shape`.
    Raises: ParameterError if the kind cannot have that shape, or it is too large.
    """
    _check(shape, start)
    key = (shape, json.dumps(start, sort_keys=True))
    found = _known.get(key)
    if found is None:
        found = np.asarray(_KINDS[start["kind"]].draw(shape, start), DTYPES[start.get("dtype", "float64")])
        found.setflags(write=False)
        _known[key] = found
    return found


def complete(parameters: dict[str, Any]) -> dict[str, Any]:
    """Returns the parameters of a Variable with its value, drawn where it has a start.

    Raises: ParameterError if it has neither, or both.
    """
    value, shape, start = (parameters[name] for name in (VALUE, SHAPE, START))
    if value is not None and (shape is not None or start is not None):
        raise ParameterError("it has a value and a start; keep one of them")
    if value is not None:
        return parameters
    if shape is None or start is None:
        missing = "value" if start is None and shape is None else "shape" if shape is None else "start"
        raise ParameterError(f"parameter {missing} is missing; give a value, or a shape and a start")
    return {**parameters, VALUE: drawn(shape, start)}


def without_drawn(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns complete parameters without a value that was drawn from a start."""
    has_start = isinstance(parameters.get(START), Mapping) and parameters.get(SHAPE) is not None
    return {name: item for name, item in parameters.items() if name != VALUE} if has_start else parameters


def fans(shape: Shape) -> tuple[int, int]:
    """Returns how many numbers enter and leave one unit of a layer whose weights have a shape.

    Of a convolution [..., channels, filters] the window counts for both. Source: Keras 3, compute_fans.
    """
    if len(shape) < 2:
        return (shape[0], shape[0]) if shape else (1, 1)
    window = math.prod(shape[:-2])
    return shape[-2] * window, shape[-1] * window


# Numbers of starts that somebody still holds, by shape and start: each run asks anew.
_known: weakref.WeakValueDictionary[tuple[Shape, str], Array] = weakref.WeakValueDictionary()


def _readers(kind: str) -> dict[str, Callable[[object], object]]:
    return {
        "seed": lambda item: schema.whole(item, 0),
        "dtype": lambda item: schema.choice(item, FLOATS),
        **dict.fromkeys(_KINDS[kind].settings, schema.number),
    }


def _read(key: str, value: object, read: Callable[[object], T]) -> T:
    try:
        return read(value)
    except JsonFault as fault:
        raise JsonFault(f"has an unsuitable {key}: it {fault.message}", (key,)) from None


def _check(shape: Shape, start: Start) -> None:
    if len(shape) > LIMITS.rank:
        raise ParameterError(f"parameter shape may have at most {LIMITS.rank} axes, not {len(shape)}")
    if any(not 0 <= size < 2**31 for size in shape):
        raise ParameterError(f"parameter shape must have sizes of at least 0, not {list(shape)}")
    size = math.prod(shape) * 8
    if size > LIMITS.tensor_bytes:
        limit = size_text(LIMITS.tensor_bytes)
        raise ParameterError(f"parameter shape {list(shape)} is too large; a start may have at most {limit}")
    if start["kind"] == "uniform" and _of(start, "minimum") > _of(start, "maximum"):
        low, high = _of(start, "minimum"), _of(start, "maximum")
        raise ParameterError(f"parameter start has a minimum {low:g} above its maximum {high:g}")
    if start["kind"] == "orthogonal":
        _check_orthogonal(shape)


def _check_orthogonal(shape: Shape) -> None:
    if len(shape) < 2:
        raise ParameterError(f"an orthogonal start needs a shape of at least 2 axes, not {list(shape)}")
    rows, columns = math.prod(shape[:-1]), shape[-1]
    if rows * columns * min(rows, columns) > MOST_PRODUCTS:
        raise ParameterError(f"an orthogonal start of shape {list(shape)} takes too long; choose glorot_uniform")


def _of(start: Start, name: str) -> float:
    """Returns a setting of a start, its default where it is not given."""
    return float(start.get(name, _KINDS[start["kind"]].settings[name]))


def _name(start: Start) -> tuple[str, int]:
    return "start", int(start.get("seed", 0))


def _constant(shape: Shape, start: Start) -> Array:
    return np.full(shape, _of(start, "value"))


def _normal(shape: Shape, start: Start) -> Array:
    return _of(start, "mean") + _of(start, "stddev") * normals(shape, *_name(start))


def _uniform(shape: Shape, start: Start) -> Array:
    low, high = _of(start, "minimum"), _of(start, "maximum")
    return low + (high - low) * uniforms(shape, *_name(start))


def _glorot_uniform(shape: Shape, start: Start) -> Array:
    return math.sqrt(6 / max(2, sum(fans(shape)))) * (2 * uniforms(shape, *_name(start)) - 1)


def _glorot_normal(shape: Shape, start: Start) -> Array:
    return math.sqrt(2 / max(2, sum(fans(shape)))) / _TRUNCATED * _within_two(shape, start)


def _he_normal(shape: Shape, start: Start) -> Array:
    return math.sqrt(2 / max(1, fans(shape)[0])) / _TRUNCATED * _within_two(shape, start)


def _within_two(shape: Shape, start: Start) -> Array:
    """Returns normal numbers none of which is further than 2 from 0; each that is further is drawn again."""
    found, attempt = normals(shape, *_name(start)), 0
    while (is_far := np.abs(found) > 2).any():
        attempt += 1
        found = np.where(is_far, normals(shape, *_name(start), attempt), found)
    return found


def _orthogonal(shape: Shape, start: Start) -> Array:
    """Returns a matrix whose columns, or rows where those are fewer, are orthonormal, times the gain.

    Source: Gram-Schmidt on normal numbers, twice for orthogonality to the last digits (Giraud et al., 2005); its
    result is the Q of a QR decomposition with a positive diagonal. Cost: O(rows * columns * min(rows, columns)).
    """
    rows, columns = math.prod(shape[:-1]), shape[-1]
    vectors = normals((max(rows, columns), min(rows, columns)), *_name(start)).T.copy()
    for _ in range(2):
        for place in range(len(vectors)):
            vector = vectors[place] / math.sqrt(float(_added(vectors[place] ** 2)))
            vectors[place], later = vector, vectors[place + 1 :]
            later -= _added(later * vector)[:, np.newaxis] * vector
    found = vectors.T if rows >= columns else vectors
    return _of(start, "gain") * found.reshape(shape)


def _added(numbers: Array) -> Array:
    """Returns the sums over the last axis: halves are added until one number is left, in the same order everywhere."""
    while (size := numbers.shape[-1]) > 1:
        half = size // 2
        sums = numbers[..., :half] + numbers[..., half : 2 * half]
        numbers = np.concatenate([sums, numbers[..., 2 * half :]], axis=-1)
    return numbers[..., 0]


_KINDS: Final[Mapping[str, _Kind]] = {
    "zeros": _Kind({}, lambda shape, _: np.zeros(shape)),
    "ones": _Kind({}, lambda shape, _: np.ones(shape)),
    "constant": _Kind({"value": 0.0}, _constant),
    "normal": _Kind({"mean": 0.0, "stddev": 0.05}, _normal),
    "uniform": _Kind({"minimum": -0.05, "maximum": 0.05}, _uniform),
    "glorot_uniform": _Kind({}, _glorot_uniform),
    "glorot_normal": _Kind({}, _glorot_normal),
    "he_normal": _Kind({}, _he_normal),
    "orthogonal": _Kind({"gain": 1.0}, _orthogonal),
}
KINDS: Final = tuple(_KINDS)
