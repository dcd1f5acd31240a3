"""Where tensors come from."""

from __future__ import annotations

from engine.block_type import Role, block
from engine.errors import ParameterError
from engine.parameters import Tensor
from engine.spelling import Spelling
from engine.tensor_spec import Array, TensorSpec, spec_of


def _input_spec(*, value: Array, minimum: float | None, maximum: float | None) -> TensorSpec:
    if minimum is not None and maximum is not None and minimum > maximum:
        raise ParameterError(f"minimum {minimum:g} is above maximum {maximum:g}")
    return spec_of(value)


@block(
    "Sources",
    infer=_input_spec,
    role=Role.SOURCE,
    formula=r"y = \mathrm{value}",
    gradient_formula=r"\text{shown: } \partial L / \partial y",
    spelling=Spelling("{value}", "tf.constant({value})", "torch.tensor({value})", "jnp.array({value})"),
)
def Input(*, value: Tensor, minimum: float | None = None, maximum: float | None = None) -> Array:
    """A tensor that is fed in; `minimum` and `maximum` bound its slider, not its value."""
    return value


@block(
    "Sources",
    infer=lambda *, value, **_: spec_of(value),
    role=Role.SOURCE,
    formula=r"y = \mathrm{value}",
    gradient_formula=r"\text{shown, and used by training: } \partial L / \partial y",
    spelling=Spelling("{value}", "tf.Variable({value})", "torch.tensor({value})", "jnp.array({value})"),
)
def Variable(*, value: Tensor, trainable: bool = True) -> Array:
    """A tensor that training changes, unless `trainable` is off."""
    return value
