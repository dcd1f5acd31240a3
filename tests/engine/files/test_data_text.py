"""Arrays and tables of examples, written as NumPy and spreadsheets write them, come back as they are."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import MIB
from gradwire.engine.files.data_arrays import read_npy
from gradwire.engine.files.data_files import is_in, path_in, read_examples
from gradwire.engine.files.data_kinds import DataOptions
from gradwire.engine.files.table_form import form_of
from gradwire.engine.files.table_text import TableText


def npy(array: Any, version: tuple[int, int]) -> bytes:
    written = io.BytesIO()
    np.lib.format.write_array(written, array, version)
    return written.getvalue()


@pytest.mark.parametrize("version", [(1, 0), (2, 0)])
@pytest.mark.parametrize("dtype", ["?", "i1", "u2", ">i4", "i8", "f2", "f4", ">f8"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 0, 3), (2, 3, 4)])
def test_an_array_comes_back_in_either_order(version: tuple[int, int], dtype: str, shape: tuple[int, ...]) -> None:
    for order in "CF":
        array = np.array(np.arange(int(np.prod(shape))).reshape(shape), dtype, order=order)  # type: ignore[call-overload]
        content = npy(array, version)
        found = read_npy(io.BytesIO(content), len(content), "a.npy")
        assert found.dtype == array.dtype
        np.testing.assert_array_equal(found, array)


@pytest.mark.parametrize("dtype", ["g", "c8", "c16", "S3", "U2", "M8[s]", "V4"])
def test_an_array_of_no_numbers_is_refused(dtype: str) -> None:
    content = npy(np.zeros(2, dtype), (1, 0))
    with pytest.raises(FileError, match="only numbers and true or false are read"):
        read_npy(io.BytesIO(content), len(content), "a.npy")


@pytest.mark.parametrize("change", [lambda text: text[:-1], lambda text: text + b"x", lambda text: text[:20]])
def test_an_array_of_another_size_than_it_says_is_refused(change: Any) -> None:
    content = change(npy(np.zeros(3), (1, 0)))
    with pytest.raises(FileError):
        read_npy(io.BytesIO(content), len(content), "a.npy")


LINES = st.text(alphabet='ab ,;"%1.', min_size=1, max_size=4).filter(lambda line: line.strip(" ") == line)
CELLS = st.lists(LINES, min_size=1, max_size=2).map("\n".join)


@given(st.lists(st.lists(CELLS, min_size=2, max_size=3), min_size=1, max_size=4))
def test_rows_between_quotation_marks_are_those_of_the_csv_module(rows: list[list[str]]) -> None:
    written = io.StringIO()
    csv.writer(written, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    text = TableText(written.getvalue().encode(), "a.csv")
    assert [next(csv.reader(io.StringIO(row, newline=""))) for row in text.rows()] == rows


def test_a_quotation_mark_needs_its_partner_within_a_mebibyte() -> None:
    def rows(size: int) -> list[str]:
        return list(TableText(b'"a\n' + (b"b" * 1000 + b"\n") * (size // 1001) + b'",1\n', "a.csv").rows())

    assert len(rows(MIB // 2)) == 1
    for text in (b'"a,1\n2,3\n', b'1,2\n"3,4\n'):
        with pytest.raises(FileError, match="without its partner"):
            list(TableText(text, "a.csv").rows())
    with pytest.raises(FileError, match="without its partner"):
        rows(2 * MIB)


@pytest.mark.parametrize(
    ("text", "names", "named_in", "counts", "separator"),
    [
        ("a,b,y\n1,2,3\n", ("a", "b", "y"), "row", False, ","),
        ("0,1,2\n5,6,7\n", ("0", "1", "2"), "", True, ","),
        ("1,2,3\n5,6,7\n", ("0", "1", "2"), "", True, ","),
        ("2,3,4\n5,6,7\n", ("0", "1", "2"), "", False, ","),
        ("0,1\n5,6\n", ("0", "1"), "", False, ","),
        ("0;1,5;2\n5;6,5;7\n", ("0", "1", "2"), "", False, ";"),
        ("5\t6\t7\n8\t9\t1\n", ("0", "1", "2"), "", False, "\t"),
    ],
)
def test_a_table_says_how_it_is_written(
    text: str, names: tuple[str, ...], named_in: str, counts: bool, separator: str
) -> None:
    form = form_of(TableText(text.encode(), "a.csv"), DataOptions())
    assert (len(form.names), form.named_in, form.counts, form.separator) == (len(names), named_in, counts, separator)
    assert named_in == "" or form.names == names
    assert form.decimal == ("," if "1,5" in text else ".")


@pytest.mark.parametrize("text", ["", "\n\n", "# nothing\n", "1\n2\n"])
def test_what_is_no_table_of_two_columns_is_refused(text: str) -> None:
    with pytest.raises(FileError):
        form_of(TableText(text.encode(), "a.csv"), DataOptions())


def test_no_row_of_a_plain_table_is_empty_and_empty_ones_are_counted(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,y\n1,2\n3,4\n")
    (tmp_path / "b.csv").write_text('a,y\n1,"2"\n,\n3,4\n')
    notes = [[str(note) for note in read_examples(tmp_path, name, DataOptions()).notes] for name in ("a.csv", "b.csv")]
    assert not any("empty rows" in note for note in notes[0])
    assert any("empty rows left out: 1" in note for note in notes[1])


@pytest.mark.parametrize("letter", [*map(chr, range(32)), *'\\:*?"<>|'])
def test_no_name_of_a_file_has_a_sign_that_some_system_forbids(letter: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must be a path inside the folder"):
        path_in(tmp_path, f"a{letter}b")


def test_names_of_files_may_have_other_signs_and_1024_letters(tmp_path: Path) -> None:
    for name in ("a b.csv", "ä!#$&.csv", "x" * 200):
        (tmp_path / name).write_text("")
        assert is_in(tmp_path, name) and path_in(tmp_path, name) == (tmp_path / name).resolve()
    long = "/".join(["x" * 127] * 8)
    assert len(long) == 1023
    for name, sentence in ((long + "y", "There is no file"), (long + "yy", "must be a path")):
        with pytest.raises(FileError, match=sentence):
            path_in(tmp_path, name)
    assert not is_in(tmp_path, "gone")
