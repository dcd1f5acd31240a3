"""Linear equations solved in fractions: each machine gives the same digits, whatever its library of matrices is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from gradwire.engine.base.tensor_spec import Array

Row = list[Fraction]


def exact_products(a: Array, b: Array) -> list[Row]:
    """Returns the product of two matrices of decimal numbers, such as 0.9, which stands for nine tenths.

    Shapes: [m, k] and [k, n] give m rows of n.
    """
    columns = [_fractions(column) for column in b.T]
    return [[sum(map(Fraction.__mul__, row, column), Fraction()) for column in columns] for row in map(_fractions, a)]


def _fractions(numbers: Iterable[float]) -> Row:
    return [Fraction(repr(float(number))) for number in numbers]


def solved_exactly(rows: Sequence[Row], right: Row) -> list[float]:
    """Returns x with `rows` x = `right`, each number rounded once, by Gaussian elimination in n^3 steps.

    Shapes: n rows of n, and n numbers. Raises: StopIteration if the matrix is singular.
    """
    system = [[*row, number] for row, number in zip(rows, right, strict=True)]
    for k in range(len(system)):
        pivot = next(i for i in range(k, len(system)) if system[i][k])
        system[k], system[pivot] = system[pivot], system[k]
        system[k] = [number / system[k][k] for number in system[k]]
        system = [row if i == k else _without(row, system[k], k) for i, row in enumerate(system)]
    return [float(row[-1]) for row in system]


def _without(row: Row, pivot: Row, k: int) -> Row:
    """Returns the row less the multiple of the pivot's row that makes its k-th number 0."""
    return [number - row[k] * other for number, other in zip(row, pivot, strict=True)]
