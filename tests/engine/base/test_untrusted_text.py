"""Sanitised texts: all characters are visible, and none has an effect."""

from __future__ import annotations

import ast
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.engine.base.untrusted_text import json_escaped, plain, plain_lines, source_escaped
from tests.torture.support.hostile_names import hostile_texts, unseen

TEXTS = st.one_of(
    st.text(), st.text(alphabet="ab[U+\u0301\u202e\u200d\n\r👩‍🔬\U000e0041ا"), st.sampled_from(hostile_texts(60, 0))
)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Scores", "Scores"),
        ("∂L/∂x — größer als 0 …", "∂L/∂x — größer als 0 …"),
        ("<b>x</b> &amp; y", "<b>x</b> &amp; y"),
        ("gpj\u202egraph", "gpj[U+202E]graph"),
        ("\x1b[31m", "[U+001B][31m"),
        ("one\ntwo\r\nthree\u2028four", "one↵two↵three↵four"),
        ("\ud800", "[U+D800]"),
        ("\U000e0041", "[U+E0041]"),
        ("a\u200bb", "a[U+200B]b"),
        ("a\u200db", "a[U+200D]b"),
        ("نمی\u200cخواهم", "نمی\u200cخواهم"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("e\u0301", "e\u0301"),
    ],
)
def test_what_cannot_be_seen_is_shown_by_its_code_point(text: str, shown: str) -> None:
    assert plain(text) == shown


@given(TEXTS, st.integers(1, 40))
def test_nothing_shown_is_unseen_or_longer_than_asked(text: str, longest: int) -> None:
    shown = plain(text, longest)
    assert not unseen(shown)
    assert len(shown) <= longest
    assert not unseen(plain_lines(text, longest), also="\n\t")
    assert len(plain_lines(text, longest)) <= longest


@given(TEXTS)
def test_what_is_shown_is_shown_as_it_is_again(text: str) -> None:
    assert plain(plain(text)) == plain(text)
    assert plain_lines(plain_lines(text)) == plain_lines(text)


@pytest.mark.parametrize(
    ("text", "longest", "shown"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abcde…"),
        ("abcde\u0301f", 6, "abcd…"),
        ("abcd👩\u200d🔬", 6, "abcd…"),
        ("a\u202ebcdefg", 10, "a[U+202E]…"),
        ("a\u202ebcdefg", 9, "a…"),
        ("\r\n" * 6, 6, "↵↵↵…"),
    ],
)
def test_a_long_text_is_cut_between_whole_letters(text: str, longest: int, shown: str) -> None:
    assert plain(text, longest) == shown


@given(st.text(alphabet="aبم👩🔬\u200d\u200c\u0301\ufe0f🏽"), st.integers(1, 12))
def test_a_cut_keeps_letters_whole(text: str, longest: int) -> None:
    whole, cut = plain(text, 10_000), plain(text, longest)
    if whole == cut:
        return
    kept = cut[:-1]
    assert cut[-1] == "…" and whole.startswith(kept) and len(cut) <= longest
    rest = whole[len(kept) :]
    if kept:
        assert not kept.endswith("\u200d") and (rest == "…" or rest[0] not in "\u200d\u200c\u0301\ufe0f🏽")


def test_a_flood_of_marks_stays_near_its_letter() -> None:
    shown = plain("e" + "\u0301" * 3_000 + " rest", 10_000)
    assert shown == "e" + "\u0301" * 6 + "… rest"


@given(TEXTS)
def test_json_says_the_same_in_signs_that_can_be_seen(text: str) -> None:
    written = json_escaped(json.dumps(text, ensure_ascii=False))
    assert json.loads(written) == text
    assert not unseen(written)


@given(TEXTS)
def test_source_says_the_same_in_signs_that_can_be_seen(text: str) -> None:
    written = source_escaped(f"first = 1\n{text!r}")
    assert ast.literal_eval(written.partition("\n")[2]) == text
    assert not unseen(written, also="\n")


def test_source_has_the_code_points_of_what_it_does_not_show() -> None:
    assert source_escaped('"a\u200bb\n\u202e"') == '"a\\U0000200bb\n\\U0000202e"'


@pytest.mark.parametrize("count", [5, 6, 7, 8])
def test_a_letter_has_six_marks_at_most(count: int) -> None:
    expected = "e" + "\u0301" * min(count, 6) + "…" * (count > 6)
    assert plain("e" + "\u0301" * count) == expected
    assert plain("e\u0301" * count + "a") == "e\u0301" * count + "a"


@pytest.mark.parametrize(
    ("text", "longest", "shown"),
    [
        ("ab", 2, "ab"),
        ("abc", 2, "a…"),
        ("abc", 1, "…"),
        ("ab\u0301c", 3, "a…"),
        ("ab\u0301c", 4, "ab\u0301c"),
        ("\u0301\u0301\u0301\u0301", 2, "…"),
        ("abc\u202e", 12, "abc[U+202E]"),
        ("abc\u202e", 11, "abc[U+202E]"),
        ("abc\u202e", 10, "abc…"),
        ("ab\U000e0001cd", 11, "ab…"),
        ("ab\U000e0001cd", 12, "ab[U+E0001]…"),
        ("ab\U000e0001cd", 13, "ab[U+E0001]cd"),
        ("a\tb\nc", 9, "a…"),
        ("a\tb\nc", 10, "a[U+0009]…"),
        ("a\tb\nc", 12, "a[U+0009]b↵c"),
    ],
)
def test_a_cut_never_splits_a_code_point_in_brackets(text: str, longest: int, shown: str) -> None:
    assert plain(text, longest) == shown


@pytest.mark.parametrize(
    ("letter", "escaped"),
    [
        ("\U0001d173", "\\ud834\\udd73"),
        ("\U000e0001", "\\udb40\\udc01"),
        ("\U000e0fff", "\\udb43\\udfff"),
        ("\u202e", "\\u202e"),
        ("\ufeff", "\\ufeff"),
        ("\x7f", "\\u007f"),
        ("é", "é"),
    ],
)
def test_json_has_two_halves_for_letters_beyond_sixteen_bits(letter: str, escaped: str) -> None:
    assert json_escaped(f"ü{letter}") == f"ü{escaped}"
