"""Gradients of zero at singular points: ends of domains, poles, kinks, zeros of either sign, and equal values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType
from tests.blocks.contract.differences import called, rule_on_arrays
from tests.blocks.contract.pinned import names
from tests.blocks.samplers.samples import Sample
from tests.recorded import load, recorded_types, tensor

POINTS = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -2.0)

# TensorFlow multiplies the zero by an infinite derivative. A recorded case has its NaN.
NAN_IN_RECORDS = names("""
    Acos Asin Atan2 Atanh ClipByGlobalNorm Divide Erfinv Igammac Lgamma Log1p LogPoissonLoss Norm Pow
    ReduceEuclideanNorm Xdivy Xlog1py
""")
# TensorFlow's formula multiplies likewise, though no recorded case has such a point.
NAN_BY_FORMULA = names("Acosh BatchNormalization Betainc Igamma Log Ndtri Polygamma Xlogy Zeta")
# TensorFlow refuses singular matrices.
NAN_WHERE_SINGULAR = names("Cofactors Qr TriangularSolve")
MAY_BE_NAN = NAN_IN_RECORDS | NAN_BY_FORMULA | NAN_WHERE_SINGULAR


def faults_at_singular_points(block_type: BlockType, sample: Sample) -> list[str]:
    """Returns the calls at which the rule makes something else than zero of a gradient of zero, in words.

    Points at which an output is NaN are outside of the domain, and do not count.
    """
    found = []
    for inputs in _inputs_at_points(block_type, sample):
        try:
            outputs = called(block_type, inputs, sample.parameters)
            gradients = [np.zeros_like(item) for item in outputs]
            parts = rule_on_arrays(block_type, inputs, sample.parameters, gradients, outputs)
        except BlockError:
            continue  # the block says that it is not defined there
        known = _is_known(block_type, outputs)
        for port, part in zip(block_type.input_names(len(parts)), parts, strict=True):
            if part is not None and np.asarray(part).dtype.kind == "f" and ((part != 0) & known).any():
                found.append(f"the gradient of {port} is {part} for {inputs}, {sample.parameters}")
    return found


def _is_known(block_type: BlockType, outputs: list[Array]) -> Any:
    """Returns where the outputs are defined: element by element, or for all of them together."""
    is_nan = [np.isnan(item) for item in outputs if item.dtype.kind == "f"]
    return ~is_nan[0] if block_type.by_element and is_nan else not any(item.any() for item in is_nan)


def _inputs_at_points(block_type: BlockType, sample: Sample) -> Iterator[list[Array | None]]:
    """Yields inputs that hold singular points: all combinations where elements are independent, else some of them."""
    places = [index for index, item in enumerate(sample.inputs) if item is not None and item.dtype.kind == "f"]
    if block_type.by_element and len(places) == len(sample.inputs):
        yield list(np.array(list(itertools.product(POINTS, repeat=len(places)))).T)
        return
    rng = np.random.default_rng(sample.seed)
    for point in POINTS:
        for chosen in {tuple(places), *((place,) for place in places)}:
            yield [np.full_like(item, point) if at in chosen else item for at, item in enumerate(sample.inputs)]
    for _ in range(8):
        yield [rng.choice(POINTS, np.shape(item)) if at in places else item for at, item in enumerate(sample.inputs)]


def recorded_nan(name: str) -> bool:
    """Returns whether TensorFlow recorded a gradient of NaN for inputs, outputs and upstream gradients without NaN."""
    if name not in recorded_types():
        return False
    return any(_has_nan(case) for case in load("cases", name)["cases"] if "upstream" in case and case.get("grads"))


def _has_nan(case: dict[str, Any]) -> bool:
    given = [tensor(item) for part in ("inputs", "upstream") for item in case[part].values()]
    outputs = [tensor(item) for item in case["outputs"].values()]
    usual = [np.isfinite(item) if item.dtype.kind == "f" else np.ones(item.shape, bool) for item in given]
    usual += [~np.isnan(item) if item.dtype.kind == "f" else np.ones(item.shape, bool) for item in outputs]
    has_one_shape = len({item.shape for item in usual}) == 1
    is_usual = np.logical_and.reduce(usual) if has_one_shape else all(item.all() for item in usual)
    gradients = [tensor(item) for item in case["grads"].values() if item is not None]
    return any((np.isnan(item) & is_usual).any() for item in gradients)
