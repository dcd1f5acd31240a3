"""Sources of tensors."""

from __future__ import annotations

from gradwire.engine.base.errors import ParameterError
from gradwire.engine.base.starts import complete
from gradwire.engine.base.tensor_spec import Array, TensorSpec, spec_of
from gradwire.engine.blocktypes.block_type import Role, block
from gradwire.engine.blocktypes.parameters import IntList, Start, Tensor
from gradwire.engine.blocktypes.spelling import Spelling


def _input_spec(*, value: Array, minimum: float | None, maximum: float | None) -> TensorSpec:
    if minimum is not None and maximum is not None and minimum > maximum:
        raise ParameterError(f"minimum {minimum:g} is above maximum {maximum:g}")
    return spec_of(value)


@block(
    "Sources",
    differentiable="never",
    infer=_input_spec,
    role=Role.SOURCE,
    formula=r"y = \mathrm{value}",
    gradient_formula=r"\text{shown: } \partial L / \partial y",
    is_input=True,
    spelling=Spelling("{value}", "tf.constant({value})", "torch.tensor({value})", "jnp.array({value})"),
)
def Input(*, value: Tensor, minimum: float | None = None, maximum: float | None = None) -> Array:
    """A tensor that is fed in; `minimum` and `maximum` bound its slider, not its value."""
    return value


@block(
    "Sources",
    differentiable="never",
    infer=lambda *, value, **_: spec_of(value),
    role=Role.SOURCE,
    formula=r"y = \mathrm{value}",
    gradient_formula=r"\text{shown, and used by training: } \partial L / \partial y",
    is_variable=True,
    complete=complete,
    spelling=Spelling("{value}", "tf.Variable({value})", "torch.tensor({value})", "jnp.array({value})"),
)
def Variable(
    *, value: Tensor | None = None, shape: IntList | None = None, start: Start | None = None, trainable: bool = True
) -> Array:
    """A tensor that training changes, unless `trainable` is off.

    In place of a value it may have a shape and a start, such as `{"kind": "glorot_uniform", "seed": 1}`. The kinds are
    zeros, ones, constant (`value`), normal (`mean`, `stddev`), uniform (`minimum`, `maximum`), glorot_uniform,
    glorot_normal, he_normal and orthogonal (`gain`). Each also takes a `dtype` and, if it draws, a `seed`. A seed gives
    the same numbers on every machine. Training or editing writes the value.
    """
    assert value is not None  # a start has drawn it
    return value
