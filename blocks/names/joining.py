"""Several tensors as one."""

from __future__ import annotations

from typing import Any

from gradwire.blocks.names.entry import named
from gradwire.blocks.names.promotion import Operand, Tensor, together
from gradwire.engine.base.errors import CallError
from gradwire.engine.blocktypes.library import library


def _joined(block: str, name: str, tensors: Any, axis: int) -> Tensor:  # Any: a list, or what is none
    if not isinstance(tensors, list | tuple) or not tensors:
        raise CallError(f"{name} takes a list of tensors: {name}([a, b])")
    if not isinstance(axis, int):
        raise CallError(f"{name} takes a list of tensors and an axis: {name}([a, b], 0)")
    found: Tensor = library[block](*together(*tensors), axis=axis)
    return found


@named("cat", "torch.cat|torch.concat|torch.concatenate(tensors, dim=0, *, out=None)", block="Concat")
@named("concatenate", "np.concatenate|jnp.concatenate(arrays, axis=0, out=None, dtype=None)", block="Concat")
@named(
    "concat",
    "tf.concat(values, axis)",
    "np.concat|jnp.concat(arrays, axis=0)",
    "keras.ops.concatenate(xs, axis=-1)",
    block="Concat",
)
def concat(x: list[Any] | tuple[Any, ...], axis: int = 0) -> Tensor:
    """Tensors behind each other along an axis."""
    return _joined("Concat", "concat", x, axis)


def _grids(x: tuple[Any, ...], indexing: str | None) -> Any:  # Any: a tuple of tensors
    if indexing not in ("xy", "ij"):
        raise CallError('meshgrid begins with columns in NumPy and with rows in PyTorch; write indexing="xy" or "ij"')
    tensors = x[0] if len(x) == 1 and isinstance(x[0], list | tuple) else x
    return library["Meshgrid"](*together(*tensors), indexing=indexing)


@named("meshgrid", block="Meshgrid")
def meshgrid(*x: Operand, indexing: str | None = None) -> Any:  # Any: a tuple of tensors
    """The coordinates of a grid, one tensor for each axis; `indexing` "xy" begins with columns, "ij" with rows."""
    return _grids(x, indexing)


named(
    "_meshgrid_of_columns", "np.meshgrid|jnp.meshgrid(*xi: x, indexing='xy')", "tf.meshgrid(*args: x, indexing='xy')"
)(lambda *x, indexing="xy": _grids(x, indexing))
named("_meshgrid_of_rows", "torch.meshgrid(*tensors: x, indexing='ij')")(lambda *x, indexing="ij": _grids(x, indexing))


@named(
    "stack",
    "np.stack|jnp.stack(arrays, axis=0, out=None)",
    "torch.stack(tensors, dim=0, *, out=None)",
    "tf.stack(values, axis=0)",
    block="Stack",
)
def stack(x: list[Any] | tuple[Any, ...], axis: int = 0) -> Tensor:
    """Tensors of one shape along a new axis."""
    return _joined("Stack", "stack", x, axis)
