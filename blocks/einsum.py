"""Sums of products in Einstein's notation."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any

import numpy as np

from gradwire.blocks.shape import Reshape
from gradwire.engine.base.errors import MissingInputError, ParameterError, ShapeError
from gradwire.engine.base.tensor_spec import Array, TensorSpec
from gradwire.engine.blocktypes.block_type import NUMBER, block
from gradwire.engine.blocktypes.primitives import BroadcastTo
from gradwire.engine.blocktypes.spelling import Spelling

# An operand with its labels.
Factor = tuple[Any, str]


def explicit_labels(equation: str, ranks: Sequence[int]) -> tuple[list[str], str, str]:
    """Returns the labels of each operand and of the output, one letter an axis, and the letters of an ellipsis.

    Raises: ParameterError or ShapeError if the equation cannot be read or does not fit the ranks.
    """
    left, arrow, right = equation.replace(" ", "").partition("->")
    operands = left.split(",")
    if len(operands) != len(ranks):
        raise ShapeError(f'"{equation}" has {len(operands)} operands, but {len(ranks)} are connected')
    _check_letters([*operands, right], equation)
    widths = [rank - len(item.replace("...", "")) for item, rank in zip(operands, ranks, strict=True)]
    for index, (item, width) in enumerate(zip(operands, widths, strict=True)):
        if width < 0 or (width > 0 and "..." not in item):
            raise ShapeError(f'"{item}" does not name the {ranks[index]} axes of values_{index}')
    free = [letter for letter in string.ascii_letters if letter not in equation]
    broadcast = "".join(free[: max(widths, default=0)])
    labels = [
        item.replace("...", broadcast[len(broadcast) - width :]) for item, width in zip(operands, widths, strict=True)
    ]
    if not arrow:
        named = "".join(labels)
        right = broadcast + "".join(sorted(x for x in set(named) if named.count(x) == 1 and x not in broadcast))
    else:
        right = right.replace("...", broadcast)
    if len(set(right)) < len(right) or not set(right) <= set("".join(labels)) | set(broadcast):
        raise ParameterError(f'the output of "{equation}" must name axes of the operands, each once')
    return labels, right, broadcast


def _check_letters(parts: Sequence[str], equation: str) -> None:
    for part in parts:
        named = part.replace("...", "", 1)
        if any(letter not in string.ascii_letters for letter in named):
            raise ParameterError(f'"{equation}" may hold letters, commas, one -> and one ... for each operand')


def _summed(*values: TensorSpec, equation: str) -> TensorSpec:
    if not values:
        raise MissingInputError("it needs at least one operand")
    labels, output, broadcast = explicit_labels(equation, [value.ndim for value in values])
    sizes: dict[str, int] = {}
    for index, (named, value) in enumerate(zip(labels, values, strict=True)):
        for letter, size in zip(named, value.shape, strict=True):
            known = sizes.setdefault(letter, size)
            if size != known and not (letter in broadcast and 1 in (size, known)):
                raise ShapeError(f"values_{index} has {size} along {letter}, but {known} was found before")
            sizes[letter] = size if known == 1 else known
    return TensorSpec(tuple(sizes[letter] for letter in output), values[0].dtype)


@block(
    "Linear algebra",
    infer=_summed,
    accepts=NUMBER,
    sums_products=True,
    formula=r"y_{\dots} = \textstyle\sum_{\text{letters not in the output}} \prod_k x^k_{\dots}",
    gradient_formula=r"\text{the same sum with } \bar y \text{ in the place of } x^k",
    spelling=Spelling(
        "np.einsum({equation}, {values})",
        "tf.einsum({equation}, {values})",
        "torch.einsum({equation}, {values})",
        "jnp.einsum({equation}, {values})",
    ),
)
def Einsum(*values: Array, equation: str) -> Array:
    """Products of the operands' elements, summed over the letters that the output does not name: `ij,jk->ik`.

    A letter that stands twice in one operand takes its diagonal; `...` stands for axes that broadcast. Without an
    arrow the output has the letters that stand once, in alphabetical order.
    """
    labels, output, _ = explicit_labels(equation, [value.ndim for value in values])
    return np.einsum(f"{','.join(labels)}->{output}", *values, optimize=True)


@Einsum.gradient
def einsum_gradient(g: Any, values: Any, y: Any, *, equation: str) -> Any:
    labels, output, broadcast = explicit_labels(equation, [value.ndim for value in values])
    factors = [_without_broadcast_axes(value, named, broadcast) for value, named in zip(values, labels, strict=True)]
    return [
        _gradient_of(value, labels[index], [(g, output), *factors[:index], *factors[index + 1 :]])
        for index, value in enumerate(values)
    ]


def _without_broadcast_axes(value: Any, named: str, broadcast: str) -> Factor:
    """Returns the operand without the axes of size 1 that an ellipsis repeats: in a product they say nothing."""
    kept = [axis for axis, letter in enumerate(named) if letter not in broadcast or value.shape[axis] != 1]
    if len(kept) == len(named):
        return value, named
    return Reshape(value, shape=tuple(value.shape[axis] for axis in kept)), "".join(named[axis] for axis in kept)


def _gradient_of(x: Any, own: str, factors: list[Factor]) -> Any:
    """Returns the gradient of the operand `x` with the labels `own`: the product of all the others and of `g`."""
    distinct = "".join(dict.fromkeys(own))
    known = set().union(*(named for _, named in factors))
    reached = "".join(letter for letter in distinct if letter in known)
    names = ",".join(named for _, named in factors)
    part = Einsum(*(value for value, _ in factors), equation=f"{names}->{reached}")
    if reached != distinct:
        part = _repeated(part, reached, distinct, own, x)
    return part if len(distinct) == len(own) else _on_diagonal(part, distinct, own, x)


def _repeated(part: Any, reached: str, distinct: str, own: str, x: Any) -> Any:
    """Axes that only this operand has, and that were summed, receive the same gradient everywhere."""
    sizes = dict(zip(reached, part.shape, strict=True))
    part = Reshape(part, shape=tuple(sizes.get(letter, 1) for letter in distinct))
    return BroadcastTo(part, shape=tuple(sizes.get(letter, x.shape[own.index(letter)]) for letter in distinct))


def _on_diagonal(part: Any, distinct: str, own: str, x: Any) -> Any:
    """Returns the gradient on the diagonal that a letter takes that stands twice."""
    free = iter(letter for letter in string.ascii_letters if letter not in own)
    target, diagonals = "", []
    for axis, letter in enumerate(own):
        if letter in target:
            fresh = next(free)
            diagonals.append((f"{letter}{fresh}", np.eye(x.shape[axis], dtype=x.dtype)))
            target += fresh
        else:
            target += letter
    names = ",".join([distinct, *(name for name, _ in diagonals)])
    return Einsum(part, *(matrix for _, matrix in diagonals), equation=f"{names}->{target}")
