"""Resizing: along each axis a product with constant weights, or elements taken from places."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.products import product
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, broadcast, kind, made, refuse_large
from gradwire.interop.opset.operators import Numbers, operator

_ROUND: Final[Mapping[str, Callable[[Array], Array]]] = {
    "round_prefer_floor": lambda places: np.ceil(places - 0.5),
    "round_prefer_ceil": lambda places: np.floor(places + 0.5),
    "floor": np.floor,
    "ceil": np.ceil,
}
_SUPPORT: Final = {"linear": 1, "cubic": 2}


@dataclass(frozen=True)
class _Rule:
    """How places in the new tensor are read from the old one."""

    mode: str = "nearest"
    coordinates: str = "half_pixel"
    rounding: str = "round_prefer_floor"
    cubic: float = -0.75
    excludes_outside: bool = False
    smooths: bool = False
    outside: float = 0.0


@dataclass(frozen=True)
class _Axis:
    """One axis: its place, both sizes, the scale, and the part of it that is cropped, in shares."""

    place: int
    length: int
    size: int
    scale: float
    crop: tuple[float, float] = (0.0, 1.0)


def _places(axis: _Axis, coordinates: str) -> Array:
    """Returns where the new elements lie in the old axis. Source: Resize in ONNX's operators."""
    x, scale, length, size = np.arange(axis.size, dtype=float), axis.scale, axis.length, axis.size
    if coordinates == "half_pixel":
        return (x + 0.5) / scale - 0.5
    if coordinates == "half_pixel_symmetric":
        return length / 2 * (1 - size / (scale * length)) + (x + 0.5) / scale - 0.5
    if coordinates == "pytorch_half_pixel":
        return (x + 0.5) / scale - 0.5 if size > 1 else np.zeros(1)
    if coordinates == "asymmetric":
        return x / scale
    if coordinates == "align_corners":
        return x * (length - 1) / (size - 1) if size > 1 else np.zeros(size)
    if coordinates == "tf_half_pixel_for_nn":
        return (x + 0.5) / scale
    if coordinates == "tf_crop_and_resize":
        begin, end = axis.crop
        if size > 1:
            return begin * (length - 1) + x * (end - begin) * (length - 1) / (size - 1)
        return np.full(size, 0.5 * (begin + end) * (length - 1))
    raise ModelRefusal(f"coordinates by {coordinates[:40]} have no block")


def _weights(axis: _Axis, rule: _Rule) -> Array:
    """Returns how much each old element counts in each new one. Shape: (new, old)."""
    # Several arrays of that size are made on the way.
    refuse_large("Resize", [4, axis.size, axis.length], np.dtype(float))
    places = _places(axis, rule.coordinates)[:, None]
    stretch = min(axis.scale, 1.0) if rule.smooths else 1.0
    reach = _SUPPORT[rule.mode] / stretch
    refuse_large("Resize", [4, axis.size, math.ceil(2 * reach) + 2], np.dtype(float))
    around = np.floor(places - reach) + np.arange(math.ceil(2 * reach) + 2)
    weights = _kernel(np.abs((around - places) * stretch), rule)
    if rule.excludes_outside:
        weights = np.where((around < 0) | (around >= axis.length), 0, weights)
    if rule.excludes_outside or rule.smooths:
        weights = weights / weights.sum(axis=1, keepdims=True)
    found = np.zeros((axis.size, axis.length))
    read = around.clip(0, axis.length - 1).astype(np.int64)
    np.add.at(found, (np.arange(axis.size)[:, None], read), weights)
    return found


def _kernel(away: Array, rule: _Rule) -> Array:
    if rule.mode == "linear":
        return np.asarray(np.maximum(0, 1 - away))
    a = rule.cubic
    near = ((a + 2) * away - (a + 3)) * away * away + 1
    far = ((a * away - 5 * a) * away + 8 * a) * away - 4 * a
    found: Array = np.where(away <= 1, near, np.where(away < 2, far, 0))
    return found


def _resized(x: Tensor, axes: Sequence[_Axis], rule: _Rule) -> Tensor:
    for axis in axes:
        if axis.size == axis.length and axis.scale == 1 and rule.coordinates != "tf_crop_and_resize":
            continue
        if rule.mode == "nearest":
            read = _ROUND[rule.rounding](_places(axis, rule.coordinates)).clip(0, axis.length - 1).astype(np.int64)
            x = made("Gather", x, read, axis=axis.place)
        else:
            x = _multiplied(x, axis.place, _weights(axis, rule).astype(x.dtype))
        if rule.coordinates == "tf_crop_and_resize":
            places = _places(axis, rule.coordinates)
            x = _filled(x, axis.place, (places < 0) | (places > axis.length - 1), rule.outside)
    return x


def _multiplied(x: Tensor, place: int, weights: Array) -> Tensor:
    if kind(x) != "f":
        raise ModelRefusal("whole numbers are resized by nearest alone")
    if place == x.ndim - 1:
        return product(x, weights.T.copy())
    if place == x.ndim - 2:
        return product(broadcast(weights, [*x.shape[:-2], *weights.shape]), x)
    order = [*(axis for axis in range(x.ndim) if axis != place), place]
    found: Tensor = made(
        "Transpose",
        product(made("Transpose", x, perm=order), weights.T.copy()),
        perm=[int(axis) for axis in np.argsort(order)],
    )
    return found


def _filled(x: Tensor, place: int, is_outside: Array, fill: float) -> Tensor:
    if not is_outside.any():
        return x
    mask = is_outside.reshape([-1 if axis == place else 1 for axis in range(x.ndim)])
    found: Tensor = made("Where", np.broadcast_to(mask, x.shape).copy(), np.asarray(fill, x.dtype), x)
    return found


@operator("Resize")
def _resize(
    x: Tensor, roi: Numbers | None = None, scales: Numbers | None = None, sizes: Numbers | None = None, *,
    mode: str = "nearest", coordinate_transformation_mode: str | None = None, nearest_mode: str | None = None,
    cubic_coeff_a: float = -0.75, exclude_outside: int = 0, extrapolation_value: float = 0.0, antialias: int = 0,
    axes: list[int] | None = None, keep_aspect_ratio_policy: str = "stretch", opset: int,
) -> Tensor:  # fmt: skip
    if opset < 11:
        # The second input has the scales.
        roi, scales = None, roi if scales is None else scales
    rule = _Rule(
        mode,
        coordinate_transformation_mode or ("half_pixel" if opset > 10 else "asymmetric"),
        nearest_mode or ("round_prefer_floor" if opset > 10 else "floor"),
        cubic_coeff_a,
        bool(exclude_outside),
        bool(antialias),
        extrapolation_value,
    )
    if mode not in ("nearest", *_SUPPORT):
        raise ModelRefusal(f"resizing by {mode[:20]} has no block")
    chosen = [axis % x.ndim for axis in (range(x.ndim) if axes is None else axes)]
    lengths = [x.shape[axis] for axis in chosen]
    wanted, factors = _sizes(lengths, scales, sizes, keep_aspect_ratio_policy)
    shape = list(x.shape)
    for axis, size in zip(chosen, wanted, strict=True):
        shape[axis] = size
    refuse_large("Resize", shape, np.dtype(x.dtype))
    crops = [(0.0, 1.0)] * len(chosen)
    if roi is not None and roi.size:
        crops = [(float(roi[place]), float(roi[place + len(chosen)])) for place in range(len(chosen))]
    rows = zip(chosen, lengths, wanted, factors, crops, strict=True)
    return _resized(x, [_Axis(*row) for row in rows], rule)


def _sizes(
    lengths: Sequence[int], scales: Numbers | None, sizes: Numbers | None, policy: str
) -> tuple[list[int], list[float]]:
    """Returns the new sizes of axes and their scales; one of both is given."""
    if sizes is not None and sizes.size:
        wanted = [int(size) for size in sizes]
        factors = [size / max(1, length) for size, length in zip(wanted, lengths, strict=True)]
        if policy != "stretch":
            factor = (min if policy == "not_larger" else max)(factors)
            return [math.floor(factor * length + 0.5) for length in lengths], [factor] * len(factors)
        return wanted, factors
    if scales is not None and scales.size:
        factors = [float(factor) for factor in scales]
        return [math.floor(length * factor) for length, factor in zip(lengths, factors, strict=True)], factors
    raise ModelRefusal("neither its scales nor its sizes are known")


@operator("Upsample")
def _upsampled(
    x: Tensor, factors: Numbers | None = None, *, mode: str = "nearest", scales: list[float] | None = None,
    height_scale: float | None = None, width_scale: float | None = None,
) -> Tensor:  # fmt: skip
    given = scales if factors is None else [float(factor) for factor in factors]
    if given is None and height_scale is not None and width_scale is not None:
        given = [1.0, 1.0, height_scale, width_scale]
    chosen = np.asarray(given, np.float32)
    mode = "linear" if mode in ("bilinear", "linear") else mode
    found: Tensor = _resize(x, None, chosen, mode=mode, coordinate_transformation_mode="asymmetric",
                            nearest_mode="floor", opset=11)  # fmt: skip
    return found
