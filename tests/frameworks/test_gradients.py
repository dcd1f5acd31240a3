"""Gradients of all block types with a line in TensorFlow equal TensorFlow's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from gradwire.engine.blocktypes.block_type import BlockType
from tests.blocks.contract.contract import WITH_RULE, for_samples
from tests.blocks.contract.differences import called, rule_on_arrays
from tests.blocks.contract.spelled import written
from tests.blocks.samplers.samples import Sample, dtypes_of, samples
from tests.frameworks.installed import INSTALLED, as_array, evaluated, namespace, results, signs_between, tensors

SPELLED = [item for item in WITH_RULE if "tensorflow" in item.spelling]
pytestmark = pytest.mark.skipif("tensorflow" not in INSTALLED, reason="TensorFlow is not installed")


@pytest.mark.parametrize("block_type", SPELLED, ids=lambda item: item.name)
def test_gradients_are_those_of_tensorflow(block_type: BlockType) -> None:
    def check(sample: Sample) -> None:
        source, arrays = written(block_type, sample, "tensorflow")
        if not source:
            return
        outputs = called(block_type, sample.inputs, sample.parameters)
        rng = np.random.default_rng(sample.seed)
        upstream = [np.asarray(rng.uniform(0.5, 1, item.shape), item.dtype) for item in outputs]
        # The backward pass never calls a rule for outputs without a gradient, such as a Cast to bool.
        carries = any(item.dtype.kind == "f" for item in outputs)
        ours = (
            rule_on_arrays(block_type, sample.inputs, sample.parameters, upstream)
            if carries
            else [None] * len(sample.inputs)
        )
        names = block_type.input_names(len(sample.inputs))
        expected = gradients_of(source, block_type, arrays, list(outputs), upstream)
        if expected is None:
            return
        for name, array, part in zip(names, sample.inputs, ours, strict=True):
            if array is None or array.dtype.kind != "f":
                continue
            # The rule leaves it to the engine to undo broadcasting by sums.
            found = np.zeros(array.shape) if part is None else np.asarray(summed_to(np.asarray(part), array.shape))
            room = 1e-4 if any(item.dtype == np.float32 for item in (array, *outputs)) else 1e-7
            np.testing.assert_allclose(found, expected[name], rtol=room, atol=room, err_msg=f"{source}, {name}")

    dtype = "float64" if np.dtype(np.float64) in dtypes_of(block_type) else None
    for_samples(samples(block_type, dtype), check, 6)


def summed_to(array: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    extra = tuple(range(array.ndim - len(shape)))
    summed = array.sum(axis=extra)
    inner = tuple(axis for axis, size in enumerate(shape) if size == 1 and summed.shape[axis] != 1)
    return summed.sum(axis=inner, keepdims=True)


def gradients_of(
    source: str,
    block_type: BlockType,
    arrays: dict[str, np.ndarray],
    expected: list[np.ndarray],
    upstream: list[np.ndarray],
) -> dict[str, np.ndarray] | None:
    """Returns the gradients of TensorFlow's tape, zeros for unconnected inputs; None if it refuses."""
    known = namespace("tensorflow")
    tf = known["tf"]
    inputs = tensors("tensorflow", arrays)
    with tf.GradientTape() as tape:
        for tensor in inputs.values():
            tape.watch(tensor)
        outputs = results(evaluated(source, known | inputs), block_type)
        turns = signs_between(expected, [as_array(item) for item in outputs], block_type)
    differentiable: list[tuple[Any, np.ndarray]] = [
        (output, weight * turn)
        for output, weight, turn in zip(outputs, upstream, turns, strict=True)
        if output.dtype.is_floating
    ]
    try:
        parts = tape.gradient(
            [output for output, _ in differentiable],
            inputs,
            output_gradients=[tf.cast(weight, output.dtype) for output, weight in differentiable],
            unconnected_gradients=tf.UnconnectedGradients.ZERO,
        )
    except (tf.errors.OpError, LookupError):
        return None
    return {name: tf.convert_to_tensor(part).numpy() for name, part in parts.items()}
