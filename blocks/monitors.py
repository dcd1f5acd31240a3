"""Blocks that show tensors on the canvas and give nothing: no result depends on them."""

from __future__ import annotations

from typing import Any, Literal

from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import UNSHARED, block

MonitorKind = Literal["auto", "points", "curve", "heat", "image", "histogram", "fit", "boundary"]


def _nothing(*_: TensorSpec | None, **__: Any) -> tuple[TensorSpec, ...]:
    return ()


@block(
    "Monitor",
    differentiable="never",
    infer=_nothing,
    outputs=(),
    accepts={"y": UNSHARED, "x": UNSHARED, "target": UNSHARED},
    formula=r"\text{none}",
    gradient_formula=r"\text{none: no path leads from it to the loss}",
)
def Monitor(
    y: Array, x: Array | None = None, target: Array | None = None, *, kind: MonitorKind = "auto", threshold: float = 0.0
) -> Array:
    """A picture of y on the canvas. It has no output, so it changes no value and no gradient.

    `auto` chooses by the shape of y: two columns are points, one column is a curve, images are a grid, and any other
    matrix is a heat map. `image` also takes rows that are squares of pixels. `histogram` counts the elements of y, and
    beside them those of a `target`, in the same bins and as shares of each.

    `fit` shows y as a function of x, as a line over the range of x, and `target` as dots. `boundary` shows which class
    y chooses for each place of the plane: its largest column, or for one column whether it is above `threshold`. Both
    run the blocks from x to y again, with a row of places in place of x.

    Without a wire into x, it is the output x of the Data block that y depends on; `target` then is its output y. With a
    wire, x must be a tensor that y depends on. Points take the colour of their class in `target`.
    """
    return ()  # type: ignore[return-value]  # a block without outputs gives an empty tuple


@block(
    "Monitor",
    differentiable="never",
    infer=_nothing,
    outputs=(),
    accepts=UNSHARED,
    formula=r"\text{none}",
    gradient_formula=r"\text{none: no path leads from it to the loss}",
)
def Chart(x: Array, *, scale: Literal["linear", "log"] = "log", show: Literal["value", "gradient"] = "value") -> Array:
    """A curve of x over the rounds of a training; of a tensor with several elements, its norm.

    It has no output, so it changes no value and no gradient. With `log` the axis counts in powers of ten. With `show`
    gradient it is the norm of the gradient at the port from which the wire comes, as often as there is time for it.
    """
    return ()  # type: ignore[return-value]  # a block without outputs gives an empty tuple
