"""Blocks that steer gradients, and those that connect pages."""

from __future__ import annotations

from typing import Any

import numpy as np

from gradwire.engine.base.errors import MissingInputError, ValueProblem
from gradwire.engine.base.tensor_spec import Array, TensorSpec, spec_of
from gradwire.engine.blocktypes.block_type import ANY, FLOAT, Dtypes, Role, block
from gradwire.engine.blocktypes.parameters import PageName, PortNames, Tensor
from gradwire.engine.blocktypes.spelling import Spelling


@block(
    "Control",
    differentiable="cut",
    accepts=ANY,
    role=Role.STOP,
    only_moves_data=True,
    formula=r"y = x",
    gradient_formula=r"\bar x = 0",
    source="tf.stop_gradient",
    spelling=Spelling("{x}", "tf.stop_gradient({x})", "{x}.detach()", "jax.lax.stop_gradient({x})"),
)
def StopGradient(x: Array) -> Array:
    """The input, unchanged, as a constant for the gradient: the blocks before it receive 0.

    The wire that leaves it still shows the incoming gradient; the wire into it shows zero and the withheld
    gradient. Any dtype, any shape.
    """
    return x


@block(
    "Control",
    differentiable="cut",
    accepts=ANY,
    role=Role.PREVENT,
    only_moves_data=True,
    formula=r"y = x",
    gradient_formula=r"\text{an error}",
    source="tf.raw_ops.PreventGradient",
    spelling=Spelling("{x}", "tf.raw_ops.PreventGradient(input={x}, message={message})", "", ""),
)
def PreventGradient(x: Array, *, message: str = "") -> Array:
    """The input, unchanged; an incoming gradient is an error, and the gradients before it stay unknown.

    It guards against differentiating what has no useful derivative; StopGradient passes zero silently instead.
    """
    return x


@block(
    "Control",
    only_moves_data=True,
    formula=r"y = x",
    gradient_formula=r"\bar x = \bar y, \text{ checked too}",
    source="tf.debugging.check_numerics",
    spelling=Spelling(tensorflow="tf.debugging.check_numerics({x}, {message})"),
)
def CheckNumerics(x: Array, *, message: str) -> Array:
    """The input, unchanged; NaN or infinity in it, or in the incoming gradient, is an error with this message."""
    if not np.isfinite(x).all():
        found = "NaN" if np.isnan(x).any() else "infinity"
        raise ValueProblem(f"{message}: the tensor has {found} in it" if message else f"the tensor has {found} in it")
    return x


@CheckNumerics.gradient
def check_numerics_gradient(g: Any, x: Any, y: Any, *, message: str) -> Any:
    return CheckNumerics(g, message=f"{message} (gradient)".lstrip())


@block(
    "Control",
    accepts=ANY,
    role=Role.REROUTE,
    only_moves_data=True,
    formula=r"y = x",
    gradient_formula=r"\bar x = \bar y",
    spelling=Spelling("{x}", "{x}", "{x}", "{x}"),
)
def Reroute(x: Array) -> Array:
    """A dot on a wire: it only leads the wire around other blocks."""
    return x


@Reroute.gradient
def reroute_gradient(g: Any, x: Any, y: Any) -> Any:
    return g


def _like_the_variables(y: TensorSpec, *xs: TensorSpec, stop_gradients: tuple[str, ...]) -> tuple[TensorSpec, ...]:
    return xs


@block(
    "Control",
    infer=_like_the_variables,
    outputs=("g*",),
    accepts={"y": FLOAT, "xs": Dtypes("floating point", "f", shared=False)},
    role=Role.GRADIENTS,
    formula=r"g_i = \partial \textstyle\sum y / \partial x_i",
    gradient_formula=r"\text{second derivatives, shown as inner parts of the ports that were read}",
    source="tf.gradients with unconnected_gradients=ZERO",
    spelling=Spelling("", "tf.gradients({y}, [{xs}])", "torch.autograd.grad({y}.sum(), [{xs}], create_graph=True)", ""),
)
def Gradients(y: Array, *xs: Array, stop_gradients: PortNames = ()) -> tuple[Array, ...]:
    """The derivative of the sum of y by each of the tensors, as values to build on.

    A tensor on which y does not depend gives zeros. `stop_gradients` lists ports of the same page that count as
    constants, as if a StopGradient stood there, for this block only. The result can be differentiated again: what
    flows back through it reaches every port that the derivative reads, with or without a wire.
    """
    raise ValueProblem("it needs expressions: arrays do not know how they were computed")


@Gradients.differentiates(passes=lambda *_: 1)
def gradients_derivative(walk: Any, y: Any, xs: Any) -> Any:
    return [*map(walk(y, np.broadcast_to(np.ones((), y.dtype), y.shape)), xs)]


@block(
    "Pages",
    infer=lambda **_: (),
    outputs=(),
    role=Role.PAGE,
    formula=r"\text{as drawn on the page}",
    gradient_formula=r"\text{that of the page}",
)
def Page(*, page: PageName) -> Array:
    """Another page used as a block; its PageInput and PageOutput blocks are the ports, top to bottom."""
    raise ValueProblem("it needs a graph that has the page")


@block(
    "Pages",
    infer=lambda **_: (),
    outputs=(),
    role=Role.PAGE,
    is_loop=True,
    formula=r"h_{i+1} = \mathrm{page}(h_i, x_i, w)",
    gradient_formula=r"\text{that of all rounds, one after the other}",
    source="tf.while_loop, tf.scan",
)
def Scan(
    *, page: PageName, times: int, stop_every: int = 0, each: PortNames = (), collect: PortNames = ()
) -> tuple[Array, ...]:
    """A page used for several rounds in a row, as a loop with carried values: a recurrence, an iteration, an RNN.

    There are `times` rounds. An input and an output of the page with one name are carried: round 0 receives what is
    wired in, each further round the result of the one before, and the port gives that of the last. Of the inputs in
    `each`, round i receives element i of axis 0; other inputs are the same in every round. The outputs in `collect` are
    those of all rounds, stacked on a new axis 0. With `stop_every` k, what is carried into rounds k, 2k and so on
    passes a StopGradient: truncated backpropagation through time. Values and gradients are those of the pages one
    behind the other.
    """
    raise ValueProblem("it needs a graph that has the page")


def _page_input_spec(*, name: str, value: Array | None) -> TensorSpec:
    if value is None:
        raise MissingInputError(f"nothing is connected to {name}, and it has no value of its own")
    return spec_of(value)


@block(
    "Pages",
    infer=_page_input_spec,
    role=Role.PAGE_INPUT,
    formula=r"y = \text{connected value, else parameter value}",
    gradient_formula=r"\bar y \text{ goes to the connected wire}",
)
def PageInput(*, name: str, value: Tensor | None = None) -> Array | None:
    """An input port of its page; `value` is the value of an unconnected port."""
    return value


@block(
    "Pages",
    infer=lambda *_, **__: (),
    outputs=(),
    accepts=ANY,
    role=Role.PAGE_OUTPUT,
    formula=r"\text{output of the page} = x",
    gradient_formula=r"\bar x = \text{incoming gradient of the output}",
)
def PageOutput(x: Array, *, name: str) -> tuple[()]:
    """An output port of its page."""
    return ()
