"""Matrices: what their blocks do where a matrix is singular, indefinite or unknown, and tables of diagonals."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from gradwire.blocks.bands import Eye, MatrixBandPart, Trace
from gradwire.blocks.decompositions import Cholesky, MatrixInverse, MatrixSolve, TriangularSolve
from gradwire.blocks.determinants import MatrixDeterminant, Slogdet
from gradwire.blocks.diagonals import MatrixDiag, MatrixDiagPart, MatrixSetDiag
from gradwire.blocks.einsum import Einsum
from gradwire.blocks.products import MatVec, Tensordot
from gradwire.blocks.sources import Variable
from gradwire.engine.autodiff.backward import backward_pass
from gradwire.engine.base.errors import BlockError, ParameterError, ShapeError, ValueProblem
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.blocktypes.block_type import BlockType
from gradwire.engine.blocktypes.expression import constant
from gradwire.engine.blocktypes.plan import make_plan, run

SINGULAR = np.array([[1.0, 2.0], [2.0, 4.0]])
REGULAR = np.array([[2.0, 1.0], [0.5, 3.0]])


def gradient(output: Any, x: Any, seed: Array) -> Array | None:
    """Returns the gradient that reaches `x` when `seed` arrives at the output."""
    total = backward_pass({output: constant(seed)}).totals[x]
    return run(make_plan([total]))[total]


def minors(x: Array) -> Array:
    """Returns the cofactors of a matrix as the school defines them: signed determinants of what is left."""
    size = len(x)
    signed = np.empty_like(x)
    for i, j in itertools.product(range(size), repeat=2):
        signed[i, j] = (-1) ** (i + j) * np.linalg.det(np.delete(np.delete(x, i, 0), j, 1))
    return signed


@pytest.mark.parametrize(
    "rows",
    [[[1, 2], [2, 4]], [[0]], [[1, 2, 3], [4, 5, 9], [2, 4, 6]], [[1, 2, 3], [2, 4, 6], [3, 6, 9]], [[0, 0], [0, 0]]],
)
def test_the_gradient_of_a_determinant_of_zero_is_that_of_its_minors(rows: list[list[int]]) -> None:
    x = Variable(value=np.array(rows, float))
    found = gradient(MatrixDeterminant(x), x, np.array(1.0))
    # The singular values of these numbers are exact to some 1e-15.
    np.testing.assert_allclose(found, minors(np.array(rows, float)), atol=1e-13)


def test_a_singular_matrix_leaves_the_others_of_its_batch_their_gradients() -> None:
    x = Variable(value=np.stack([SINGULAR, REGULAR]))
    _, logarithm = Slogdet(x)
    found = gradient(logarithm, x, np.ones(2))
    assert found is not None
    assert np.isnan(found[0]).all()
    np.testing.assert_allclose(found[1], np.linalg.inv(REGULAR).T, rtol=1e-12)


def test_a_determinant_that_overflows_keeps_its_logarithm_and_its_gradient() -> None:
    x = Variable(value=np.eye(400) * 1e3)
    _, logarithm = Slogdet(x)
    assert run(make_plan([logarithm]))[logarithm] == pytest.approx(400 * np.log(1e3))
    np.testing.assert_allclose(gradient(logarithm, x, np.array(1.0)), np.eye(400) / 1e3, atol=1e-15)


def test_a_nan_behind_a_pivot_of_zero_is_seen() -> None:
    x = np.array([[0.0, 0.0], [0.0, np.nan]])
    assert np.isnan(MatrixDeterminant(x))
    assert np.isnan(Slogdet(x)).all()


@pytest.mark.parametrize("call", [MatrixInverse, lambda a: MatrixSolve(a, a)])
def test_one_singular_matrix_of_a_batch_is_an_error(call: Any) -> None:
    with pytest.raises(ValueProblem, match="singular"):
        call(np.stack([REGULAR, SINGULAR]))


def test_a_nan_spreads_through_inverses_and_solutions_without_making_a_matrix_singular() -> None:
    x = np.array([[np.nan, 0.0], [0.0, 1.0]])
    assert np.isnan(MatrixInverse(x)[0, 0])
    np.testing.assert_array_equal(MatrixSolve(x, np.array([[1.0], [2.0]])), [[np.nan], [2.0]])


def test_cholesky_reads_the_lower_triangle_only() -> None:
    # By hand: the factor of [[4, 2], [2, 3]].
    np.testing.assert_allclose(Cholesky(np.array([[4.0, np.nan], [2.0, 3.0]])), [[2, 0], [1, np.sqrt(2)]])


def test_cholesky_refuses_what_is_not_positive_definite_but_passes_nan_on() -> None:
    with pytest.raises(ValueProblem, match="positive definite"):
        Cholesky(np.array([[1.0, 2.0], [2.0, 1.0]]))
    found = Cholesky(np.array([[[np.nan, 0.0], [0.0, 1.0]], [[4.0, 0.0], [0.0, 1.0]]]))
    np.testing.assert_array_equal(found, [[[np.nan, 0], [np.nan, np.nan]], [[2, 0], [0, 1]]])


def test_a_triangular_solution_ignores_the_other_triangle_and_divides_by_zero() -> None:
    b = np.array([[1.0], [2.0]])
    np.testing.assert_array_equal(TriangularSolve(np.array([[2.0, np.nan], [1.0, 1.0]]), b), [[0.5], [1.5]])
    np.testing.assert_array_equal(TriangularSolve(np.array([[0.0, 0.0], [1.0, 1.0]]), b), [[np.inf], [-np.inf]])


NINE = np.arange(1.0, 10).reshape(3, 3)


# By hand: the diagonals are 2 6, 1 5 9 and 4 8, and a word for each side says where its shorter ones stand.
@pytest.mark.parametrize(
    ("align", "above", "below"),
    [
        ("RIGHT_LEFT", [0, 2, 6], [4, 8, 0]),
        ("LEFT_RIGHT", [2, 6, 0], [0, 4, 8]),
        ("LEFT_LEFT", [2, 6, 0], [4, 8, 0]),
        ("RIGHT_RIGHT", [0, 2, 6], [0, 4, 8]),
    ],
)
def test_shorter_diagonals_stand_where_align_says(align: str, above: list[int], below: list[int]) -> None:
    table = np.array([above, [1, 5, 9], below], float)
    np.testing.assert_array_equal(MatrixDiagPart(NINE, k=(-1, 1), align=align), table)
    band = MatrixBandPart(NINE, num_lower=1, num_upper=1)
    np.testing.assert_array_equal(MatrixDiag(table, k=(-1, 1), align=align), band)
    np.testing.assert_array_equal(MatrixSetDiag(np.zeros((3, 3)), table, k=(-1, 1), align=align), band)


def test_what_fills_up_a_diagonal_gets_no_gradient() -> None:
    table = Variable(value=np.ones((2, 3)))
    found = gradient(MatrixDiag(table, k=(0, 1)), table, np.ones((3, 3)))
    np.testing.assert_array_equal(found, [[0, 1, 1], [1, 1, 1]])


def test_padding_stands_wherever_no_element_does() -> None:
    np.testing.assert_array_equal(
        MatrixDiag(np.array([1, 2]), k=1, num_rows=2, num_cols=4, padding_value=7), [[7, 1, 7, 7], [7, 7, 2, 7]]
    )
    assert MatrixDiagPart(NINE, k=(0, 1), padding_value=7)[0, 0] == 7


def test_outside_a_band_even_nan_is_zero() -> None:
    np.testing.assert_array_equal(MatrixBandPart(np.full((2, 2), np.nan), num_lower=0, num_upper=0)[0, 1], 0)


REFUSED: list[tuple[BlockType, list[tuple[int, ...]], dict[str, Any], type[BlockError]]] = [
    (MatrixDiagPart, [(2, 3)], {"k": 3}, ShapeError),
    (MatrixDiagPart, [(2, 3)], {"k": -2}, ShapeError),
    (MatrixDiagPart, [(2, 3)], {"k": (1, 0)}, ParameterError),
    (MatrixDiagPart, [(3,)], {}, ShapeError),
    (MatrixDiag, [()], {}, ShapeError),
    (MatrixDiag, [(2,)], {"k": 1, "num_rows": 1}, ParameterError),
    (MatrixDiag, [(2,)], {"k": 1, "num_rows": 5, "num_cols": 7}, ParameterError),
    (MatrixDiag, [(2, 3)], {"k": (-1, 1)}, ShapeError),
    (MatrixSetDiag, [(3, 3), (2,)], {}, ShapeError),
    (MatrixSetDiag, [(2, 3, 3), (3,)], {}, ShapeError),
    (MatrixBandPart, [(2, 3)], {"num_lower": 3, "num_upper": 0}, ParameterError),
    (MatrixSolve, [(2, 2), (3, 2, 1)], {}, ShapeError),
    (MatrixSolve, [(2, 2), (2,)], {}, ShapeError),
    (MatrixInverse, [(2, 3)], {}, ShapeError),
    (MatVec, [(3, 4), (3,)], {}, ShapeError),
    (Tensordot, [(2, 3), (4, 2)], {"axes": 1}, ShapeError),
    (Tensordot, [(2, 3), (3, 2)], {"axes": 3}, ParameterError),
    (Tensordot, [(2, 2), (2, 2)], {"axes": [[0, 0], [0, 1]]}, ParameterError),
    (Tensordot, [(2, 3), (3, 2)], {"axes": [[0, 1]]}, ParameterError),
    (Tensordot, [(2, 3), (3, 2)], {"axes": [[2], [0]]}, ShapeError),
]


@pytest.mark.parametrize(("block_type", "shapes", "parameters", "kind"), REFUSED)
def test_what_tensorflow_refuses_is_refused_before_it_runs(
    block_type: BlockType, shapes: list[tuple[int, ...]], parameters: dict[str, Any], kind: type[BlockError]
) -> None:
    with pytest.raises(kind):
        block_type(*(Variable(value=np.ones(shape)) for shape in shapes), **parameters)


def test_single_axes_may_be_written_without_lists() -> None:
    a, b = np.arange(6.0).reshape(2, 3), np.arange(8.0).reshape(4, 2)
    np.testing.assert_array_equal(Tensordot(a, b, axes=[0, -1]), a.T @ b.T)


def test_axes_of_different_sizes_are_not_summed_together_even_if_the_counts_agree() -> None:
    with pytest.raises(ShapeError):
        Tensordot(Variable(value=np.ones((2, 3))), Variable(value=np.ones((2, 3))), axes=[[0, 1], [1, 0]])


def test_traces_and_identities_come_in_batches_and_need_not_be_square() -> None:
    identity = run(make_plan([whole := Eye(num_rows=2, num_columns=3, batch_shape=(4,), dtype="int32")]))[whole]
    assert identity is not None
    assert identity.tolist() == [[[1, 0, 0], [0, 1, 0]]] * 4
    assert Trace(identity).tolist() == [2] * 4


@pytest.mark.parametrize("b", [0.0, -0.0, np.inf])
def test_a_product_with_one_number_keeps_nan(b: float) -> None:
    """NumPy's dot leaves a sum at 0 where the one factor is 0, whatever the other is; IEEE 754 says NaN."""
    a = np.array([np.inf, np.nan, 0.0])
    with np.errstate(all="ignore"):
        expected = a * b
    np.testing.assert_equal(Tensordot(a, np.array(b), axes=0), expected)
    np.testing.assert_equal(Einsum(a, np.array([b]), equation="i,j->ij")[:, 0], expected)
    np.testing.assert_equal(MatVec(a[:, None], np.array([b])), expected)
