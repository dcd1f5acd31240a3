"""Just inside and just outside what a block takes, and the lines of reductions in other frameworks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import gradwire as gw
from gradwire.engine.base.errors import BlockError
from gradwire.engine.base.tensor_spec import TensorSpec
from gradwire.engine.blocktypes.library import library

F8, I8 = np.dtype(np.float64), np.dtype(np.int64)


def inferred(kind: str, shapes: list[Any], **given: Any) -> list[tuple[int, ...]]:
    """Returns the shapes of the outputs; inputs are shapes of float64, or specs."""
    block_type = library[kind]
    specs = [item if isinstance(item, TensorSpec) else TensorSpec(item, F8) for item in shapes]
    return [spec.shape for spec in block_type.infer_outputs(specs, block_type.normalize(given))]


@pytest.mark.parametrize(
    ("kind", "shapes", "given", "expected"),
    [
        ("SearchSorted", [(4,), (3,)], {}, (3,)),
        ("SearchSorted", [(), (3,)], {}, None),
        ("SearchSorted", [(4,), ()], {}, None),
        ("SearchSorted", [(2, 4), (2, 3)], {}, (2, 3)),
        ("SearchSorted", [(2, 4), (3, 3)], {}, None),
        ("SearchSorted", [(2, 3, 4), (6, 3)], {}, (6, 3)),
        ("Slice", [(5, 4)], {"begin": (1, 0), "size": (4, 4)}, (4, 4)),
        ("Slice", [(5, 4)], {"begin": (1, 0), "size": (5, 4)}, None),
        ("Slice", [(5, 4)], {"begin": (1, 1), "size": (4, 4)}, None),
        ("Slice", [(5, 4)], {"begin": (1, 1), "size": (-1, -1)}, (4, 3)),
        ("Slice", [(5, 4)], {"begin": (5, 4), "size": (-1, 0)}, (0, 0)),
        ("Slice", [(5, 4)], {"begin": (6, 4), "size": (-1, 0)}, None),
        ("Slice", [(5, 4)], {"begin": (0, 0), "size": (-2, 0)}, None),
        ("Slice", [(5, 4)], {"begin": (-1, 0), "size": (1, 1)}, None),
        ("Slice", [(5, 4)], {"begin": (0,), "size": (1,)}, None),
        ("Slice", [(5, 4)], {"begin": (0, 0), "size": (1,)}, None),
        ("StridedSlice", [(5, 4)], {"begin": (4,), "end": (5,), "shrink_axis_mask": 1}, (4,)),
        ("StridedSlice", [(5, 4)], {"begin": (5,), "end": (6,), "shrink_axis_mask": 1}, None),
        ("StridedSlice", [(5, 4)], {"begin": (-5,), "end": (0,), "shrink_axis_mask": 1}, (4,)),
        ("StridedSlice", [(5, 4)], {"begin": (-6,), "end": (0,), "shrink_axis_mask": 1}, None),
        ("StridedSlice", [(5, 4)], {"begin": (0, 3), "end": (0, 0), "shrink_axis_mask": 3}, ()),
        ("StridedSlice", [(5, 4)], {"begin": (0, 4), "end": (0, 0), "shrink_axis_mask": 3}, None),
        ("StridedSlice", [(5, 4)], {"begin": (0, 4), "end": (0, 5), "shrink_axis_mask": 2}, None),
        ("StridedSlice", [(5, 4)], {"begin": (0, 1), "end": (3, 3)}, (3, 2)),
        ("StridedSlice", [(5, 4)], {"begin": (0, 1), "end": (3, 3), "begin_mask": 2, "end_mask": 1}, (5, 3)),
        ("StridedSlice", [(5, 4)], {"begin": (4, 1), "end": (0, 3), "strides": (-2, 1)}, (2, 2)),
        ("StridedSlice", [(5, 4)], {"begin": (4,), "end": (0,), "strides": (0,)}, None),
        ("StridedSlice", [(5, 4)], {"begin": (4,), "end": (0,), "strides": (-1,), "shrink_axis_mask": 1}, None),
        ("StridedSlice", [(5, 4)], {"begin": (1,), "end": (3, 3)}, None),
        ("StridedSlice", [(5, 4)], {"begin": (1, 1), "end": (3, 3), "strides": (1,)}, None),
        ("StridedSlice", [(5, 4)], {"begin": (0, 1), "end": (0, 2), "ellipsis_mask": 1}, (5, 1)),
        ("StridedSlice", [(5, 4)], {"begin": (0, 1), "end": (0, 2), "ellipsis_mask": 3}, None),
        ("StridedSlice", [(5, 4)], {"begin": (0, 1, 2), "end": (0, 2, 3), "ellipsis_mask": 1}, (1, 1)),
        ("StridedSlice", [(5, 4)], {"begin": (0, 1, 2), "end": (3, 2, 3)}, None),
        ("StridedSlice", [(5, 4)], {"begin": (0, 1), "end": (3, 3), "new_axis_mask": 1}, (1, 2, 4)),
        ("StridedSlice", [(5, 4)], {"begin": (0, 1), "end": (3, 3), "new_axis_mask": 2}, (3, 1, 4)),
    ],
)  # fmt: skip
def test_what_reaches_over_the_edge_is_refused(
    kind: str, shapes: list[Any], given: dict[str, Any], expected: tuple[int, ...] | None
) -> None:
    if expected is None:
        with pytest.raises(BlockError):
            inferred(kind, shapes, **given)
    else:
        assert inferred(kind, shapes, **given)[0] == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("euclidean", "euclidean"),
        ("fro", "fro"),
        ("inf", "inf"),
        (np.inf, "inf"),
        ("3", 3.0),
        (2, 2.0),
        (np.int64(2), 2.0),
        (np.float32(0.5), 0.5),
        (1e-9, 1e-9),
        (0, None),
        (-1, None),
        (True, None),
        (None, None),
        ([2], None),
        ("nan", None),
        ("two", None),
        (10**400, None),
    ],
)
def test_orders_of_norms_are_names_or_numbers_above_0(value: object, expected: object) -> None:
    if expected is None:
        with pytest.raises(BlockError, match="must be euclidean, fro, inf or a number above 0"):
            library["Norm"].normalize({"ord": value})
    else:
        assert library["Norm"].normalize({"ord": value})["ord"] == expected


def line(kind: str, framework: str, shape: tuple[int, ...], **given: Any) -> str:
    block_type = library[kind]
    name = block_type.inputs[0].name
    return block_type.spelling.write(framework, {name: "x"}, block_type.normalize(given), [TensorSpec(shape, F8)])


@pytest.mark.parametrize(
    ("kind", "framework", "given", "expected"),
    [
        ("ReduceProd", "torch", {}, "torch.prod(x)"),
        ("ReduceProd", "torch", {"axis": 1}, "torch.prod(x, dim=1)"),
        ("ReduceProd", "torch", {"axis": (1,), "keepdims": True}, "torch.prod(x, dim=1, keepdim=True)"),
        ("ReduceProd", "torch", {"axis": (0, 1)}, ""),
        ("ReduceProd", "torch", {"keepdims": True}, ""),
        ("Moments", "numpy", {"axes": (0,)}, "(np.mean(x, axis=(0,)), np.var(x, axis=(0,)))"),
        ("Moments", "numpy", {"axes": (0,), "keepdims": True},
         "(np.mean(x, axis=(0,), keepdims=True), np.var(x, axis=(0,), keepdims=True))"),
        ("Moments", "numpy", {"axes": ()}, "(np.mean(x, axis=(1, 3)), np.var(x, axis=(1, 3)))"),
        ("Moments", "numpy", {"axes": (), "keepdims": True},
         "(np.mean(x, axis=(), keepdims=True), np.var(x, axis=(), keepdims=True))"),
        ("Slice", "numpy", {"begin": (1, 0, 2, 0), "size": (1, -1, 2, 1)}, "x[1:2, 0:1, 2:4, 0:1]"),
        ("Slice", "tensorflow", {"begin": (1, 0, 2, 0), "size": (1, -1, 2, 1)},
         "tf.slice(x, (1, 0, 2, 0), (1, -1, 2, 1))"),
        ("Sort", "numpy", {}, "np.sort(x, axis=-1)"),
        ("Sort", "torch", {"axis": 1}, "torch.sort(x, dim=1, stable=True)[0]"),
        ("Sort", "torch", {"axis": 1, "direction": "DESCENDING"},
         "torch.sort(x, dim=1, descending=True, stable=True)[0]"),
        ("ArgSort", "torch", {"axis": 1}, "torch.sort(x, dim=1, stable=True)[1]"),
    ],
)  # fmt: skip
def test_lines_have_what_a_framework_needs(kind: str, framework: str, given: dict[str, Any], expected: str) -> None:
    assert line(kind, framework, (2, 1, 4, 1), **given) == expected


@pytest.mark.parametrize(
    ("x", "k", "tied", "count"),
    [
        ([3.0, 5.0, 3.0, 1.0, 1.0], 2, 1, 2),
        ([5.0, 5.0, 3.0], 1, 1, 2),
        ([5.0, 5.0, 3.0], 2, 1, 2),
        ([5.0, 5.0, 5.0, 3.0], 2, 2, 3),
        ([5.0, 4.0, 4.0, 4.0], 2, 1, 3),
        ([5.0, 5.0, 4.0, 4.0], 2, 1, 2),
        ([2.0, 2.0], 2, 1, 2),
        ([5.0, 5.0, 4.0, 4.0, 1.0], 4, 2, 4),
    ],
)
def test_a_tie_counts_the_elements_that_might_have_come_first(x: list[float], k: int, tied: int, count: int) -> None:
    """Those of equal pairs whose first one is among the k, and behind these only equals of the last one."""
    block_type, numbers = library["TopK"], np.array(x)
    parameters = block_type.normalize({"k": k})
    found = block_type.observed(numbers, *block_type.function(numbers, **parameters), **parameters)
    assert found is not None
    assert (found.code, found.count) == ("tie", count)
    assert found.message == f"{tied} equal pair{'s' * (tied > 1)}: the first in x comes first."


@pytest.mark.parametrize("clip_norm", [-1.0, 0.0, 0.5, 5.0, 9.0])
def test_what_is_clipped_has_at_most_its_length(clip_norm: float) -> None:
    x = np.array([[3.0, 4.0], [0.0, 0.0]])
    expected = x * min(1.0, max(clip_norm, 0.0) / 5.0)
    np.testing.assert_allclose(gw.ClipByNorm(x, clip_norm=clip_norm), expected, rtol=1e-15)


def test_labels_of_a_file_are_classes_where_they_are_indices_in_one_column() -> None:
    data = library["Data"]
    x = np.arange(12.0).reshape(6, 2)

    def drawn(y: Any, **given: Any) -> tuple[Any, Any]:
        parameters = data.normalize({"set": "file", "file": "a.csv", "inputs": x, "targets": np.array(y), **given})
        data.infer_outputs([], parameters)
        return data.function(**parameters)

    classes = [2, 0, 1, 0, 1, 1]
    for y in (classes, [[item] for item in classes]):
        assert drawn(y, labels="index")[1].tolist() == classes
        assert drawn(y, labels="one_hot")[1].tolist() == np.eye(3)[classes].tolist()
    assert drawn(classes, labels="index", n=2, held=3, part="test")[1].tolist() == [0, 1, 1]
    assert drawn(classes, labels="index", n=2, held=3)[1].tolist() == [2, 0]
    assert drawn(classes, labels="index", n=3, held=3)[1].tolist() == [2, 0, 1]
    numbers = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5]
    assert drawn(numbers, labels="value")[1].tolist() == [[item] for item in numbers]
    pairs = [[item, 2 * item] for item in range(6)]
    assert drawn(pairs, labels="value")[1].tolist() == pairs
    bad: list[tuple[Any, dict[str, Any]]] = [
        ([*classes[:5], 100], {}), ([*classes[:5], -1], {}), (classes[:5], {}), (classes, {"held": 6}),
        (classes, {"held": -1}), (classes, {"n": 4, "held": 3}), ([[classes]], {}),
        (np.array(classes) + 0j, {}), (classes, {"inputs": np.arange(6.0)}), (classes, {"inputs": x + 0j}),
        ([], {"inputs": x[:0]}), (classes, {"inputs": x[:, :0]}), (classes, {"inputs": None}),
    ]  # fmt: skip
    for y, given in bad:
        with pytest.raises(BlockError):
            drawn(y, **given)
    assert drawn([*classes[:5], 99], labels="index")[1].tolist() == [*classes[:5], 99]
    assert drawn(classes, labels="index", held=5, part="test")[1].tolist() == classes[1:]


@pytest.mark.parametrize(
    ("kind", "framework", "specs", "given", "expected"),
    [
        ("Bucketize", "tensorflow", [(4,)], {"boundaries": [1.0]},
         "tf.raw_ops.Bucketize(input=x, boundaries=[1.0])"),
        ("Pad", "tensorflow", [(2, 3)], {"paddings": [[1, 0], [2, 3]]},
         "tf.pad(x, [[1, 0], [2, 3]], 'CONSTANT', constant_values=0.0)"),
        ("Pad", "tensorflow", [()], {"paddings": []}, "x"),
        ("Pad", "torch", [(2, 3)], {"paddings": [[1, 0], [2, 3]]},
         "torch.nn.functional.pad(x, [2, 3, 1, 0], value=0.0)"),
        ("Pad", "torch", [()], {"paddings": []}, ""),
        ("Pad", "torch", [(2, 3)], {"paddings": [[1, 0], [2, 2]], "mode": "REFLECT"}, ""),
    ],
)  # fmt: skip
def test_lines_of_one_tensor(
    kind: str, framework: str, specs: list[tuple[int, ...]], given: dict[str, Any], expected: str
) -> None:
    assert line(kind, framework, specs[0], **given) == expected


def confusion(labels: TensorSpec | None, predictions: TensorSpec | None, **given: Any) -> str:
    block_type = library["ConfusionMatrix"]
    ports = {"labels": "l", "predictions": "p"}
    return block_type.spelling.write("tensorflow", ports, block_type.normalize(given), [labels, predictions])


@pytest.mark.parametrize(
    ("labels", "predictions", "rows"),
    [
        (TensorSpec((4,), I8), TensorSpec((4,), I8), "l, p"),
        (TensorSpec((4,), I8), TensorSpec((4, 3), F8), "tf.reshape(l, [-1]), tf.reshape(tf.argmax(p, axis=-1), [-1])"),
        (TensorSpec((4, 3), F8), TensorSpec((4, 3), F8),
         "tf.reshape(tf.argmax(l, axis=-1), [-1]), tf.reshape(tf.argmax(p, axis=-1), [-1])"),
        (TensorSpec((4, 1), F8), TensorSpec((4, 1), F8),
         "tf.reshape(tf.cast(l > 0.5, 'int32'), [-1]), tf.reshape(tf.cast(p > 0.25, 'int32'), [-1])"),
    ],
)  # fmt: skip
def test_a_confusion_matrix_counts_the_highest_or_those_above_the_threshold(
    labels: TensorSpec, predictions: TensorSpec, rows: str
) -> None:
    found = confusion(labels, predictions, num_classes=3, threshold=0.25)
    assert found == f"tf.math.confusion_matrix({rows}, 3, dtype='int32')"
    assert confusion(None, predictions) == confusion(labels, None) == ""


@pytest.mark.parametrize(
    ("a", "b", "x", "expected"),
    [
        (1.0, 1.0, 0.25, 0.25),
        (2.0, 1.0, 0.5, 0.25),
        (1.0, 1.0, 0.0, 0.0),
        (1.0, 1.0, 1.0, 1.0),
        (0.0, 1.0, 0.5, np.nan),
        (1.0, 0.0, 0.5, np.nan),
        (1.0, -1.0, 0.0, np.nan),
        (1.0, 1.0, -1e-9, np.nan),
        (1.0, 1.0, 1.0 + 1e-9, np.nan),
        (np.inf, 1.0, 0.5, np.nan),
        (1.0, np.inf, 0.5, np.nan),
        (np.inf, 1.0, 1.0, 1.0),
        (1.0, 1.0, np.nan, np.nan),
    ],
)
def test_a_beta_variable_lies_from_0_to_1(a: float, b: float, x: float, expected: float) -> None:
    np.testing.assert_allclose(gw.Betainc(np.array(a), np.array(b), np.array(x)), expected)


@pytest.mark.parametrize("boundaries", [(1.0, 1.0), (1.0, 2.0), (2.0,), ()])
def test_boundaries_may_be_equal(boundaries: tuple[float, ...]) -> None:
    x = np.array([0.0, 1.0, 1.5, 2.0, 3.0])
    found = library["Bucketize"](x, boundaries=list(boundaries))
    np.testing.assert_array_equal(found, np.searchsorted(boundaries, x, side="right"))
