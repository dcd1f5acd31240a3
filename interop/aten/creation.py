"""Operations that make tensors of numbers: they become constants."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.operations import operation
from gradwire.interop.aten.tensors import DEFAULT
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, cast, is_tensor, made

Dtype = np.dtype[Any] | None
_FILLS = {"zeros": 0, "ones": 1, "empty": 0}


def _full(size: Sequence[int], value: Any, dtype: Dtype) -> Tensor:
    if is_tensor(value):
        found: Tensor = made("BroadcastTo", value if dtype is None else cast(value, dtype), shape=list(size))
        return found
    by_value = np.dtype("bool") if isinstance(value, bool) else np.dtype("int64") if isinstance(value, int) else DEFAULT
    return np.full(size, value, dtype or by_value)


for _name, _value in _FILLS.items():
    operation(f"{_name}.default", f"{_name}.memory_format")(
        lambda size, dtype=None, _value=_value: np.full(size, _value, dtype or DEFAULT)
    )
    operation(f"{_name}_like.default")(
        lambda self, dtype=None, _value=_value: np.full(self.shape, _value, dtype or self.dtype)
    )
    operation(f"new_{_name}.default")(
        lambda self, size, dtype=None, _value=_value: np.full(size, _value, dtype or self.dtype)
    )


@operation("full.default")
def _filled(size: Sequence[int], fill_value: Any, dtype: Dtype = None) -> Tensor:
    return _full(size, fill_value, dtype)


@operation("full_like.default")
def _filled_like(self: Tensor, fill_value: Any, dtype: Dtype = None) -> Tensor:
    return _full(self.shape, fill_value, np.dtype(dtype or self.dtype))


@operation("new_full.default")
def _filled_as(self: Tensor, size: Sequence[int], fill_value: Any, dtype: Dtype = None) -> Tensor:
    return _full(size, fill_value, np.dtype(dtype or self.dtype))


@operation("scalar_tensor.default")
def _scalar(s: float, dtype: Dtype = None) -> Array:
    return np.asarray(s, dtype or DEFAULT)


@operation("arange.default", "arange.start", "arange.start_step")
def _range(end: float, start: float = 0, step: float = 1, dtype: Dtype = None) -> Array:
    has_float = any(isinstance(item, float) for item in (start, end, step))
    found: Array = np.arange(start, end, step, dtype=dtype or (DEFAULT if has_float else np.dtype(np.int64)))
    return found


@operation("linspace.default")
def _spaced(start: float, end: float, steps: int, dtype: Dtype = None) -> Array:
    return np.linspace(start, end, steps, dtype=dtype or DEFAULT)


@operation("eye.default", "eye.m")
def _identity(n: int, m: int | None = None, dtype: Dtype = None) -> Array:
    return np.eye(n, m, dtype=dtype or DEFAULT)


@operation("one_hot.default")
def _one_hot(self: Tensor, num_classes: int = -1) -> Tensor:
    if num_classes < 0:
        raise ModelRefusal("one_hot without a number of classes has a size that depends on values; give num_classes")
    found: Tensor = made("OneHot", self, depth=num_classes, dtype="int64")
    return found


@operation(
    "rand.default", "randn.default", "rand_like.default", "randn_like.default", "randint.default", "randperm.default",
    "bernoulli.default", "multinomial.default", "normal.Tensor_Tensor",
)  # fmt: skip
def _random(**_: Any) -> Tensor:
    raise ModelRefusal("the program draws numbers while it runs; give them as an input instead")
