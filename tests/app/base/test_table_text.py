"""Tables read from a clipboard or a file, and written for one."""

from __future__ import annotations

import numpy as np
import pytest

from gradwire.app.base.table_text import looks_nested, natural_shape, pasted_numbers, read_table, table_text
from gradwire.engine.base.errors import ParameterError


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1\t2\n3\t4\n", [[1, 2], [3, 4]]),
        ("1,2\r\n3,4\r\n", [[1, 2], [3, 4]]),
        ("1 2\n3 4", [[1, 2], [3, 4]]),
        ('"1","2"\n', [[1, 2]]),
        ("a,b\n1,2\n", [[1, 2]]),
        ("# made by np.savetxt\n1.5e+00 2\n", [[1.5, 2]]),
        ("0,5;1,25\n", [[0.5, 1.25]]),
        ("\n−3\n\n", [[-3]]),
        ("nan\tinf\t-inf", [[np.nan, np.inf, -np.inf]]),
    ],
)
def test_a_table_is_read_whatever_stands_between_its_cells(text: str, expected: object) -> None:
    np.testing.assert_array_equal(read_table(text), expected)


def test_a_german_spreadsheet_writes_decimal_commas_between_tabs() -> None:
    for point in ",.":
        np.testing.assert_array_equal(read_table("0,5\t1,25\n-3\t1e-3", point=point), [[0.5, 1.25], [-3, 0.001]])
    np.testing.assert_array_equal(read_table("1,234\t5", point=","), [[1.234, 5]])
    np.testing.assert_array_equal(read_table("1,234;5"), [[1.234, 5]])
    np.testing.assert_array_equal(read_table("1,234\t1,5"), [[1.234, 1.5]])
    np.testing.assert_array_equal(read_table("1,234\t5,6"), [[1.234, 5.6]])


def test_a_column_of_decimal_commas_is_not_read_as_two() -> None:
    with pytest.raises(ParameterError, match="one number or two"):
        read_table("0,5\n1,5", point=",")
    np.testing.assert_array_equal(read_table("a,b\n1,2", point=","), [[1, 2]])


def test_a_single_row_between_blanks_may_not_be_a_difference() -> None:
    np.testing.assert_array_equal(pasted_numbers("1 2 3"), [[1, 2, 3]])
    np.testing.assert_array_equal(pasted_numbers("1 -2\n3 4"), [[1, -2], [3, 4]])
    with pytest.raises(ParameterError, match="lacks a comma"):
        pasted_numbers("3 -2")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1,2\n3,x\n", 'holds "x" in line 2, column 2'),
        ("1\t\n", "empty cell in line 1, column 2"),
        ("1,2\n\n3\n", "has 1 cells in line 3 but 2 in line 1"),
        ("1,234\t5", "may group digits"),
        ("0,5\t1.5", "write all decimals with one sign"),
        ("1.234;2,5", "write all decimals with one sign"),
        ("1_000\t2", 'holds "1_000" in line 1, column 1'),
        ("", "is empty"),
        ("# nothing\n", "is empty"),
        ("__import__('os')", "line 1, column 1"),
    ],
)
def test_what_is_wrong_is_said_with_line_and_column(text: str, said: str) -> None:
    with pytest.raises(ParameterError) as refused:
        read_table(text)
    assert said in str(refused.value)


@pytest.mark.parametrize("separator", [",", "\t"])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int8", "bool"])
def test_the_text_of_a_matrix_reads_back_as_the_same_matrix(dtype: str, separator: str) -> None:
    array = (np.random.default_rng(2).normal(size=(5, 3)) * 3).astype(dtype)
    again = read_table(table_text(array, separator), np.dtype(dtype))
    assert (again.tobytes(), again.shape) == (array.tobytes(), array.shape)


def test_rows_of_higher_ranks_follow_one_another() -> None:
    assert table_text(np.arange(8).reshape(2, 2, 2)) == "0,1\n2,3\n4,5\n6,7\n"


@pytest.mark.parametrize(("shape", "natural"), [((1, 1), ()), ((1, 3), (3,)), ((3, 1), (3,)), ((2, 3), (2, 3))])
def test_a_table_with_one_row_or_column_is_a_vector(shape: tuple[int, int], natural: tuple[int, ...]) -> None:
    assert natural_shape(np.zeros(shape)).shape == natural


def test_lists_and_calls_are_told_from_tables() -> None:
    assert looks_nested(" [[1, 2]]")
    assert looks_nested("array([1.])")
    assert looks_nested("<tf.Tensor: shape=(), dtype=int32, numpy=3>")
    assert not looks_nested("length (cm),width (cm)\n1,2")
    assert not looks_nested("1,2\n3,4")


@pytest.mark.parametrize("dtype", ["bool", "int8", "int64", "float32", "float64"])
@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (2, 2, 3)])
def test_a_written_table_is_read_back(dtype: str, shape: tuple[int, ...]) -> None:
    array = (np.random.default_rng(len(shape)).normal(size=shape) * 3).astype(dtype)
    text = table_text(array, "\t")
    assert text.count("\n") == (int(np.prod(shape[:-1])) if len(shape) > 1 else array.size)
    np.testing.assert_array_equal(read_table(text).astype(dtype).reshape(shape), array)
    assert natural_shape(np.ones((1, 1))).shape == () and natural_shape(np.ones((1, 3))).shape == (3,)
    assert natural_shape(np.ones((3, 1))).shape == (3,) and natural_shape(np.ones((2, 3))).shape == (2, 3)
