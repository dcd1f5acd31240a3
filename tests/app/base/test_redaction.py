"""What a report shows of the log: nothing of the user's."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gradwire.app.base.redaction import redacted

HOME, ROOT = "/home/ann", "/opt/lib/python"
HEAD = "2026-11-27 12:00:00,123 ERROR 4711 gradwire.app.shell.documents.saving: "
WORDS = st.text("abcxyz äß_-.", min_size=1, max_size=12)


def shown(*lines: str, files: tuple[str, ...] = (), names: tuple[str, ...] = ()) -> str:
    return redacted(lines, HOME, ROOT, files, names)


@given(st.lists(WORDS, min_size=1, max_size=4), WORDS, WORDS)
def test_no_path_of_the_home_folder_comes_through(folders: list[str], before: str, after: str) -> None:
    path = "/".join([HOME, *folders, "secretfile.graph"])
    for line in (f"{before} {path}", f"{HEAD}{before} {path} {after}", f"OSError: '{path}'"):
        text = shown(line)
        assert "ann" not in text and "secretfile" not in text


@given(st.floats() | st.integers(), st.text("abc =:,([", max_size=8), st.booleans())
def test_no_digits_of_a_tensor_come_through(number: float, before: str, has_head: bool) -> None:
    head = HEAD if has_head else ""
    text = shown(f"{head}{before}{number!r}").removeprefix(head)
    assert not re.search(r"\d", text)


@given(st.from_regex(r"[a-z_]{3,12}", fullmatch=True))
def test_no_name_of_a_block_comes_through(name: str) -> None:
    assert shown(f"{HEAD}[{name}]", names=(name,)) == f"{HEAD}[<name>]"


def test_what_the_program_says_of_itself_stays() -> None:
    frame = f'  File "{ROOT}/gradwire/app/x.py", line 12, in run'
    lines = [
        f"{HEAD}A graph was not saved",
        "Traceback (most recent call last):",
        frame,
        "    secret = 3",
        "KeyError: 'k'",
    ]
    assert shown(*lines).splitlines() == [
        f"{HEAD}A graph was not saved",
        "Traceback (most recent call last):",
        "  File gradwire/app/x.py, line 12, in run",
        'KeyError: "…"',
    ]


@pytest.mark.parametrize("file", ["/home/ann/plug/in.py", "/srv/other.py", "C:\\Users\\ann\\p.py", "<string>"])
def test_code_elsewhere_is_not_named(file: str) -> None:
    assert shown(f'  File "{file}", line 31, in secret') == "  File <elsewhere>"


def test_open_files_are_told_apart_by_letters() -> None:
    files = ("/home/ann/my work/a.graph", "/srv/b.graph")
    assert shown(f"{HEAD}a.graph is /home/ann/my work/a.graph, not /srv/b.graph", files=files) == (
        f"{HEAD}<file a>.graph is <file a>.graph, not <file b>.graph"
    )


@pytest.mark.parametrize(
    "line",
    [
        "digits.secret.csv cannot be read",
        "data/secret/file is missing",
        "secret.graph.state.new.npz",
        "could not connect to display “secret:0”",
        "“a label of secret words”",
    ],
)
def test_no_file_name_label_or_host_comes_through(line: str) -> None:
    assert "secret" not in shown(f"{HEAD}{line}")


@pytest.mark.parametrize(
    "line", ["secret words of a second line", "ValueError: secret words", "numpy.SecretError: secret"]
)
def test_of_what_an_error_says_its_class_alone_comes_through(line: str) -> None:
    assert "secret" not in shown(line) and "secret" not in shown(f"{HEAD}{line}" if ":" in line else line)


def test_the_host_and_the_user_are_names() -> None:
    assert shown(f"{HEAD}at box-7 of ann", names=("box-7", "ann")) == f"{HEAD}at <name> of <name>"


@pytest.mark.parametrize(
    ("root", "file", "place"),
    [
        (ROOT, f"{ROOT}/gradwire/x.py", "gradwire/x.py, line 3, in f"), (ROOT, f"{ROOT}2/x.py", "<elsewhere>"),
        (ROOT, "/home/ann/x.py", "<elsewhere>"), ("", "/gradwire/x.py", "<elsewhere>"),
        (f"{ROOT}/", f"{ROOT}/x.py", "x.py, line 3, in f"),
    ],
)  # fmt: skip
def test_only_files_of_the_program_keep_their_places(root: str, file: str, place: str) -> None:
    line = f'  File "{file}", line 3, in f'
    assert redacted([line], HOME, root, (), ()).splitlines()[-1] == f"  File {place}"


def test_many_files_have_letters_and_what_stands_between_them_is_hidden() -> None:
    files = tuple(f"/srv/n{number}.graph" for number in range(54))
    letters = ["a", "b", "z", "ba", "bb", "bz", "ca", "cb"]
    for number, letter in zip((0, 1, 25, 26, 27, 51, 52, 53), letters, strict=True):
        assert shown(f"{HEAD}{files[number]}", files=files) == f"{HEAD}<file {letter}>.graph"
    line = f"{HEAD}3 of /srv/n0.graph 4 of /srv/n1.graph 5 of 'x'"
    assert shown(line, files=files) == f'{HEAD}# of <file a>.graph # of <file b>.graph # of "…"'


def test_nothing_is_the_name_of_nothing_and_code_in_a_record_is_left_out() -> None:
    assert shown(f"{HEAD}a b", files=("", "/srv/a.graph"), names=("", "b")) == f"{HEAD}a <name>"
    assert shown(f"{HEAD}    secret = 1") == ""


def test_a_home_folder_may_have_a_blank_in_it() -> None:
    for home in ("/home/ann lee", "/home/ann lee/"):
        assert redacted([f"{HEAD}in /home/ann lee"], home, ROOT) == f"{HEAD}in <path>"
    assert redacted([f"{HEAD}in x"], "", ROOT) == f"{HEAD}in x"
