"""Counts of the n-grams of texts that are rows of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from gradwire.engine.base.tensor_spec import Array
from gradwire.interop.aten.shapes import reshaped
from gradwire.interop.models.limits import MOST_STEPS
from gradwire.interop.models.refusals import ModelRefusal
from gradwire.interop.models.tensors import Tensor, cast, made, refuse_large
from gradwire.interop.opset.arithmetic import number
from gradwire.interop.opset.operators import operator

_SINGLE = np.dtype(np.float32)


def _counts(x: Tensor, grams: Array, step: int) -> Tensor | None:
    """Returns how often rows have n-grams with elements `step` apart, None if they are too short for one.

    Shapes: x (rows, length), grams (number, n), the result (rows, number).
    """
    number_of, width = grams.shape
    starts = x.shape[1] - step * (width - 1)
    if starts < 1 or not number_of:
        return None
    refuse_large("TfIdfVectorizer", [x.shape[0], starts, number_of, width], np.dtype(np.int64))
    read = made("Gather", x, np.arange(starts)[:, None] + step * np.arange(width), axis=1)
    same = made("Equal", made("ExpandDims", read, axis=2), grams)
    found: Tensor = made("ReduceSum", cast(made("ReduceAll", same, axis=[-1]), _SINGLE), axis=[1])
    return found


@operator("TfIdfVectorizer")
def _vectorized(
    x: Tensor, *, max_gram_length: int, max_skip_count: int, min_gram_length: int, mode: str, ngram_counts: list[int],
    ngram_indexes: list[int], pool_int64s: Sequence[int] = (), weights: Sequence[float] = (),
) -> Tensor:  # fmt: skip
    if mode not in ("TF", "IDF", "TFIDF"):
        raise ModelRefusal(f"its mode is TF, IDF or TFIDF, and not {mode[:20]}")
    if max_skip_count > MOST_STEPS:
        raise ModelRefusal(f"skips of up to {max_skip_count} are unrolled, and {MOST_STEPS} are the limit")
    rows = reshaped(x, [-1, x.shape[-1]])
    size, first = max(ngram_indexes) + 1, 0
    refuse_large("TfIdfVectorizer", [rows.shape[0], size], _SINGLE)
    total: Tensor = np.zeros((rows.shape[0], size), _SINGLE)
    for width, (begin, end) in enumerate(pairwise([*ngram_counts, len(pool_int64s)]), start=1):
        grams = np.asarray(pool_int64s[begin:end], x.dtype).reshape(-1, width)
        places, first = ngram_indexes[first : first + len(grams)], first + len(grams)
        if not min_gram_length <= width <= max_gram_length:
            continue
        refuse_large("TfIdfVectorizer", [len(grams), size], _SINGLE)
        target = np.zeros((len(grams), size), _SINGLE)
        target[np.arange(len(grams)), places] = 1
        for step in range(1, 2 if width == 1 else max_skip_count + 2):
            found = _counts(rows, grams, step)
            total = total if found is None else made("Add", total, made("MatMul", found, target))
    if mode == "IDF":
        total = cast(made("Greater", total, number(0, total)), _SINGLE)
    if weights and mode != "TF":
        total = made("Multiply", total, np.asarray(weights, _SINGLE))
    return reshaped(total, [*x.shape[:-1], size])
