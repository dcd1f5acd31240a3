"""Random shapes and parameters for every block type, beside TensorFlow: values and gradients."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

from gradwire.engine.blocktypes.block_type import BlockType
from tests.blocks.contract.contract import TYPES
from tests.blocks.contract.differences import called, rule_on_arrays
from tests.blocks.contract.spelled import written
from tests.blocks.samplers.samples import Sample, dtypes_of, samples
from tests.frameworks.installed import (
    INSTALLED,
    WITHOUT_KERNEL,
    as_array,
    namespace,
    results,
    signs_between,
    tensors,
    with_signs_of,
)
from tests.frameworks.test_gradients import summed_to

CASES = 60
# The lines of Data draw or hold its rows in NumPy.
SPELLED = [item for item in TYPES if "tensorflow" in item.spelling and item.name != "Data"]
pytestmark = pytest.mark.skipif("tensorflow" not in INSTALLED, reason="TensorFlow is not installed")


@pytest.mark.parametrize("block_type", SPELLED, ids=lambda item: item.name)
def test_random_calls_have_the_values_and_gradients_of_tensorflow(
    block_type: BlockType, counted: Callable[[str, int], None]
) -> None:
    dtype = "float64" if np.dtype(np.float64) in dtypes_of(block_type) else None
    draw, compared, wrong = samples(block_type, dtype), 0, []
    for seed in range(1000, 1000 + CASES):
        sample = draw(Random(seed))
        try:
            compared += is_compared(block_type, sample)
        except Exception as error:
            wrong.append(f"seed {seed}, {sample}: {error}"[:2000])
    counted("types beside TensorFlow", 1)
    counted("calls beside TensorFlow", compared + len(wrong))
    counted("calls beside TensorFlow that differ", len(wrong))
    assert not wrong, "\n".join(wrong)


def is_compared(block_type: BlockType, sample: Sample) -> bool:
    """Compares one call; returns False where TensorFlow has no line or no kernel for it."""
    source, arrays = written(block_type, sample, "tensorflow")
    if not source:
        return False
    outputs = called(block_type, sample.inputs, sample.parameters)
    upstream = [np.full(item.shape, 0.75, item.dtype) for item in outputs]
    asked = of_tensorflow(source, block_type, arrays, outputs, upstream)
    if asked is None:
        return False
    values, gradients = asked
    room = 1e-4 if any(item.dtype == np.float32 for item in outputs) else 1e-7
    for found, expected in zip(with_signs_of(outputs, values, block_type), outputs, strict=True):
        np.testing.assert_allclose(found, expected, rtol=room, atol=room, err_msg=source)
    if gradients is None or block_type.rule is None or not any(item.dtype.kind == "f" for item in outputs):
        return True
    ours = rule_on_arrays(block_type, sample.inputs, sample.parameters, upstream)
    for name, array, part in zip(block_type.input_names(len(sample.inputs)), sample.inputs, ours, strict=True):
        if array is not None and array.dtype.kind == "f":
            found = np.zeros(array.shape) if part is None else summed_to(np.asarray(part), array.shape)
            np.testing.assert_allclose(found, gradients[name], rtol=room, atol=room, err_msg=f"{source}, {name}")
    return True


def of_tensorflow(
    source: str,
    block_type: BlockType,
    arrays: dict[str, np.ndarray],
    expected: list[np.ndarray],
    upstream: list[np.ndarray],
) -> tuple[list[np.ndarray], dict[str, np.ndarray] | None] | None:
    """Returns values and gradients, None for gradients that TensorFlow has not, None for a call without a kernel."""
    known = namespace("tensorflow")
    tf = known["tf"]
    inputs: dict[str, Any] = tensors("tensorflow", arrays)
    try:
        with tf.GradientTape() as tape:
            for tensor in inputs.values():
                tape.watch(tensor)
            outputs = results(eval(source, known | inputs), block_type)
        values = [as_array(item) for item in outputs]
        turns = signs_between(expected, values, block_type)
        pairs = [(y, g * turn) for y, g, turn in zip(outputs, upstream, turns, strict=True) if y.dtype.is_floating]
        parts = tape.gradient(
            [item for item, _ in pairs],
            inputs,
            output_gradients=[tf.cast(g, item.dtype) for item, g in pairs],
            unconnected_gradients=tf.UnconnectedGradients.ZERO,
        )
    except LookupError:
        return values, None
    except (tf.errors.OpError, TypeError) as error:
        if WITHOUT_KERNEL.search(str(error)):
            return None
        raise
    return values, {name: tf.convert_to_tensor(part).numpy() for name, part in parts.items()}
