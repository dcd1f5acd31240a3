"""Files of examples in the forms in which courses post them: read right, or refused with the mend. Numbers by hand."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradwire as gw
from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS
from gradwire.engine.evaluation.evaluate import evaluate
from gradwire.engine.files.data_files import Examples, read_examples
from gradwire.engine.files.data_kinds import DataOptions
from gradwire.engine.files.data_notes import line_of
from gradwire.engine.files.given_files import with_files
from gradwire.engine.graph.block_parameters import with_parameters
from gradwire.engine.graph.graph import Graph
from gradwire.engine.training.trainer import Trainer


class Posted(NamedTuple):
    """File as it is posted: its name, its text, what it is read as, and words of the line that says so."""

    name: str
    text: str | bytes
    x: list[list[float]]
    y: list[Any]
    said: tuple[str, ...] = ()
    options: DataOptions = DataOptions()


READ = [
    # UCI's iris.data: no names, classes as texts, an empty line at the end.
    Posted("iris.data", "5.1,3.4,1.5,0.2,Iris-setosa\n6.9,3.1,4.9,1.5,Iris-versicolor\n5.0,3.3,1.4,0.3,Iris-setosa\n\n",
           [[5.1, 3.4, 1.5, 0.2], [6.9, 3.1, 4.9, 1.5], [5.0, 3.3, 1.4, 0.3]], [0, 1, 0],
           ("3 rows", "no names", "y is column 4 with 2 classes (Iris-setosa, Iris-versicolor)")),
    # UCI's wine.data: the class first.
    Posted("wine.data", "1,14.2,.3\n2,12.4,.5\n3,13.1,1.\n", [[14.2, 0.3], [12.4, 0.5], [13.1, 1.0]], [1, 2, 3],
           ("x has 2 of 3 columns: 1, 2", "y is column 0"), DataOptions("0")),
    # UCI's wine quality: semicolons, names in quotation marks.
    Posted("winequality.csv", '"fixed acidity";"pH";"quality"\n7.4;3.51;5\n7.8;3.2;6\n',
           [[7.4, 3.51], [7.8, 3.2]], [5, 6],
           ('separated by ";"', "decimal point", "y is column quality")),
    # UCI's housing.data: runs of blanks, blanks at the beginning of a line.
    Posted("housing.data", " 0.0063  18.00   2.310  24.00\n 0.0273   0.00   7.070  21.60\n",
           [[0.0063, 18, 2.31], [0.0273, 0, 7.07]], [24.0, 21.6], ("separated by blanks", "no names")),
    # UCI's auto-mpg.data: blanks, a tab, a name in quotation marks, a missing number.
    Posted("auto-mpg.data", '18.0   8   307.0\t"chevrolet malibu"\n25.0   4   ?   \t"ford pinto"\n',
           [[18, 8, 307], [25, 4, 307]], [0, 1], ("separated by blanks", "1 missing numbers filled in"),
           DataOptions(missing="mean")),
    # UCI's adult.data: a blank after each comma, question marks, texts.
    Posted("adult.data", "39, State-gov, 77516, <=50K\n50, ?, 83311, >50K\n38, Private, 215646, <=50K\n",
           [[39, 0, 1, 77516], [50, 0, 0, 83311], [38, 1, 0, 215646]], [0, 1, 0],
           ("one hot: 1, 2 texts", "2 missing numbers filled in"), DataOptions(text="one_hot", missing="zero")),
    # UCI's mushrooms: letters alone, no names.
    Posted("mushroom.data", "p,x,s\ne,x,y\ne,b,s\n", [[0, 1, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]], [1, 0, 0],
           ("no names", "y is column 0 with 2 classes (e, p)"), DataOptions("0", text="one_hot")),
    # UCI's car.data: numbers among the categories.
    Posted("car.data", "2,4,low,unacc\n5more,4,high,acc\n2,more,low,unacc\n",
           [[1, 0, 1, 0, 0, 1], [0, 1, 1, 0, 1, 0], [1, 0, 0, 1, 0, 1]], [1, 0, 1],
           ("one hot: 0, 2 texts",), DataOptions(text="one_hot")),
    # Kaggle's Iris.csv: a column that numbers the rows.
    Posted("Iris.csv", "Id,a,y\n1,0.3,no\n2,0.1,no\n3,0.2,yes\n4,0.4,yes\n", [[0.3], [0.1], [0.2], [0.4]], [0, 0, 1, 1],
           ("left out: Id, which numbers the rows", "x has 1 of 3 columns: a")),
    # Kaggle's titanic.csv: columns chosen by name, texts with commas in quotation marks.
    Posted("titanic.csv", 'PassengerId,Survived,Name,Sex,Age\r\n1,0,"Braund, Mr. Owen ""Al""",male,22\r\n'
           '2,1,"Heikkinen, Miss. L",female,26.5\r\n', [[22, 0, 1], [26.5, 1, 0]], [0, 1],
           ("one hot: Sex, 2 texts", "x has 2 of 5 columns: Age, Sex"),
           DataOptions("Survived", columns=("Age", "Sex"), text="one_hot")),
    # Kaggle's breast cancer: identifiers in no order, a comma after the names alone.
    Posted("cancer.csv", 'id,"diagnosis",radius,\n842302,M,17.9\n84501,B,11.2\n', [[17.9], [11.2]], [1, 0],
           ("left out: id, which numbers the rows",), DataOptions("diagnosis")),
    # Written by pandas with its index.
    Posted("pandas.csv", ",a,b\n0,1.5,2.5\n1,3.5,4.5\n2,0.5,1.25\n", [[1.5], [3.5], [0.5]], [2.5, 4.5, 1.25],
           ("which numbers the rows", "x has 1 of 3 columns: a")),
    # Written by R's write.table: names of rows in quotation marks, which the first row does not name.
    Posted("r.txt", '"a" "b"\n"1" 1.5 2.5\n"2" 3.5 4.5\n', [[1.5], [3.5]], [2.5, 4.5], ("separated by blanks",)),
    # Written by NumPy's savetxt: names in a comment, exponents, blanks.
    Posted("saved.txt", "# x1 x2 y\n1.0e+00 -2.5e-01 3.5e+00\n2.0e+00 5.0e-01 4.5e+00\n",
           [[1, -0.25], [2, 0.5]], [3.5, 4.5],
           ("names above the first row", "x has 2 of 3 columns: x1, x2")),
    # A comment that is none of names.
    Posted("lab.csv", "# made by lab 3\nx,y\n1,2\n", [[1]], [2], ("1 row;", "names in the first row")),
    # European: semicolons, decimal commas, one input column.
    Posted("euro.csv", "x;y\n1,5;2,5\n2,5;3,5\n0,25;7\n", [[1.5], [2.5], [0.25]], [2.5, 3.5, 7.0],
           ("decimal comma", 'separated by ";"')),
    Posted("euro2.csv", "1,5;2,5\n2,5;3,5\n", [[1.5], [2.5]], [2.5, 3.5], ("no names", "decimal comma")),
    Posted("euro3.csv", "a;b;y\n1.234,5;2;0,5\n12.000;3;1,5\n",
           [[1234.5, 2], [12000, 3]], [0.5, 1.5], ("decimal comma",)),
    Posted("euro.tsv", "a\tb\n0,5\t1,25\n-1,5\t,75\n",
           [[0.5], [-1.5]], [1.25, 0.75], ("separated by tabs", "decimal comma")),
    # Excel: thousands in quotation marks; its "Unicode text" is UTF-16 with tabs; a BOM; rows of nothing at the end.
    Posted("sales.csv", 'price,y\n"1,234,500",1\n"12,000",2\n950,3\n',
           [[1234500], [12000], [950]], [1, 2, 3], ("decimal point",)),
    Posted("unicode.txt", "größe\ty\r\n1\t2.5\r\n3\t4.5\r\n".encode("utf-16"), [[1], [3]], [2.5, 4.5], ("größe",)),
    Posted("excel.csv", "\ufeffa;b\r\n1;0,5\r\n2;1,5\r\n;\r\n;\r\n",
           [[1], [2]], [0.5, 1.5], ("empty rows left out: 2",)),
    # An old Macintosh: carriage returns alone.
    Posted("mac.csv", "a,b\r1,2.5\r3,4.5\r", [[1], [3]], [2.5, 4.5], ("names in the first row",)),
    # A separator at the end of each row.
    Posted("trailing.csv", "a,b,\n1,2.5,\n3,4.5,\n", [[1], [3]], [2.5, 4.5], ("empty columns left out: 1",)),
    # Weka's ARFF.
    Posted("weather.arff", "% comment\n@RELATION weather\n\n@ATTRIBUTE 'air temperature' NUMERIC\n"
           "@attribute play {yes, no}\n@DATA\n% comment\n85,no\n70.5,'yes'\n", [[85], [70.5]], [0, 1],
           ("x has 1 of 2 columns: air temperature",)),
    # A pipe between the cells; a separator that only the user knows.
    Posted("pipe.csv", "a|y\n1|2.5\n3|4.5\n", [[1], [3]], [2.5, 4.5], ('separated by "|"',)),
    Posted("colon.csv", "a:y\n1:2.5\n3:4.5\n",
           [[1], [3]], [2.5, 4.5], ('separated by ":"',), DataOptions(separator=":")),
    # Several labels: y has a column for each.
    Posted("robot.csv", "a,u,v\n1,2,3.5\n4,5,6.5\n",
           [[1], [4]], [[2, 3.5], [5, 6.5]], ("y is columns u, v",), DataOptions(("u", "v"))),
]  # fmt: skip


def read(folder: Path, posted: Posted) -> Examples:
    content = posted.text if isinstance(posted.text, bytes) else posted.text.encode()
    (folder / posted.name).write_bytes(content)
    return read_examples(folder, posted.name, posted.options)


@pytest.mark.parametrize("posted", READ, ids=lambda item: item.name)
def test_a_file_of_a_course_is_read_and_one_line_says_how(posted: Posted, tmp_path: Path) -> None:
    found = read(tmp_path, posted)
    np.testing.assert_allclose(found.inputs, posted.x, rtol=1e-15)
    np.testing.assert_allclose(found.targets, posted.y, rtol=1e-15)
    line = line_of(found.notes)
    assert line.startswith(f"Read {posted.name}: ")
    assert [words for words in posted.said if words not in line] == []


# Names and texts of files that are refused, words of the mend, the mend itself, and the numbers after it.
REFUSED = [
    ("under.csv", "x,y\n1_000,2\n3,4\n", "as a plain number", None, None),
    ("percent.csv", "rate,y\n12.5%,1\n3%,2\n", "as a plain number", None, None),
    ("money.csv", 'price,y\n"$1,200",1\n$3,2\n', "as a plain number", None, None),
    ("thousands.csv", 'a,y\n"1,234",2\n"2,345",3\n', 'decimal to "."', DataOptions(decimal="."), [[1234], [2345]]),
    ("thousands.tsv", "a\ty\n1,234\t2\n2,345\t3\n", 'else to ","', DataOptions(decimal=","), [[1.234], [2.345]]),
    ("both.csv", "a;y\n1,5;2\n2.5;3\n", "one decimal sign", None, None),
    ("texts.csv", "Sex,Name,y\nmale,Al,1\nfemale,Bo,2\n", "choose columns, or set text", DataOptions(text="one_hot"),
     [[0, 1, 1, 0], [1, 0, 0, 1]]),
    ("years.csv", "id,1990,1991\n1,5,6\n2,6,7\n", "set header to yes", DataOptions(header="yes"), [[5], [6]]),
    ("gaps.csv", "a,y\n?,1\n4,2\n", "set missing to zero or mean", DataOptions(missing="zero"), [[0], [4]]),
    ("ragged.csv", "a,b,y\n1,2,3\n4,5\n", "2 instead of 3 cells in row 2; mend it", None, None),
    ("one.csv", "a\n1\n2\n", "has one column; set separator", None, None),
    ("latin.csv", "größe,y\n1,2\n".encode("latin-1"), "save it in UTF-8", None, None),
    ("book.xlsx", b"PK\x03\x04", "save the sheet as CSV", None, None),
    ("names.csv", "a,b,y\nv1,1,2\nv2,2,4\n", "choose columns", DataOptions(columns=("1",)), [[1], [2]]),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "mend", "options", "x"), REFUSED, ids=[item[0] for item in REFUSED])
def test_a_file_that_may_mean_something_else_is_refused_with_the_mend(
    name: str, text: str | bytes, mend: str, options: DataOptions | None, x: list[list[float]] | None, tmp_path: Path
) -> None:
    posted = Posted(name, text, [], [])
    with pytest.raises(FileError) as refused:
        read(tmp_path, posted)
    assert mend in str(refused.value)
    if options is not None:
        found = read(tmp_path, posted._replace(options=options))
        np.testing.assert_allclose(found.inputs, x, rtol=1e-15)


def test_what_merely_counts_is_kept_and_said(tmp_path: Path) -> None:
    found = read(tmp_path, Posted("line.csv", "t,b,y\n1,5,2\n2,7,4\n3,6,6\n", [], []))
    assert found.inputs.tolist() == [[1, 5], [2, 7], [3, 6]]
    assert "t counts the rows" in line_of(found.notes)


def test_a_row_of_numbers_that_may_be_names_is_said(tmp_path: Path) -> None:
    posted = Posted("frame.csv", "0,1,2\n5.5,6,7\n8,9,1\n", [], [])
    assert "set header to yes" in line_of(read(tmp_path, posted).notes)
    found = read(tmp_path, posted._replace(options=DataOptions(header="yes")))
    assert found.inputs.tolist() == [[5.5, 6], [8, 9]]


def test_a_column_of_nothing_stays_where_missing_numbers_become_some(tmp_path: Path) -> None:
    posted = Posted("hole.csv", "a,b,y\n1,,2\n3,,4\n", [], [])
    assert read(tmp_path, posted).inputs.tolist() == [[1], [3]]
    found = read(tmp_path, posted._replace(options=DataOptions(missing="zero")))
    assert found.inputs.tolist() == [[1, 0], [3, 0]]


def test_a_label_that_stands_elsewhere_is_said(tmp_path: Path) -> None:
    found = read(tmp_path, Posted("mnist_train.csv", "label,p1,p2\n5,0,3\n0,9,2\n", [], []))
    assert "y may rather be label: set label" in line_of(found.notes)


cells = st.floats(allow_nan=False, allow_infinity=False, width=64)


@settings(max_examples=40, deadline=None)
@given(
    st.data(), st.integers(1, 12), st.integers(2, 5), st.sampled_from([",", ";", "\t", "|", "  "]),
    st.sampled_from([".", ","]), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans(),
)  # fmt: skip
def test_a_table_reads_back_however_it_is_written(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, rows: int, columns: int, separator: str,
    decimal: str, end: str, has_names: bool,
) -> None:  # fmt: skip
    if separator == ",":
        decimal = "."
    numbers = data.draw(st.lists(st.lists(cells, min_size=columns, max_size=columns), min_size=rows, max_size=rows))
    lines = [separator.join(f"{number!r}".replace(".", decimal) for number in row) for row in numbers]
    names = [separator.join(f"col{at}" for at in range(columns))] if has_names else []
    folder = tmp_path_factory.mktemp("written")
    (folder / "t.csv").write_bytes(end.join([*names, *lines, ""]).encode())
    try:
        found = read_examples(folder, "t.csv")
    except FileError:  # 1,234 alone may mean either.
        found = read_examples(folder, "t.csv", DataOptions(decimal=decimal))
    assert found.inputs.tolist() == [row[:-1] for row in numbers]
    assert found.targets.tolist() == [row[-1] for row in numbers]


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="0123456789._-+eEinfx %'?;ab\t", max_size=8))
def test_a_cell_is_the_number_that_python_reads_or_refused(tmp_path_factory: pytest.TempPathFactory, cell: str) -> None:
    folder = tmp_path_factory.mktemp("drawn")
    (folder / "t.csv").write_text(f"1.5,{cell},0\n2.5,7,1\n")
    try:
        found = read_examples(folder, "t.csv", DataOptions(header="no"))
    except FileError:
        return
    assert "_" not in cell
    assert found.inputs.tolist() == [[1.5, float(cell)], [2.5, 7]]


@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
def test_no_end_of_lines_goes_round_the_limits(end: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradwire.engine.files.table_form.LIMITS", LIMITS._replace(tensor_bytes=16 * 1_000))
    (tmp_path / "whole.csv").write_bytes(f"1,2{end}".encode() * 1_000)
    assert read_examples(tmp_path, "whole.csv").inputs.shape == (1_000, 1)
    (tmp_path / "more.csv").write_bytes(f"1,2{end}".encode() * 1_001)
    with pytest.raises(FileError, match="holds an array above 16,000 bytes"):
        read_examples(tmp_path, "more.csv")


def keras(**arrays: np.ndarray) -> bytes:
    written = io.BytesIO()
    np.savez(written, **arrays)  # type: ignore[arg-type]
    return written.getvalue()


def graph_of(**parameters: Any) -> Graph:
    """Returns a graph whose loss is the sum of x and y of a Data block with these parameters."""
    x, y = gw.Data(set="iris", name="data")
    graph = gw.graph(gw.Loss(gw.ReduceSum(x) + gw.ReduceSum(y) * gw.Variable(1.0, name="w"), name="loss"))
    return with_parameters(graph, "main/data", {"set": "file", **parameters})


IMAGES = np.arange(9 * 4, dtype=np.uint8).reshape(9, 2, 2)
MNIST = {"x_train": IMAGES[:7], "y_train": np.arange(7) % 3, "x_test": IMAGES[7:], "y_test": np.array([1, 2])}


@pytest.mark.parametrize("label", ["", "y_train"])
def test_the_archive_of_keras_has_its_own_test_part(label: str, tmp_path: Path) -> None:
    (tmp_path / "mnist.npz").write_bytes(keras(**MNIST))
    graph = graph_of(file="mnist.npz", label=label)
    whole, notes = with_files(graph, tmp_path)
    assert "7 rows" in notes[0]
    assert "test part x_test, y_test: 2 rows" in notes[0]
    assert evaluate(whole).port("main/data.x").value.tolist() == IMAGES[:7].tolist()
    tested, _ = with_files(graph_of(file="mnist.npz", label=label, part="test"), tmp_path)
    assert evaluate(tested).port("main/data.x").value.tolist() == IMAGES[7:].tolist()
    assert evaluate(tested).port("main/data.y").value.argmax(axis=1).tolist() == [1, 2]


@pytest.mark.parametrize(
    ("names", "label"),
    [("Xy", ""), (("arr_0", "arr_1"), ""), (("images", "labels"), "labels"), (("X_train", "y_train"), "")],
)
def test_arrays_are_found_by_the_names_that_people_give_them(names: str, label: str, tmp_path: Path) -> None:
    x, y = np.arange(6.0).reshape(3, 2), np.array([0, 2, 1])
    (tmp_path / "a.npz").write_bytes(keras(**dict(zip(names, (x, y), strict=True))))
    found = read_examples(tmp_path, "a.npz", DataOptions(label))
    assert (found.inputs.tolist(), found.targets.tolist(), found.held) == (x.tolist(), y.tolist(), 0)


def test_an_array_that_may_be_anything_is_refused_with_the_mend(tmp_path: Path) -> None:
    (tmp_path / "a.npz").write_bytes(keras(images=np.eye(3), labels=np.arange(3)))
    with pytest.raises(FileError, match="no array y; name one of images, labels as label"):
        read_examples(tmp_path, "a.npz")


def test_a_share_for_the_test_is_one_of_the_training_part(tmp_path: Path) -> None:
    (tmp_path / "mnist.npz").write_bytes(keras(**MNIST))
    parts = [with_files(graph_of(file="mnist.npz", test=0.5, part=part), tmp_path)[0] for part in ("train", "test")]
    rows = [evaluate(part).port("main/data.x").value.reshape(-1, 4)[:, 0].tolist() for part in parts]
    assert sorted(rows[0] + rows[1]) == [0, 4, 8, 12, 16, 20, 24]


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_targets_in_one_column_are_taken(dtype: type, tmp_path: Path) -> None:
    y = np.array([[0], [2], [1]], dtype)
    (tmp_path / "a.npz").write_bytes(keras(x=np.eye(3), y=y))
    assert read_examples(tmp_path, "a.npz").targets.tolist() == [0, 2, 1]
    x, labels = gw.Data(set="file", inputs=np.eye(3), targets=y, labels="value", name="data")
    assert gw.evaluate(gw.ReduceSum(x), labels).value(labels).tolist() == y.tolist()


def test_several_labels_are_columns_of_y(tmp_path: Path) -> None:
    (tmp_path / "r.csv").write_text("a,u,v\n1,2,3.5\n4,5,6.5\n7,8,9.5\n")
    graph, _ = with_files(graph_of(file="r.csv", label=["u", "v"], batch=1, order="in_order"), tmp_path)
    trainer = Trainer(graph, watch=["main/data.y"])
    for row in ([2.0, 3.5], [5.0, 6.5], [8.0, 9.5]):
        trainer.run_round()
        assert trainer.steps[0].value("main/data.y").tolist() == [row]


def test_a_wrong_word_in_a_graph_reads_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a,y\n1,2\n")
    for name in ("set", "file", "label", "columns", "separator", "header"):
        graph = graph_of(file="a.csv")
        page = graph.pages[0]
        block = page.blocks["data"]
        given = {**block.parameters, name: np.zeros((2, 2))}
        broken = graph.__class__(
            (page.__class__("main", {"data": block.__class__("data", "Data", at=(0, 0), parameters=given)}),)
        )
        assert with_files(broken, tmp_path) == (broken, [])


def test_python_says_how_a_file_was_read(tmp_path: Path) -> None:
    (tmp_path / "k.csv").write_text("Id,a,y\n1,0.3,no\n2,0.1,no\n3,0.2,yes\n4,0.4,yes\n")
    graph = graph_of(file="k.csv", labels="index")
    line = "main/data: Read k.csv: 4 rows; x has 1 of 3 columns: a; y is column y with 2 classes (no, yes); "
    for run in (
        gw.evaluate(graph_of(file="k.csv"), folder=tmp_path),
        gw.train(graph_of(file="k.csv"), 0, folder=tmp_path),
    ):
        assert len(run.notes) == 1
        assert run.notes[0].startswith(line)
        assert run.notes[0] in repr(run)
    assert gw.evaluate(graph, folder=tmp_path, strict=False).port("data.x").value.shape == (4, 1)
