"""Limits of files: what just fits is read, and one more is refused with its place."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from gradwire.engine.base.errors import FileError
from gradwire.engine.base.limits import LIMITS, MIB
from gradwire.engine.files import data_images
from gradwire.engine.files.data_files import read_examples
from gradwire.engine.files.data_notes import listed, note_on_columns, note_on_rows
from gradwire.engine.files.json_places import fault_at, locate, locate_items, place, skip_space
from gradwire.engine.files.json_text import decoded, parse
from gradwire.engine.files.table_text import TableText, cells_of, width_of
from tests.engine.files.test_data_images import GREY, folder_of, png


@pytest.mark.parametrize(
    ("limit", "most", "sentence"),
    [
        ("_MOST_FOLDERS", 2, "has 2 folders, above 1"), ("_MOST_IMAGES", 3, "has more than 2 images"),
        ("_MOST_PIXELS", 35, "7 x 5 pixels; at most 34"), ("_LONGEST_SIDE", 7, "7 x 5 pixels; at most"),
        ("_MOST_PARTS", 2, "ends too early"),
    ],
)  # fmt: skip
def test_images_fit_up_to_each_limit(
    limit: str, most: int, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path, a__x=png(GREY), a__y=png(GREY), b__z=png(255 - GREY))
    monkeypatch.setattr(data_images, limit, most)
    found = read_examples(folder, "set")
    assert found.inputs.shape == (3, 7, 5, 1) and found.targets.tolist() == [0, 0, 1]
    monkeypatch.setattr(data_images, limit, most - 1)
    with pytest.raises(FileError, match=sentence):
        read_examples(folder, "set")


@pytest.mark.parametrize("together", [1, 41, 42, 43, 84, 85, 1000])
@pytest.mark.parametrize("kinds", [[0], [1, 2, 3, 4]])
def test_images_are_read_in_parts_of_any_size(
    together: int, kinds: list[int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    images = [np.roll(GREY, shift, 0) for shift in range(5)]
    folder = folder_of(tmp_path, **{f"c__{place}": png(item, kinds) for place, item in enumerate(images)})
    monkeypatch.setattr(data_images, "_TOGETHER", together)
    np.testing.assert_array_equal(read_examples(folder, "set").inputs, np.stack(images))


@pytest.mark.parametrize(
    ("text", "limits", "position"),
    [
        ("[[], {}]", {"lists": 3}, None), ("[[], {}]", {"lists": 2}, (1, 6)), ("[1,\n2, 3]", {"values": 2}, None),
        ("[1,\n2, 3]", {"values": 1}, (2, 2)), ('{"a": 1,\n"b":2}', {"keys": 2}, None),
        ('{"a": 1,\n"b":2}', {"keys": 1}, (2, 4)), ("[[1]]", {"nesting": 2}, None), ("[[1]]", {"nesting": 1}, (1, 2)),
        ("[{}]", {"nesting": 1}, (1, 2)), ('[1, {"a": [[]]}]', {"nesting": 3}, (1, 12)),
    ],
)  # fmt: skip
def test_a_text_has_so_many_values_at_most(text: str, limits: dict[str, int], position: tuple[int, int] | None) -> None:
    if position is None:
        parse(text, LIMITS._replace(**limits))
    else:
        with pytest.raises(FileError) as caught:
            parse(text, LIMITS._replace(**limits))
        assert (caught.value.line, caught.value.column) == position


@pytest.mark.parametrize("source", ["äb", "äb".encode(), "\ufeff"])
def test_a_file_has_so_many_bytes_at_most(source: str | bytes) -> None:
    assert decoded(source, 3) == ("" if source == "\ufeff" else "äb", source == "\ufeff")
    with pytest.raises(FileError, match="has 3 bytes; at most 2 bytes can be opened"):
        decoded(source, 2)


@pytest.mark.parametrize(
    ("source", "line", "column"), [(b"a\n\xff", 2, 1), (b"\xef\xbb\xbfa\xff", 1, 2), (b"\xff\xfea", 1, 1)]
)
def test_what_is_no_utf_8_is_refused_at_its_place(source: bytes, line: int, column: int) -> None:
    with pytest.raises(FileError) as caught:
        decoded(source, 99)
    assert (caught.value.line, caught.value.column) == (line, column)


TEXT = '{"a": [1,\n  [2, 3] , {}],\n "b\\u0041": {"c": null}}'


@pytest.mark.parametrize(
    ("path", "position"),
    [
        ((), (1, 1)), (("a",), (1, 7)), (("a", 0), (1, 8)), (("a", 1), (2, 3)), (("a", 1, 1), (2, 7)),
        (("a", 2), (2, 12)),
        (("a", 3), (1, 7)), (("a", -1), (1, 7)), (("a", "x"), (1, 7)), (("a", 2, "x"), (2, 12)), (("bA",), (3, 13)),
        (("bA", "c"), (3, 19)), (("bA", "c", 0), (3, 19)), (("none",), (1, 1)), ((0,), (1, 1)),
    ],
)  # fmt: skip
def test_a_value_is_found_by_its_path_or_else_its_last_parent(
    path: tuple[str | int, ...], position: tuple[int, int]
) -> None:
    assert locate(TEXT, path) == position


def test_items_and_places_count_from_1() -> None:
    assert locate_items(TEXT, ("a",)) == [(1, 8), (2, 3), (2, 12)]
    assert locate_items(TEXT, ("a", 2)) == locate_items(TEXT, ("a", 0)) == []
    assert locate_items("[ 5 ]", ()) == [(1, 3)] and locate_items("[ ]", ()) == []
    assert [place("a\nb", offset) for offset in range(3)] == [(1, 1), (1, 2), (2, 1)]
    assert [skip_space(" \t\n\rx ", offset) for offset in (0, 3, 4, 5)] == [4, 4, 4, 6]


@pytest.mark.parametrize(
    ("text", "offset", "excerpt"),
    [
        ("abc", 1, "a▸bc"), ("abc", 0, "▸abc"), ("abc", 3, "abc▸"), ("x\nabc\ny", 3, "a▸bc"), ("x\nabc\ny", 2, "▸abc"),
        ("a\0b", 2, "a\ufffd▸b"), ("-" * 50 + "abc", 50, "-" * 40 + "▸abc"), ("a" + "b" * 60, 1, "a▸" + "b" * 40),
        ("a" + "b" * 40, 1, "a▸" + "b" * 40), ("c" + "a" * 40 + "b", 41, "a" * 40 + "▸b"), ("  a  ", 2, "▸a"),
    ],
)  # fmt: skip
def test_an_excerpt_shows_forty_characters_of_the_line_around_a_place(text: str, offset: int, excerpt: str) -> None:
    assert fault_at(text, offset, "said").excerpt == excerpt


@pytest.mark.parametrize(("length", "is_read"), [(MIB - 1, True), (MIB, True), (MIB + 1, False)])
@pytest.mark.parametrize("before", [0, 1])
def test_a_line_has_a_mebibyte_at_most(length: int, is_read: bool, before: int) -> None:
    content = b"a,b\n" * before + b"1" * length + b"\n2,3"
    if is_read:
        assert [len(row) for row in TableText(content, "n").rows()] == [3] * before + [length, 3]
    else:
        with pytest.raises(FileError, match="has a line of more than 1 MiB"):
            TableText(content, "n")


@pytest.mark.parametrize(
    ("row", "separator", "cells"),
    [
        ("a,b", ",", ["a", "b"]), (" a  b ", " ", ["a", "b"]), ("a, b", ",", ["a", " b"]),
        ('"a,b",c', ",", ["a,b", "c"]),
        ('"a b"\tc ', " ", ["a b", "c"]), ("a", ";", ["a"]), ("a;", ";", ["a", ""]), ('a, "b"', ",", ["a", "b"]),
    ],
)  # fmt: skip
def test_cells_of_rows(row: str, separator: str, cells: list[str]) -> None:
    assert cells_of(row, separator) == cells and width_of(row, separator) == len(cells)


def test_a_row_whose_quotation_marks_make_no_cells_has_no_width() -> None:
    assert width_of('"a"b,c', ",") == 0


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["a"], "a"), (list("abcdef"), "a, b, c, d, e, f"), (list("abcdefg"), "a, b, c, d, e, f, ..."),
        (["x" * 40], "x" * 40), (["x" * 41], "x" * 40), ([], ""),
    ],
)  # fmt: skip
def test_some_names_are_listed(names: list[str], said: str) -> None:
    assert listed(names) == said


def test_notes_count_rows_columns_and_classes() -> None:
    assert [note_on_rows("n", count) for count in (0, 1, 2, 1000)] == [
        "Read n: 0 rows", "Read n: 1 row", "Read n: 2 rows", "Read n: 1,000 rows",
    ]  # fmt: skip
    assert note_on_columns(["a"], []) == "y is column a" and note_on_columns(["a", "b"], []) == "y is columns a, b"
    assert note_on_columns(["x" * 41], ["u", "v"]) == f"y is column {'x' * 40} with 2 classes (u, v)"
