"""Places of the largest and the smallest elements."""

from __future__ import annotations

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.engine.base.errors import ShapeError
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec, normalize_axis
from gradwire.engine.blocktypes.block_type import ANY, Declaration, block
from gradwire.engine.blocktypes.parameters import Axis
from gradwire.engine.blocktypes.spelling import Spelling


def _index_of_one(x: TensorSpec, *, axis: int) -> TensorSpec:
    place = normalize_axis(axis, x.ndim)
    shape = x.shape[:place] + x.shape[place + 1 :]
    if x.shape[place] == 0:
        raise ShapeError(f"axis {axis} has no elements to choose from")
    return TensorSpec(shape, DTYPES["int64"])


def argument(formula: str, name: str) -> Declaration:
    """Returns the declaration that both blocks share."""
    spelling = Spelling(*(f"{module}.{name}({{x}}, {{axis}})" for module in ("np", "tf", "torch", "jnp")))
    return block(
        "Reduce",
        differentiable="never",
        infer=_index_of_one,
        accepts=ANY,
        formula=formula,
        gradient_formula=NO_GRADIENT,
        source="TensorFlow skips NaN; NumPy, PyTorch and JAX give the place of the first NaN",
        spelling=spelling,
    )


def _without_nan(x: Array, instead: float) -> Array:
    return np.where(np.isnan(x), x.dtype.type(instead), x) if x.dtype.kind == "f" else x


@argument(r"y = \mathrm{argmax}_i\, x_i", "argmax")
def ArgMax(x: Array, *, axis: Axis = 0) -> Array:
    """The index of the largest element along `axis`, the first of equal ones; NaN is skipped. No gradient passes."""
    return np.argmax(_without_nan(x, -np.inf), axis=axis).astype(np.int64)


@argument(r"y = \mathrm{argmin}_i\, x_i", "argmin")
def ArgMin(x: Array, *, axis: Axis = 0) -> Array:
    """The index of the smallest element along `axis`, the first of equal ones; NaN is skipped. No gradient passes."""
    return np.argmin(_without_nan(x, np.inf), axis=axis).astype(np.int64)
