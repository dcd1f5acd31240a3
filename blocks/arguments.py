"""Places of the largest and the smallest elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec, normalize_axis
from gradwire.engine.blocktypes.block_type import ANY, Declaration, block
from gradwire.engine.blocktypes.parameters import Axis
from gradwire.engine.blocktypes.spelling import Spelling, documented

Nan = Literal["skip", "first"]
_MODULES = {"numpy": "np", "tensorflow": "tf", "torch": "torch", "jax": "jnp"}


def _index_of_one(x: TensorSpec, *, axis: int, nan: str) -> TensorSpec:
    place = normalize_axis(axis, x.ndim)
    shape = x.shape[:place] + x.shape[place + 1 :]
    if x.shape[place] == 0:
        raise ShapeError(f"axis {axis} has no elements to choose from")
    return TensorSpec(shape, DTYPES["int64"])


def argument(formula: str, name: str) -> Declaration:
    """Returns the declaration that both blocks share."""
    plain = {target: _line(f"{module}.{name}", target) for target, module in _MODULES.items()}
    return block(
        "Reduce",
        differentiable="never",
        infer=_index_of_one,
        accepts=ANY,
        formula=formula,
        gradient_formula=NO_GRADIENT,
        source="TensorFlow skips NaN; NumPy, PyTorch and JAX give the place of the first NaN",
        spelling=Spelling(**plain),
    )


def _line(function: str, target: str) -> Callable[..., str]:
    @documented(f"{function}({{x}}, {{axis}})")
    def write(x: str, axis: int, nan: str) -> str:
        return "" if target == "tensorflow" and nan == "first" else f"{function}({x}, {axis})"

    return write


def _without_nan(x: Array, instead: float, nan: str) -> Array:
    is_skipped = nan == "skip" and x.dtype.kind == "f"
    return np.where(np.isnan(x), x.dtype.type(instead), x) if is_skipped else x


@argument(r"y = \mathrm{argmax}_i\, x_i", "argmax")
def ArgMax(x: Array, *, axis: Axis = 0, nan: Nan = "skip") -> Array:
    """The index of the largest element along `axis`, the first of equal ones. No gradient passes.

    NaN is skipped as in TensorFlow, or with `nan` first the first NaN is chosen, as in NumPy and PyTorch.
    """
    return np.argmax(_without_nan(x, -np.inf, nan), axis=axis).astype(np.int64)


@argument(r"y = \mathrm{argmin}_i\, x_i", "argmin")
def ArgMin(x: Array, *, axis: Axis = 0, nan: Nan = "skip") -> Array:
    """The index of the smallest element along `axis`, the first of equal ones. No gradient passes.

    NaN is skipped as in TensorFlow, or with `nan` first the first NaN is chosen, as in NumPy and PyTorch.
    """
    return np.argmin(_without_nan(x, np.inf, nan), axis=axis).astype(np.int64)
