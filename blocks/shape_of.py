"""The shape of a tensor as a tensor; no gradient passes."""

from __future__ import annotations

from typing import Literal

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec
from gradwire.engine.blocktypes.block_type import ANY, block
from gradwire.engine.blocktypes.spelling import Spelling

Counts = Literal["int32", "int64"]


def _one_number(x: TensorSpec, *, out_type: Counts = "int32") -> TensorSpec:
    return TensorSpec((), DTYPES[out_type])


@block(
    "Shape",
    differentiable="never",
    infer=lambda x, *, out_type: TensorSpec((x.ndim,), DTYPES[out_type]),
    accepts=ANY,
    formula=r"y = (n_0, n_1, \dots)",
    gradient_formula=NO_GRADIENT,
    source="tf.shape",
    spelling=Spelling(
        "np.array(np.shape({x}), {out_type})",
        "tf.shape({x}, tf.{out_type!s})",
        "torch.tensor({x}.shape, dtype=torch.{out_type!s})",
        "jnp.array(jnp.shape({x}), {out_type})",
    ),
)
def Shape(x: Array, *, out_type: Counts = "int32") -> Array:
    """The size of each axis, as whole numbers. No gradient passes."""
    return np.array(x.shape, DTYPES[out_type])


@block(
    "Shape",
    differentiable="never",
    infer=_one_number,
    accepts=ANY,
    formula=r"y = n_0 n_1 \dots",
    gradient_formula=NO_GRADIENT,
    source="tf.size",
    spelling=Spelling(
        "np.array(np.size({x}), {out_type})",
        "tf.size({x}, tf.{out_type!s})",
        "torch.tensor({x}.numel(), dtype=torch.{out_type!s})",
        "jnp.array(jnp.size({x}), {out_type})",
    ),
)
def Size(x: Array, *, out_type: Counts = "int32") -> Array:
    """The number of elements. No gradient passes."""
    return np.array(x.size, DTYPES[out_type])


@block(
    "Shape",
    differentiable="never",
    infer=_one_number,
    accepts=ANY,
    formula=r"y = \text{number of axes}",
    gradient_formula=NO_GRADIENT,
    source="tf.rank",
    spelling=Spelling(
        "np.array(np.ndim({x}), 'int32')",
        "tf.rank({x})",
        "torch.tensor({x}.ndim, dtype=torch.int32)",
        "jnp.array(jnp.ndim({x}), 'int32')",
    ),
)
def Rank(x: Array) -> Array:
    """The number of axes. No gradient passes."""
    return np.array(x.ndim, DTYPES["int32"])
