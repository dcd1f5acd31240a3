"""Columns and arrays of a file that become x and y, each boundary by hand."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.base.tensor_spec import Array
from gradwire.engine.files import data_files, data_tables, table_form
from gradwire.engine.files.data_files import Examples, path_in, read_examples, size_in
from gradwire.engine.files.data_kinds import DataOptions, ending_of, has_labels_apart
from gradwire.engine.files.data_tables import Table, labels_of, read_names, read_table
from gradwire.engine.files.table_cells import Column, is_like_number, is_number, number_of


def table(rows: str, label: str | tuple[str, ...] = "", **options: object) -> Table:
    return read_table(rows.encode(), DataOptions(label, **options), "a.csv")


def arrays(folder: Path, label: str = "", missing: str = "refuse", **given: Array) -> Examples:
    written = io.BytesIO()
    np.savez(written, **given)
    (folder / "a.npz").write_bytes(written.getvalue())
    return read_examples(folder, "a.npz", DataOptions(label, missing))


@pytest.mark.parametrize(
    ("name", "is_odd"),
    [
        ("", True), (".", True), ("a/", True), ("/a", True), ("a//b", True), ("a/ /b", True), ("..", True),
        ("a/./b", True), ("a" * 1024, False), ("a" * 1025, True), ("a\x1f", True), ("a\x20b", False), ("a:", True),
        ("a\\b", True), ("a*", True), ("a?", True), ('"', True), ("<", True), (">", True), ("|", True), (".a", False),
    ],
)  # fmt: skip
def test_a_name_is_a_path_inside_the_folder(name: str, is_odd: bool, tmp_path: Path) -> None:
    with pytest.raises(FileError, match="must be a path inside" if is_odd else "There is no file"):
        path_in(tmp_path, name)
    assert size_in(tmp_path, name) is None


@pytest.mark.parametrize(
    ("x", "y", "inputs", "targets"),
    [
        ((4,), (4,), (4, 1), (4,)), ((4, 2), (4, 1), (4, 2), (4,)), ((4, 2, 3), (4, 2), (4, 2, 3), (4, 2)),
        ((1,), (1,), (1, 1), (1,)), ((4, 2), (4, 2, 1), None, None), ((), (4,), None, None), ((), (), None, None),
        ((4, 2), (), None, None),
        ((3, 2), (4,), None, None), ((4, 2), (3,), None, None), ((0, 2), (0,), None, None),
        ((4, 2), (4, 1, 1), None, None),
    ],
)  # fmt: skip
def test_inputs_and_labels_have_as_many_rows(
    x: tuple[int, ...], y: tuple[int, ...], inputs: tuple[int, ...] | None, targets: object, tmp_path: Path
) -> None:
    if inputs is None:
        with pytest.raises(FileError, match="not as many rows of both"):
            arrays(tmp_path, x=np.ones(x), y=np.ones(y))
    else:
        found = arrays(tmp_path, x=np.ones(x), y=np.ones(y))
        assert (found.inputs.shape, found.targets.shape) == (inputs, targets)


@pytest.mark.parametrize(
    ("targets", "dtype"),
    [
        ([0, 99], "int64"), ([0, 100], "float64"), ([-1, 3], "float64"), ([0.0, 99.0], "int64"), ([0.5, 1], "float64"),
        ([0.0, 100.0], "float64"), ([-1.0, 0.0], "float64"), ([1, 2], "int64"), ([[0, 1], [1, 2]], "float64"),
        ([[0.0, 1.0], [1.0, 2.0]], "float64"), ([True, False], "int64"),
    ],
)  # fmt: skip
def test_whole_numbers_up_to_99_are_classes(targets: list[object], dtype: str, tmp_path: Path) -> None:
    found = arrays(tmp_path, x=np.ones((2, 2)), y=np.array(targets)).targets
    assert found.dtype == dtype and found.tolist() == np.array(targets).tolist()


@pytest.mark.parametrize(
    ("given", "dtype"),
    [
        ("float16", "float16"), ("uint8", "uint8"), ("int16", "int16"), ("uint16", "float32"), ("uint32", "float64"),
        ("uint64", "float64"), ("float32", "float32"), ("float64", "float64"), ("int64", "int64"), ("int32", "int32"),
    ],
)  # fmt: skip
def test_other_dtypes_become_floats_that_hold_them(given: str, dtype: str, tmp_path: Path) -> None:
    found = arrays(tmp_path, x=np.array([[1, 2], [3, 4]], given), y=np.zeros(2)).inputs
    assert found.dtype == dtype and found.tolist() == [[1, 2], [3, 4]]


@pytest.mark.parametrize(
    ("names", "label", "chosen"),
    [
        ("x y", "", "x y"), ("X y", "", "X y"), ("a y", "", "a y"), ("a b", "", None),
        ("arr_0 arr_1", "", "arr_0 arr_1"),
        ("x_train y_train", "", "x_train y_train"), ("X_train Y_train", "", "X_train Y_train"), ("a b", "a", "b a"),
        ("x_train y", "", "x_train y"), ("x x_train y_train", "", "x_train y_train"), ("x b c", "b", "x b"),
        ("a b y", "", None), ("x_new y_new x y", "y_new", "x_new y_new"), ("a b", "c", None), ("Xs ys", "ys", "Xs ys"),
        ("X x y", "", "x y"), ("X x c", "c", "x c"),
    ],
)  # fmt: skip
def test_arrays_of_an_archive_are_chosen_by_their_names(
    names: str, label: str, chosen: str | None, tmp_path: Path
) -> None:
    given = {name: np.full((2,), float(number)) for number, name in enumerate(names.split())}
    if chosen is None:
        with pytest.raises(FileError):
            arrays(tmp_path, label, **given)
    else:
        found = arrays(tmp_path, label, **given)
        x, y = chosen.split()
        assert (found.inputs[0, 0], found.targets[0]) == (given[x][0], given[y][0])
        assert found.held == 0


@pytest.mark.parametrize(
    ("rest", "held"),
    [
        ({"x_test": (3, 2), "y_test": (3,)}, 3), ({"x_test": (3, 2), "y_test": (3, 1)}, 3), ({"x_test": (3, 2)}, 0),
        ({"x_test": (), "y_test": (3,)}, None), ({"x_test": (3, 2), "y_test": ()}, None),
        ({"x_test": (3, 4), "y_test": (3,)}, None), ({"x_test": (3, 2), "y_test": (3, 2)}, None), ({}, 0),
    ],
)  # fmt: skip
def test_a_test_part_has_the_shape_of_the_other_part(
    rest: dict[str, tuple[int, ...]], held: int | None, tmp_path: Path
) -> None:
    given = {
        "x_train": np.zeros((2, 2)),
        "y_train": np.zeros(2),
        **{name: np.ones(item) for name, item in rest.items()},
    }
    if held is None:
        with pytest.raises(FileError, match="test part of another shape or dtype"):
            arrays(tmp_path, **given)
    else:
        found = arrays(tmp_path, **given)
        assert found.held == held
        assert found.inputs.tolist() == [[0, 0]] * 2 + [[1, 1]] * held
        assert found.targets.tolist() == [0] * 2 + [1] * held
        assert found.notes[0] == "Read a.npz: 2 rows" and len(found.notes) == 3 + bool(held)


def test_a_test_part_of_another_dtype_is_refused_and_so_are_parts_too_large_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {f"{name}_{part}": np.zeros(40) for name in "xy" for part in ("train", "test")}
    with pytest.raises(FileError, match="another shape or dtype"):
        arrays(tmp_path, **given | {"x_test": np.zeros(40, "float32")})
    assert arrays(tmp_path, **given).held == 40
    size = (tmp_path / "a.npz").stat().st_size
    monkeypatch.setattr(data_files, "LIMITS", LIMITS._replace(tensor_bytes=size))
    assert arrays(tmp_path, **given).held == 40
    monkeypatch.setattr(data_files, "LIMITS", LIMITS._replace(tensor_bytes=size - 1))
    with pytest.raises(FileError, match="is larger than"):
        arrays(tmp_path, **given)


@pytest.mark.parametrize(
    ("column", "zero", "mean"),
    [
        ([1, np.nan, 3], [1, 0, 3], [1, 2, 3]), ([np.nan] * 3, [0] * 3, [0] * 3), ([1, 2, 4], [1, 2, 4], [1, 2, 4]),
        ([np.inf, 6, 6], [0, 6, 6], [6, 6, 6]), ([1.5e308, 1.5e308, np.nan], [1.5e308] * 2 + [0], [1.5e308] * 3),
        ([-np.inf, -8, 2], [0, -8, 2], [-3, -8, 2]), ([5, np.nan, np.nan], [5, 0, 0], [5, 5, 5]),
    ],
)  # fmt: skip
def test_missing_numbers_become_zeros_or_means(
    column: list[float], zero: list[float], mean: list[float], tmp_path: Path
) -> None:
    count = int(np.sum(~np.isfinite(column)))
    for how, wanted in (("zero", zero), ("mean", mean)):
        found = arrays(tmp_path, missing=how, x=np.array(column), y=np.zeros(3))
        assert found.inputs[:, 0].tolist() == wanted and found.filled == count
        assert any("missing numbers filled in" in note for note in found.notes) == (count > 0)


@pytest.mark.parametrize(
    ("content", "inputs", "targets"),
    [
        (np.arange(6.0).reshape(3, 2), [[0], [2], [4]], [1, 3, 5]), (np.ones((2, 1)), None, None),
        (np.ones(4), None, None), (np.ones((2, 2, 2)), None, None),
        (np.ones((2, 3)), [[1, 1], [1, 1]], [1, 1]),
    ],
)  # fmt: skip
def test_the_last_column_of_an_array_are_its_labels(
    content: Array, inputs: list[list[float]] | None, targets: object, tmp_path: Path
) -> None:
    np.save(tmp_path / "a.npy", content)
    if inputs is None:
        with pytest.raises(FileError, match="at least 2 columns"):
            read_examples(tmp_path, "a.npy")
    else:
        found = read_examples(tmp_path, "a.npy")
        assert (found.inputs.tolist(), found.targets.tolist()) == (inputs, targets)
    np.save(tmp_path / "y.npy", np.arange(len(content)))
    assert read_examples(tmp_path, "a.npy", DataOptions("y.npy")).targets.tolist() == list(range(len(content)))


WIDE = "\n".join(",".join(f"{row}.{at}" for at in range(1, 12)) for row in range(3))


@pytest.mark.parametrize(
    ("wanted", "place"),
    [("0", 0), ("10", 10), ("11", None), ("00010", 10), ("000010", None), ("-1", None), ("²", None), ("x", None)],
)
def test_a_column_is_named_by_its_number_of_at_most_five_digits(wanted: str, place: int | None) -> None:
    if place is None:
        with pytest.raises(FileError, match=r"has no column .*; there are 0, 1, 2, 3, 4, 5, 6, 7[.]$"):
            table(WIDE, wanted)
    else:
        assert table(WIDE, wanted).labels[1] == float(f"1.{place + 1}")


@pytest.mark.parametrize(
    ("text", "left_out", "counting"),
    [
        ("id,a,b,y\n1,5,.5,0\n2,6,.25,1\n3,7,2,1\n", ["id"], ["a"]), ("id,a,b,y\n1,5,.5,0\n2,6,.25,1\n", ["id"], []),
        ("id,a,b,y\n1,5,.5,0\n", [], []), ("id,y\n1,0\n2,1\n", [], []), ("id,y\n1,0\n2,1\n3,4\n", [], []),
        ("id,a,y\n3,5,0\n1,5,1\n2,5,1\n", ["id"], []), ("id,a,y\n1,5,0\n1,5,1\n2,5,1\n", [], []),
        ("id,a,y\n1.5,5,0\n2.5,5,1\n", ["id"], []), ("id,a,y\n1.5,5,0\n3.5,5,1\n", [], []),
        ("row,a,y\n1,5,0\n2,5,1\n", ["row"], []), ("row,a,y\n2,5,0\n1,5,1\n", [], []),
        ("row,id,a,y\n1,7,5,0\n2,4,5,1\n", ["row", "id"], []), (",a,y\n1,5,0\n2,5,1\n", ["0"], []),
        ("userId,a,y\n4,5,0\n2,5,1\n", ["userId"], []), ("paid,a,y\n4,5,0\n2,5,1\n", [], []),
        ("n,a,y\n4,5,0\n5,5,1\n6,5,1\n", [], ["n"]), ("n,y\n4,0\n5,1\n6,1\n", [], []),
        ("n,a,y\n4,5,0\n5,5,1\n7,5,1\n", [], []), ("n,a,y\n4,5,0\n6,5,1\n7,5,1\n", [], []),
    ],
)  # fmt: skip
def test_columns_that_number_the_rows_are_left_out(text: str, left_out: list[str], counting: list[str]) -> None:
    notes = table(text).notes
    assert [note.split()[2].rstrip(",") for note in notes if note.startswith("left out: ")] == left_out
    assert [note.split()[0] for note in notes if "counts the rows: " in note] == counting
    width = text.partition("\n")[0].count(",") - len(left_out)
    assert table(text).numbers.shape[1] == width


@pytest.mark.parametrize(
    ("text", "better"),
    [
        ("class,a,b\n0,1,2\n", "class"),
        ("class,a,y\n0,1,2\n", ""),
        ("c,a,b\n0,1,2\n", ""),
        ("A,LABEL,B\n0,1,2\n", "LABEL"),
    ],
)
def test_a_usual_name_of_labels_is_told_if_another_column_is_taken(text: str, better: str) -> None:
    found = [note for note in table(text).notes if "may rather be" in note]
    assert found == ([f"y may rather be {better}: set label"] if better else [])


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("a,b\n", {}, "has no rows"), ("a,b,y\n1,2,3\n", {"columns": ("y",), "label": "y"}, "the column y both"),
        ("a,b,y\n,1,2\n,3,4\n", {"columns": ("b", "y")}, "has no column left for y"),
        ("a,b,y\n,,2\n,,4\n", {}, "has no column left for x"),
        ("a,b,y\n1,x,2\n", {}, 'texts in b, such as "x" in row 1'),
        ("a,b,y\n1,2,0\n1,2,\n", {}, "has no label in row 2"), ("a,b,y\n1,2\n", {}, "2 instead of 3 cells in row 1"),
        ("a,b,y\n1,2,u\n1,2,\n", {}, "has no label in row 2"), ("a,b,y\n1,3 %,1\n", {}, 'has "3 %" in row 1 of b'),
        ("x,1,2\n3,4,5\n6,7,8\n", {"label": "1"}, 'the text "x" above numbers'),
    ],
)  # fmt: skip
def test_what_is_no_table_of_numbers_is_refused_with_its_row(
    text: str, options: dict[str, object], sentence: str
) -> None:
    with pytest.raises(FileError, match=sentence):
        table(text, **options)


@pytest.mark.parametrize(
    ("text", "width"),
    [("u,1,0\nv,1,1\nu,1,0\n", 3), ("u,1,0\nu,1,1\n,1,1\n", 2), ("1,u,0\n2,v,1\n3,w,1\n", 4)],
)
def test_texts_become_one_column_each(text: str, width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_tables, "MOST_COLUMNS", width)
    found = table(text, text="one_hot", header="no")
    assert found.numbers.shape == (3, width)
    at = 0 if text[0] == "u" else 1
    assert f"one hot: {at}, {width - 1} texts" in found.notes
    assert found.numbers[0, at:][0] == 1 and (found.numbers[1, at] == 1) == (text[6:7] == "u" and at == 0)
    monkeypatch.setattr(data_tables, "MOST_COLUMNS", width - 1)
    with pytest.raises(FileError, match="holds an array above"):
        table(text, text="one_hot", header="no")


def test_a_missing_text_is_a_missing_number_and_empty_rows_and_columns_go() -> None:
    found = table("a,b,c,y\nu,1,,0\n,,,\nNA,2,,1\nv,3,,0\n", text="one_hot")
    np.testing.assert_array_equal(found.numbers, [[1, 0, 1], [np.nan, np.nan, 2], [0, 1, 3]])
    assert {"empty rows left out: 1", "empty columns left out: 1"} < {*found.notes}
    kept = table("a,b,c,y\n5,1,,0\n6,1,,1\n", missing="zero")
    assert kept.numbers.shape == (2, 3) and np.isnan(kept.numbers[:, 2]).all()
    assert table("5,1,,0\n6,1,,1\n", missing="zero").numbers.shape == (2, 2)


def test_several_labels_are_columns_and_the_count_of_cells_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "a,b,c\n1,2,3\n4,5,6\n"
    assert table(text, ("b", "c")).labels.tolist() == [[2, 3], [5, 6]]
    assert table(text, ("c",)).labels.tolist() == [[3], [6]]
    assert table(text, "a").labels.tolist() == [1, 4]
    texts = "a,b,c\n1,2,u\n4,5,v\n"
    monkeypatch.setattr(data_tables, "_MOST_CELLS", 9)
    assert table(texts).labels.tolist() == [0, 1]
    monkeypatch.setattr(data_tables, "_MOST_CELLS", 8)
    with pytest.raises(FileError, match="has texts and more than 8 cells"):
        table(texts)
    monkeypatch.setattr(table_form, "MOST_COLUMNS", 3)
    assert table(text).numbers.tolist() == [[1, 2], [4, 5]]
    monkeypatch.setattr(table_form, "MOST_COLUMNS", 2)
    with pytest.raises(FileError, match="has 3 columns, above 2"):
        table(text)


@pytest.mark.parametrize("at_once", [1, 2, 3, 4, 7, 100])
def test_rows_are_counted_across_parts(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_tables, "_CELLS_AT_ONCE", at_once)
    with pytest.raises(FileError, match='such as "u" in row 4;'):
        table("a,y\n1,2\n,\n3,4\n5,6\nu,7\n")


def test_labels_of_files_are_numbers_or_classes_and_their_rows_count_from_1() -> None:
    assert labels_of(["2", "1.5"], "n").tolist() == [2, 1.5]
    assert labels_of(["b", "a", "b"], "n").tolist() == [1, 0, 1]
    with pytest.raises(FileError, match='has "3 %" in row 1 of n'):
        labels_of(["3 %", "a"], "n")
    with pytest.raises(FileError, match="has no label in row 2"):
        labels_of(["a", ""], "n")


def test_names_of_files_stand_in_two_columns_or_more() -> None:
    assert read_names(b"a.png,1\nb.png,2\n", "n") == {"a.png": "1", "b.png": "2"}
    assert read_names(b"a.png,5,1\nb.png,6,2\n", "n") == {"a.png": "1", "b.png": "2"}
    with pytest.raises(FileError, match=r"has 1 fields in row 1, not a file and its label"):
        read_names(b"a.png\nb.png\n", "n")
    with pytest.raises(FileError, match=r"two rows for a[.]png"):
        read_names(b"a.png,1\na.png,2\n", "n")


@pytest.mark.parametrize(
    ("cell", "point", "comma"),
    [
        ("1", 1, 1), ("-1.5", -1.5, None), ("1,5", None, 1.5), ("1,500", 1500, 1.5), ("1.500", 1.5, 1500),
        ("1,500.5", 1500.5, None), ("1.500,5", None, 1500.5), ("0,500", None, 0.5), ("1,50", None, 1.5),
        (".5", 0.5, None),
        ("1e3", 1000, 1000), ("1_0", None, None), ("", np.nan, np.nan), (" NA ", np.nan, np.nan), ("x", None, None),
        ("1,500,000", 1500000, None), ("12,34,567", None, None), ("inf", np.inf, np.inf), ("1.", 1, None),
        (".", None, None),
    ],
)  # fmt: skip
def test_numbers_of_cells(cell: str, point: float | None, comma: float | None) -> None:
    for decimal, wanted in ((".", point), (",", comma)):
        found = number_of(cell, decimal)
        assert found == wanted or (found is not None and wanted is not None and np.isnan(found) and np.isnan(wanted))
    assert is_number(cell) == (cell.strip() not in ("", "NA") and (point is not None or comma is not None))


@pytest.mark.parametrize(
    ("text", "is_so"),
    [("3 %", True), ("$3", True), ("1 000", True), ("3x", False), ("x", False), ("", False), ("%", False)],
)
def test_what_a_reader_takes_for_a_number(text: str, is_so: bool) -> None:
    assert is_like_number(text) is is_so


@pytest.mark.parametrize("count", [99, 100, 101])
def test_a_column_has_at_most_a_hundred_classes(count: int) -> None:
    column = Column(".")
    column.add([f"t{number:03}" for number in range(count)], 5)
    column.add([" t001 ", "na"], 9)
    found = column.classes()
    assert (found is None) is (count > 100)
    if found is not None:
        assert found[0].tolist() == [*range(count), 1, -1] and len(found[1]) == count
    assert (column.text, column.texts, column.has_numbers, column.is_empty) == ((5, "t000"), count + 1, False, False)


@pytest.mark.parametrize(
    ("name", "ending", "is_apart"),
    [
        ("a.CSV", "csv", False),
        ("a.b.npz", "npz", False),
        ("a.npy", "npy", True),
        ("a", "a", True),
        ("x.arff", "arff", False),
    ],
)
def test_endings_say_where_labels_are(name: str, ending: str, is_apart: bool) -> None:
    assert (ending_of(name), has_labels_apart(name)) == (ending, is_apart)
