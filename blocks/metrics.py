"""Numbers that say how good predictions are; training does not go by them, so none passes a gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from gradwire.blocks.comparison import NO_GRADIENT
from gradwire.engine.base.errors import ParameterError, ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import DTYPES, Array, TensorSpec
from gradwire.engine.blocktypes.block_type import FLOAT, UNSHARED, block
from gradwire.engine.blocktypes.spelling import Spelling

_MOST_CLASSES = 10_000


def _has_numbers(labels: TensorSpec, predictions: TensorSpec) -> bool:
    """Returns whether labels are numbers of classes rather than one for each class."""
    return labels.ndim == predictions.ndim - 1


def _accuracy_spec(labels: TensorSpec, predictions: TensorSpec, *, threshold: float) -> TensorSpec:
    if predictions.ndim == 0 or predictions.shape[-1] == 0:
        raise ShapeError(f"predictions {list(predictions.shape)} must have a last axis of classes, with at least one")
    if labels.shape not in (predictions.shape, predictions.shape[:-1]):
        raise ShapeError(
            f"labels {list(labels.shape)} must have the shape of predictions, {list(predictions.shape)}, or that"
            " without the last axis"
        )
    if _has_numbers(labels, predictions) and labels.dtype.kind not in "iu":
        raise ShapeError("labels without an axis of classes must be whole numbers, the indices of the classes")
    return TensorSpec((), predictions.dtype)


@block(
    "Losses",
    differentiable="never",
    accepts={"labels": UNSHARED, "predictions": FLOAT},
    infer=_accuracy_spec,
    formula=r"y = \frac1n \sum_i [\arg\max_k p_{ik} = \arg\max_k l_{ik}]",
    gradient_formula=NO_GRADIENT,
    source="keras.metrics.CategoricalAccuracy, SparseCategoricalAccuracy, BinaryAccuracy",
)
def Accuracy(labels: Array, predictions: Array, *, threshold: float = 0.5) -> Array:
    """Share of rows whose largest prediction is at the class of the label.

    Predictions may be logits or probabilities, with one class at each place of the last axis; among equal ones the
    first counts. Labels are one hot, or whole numbers without that axis. If the last axis has one place, a prediction
    above `threshold` says yes, and a label above 0.5 is one: take 0 for logits.
    """
    if labels.ndim == predictions.ndim and predictions.shape[-1] == 1:
        hits = (predictions > threshold) == (labels.astype(np.float64) > 0.5)
    else:
        wanted = labels if labels.ndim < predictions.ndim else np.argmax(labels, axis=-1)
        hits = np.argmax(predictions, axis=-1) == wanted
    count = np.float64(hits.size)
    found: Array = (np.count_nonzero(hits) / count if count else np.float64(np.nan)).astype(predictions.dtype)
    return found


def _count_of(predictions: TensorSpec | Array, num_classes: int | None) -> int | None:
    """Returns how many classes there are; None if nothing tells it.

    Logits and probabilities have an axis of classes, of one place for two of them.
    """
    if num_classes is None and predictions.dtype.kind == "f" and predictions.ndim:
        return max(predictions.shape[-1], 2)
    return num_classes


def _confusion_spec(
    labels: TensorSpec, predictions: TensorSpec, *, num_classes: int | None, dtype: str, threshold: float
) -> TensorSpec:
    count = _count_of(predictions, num_classes)
    if count is None:
        raise ParameterError("num_classes is missing: give it when predictions are indices of classes")
    if not 1 <= count <= _MOST_CLASSES:
        raise ParameterError(f"num_classes must be from 1 to {_MOST_CLASSES:,}, not {count}")
    if predictions.dtype.kind == "f":
        _accuracy_spec(labels, predictions, threshold=threshold)
    elif labels.ndim != 1 or predictions.shape != labels.shape or "b" in (labels.dtype.kind, predictions.dtype.kind):
        raise ShapeError(
            f"labels {list(labels.shape)} and predictions {list(predictions.shape)} must be rows of the same length"
        )
    elif labels.dtype.kind == "f":
        raise ShapeError("labels without an axis of classes must be whole numbers, the indices of the classes")
    return TensorSpec((count, count), DTYPES[dtype])


def _matrix_in_tensorflow(
    labels: str,
    predictions: str,
    *,
    num_classes: int | None,
    dtype: str,
    threshold: float,
    specs: Sequence[TensorSpec | None],
) -> str:
    of_labels, of_predictions = specs
    if of_labels is None or of_predictions is None:
        return ""
    rows = [labels, predictions]
    if of_predictions.dtype.kind == "f":
        is_one = of_labels.shape == of_predictions.shape and of_labels.shape[-1] == 1
        highest = [f"tf.argmax({text}, axis=-1)" for text in rows]
        truths = [f"{labels} > 0.5", f"{predictions} > {threshold!r}"]
        rows = [f"tf.cast({text}, 'int32')" for text in truths] if is_one else highest
        rows = [labels if _has_numbers(of_labels, of_predictions) else rows[0], rows[1]]
        rows = [f"tf.reshape({text}, [-1])" for text in rows]
    return f"tf.math.confusion_matrix({rows[0]}, {rows[1]}, {_count_of(of_predictions, num_classes)}, dtype={dtype!r})"


@block(
    "Losses",
    differentiable="never",
    accepts=UNSHARED,
    infer=_confusion_spec,
    formula=r"y_{jk} = |\{i : l_i = j,\ p_i = k\}|",
    gradient_formula=NO_GRADIENT,
    source="tf.math.confusion_matrix",
    spelling=Spelling(tensorflow=_matrix_in_tensorflow),
)
def ConfusionMatrix(
    labels: Array,
    predictions: Array,
    *,
    num_classes: int | None = None,
    dtype: Literal["int32", "int64", "float32", "float64"] = "int32",
    threshold: float = 0.5,
) -> Array:
    """Number of rows for each pair of classes: that of the label down, the predicted one across.

    Both are indices of classes, or they are as Accuracy takes them: predictions are logits or probabilities, and
    labels one hot or indices. If the last axis has one place, `threshold` decides between the classes 0 and 1.
    There are as many classes as that axis has places, unless `num_classes` says it; indices need it.
    """
    count = _count_of(predictions, num_classes) or 0
    if predictions.dtype.kind == "f":
        if labels.ndim == predictions.ndim and predictions.shape[-1] == 1:
            labels, predictions = labels.astype(np.float64) > 0.5, predictions > threshold
        else:
            labels = labels if labels.ndim < predictions.ndim else np.argmax(labels, axis=-1)
            predictions = np.argmax(predictions, axis=-1)
        labels, predictions = (rows.reshape(-1).astype(np.int64) for rows in (labels, predictions))
    for name, numbers in (("labels", labels), ("predictions", predictions)):
        wrong = numbers[(numbers < 0) | (numbers >= count)]
        if wrong.size:
            raise ValueProblem(f"{name} holds {wrong[0]}, but there are the classes 0 to {count - 1}")
    y = np.zeros((count, count), dtype)
    np.add.at(y, (labels, predictions), 1)
    return y


def _r2_spec(labels: TensorSpec, predictions: TensorSpec) -> TensorSpec:
    if labels.shape != predictions.shape or labels.ndim not in (1, 2) or 0 in labels.shape:
        raise ShapeError(
            f"labels {list(labels.shape)} and predictions {list(predictions.shape)} must have the same shape, of rows"
            " or of rows and columns, with at least one element"
        )
    return TensorSpec((), labels.dtype)


@block(
    "Losses",
    differentiable="cut",
    infer=_r2_spec,
    formula=r"y = 1 - \frac{\sum_i (l_i - p_i)^2}{\sum_i (l_i - \bar l)^2}",
    gradient_formula=r"\text{none: a metric, as in Keras}",
    source="keras.metrics.R2Score",
)
def R2(labels: Array, predictions: Array) -> Array:
    """Share of the labels' variance that predictions explain: 1 at best, 0 if they are no better than the mean.

    Of several columns it is the mean of their shares. A column whose labels are all equal counts as 0, and makes NaN if
    its predictions are right, as in Keras. No gradient passes; to train, take MeanSquaredError.
    """
    total = np.sum((labels - _mean(labels, 0)) ** 2, axis=0)
    shares = 1 - np.sum((labels - predictions) ** 2, axis=0) / total
    return _mean(np.where(np.isinf(shares), 0, shares)).astype(labels.dtype)


def _mean(x: Array, axis: int | None = None) -> Array:
    found: Array = np.sum(x, axis=axis) / np.float64(x.size if axis is None else x.shape[axis])
    return found
