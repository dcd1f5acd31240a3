"""Products and quotients that are 0 wherever one input is 0, whatever the other one is."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.blocks.comparison import Cast, NotEqual
from gradwire.blocks.elementwise import Square
from gradwire.engine.base.tensor_spec import Array, TensorSpec, broadcast_shapes
from gradwire.engine.blocktypes.block_type import NUMBER, Declaration, Observation, block
from gradwire.engine.blocktypes.cause import Cause
from gradwire.engine.blocktypes.spelling import Spelling


def _chosen(module: str, condition: str, otherwise: str) -> str:
    """Returns a line for 0 where the condition holds; what it does not choose is kept finite, and so its gradient."""
    x, y = (f"{module}.where({condition}, {number}, {port})" for number, port in ((0, "{x}"), (1, "{y}")))
    return f"{module}.where({condition}, 0, {otherwise.replace('{x}', x).replace('{y}', y)})"


def _safe(name: str, zero: str, value: str, formula: str, gradient_formula: str, **more: Any) -> Declaration:
    """Returns the declaration that these types share. Any: what `block` takes besides."""
    condition = f"{{{zero}}} == 0"
    return block(
        "Arithmetic",
        outputs=("z",),
        formula=rf"z = {zero} = 0 \,?\, 0 : {formula}",
        gradient_formula=gradient_formula,
        source=f"tf.math.{name}",
        zero_cause=Cause.ZERO_FACTOR,
        spelling=Spelling(
            f"np.where({condition}, 0, {value.replace('{module}', 'np')})",
            f"tf.math.{name}({{x}}, {{y}})",
            *(_chosen(module, condition, value.replace("{module}", module)) for module in ("torch", "jnp")),
        ).noted(f"where {zero} is 0, a gradient of NaN becomes 0, in Gradwire NaN", "torch", "jax"),
        **more,
    )


def _zero_where(condition: Array, z: Array) -> Array:
    return np.where(condition, z.dtype.type(0), z)


def _quotient(x: TensorSpec, y: TensorSpec) -> TensorSpec:
    return TensorSpec(broadcast_shapes((x.shape, y.shape)), _dtype_of_quotient(x.dtype))


def _dtype_of_quotient(dtype: np.dtype[Any]) -> np.dtype[Any]:
    if dtype.kind == "f":
        return dtype
    return np.dtype(np.float32 if dtype.itemsize < 4 else np.float64)


@_safe(
    "divide_no_nan",
    "y",
    "{x} / {y}",
    "x / y",
    r"\bar x = y = 0 \,?\, 0 : \bar z / y,\quad \bar y = y = 0 \,?\, 0 : -\bar z \cdot x / y^2",
    infer=_quotient,
    accepts=NUMBER,
)
def DivNoNan(x: Array, y: Array) -> Array:
    """The quotient of two tensors, but 0 wherever y is 0, even if x is infinite or NaN there; so are both gradients.

    Integers of up to 16 bits give float32, longer ones float64.
    """
    dtype = _dtype_of_quotient(x.dtype)
    return _zero_where(y == 0, x.astype(dtype) / y.astype(dtype))


@DivNoNan.gradient
def div_no_nan_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return DivNoNan(g, y), g * DivNoNan(DivNoNan(-x, y), y)


def _gives_nothing(*_: Array) -> Observation:
    return Observation("not_the_derivative", "gives x no gradient where x is 0, though the other factor is not 0")


_OTHERS = "PyTorch and JAX give the derivative."


@_safe(
    "xdivy",
    "x",
    "{x} / {y}",
    "x / y",
    r"\bar x = x = 0 \,?\, 0 : \bar z / y,\quad \bar y = x = 0 \,?\, 0 : -x\,\bar z / y^2",
)
def Xdivy(x: Array, y: Array) -> Array:
    """The quotient of two tensors, but 0 wherever x is 0, even if y is 0 or NaN there.

    Both gradients are 0 there too, as in TensorFlow, although x has the derivative 1/y where y is not 0.
    """
    return _zero_where(x == 0, x / y)


@Xdivy.gradient
def xdivy_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return Xdivy(_presence(x), y) * g, Xdivy(-x, Square(y)) * g


@Xdivy.deviates(_gives_nothing, _OTHERS)
def xdivy_derivative(g: Array, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    """Returns the gradients of the product also where x is 0 and the other factor is finite."""
    return g * (1 / y), xdivy_gradient(g, x, y, z)[1]


def _presence(x: Any) -> Any:
    return Cast(NotEqual(x, 0), dtype=x.dtype.name)


@_safe(
    "xlogy",
    "x",
    "{x} * {module}.log({y})",
    r"x \ln y",
    r"\bar x = x = 0 \,?\, 0 : \bar z \ln y,\quad \bar y = x = 0 \,?\, 0 : x\,\bar z / y",
)
def Xlogy(x: Array, y: Array) -> Array:
    """The product of x and the natural logarithm of y, but 0 where x is 0, whatever y is.

    Both gradients are 0 there too, as in TensorFlow; PyTorch and JAX give x the logarithm of y, and keep NaN.
    """
    return _zero_where(x == 0, x * np.log(y))


@Xlogy.gradient
def xlogy_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return Xlogy(_presence(x), y) * g, Xdivy(x, y) * g


@Xlogy.deviates(_gives_nothing, _OTHERS)
def xlogy_derivative(g: Array, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    """Returns the gradients of the product also where x is 0 and the other factor is finite."""
    return g * (np.log(y)), xlogy_gradient(g, x, y, z)[1]


@_safe(
    "xlog1py",
    "x",
    "{x} * {module}.log1p({y})",
    r"x \ln(1 + y)",
    r"\bar x = x = 0 \,?\, 0 : \bar z \ln(1 + y),\quad \bar y = x = 0 \,?\, 0 : x\,\bar z / (1 + y)",
)
def Xlog1py(x: Array, y: Array) -> Array:
    """The product of x and the natural logarithm of 1 + y, but 0 where x is 0, whatever y is.

    Both gradients are 0 there too, as in TensorFlow; PyTorch and JAX give x the logarithm, and keep NaN.
    """
    return _zero_where(x == 0, x * np.log1p(y))


@Xlog1py.gradient
def xlog1py_gradient(g: Any, x: Any, y: Any, z: Any) -> Any:
    return Xlog1py(_presence(x), y) * g, Xdivy(x, y + 1) * g


@Xlog1py.deviates(_gives_nothing, _OTHERS)
def xlog1py_derivative(g: Array, x: Array, y: Array, z: Array) -> tuple[Array, Array]:
    """Returns the gradients of the product also where x is 0 and the other factor is finite."""
    return g * (np.log1p(y)), xlog1py_gradient(g, x, y, z)[1]
