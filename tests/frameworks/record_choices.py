"""Program that records from TensorFlow how blocks that choose elements treat NaN and signed zeros.

`python -m tests.frameworks.record_choices` adds the cases to those of tests/golden/cases; it needs `make frameworks`.
Recorded are only types whose kernels give the same for every width of a row: the others choose by the place of an
element in a register, and our help says how we choose.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tensorflow as tf

CASES = Path(__file__).parents[1] / "golden" / "cases"
NAN, INF = np.nan, np.inf
ROWS = (
    [NAN, 1, 2], [1, NAN, 2], [2, NAN, 1], [1, 2, NAN], [NAN, NAN, 1], [1, NAN, NAN], [NAN, NAN, NAN], [NAN, INF, 1],
    [INF, NAN, 1], [-INF, NAN, 1], [NAN, -INF, -INF], [-INF, NAN, -INF], [-INF, -INF, NAN], [1, NAN, 1], [NAN, 2, 2],
    [2, 2, NAN], [-INF, -INF, -INF],
)  # fmt: skip
DTYPES = ("float64", "float32", "float16")
POOLED: dict[str, Callable[..., Any]] = {
    "MaxPool1D": lambda input, **how: tf.nn.max_pool1d(input, **how),
    "MaxPool2D": lambda input, **how: tf.nn.max_pool2d(input, **how),
    "MaxPoolWithArgmax": lambda input, **how: tf.nn.max_pool_with_argmax(input, **how),
}


def pooled_cases(name: str, dtype: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yields inputs and attributes of a pooling."""
    for row in ROWS:
        for padding in ("VALID", "SAME"):
            image = np.array(row, dtype).reshape(1, 3, 1)
            if name == "MaxPool1D":
                yield {"input": image}, {"ksize": 3, "strides": 1, "padding": padding}
            else:
                how = {"ksize": [1, 3], "strides": 1, "padding": padding}
                yield {"input": image[np.newaxis]}, how
    two = np.stack([np.array(row, dtype) for row in ROWS[:8]], axis=-1)
    if name == "MaxPool2D":
        yield {"input": two.reshape(1, 3, 1, 8)}, {"ksize": [2, 1], "strides": 1, "padding": "VALID"}


def segment_cases(dtype: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yields inputs and attributes of extremes of unsorted segments."""
    for row in ROWS:
        yield {"data": np.array(row, dtype), "segment_ids": np.zeros(3, np.int32)}, {"num_segments": 1}
    wide = np.array(ROWS, dtype).T.copy()
    for ids in ([0, 0, 0], [1, 0, 1], [0, -1, 0]):
        yield {"data": wide, "segment_ids": np.array(ids, np.int32)}, {"num_segments": 2}


def scatter_cases(dtype: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yields inputs of extremes that are scattered."""
    for first, *others in ROWS:
        tensor, updates = np.array([first, 0.5], dtype), np.array(others, dtype)
        yield {"tensor": tensor, "indices": np.zeros((2, 1), np.int32), "updates": updates}, {}


def cases_of(name: str, dtype: str) -> Iterator[tuple[dict[str, Any], dict[str, Any], list[str]]]:
    """Yields inputs, attributes and tags of all cases of a type."""
    if name in POOLED:
        found = pooled_cases(name, dtype)
    elif "Scatter" in name:
        found = scatter_cases(dtype)
    elif "Segment" in name:
        found = segment_cases(dtype)
    else:
        zero = np.zeros((), dtype)
        pairs = [(-zero, zero), (zero, -zero), (-zero, -zero), (zero, zero)]
        for x, y in pairs:
            yield ({"x": x, "y": y} if name in ("Maximum", "Minimum") else {"x": x}), {}, ["sign_of_zero"]
        return
    for inputs, how in found:
        yield inputs, how, ["nan"]


CALLS: dict[str, Callable[..., Any]] = {
    **POOLED,
    "UnsortedSegmentMax": tf.math.unsorted_segment_max,
    "UnsortedSegmentMin": tf.math.unsorted_segment_min,
    "TensorScatterNdMax": tf.tensor_scatter_nd_max,
    "TensorScatterNdMin": tf.tensor_scatter_nd_min,
    "Maximum": tf.maximum,
    "Minimum": tf.minimum,
    "Relu": lambda x: tf.nn.relu(x),
    "Relu6": lambda x: tf.nn.relu6(x),
}


def told(values: Any) -> dict[str, Any]:
    """Returns a tensor as the records write it."""
    array = np.asarray(values)
    names = {"nan": "nan", "inf": "inf", "-inf": "-inf"}
    data = [names.get(str(item), item) for item in array.reshape(-1).tolist()]
    return {"dtype": array.dtype.name, "shape": list(array.shape), "data": data}


def recorded(name: str, header: dict[str, Any], dtype: str) -> Iterator[dict[str, Any]]:
    """Yields the recorded cases of a type in a dtype."""
    for inputs, how, tags in cases_of(name, dtype):
        watched = {port: tf.constant(value) for port, value in inputs.items()}
        with tf.GradientTape() as tape:
            tape.watch([item for item in watched.values() if item.dtype.is_floating])
            outputs = CALLS[name](**watched, **how) if name in POOLED else CALLS[name](*watched.values(), **how)
        outputs = tuple(outputs) if isinstance(outputs, tuple) else (outputs,)
        # Every element has another upstream gradient, so that none goes to a wrong place unseen.
        g = np.arange(1, 1 + np.prod(outputs[0].shape, dtype=int)).astype(dtype).reshape(outputs[0].shape)
        gradients = tape.gradient(outputs[0], watched, output_gradients=tf.constant(g))
        case = {
            "attrs": how,
            "inputs": {port: told(value) for port, value in inputs.items()},
            "tags": tags,
            "outputs": {port: told(item) for port, item in zip(header["outputs"], outputs, strict=True)},
            "upstream": {header["outputs"][0]: told(g)},
            "grads": {
                port: told(tf.convert_to_tensor(found)) for port, found in gradients.items() if found is not None
            },
        }
        yield {"id": f"{name}/{tags[0]}-{hashlib.sha1(json.dumps(case).encode()).hexdigest()[:8]}", **case}


def main() -> None:
    """Replaces the cases of earlier recordings by new ones."""
    for name in CALLS:
        path = CASES / f"{name}.json"
        header = json.loads(path.read_text())
        kept = [case for case in header.pop("cases") if not {"nan", "sign_of_zero"} & set(case["tags"])]
        cases = kept + [case for dtype in DTYPES for case in recorded(name, header, dtype)]
        lines = ",\n".join(json.dumps(case) for case in cases)
        path.write_text(f'{json.dumps(header)[:-1]}, "cases": [\n{lines}\n]}}\n')
        print(f"{name}: {len(kept)} cases and {len(cases) - len(kept)} new ones")


if __name__ == "__main__":
    main()
