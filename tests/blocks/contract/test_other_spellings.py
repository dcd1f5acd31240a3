"""Lines of other libraries, run by functions of NumPy that stand in for theirs, give the numbers of the blocks."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gradwire.engine.blocktypes.block_type import BlockType, Role
from tests.blocks.contract.contract import TYPES, assert_close
from tests.blocks.contract.differences import called
from tests.blocks.contract.spelled import written
from tests.blocks.samplers.samples import dtypes_of, samples

# What PyTorch calls the arguments of NumPy.
_WORDS = {"dim": "axis", "keepdim": "keepdims"}
# Functions of NumPy that mean something else in a library.
_OTHERWISE = ("split", "searchsorted", "repeat", "pad", "size", "rank", "bincount")


class _StandsIn:
    """A library whose functions are those of NumPy with the same name, and its own words for arguments."""

    def __init__(self, **others: Any) -> None:
        self._others = others

    def __getattr__(self, name: str) -> Any:
        if name in self._others:
            return self._others[name]
        if name in _OTHERWISE:
            return _unknown()
        return _renamed(getattr(np, name)) if callable(getattr(np, name)) else getattr(np, name)


def _renamed(function: Callable[..., Any]) -> Any:
    if isinstance(function, type):
        return function

    def call(*args: Any, **keywords: Any) -> Any:
        return function(*args, **{_WORDS.get(key, key): value for key, value in keywords.items()})

    return call


def _unknown() -> Any:
    raise AttributeError("nothing of NumPy stands in for this")


def _index(
    begin: tuple[int, ...],
    end: tuple[int, ...],
    strides: tuple[int, ...] | None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
) -> tuple[Any, ...]:
    """Returns the index of NumPy for a slice of TensorFlow: bit i of each mask is about entry i."""
    found: list[Any] = []
    for place, (start, stop, step) in enumerate(zip(begin, end, strides or (1,) * len(begin), strict=True)):
        bit = 1 << place
        if ellipsis_mask & bit:
            found.append(...)
        elif new_axis_mask & bit:
            found.append(None)
        elif shrink_axis_mask & bit:
            found.append(start)
        else:
            found.append(slice(None if begin_mask & bit else start, None if end_mask & bit else stop, step))
    return tuple(found)


def _sorted(x: Any, dim: int = -1, descending: bool = False, stable: bool = False) -> tuple[Any, Any]:
    places = np.argsort(-x if descending else x, dim, kind="stable" if stable else None)
    return np.take_along_axis(x, places, dim), places


_TORCH = _StandsIn(
    linalg=_StandsIn(det=np.linalg.det, inv=np.linalg.inv, cholesky=np.linalg.cholesky, solve=np.linalg.solve),
    special=_StandsIn(
        expm1=np.expm1, log1p=np.log1p, exp2=np.exp2, xlogy=lambda x, y: np.where(x == 0, 0, x * np.log(y))
    ),
    amax=_renamed(np.max),
    amin=_renamed(np.min),
    cat=_renamed(np.concatenate),
    sub=np.subtract,
    mul=np.multiply,
    div=np.divide,
    neg=np.negative,
    rsqrt=lambda x: 1 / np.sqrt(x),
    sigmoid=lambda x: 1 / (1 + np.exp(-x)),
    relu=lambda x: np.maximum(x, 0),
    eq=np.equal,
    ne=np.not_equal,
    lt=np.less,
    le=np.less_equal,
    gt=np.greater,
    ge=np.greater_equal,
    permute=np.transpose,
    unsqueeze=_renamed(np.expand_dims),
    sort=_sorted,
)
_TF = _StandsIn(
    **{f"reduce_{name}": _renamed(getattr(np, name)) for name in ("sum", "prod", "mean", "max", "min", "all", "any")},
    math=_StandsIn(
        **{f"reduce_{name}": _renamed(getattr(np, name)) for name in ("std", "prod")},
        reduce_variance=_renamed(np.var),
        floordiv=np.floor_divide,
        floormod=np.mod,
        count_nonzero=_renamed(np.count_nonzero),
        rint=np.rint,
    ),
    linalg=_StandsIn(
        det=np.linalg.det, inv=np.linalg.inv, matmul=np.matmul, trace=lambda x: np.trace(x, axis1=-2, axis2=-1)
    ),
    where=lambda *given: np.where(*given) if len(given) > 1 else np.argwhere(*given),
    strided_slice=lambda x, begin, end, strides=None, **masks: x[_index(begin, end, strides, **masks)],
    nn=SimpleNamespace(relu=lambda x: np.maximum(x, 0)),
    slice=lambda x, begin, size: x[
        tuple(slice(a, None if n == -1 else a + n) for a, n in zip(begin, size, strict=True))
    ],
    gather=lambda x, at, axis=0, batch_dims=0: np.take(x, at, axis) if not batch_dims else _unknown(),
    concat=_renamed(np.concatenate),
    pow=np.power,
    range=np.arange,
    reverse=_renamed(np.flip),
    cast=lambda x, dtype: x.astype(dtype),
    fill=np.full,
)
NAMESPACES: dict[str, dict[str, Any]] = {
    "jax": {"jnp": np},
    "torch": {"torch": _TORCH, "np": np},
    "tensorflow": {"tf": _TF, "np": np},
}
# So many types have lines that NumPy can run: fewer would mean that this looks in the wrong place.
LEAST = {"jax": 140, "torch": 110, "tensorflow": 80}


def is_run(block_type: BlockType, framework: str, seed: int) -> bool:
    """Returns whether NumPy can run the line for a sample, and compares its numbers with those of the block."""
    floats = np.dtype(np.float64) in dtypes_of(block_type) and block_type.role is not Role.SOURCE
    sample = samples(block_type, "float64" if floats else None)(Random(seed))
    source, names = written(block_type, sample, framework)
    if not source:
        return False
    try:
        with np.errstate(all="ignore"):
            result = eval(source, NAMESPACES[framework] | names)
    except (AttributeError, NameError, TypeError):
        return False
    found = list(result) if len(block_type.outputs) > 1 or block_type.outputs[0].variadic else [result]
    for a, b in zip(found, called(block_type, sample.inputs, sample.parameters), strict=True):
        assert np.shape(a) == b.shape, source
        assert_close(np.asarray(a, b.dtype), b)
    return True


@pytest.mark.parametrize("framework", NAMESPACES)
def test_a_line_gives_the_numbers_of_its_block(framework: str) -> None:
    run, wrong = set[str](), dict[str, str]()
    for block_type in (item for item in TYPES if framework in item.spelling):
        try:
            for seed in range(1, 7):
                if is_run(block_type, framework, seed):
                    run.add(block_type.name)
        except Exception as error:
            wrong[block_type.name] = repr(error)[:300]
    assert wrong == {}
    assert len(run) >= LEAST[framework]
