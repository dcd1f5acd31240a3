from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.base.errors import FileError
from gradwire.engine.files.json_places import locate
from gradwire.engine.files.json_text import is_nested_deeper, parse

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**80), 2**80)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=30,
)


def refusal(text: str) -> FileError:
    with pytest.raises(FileError) as caught:
        parse(text)
    return caught.value


def place_of_refusal(text: str) -> tuple[int, int]:
    try:
        parse(text)
    except FileError as error:
        return error.line, error.column
    return 1, 1


@given(JSON, st.booleans(), st.sampled_from([None, 2]))
def test_valid_json_is_read_as_the_standard_library_reads_it(value, escaped, indent):
    text = json.dumps(value, ensure_ascii=escaped, indent=indent)
    assert parse(text) == json.loads(text)


@pytest.mark.long
@given(JSON.filter(lambda value: isinstance(value, list | dict) and value), st.data())
def test_locate_finds_every_value(value, data):
    text = json.dumps(value, indent=1)
    path, inner = [], value
    while isinstance(inner, list | dict) and inner:
        step = data.draw(st.sampled_from(range(len(inner)) if isinstance(inner, list) else sorted(inner)))
        path.append(step)
        inner = inner[step]
    line, column = locate(text, tuple(path))
    rest = "\n".join([text.split("\n")[line - 1][column - 1 :], *text.split("\n")[line:]])
    assert json.JSONDecoder().raw_decode(rest)[0] == inner


@given(JSON.map(json.dumps), st.data())
def test_a_damaged_text_gives_a_value_or_a_file_error(text, data):
    start = data.draw(st.integers(0, len(text)))
    damaged = text[:start] + data.draw(st.text('[]{},:"\\u\n dD8e9.-NaN', max_size=5)) + text[start + 1 :]
    line, column = place_of_refusal(damaged)
    assert 1 <= line <= damaged.count("\n") + 1
    assert 1 <= column <= len(damaged) + 1


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ('{"a": 1,\n  "b": {"a": 2}, "a": 3}', 2, 18, 'The key "a" occurs twice'),
        ('{"a": 1, "\\u0061": 3}', 1, 10, 'The key "a" occurs twice'),
        ("[1,\n NaN]", 2, 2, "NaN is not JSON"),
        ("[Infinity]", 1, 2, "Infinity is not JSON"),
        ("[0, -Infinity]", 1, 5, "-Infinity is not JSON"),
        ("[1e308, 1e309]", 1, 9, "beyond 1.8e308"),
        ("[-1e999]", 1, 2, "beyond 1.8e308"),
        ("[NaN1]", 1, 5, "comma"),
        ("[1e-999, 99999999e300, 1.7e+308, 0.1e310]", 1, 34, "beyond 1.8e308"),
        ("[1, 2e5, 9.9E299, -20e308]", 1, 19, "beyond 1.8e308"),
        ('{"a": {"b": 1},\n"c": [{"d": 1, "e{,": {}, "e{,": 2}]}', 2, 27, 'The key "e{," occurs twice'),
        ('["NaN", "[", "\\\\", NaN]', 1, 20, "NaN is not JSON"),
        ('["\\ud83d"]', 1, 2, "half of a surrogate pair"),
        ('["\\ud83d\\ude00", "\\ud83dx\\ude00"]', 1, 18, "half of a surrogate pair"),
        ("[1, " + "9" * 400 + "]", 1, 5, "beyond 1.8e308"),
        ('["ä", "\\ud800x"]', 1, 7, "half of a surrogate pair"),
        ('["\\udc00\\ud800"]', 1, 2, "half of a surrogate pair"),
        ('["\ud800"]', 1, 2, "half of a surrogate pair"),
        ("{} {}", 1, 4, "goes on after the end"),
        ("[1,\n2", 2, 2, "ends too early"),
        ("", 1, 1, "ends too early"),
        ("[1,]", 1, 3, "comma before a closing bracket"),
        ('{"a": 1 , }', 1, 9, "comma before a closing bracket"),
        ("[01]", 1, 3, "comma"),
        ('{"a" 1}', 1, 6, "colon"),
        ("{a: 1}", 1, 2, "key in double quotes"),
        ('["\\x"]', 1, 3, "escape"),
        ('["a\tb"]', 1, 4, "Control characters"),
        ("\ufeff1", 1, 1, "value is expected"),
        ("{\0", 1, 2, "Here stands NUL"),
        ('["a\0"]', 1, 4, "Here stands NUL"),
        ("[1,\n=======\n", 2, 1, "mark of a merge"),
        # The message names the first mistake, not a consequence of it.
        ('{"a": [1, 2,, 3], "b": ' + "[" * 65, 1, 13, "value is expected"),
        ("[1 2, NaN]", 1, 4, "comma"),
        ('\\" ' + '\\"' * 500_000 + "[" * 65, 1, 1, "value is expected"),
    ],
)
def test_what_is_not_strict_json_is_refused_at_its_place(text, line, column, said):
    error = refusal(text)
    assert (error.line, error.column) == (line, column)
    assert said in error.message


def test_an_escaped_backslash_before_u_is_no_surrogate():
    assert parse('["\\\\ud800"]') == ["\\ud800"]


def test_a_whole_surrogate_pair_is_one_character():
    assert parse('["\\ud83d\\ude00"]') == ["😀"]


def test_the_largest_numbers_are_read():
    largest = int(1.7976931348623157e308)
    assert parse(f"[{largest}, 1.7976931348623157e308, -{largest}]") == [largest, 1.7976931348623157e308, -largest]


def test_an_integer_above_the_largest_float_is_refused():
    assert "beyond" in refusal(str(int(1.7976931348623157e308) + 1)).message


def test_minus_zero_keeps_its_sign():
    assert math.copysign(1, parse("-0.0")) == -1


def test_64_levels_are_read_and_65_are_refused():
    assert not is_nested_deeper("[" * 64 + "]" * 64, 64)
    assert is_nested_deeper("[" * 65 + "]" * 65, 64)
    assert parse("[" * 64 + "]" * 64)
    error = refusal("[" * 65 + "]" * 65)
    assert (error.line, error.column) == (1, 65)
    assert "64 levels" in error.message


@pytest.mark.parametrize("bracket", ["[", '{"a":'])
def test_a_million_levels_are_refused_without_recursion(bracket):
    assert "64 levels" in refusal(bracket * 1_000_000).message


def test_brackets_in_texts_do_not_nest():
    text = json.dumps(["[" * 100, '"' + "{" * 100, "\\", "[" * 100])
    assert not is_nested_deeper(text, 1)
    assert parse(text) == json.loads(text)


def test_locate_stops_at_the_last_value_on_the_way():
    assert locate('{"a": [1, {"b": 2}]}', ("a", 1, "missing")) == (1, 11)
