"""Accuracy, confusion matrix and R2: examples of Keras and TensorFlow's pages, definitions, and laws."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gradwire as gw
from gradwire.blocks import library
from gradwire.engine.base.errors import BlockError

ACCURACY, CONFUSION, R2 = library["Accuracy"], library["ConfusionMatrix"], library["R2"]


def test_accuracy_is_as_in_the_examples_of_keras() -> None:
    predictions = np.array([[0.1, 0.9, 0.8], [0.05, 0.95, 0.0]])
    assert ACCURACY(np.array([[0.0, 0, 1], [0, 1, 0]]), predictions) == 0.5
    assert ACCURACY(np.array([2, 1]), predictions) == 0.5
    binary = np.array([[0.98], [1], [0], [0.6]])
    assert ACCURACY(np.array([[1.0], [1], [0], [0]]), binary) == 0.75
    assert ACCURACY(np.array([[1.0], [1], [0], [0]]), binary, threshold=0.7) == 1


@given(st.lists(st.tuples(st.integers(0, 3), st.lists(st.integers(-3, 3), min_size=4, max_size=4)), min_size=1))
def test_accuracy_counts_the_first_of_equal_predictions(rows: list[tuple[int, list[int]]]) -> None:
    hits = sum(label == row.index(max(row)) for label, row in rows)
    labels, predictions = np.array([label for label, _ in rows]), np.array([row for _, row in rows], float)
    assert ACCURACY(labels, predictions) == hits / len(rows)
    single = ACCURACY(np.eye(4)[labels], predictions.astype(np.float32))
    assert single == np.float32(hits / len(rows))


def test_accuracy_of_nothing_is_not_a_number() -> None:
    assert np.isnan(ACCURACY(np.zeros(0, np.int64), np.zeros((0, 3))))


def test_the_confusion_matrix_is_as_in_the_example_of_tensorflow() -> None:
    found = CONFUSION(np.array([1, 2, 4]), np.array([2, 2, 4]), num_classes=5)
    assert found.dtype == np.int32
    assert found.tolist() == [[0, 0, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 1]]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3))))
def test_the_confusion_matrix_counts_pairs(pairs: list[tuple[int, int]]) -> None:
    labels, predictions = (np.array([pair[k] for pair in pairs], np.int64) for k in (0, 1))
    found = CONFUSION(labels, predictions, num_classes=4)
    assert {(j, k): found[j, k] for j in range(4) for k in range(4)} == {
        (j, k): pairs.count((j, k)) for j in range(4) for k in range(4)
    }


@given(st.integers(0, 5), st.integers(1, 4), st.booleans())
def test_an_axis_of_classes_tells_how_many_there_are(rows: int, classes: int, is_one_hot: bool) -> None:
    labels = np.arange(rows) % classes
    scores = np.cos(np.arange(rows * classes, dtype=np.float64)).reshape(rows, classes)
    given_labels = np.eye(classes)[labels] if is_one_hot else labels
    found = CONFUSION(given_labels, scores)
    # One place stands for two classes, as in Accuracy.
    assert found.shape == (max(classes, 2),) * 2
    np.testing.assert_array_equal(found, CONFUSION(given_labels, scores, num_classes=max(classes, 2)))


def test_r2_is_as_in_the_example_of_keras() -> None:
    found = R2(np.array([[1], [4], [3]], np.float32), np.array([[2], [4], [4]], np.float32))
    # Float32 has seven digits.
    assert found == pytest.approx(0.57142854, rel=2e-7)


NUMBERS = st.lists(st.tuples(st.integers(-9, 9), st.integers(-9, 9)), min_size=2)


@given(NUMBERS)
def test_r2_is_the_explained_share_of_the_variance(rows: list[tuple[int, int]]) -> None:
    labels, predictions = ([Fraction(row[k]) for row in rows] for k in (0, 1))
    mean = sum(labels) / len(labels)
    total, rest = sum((x - mean) ** 2 for x in labels), sum((x - y) ** 2 for x, y in rows)
    found = float(R2(np.array(labels, float), np.array(predictions, float)))
    if total:
        assert found == pytest.approx(float(1 - rest / total), rel=1e-9, abs=1e-9)
    else:
        assert found == 0 if rest else np.isnan(found)


def test_r2_of_columns_is_the_mean_of_their_shares() -> None:
    labels, predictions = np.array([[1.0, 0], [4, 2], [3, 7]]), np.array([[2.0, 1], [4, 2], [4, 5]])
    shares = [float(R2(labels[:, k], predictions[:, k])) for k in (0, 1)]
    assert float(R2(labels, predictions)) == pytest.approx(np.mean(shares), rel=1e-15)


@pytest.mark.parametrize(
    ("name", "inputs", "given", "message"),
    [
        ("Accuracy", (np.zeros((2, 3)), np.zeros((3, 2))), {}, "must have the shape of predictions"),
        ("Accuracy", (np.zeros(2), np.zeros((2, 3))), {}, "must be whole numbers, the indices of the classes"),
        ("Accuracy", (np.zeros(()), np.zeros(())), {}, "must have a last axis of classes"),
        ("ConfusionMatrix", (np.zeros(2, int), np.zeros(3, int)), {"num_classes": 2}, "rows of the same length"),
        ("ConfusionMatrix", (np.zeros(2), np.zeros((2, 3))), {"num_classes": 3}, "must be whole numbers"),
        ("ConfusionMatrix", (np.zeros((2, 2)), np.zeros((3, 2))), {"num_classes": 2}, "the shape of predictions"),
        (
            "ConfusionMatrix",
            (np.zeros(2, int), np.zeros(2, int)),
            {"num_classes": 0},
            "must be from 1 to 10,000, not 0",
        ),
        ("ConfusionMatrix", (np.zeros(2, int), np.zeros(2, int)), {}, "num_classes is missing"),
        ("R2", (np.zeros(2), np.zeros(3)), {}, "must have the same shape"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(name: str, inputs: Any, given: Any, message: str) -> None:
    with pytest.raises(BlockError, match=message):
        library[name](*map(gw.Constant, inputs), **given)


@pytest.mark.parametrize("seed", range(5))
def test_the_matrix_takes_what_accuracy_takes_and_its_diagonal_is_the_accuracy(seed: int) -> None:
    rng = np.random.default_rng(seed)
    scores, labels = rng.normal(size=(2, 6, 3)), rng.integers(0, 3, (2, 6))
    counted = [CONFUSION(rows, scores, num_classes=3) for rows in (labels, np.eye(3)[labels])]
    by_hand = np.zeros((3, 3), int)
    for label, row in zip(labels.reshape(-1), scores.reshape(-1, 3), strict=True):
        by_hand[label, row.argmax()] += 1
    np.testing.assert_array_equal(counted, [by_hand, by_hand])
    assert np.trace(by_hand) / 12 == ACCURACY(labels, scores)


def test_a_single_score_is_a_class_by_the_threshold() -> None:
    labels, scores = np.array([[1.0], [0], [1], [0]]), np.array([[2.0], [0.3], [-1], [-2]])
    np.testing.assert_array_equal(CONFUSION(labels, scores, num_classes=2, threshold=0.0), [[1, 1], [1, 1]])
    np.testing.assert_array_equal(CONFUSION(labels, scores, num_classes=2), [[2, 0], [1, 1]])


def test_a_class_beyond_the_matrix_is_refused() -> None:
    with pytest.raises(BlockError, match="predictions holds 5, but there are the classes 0 to 4"):
        CONFUSION(np.array([1, 2]), np.array([5, 0]), num_classes=5)
