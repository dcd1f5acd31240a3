"""The words that frameworks print around the numbers of a tensor."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from gradwire.engine.base.tensor_spec import DTYPES

# Makers of a tensor from their one argument, with whatever module before them.
VARIABLES: Final = frozenset(("Variable", "Parameter"))
MAKERS: Final = VARIABLES | {
    *("array", "asarray", "asanyarray", "matrix", "Array", "DeviceArray"),
    *("tensor", "Tensor", "as_tensor", "constant", "convert_to_tensor", "EagerTensor"),
}
# Names of arguments with the numbers or their shape, with an answer to whether they train, and without an effect.
NUMBERS: Final = frozenset(("numpy", "value", "data", "object"))
SHAPES: Final = frozenset(("shape", "size"))
TRAINS: Final = {"requires_grad": "True", "trainable": "True", "stop_gradient": "False"}
WITHOUT_EFFECT: Final = frozenset(
    ("device", "place", "grad_fn", "name", "names", "weak_type", "copy", "order", "path", "id", "pin_memory")
)
# A sign and the module before a constant.
CONSTANT: Final = re.compile(r"([+-]?)(?:np|numpy|math|torch|jnp|jax\.numpy)\.(nan|inf|True(?=_)|False(?=_))_?\Z")
_OF_TORCH = {"float": "float32", "double": "float64", "half": "float16", "int": "int32", "long": "int64"}
_OF_TORCH |= {"short": "int16", "bool": "bool"}


def dtype_called(name: str) -> np.dtype[Any] | None:
    """Returns the dtype of a name such as `float32`, `torch.long` or `'<f4'`; None if it has none that is supported."""
    module, _, last = name.strip("'\"").rpartition(".")
    if len(last) == 1:
        return None
    if module == "torch" and last in _OF_TORCH:
        last = _OF_TORCH[last]
    try:
        found = np.dtype(last).newbyteorder("=").name
    except (TypeError, ValueError, SyntaxError):
        return None
    return DTYPES.get(found)


def scalar_type_called(name: str) -> np.dtype[Any] | None:
    """Returns the dtype of a scalar type that a call names, such as `np.float32`; None if it is no such type."""
    last = name.rpartition(".")[2]
    return dtype_called(last) if last in DTYPES or last == "bool_" else None
