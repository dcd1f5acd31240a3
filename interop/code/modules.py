"""Modules of the frameworks: how programs import them, and the constants and dtypes in them."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Mapping
from typing import Final

import numpy as np

from gradwire.engine.base.tensor_spec import DTYPES
from gradwire.interop.code.values import Value
from gradwire.interop.typed.printed_words import dtype_called

# Names that programs use for modules, whether or not they import them.
CUSTOMARY: Final[Mapping[str, str]] = {
    "np": "np",
    "numpy": "np",
    "tf": "tf",
    "tensorflow": "tf",
    "torch": "torch",
    "nn": "torch.nn",
    "F": "torch.nn.functional",
    "optim": "torch.optim",
    "jax": "jax",
    "jnp": "jax.numpy",
    "lax": "jax.lax",
    "random": "jax.random",
    "keras": "keras",
    "layers": "keras.layers",
    "K": "keras.backend",
    "math": "math",
    "gw": "gw",
    "gradwire": "gw",
}
_ROOTS: Final = {
    "numpy": "np",
    "tensorflow": "tf",
    "jnp": "jax.numpy",
    "gradwire": "gw",
    "optax": "optax",
    "functools": "functools",
    "itertools": "itertools",
}
_FRAMEWORKS: Final = {"np": "numpy", "torch": "torch", "tf": "tensorflow", "jax": "jax", "keras": "keras"}
_NUMBERS: Final = {
    "pi": math.pi,
    "e": math.e,
    "inf": math.inf,
    "nan": math.nan,
    "tau": math.tau,
    "newaxis": None,
    "euler_gamma": float(np.euler_gamma),
}


def canonical(name: str) -> str:
    """Returns the name of a module as the reader knows it: `tensorflow.keras` is `keras`, `numpy` is `np`."""
    first, _, rest = name.partition(".")
    name = _ROOTS.get(first, first) + (f".{rest}" if rest else "")
    if name == "tf.keras" or name.startswith("tf.keras."):
        return name.removeprefix("tf.")
    return name.removeprefix("jax.jax.")


def root_of(name: str) -> str:
    """Returns the framework that a module belongs to; an empty text for others."""
    return _FRAMEWORKS.get(name.partition(".")[0], "")


def constant_of(name: str) -> tuple[Value] | None:
    """Returns the number or dtype that a module has under a name, in a tuple; None if it has none."""
    module, _, last = name.rpartition(".")
    if not (root_of(module) or module in ("math", "gw")):
        return None
    if last in _NUMBERS:
        return (_NUMBERS[last],)
    if last in DTYPES or last in ("bool_", "float", "double", "half", "int", "long", "short", "bool"):
        dtype = dtype_called(name)
        return None if dtype is None else (dtype,)
    return None


def framework_of(tree: ast.AST) -> str:
    """Returns the framework that a program speaks of most: numpy, torch, tensorflow, jax or keras; else nothing.

    NumPy counts only in a program without the others, which all go with it.
    """
    found = Counter(_mentioned(tree))
    others = {name: count for name, count in found.items() if name != "numpy"}
    if "tensorflow" in others and "keras" in others:
        return "tensorflow"
    return max(others, key=lambda name: others[name]) if others else "numpy" if found else ""


def _mentioned(tree: ast.AST) -> list[str]:
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [item.name for item in node.names]
        elif isinstance(node, ast.ImportFrom):
            names.append(node.module or "")
        elif isinstance(node, ast.Name) and node.id in CUSTOMARY:
            names.append(CUSTOMARY[node.id])
    return [root for name in names if (root := root_of(canonical(name)))]
