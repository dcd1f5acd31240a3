"""Installed frameworks, and the execution of their code on arrays."""

from __future__ import annotations

import importlib.util
import math
import re
import warnings
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from gradwire.engine.blocktypes.block_type import BlockType

MODULES = {"tensorflow": "tensorflow", "torch": "torch", "jax": "jax"}
INSTALLED = [name for name, module in MODULES.items() if importlib.util.find_spec(module) is not None]


def namespace(framework: str) -> dict[str, Any]:
    """Returns the names that a spelling may use."""
    names: dict[str, Any] = {"np": np, "math": math}
    if framework == "tensorflow":
        import tensorflow

        names["tf"] = tensorflow
    elif framework == "torch":
        import torch

        names["torch"] = torch
    else:
        import jax
        import jax.numpy

        jax.config.update("jax_enable_x64", True)
        names |= {"jax": jax, "jnp": jax.numpy}
    return names


def tensors(framework: str, arrays: Mapping[str, np.ndarray]) -> dict[str, Any]:
    """Returns the arrays as tensors of the framework."""
    known = namespace(framework)
    make = {"tensorflow": lambda a: known["tf"].constant(a), "torch": lambda a: known["torch"].tensor(a)}
    return {name: make.get(framework, lambda a: known["jnp"].array(a))(array) for name, array in arrays.items()}


def as_array(tensor: Any) -> np.ndarray:
    """Returns a tensor of any framework as an array."""
    return np.asarray(tensor.numpy() if hasattr(tensor, "numpy") else tensor)


# TensorFlow's message about lines without a kernel for this processor, or for float64.
WITHOUT_KERNEL = re.compile(
    r"currently only supports|only support(s|ed for) NHWC|Could not find device for node|"
    r"not in the list of allowed values|expected to be a float tensor|number of groups"
)


def evaluated(source: str, names: dict[str, Any]) -> Any:
    """Evaluates a line; skips the test where TensorFlow has no kernel for it on this machine."""
    try:
        # PyTorch warns about slow or changing features, which are no fault of the line.
        with warnings.catch_warnings(action="ignore"):
            return eval(source, names)
    except Exception as error:
        if WITHOUT_KERNEL.search(str(error)):
            pytest.skip(f"no kernel here for {source}: {error}"[:200])
        raise


def signs_between(expected: list[np.ndarray], found: list[np.ndarray], block_type: BlockType) -> list[np.ndarray]:
    """Returns the signs that turn each of some factors of matrices into others: LAPACK leaves them open.

    The two vectors of a singular value turn together. Shapes: (), a 1, for what has no sign of its own.
    """
    places = {"Svd": (1, 2), "SelfAdjointEig": (1,)}.get(block_type.name, ())
    turns, signs = [np.ones(()) for _ in found], np.ones(0)
    for place in places if expected[-1].ndim > 1 else ():
        own = np.where(np.sum(expected[place] * found[place], axis=-2, keepdims=True) < 0, -1, 1)
        if signs.size:
            count = min(own.shape[-1], signs.shape[-1])
            own[..., :count] = signs[..., :count]
        turns[place] = signs = own
    return turns


def with_signs_of(expected: list[np.ndarray], found: list[np.ndarray], block_type: BlockType) -> list[np.ndarray]:
    """Returns factors of matrices with the signs of others: each framework has its own."""
    turns = signs_between(expected, found, block_type)
    return [array if (turn == 1).all() else array * turn for array, turn in zip(found, turns, strict=True)]


def results(found: Any, block_type: BlockType) -> list[Any]:
    """Returns the outputs of a line, one for each output of the type."""
    is_tuple = len(block_type.outputs) > 1 or block_type.outputs[0].variadic
    return list(found) if is_tuple else [found]
